-- closures: Lua values as text, so that a policy given at the prompt can run in other states.
--
-- encode(value, globals) writes nil, booleans, numbers, strings, plain tables and Lua functions
-- with what they read: their upvalues, and those globals of the table `globals` that their code
-- names. Functions of Lua's own libraries go by name. It returns the text, or nil and the reason:
-- the variable that cannot be copied and what it is.
--
-- decode(text, environment, libraries) makes the value again. Functions get `environment` as their
-- globals; the second result is the table of globals that came along.

local closures = {}

-- Lua's functions and libraries that a policy sees; sandbox.lua makes its copies of them.
local LIBRARIES = { "math", "string", "table", "utf8" }
local PLAIN = {
  "assert", "error", "getmetatable", "ipairs", "next", "pairs", "pcall", "print", "rawequal",
  "rawget", "rawlen", "rawset", "select", "setmetatable", "tonumber", "tostring", "type", "xpcall",
}
closures.plain_functions, closures.libraries = PLAIN, LIBRARIES

-- The library functions that policies see; some Lua builds lack those in the last line of math.
closures.library_names = {
  math = { "abs", "acos", "asin", "atan", "ceil", "cos", "deg", "exp", "floor", "fmod", "huge",
    "log", "max", "maxinteger", "min", "mininteger", "modf", "pi", "rad", "random", "sin", "sqrt",
    "tan", "tointeger", "type", "ult",
    "cosh", "frexp", "ldexp", "log10", "pow", "sinh", "tanh" },
  string = { "byte", "char", "find", "format", "gmatch", "gsub", "len", "lower", "match", "pack",
    "packsize", "rep", "reverse", "sub", "unpack", "upper" },
  table = { "concat", "insert", "move", "pack", "remove", "sort", "unpack" },
  utf8 = { "char", "charpattern", "codepoint", "codes", "len", "offset" },
}

-- Globals that no policy sees.
closures.forbidden = { "_G", "os", "io", "debug", "package", "coroutine", "require", "load",
  "loadfile", "dofile", "collectgarbage", "warn", "_VERSION", "arg" }

-- The names, like "math.floor", of the functions that every state has; also of the libraries.
local function library_names(globals)
  local names = {}
  for _, name in ipairs(PLAIN) do
    if globals[name] ~= nil then names[globals[name]] = name end
  end
  for _, library in ipairs(LIBRARIES) do
    local functions = globals[library]
    if type(functions) == "table" then
      names[functions] = library
      for _, name in ipairs(closures.library_names[library]) do
        local value = functions[name]
        if type(value) == "function" then names[value] = library .. "." .. name end
      end
    end
  end
  return names
end

local Encoder = {}
Encoder.__index = Encoder

