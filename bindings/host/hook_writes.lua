-- hook_writes: what a hook can change of sim.state, as far as it matters to a formula that looks
-- values up by labels (formulas.lua).
--
-- A hook is followed as a priority is, on every way through it, but nothing is computed: it matters
-- only under which keys it writes into tables. Most hooks write under a label of their job
-- (state[job.user] = ...), under numbers, and under constants. What the formula looks up for other
-- labels is then what it was. Nothing is assumed of the tables: a write under a key changes only
-- what is found under an equal key, whichever table it is in. Of a hook that does anything else
-- nothing is known; so it is for all hooks once the policy has set a metatable (host.c).
local formulas = require "orrery.host.formulas"

local hook_writes = {}

local constant, fields, give_up = formulas.constant, formulas.fields, formulas.give_up
local Way = formulas.Way

-- Values: constants, the job, sim, and
local ANY = {}                   -- anything,
local NUMBER = { number = true } -- a number or nil,
local ALWAYS = 31 -- the bit of orr_hook_writes.shares that is of no kind of label
-- { label = kind }: a label of the job or nil, { fresh = true }: a table that the hook has made,
-- which nothing else knows as long as it is not in `given`, { method = true }: a function of sim.

local Writes = setmetatable({}, { __index = Way })
Writes.__index = Writes

function Writes:clone()
  local other = Way.clone(self)
  other.given = {}
  for value in pairs(self.given) do other.given[value] = true end
  return other
end

-- A condition of which nothing is known. An instruction asks for one at the most.
function Writes:either()
  local fact = self:holds(self.asked + 1)
  self.asked = self.asked + 1
  return fact
end

local NUMBERS = { procs = true, position = true, time = true, area = true, submit = true,
  start = true, planned_end = true, arrival = true, attempts = true }

function Writes:index(object, key)
  local name = key.is_constant and key.v
  if object.is_job then
    if formulas.LABELS[name] then return { label = formulas.LABELS[name] } end
    return NUMBERS[name] and NUMBER or ANY
  end
  if object.is_constant then return Way.index(self, object, key) end
  return ANY
end

function Writes:upvalue(frame, index)
  local _, value = debug.getupvalue(frame.f, index + 1)
  if type(value) ~= "function" and not self.rules.is_sealed(value) then return ANY end
  return self:known({ frame.f, index + 1 }, value)
end

function Writes.arithmetic() return NUMBER end
function Writes.negative() return NUMBER end
function Writes.compares(way) return way:either() end
function Writes.equals(way) return way:either() end
function Writes:truth(value)
  if value.is_constant then return not not value.v end
  local fact = self:either()
  if value.label and not fact then self.without = value.label end -- on this way the job has none
  return fact
end

function Writes.call_library() return NUMBER end

