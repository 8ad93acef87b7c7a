-- Names of files: what can be known before a long run is refused before it.
local claims = require "orrery.command.claims"
local command = require "orrery.command.command"
local lfs = require "lfs"
local orrery = require "orrery"

local output = {}

local NAMES = { "csv", "ends", "json", "table", "plot", "schedule", "users", "timeline", "gantt",
  "report", "lp" }
local INPUTS = { log = "LOG", failures = "--failures", tasks = "--tasks", faults = "--faults" }

local FILES_READ = {}
for _, option in pairs(INPUTS) do FILES_READ[option] = true end

-- Refuses the empty name, which a variable that is not set leaves behind, and the one that other
-- programs have for standard input and output.
function output.check_name(option, path)
  if path == "" then command.misuse("%s: expected the name of a file", option) end
  if path == "-" then
    command.misuse("%s: '-' would be a file of that name; give %s", option,
      FILES_READ[option] and "/dev/stdin" or "/dev/stdout")
  end
end

local function check_folder(option, path)
  local folder = path:match("^(.*)/[^/]*$")
  if folder == "" then folder = "/" end
  if folder and lfs.attributes(folder, "mode") ~= "directory" then
    command.fail("--%s %s: there is no folder %s", option, path, folder)
  elseif path:match("/$") or lfs.attributes(path, "mode") == "directory" then
    command.fail("--%s: '%s' is a folder, not a file", option, path)
  end
end

-- Files are written beside their place and then moved there, so the folder must take a new file.
-- Devices and pipes are opened once, at the end.
local function check_writable(path)
  local mode = lfs.attributes(path, "mode")
  if mode and mode ~= "file" then return end
  local function try(name)
    local file, problem = io.open(name, "a")
    if not file then command.fail("cannot write %s: %s", path, problem:sub(#name + 3)) end
    file:close()
  end
  if mode then try(path) end
  local beside = orrery.tools.temporary(path)
  try(beside)
  os.remove(beside)
  claims.remove_left_over(path:match "^(.*/)[^/]*$" or ".", path:match "[^/]*$")
end

-- Refuses early what would fail after the run: the name of a picture, --plot or --gantt.
function output.check_picture(option, path)
  if not orrery.draw.gnuplot.draws(path) then
    command.misuse("--%s: the name must end in .png or .svg, not '%s'", option, path)
  end
end

-- The same where gnuplot is missing.
function output.check_gnuplot()
  if not orrery.draw.gnuplot.installed() then
    command.fail("--plot wants gnuplot, which is not installed (Debian: gnuplot-nox)")
  end
end

-- The same of a Gantt chart.
function output.check_gantt(path)
  if not path then return end
  output.check_picture("gantt", path)
  if path:lower():match "%.png$" and not orrery.draw.png.installed() then
    command.fail("--gantt: .png wants rsvg-convert, which is not installed (Debian: librsvg2-bin)")
  end
end

-- The same of a report.
function output.check_report(path)
  if path and not path:lower():match "%.html?$" then
    command.misuse("--report: the name must end in .html, not '%s'", path)
  end
end

-- The files that the options name for what comes out.
function output.paths(given)
  local list = {}
  for _, name in ipairs(NAMES) do list[#list + 1] = given[name] end
  return list
end

-- `given`: the options; those that name files are looked at.
function output.check(given)
  local seen = {}
  for input, option in pairs(INPUTS) do
    local path = given[input]
    if path then
      output.check_name(option, path)
      seen[path] = option
    end
  end
  for _, name in ipairs(NAMES) do
    local path = given[name]
    if path then
      output.check_name("--" .. name, path)
      check_folder(name, path)
      if seen[path] then
        command.misuse("--%s and %s name the same file, %s", name, seen[path], path)
      end
      seen[path] = "--" .. name
    end
  end
  for _, name in ipairs(NAMES) do
    if given[name] then check_writable(given[name]) end
  end
end

return output
