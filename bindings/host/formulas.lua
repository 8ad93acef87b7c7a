-- formulas: a priority's function as the steps of a formula (rigid/queue/formula.h in the kernel),
-- which the kernel computes for all waiting jobs at once.
--
-- translate(f, rules) reads the bytecode of `f` and follows it with values that are not known yet:
-- a job, a view, and numbers that are steps of the formula. A condition on such a number splits the
-- way in two. What follows is not known where the function does something else than arithmetic
-- (calls a function that draws or fails, makes a table, loops for long): that way ends in NaN, at
-- which the kernel asks the function itself. So nothing has to be known of the names of functions,
-- and a function that cannot be followed at all has no formula (nil). Rules:
--   environment   the globals of policies, whose libraries nobody can change
--   is_sealed     whether a value is one of those libraries
--   math          the policies' library math
-- The formula is { steps = { { op, a, b, c, number =, integer =, text = }, ... },
--   places = { { of =, under =, key =, f =, upvalue = }, ... },
--   outside = { { as =, of =, place = }, ... }, guards = { { place =, value = }, ... },
--   work = no call of the function that the formula stands for has more instructions }
-- where steps count from 0. Places are where something is looked up at every decision: an upvalue
-- of a function, sim.state, or a field of a table in an earlier place; the key `true` stands for
-- the job's label. Guards say what must not have changed.
local formulas = {}

local MOST_STEPS, MOST_OUTSIDE, MOST_PLACES = 256, 32, 32
local MOST_WAYS, MOST_WORK, MOST_DEPTH = 64, 20000, 20
local EXACT = 1 << 53 -- up to here a float holds every integer

-- --- bytecode -----------------------------------------------------------------------------------

local HEADER = "\x1bLua\x54\x00\x19\x93\r\n\x1a\n\x04\x08\x08" .. string.pack("<i8d", 0x5678, 370.5)

-- Whatever of the dump is read, from the front.
local Reader = {}
Reader.__index = Reader

function Reader:unpack(format)
  local value
  value, self.at = string.unpack("<" .. format, self.text, self.at)
  return value
end

function Reader:size() -- seven bits at a time, the last with the top bit
  local size = 0
  repeat
    local byte = self:unpack "B"
    size = size << 7 | byte & 127
  until byte >= 128
  return size
end

function Reader:string()
  local size = self:size()
  return size > 0 and self:unpack("c" .. size - 1) or nil
end

local CONSTANTS = {
  [0] = function() return nil end,
  [1] = function() return false end,
  [17] = function() return true end,
  [3] = function(reader) return reader:unpack "i8" end,
  [19] = function(reader) return reader:unpack "d" end,
  [4] = Reader.string, [20] = Reader.string,
}