function Writes:call(f, args, to, wanted, is_tail)
  if not f.method then return Way.call(self, f, args, to, wanted, is_tail) end
  for _, value in ipairs(args) do self.given[value] = true end
  if is_tail then return self:leave {} end
  if wanted < 0 then give_up() end
  local frame = self.frames[#self.frames]
  for i = 0, wanted - 1 do frame.regs[to + i] = ANY end
  frame.pc = frame.pc + 1
end

-- A field of the object is set.
function Writes:write(object, key, value)
  self.given[value] = true
  if object.fresh and not self.given[object] then return end
  if object.is_job or object.is_view or object.is_constant or object.label then give_up() end
  local found = self.found
  if key.label then
    found.kinds[key.label] = true
  elseif key.is_constant and type(key.v) == "string" then
    if found.keys[key.v] then give_up() end
    if found.shared[key.v] then found.shares[self.without or ALWAYS] = true end
    if key.v ~= "" then found.texts[key.v] = true end -- no label is empty
  elseif not (key.number or key.is_constant and math.type(key.v)) or found.keys[1] then
    give_up()
  elseif found.shared[1] then
    found.shares[self.without or ALWAYS] = true
  end
end

local RUN = setmetatable({}, { __index = Way.RUN })
Writes.RUN = RUN

local function sets(key_of)
  return function(way, frame, i)
    local a, b, c, k = fields(i)
    way:write(frame.regs[a], key_of(frame, b), k and frame.code.constants[c] or frame.regs[c])
    frame.pc = frame.pc + 1
  end
end

RUN[16] = sets(function(frame, b) return frame.regs[b] end)                            -- SETTABLE
RUN[17] = sets(function(_, b) return constant(b) end)                                  -- SETI
RUN[18] = sets(function(frame, b) return frame.code.constants[b] end)                  -- SETFIELD
RUN[19] = function(_, frame, i)                                                        -- NEWTABLE
  frame.regs[fields(i)], frame.pc = { fresh = true }, frame.pc + 2
end
RUN[20] = function(_, frame, i)                                                        -- SELF
  local a, b = fields(i)
  if not frame.regs[b].is_view then give_up() end
  frame.regs[a + 1], frame.regs[a], frame.pc = frame.regs[b], { method = true }, frame.pc + 1
end
RUN[52] = function(_, frame, i)                                                        -- LEN
  frame.regs[fields(i)], frame.pc = NUMBER, frame.pc + 1
end

local function follow(way)
  local ok, found = pcall(way.go, way)
  if ok then return end
  if type(found) ~= "table" or not found.split then error(found, 0) end
  way.work.ways = way.work.ways + 1
  if way.work.ways > formulas.MOST_WAYS then error("too large", 0) end
  for _, holds in ipairs { true, false } do
    local part = way:clone()
    part.facts[found.split] = holds
    follow(part)
  end
end

local function note_key(keys, place)
  if place.key and place.key ~= true then keys[math.type(place.key) and 1 or place.key] = true end
end

-- Keys under which the formula looks something up on the way to what is of a label, and those on
-- the way to what is the same for all jobs; 1 for numbers. nil where it looks nothing up by labels.
local function keys_of(formula)
  local keys, shared, by_label = {}, {}, false
  for i, place in ipairs(formula.places) do
    if place.of < 0 then note_key(shared, place) end
    local at = place.of >= 0 and i
    while at do
      by_label = true
      note_key(keys, formula.places[at])
      at = formula.places[at].under
    end
  end
  if by_label then return keys, shared end
end

local function follow_hook(f, formula, keys, shared, rules)
  local found = { kinds = {}, texts = {}, shares = {}, keys = keys, shared = shared }
  local way = setmetatable({
    frames = {}, facts = {}, rules = rules, codes = {}, asked = 0, given = {}, found = found,
    places = formula.places, guards = formula.guards,
    work = { left = formulas.MOST_WORK, ways = 1 },
  }, Writes)
  way:call(constant(f), { formulas.VIEW, formulas.JOB, ANY })
  follow(way)
  local writes = { kinds = {}, texts = {}, shares = {} }
  for kind in pairs(found.kinds) do writes.kinds[#writes.kinds + 1] = kind end
  for kind in pairs(found.shares) do writes.shares[#writes.shares + 1] = kind end
  for text in pairs(found.texts) do writes.texts[#writes.texts + 1] = text end
  return writes
end

-- Adds to the formula what the hooks of a policy that are about a job write: formula.writes, by
-- name { kinds = labels of the job, texts = constants, shares = kinds of labels: if the job has
-- none, the hook changes what is the same for all jobs; ALWAYS: it does whatever the job has }; and
-- the guards of the functions they call. formula.keys: the texts under which it looks something up;
-- a label may be equal to one of them.
function hook_writes.find(policy, formula, rules)
  local keys, shared = keys_of(formula)
  formula.writes, formula.keys = {}, {}
  for _, names in ipairs { keys or {}, shared or {} } do
    for name in pairs(names) do
      if type(name) == "string" then formula.keys[#formula.keys + 1] = name end
    end
  end
  for _, name in ipairs(keys and { "on_submit", "on_start", "on_end" } or {}) do
    local ok, writes = pcall(follow_hook, policy[name], formula, keys, shared, rules)
    formula.writes[name] = policy[name] and ok and writes or nil
  end
end

return hook_writes
