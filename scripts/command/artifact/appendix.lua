-- The text of an artifact's README.md: an artifact appendix as conferences ask for, from the data
-- of `orrery artifact make`.
local command = require "orrery.command.command"
local commands = require "orrery.command.artifact.commands"
local orrery = require "orrery"
local page = require "orrery.command.page"

local appendix = {}

local MOST = 60 -- lines of an output that are shown

local function code(text, language)
  local fence = "```"
  while text:find(fence, 1, true) do fence = fence .. "`" end
  return ("%s%s\n%s\n%s"):format(fence, language or "", (text:gsub("\n+$", "")), fence)
end

local function start_of(text)
  local lines = {}
  for line in text:gmatch "([^\n]*)\n" do
    lines[#lines + 1] = line
    if #lines == MOST then return table.concat(lines, "\n") .. "\n(and more)" end
  end
  return table.concat(lines, "\n")
end

local function listed(list)
  local rows = {}
  for i, one in ipairs(list) do
    rows[i] = { "`" .. one.name .. "`", ("%d"):format(one.bytes), "`" .. one.sha256 .. "`" }
  end
  return rows
end

local FILE_HEAD = { "file", "bytes", "SHA-256" }

-- The option --seed of each command, or a text about its default.
local function seeds(list)
  local seen, found = {}, {}
  for _, one in ipairs(list) do
    local text = table.concat(one.words, " ")
    local seed = text:match "%-%-seed[ =](%S+)" or "1, the default"
    if one.words[1] == "search" or one.words[1] == "sweep" then
      seed = "in the specification, or 1"
    end
    if not seen[seed] then seen[seed], found[#found + 1] = true, seed end
  end
  return table.concat(found, "; ")
end

local function seconds(list)
  local sum = 0
  for _, one in ipairs(list) do sum = sum + one.seconds end
  return math.max(sum, 1)
end

local function data(p, artifact)
  p:heading "Data"
  if #artifact.files > 0 then
    p:text("In `inputs/`:"):rows(FILE_HEAD, listed(artifact.files), " --- |")
  end
  if #artifact.outside > 0 then
    p:text("Not packed. Files are looked for in `outside/`, or in the folder that `--outside DIR` "
      .. "names; logs that Orrery knows by their name are found by it:")
    p:rows(FILE_HEAD, listed(artifact.outside), " --- |")
  end
  if #artifact.files + #artifact.outside == 0 then p:text "The commands read no files." end
end

local SHOWN = 3 -- files of a folder that are listed one by one

-- Rows of a table of outputs: files, and folders of many files.
local function rows_of(outputs)
  local groups, order = {}, {}
  for _, one in ipairs(outputs) do
    if one.path:match "^files/" or one.varies then
      local key = one.path:match "^.*/" .. tostring(one.varies)
      if not groups[key] then groups[key], order[#order + 1] = {}, key end
      table.insert(groups[key], one)
    end
  end
  local rows = {}
  for _, key in ipairs(order) do
    local group = groups[key]
    local how = group[1].varies and "varies, as times do: only its presence is verified" or "equal"
    if #group > SHOWN then
      rows[#rows + 1] = { ("`%s`: %d files"):format(group[1].path:match "^.*/", #group), how }
    else
      for _, one in ipairs(group) do rows[#rows + 1] = { "`" .. one.path .. "`", how } end
    end
  end
  return rows
end

local function expected(p, stage, artifact)
  p:heading "Expected results"
  p:text("Files are in `expected/`. All are equal on every run, to the byte, for any number of "
    .. "threads, but for those that are said to vary.")
  for i, one in ipairs(artifact.commands) do
    p:heading(("Experiment %d"):format(i), 3)
    p:text("%s", code(commands.line(one.words), "sh"))
    local text = command.read_file(("%s/expected/printed/%d.txt"):format(stage, i)) or ""
    p:text("%s", text == "" and "It prints nothing." or code(start_of(text), "text"))
  end
  local rows = rows_of(artifact.outputs)
  if #rows > 0 then p:rows({ "output", "in two runs" }, rows, " --- |") end
end

-- The page. stage: the folder, which has expected/ already
function appendix.text(stage, artifact)
  local p = page.new("Artifact: " .. artifact.title)
  if artifact.about then p:text("%s", artifact.about) end
  p:text("%s", "This folder has everything to repeat the experiment but the files that are named "
    .. "as not packed. One command runs all of it again and compares:")
  p:text("%s", code("orrery artifact verify .", "sh"))
  p:heading "Check-list"
  p:rows({ "", "" }, {
    { "Program", ("Orrery %s, free software (see its LICENSE)"):format(artifact.version) },
    { "Experiments", ("%d command%s"):format(#artifact.commands,
      #artifact.commands == 1 and "" or "s") },
    { "Seeds", seeds(artifact.commands) },
    { "Ran on", ("%s, %d cores, %s"):format(artifact.machine.processor, artifact.machine.cores,
      artifact.machine.system) },
    { "Time there", orrery.tools.span_text(seconds(artifact.commands)) },
    { "Made on", artifact.made },
  }, " --- |")
  p:heading("Installation"):text("%s", "Needed: Linux, make, gcc, git; GNU coreutils. In the "
    .. "folder of Orrery's sources, of this version:")
  p:text("%s", code("make deps && make && sudo make install", "sh"))
  data(p, artifact)
  p:heading("Verification"):text("%s", "`orrery artifact verify` compares the checksums of all "
    .. "files, runs the commands in a temporary folder, and compares what comes out with "
    .. "`expected/`. Its exit status is 0 if all is equal, 1 if something differs, and 2 if a file "
    .. "is missing or changed. The commands have no network, and write in that folder alone.")
  expected(p, stage, artifact)
  return p:markdown()
end

return appendix