-- Reads the dump of a function: its code, constants and number of parameters. nil: it takes any
-- number of arguments, or the dump does not have the format of the supported Lua version.
local function read_code(f)
  local text = string.dump(f, true)
  if text:sub(1, #HEADER) ~= HEADER then return nil end
  local reader = setmetatable({ text = text, at = #HEADER + 2 }, Reader) -- behind the upvalues
  reader:string()
  reader:size()
  reader:size()
  local code = { params = reader:unpack "B", constants = {} }
  if reader:unpack "B" ~= 0 then return nil end -- takes any number of arguments
  reader:unpack "B"
  for i = 0, reader:size() - 1 do code[i] = reader:unpack "I4" end
  for i = 0, reader:size() - 1 do
    local constant = CONSTANTS[reader:unpack "B"]
    if not constant then return nil end
    code.constants[i] = { v = constant(reader), is_constant = true }
  end
  return code
end

-- --- steps --------------------------------------------------------------------------------------

-- The steps of one formula; equal ones are one. Numbers of steps count from 0.
local Steps = {}
Steps.__index = Steps

local UNKNOWN = setmetatable({}, { __name = "a way that cannot be followed" })

local function give_up() error(UNKNOWN, 0) end

function Steps:add(op, a, b, c, more)
  local parts = { op, a or "", b or "", c or "" }
  for _, key in ipairs { "number", "integer", "text" } do
    local value = more and more[key]
    parts[#parts + 1] = math.type(value) == "float" and string.pack("d", value) or value or ""
  end
  local key = table.concat(parts, "\0")
  if not self.known[key] then
    local step = { op = op, a = a, b = b, c = c }
    for name, value in pairs(more or {}) do step[name] = value end
    self.count = self.count + 1
    if self.count > 4 * MOST_STEPS then error("too large", 0) end
    self.known[key], self.list[self.count] = self.count, step
  end
  return self.known[key]
end

function Steps:constant(value)
  if math.type(value) == "integer" then
    return self:add("I_CONSTANT", nil, nil, nil, { integer = value })
  end
  return self:add("F_CONSTANT", nil, nil, nil, { number = value })
end

-- A value that is not a constant: of type "F" or "I", a step.
local function number(kind, step) return { kind = kind, step = step } end
local function constant(v) return { v = v, is_constant = true } end

local function kind_of(value)
  if value.kind then return value.kind end
  local kind = value.is_constant and math.type(value.v)
  return kind == "integer" and "I" or kind == "float" and "F" or give_up()
end

function Steps:step_of(value) return value.step or self:constant(value.v) end

-- The step of the number as a float, as Lua converts it for arithmetic.
function Steps:float(value)
  if kind_of(value) == "F" then return self:step_of(value) end
  if value.is_constant then return self:constant(value.v + 0.0) end
  return self:add("F_FROM_I", value.step)
end

-- --- following ----------------------------------------------------------------------------------

-- One way through the function. `frames` are the calls under way, the innermost last; `facts` the
-- conditions that were met: step -> boolean.
local Way = {}
Way.__index = Way

local function copy(t)
  local other = {}
  for key, value in pairs(t) do other[key] = value end
  return other
end

function Way:clone()
  local other = setmetatable(copy(self), getmetatable(self))
  other.frames, other.facts = {}, copy(self.facts)
  for i, frame in ipairs(self.frames) do
    other.frames[i] = copy(frame)
    other.frames[i].regs = copy(frame.regs)
  end
  return other
end

-- Whether the condition holds on this way. Where it is not known the way splits: the instruction
-- under way, which has changed nothing yet, begins again on both.
function Way:holds(step)
  local fact = self.facts[step]
  if fact == nil then error({ split = step }, 0) end
  return fact
end

-- The place that a path leads to: { of = -1 or a kind of label, under = place, key = }, or at its
-- beginning { of = -1, f =, upvalue = } or, of sim.state, { of = -1 }. Equal ones are one.
function Way:place(path)
  local list, at, name = self.places, nil, tostring(path[1])
  local first = 2
  if path[1] ~= "state" then name, first = name .. "\0" .. path[2], 3 end
  for i = first - 1, #path do
    local key = i >= first and path[i]
    local of = type(key) == "table" and key.kind or -1
    if key then
      local kind = math.type(key) or type(key)
      name = ("%s\0%s %s"):format(name, kind, of >= 0 and of or key)
    end
    if not list[name] then
      local under = at and list[at]
      if under and under.of >= 0 and of >= 0 and of ~= under.of then give_up() end
      if #list == MOST_PLACES then error("too large", 0) end
      if of < 0 and under then of = under.of end
      list[#list + 1] = { of = of, under = at, key = key and (type(key) == "table" or key) or nil,
        f = i < first and path[1] ~= "state" and path[1] or nil, upvalue = i < first and path[2] }
      list[name] = list[#list]
      list[name].number = #list
    end
    at = list[name].number
  end
  return at
end

-- The step of a value that is looked up at every decision.
function Way:outside(op, as, path)
  local place, list = self:place(path), self.outsides
  local name = as .. place
  if not list[name] then
    if #list == MOST_OUTSIDE then error("too large", 0) end
    list[#list + 1] = { as = as, of = self.places[place].of, place = place }
    list[name] = #list - 1
  end
  return self.steps:add(op, nil, nil, nil, { integer = list[name] })
end

-- A number that is looked up in sim.state; its type is not known beforehand. If it will be
-- converted to a float anyway, it is looked up as a float.
function Way:resolve(value, becomes_float)
  if not value.path then return value end
  if value.table then give_up() end
  if becomes_float then
    if not self:holds(self:outside("C_OUTSIDE", "is_number", value.path)) then give_up() end
    return number("F", self:outside("F_OUTSIDE", "number", value.path))
  end
  if self:holds(self:outside("C_OUTSIDE", "is_float", value.path)) then
    return number("F", self:outside("F_OUTSIDE", "float", value.path))
  end
  if self:holds(self:outside("C_OUTSIDE", "is_integer", value.path)) then
    return number("I", self:outside("I_OUTSIDE", "integer", value.path))
  end
  return give_up()
end

-- The value of an upvalue, or of a field of a table in it, on this way.
function Way:known(path, value)
  if math.type(value) == "float" then
    return number("F", self:outside("F_OUTSIDE", "only_float", path))
  elseif math.type(value) == "integer" then
    return number("I", self:outside("I_OUTSIDE", "only_integer", path))
  elseif type(value) == "table" and not self.rules.is_sealed(value) then
    if debug.getmetatable(value) ~= nil then give_up() end
    return { table = value, path = path }
  end
  local place = self:place(path)
  if not self.guards[-place] then
    self.guards[#self.guards + 1] = { place = place, value = value }
    self.guards[-place] = true
  end
  return constant(value)
end

function Way:upvalue(frame, index)
  local _, value = debug.getupvalue(frame.f, index + 1)
  return self:known({ frame.f, index + 1 }, value)
end

local LABELS = { user = 0, queue = 1, partition = 2, account = 4, qos = 5 } -- kernel's numbers
local OF_JOB = { submit = "F_SUBMIT", time = "F_TIME", area = "F_AREA", procs = "I_PROCS",
  position = "I_POSITION" }
local OF_VIEW = { now = "F_NOW", first_submit = "F_FIRST_SUBMIT", procs = "I_GROUP_PROCS",
  free = "I_FREE", down = "I_DOWN", waiting_count = "I_WAITING_COUNT",
  running_count = "I_RUNNING_COUNT" }
local IS_SMALL = { I_PROCS = true, I_POSITION = true } -- no larger than EXACT
for _, op in pairs(OF_VIEW) do IS_SMALL[op] = true end
local JOB, VIEW = { is_job = true }, { is_view = true }

function Way:index(object, key)
  if object.is_job or object.is_view then
    local name = key.is_constant and key.v
    local op = (object.is_job and OF_JOB or OF_VIEW)[name]
    if op then return number(op:sub(1, 1), self.steps:add(op)) end
    if object.is_view and name == "state" then return { path = { "state" } } end
    local kind = object.is_job and LABELS[name] or give_up()
    local has = self.steps:add("C_HAS_LABEL", nil, nil, nil, { integer = kind })
    return self:holds(has) and { label = kind } or constant(nil)
  end
  if object.path then
    local name = key.is_constant and key.v
    if key.label then name = { kind = key.label } end
    if object.table then
      if type(name) ~= "string" and math.type(name) ~= "integer" then give_up() end
      local path = table.move(object.path, 1, #object.path, 1, {})
      path[#path + 1] = name
      return self:known(path, rawget(object.table, name))
    end
    local is_key = type(name) == "string" or type(name) == "table" or math.type(name) == "integer"
    local is_table = #object.path == 1
      or self:holds(self:outside("C_OUTSIDE", "is_table", object.path))
    if not is_key or not is_table then give_up() end
    local path = table.move(object.path, 1, #object.path, 1, {})
    path[#path + 1] = name
    return { path = path }
  end
  local of = object.is_constant and object.v
  local name = key.is_constant and key.v
  if of == self.rules.environment then
    if not self.rules.is_library(name) then give_up() end
  elseif not self.rules.is_sealed(of) then
    give_up()
  end
  return constant(of[name])
end

-- --- arithmetic and comparisons -----------------------------------------------------------------

local FOLD = {
  ADD = function(a, b) return a + b end, SUB = function(a, b) return a - b end,
  MUL = function(a, b) return a * b end, DIV = function(a, b) return a / b end,
  MOD = function(a, b) return a % b end, POW = function(a, b) return a ^ b end,
  FLOOR_DIV = function(a, b) return a // b end,
}
local ONLY_FLOATS = { DIV = true, POW = true }

function Way:arithmetic(op, a, b)
  local floats = ONLY_FLOATS[op]
  a = self:resolve(a, floats or not b.path and kind_of(b) == "F")
  b = self:resolve(b, floats or kind_of(a) == "F")
  local steps, kind_a, kind_b = self.steps, kind_of(a), kind_of(b)
  if a.is_constant and b.is_constant then
    local ok, value = pcall(FOLD[op], a.v, b.v)
    return ok and constant(value) or give_up()
  end
  if floats or kind_a == "F" or kind_b == "F" then
    return number("F", steps:add("F_" .. op, steps:float(a), steps:float(b)))
  end
  local x, y = steps:step_of(a), steps:step_of(b)
  if (op == "FLOOR_DIV" or op == "MOD") and not (b.is_constant and b.v ~= 0) then
    if b.is_constant or self:holds(steps:add("C_EQ_I", y, steps:constant(0))) then give_up() end
  end
  return number("I", steps:add("I_" .. op, x, y))
end

function Way:negative(a)
  a = self:resolve(a)
  local kind = kind_of(a)
  if a.is_constant then return constant(-a.v) end
  return number(kind, self.steps:add(kind .. "_NEG", a.step))
end

-- The step of the number as a float, for a comparison: only where nothing is rounded.
function Way:exact_float(value)
  if kind_of(value) == "F" then return self.steps:step_of(value) end
  if value.is_constant then
    if value.v < -EXACT or value.v > EXACT then give_up() end
  else
    local steps = self.steps
    local function is_within(a, b) return self:holds(steps:add("C_LE_I", a, b)) end
    local low, high = steps:constant(-EXACT), steps:constant(EXACT)
    if not IS_SMALL[steps.list[value.step].op]
      and not (is_within(low, value.step) and is_within(value.step, high)) then
      give_up()
    end
  end
  return self.steps:float(value)
end

local COMPARE = {
  LT = function(a, b) return a < b end, LE = function(a, b) return a <= b end,
  EQ = function(a, b) return a == b end,
}

-- Two numbers compared: true, false, or the step of the condition.
function Way:comparison(op, a, b)
  local kind_a, kind_b = kind_of(a), kind_of(b)
  if a.is_constant and b.is_constant then return COMPARE[op](a.v, b.v) end
  if kind_a == "I" and kind_b == "I" then
    return self.steps:add(("C_%s_I"):format(op), self.steps:step_of(a), self.steps:step_of(b))
  end
  return self.steps:add(("C_%s_F"):format(op), self:exact_float(a), self:exact_float(b))
end

function Way:compares(op, a, b)
  local result = self:comparison(op, self:resolve(a), self:resolve(b))
  if type(result) == "boolean" then return result end
  return self:holds(result)
end

local SIMPLE = { ["nil"] = true, boolean = true, number = true, string = true }

function Way:equals(a, b)
  if a.table or b.table then give_up() end
  if b.label or b.path and not a.path then a, b = b, a end
  if a.is_constant and b.is_constant then
    if not SIMPLE[type(a.v)] or not SIMPLE[type(b.v)] then give_up() end
    return a.v == b.v
  end
  if a.label then
    if not b.is_constant then give_up() end
    if type(b.v) ~= "string" or b.v:find "\0" then return false end
    local more = { integer = a.label, text = b.v }
    return self:holds(self.steps:add("C_LABEL_IS", nil, nil, nil, more))
  end
  if a.path then
    if b.is_constant and b.v == nil then
      return self:holds(self:outside("C_OUTSIDE", "is_nil", a.path))
    end
    if not (b.kind or b.is_constant and type(b.v) == "number") then give_up() end
    a = self:resolve(a)
  end
  if a.is_constant then a, b = b, a end
  if a.kind and b.is_constant and type(b.v) ~= "number" then
    return SIMPLE[type(b.v)] and false or give_up()
  end
  return self:compares("EQ", a, b)
end

function Way:truth(value)
  if value.is_constant then return not not value.v end
  if value.path and not value.table then
    return self:holds(self:outside("C_OUTSIDE", "is_true", value.path))
  end
  return true
end

-- --- functions ----------------------------------------------------------------------------------

local OF_FLOAT = { sqrt = "F_SQRT", exp = "F_EXP", sin = "F_SIN", cos = "F_COS", tan = "F_TAN" }

-- One that rounds: an integer where there is one.
local function rounding(op)
  return function(way, args)
    local x = args[1]
    if kind_of(x) == "I" then return x end
    local steps = way.steps
    local y = steps:add(op, x.step)
    if way:holds(steps:add("C_LE_F", steps:constant(-0x1p63), y))
      and way:holds(steps:add("C_LT_F", y, steps:constant(0x1p63))) then
      return number("I", steps:add("I_FROM_F", y))
    end
    return number("F", y)
  end
end

-- The first of the arguments that no other stands before, by `op` of the one and the best so far.
local function best(before)
  return function(way, args)
    local found = args[1]
    for i = 2, #args do
      local condition = before(way, found, args[i])
      local kind = kind_of(found)
      if type(condition) == "boolean" then
        found = condition and args[i] or found
      elseif kind == kind_of(args[i]) then
        local steps = way.steps
        found = number(kind, steps:add(kind .. "_SELECT", condition, steps:step_of(args[i]),
          steps:step_of(found)))
      else
        found = way:holds(condition) and args[i] or found
      end
    end
    return found
  end
end

local FUNCTIONS = {
  floor = rounding "F_FLOOR", ceil = rounding "F_CEIL",
  max = best(function(way, a, b) return way:comparison("LT", a, b) end),
  min = best(function(way, a, b) return way:comparison("LT", b, a) end),
  abs = function(way, args)
    local kind = kind_of(args[1])
    return number(kind, way.steps:add(kind .. "_ABS", args[1].step))
  end,
  log = function(way, args)
    local steps, base = way.steps, args[2]
    local x = steps:float(args[1])
    if base and not base.is_constant then give_up() end
    if not base or base.v == nil then return number("F", steps:add("F_LOG", x)) end
    if type(base.v) ~= "number" then give_up() end
    if base.v == 2 then return number("F", steps:add("F_LOG2", x)) end
    if base.v == 10 then return number("F", steps:add("F_LOG10", x)) end
    local divisor = steps:constant(math.log(base.v))
    return number("F", steps:add("F_DIV", steps:add("F_LOG", x), divisor))
  end,
}
for name, op in pairs(OF_FLOAT) do
  FUNCTIONS[name] = function(way, args)
    return number("F", way.steps:add(op, way.steps:float(args[1])))
  end
end

-- A function of the library, of numbers; the result is one, too.
function Way:call_library(name, f, given)
  local args, all = {}, true
  for i, value in ipairs(given) do
    args[i] = self:resolve(value)
    local is_base = name == "log" and i == 2 and args[i].is_constant
    if not is_base then kind_of(args[i]) end
    all = all and args[i].is_constant
  end
  if not args[1] then give_up() end
  if all then
    local values = {}
    for i, value in ipairs(args) do values[i] = value.v end
    local ok, value = pcall(f, table.unpack(values, 1, #args))
    return ok and type(value) == "number" and constant(value) or give_up()
  end
  if FUNCTIONS[name] == nil then give_up() end
  return FUNCTIONS[name](self, args)
end

-- Lets the innermost frame, or the function, return these values.
function Way:leave(values)
  local frame = table.remove(self.frames)
  local caller = self.frames[#self.frames]
  if not caller then
    self.result = values[1] or constant(nil)
    return
  end
  local wanted = frame.wanted < 0 and #values or frame.wanted
  for i = 1, wanted do caller.regs[frame.to + i - 1] = values[i] or constant(nil) end
  caller.top = frame.to + wanted
end

function Way:call(f, args, to, wanted, is_tail)
  if not f.is_constant or type(f.v) ~= "function" then give_up() end
  local name = self.rules.names[f.v]
  if name then
    local value = self:call_library(name, f.v, args)
    if is_tail then return self:leave { value } end
    local frame = self.frames[#self.frames]
    frame.pc = frame.pc + 1
    for i = 0, wanted - 1 do frame.regs[to + i] = i == 0 and value or constant(nil) end
    if wanted < 0 then frame.regs[to] = value end
    frame.top = to + 1
    return
  end
  local code = debug.getinfo(f.v, "S").what ~= "C" and self:code_of(f.v) or give_up()
  if #self.frames >= MOST_DEPTH then give_up() end
  local frame = { f = f.v, code = code, pc = 0, regs = {}, to = to, wanted = wanted }
  local caller = self.frames[#self.frames]
  if is_tail then
    table.remove(self.frames)
    frame.to, frame.wanted = caller.to, caller.wanted
  elseif caller then
    caller.pc = caller.pc + 1
  end
  for i = 1, code.params do frame.regs[i - 1] = args[i] or constant(nil) end
  self.frames[#self.frames + 1] = frame
end

function Way:code_of(f)
  if self.codes[f] == nil then self.codes[f] = read_code(f) or false end
  return self.codes[f] or nil
end

-- --- instructions -------------------------------------------------------------------------------

-- Of an instruction: A, B, C, k, and the constants that are in it.
local function fields(i)
  return i >> 7 & 255, i >> 16 & 255, i >> 24 & 255, i >> 15 & 1 == 1
end

-- The next instruction is a jump, taken where the condition is as wanted, and else left out.
local function jump(frame, taken)
  if taken then
    frame.pc = frame.pc + 2 + (frame.code[frame.pc + 1] >> 7) - 16777215
  else
    frame.pc = frame.pc + 2
  end
end

local RUN = {} -- opcode -> function(way, frame, instruction)
Way.RUN = RUN

local function moves(value_of)
  return function(way, frame, i)
    local a, b, c = fields(i)
    local value = value_of(way, frame, i, b, c)
    frame.regs[a], frame.pc = value, frame.pc + 1
  end
end

RUN[0] = moves(function(_, frame, _, b) return frame.regs[b] end)                      -- MOVE
RUN[1] = moves(function(_, _, i) return constant((i >> 15) - 65535) end)               -- LOADI
RUN[2] = moves(function(_, _, i) return constant((i >> 15) - 65535 + 0.0) end)         -- LOADF
RUN[3] = moves(function(_, frame, i) return frame.code.constants[i >> 15] end)         -- LOADK
RUN[5] = moves(function() return constant(false) end)                                  -- LOADFALSE
RUN[7] = moves(function() return constant(true) end)                                   -- LOADTRUE
RUN[6] = function(_, frame, i)                                                         -- LFALSESKIP
  frame.regs[fields(i)], frame.pc = constant(false), frame.pc + 2
end
RUN[8] = function(_, frame, i)                                                         -- LOADNIL
  local a, b = fields(i)
  for at = a, a + b do frame.regs[at] = constant(nil) end
  frame.pc = frame.pc + 1
end
RUN[9] = moves(function(way, frame, _, b) return way:upvalue(frame, b) end)            -- GETUPVAL
RUN[11] = moves(function(way, frame, _, b, c)                                          -- GETTABUP
  return way:index(way:upvalue(frame, b), frame.code.constants[c])
end)
RUN[12] = moves(function(way, frame, _, b, c)                                          -- GETTABLE
  return way:index(frame.regs[b], frame.regs[c])
end)
RUN[13] = moves(function(way, frame, _, b, c)                                          -- GETI
  return way:index(frame.regs[b], constant(c))
end)
RUN[14] = moves(function(way, frame, _, b, c)                                          -- GETFIELD
  return way:index(frame.regs[b], frame.code.constants[c])
end)

-- Arithmetic leaves out the instruction behind it, which is for metamethods.
local function computes(op, second)
  return function(way, frame, i)
    local a, b, c = fields(i)
    local value = way:arithmetic(op, frame.regs[b], second(frame, c))
    frame.regs[a], frame.pc = value, frame.pc + 2
  end
end

local function of_register(frame, c) return frame.regs[c] end
local function of_constant(frame, c) return frame.code.constants[c] end

RUN[21] = computes("ADD", function(_, c) return constant(c - 127) end)                 -- ADDI
for i, op in ipairs { "ADD", "SUB", "MUL", "MOD", "POW", "DIV", "FLOOR_DIV" } do
  RUN[21 + i], RUN[33 + i] = computes(op, of_constant), computes(op, of_register)
end
RUN[49] = moves(function(way, frame, _, b) return way:negative(frame.regs[b]) end)     -- UNM
RUN[51] = moves(function(way, frame, _, b)                                             -- NOT
  return constant(not way:truth(frame.regs[b]))
end)
RUN[56] = function(_, frame, i) frame.pc = frame.pc + 1 + (i >> 7) - 16777215 end      -- JMP

local function decides(holds)
  return function(way, frame, i)
    local a, b, _, k = fields(i)
    jump(frame, holds(way, frame, frame.regs[a], b) == k)
  end
end

RUN[57] = decides(function(way, frame, x, b) return way:equals(x, frame.regs[b]) end)  -- EQ
RUN[58] = decides(function(way, frame, x, b) return way:compares("LT", x, frame.regs[b]) end)
RUN[59] = decides(function(way, frame, x, b) return way:compares("LE", x, frame.regs[b]) end)
RUN[60] = decides(function(way, frame, x, b) return way:equals(x, frame.code.constants[b]) end)
RUN[61] = decides(function(way, _, x, b) return way:equals(x, constant(b - 127)) end)  -- EQI
RUN[62] = decides(function(way, _, x, b) return way:compares("LT", x, constant(b - 127)) end)
RUN[63] = decides(function(way, _, x, b) return way:compares("LE", x, constant(b - 127)) end)
RUN[64] = decides(function(way, _, x, b) return way:compares("LT", constant(b - 127), x) end)
RUN[65] = decides(function(way, _, x, b) return way:compares("LE", constant(b - 127), x) end)
RUN[66] = decides(function(way, _, x) return way:truth(x) end)                         -- TEST
RUN[67] = function(way, frame, i)                                                      -- TESTSET
  local a, b, _, k = fields(i)
  local taken = way:truth(frame.regs[b]) == k
  if taken then frame.regs[a] = frame.regs[b] end
  jump(frame, taken)
end

local function arguments(frame, from, b)
  local args = {}
  for at = from, b > 0 and from + b - 2 or frame.top - 1 do args[#args + 1] = frame.regs[at] end
  return args
end

RUN[68] = function(way, frame, i)                                                      -- CALL
  local a, b, c = fields(i)
  way:call(frame.regs[a], arguments(frame, a + 1, b), a, c - 1)
end
RUN[69] = function(way, frame, i)                                                      -- TAILCALL
  local a, b = fields(i)
  way:call(frame.regs[a], arguments(frame, a + 1, b), a, -1, true)
end
RUN[70] = function(way, frame, i)                                                      -- RETURN
  local a, b = fields(i)
  way:leave(arguments(frame, a, b))
end
RUN[71] = function(way) way:leave {} end                                               -- RETURN0
RUN[72] = function(way, frame, i) way:leave { frame.regs[fields(i)] } end              -- RETURN1

-- Goes on to the end of the way; an error { split = condition } where it splits.
function Way:go()
  while not self.result do
    local frame = self.frames[#self.frames]
    local i = frame.code[frame.pc]
    self.work.left = self.work.left - 1
    if self.work.left < 0 then error("too large", 0) end
    local run = i and self.RUN[i & 127] or give_up()
    run(self, frame, i)
  end
end

function Way:follow()
  self:go()
  self.result = self:resolve(self.result, true)
  return self.steps:float(self.result)
end

-- The step of the result of this way and of those into which it splits.
local function result_of(way)
  local ok, found = pcall(way.follow, way)
  if ok then return found end
  if rawequal(found, UNKNOWN) then
    way.work.unknown = true
    return way.steps:constant(0.0 / 0.0)
  end
  if type(found) ~= "table" then error(found, 0) end
  way.work.ways = way.work.ways + 1
  if way.work.ways > MOST_WAYS then error("too large", 0) end
  local results = {}
  for i, holds in ipairs { true, false } do
    local part = way:clone()
    part.facts[found.split] = holds
    results[i] = result_of(part)
  end
  if results[1] == results[2] then return results[1] end
  return way.steps:add("F_SELECT", found.split, results[1], results[2])
end

-- --- the formula --------------------------------------------------------------------------------

-- The steps that the last one needs, numbered from 0.
local function pick(list, last)
  local wanted, place, picked = { [last] = true }, {}, {}
  for i = last, 1, -1 do
    local step = list[i]
    if wanted[i] then
      for _, operand in ipairs { "a", "b", "c" } do
        if step[operand] then wanted[step[operand]] = true end
      end
    end
  end
  for i = 1, last do
    if wanted[i] then
      local step = list[i]
      place[i] = #picked
      picked[#picked + 1] = { op = step.op, a = place[step.a], b = place[step.b],
        c = place[step.c], number = step.number, integer = step.integer, text = step.text }
    end
  end
  return picked
end

local function translate(f, rules)
  local steps = setmetatable({ known = {}, list = {}, count = 0 }, Steps)
  local way = setmetatable({
    frames = {}, facts = {}, steps = steps, rules = rules, outsides = {}, places = {}, guards = {},
    codes = {},
    work = { left = MOST_WORK, ways = 1 },
  }, Way)
  way:call(constant(f), { JOB, VIEW })
  local last = result_of(way)
  local picked = pick(steps.list, last)
  if #picked > MOST_STEPS or picked[#picked].number ~= picked[#picked].number then return nil end
  return { steps = picked, places = way.places, outside = way.outsides, guards = way.guards,
    work = MOST_WORK - way.work.left }
end

-- nil where the function cannot be followed.
function formulas.translate(f, rules)
  if not rules.names then
    rules.names = {}
    for _, name in ipairs { "floor", "ceil", "max", "min", "abs", "log", "sqrt", "exp", "sin",
      "cos", "tan" } do
      rules.names[rules.math[name]] = name
    end
  end
  local ok, formula = pcall(translate, f, rules)
  return ok and formula or nil
end

-- For hook_writes.lua, which follows functions for another purpose.
formulas.Way, formulas.MOST_WORK, formulas.MOST_WAYS = Way, MOST_WORK, MOST_WAYS
formulas.JOB, formulas.VIEW, formulas.LABELS = JOB, VIEW, LABELS
formulas.give_up, formulas.constant, formulas.fields, formulas.jump =
  give_up, constant, fields, jump

return formulas
