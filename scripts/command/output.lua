-- The output of a command: files, of which one may go to standard output, and printed text. Errors
-- that can be known before a long run are reported before it.
local claims = require "orrery.command.claims"
local command = require "orrery.command.command"
local lfs = require "lfs"
local orrery = require "orrery"
local progress = require "orrery.command.progress"

local output = {}

-- The options that name files, in the order of writing, and the contents of the files.
local NAMES = { "csv", "json", "users", "ends", "schedule", "timeline", "trace", "gantt", "table",
  "plot", "report", "lp" }
local WHAT = { csv = "numbers as CSV", ends = "ends of tasks", json = "JSON", table = "table",
  plot = "picture", schedule = "schedule", users = "users", timeline = "timeline",
  gantt = "Gantt chart", trace = "trace", report = "report", lp = "integer linear program" }
local STDOUT = "/dev/stdout" -- which bindings/support/output.c writes as it stands
local INPUTS = { log = "LOG", failures = "--failures", tasks = "--tasks", faults = "--faults" }

local FILES_READ = {}
for _, option in pairs(INPUTS) do FILES_READ[option] = true end

-- Refuses the empty name, which an unset variable gives, and for an input file the name that other
-- programs use for standard input.
function output.check_name(option, path)
  if path == "" then command.misuse("%s: expected the name of a file", option) end
  if path == "-" and FILES_READ[option] then
    command.misuse("%s: '-' would be a file of that name; give /dev/stdin", option)
  end
end

output.QUIET = { "--quiet", "Print no tables and notes." }

-- With --quiet nothing is printed. Where a file goes to standard output, tables go to standard
-- error: the reader of the file gets only the file.
local function send_tables(given, to_error)
  -- luacheck: push ignore 121
  progress.quiet = given.quiet
  if given.quiet then
    function print() end
  elseif to_error then
    function print(text) orrery.tools.complain(text or "") end
  end
  -- luacheck: pop
end

-- Refuses a name in a folder that is not there, or of a folder.
function output.check_folder(option, path)
  local folder = path:match("^(.*)/[^/]*$")
  if folder == "" then folder = "/" end
  if folder and lfs.attributes(folder, "mode") ~= "directory" then
    command.misuse("--%s %s: there is no folder %s", option, path, folder)
  elseif path:match("/$") or lfs.attributes(path, "mode") == "directory" then
    command.misuse("--%s: '%s' is a folder, not a file", option, path)
  end
end

-- Files are written beside their place and then moved there, so the folder must take a new file.
local function check_writable(path)
  local done, problem = pcall(orrery.tools.check_place, path)
  if not done then command.fail("%s", problem) end
  claims.remove_left_over(path:match "^(.*/)[^/]*$" or ".", path:match "[^/]*$")
end

-- Refuses early a name of a picture that would fail after the run.
function output.check_picture(option, path)
  if not orrery.draw.gnuplot.draws(path) then
    command.misuse("--%s: the name must end in .png or .svg, not '%s'", option,
      path == STDOUT and "-" or path)
  end
end

function output.check_gnuplot()
  if not orrery.draw.gnuplot.installed() then
    command.fail("--plot wants gnuplot, which is not installed (Debian: gnuplot-nox)")
  end
end

-- Checks the name of a Gantt chart, which is SVG on standard output.
function output.check_gantt(path)
  if not path or path == STDOUT or path:lower():match "%.html$" then return end
  if not orrery.draw.gnuplot.draws(path) then
    command.misuse("--gantt: the name must end in .svg, .png or .html, not '%s'", path)
  end
  if path:lower():match "%.png$" and not orrery.draw.png.installed() then
    command.fail("--gantt: .png wants rsvg-convert, which is not installed (Debian: librsvg2-bin)")
  end
end

function output.check_report(path)
  if path and path ~= STDOUT and not path:lower():match "%.html?$" then
    command.misuse("--report: the name must end in .html, not '%s'", path)
  end
end

function output.paths(given)
  local list = {}
  for _, name in ipairs(NAMES) do list[#list + 1] = given[name] end
  return list
end

-- What two names of one file have in common.
local function identity(path)
  local name, is = path:match "[^/]*$", lfs.attributes(path)
  if path == STDOUT or is and is.mode ~= "file" then return path end
  local at = is or lfs.attributes(path:sub(1, -#name - 1) .. ".")
  return at and ("%d %d %s"):format(at.dev, at.ino, is and "" or name) or path
end

local OF_REPORT = 8 -- pictures on a page, at most

-- What a run with these options may write and draw, for untrusted.run.
function output.allowed(given)
  local draws = { gnuplot = given.report and OF_REPORT or 0, ["rsvg-convert"] = 0 }
  for name, program in pairs { plot = "gnuplot", timeline = "gnuplot", gantt = "rsvg-convert" } do
    local ending = given[name] and given[name]:lower():match "%.(%l+)$"
    local is_drawn = ending == "png" or ending == "svg" and program == "gnuplot"
    draws[program] = draws[program] + (is_drawn and 1 or 0)
  end
  return { writes = output.paths(given), draws = draws }
end

-- Checks the options that name files, and replaces `-` by standard output. `given`: the options.
function output.check(given)
  local seen, to_error = {}, false
  for input, option in pairs(INPUTS) do
    local path = given[input]
    if path then
      output.check_name(option, path)
      seen[identity(path)] = option
    end
  end
  for _, option in ipairs { "policy", "priority" } do
    for _, path in ipairs(type(given[option]) == "table" and given[option] or { given[option] }) do
      if lfs.attributes(path, "mode") == "file" then seen[identity(path)] = "--" .. option end
    end
  end
  for _, name in ipairs(NAMES) do
    local path = given[name]
    if path == "-" then path, to_error = STDOUT, true end
    given[name] = path
    if path then
      output.check_name("--" .. name, path)
      if path ~= STDOUT then output.check_folder(name, path) end
      local is = identity(path)
      if seen[is] then
        command.misuse("--%s and %s name the same file, %s", name, seen[is],
          path == STDOUT and "standard output" or path)
      end
      seen[is] = "--" .. name
    end
  end
  for _, name in ipairs(NAMES) do
    if given[name] and given[name] ~= STDOUT then check_writable(given[name]) end
  end
  send_tables(given, to_error)
end

-- Prints that a file was written, and its contents.
function output.wrote(path, what)
  if path ~= STDOUT then print(("wrote %s: %s"):format(path, what)) end
end

-- Writes the requested files. writers: function(path) by the option's name.
function output.write(given, writers)
  for _, name in ipairs(NAMES) do
    local path, write = given[name], writers[name]
    if path and write then
      if path == STDOUT then write(path) else progress.doing("writing " .. path, write, path) end
      output.wrote(path, WHAT[name])
    end
  end
end

-- The JSON of a table that is printed: the fields, with the version in front; spec/METRICS.md lists
-- them.
function output.json(path, fields)
  fields.version = orrery.version
  orrery.tools.write_file(path, orrery.tools.json(fields))
end

return output
