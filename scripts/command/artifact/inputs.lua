-- The files that the commands of an artifact read: files that are packed into it, and files of
-- which it only has the checksum.
local command = require "orrery.command.command"
local lfs = require "lfs"
local orrery = require "orrery"
local output = require "orrery.command.output"

local inputs = {}

local DEFAULT_LOG = { replay = true, compare = true } -- commands that read the bundled month

local function is_file(path) return lfs.attributes(path, "mode") == "file" end

-- Whether a path stays below the folder in which the commands run.
function inputs.is_inside(path)
  if path:sub(1, 1) == "/" then return false end
  for part in path:gmatch "[^/]+" do
    if part == ".." then return false end
  end
  return true
end

-- The options that the command's parser reads; errors name the line. A reproduction has a parser of
-- its own.
local function parsed(one)
  local name, first = one.words[1], 2
  if name == "reproduce" and (one.words[2] or ""):match "^[%w_-]*%w$" then
    name, first = name .. "/" .. one.words[2], 3
  end
  local parser = orrery.tools.parser(name)
  if not parser then command.misuse("%s: there is no command '%s'", one.place, name) end
  local ok, given = parser:pparse(table.move(one.words, first, #one.words, 1, {}))
  if not ok then command.misuse("%s: %s", one.place, given) end
  return given
end

-- The name of a file inside the artifact: as it was given, or its last part.
local function name_in(self, path)
  local plain = path:gsub("^%./+", "")
  local name = inputs.is_inside(plain) and plain or path:match "[^/]*$"
  local before = self.paths[name]
  if before and before ~= path:gsub("^%./+", "") then
    command.misuse("%s and %s would both be %s: copy one of them to another name", before, path,
      name)
  end
  self.paths[name] = path:gsub("^%./+", "")
  return name
end

-- Notes a file; returns its name in the commands of the artifact.
local function add(self, path, is_outside)
  local name = name_in(self, path)
  if not self.names[name] then
    self.names[name] = true
    local list = is_outside and self.outside or self.packed
    list[#list + 1] = { name = name, from = path }
  end
  return inputs.is_inside(path) and path or name
end

-- A log known by its name, such as the bundled month: its path here.
local function add_named(self, name)
  local path = orrery.tools.log_path(name)
  if self.names[name] or not is_file(path) then return end
  self.names[name] = true
  self.outside[#self.outside + 1] = { name = name, from = path, named = true }
end

-- Notes the files and folders that a command writes. They may exist already, from an earlier run.
local function note_written(self, read)
  for _, path in ipairs(output.paths(read)) do self.written[#self.written + 1] = path end
  for _, name in ipairs { "out", "output" } do
    if type(read[name]) == "string" then self.written[#self.written + 1] = read[name] end
  end
end

local function is_written(self, path)
  for _, one in ipairs(self.written) do
    local folder = one:gsub("/*$", "/")
    if path == one or path:sub(1, #folder) == folder then return true end
  end
  return false
end

local function is_input(self, path) return is_file(path) and not is_written(self, path) end

-- The word with the names that files have in the artifact.
local function renamed(self, word, is_log)
  if is_input(self, word) then return add(self, word, is_log(word)) end
  local option, value = word:match "^(%-%-[%w-]+=)(.+)$"
  if option then return option .. renamed(self, value, is_log) end
  -- policies of several parts, with options: end-local+./mine.lua:share=2
  return (word:gsub("[^+:]+%.lua", function(part)
    return is_input(self, part) and add(self, part, is_log(part)) or part
  end))
end

-- Notes the files that a specification names in its texts, and the files that these name.
local function add_named_in(self, path, is_log)
  local text = path:match "%.lua$" and not self.looked[path] and command.read_file(path) or ""
  self.looked[path] = true
  text = text:gsub("require%s*%(?%s*([\"'])[^\"'\n]+%1", "") -- modules are Orrery's own
  for _, quoted in text:gmatch "([\"'])([^\"'\n]+)%1" do
    local named = is_file(quoted) and quoted or quoted:match "^(.-%.lua):" or ""
    if is_input(self, named) then
      if not inputs.is_inside(named) then
        command.misuse("%s: expected files below this folder, for its text stays as it is; found "
          .. "'%s'", path, named)
      end
      local is_packed = named:match "%.lua$" or self.with[named] or self.with_logs
      add(self, named, is_log(named) or not is_packed)
      add_named_in(self, named, is_log)
    end
  end
end

local function each_text(value, f)
  if type(value) == "string" then f(value) end
  for _, one in pairs(type(value) == "table" and value or {}) do each_text(one, f) end
end

-- Refuses options whose files are elsewhere than in the folder in which the commands run. The words
-- are read as the command reads them, so that no spelling (-o/path, --out=/path) is overlooked.
-- one: { words =, place = }. Returns the options.
function inputs.check_words(one)
  local given = parsed(one)
  each_text(given, function(text)
    for _, path in ipairs { text, text:match "=(.*)$" } do
      if (path:find("/", 1, true) or path == "..") and not inputs.is_inside(path)
        and path ~= "/dev/stdout" then
        command.misuse("%s: expected files below this folder, or files that are there, found '%s'",
          one.place, path)
      end
    end
  end)
  return given
end

-- The program of somebody else that a command with these options starts, behind its option; or nil.
function inputs.program(given)
  for _, name in ipairs { "propose", "command" } do
    if type(given[name]) == "string" then return ("--%s: %s"):format(name, given[name]) end
  end
  return given.slurm and "--slurm: sbatch" or nil
end

-- Looks at all commands, whose words get the names of the artifact's files:
--   { packed = a list of { name =, from = its path }, outside = a list of the same; named = true:
--     a log that Orrery finds by this name }
-- given: with, outside (lists of paths), with_logs
function inputs.of(list, given)
  local self = { packed = {}, outside = {}, names = {}, paths = {}, written = {},
    looked = {}, with = {}, with_logs = given.with_logs }
  local apart = {}
  for _, path in ipairs(given.outside or {}) do apart[path] = true end
  for _, kind in ipairs { "with", "outside" } do
    for _, path in ipairs(given[kind] or {}) do
      if not is_file(path) then command.misuse("--%s %s: there is no such file", kind, path) end
      add(self, path, kind == "outside")
      self.with[path] = kind == "with"
    end
  end
  for _, one in ipairs(list) do
    local read = parsed(one)
    note_written(self, read)
    local log = read.log or DEFAULT_LOG[one.words[1]] and "sample-2019-06" or nil
    local function is_log(path) return apart[path] or path == log and not given.with_logs end
    for i = 2, #one.words do
      if is_input(self, one.words[i]) then add_named_in(self, one.words[i], is_log) end
      one.words[i] = renamed(self, one.words[i], is_log)
    end
    if type(log) == "string" and not is_file(log) then add_named(self, log) end
    inputs.check_words(one)
  end
  return self
end

return inputs
