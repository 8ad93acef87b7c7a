-- expressions: formulas as trees: drawn, changed, simplified, and written as Lua.
--
-- A tree is a number, the name of a field, or { op, a } or { op, a, b }. Trees are values: changes
-- make new ones. What a formula is for is the order of jobs; so an increasing function around a
-- whole formula says nothing, and `canonical` takes it away.
local expressions = {}

-- The Lua code of fields, and the period in which they are constant; default: one decision.
expressions.FIELDS = {
  time = { "job.time", per = "workload" }, procs = { "job.procs", per = "workload" },
  area = { "job.area", per = "workload" },
  submit = { "(job.submit - view.first_submit)", per = "workload" },
  machine = { "view.procs", per = "workload" },
  failure_probability = { "job.failure_probability", per = "scenario" },
  wait = { "(view.now - job.submit)" }, attempts = { "job.attempts" }, free = { "view.free" },
  waiting = { "view.waiting_count" },
}

-- The fields for estimates, which hold for the job's next attempt. `last` and `mean` are the times
-- of the user's last job, and of the last two; for a new user the walltime.
expressions.OF_ESTIMATES = {
  time = { "job.time" }, procs = { "job.procs" }, area = { "job.area" }, machine = { "view.procs" },
  attempts = { "job.attempts" }, free = { "view.free" }, waiting = { "view.waiting_count" },
  last = { "last" }, mean = { "mean" },
}

-- Operators: how many arguments, how they are computed and written, and how tightly they bind.
local OPS = {
  ["+"] = { 2, function(a, b) return a + b end, bind = 1 },
  ["-"] = { 2, function(a, b) return a - b end, bind = 1 },
  ["*"] = { 2, function(a, b) return a * b end, bind = 2 },
  ["/"] = { 2, function(a, b) return a / b end, bind = 2 },
  max = { 2, math.max, call = "math.max" }, min = { 2, math.min, call = "math.min" },
  exp = { 1, math.exp, call = "math.exp" }, log = { 1, math.log, call = "math.log" },
  sqrt = { 1, math.sqrt, call = "math.sqrt" },
}
local NAMES = { "+", "-", "*", "/", "*", "/", "max", "min", "exp", "log", "sqrt" }
local COMMUTES = { ["+"] = true, ["*"] = true } -- not max and min, with what is not a number
local INCREASES = { exp = true } -- wherever it is a number; log and sqrt are not below 0

local CONSTANTS = { -6, 5 } -- powers of ten between which they are drawn
local DEEPEST = 4           -- of a tree that is drawn

-- --- trees --------------------------------------------------------------------------------------

local function is_leaf(tree) return type(tree) ~= "table" end

function expressions.size(tree)
  if is_leaf(tree) then return 1 end
  return 1 + expressions.size(tree[2]) + (tree[3] ~= nil and expressions.size(tree[3]) or 0)
end

-- The number of a tree for the values of fields.
function expressions.value(tree, fields)
  if type(tree) == "string" then return fields[tree] end
  if is_leaf(tree) then return tree end
  local a = expressions.value(tree[2], fields)
  local b = tree[3] ~= nil and expressions.value(tree[3], fields) or nil
  return OPS[tree[1]][2](a, b)
end

function expressions.each_field(tree, f)
  if type(tree) == "string" then f(tree) end
  if is_leaf(tree) then return end
  expressions.each_field(tree[2], f)
  if tree[3] ~= nil then expressions.each_field(tree[3], f) end
end

local RANK = { workload = 1, scenario = 2, decision = 3 }

-- The period in which all fields of a tree are constant: "workload", "scenario" or "decision".
function expressions.per(tree)
  local per = "workload"
  expressions.each_field(tree, function(name)
    local own = expressions.FIELDS[name].per or "decision"
    if RANK[own] > RANK[per] then per = own end
  end)
  return per
end

-- --- as text ------------------------------------------------------------------------------------

local function number_text(value)
  local text = ("%.4g"):format(value)
  return value < 0 and "(" .. text .. ")" or text
end

