-- A strict reader of LuaCATS annotations, of what of that language Orrery's meta file uses.
--
-- luacats.read(text) -> { aliases = { name = type }, classes = { name = { parent =, fields = {
-- name = type }, methods = { name = { params =, returns = } } } } }; every line that is not
-- understood is an error with its number. Types are tables, see `parse_type`.
local luacats = {}

-- --- types --------------------------------------------------------------------------------------

local function fail(state, wanted)
  error(("expected %s at '%s' in '%s'"):format(wanted, state.text:sub(state.at), state.text), 0)
end

local function accept(state, pattern)
  local from, to, capture = state.text:find("^(" .. pattern .. ")", state.at)
  if not from then return nil end
  state.at = to + 1
  return capture
end

local function expect(state, pattern, wanted)
  return accept(state, pattern) or fail(state, wanted)
end

local parse_union

local function parse_list(state, close, parse_one)
  local list = {}
  if accept(state, close) then return list end
  repeat list[#list + 1] = parse_one(state) until not accept(state, ",%s*")
  expect(state, close, "a closing bracket")
  return list
end

local function parse_param(state)
  local name = expect(state, "[%a_][%w_]*", "the name of a parameter")
  local optional = accept(state, "%?") ~= nil
  expect(state, ":%s*", "a colon")
  return { name = name, optional = optional, type = parse_union(state) }
end

local function parse_function(state)
  local fun = { kind = "fun", params = parse_list(state, "%)", parse_param), returns = {} }
  if accept(state, ":%s*") then
    repeat fun.returns[#fun.returns + 1] = parse_union(state) until not accept(state, ",%s*")
  end
  return fun
end

local function parse_key(state)
  local key
  if accept(state, "%[") then
    key = parse_union(state)
    expect(state, "%]", "]")
  else
    key = expect(state, "[%a_][%w_]*", "the name of a field")
    accept(state, "%?")
  end
  expect(state, ":%s*", "a colon")
  return { key = key, type = parse_union(state) }
end

local function parse_primary(state)
  if accept(state, "fun%(") then return parse_function(state) end
  if accept(state, "%(") then
    local inside = parse_union(state)
    expect(state, "%)", ")")
    return inside
  end
  if accept(state, "{%s*") then
    return { kind = "table", fields = parse_list(state, "%s*}", parse_key) }
  end
  local literal = accept(state, '"[^"\n]*"') or accept(state, "%-?%d+")
  if literal then return { kind = "literal", literal } end
  local name = expect(state, "[%a_][%w_.]*", "a type")
  local arguments = accept(state, "<") and parse_list(state, ">", parse_union)
  return { kind = "name", name = name, arguments = arguments }
end

local function parse_lists(state)
  local one = parse_primary(state)
  while accept(state, "%[%]") do one = { kind = "list", of = one } end
  return one
end

-- A function in a union stands last, and returns no union: nobody could tell whose parts they are.
-- A question mark stands behind the whole union.
function parse_union(state)
  local parts = {}
  repeat
    local part = parse_lists(state)
    if part.kind == "fun" and (#parts > 0 or state.text:find("^|", state.at)) then
      for _, one in ipairs(part.returns) do
        if one.kind == "union" then fail(state, "no union behind a function in a union") end
      end
    end
    parts[#parts + 1] = part
  until not accept(state, "|")
  local all = #parts == 1 and parts[1] or { kind = "union", parts = parts }
  return accept(state, "%?") and { kind = "optional", of = all } or all
end

-- The type that a text begins with, and what stands behind it, which must not look as if it were
-- part of the type.
local function parse_type(text)
  local state = { text = text, at = 1 }
  local type_of = parse_union(state)
  local rest = text:sub(state.at)
  if rest ~= "" and not rest:find "^%s" or rest:find "^%s+[|?<,:%[]" then
    fail(state, "the end of the type")
  end
  return type_of, rest:match "^%s*(.-)%s*$"
end

-- Calls f(name) for every name in a type.
function luacats.each_name(type_of, f)
  if type_of.kind == "name" then f(type_of.name) end
  if type_of.of then luacats.each_name(type_of.of, f) end
  for _, list in ipairs { type_of.parts or {}, type_of.returns or {}, type_of.arguments or {} } do
    for _, one in ipairs(list) do luacats.each_name(one, f) end
  end
  for _, list in ipairs { type_of.params or {}, type_of.fields or {} } do
    for _, one in ipairs(list) do
      luacats.each_name(one.type, f)
      if type(one.key) == "table" then luacats.each_name(one.key, f) end
    end
  end
end

-- --- lines --------------------------------------------------------------------------------------

local Reader = {}
Reader.__index = Reader

local READ = {}

function READ.meta(self, rest)
  assert(self.number == 1 and rest:match "^[%w_]+$", "meta stands alone in the first line")
end

function READ.alias(self, rest)
  local name, given = rest:match "^([%w_.]+) (.+)$"
  local type_of, behind = parse_type(given)
  assert(behind == "", "something stands behind the type")
  assert(not self.aliases[name], "the second alias of this name")
  self.aliases[name] = type_of
end

function READ.class(self, rest)
  local name, parent = rest:match "^([%w_.]+)$", nil
  if not name then name, parent = rest:match "^([%w_.]+): ([%w_.]+)$" end
  assert(name, "expected the name of a class")
  assert(not self.classes[name], "the second class of this name")
  self.class = { parent = parent, fields = {}, methods = {} }
  self.classes[name] = self.class
end

function READ.field(self, rest)
  assert(self.class and not self.class.variable, "a field stands below its class")
  local name, optional, given = rest:match "^([%a_][%w_]*)(%??) (.+)$"
  if not name then name, optional, given = rest:match "^(%[integer%])() (.+)$" end
  assert(name and not self.class.fields[name], "expected the name of another field")
  self.class.fields[name] = { type = parse_type(given), optional = optional == "?" }
end

function READ.operator(self, rest)
  assert(rest == "len: integer" and self.class, "the only operator is the length")
end

function READ.param(self, rest)
  local name, optional, given = rest:match "^([%a_][%w_]*)(%??) (.+)$"
  local type_of, behind = parse_type(assert(given, "expected a parameter"))
  assert(behind == "", "something stands behind the type")
  table.insert(self.params, { name = name, optional = optional == "?", type = type_of })
end

function READ.returns(self, rest)
  local type_of, behind = parse_type(rest)
  assert(behind == "" or behind:match "^# .", "expected a remark behind #")
  table.insert(self.results, type_of)
end
READ["return"] = READ.returns

function READ.overload(self, rest)
  local type_of, behind = parse_type(rest)
  assert(type_of.kind == "fun" and behind == "", "an overload is a function")
  table.insert(self.overloads, type_of)
end

local function begin_function(self) self.params, self.results, self.overloads = {}, {}, {} end

function Reader:define(owner, name, names)
  local class = assert(self.variables[owner], "there is no " .. owner)
  assert(not class.methods[name], "the second one of this name")
  local list = {}
  for i, param in ipairs(self.params) do list[i] = param.name end
  assert(table.concat(list, ", ") == names, "the parameters have other names, or another order")
  class.methods[name] = { params = self.params, returns = self.results,
    overloads = self.overloads }
  begin_function(self)
end

function Reader:line(text)
  local tag, rest = text:match "^%-%-%-@(%w+) ?(.*)$"
  if tag then return assert(READ[tag], "unknown annotation @" .. tag)(self, rest) end
  if text:match "^%-%-" or text == "" or text == "return orrery" then return end
  local variable = text:match "^local ([%w_]+) = {}$"
  if variable then
    self.class.variable, self.variables[variable] = variable, self.class
    return begin_function(self)
  end
  local owner, name, names = text:match "^function ([%w_]+)[.:]([%w_]+)%((.*)%) end$"
  assert(owner, "neither an annotation nor a definition")
  self:define(owner, name, names)
end

function luacats.read(text)
  local reader = setmetatable({ aliases = {}, classes = {}, variables = {}, number = 0 }, Reader)
  begin_function(reader)
  for line in text:gmatch "([^\n]*)\n" do
    reader.number = reader.number + 1
    local ok, problem = pcall(reader.line, reader, line)
    if not ok then error(("line %d: %s: %s"):format(reader.number, problem, line), 0) end
  end
  return reader
end

return luacats
