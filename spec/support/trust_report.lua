-- What SECURITY.md promises is tested by: for each of its sections the specs that it names, and how
-- many cases they have; then what else can be counted. `make trust-report` runs it.
--
-- Nothing here is kept by hand. A file that the page names and that is not there is an error.
local lfs = require "lfs"

local trust_report = {}

local function read(path)
  local file = assert(io.open(path, "rb"))
  local text = file:read "a"
  file:close()
  return text
end

-- What the page names: a list of { title =, { path of a spec, ... } }, each file once.
function trust_report.named()
  local sections, seen = {}, {}
  for line in read "SECURITY.md":gmatch "[^\n]*" do
    local title = line:match "^## (.*)"
    if title then sections[#sections + 1] = { title = title } end
    for path in line:gmatch "spec/[%w_/-]+%.lua" do
      if not lfs.attributes(path) then
        error("SECURITY.md names " .. path .. ", which is not there")
      end
      local section = sections[#sections]
      if path:find "_spec%.lua$" and not seen[path] then
        seen[path] = true
        section[#section + 1] = path
      end
    end
  end
  return sections
end

-- --- promises ------------------------------------------------------------------------------------

-- These promise nothing of their own: they say what tests do.
local WITHOUT = { ["Fuzzing"] = true, ["What proves it"] = true }
-- Sentences about whom one trusts, and headings.
local NO_PROMISE = { "Tested by ", "Programs that link the",
  "Pointers must be valid", "It ends", "The same bits, always", "Files are complete or absent",
  "Links lead nowhere else", "Messages do not command the terminal" }

-- What the page says in a section: a list of sentences, without marks.
local function sentences_of(section, list)
  for block in (section .. "\n\n"):gmatch "(.-)\n\n+" do
    if not block:find "^[|#]" and not block:find "^%*%*[%a ]*[Nn]ot promised" then
      local text = block:gsub("\n%- ", " "):gsub("%s+", " "):gsub("%*%*", "")
        :gsub("%(spec/.-%)", "")
      for sentence in (text .. " "):gmatch "%s*(%S.-%.)%s+%f[%S%z]" do
        list[#list + 1] = sentence
      end
    end
  end
  return list
end

-- The promises of the page, { sentence =, section = }; and its rows, { promise =, spec =, case = }.
function trust_report.promises()
  local promises, rows = {}, {}
  local page = read "SECURITY.md" .. "\n## end\n"
  local at = page:find "\n## "
  while at do
    local next_at = page:find("\n## ", at + 4)
    if not next_at then break end
    local title = page:match("^\n## ([^\n]+)", at)
    local section = page:sub(at + 5 + #title, next_at - 1)
    if not WITHOUT[title] then
      for _, sentence in ipairs(sentences_of(section, {})) do
        promises[#promises + 1] = { sentence = sentence, section = title }
      end
    end
    at = next_at
  end
  for promise, spec, case in page:gmatch
    "\n| ([^|\n]+) | (spec/[%w_/-]+%.lua) | ([^|\n]+) |%f[\n]" do
    rows[#rows + 1] = { promise = promise, spec = spec, case = case }
  end
  return promises, rows
end

-- What is wrong with the table: promises without a row, rows without a promise.
function trust_report.gaps()
  local gaps, promises, rows = {}, trust_report.promises()
  local function begins(sentence, with) return sentence:sub(1, #with) == with end
  for _, one in ipairs(promises) do
    local known = false
    for _, text in ipairs(NO_PROMISE) do known = known or begins(one.sentence, text) end
    for _, row in ipairs(rows) do
      if begins(one.sentence, row.promise) then known, row.is_used = true, true end
    end
    if not known then gaps[#gaps + 1] = "no row: " .. one.sentence end
  end
  for _, row in ipairs(rows) do
    if not row.is_used then gaps[#gaps + 1] = "no such sentence: " .. row.promise end
  end
  return gaps, rows
end

-- The cases of a file of specs, as busted lists them.
function trust_report.listed(path)
  local pipe = assert(io.popen(("'%s' \"$(command -v busted)\" --list '%s' 2>/dev/null"):format(
    os.getenv "LUA" or "lua5.4", path)))
  local text = pipe:read "a"
  pipe:close()
  return text
end

-- How many cases a file of specs has: those that busted lists.
function trust_report.cases(path)
  local _, count = ("\n" .. trust_report.listed(path)):gsub("\n" .. path:gsub("%p", "%%%0")
    .. ":%d+: ", "")
  return count
end

local function files_below(folder)
  local count = 0
  for name in lfs.dir(folder) do
    local path = folder .. "/" .. name
    if name:sub(1, 1) ~= "." then
      local is_folder = lfs.attributes(path, "mode") == "directory"
      count = count + (is_folder and files_below(path) or 1)
    end
  end
  return count
end

local function print_specs()
  local total = 0
  for _, section in ipairs(trust_report.named()) do
    if section[1] then print("\n" .. section.title) end
    for _, path in ipairs(section) do
      local count = trust_report.cases(path)
      total = total + count
      print(("  %-52s %5d cases"):format(path, count))
    end
  end
  print(("\n  %-52s %5d cases"):format("in all", total))
end

-- How many inputs the last runs of `make fuzz` in this checkout tried, at random and of a seed.
local function tried(name)
  local build, list = os.getenv "BUILD" or "build", {}
  local logs = { [""] = "units:%s*(%d+)", ["-sequence"] = "(%d+ inputs of seed %d+)" }
  for suffix, pattern in pairs(logs) do
    local log = io.open(("%s/fuzz/%s%s.log"):format(build, name, suffix))
    list[#list + 1] = log and log:read "a":match(pattern)
    if log then log:close() end
  end
  table.sort(list)
  return list
end

local function print_fuzzing()
  local corpus = "spec/fuzz/corpus"
  local names = {}
  for name in lfs.dir(corpus) do names[#names + 1] = name:match "^[^.].*" end
  table.sort(names)
  for _, name in ipairs(names) do
    local folder = corpus .. "/" .. name
    print(("  %-52s %5d inputs"):format(folder, files_below(folder)))
    for _, text in ipairs(tried(name)) do print("    last tried by make fuzz: " .. text) end
  end
end

function trust_report.print()
  print "What the promises of SECURITY.md are tested by"
  print_specs()
  print "\nCounted besides"
  local function line(what, number) print(("  %-52s %5s"):format(what, number)) end
  line("hostile policies, each with what has to come",
    #require "spec.bindings.host.hundred_policies")
  line("system calls tried from behind the sandbox", #require("native_hole").attacks)
  require "orrery"
  local version = package.loaded["orrery.core"].landlock()
  line("Landlock of this kernel, its version", version > 0 and version or "none")
  print_fuzzing()
end

return trust_report