-- The text of a tree; leaf(name) is the text of a field. Operands of the same precedence get
-- parentheses behind `-` and `/`, and also in `+` and `*`: this keeps the order of evaluation.
local function text_of(tree, leaf, bind, is_right)
  if type(tree) == "string" then return leaf(tree) end
  if is_leaf(tree) then return number_text(tree) end
  local op = OPS[tree[1]]
  if op.call then
    local second = tree[3] ~= nil and ", " .. text_of(tree[3], leaf, 0) or ""
    return ("%s(%s%s)"):format(op.call, text_of(tree[2], leaf, 0), second)
  end
  local text
  if tree[1] == "*" and tree[2] == -1 then
    text = "-" .. text_of(tree[3], leaf, op.bind, true)
  else
    text = ("%s %s %s"):format(text_of(tree[2], leaf, op.bind), tree[1],
      text_of(tree[3], leaf, op.bind, true))
  end
  local inside = op.bind < bind or op.bind == bind and is_right
  return inside and "(" .. text .. ")" or text
end

-- For people: time * exp(1e-06 * area).
function expressions.text(tree)
  return (text_of(tree, function(name) return name end, 0):gsub("math%.", ""))
end

-- The text of a priority's file. A job whose priority is not a number (NaN) stands last.
function expressions.lua(tree)
  local body = text_of(tree, function(name) return expressions.FIELDS[name][1] end, 0)
  return ([[
return {
  name = %q,
  per = %q,
  priority = function(job, view)
    local value = %s
    return value == value and value or -math.huge
  end,
}
]]):format(expressions.text(tree), expressions.per(tree), body)
end

local REMEMBERS = [[
  init = function(sim) sim.state.of_user = {} end,
  on_end = function(sim, job, outcome)
    if outcome ~= "completed" and outcome ~= "killed" then return end
    local user, took = job.user or "", sim.now - job.start
    local known = sim.state.of_user[user]
    sim.state.of_user[user] = { took, known and known[1] or took }
  end,
]]
local KNOWN = '    local known = view.state.of_user[job.user or ""]\n'
local OF_USER = { -- in this order
  { "last", "    local last = known and known[1] or job.time\n" },
  { "mean", "    local mean = known and (known[1] + known[2]) / 2 or job.time\n" },
}

-- The text of the file of a policy that dispatches as another one, and plans with a tree as the
-- estimate. If the tree's value is not a number (NaN), the estimate is the walltime.
function expressions.lua_of_estimate(tree, dispatch)
  local used, locals = {}, ""
  expressions.each_field(tree, function(name) used[name] = true end)
  for _, one in ipairs(OF_USER) do
    if used[one[1]] then locals = locals .. one[2] end
  end
  local remembers = locals ~= ""
  return ([[
return {
  name = %q,
  dispatch = %q,
%s  estimate = function(job, view)
%s    local value = %s
    return value == value and math.max(0, value) or job.time
  end,
}
]]):format(("%s, estimate %s"):format(dispatch, expressions.text(tree)), dispatch,
    remembers and REMEMBERS or "", remembers and KNOWN .. locals or "",
    text_of(tree, function(name) return expressions.OF_ESTIMATES[name][1] end, 0))
end

-- --- simpler ones -------------------------------------------------------------------------------

local function same(a, b)
  if is_leaf(a) or is_leaf(b) then return a == b end
  return a[1] == b[1] and same(a[2], b[2]) and (a[3] == nil or same(a[3], b[3]))
end

local function is_finite(value) return value - value == 0 end

-- Arguments in an order of their own where it does not matter, numbers first.
local function ordered(op, a, b)
  if not COMMUTES[op] then return { op, a, b } end
  local x, y = expressions.text(a), expressions.text(b)
  local swap = type(b) == "number" and type(a) ~= "number"
    or (type(b) == "number") == (type(a) == "number") and y < x
  return swap and { op, b, a } or { op, a, b }
end

-- A simpler formula equal to an operator with simplified arguments; nil: none.
local function shorter(op, a, b)
  if op == "+" then return a == 0 and b or b == 0 and a or nil end
  if op == "-" then return b == 0 and a or same(a, b) and 0 or nil end
  if op == "*" then return (a == 0 or b == 0) and 0 or a == 1 and b or b == 1 and a or nil end
  if op == "/" then return b == 1 and a or a == 0 and 0 or same(a, b) and 1 or nil end
  if op == "max" or op == "min" then return same(a, b) and a or nil end
end

-- An equal formula with fewer parts: if both values are numbers, these are equal.
function expressions.simplified(tree)
  if is_leaf(tree) then return tree end
  local op, a = tree[1], expressions.simplified(tree[2])
  local b = tree[3] ~= nil and expressions.simplified(tree[3]) or nil
  if type(a) == "number" and (b == nil or type(b) == "number") then
    local value = OPS[op][2](a, b)
    if is_finite(value) then return value end
  end
  if b == nil then return { op, a } end
  local simple = shorter(op, a, b)
  if simple ~= nil then return simple end
  return ordered(op, a, b)
