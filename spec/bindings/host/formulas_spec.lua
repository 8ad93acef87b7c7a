-- Priorities that are asked at every decision, computed by a formula for all waiting jobs at once,
-- against the same function called for each of them (plain = true): equal to the last bit, and
-- equal in what they fail with. Random functions, also such that no formula can say.
local orrery = require "orrery"
local formulas = require "orrery.host.formulas"
local hook_writes = require "orrery.host.hook_writes"
local instances = require "spec.support.instances"
local rounds = require "spec.support.rounds"

local METRICS = { "makespan", "wait_mean", "wait_max", "flow_mean", "bsld_mean", "bsld_max",
  "starts", "utilisation" }

-- As in the sandbox, also where the specs run in a program whose globals have a metatable.
local GLOBALS = load "return _ENV"()
local rules = {
  environment = GLOBALS, math = math,
  is_sealed = function(value) return value == math or value == GLOBALS end,
  is_library = function(name) return name == "math" end,
}

local function translate(priority) return formulas.translate(priority, rules) end

local function pick(rng, list) return list[rng:integer(1, #list)] end

-- --- random functions ---------------------------------------------------------------------------

local NUMBERS = { "job.submit", "job.time", "job.area", "job.procs", "job.position", "view.now",
  "view.first_submit", "view.procs", "view.free", "view.waiting_count", "view.running_count",
  "view.down", "(view.now - job.submit)", "patience", "options.weight", "options.count", "0", "1",
  "2", "3", "-1", "0.0", "0.5", "-2.0", "1e-3", "1e300", "math.huge", "math.maxinteger",
  "math.mininteger", "math.pi", "7", "view.state.seen", "view.state.mean", "2.0 ^ 53" }
local OPERATORS = { "+", "-", "*", "/", "//", "%", "^", "+", "-", "*", "/" }
local FUNCTIONS = { "math.max(%s, %s)", "math.min(%s, %s)", "math.log(math.abs(%s), 2)",
  "math.log(math.max(%s, 1))", "math.log(%s, 10)", "math.log(%s, 3)", "math.sqrt(%s)",
  "math.floor(%s)", "math.ceil(%s)", "math.abs(%s)", "math.exp(%s)", "math.sin(%s)", "(-(%s))",
  "helper(%s, %s)", "usage(view.state, job.user or '', %s)" }
-- What has no formula; all but the first are rare, for they mostly fail.
local STRANGE = { "math.random()", "#job.id", "tonumber(job.id)", "(1 << 2)", "#{ 1, 2 }",
  "view.state.nothing", "job.nothing", "error 'no'", "job.user .. ''", "('7' + 0)",
  "view.state.late.used", "(job.user == nil and 1 or job.user)", "view.group" }
local CONDITIONS = { "%s < %s", "%s <= %s", "%s > %s", "%s >= %s", "%s == %s", "%s ~= %s",
  "job.user", "not job.queue", "job.user == 'ann'", "view.state.late", "view.state.late == nil",
  "%s == 0", "%s > 1", "%s < 2.5", "job.queue ~= nil and job.queue == 'q'",
  "job.qos == 'q'", "not job.account" }

local expression

local function condition(rng, depth)
  local text = pick(rng, CONDITIONS):gsub("%%s", function() return expression(rng, depth - 1) end)
  if rng:integer(1, 5) == 1 then
    text = text .. pick(rng, { " and ", " or " }) .. condition(rng, 0)
  end
  return text
end

function expression(rng, depth)
  local kind = depth > 0 and rng:integer(1, 12) or 12
  local function part() return expression(rng, depth - 1) end
  if kind <= 6 then return ("(%s %s %s)"):format(part(), pick(rng, OPERATORS), part()) end
  if kind <= 9 then return (pick(rng, FUNCTIONS):gsub("%%s", part)) end
  if kind <= 11 then return ("(%s and %s or %s)"):format(condition(rng, depth), part(), part()) end
  if rng:integer(1, 400) == 1 then return pick(rng, STRANGE) end
  return pick(rng, NUMBERS)
end

local SOURCE = [[
local patience, options = %s, { weight = %s, count = 3 }
local function helper(a, b) if a < b then return a else return b + 1 end end
local function usage(state, user, x)
  local account = state[user]
  if not account then return 0 end
  return account.used * 0.5 ^ ((x - account.at) / 10)
end
return {
  %s = %s, %s
  init = function(sim)
    sim.state = { seen = 0, mean = 0.5, late = false, order = 0 }
  end,
  on_end = function(sim, job)
    local state = sim.state
    for other in sim:waiting() do -- the order of the last decision
      state.order = (state.order * 31 + other.position) %% 1000003
      state.seen = %s
      if state.order %% 3 == 0 then break end
    end
    state.mean = state.order / 7
    state[job.user or ""] = { used = job.area, at = sim.now }
    if state.order %% 5 == 0 then state.late = { used = 1 } end
    %s
  end,
}
]]

local DISPATCH = { { discipline = "list", reservations = 1 }, { discipline = "list" },
  { discipline = "list", reservations = 1 }, { discipline = "list", reservations = 2 },
  { discipline = "list", reservations = "all" }, { discipline = "fcfs" },
  { discipline = "shelf", fill = true }, { discipline = "shelf" },
  { discipline = "list", reservations = 1, reading = "head" } }

local function policy_of(rng)
  local depth = rng:integer(1, 4)
  local body = "return " .. expression(rng, depth)
  if rng:integer(0, 1) == 1 then
    body = ("local wait = view.now - job.submit if %s then return %s end %s"):format(
      condition(rng, depth), expression(rng, depth), body)
  end
  local fun = "function(job, view) " .. body .. " end"
  local second = rng:integer(1, 4) == 1
  local what = second and ("backfill = { per = 'decision', priority = %s }, priority"):format(fun)
    or "per = 'decision', priority"
  local other = second and "function(job) return job.procs end" or fun
  if second then what = "per = 'attempt', " .. what end
  local changes = rng:integer(1, 3)
  local source = SOURCE:format(pick(rng, { "5", "2.5" }), pick(rng, { "0.25", "2" }), what, other,
    "", pick(rng, { "job.position", "other.time", "state.order" }),
    changes == 1 and "patience = patience + 1" or changes == 2 and "options.weight = 1" or "")
  local dispatch = second and DISPATCH[rng:integer(1, 5)] or pick(rng, DISPATCH)
  return source, dispatch
end

-- The policy as a table; without hooks nobody can ask for the order.
local function build(source, dispatch, has_hooks)
  local policy = assert(load(source, "=policy"))()
  policy.dispatch = dispatch
  if not has_hooks then policy.on_end = nil end
  return policy
end

local function outcome(spec, plain)
  local all = {}
  for key, value in pairs(spec) do all[key] = value end
  all.plain = plain
  local ok, result = pcall(orrery.compare, all)
  if not ok then return (tostring(result):gsub("plain = %a+, ", "")) end
  local found = {}
  for _, metric in ipairs(METRICS) do
    for i, value in ipairs(result:values(1, metric)) do
      found[#found + 1] = ("%s %d %.17g"):format(metric, i, value)
    end
  end
  return table.concat(found, "\n")
end

local USERS = { "ann", "bob", "carl" }

it("random functions give the same order, or the same error, as when they are called", function()
  local rng = orrery.random(17)
  local translated, failed, count = 0, 0, rounds(800)
  for round = 1, count do
    local instance = instances.random(rng, { n = 25, failures = 2 })
    for _, job in ipairs(instance.list) do
      if rng:integer(0, 2) > 0 then job.user = pick(rng, USERS) end
      if rng:integer(0, 2) == 0 then job.queue = "q" end
      job.qos, job.account = job.queue, job.user
    end
    local source, dispatch = policy_of(rng)
    local has_hooks = rng:integer(0, 1) == 1
    local policy = build(source, dispatch, has_hooks)
    local spec = {
      jobs = orrery.jobs(instance.list), procs = instance.procs, policy = policy, runs = 2,
      walltimes = instance.walltimes, verification = instance.verification, threads = 1,
      errors = { mean_probability = 0.2 },
    }
    local called, found = outcome(spec, true), outcome(spec, false)
    local formula = translate(policy.backfill and policy.backfill.priority or policy.priority)
    translated = translated + (formula and 1 or 0)
    failed = failed + (called:find "^makespan" and 0 or 1)
    if called ~= found then
      error(("round %d, %s, hooks %s:\n%s\ncalled:\n%s\nby formula:\n%s"):format(round,
        instances.describe(instance), has_hooks, source, called, found))
    end
  end
  -- both kinds are there
  assert.is_true(translated > count // 3, translated .. " of " .. count .. " had a formula")
  assert.is_true(failed > count // 50 and failed < count * 4 // 5, failed .. " failed")
end)

it("limits of instructions are reached as when functions are called, wherever they lie", function()
  local rng = orrery.random(29)
  local reached, kept, count = 0, 0, rounds(400)
  for round = 1, count do
    local instance = instances.random(rng, { n = 12 })
    local source, dispatch = policy_of(rng)
    local spec = { jobs = orrery.jobs(instance.list), procs = instance.procs, threads = 1,
      policy = build(source, dispatch, false), limits = { instructions = rng:integer(1, 80) } }
    local called, found = outcome(spec, true), outcome(spec, false)
    reached = reached + (called:find "limits%.instructions" and 1 or 0)
    kept = kept + (called:find "^makespan" and 1 or 0)
    if called ~= found then
      error(("round %d, %d instructions:\n%s\ncalled:\n%s\nby formula:\n%s"):format(round,
        spec.limits.instructions, source, called, found))
    end
  end
  assert.is_true(reached > count // 10, reached .. " reached their limit")
  assert.is_true(kept > count // 4, kept .. " did not")
end)

it("functions have formulas under limits that they cannot reach", function()
  local policy = { per = "decision", dispatch = { discipline = "list", reservations = 1 },
    priority = function(job, view) return (view.now - job.submit) * job.procs ^ 2 end }
  local spec = { jobs = orrery.synthetic { count = 400, procs = { 1, 64 }, seed = 31 }, procs = 64,
    batch = true, policy = policy, threads = 1, limits = { instructions = 5000000 } }
  local function seconds(plain)
    spec.plain = plain
    local best = math.huge
    for _ = 1, 3 do
      local began = os.clock()
      orrery.compare(spec)
      best = math.min(best, os.clock() - began)
    end
    return best
  end
  assert.is_true(seconds(false) < seconds(true) / 2)
end)

-- --- what hooks write ---------------------------------------------------------------------------

-- Some of these are known to change only what is found under a label of the job, others are not.
local WRITES = { "state[job.user or ''] = { used = job.area, at = sim.now }",
  "charge(sim, job, job.procs)", "charge(sim, job, job.time)", "charge(sim, job, -job.procs / 2)",
  "state.sum[job.user or ''] = (state.sum[job.user or ''] or 0) + job.procs",
  "state.sum[job.queue or ''] = (state.sum[job.queue or ''] or 0) - job.time",
  "state.sum[job.qos or ''] = (state.sum[job.qos or ''] or 0) + job.time",
  "local a = state[job.user or ''] if a then a.used = a.used + 1 end",
  "local t = { used = 1, at = 0 } state[job.user or ''] = t t.used = job.area",
  "local t = { used = 1, at = 0 } if job.procs > 1 then state.bob = t end t.used = job.area",
  "state.ann = { used = job.area, at = 1 }", "state.sum.bob = job.area",
  "state[job.position] = true state.count = (state.count or 0) + 1",
  "state[job.user or 'ann'] = { used = job.area, at = 2 }",
  "state[state.last or 'carl'] = { used = job.time, at = 3 } state.last = job.user",
  "for j in sim:waiting() do state[j.user or ''] = { used = j.area, at = 4 } break end",
  "state.sum = { [job.user or ''] = job.procs }", "state.bob = state[job.user or '']",
  "sim.state.sum[job.user or ''] = nil", "charge, other = other, charge", "rename(job, sim, state)",
  "setmetatable(state.sum, { __newindex = function(t, k, v) rawset(t, 'carl', v) end })",
  "sim.state = { sum = { [job.user or ''] = job.time } } state = sim.state",
  "usage = function() return job.procs end", "shared[job.user or ''] = job.area",
  "shared.ann = job.time", "state[1] = { [job.user or ''] = job.procs, ann = job.time }",
  "state.acc = setmetatable({}, { __add = function() sim.state.carl = nil return 1 end })",
  "state.count = (state.acc or 0) + job.procs",
  "setmetatable(state.sum, { __index = function() return 5 end })",
  "state.list = { job.user, used = 2, at = 3 } state.carl = state.list state.list.used = job.time",
  "state.total = (state.total or 0) + job.procs",
}

local HOOKS = [[
local options, shared = { half_life = 9 }, {}
local function usage(state, user, now)
  local account = state[user]
  if not account then return 0 end
  return account.used * 0.5 ^ ((now - account.at) / options.half_life)
end
local function charge(sim, job, amount)
  local user = job.user or ""
  sim.state[user] = { used = usage(sim.state, user, sim.now) + amount, at = sim.now }
end
local function other(sim, job, amount) sim.state.carl = { used = amount, at = job.submit } end
local function rename(job, sim, state) sim.state.sum[state.last or job.id] = job.area end
return {
  per = "decision",
  priority = function(job, view)
    local state = view.state
    return %s
  end,
  init = function(sim) sim.state = { sum = {} } end,
  on_start = function(sim, job) local state = sim.state %s end,
  on_end = function(sim, job) local state = sim.state if job.procs > %d then %s end end,
  on_submit = function(sim, job) local state = sim.state if job.time > %d then %s end end,
}
]]
local READS = { "-usage(state, job.user or '', view.now)", "state.sum[job.user or ''] or 0",
  "-usage(state, job.user or '', view.now) + (state.sum[job.queue or ''] or 0)",
  "(state.sum[job.user or ''] or 0) / (1 + view.now - job.submit)",
  "-(state.sum[job.qos or ''] or 0)",
  "state.bob and state.bob.used or state.sum[job.user or ''] or job.area",
  "shared[job.user or ''] or 0", "state[1] and state[1][job.user or ''] or 0",
  "state.sum[job.user or ''] or state.total or 0",
  "(state.sum[job.user or ''] or 0) * (state.total or 1)" }

it("what hooks write is seen, under whatever key and through whatever table", function()
  local rng = orrery.random(23)
  local known, failed, count = 0, 0, rounds(1500)
  for round = 1, count do
    local instance = instances.random(rng, { n = 25, failures = 2 })
    local without, odd = rng:integer(0, 5), rng:integer(0, 2) -- all jobs may have a user, or none
    for _, job in ipairs(instance.list) do
      if rng:integer(0, 4) >= without then job.user = pick(rng, USERS) end
      if odd == 1 and rng:integer(0, 9) == 0 then job.user = "sum" end
      if rng:integer(0, 2) == 0 then job.queue = pick(rng, { "q", "bob" }) end
      job.qos = job.queue
    end
    local source = HOOKS:format(pick(rng, READS), pick(rng, WRITES), rng:integer(0, 3),
      pick(rng, WRITES), rng:integer(0, 60), pick(rng, WRITES))
    local policy = build(source, pick(rng, DISPATCH), true)
    for _, name in ipairs { "on_start", "on_end", "on_submit" } do
      if rng:integer(0, 2) == 0 then policy[name] = nil end
    end
    local formula = assert(translate(policy.priority))
    hook_writes.find(policy, formula, rules)
    known = known + (next(formula.writes) and 1 or 0)
    local spec = { jobs = orrery.jobs(instance.list), procs = instance.procs, policy = policy,
      runs = rng:integer(1, 5) == 1 and 2 or 1, -- in a second one some keep what they must not
      walltimes = instance.walltimes, verification = instance.verification, threads = 1,
      errors = { mean_probability = 0.2 } }
    local called, found = outcome(spec, true), outcome(spec, false)
    local refused = called:find "only plain tables can be copied with a simulation"
    failed = failed + ((refused or called:find "^makespan") and 0 or 1)
    if called ~= found then
      error(("round %d, %s:\n%s\ncalled:\n%s\nby formula:\n%s"):format(round,
        instances.describe(instance), source, called, found))
    end
  end
  assert.is_true(known > count // 4, known .. " of " .. count .. " had a hook that is known")
  assert.is_true(failed < count // 4, failed .. " failed")
end)

it("writes under labels of the job, numbers and constants are known, others are not", function()
  local function of(text, reads)
    reads = reads or "-usage(state, job.user or '', view.now)"
    local policy = assert(load(HOOKS:format(reads, text, 0, "", 0, "")))()
    local formula = translate(policy.priority)
    hook_writes.find(policy, formula, rules)
    local writes = formula.writes.on_start
    return writes and table.concat(writes.kinds, ",") .. ";" .. table.concat(writes.texts, ","),
      writes and table.concat(writes.shares, ",")
  end
  assert.equal("0;", of "charge(sim, job, job.area) state[job.position] = true")
  assert.equal("1;", of "if job.procs > 1 then state.sum[job.queue] = 1 end")
  assert.equal(";count", of "state.count = #state.list + 1")
  assert.equal("0;", of "local t = {} t.used = 1 t.at = 2 state[job.user or ''] = t")
  local first = "state[1] and state[1][job.user or ''] or 0"
  assert.is_nil(of("state[1] = { ann = job.time }", first))
  -- what is the same for all jobs: written by jobs without a user (0), or always (31)
  local total = "state.sum[job.user or ''] or state.total or 0"
  assert.same({ "0;", "0" }, { of("charge(sim, job, job.area)") })
  assert.same({ ";total", "31" }, { of("state.total = job.procs", total) })
  assert.same({ ";count", "" }, { of("state.count = job.procs", total) })
  assert.is_nil(of("state[job.position] = 5", first))
  assert.equal(";ann", of("state.ann = 5", first))
  for _, text in ipairs { "state[job.id] = 1", "state.account.used = 1", "sim.state = {}",
    "state[state.last] = 1", "local t = {} state[1] = t t.at = 2", "for i = 1, 9 do end",
    "local t = {} sim:wake_at(t) t.at = 2", "table.insert(state.list, 1)", "charge = usage",
    "while state.last do state.last = nil end" } do
    assert.is_nil(of(text), text)
  end
end)

it("a metatable may write what its hook does not", function()
  local source = [[
    local sum = setmetatable({}, { __add = function(_, state)
      state.carl = state.count % 2 * 2 - 1
      return state.count + 1
    end })
    return {
      per = "decision", dispatch = { discipline = "list", reservations = 1 },
      priority = function(job, view) return -(view.state[job.user] or 0) end,
      init = function(sim) sim.state = { count = 0 } end,
      on_start = function(sim, job) sim.state.count = sum + sim.state end,
    }]]
  local rng, jobs = orrery.random(3), {}
  for i = 1, 60 do
    jobs[i] = { submit = i, procs = rng:integer(1, 4), time = rng:integer(5, 30),
      user = pick(rng, USERS) }
  end
  local spec = { jobs = orrery.jobs(jobs), procs = 4, policy = load(source)(), runs = 1,
    threads = 1 }
  local called, found = outcome(spec, true), outcome(spec, false)
  assert.truthy(called:find "^makespan", called)
  assert.equal(called, found)
end)

describe("the policies of this repository", function()
  for _, name in ipairs { "wfp3", "unicef" } do
    it("has a formula: " .. name, function()
      assert.truthy(translate(dofile("policies/priority/" .. name .. ".lua").priority))
    end)
  end

  it("has a formula: fair-share", function()
    local policy = dofile("policies/dispatch/fair-share.lua") { half_life = 604800 }
    assert.truthy(translate(policy.priority))
  end)
end)

it("what has no formula is known as such", function()
  local functions = {
    function() return math.random() end,
    function(job) return #job.id end,
    function(job) local t = { job.time } return t[1] end,
    function(job, view) while true do if view.now > job.time then return 1 end end end,
  }
  for i, f in ipairs(functions) do assert.is_nil(translate(f), "function " .. i) end
end)

-- By hand: (job.time - 3) // 2, then job.procs; 3 processors.
it("a formula by hand", function()
  local formula = translate(function(job) return (job.procs - 3) // 2 end)
  local ops = {}
  for i, step in ipairs(formula.steps) do ops[i] = step.op end
  assert.same({ "I_PROCS", "I_CONSTANT", "I_ADD", "I_CONSTANT", "I_FLOOR_DIV", "F_FROM_I" }, ops)
end)

-- What is called has fewer or more arguments than parameters, and gives fewer or more values than
-- are wanted.
local CALLS = [[
local function one(a, b) return b and a * 1000 or b == nil and a or -a end
local function two(a) return a, -a end
local function none() end
local function tail(a, b) return one(a, b) end
local function all(a) return two(a) end
local function deep(a) local x, y, z = all(a) return one(x, z) + (y or 7) end
local function most(a, b) return math.max(a, b) end
local function least(a) local x, y, z = math.min(a, 5) return z and 9 or y and 8 or x end
local function is(a) local b, c = a > 5, a < 3 return b == c and 1 or b and 2 or c and 3 or 4 end
local function levels(n, a) if n == 0 then return a end return levels(n - 1, a) + 1 end
local function any(...) return (...) end
return function(job, view) return %s end
]]

it("functions that it calls give what they give in Lua", function()
  local list = {}
  for i = 1, 9 do list[i] = { procs = 1, time = i * 7 % 11 + 1 } end
  local spec = { jobs = orrery.jobs(list), procs = 1, threads = 1,
    policy = { per = "decision", dispatch = { discipline = "list" } } }
  for _, text in ipairs { "one(job.time)", "one(job.time, true)", "one(job.time, false)",
    "one(job.time, nil, 5)", "tail(job.time)", "tail(job.time, true)", "two(job.time) + 0",
    "(all(job.time))", "one(two(job.time))", "one((two(job.time)))", "deep(job.time)",
    "none() or job.time", "one(job.time, none())", "-one(job.position, all(job.time))",
    "math.max(two(job.time))", "math.max(all(job.time), 2)", "most(job.time, 4)",
    "least(job.time)", "most(least(job.time), 3) * 2", "is(job.time)", "math.floor(7.5) * job.time",
    "math.log(8, 2) * job.time", "job.time - 70000 * -3.0 + 1e300 * -1", "levels(5, job.time)",
    "job.time * math.max(2, 3.5, 1)", "({ [true] = 1, [false] = 2 })[job.time > 4]" } do
    local f = assert(load(CALLS:format(text)))()
    assert.equal(not text:find "{", translate(f) ~= nil, text)
    spec.policy.priority = f
    local called, found = outcome(spec, true), outcome(spec, false)
    assert.truthy(called:find "^makespan", called)
    assert.equal(called, found, text)
  end
  for _, text in ipairs { "any(job.time)", "levels(99, job.time)", "job.time(3)", "math.floor('x')",
    "math.log(job.id)", "one", "job.time .. ''" } do
    assert.is_nil(translate(assert(load(CALLS:format(text)))()), text)
  end
end)

-- By hand: one processor; what ann and bob have had counts against them. a (ann) runs first, then
-- b (bob), for ann has had something, then c and d, whose users are even, by submission. The second
-- scenario begins without anything, also where no init says so.
it("what is looked up by users is that of its scenario and of its decision", function()
  local jobs = {}
  for i, user in ipairs { "ann", "ann", "bob", "bob" } do
    jobs[i] = { id = ("acbd"):sub(i, i), procs = 1, time = 5, user = user }
  end
  local policy = {
    per = "decision", dispatch = { discipline = "list", reservations = 1 },
    priority = function(job, view) return -(view.state[job.user] or 0) end,
    on_start = function(sim, job)
      sim.state[job.user] = (sim.state[job.user] or 0) + job.area
    end,
  }
  local result = orrery.compare { jobs = orrery.jobs(jobs), procs = 1, policy = policy, runs = 3,
    threads = 1 }
  assert.truthy(translate(policy.priority))
  local s = orrery.session { jobs = orrery.jobs(jobs), procs = 1, policy = policy }
  s:finish()
  assert.same({ 0, 10, 5, 15 }, { s:job("a").start, s:job("c").start, s:job("b").start,
    s:job("d").start })
  local waits = result:values(1, "wait_mean")
  assert.same({ 7.5, 7.5, 7.5 }, { waits[1], waits[2], waits[3] })
end)

-- By hand: nothing fits when c and d come; keys are computed when somebody asks for the order.
it("hooks see the order of the last decision, also where that had no choice", function()
  local policy = {
    per = "decision", dispatch = { discipline = "list", reservations = 1 },
    priority = function(job, view) return (view.now - job.submit) / (job.time + 1) end,
    on_end = function(sim)
      local order = ""
      for job in sim:waiting() do order = order .. job.id end
      error("order " .. order, 0)
    end,
  }
  assert.truthy(translate(policy.priority))
  local jobs = orrery.jobs { { id = "a", procs = 1, time = 100 },
    { id = "b", procs = 1, submit = 1, time = 1000 },
    { id = "c", procs = 1, submit = 10, time = 10 },
    { id = "d", procs = 1, submit = 20, time = 5000 } }
  for _, plain in ipairs { true, false } do
    local spec = { jobs = jobs, procs = 1, policy = policy, runs = 1 }
    assert.matches("order cbd", outcome(spec, plain))
  end
end)

-- By hand: the shares of three users, of whom two have had something, change from run to run.
it("scenarios do not see what others have left behind", function()
  local jobs = {}
  for i = 1, 12 do jobs[i] = { procs = 1, time = i, user = "u" .. i % 3 } end
  local policy = {
    per = "decision", dispatch = { discipline = "list", reservations = 1 },
    priority = function(job, view) return view.state[job.user] or 0 end,
    on_end = function(sim, job) sim.state[job.user] = job.position end,
  }
  local spec = { jobs = orrery.jobs(jobs), procs = 1, policy = policy, runs = 20, threads = 1,
    errors = { mean_probability = 0.3 } }
  assert.equal(outcome(spec, true), outcome(spec, false))
end)

-- Every operation on numbers of both signs: the job whose value is not that of Lua comes first.
describe("operations give the value that Lua gives:", function()
  local NUMBER = { 7, 2, 3, 12, 5, 8, 1, 10, 4 }
  local cases = { "x %% y", "x %% -y", "-x %% y", "-x %% -y", "x // y", "-x // y", "x // -y",
    "-x // -y", "(x + 0.5) // -y", "(x + 0.5) %% -y", "-(x + 0.5) %% y", "x ^ 2", "x ^ 0.5",
    "x / y", "-x / y", "math.floor(-x / y)", "math.ceil(-x / y)", "math.abs(y - x)",
    "math.max(x, y, 6)", "math.min(x, y, 6)", "math.log(x, 2)", "math.log(x, 10)", "math.log(x, 3)",
    "math.sqrt(x)", "math.exp(-x)", "math.sin(x)", "math.cos(y)", "math.tan(x)",
    "x * math.maxinteger", "math.mininteger // -x + y", "(x < y and x or y + 1)",
    "(x <= y and 1 or 2)", "(x == y and 1 or 2)", "(x <= 5 and 1 or y)", "(x < 5 and 1 or y)",
    "(x >= 5 and 1 or y)", "(x > 5 and 1 or y)", "(x == 5 and 1 or y)", "(x == 5.5 and 1 or y)",
    "(x ~= 5 and 1 or y)", "(5 <= x and 1 or y)", "(not (5 < x) and 1 or y)", "x + 1", "x - 1",
    "1 - x", "x + 1000", "x + 0.5", "x - y", "x * 3", "3 / x", "x // 2.5", "2 ^ x",
    "(job.user and not (x < 3) and 1 or y)", "((x < 3 and job.queue or job.user) and 1 or y)",
    "math.floor(x * 1e300) / 1e300", "(job.user == 'u3' and 5 or 6) * (view.now - job.submit + y)" }
  for _, text in ipairs(cases) do
    text = text:gsub("%%%%", "%%")
    it(text, function()
      local function made(source) return assert(load(source, "=case", "t", { math = math }))() end
      local value = made("return function(job, view, x, y) return " .. text .. " end")
      local priority = made("return function(job, view) local x, y = job.procs, job.position "
        .. "return " .. text .. " == view.state[job.user] and 0 or job.position end")
      assert.truthy(translate(priority))
      local jobs, wanted = {}, {}
      for i, procs in ipairs(NUMBER) do
        jobs[i] = { procs = procs, time = 5, user = "u" .. i }
        wanted[i] = value({ user = "u" .. i, submit = 0, position = i }, { now = 0 }, procs, i)
      end
      local policy = { per = "decision", dispatch = { discipline = "fcfs" }, priority = priority,
        init = function(sim)
          for i = 1, #wanted do sim.state["u" .. i] = wanted[i] end
        end }
      local s = orrery.session { jobs = orrery.jobs(jobs), procs = 12, policy = policy }
      s:step()
      local order, started = {}, 0
      for i = 1, #jobs do
        order[i], started = s:job(i).start, started + (s:job(i).start and 1 or 0)
      end
      assert.same({ 0, 0, 0 }, { order[1], order[2], order[3] })
      assert.equal(3, started) -- 7 + 2 + 3 processors: the first three, for all are equal
    end)
  end
end)
