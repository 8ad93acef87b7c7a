-- literal_file: a Lua file that holds data and nothing else: `return`, and a table of texts,
-- numbers, true, false and tables. It is read, not run: functions, operators and names of values
-- are errors.
local checks = require "orrery.support.checks"

local literal_file = {}

local ESCAPES = { n = "\n", t = "\t", r = "\r", ["\\"] = "\\", ['"'] = '"', ["'"] = "'" }
local DEEPEST = 20

local Reader = {}
Reader.__index = Reader

function Reader:fail(expected, at)
  at = at or self.at
  local before = self.text:sub(1, at - 1)
  local line = select(2, before:gsub("\n", "")) + 1
  local column = at - (before:match ".*()\n" or 0)
  local found = self.text:match("^[%w_.]+", at) or self.text:sub(at, at)
  error({ message = ("%s:%d: column %d: expected %s, found %s"):format(self.name, line, column,
    expected, found == "" and "the end" or ('"%s"'):format(found)) }, 0)
end

-- Moves behind blanks and comments.
function Reader:skip()
  local at
  repeat
    at = self.at
    self.at = self.text:match("^%s*()", self.at)
    if self.text:sub(self.at, self.at + 1) == "--" then
      local level = self.text:match("^%-%-%[(=*)%[", self.at)
      local stop = level and self.text:find("]" .. level .. "]", self.at, true)
      if level and not stop then self:fail "the end of a comment" end
      self.at = level and stop + #level + 2 or self.text:match("^[^\n]*()", self.at)
    end
  until at == self.at
end

function Reader:takes(mark)
  self:skip()
  if self.text:sub(self.at, self.at + #mark - 1) ~= mark then return false end
  self.at = self.at + #mark
  return true
end

function Reader:string(quote)
  local parts, begin = {}, self.at - 1
  while true do
    local plain, stop = self.text:match("^([^\\\n" .. quote .. "]*)()", self.at)
    parts[#parts + 1] = plain
    local c = self.text:sub(stop, stop)
    if c == quote then
      self.at = stop + 1
      return table.concat(parts)
    end
    local escaped = ESCAPES[self.text:sub(stop + 1, stop + 1)]
    if c ~= "\\" or not escaped then
      self:fail(c == "\\" and "a text with no other escapes than \\n, \\t, \\r, \\\\ and quotes"
        or "the end of a text", c == "\\" and stop or begin)
    end
    parts[#parts + 1] = escaped
    self.at = stop + 2
  end
end

function Reader:key()
  local name, stop = self.text:match("^([%a_][%w_]*)%s*()", self.at)
  if name and self.text:sub(stop, stop) == "=" and self.text:sub(stop, stop + 1) ~= "==" then
    self.at = stop + 1
    return name
  end
  if not self:takes "[" then return nil end
  local key = self:value(DEEPEST)
  if not self:takes "]" then self:fail "]" end
  if not self:takes "=" then self:fail "=" end
  return key
end

function Reader:table(depth)
  local list = {}
  while true do
    self:skip()
    if self:takes "}" then return list end
    local key = self:key()
    local at, value = self.at, self:value(depth + 1)
    if key ~= nil and list[key] ~= nil then self:fail("a key that is new", at) end
    if key ~= nil then list[key] = value else list[#list + 1] = value end
    if not self:takes "," and not self:takes ";" then
      if not self:takes "}" then self:fail "a comma or a closing brace" end
      return list
    end
  end
end

function Reader:value(depth)
  self:skip()
  local c = self.text:sub(self.at, self.at)
  if c == "{" and depth < DEEPEST then
    self.at = self.at + 1
    return self:table(depth)
  elseif c == '"' or c == "'" then
    self.at = self.at + 1
    return self:string(c)
  end
  local word, stop = self.text:match("^(%-?[%w_.]+)()", self.at)
  local value = word == "true" or tonumber(word)
  if word ~= "true" and word ~= "false" and not value then
    self:fail "a text, a number, true, false or a table (a file of data has no functions)"
  end
  self.at = stop
  return value or false
end

-- The table that a file with this text holds; raises a table with `message`.
function literal_file.read(name, text)
  local reader = setmetatable({ name = name, text = text, at = 1 }, Reader)
  reader:skip()
  local stop = text:match("^return[%s{]()", reader.at)
  if not stop then reader:fail '"return"' end
  reader.at = stop - 1
  reader:skip()
  if text:sub(reader.at, reader.at) ~= "{" then reader:fail "a table" end
  local value = reader:value(0)
  reader:skip()
  if reader.at <= #text then reader:fail "the end of the file" end
  return value
end

local LARGEST = 1 << 16 -- bytes of a file

-- The table that a file holds; messages begin with `what`. other: nil, or the reader of another
-- format, with `is`, `read` and the bytes of the LARGEST file.
function literal_file.load(what, path, other)
  local file, problem = io.open(path, "rb")
  checks.refuse(not file, "%s: %s", what, problem) -- which begins with the path
  local text
  text, problem = file:read((other and other.LARGEST or LARGEST) + 1)
  file:close()
  checks.refuse(not text and problem, "%s: %s: %s", what, path, problem)
  text = text or ""
  local is_other = other and other.is(text)
  local most = is_other and other.LARGEST or LARGEST
  checks.refuse(#text > most, "%s: %s: a %s of more than %d bytes", what, path, what, most)
  if is_other then return other.read(path, text) end
  local ok, given = pcall(literal_file.read, path, text)
  checks.refuse(not ok, "%s: %s", what, not ok and given.message or nil)
  return given
end

return literal_file