function Encoder:put(format, ...)
  self[#self + 1] = string.pack("<" .. format, ...)
end

local function refuse(path, why)
  local reason = ("%s, which cannot be copied (%s)"):format(path, why)
  error(setmetatable({ reason = reason }, Encoder), 0)
end

-- Numbers first, then texts, so that the copy is made in the same order in every process: how much
-- room a table has depends on it.
local function keys_in_order(value)
  local numbers, texts, others = {}, {}, {}
  for key in next, value do
    local kind = type(key)
    local list = kind == "number" and numbers or kind == "string" and texts or others
    list[#list + 1] = key
  end
  table.sort(numbers)
  table.sort(texts)
  table.move(texts, 1, #texts, #numbers + 1, numbers)
  return table.move(others, 1, #others, #numbers + 1, numbers)
end

function Encoder:table(value, path)
  if getmetatable(value) ~= nil then refuse(path, "a table with a metatable") end
  local keys = keys_in_order(value)
  self:put("c1J", "T", #keys)
  for _, key in ipairs(keys) do
    local at = type(key) == "string" and path .. "." .. key or path .. "[" .. tostring(key) .. "]"
    self:value(key, at)
    self:value(value[key], at)
  end
end

-- Whether the string is a constant of the code: dumped code has its type (short or long string),
-- its size plus one, with the top bit on the last byte of the size, and its bytes.
local function has_constant(code, text)
  local size = #text + 1
  local kind = #text <= 40 and "\x04" or "\x14"
  local high = size > 127 and string.char(size >> 7) or ""
  return code:find(kind .. high .. string.char(size & 127 | 128) .. text, 1, true) ~= nil
end

-- Globals that the code may read: a global is read by its name, which is a constant of the code;
-- but so is a field's. In order of their names, so that the first that cannot be copied is always
-- the same.
function Encoder:note_globals(code)
  local names = {}
  for name, value in next, self.globals do
    if type(name) == "string" and not self.wanted[name] and not self.known[value]
      and has_constant(code, name) then
      names[#names + 1] = name
    end
  end
  table.sort(names)
  for _, name in ipairs(names) do
    self.wanted[name] = true
    self.queue[#self.queue + 1] = name
  end
end

function Encoder:code(value, path)
  if debug.getinfo(value, "S").what == "C" then refuse(path, "a C function") end
  local code = string.dump(value)
  self:note_globals(string.dump(value, true))
  local count = debug.getinfo(value, "u").nups
  self:put("c1s4I1", "F", code, count)
  for i = 1, count do
    local name, upvalue = debug.getupvalue(value, i)
    if name == "_ENV" then
      self:put("c1", "E")
    else
      self:value(upvalue, name == "?" and path or name)
    end
  end
end

function Encoder:value(value, path)
  local kind = type(value)
  if kind == "nil" then
    self:put("c1", "n")
  elseif kind == "boolean" then
    self:put("c1", value and "t" or "f")
  elseif math.type(value) == "integer" then
    self:put("c1j", "i", value)
  elseif kind == "number" then
    self:put("c1n", "d", value)
  elseif kind == "string" then
    self:put("c1s4", "s", value)
  elseif self.known[value] then
    self:put("c1s1", "G", self.known[value])
  elseif self.seen[value] then
    self:put("c1J", "R", self.seen[value])
  elseif kind == "table" or kind == "function" then
    self.count = self.count + 1
    self.seen[value] = self.count
    if kind == "table" then self:table(value, path) else self:code(value, path) end
  else
    refuse(path, kind == "userdata" and self.describe(value) or kind)
  end
end

-- A short description of a userdata.
function Encoder.describe(value)
  local text = tostring(value)
  return #text <= 40 and text or text:sub(1, 40):gsub("%s+%S*$", "") .. " ..."
end

function closures.encode(value, globals, path)
  local encoder = setmetatable({
    globals = globals, known = library_names(globals), seen = {}, count = 0,
    wanted = {}, queue = {},
  }, Encoder)
  for _, name in ipairs(closures.forbidden) do encoder.wanted[name] = true end
  local ok, problem = pcall(function()
    encoder:value(value, path or "it")
    local at = 1
    while encoder.queue[at] do -- encoding a global may find more of them
      local name = encoder.queue[at]
      encoder:put("c1s1", "V", name)
      encoder:value(globals[name], name)
      at = at + 1
    end
    encoder:put("c1", ".")
  end)
  if ok then return table.concat(encoder) end
  if getmetatable(problem) == Encoder then return nil, problem.reason end
  error(problem, 0)
end

local Decoder = {}
Decoder.__index = Decoder

-- Reads one or two items; the position that string.unpack returns last is kept.
function Decoder:take(format)
  local first, second, third = string.unpack("<" .. format, self.text, self.at)
  self.at = third or second
  return first, second
end

function Decoder:remember(value)
  self.made[#self.made + 1] = value
  return value
end

function Decoder:table()
  local value = self:remember({})
  for _ = 1, (self:take("J")) do
    local key = self:value()
    value[key] = self:value()
  end
  return value
end

function Decoder:code()
  local code, count = self:take("s4I1")
  local value = self:remember(assert(load(code, "=policy", "b", self.environment)))
  for i = 1, count do
    debug.setupvalue(value, i, self:value())
  end
  return value
end

function Decoder:library()
  local value = self.libraries
  for part in (self:take("s1")):gmatch("[^.]+") do value = value[part] end
  return value
end

function Decoder:value()
  local tag = self:take("c1")
  if tag == "n" then return nil end
  if tag == "t" then return true end
  if tag == "f" then return false end
  if tag == "i" then return (self:take("j")) end
  if tag == "d" then return (self:take("n")) end
  if tag == "s" then return (self:take("s4")) end
  if tag == "G" then return self:library() end
  if tag == "R" then return self.made[(self:take("J"))] end
  if tag == "E" then return self.environment end
  if tag == "T" then return self:table() end
  if tag == "F" then return self:code() end
  error("damaged text")
end

function closures.decode(text, environment, libraries)
  local decoder = setmetatable({
    text = text, at = 1, environment = environment, libraries = libraries, made = {},
  }, Decoder)
  local value = decoder:value()
  local globals = {}
  while decoder:take("c1") == "V" do
    local name = decoder:take("s1")
    globals[name] = decoder:value()
  end
  return value, globals
end

return closures