end

-- For an operator with a number and another tree: the tree, and whether the operator reverses the
-- order of the tree's values; nil: it is neither increasing nor decreasing.
local function without_number(op, a, b)
  local left, right = type(a) == "number" and a, type(b) == "number" and b
  if op == "+" and (left or right) then return left and b or a, false end
  if op == "-" and (left or right) then return left and b or a, left ~= false end
  if op == "*" and (left or right) and (left or right) ~= 0 then
    return left and b or a, (left or right) < 0
  end
  if op == "/" and right and right ~= 0 then return a, right < 0 end
end

-- A simple formula that orders jobs in the same way: without increasing functions around it.
function expressions.canonical(tree)
  local turned = false
  while true do
    tree = expressions.simplified(tree)
    if type(tree) == "number" then return 0 end
    if is_leaf(tree) then break end
    local inner, turns
    if INCREASES[tree[1]] then inner, turns = tree[2], false end
    if tree[3] ~= nil then inner, turns = without_number(tree[1], tree[2], tree[3]) end
    if inner == nil then break end
    tree, turned = inner, turned ~= turns
  end
  return turned and { "*", -1, tree } or tree
end

-- --- drawn and changed --------------------------------------------------------------------------

local function short(value) return tonumber(("%.4g"):format(value)) end

local function constant(rng)
  if rng:uniform() < 0.4 then return rng:integer(1, 10) end
  return short(10 ^ rng:uniform(CONSTANTS[1], CONSTANTS[2]))
end

local function leaf(rng, fields)
  if rng:uniform() < 0.25 then return constant(rng) end
  return fields[rng:integer(1, #fields)]
end

-- A tree over these fields (a list of names).
function expressions.drawn(rng, fields, depth)
  depth = depth or rng:integer(1, DEEPEST)
  if depth <= 1 then return leaf(rng, fields) end
  local op = NAMES[rng:integer(1, #NAMES)]
  local a = expressions.drawn(rng, fields, depth - 1)
  if OPS[op][1] == 1 then return { op, a } end
  return { op, a, expressions.drawn(rng, fields, rng:integer(1, depth - 1)) }
end

-- The n-th part of a tree, counted from the root, which is 1.
function expressions.part(tree, n)
  if n == 1 or is_leaf(tree) then return tree end
  local left = expressions.size(tree[2])
  if n - 1 <= left then return expressions.part(tree[2], n - 1) end
  return expressions.part(tree[3], n - 1 - left)
end

-- The tree with f(part) in the place of its n-th part.
function expressions.replaced(tree, n, f)
  if n == 1 then return f(tree) end
  local left = expressions.size(tree[2])
  if n - 1 <= left then
    return { tree[1], expressions.replaced(tree[2], n - 1, f), tree[3] }
  end
  return { tree[1], tree[2], expressions.replaced(tree[3], n - 1 - left, f) }
end

-- A number moves, by a factor; a field becomes another one, an operator one with as many
-- arguments.
local function moved(rng, part, fields, spread)
  if type(part) == "number" then
    if part == 0 or rng:uniform() < 0.05 then return constant(rng) end
    if rng:uniform() < 0.05 then return -part end
    return short(part * math.exp(8 * spread * rng:normal()))
  end
  if is_leaf(part) then return leaf(rng, fields) end
  local op
  repeat op = NAMES[rng:integer(1, #NAMES)] until OPS[op][1] == OPS[part[1]][1]
  return { op, part[2], part[3] }
end

-- A tree near another one.
--   other   a tree, parts of which may come in
--   spread  how far numbers move
function expressions.changed(rng, tree, other, fields, spread)
  local n, how = rng:integer(1, expressions.size(tree)), rng:uniform()
  return expressions.replaced(tree, n, function(part)
    if how < 0.45 then return moved(rng, part, fields, spread) end
    if how < 0.65 then return expressions.part(other, rng:integer(1, expressions.size(other))) end
    if how < 0.75 then return expressions.drawn(rng, fields, 2) end
    if how < 0.85 and not is_leaf(part) then return part[2] end
    local op = NAMES[rng:integer(1, #NAMES)]
    if OPS[op][1] == 1 then return { op, part } end
    local more = expressions.drawn(rng, fields, rng:integer(1, 2))
    if rng:uniform() < 0.5 then return { op, part, more } end
    return { op, more, part }
  end)
end

return expressions
