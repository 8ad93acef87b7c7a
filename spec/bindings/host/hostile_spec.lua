-- Policies that do not obey: whatever a hook does, the run ends with a message that says which hook
-- of which policy, and the process and other runs go on.
local merge = require "spec.support.merge"
local orrery = require "orrery"
local refuse = require "spec.support.refused"
local rounds = require "spec.support.rounds"

-- What is to end takes as long as it may.
local SECONDS = os.getenv "ASAN_OPTIONS" and 0.1 or rounds(3, 3, 2) / 100

local JOBS, start_all = refuse.JOBS, refuse.start_all
local refused, here, assert_all_is_well = refuse.policy, refuse.here, refuse.assert_all_is_well

describe("a call that never ends", function()
  local line = here(1)
  local function forever() while true do end end -- luacheck: ignore
  local limits = { limits = { seconds = SECONDS } }
  local what = "this call took more than " .. SECONDS .. " s of processor time (limits.seconds); "
    .. "does a loop never end?"
  local message = line .. what

  it("in each hook", function()
    refused({ dispatch = forever }, { "policy bad: dispatch at time 0", message }, limits)
    refused({ priority = forever }, { "priority for job first", message }, limits)
    refused({ priority = forever, per = "decision" }, { "priority for job", message }, limits)
    refused({ dispatch = start_all, init = forever }, { "policy bad: init", message }, limits)
  end)

  it("inside pcall, and pcall inside pcall", function()
    refused({ dispatch = function()
      while true do
        pcall(function() while true do pcall(forever) end end)
      end
    end }, what, limits)
  end)

  it("while it loads", function()
    local path = os.tmpname() .. ".lua"
    local file = assert(io.open(path, "w"))
    file:write "while true do end\n"
    file:close()
    for _, run in ipairs { orrery.session, orrery.compare } do
      local ok, found = pcall(run, { jobs = JOBS, procs = 2, policy = path,
        limits = { seconds = SECONDS } })
      assert.is_false(ok)
      assert.matches(path .. ":1: " .. what, refuse.of_processor(found), 1, true)
    end
    os.remove(path)
    assert_all_is_well()
  end)

  it("but long calls within the limit are none, nor is there one without a limit", function()
    local function busy(sim)
      local sum = 0
      for i = 1, 3e6 do sum = sum + i end
      start_all(sim)
    end
    for _, seconds in ipairs { 60, 1e300, math.huge } do
      assert.equal(101, orrery.session { jobs = JOBS, procs = 2, policy = { dispatch = busy },
        limits = { seconds = seconds } }:finish().makespan)
    end
  end)
end)

describe("limits", function()
  it("of instructions, also inside pcall", function()
    local limits = { limits = { instructions = 20000 } }
    local message = "this call took more than 20000 instructions (limits.instructions)"
    refused({ dispatch = function() while true do end end }, message, limits) -- luacheck: ignore
    refused({ dispatch = function()
      while true do pcall(function() while true do end end) end -- luacheck: ignore
    end }, message, merge(limits, { limits = { instructions = 20000, seconds = 60 } }))
    assert.equal(101, orrery.session(merge(limits,
      { jobs = JOBS, procs = 2, policy = { dispatch = start_all } })):finish().makespan)
  end)

  it("of memory", function()
    local limits = { limits = { memory = 8 << 20 } }
    refused({ dispatch = function()
      local all = {}
      for i = 1, 1e9 do all[i] = ("x"):rep(1000) .. i end
      return all
    end }, { "policy bad: dispatch at time 0", "not enough memory" }, limits)
    refused({ dispatch = function() return ("x"):rep(1 << 30) end }, "not enough memory", limits)
    refused({ dispatch = start_all, init = function(sim)
      for i = 1, 1e9 do sim.state[i] = { i } end
    end }, { "policy bad: init", "not enough memory" }, limits)
  end)

  it("of the stack", function()
    local function deep(n) return 1 + deep(n + 1) end
    for i = rounds(1, 1, 2), 2 do -- without a limit of memory and with one
      refused({ dispatch = function() deep(1) end }, "policy bad: dispatch at time 0",
        i == 2 and { limits = { memory = 8 << 20 } } or nil)
    end
  end)

  it("of the stack, in calls of pcall in themselves #long", function()
    local function deep(n) return 1 + deep(n + 1) end
    refused({ dispatch = function()
      local function nest(f) return pcall(nest, f) and pcall(f) end
      nest(deep)
      error "still here"
    end }, "still here")
  end)

  it("are checked themselves", function()
    for _, bad in ipairs { { seconds = 0 }, { seconds = 0 / 0 }, { memory = 5 }, { memory = "8" },
      { instructions = -1 }, { instructions = 1.5 }, 5 } do
      local name = bad == 5 and "limits: expected a table" or next(bad)
      local ok, message = pcall(orrery.session, { jobs = JOBS, procs = 2, limits = bad })
      assert.is_false(ok)
      assert.matches(name, message, 1, true)
    end
  end)
end)

describe("the fence", function()
  it("hides files, the clock and other code", function()
    for _, name in ipairs { "os", "io", "load", "loadfile", "dofile", "require", "debug", "package",
      "coroutine", "collectgarbage" } do
      local hook = assert(load(("return function() local x = %s end"):format(name)))()
      refused({ dispatch = hook }, "a policy has no global '" .. name .. "': it sees its arguments")
    end
  end)

  it("hides them in the caller's state, too", function()
    local kept = JOBS
    for _, name in ipairs { "os", "io", "load", "require", "debug" } do
      local hook = assert(load(("local kept = ... return function() local y = kept "
        .. "local x = %s end"):format(name)))(kept)
      refused({ dispatch = hook }, "a policy has no global '" .. name .. "'")
    end
  end)

  it("names unknown globals, and refuses to set any", function()
    -- luacheck: ignore
    refused({ dispatch = function() return misspelt end }, "a policy has no global 'misspelt'")
    refused({ dispatch = function() counter = 1 end }, "a policy cannot set the global 'counter'")
    refused({ dispatch = function() return math.randomseed(1) end },
      "attempt to call a nil value (field 'randomseed')")
    refused({ dispatch = function() return string.dump(error) end },
      "attempt to call a nil value (field 'dump')")
  end)

  it("does not let a policy change libraries, in any state", function()
    -- luacheck: ignore
    local kept = JOBS
    refused({ dispatch = function() math.max = nil end }, "math cannot be changed by a policy")
    refused({ dispatch = function() local _ = kept; math.max = nil end },
      "math cannot be changed by a policy")
    refused({ dispatch = function() rawset(string, "n", 1) end },
      "a library cannot be changed by a policy")
    assert.equal(2, math.max(1, 2))
  end)

  it("refuses finalisers, in which no limit holds", function()
    refused({ dispatch = function()
      setmetatable({}, { __gc = function() while true do end end })
    end }, "a policy cannot set __gc")
  end)

  it("goes through tables in an order that is the same in every state #long", function()
    local policy = { dispatch = function(sim)
      local jobs = {}
      for job in sim:waiting() do jobs["x" .. job.id] = job end
      local order = {}
      for key, job in pairs(jobs) do
        order[#order + 1] = key
        if job.procs <= sim.free then sim:start(job) end
      end
      table.sort(order)
      local mixed, seen = { 10, 20, x = 1, [2.5] = 3, [true] = 4 }, {}
      for key in pairs(mixed) do seen[#seen + 1] = tostring(key) end
      assert(table.concat(seen, " ") == "1 2 2.5 x true")
      assert(next({}) == nil and next({ b = 1, a = 2 }) == "a")
      assert(next({ a = 1, b = 2 }, "a") == "b")
    end }
    local jobs = orrery.synthetic { count = 40, seed = 8 }
    local texts = {}
    for i, threads in ipairs { 1, 2, 4, 4 } do
      local result = orrery.compare {
        jobs = jobs, procs = 3000, runs = 40, threads = threads, policy = policy,
        errors = { mean_probability = 0.3 },
      }
      texts[i] = table.concat(result:values(1, "makespan"), " ")
    end
    for i = 2, #texts do assert.equal(texts[1], texts[i]) end
    refused({ dispatch = function() for _ in pairs { [{}] = 1 } do error "no" end end },
      "a key that is a table has no order")
  end)
end)

-- What to run so that an attack happens in each hook, and what the message must say of where.
local function forever() while true do end end -- luacheck: ignore

local SHORT = { seconds = SECONDS, memory = 16 << 20 }
local PATIENT = { seconds = 60 } -- for what ends by itself, however busy the machine is
local TOO_LONG = "this call took more than " .. SECONDS .. " s of processor time (limits.seconds)"

local function jobs_run(policy, limits)
  return function()
    orrery.session { jobs = JOBS, procs = 2, limits = limits or SHORT,
      policy = merge({ name = "bad" }, policy) }:finish()
  end
end

local function tasks_run(policy, limits)
  return function()
    orrery.session { tasks = { n = 4 }, procs = 40, limits = limits or SHORT,
      faults = { mtbf_years = 0.2 }, policy = merge({ name = "bad" }, policy) }:finish()
  end
end

local function pack_run(policy, limits)
  return function()
    orrery.packs { tasks = { n = 4 }, procs = 8, limits = limits or SHORT,
      policy = merge({ name = "bad" }, policy) }
  end
end

local function priority_run(per)
  return function(attack, limits)
    return jobs_run({ dispatch = start_all, per = per, priority = attack }, limits)
  end
end

local function event_run(name)
  return function(attack, limits)
    return jobs_run({ dispatch = start_all, [name] = attack,
      on_submit = name == "on_submit" and attack or function(sim)
        if sim.now == 0 then sim:wake_at(1) end
      end }, limits)
  end
end

local HOOKS = {
  ["policy bad: priority for job first"] = priority_run "workload",
  ["policy bad: priority for job first at time 0"] = priority_run "scenario",
  ["policy bad: priority for job"] = priority_run "decision",
  ["policy bad: dispatch at time 0"] = function(attack, limits)
    return jobs_run({ dispatch = attack }, limits)
  end,
  ["policy bad: init at time 0"] = function(attack, limits)
    return jobs_run({ dispatch = start_all, init = attack }, limits)
  end,
  ["policy bad: backfill for job"] = function(attack, limits)
    return jobs_run({ dispatch = { discipline = "list", reservations = 1 },
      backfill = { per = "decision", priority = attack } }, limits)
  end,
  ["policy bad: on_submit for job first at time 0"] = event_run "on_submit",
  ["policy bad: on_start for job first at time 0"] = event_run "on_start",
  ["policy bad: on_end for job first at time 10"] = event_run "on_end",
  ["policy bad: on_idle at time"] = event_run "on_idle",
  ["policy bad: on_timer at time 1"] = event_run "on_timer",
  ["policy bad: groups: "] = function(attack, limits)
    return jobs_run({ dispatch = start_all, groups = attack }, limits)
  end,
  ["policy bad: pack: "] = function(attack, limits) return pack_run({ pack = attack }, limits) end,
  ["on_end for task"] = function(attack, limits) return tasks_run({ on_end = attack }, limits) end,
  ["on_fault for task"] = function(attack, limits)
    return tasks_run({ on_fault = attack }, limits)
  end,
}
local KINDS = { "policy bad: dispatch at time 0", "on_fault for task",
  "policy bad: priority for job", "policy bad: pack: " }
KINDS = table.move(KINDS, 1, rounds(4, 4, 2), 1, {})

local function in_each_hook(attack, expected, limits)
  for where, run in pairs(HOOKS) do
    refuse.attempt(run(attack, limits), { where, expected })
  end
  assert_all_is_well()
end

-- One hook of each kind of host and call: what works in it works in the others.
local function in_each_kind(attack, expected, limits)
  for _, where in ipairs(KINDS) do
    refuse.attempt(HOOKS[where](attack, limits), { where, expected })
  end
  assert_all_is_well()
end

describe("in every hook", function()
  it("endless loops are stopped", function() in_each_hook(forever, TOO_LONG) end)

  it("memory has an end", function()
    in_each_hook(function()
      local text = "x"
      while true do text = text .. text end
    end, "not enough memory", { memory = 16 << 20 })
  end)

  it("errors are shown, whatever they are", function()
    in_each_hook(function() error(nil) end, "", PATIENT)
    in_each_hook(function(sim) error(sim) end, "", PATIENT)
    in_each_hook(function() error(setmetatable({}, { __tostring = error })) end, "",
      PATIENT)
  end)

  it("long errors are cut", function()
    in_each_hook(function() error(("long "):rep(100000)) end, "long long",
      PATIENT)
    in_each_kind(function() error(("long "):rep(100000)) end, "... (",
      PATIENT)
  end)
end)

describe("in every kind of hook, endless loops are stopped", function()
  it("in pcall", function()
    in_each_kind(function() while true do pcall(forever) end end, TOO_LONG)
  end)

  it("in what Lua calls for an error", function()
    in_each_kind(function() xpcall(forever, forever) end, TOO_LONG)
    in_each_kind(function() while true do xpcall(error, forever) end end, TOO_LONG)
    in_each_kind(function() error(setmetatable({}, { __tostring = forever })) end, TOO_LONG)
  end)

  it("in what it calls at the end of a block", function()
    in_each_kind(function()
      while true do
        local _ <close> = setmetatable({}, { __close = forever })
        error "closing"
      end
    end, TOO_LONG)
  end)

  it("in what functions of C call", function()
    in_each_kind(function() table.sort({ 3, 1, 2 }, forever) end, TOO_LONG)
    in_each_kind(function() return (("abc"):gsub("%w", forever)) end, TOO_LONG)
    in_each_kind(function() return setmetatable({}, { __index = forever }).x end, TOO_LONG)
    in_each_kind(function() for _ in forever do error "never" end end, TOO_LONG)
  end)

  it("in every metamethod", function()
    for name, use in pairs {
      __index = function(t) return t.x end, __newindex = function(t) t.x = 1 end,
      __call = function(t) t() end, __lt = function(t) return t < t end,
      __le = function(t) return t <= 1 end, __concat = function(t) return "x" .. t end,
      __unm = function(t) return -t end, __len = function(t) return #t end,
      __add = function(t) return 1 + t end, __tostring = function(t) return tostring(t) end,
    } do
      refuse.attempt(jobs_run { dispatch = function()
        use(setmetatable({}, { [name] = forever }))
      end }, { "policy bad: dispatch at time 0", TOO_LONG })
    end
    assert_all_is_well()
  end)

  it("in patterns that go back and forth", function()
    in_each_kind(function() return ("a"):rep(40):find(("a*"):rep(30) .. "b") end, TOO_LONG)
    in_each_kind(function() return ("a"):rep(40):match(("a*"):rep(30) .. "b") end, TOO_LONG)
    in_each_kind(function() return ("a"):rep(40):gmatch(("a-"):rep(30) .. "b")() end, TOO_LONG)
    in_each_kind(function()
      return ("a"):rep(40):gsub(("a?"):rep(40) .. ("a"):rep(40) .. "b", "")
    end, TOO_LONG)
  end)
end)

describe("functions of C that would take for ever", function()
  local function stopped(attack, expected, more)
    refused({ dispatch = attack }, { "policy bad: dispatch at time 0",
      table.unpack(type(expected) == "table" and expected or { expected }) },
      merge({ limits = expected == TOO_LONG and SHORT
        or { seconds = PATIENT.seconds, memory = SHORT.memory } }, more))
  end

  -- What is made ready takes less than the limit.
  local function stopped_inside(attack)
    refuse.attempt(jobs_run({ dispatch = attack }, { seconds = 0.3, memory = 128 << 20 }),
      { "policy bad: dispatch at time 0", "this call took more than 0.3 s" })
  end

  it("are stopped", function()
    stopped_inside(function() table.move({}, 1, 1 << 60, 2) end)
    stopped_inside(function()
      local part = ("a"):rep(10000)
      return part:rep(2000):find(part:rep(1000) .. "b", 1, true)
    end)
    stopped_inside(function()
      local long = ("x"):rep(10000):rep(500)
      local a, b, list = long .. "a", long .. "b", {}
      for i = 1, 100000 do list[i] = i % 2 == 0 and a or b end
      table.sort(list)
    end)
  end)

  -- A table with holes has any length that it likes; a constructor's fields make it room.
  local room = {}
  for i = 1, 200 do room[i] = ("f%d = nil"):format(i) end
  local new_table = load("return function() return { " .. table.concat(room, ", ") .. " } end")()

  it("are stopped, however long a list is said to be #long", function()
    stopped_inside(function()
      local list = new_table()
      for i = 0, 62 do list[1 << i] = 1 end
      assert(#list == 1 << 62)
      table.remove(list, 1)
    end)
    stopped_inside(function()
      local list = new_table()
      for i = 0, 62 do list[1 << i] = 1 end
      table.insert(list, 1, 1)
    end)
  end)

  -- 1990 tables of which each looks into the next, and sets there what it has not. The last has
  -- `count` elements.
  local function chain(count)
    local list = {}
    for i = 1, count do list[i] = "x" end
    for _ = 1, 1990 do
      list = setmetatable({}, { __index = list, __newindex = list })
    end
    return list
  end

  it("are stopped, however many tables one look goes through", function()
    local attacks = {
      function() table.move(chain(0), 1, 5000000, 2) end,
      function() table.move({}, 1, 5000000, 2, chain(0)) end,
      function() return (("x"):rep(5000000):gsub(".", chain(0))) end,
      function() return table.unpack(chain(0), 1, 900000) end,
      function() return table.concat(chain(1000000), "", 1, 1000000) end,
      function()
        local list = chain(0)
        for i = 1, 1000000 do rawset(list, i, i) end
        for _ = 1, 400 do table.remove(list, 1) end
      end,
      function()
        local list = chain(0)
        for i = 1, 1000000 do rawset(list, i, i) end
        for _ = 1, 400 do table.insert(list, 1, 0) end
      end,
    }
    for i = 1, rounds(#attacks, #attacks, 1) do
      local before = os.clock()
      stopped_inside(attacks[i])
      assert.is_true(os.clock() - before < 30)
    end
    refuse.attempt(jobs_run({ dispatch = function()
      local list = chain(0)
      for i = 1, 100000 do rawset(list, i, -i) end
      table.sort(list)
    end }, { seconds = 5 }), "a list tied to so many tables")
  end)

  it("do what they did for lists with a class #long", function()
    local LENGTH = rounds(6000, 6000, 600)
    local session = orrery.session { jobs = JOBS, procs = 2, policy = { dispatch = function(sim)
      local List = {}
      List.__index = List
      local list = setmetatable({ 3, 1, 2 }, List)
      table.sort(list)
      table.insert(list, 1, 9)
      assert(table.remove(list) == 3 and table.concat(list, " ") == "9 1 2")
      assert(select("#", table.unpack(list, 1, 900000)) == 900000)
      assert(table.concat(chain(3), ",", 2, 3) == "x,x")
      local long = chain(LENGTH)
      assert(table.concat(long, "", 1, LENGTH) == ("x"):rep(LENGTH))
      assert(table.concat({ table.unpack(long, 1, LENGTH) }) == ("x"):rep(LENGTH))
      assert(not pcall(table.concat, long, "", 1, LENGTH + 1))
      start_all(sim)
    end } }
    assert.equal(101, session:finish().makespan)
  end)

  it("leave a message soon, however deep they were #long", function()
    refuse.attempt(jobs_run({ dispatch = function()
      local text = ("a"):rep(300000)
      return text:find(("a?"):rep(300000))
    end }, { seconds = 20 }), { "dispatch at time 0", "stack overflow", "stack traceback" })
  end)

  it("are refused", function()
    for _, name in ipairs { "insert", "remove", "sort", "concat" } do
      stopped(function()
        local list = setmetatable({}, { __len = function() return 1 << 60 end })
        table[name](list, 1, 1)
      end, "a list with __len is not for the functions of a policy's table library")
    end
  end)

  it("have nothing to do", function()
    local session = orrery.session { jobs = JOBS, procs = 2, limits = SHORT,
      policy = { dispatch = function(sim)
        assert(("").rep("", 1 << 62) == "" and ("").rep("", 1 << 62, "") == "")
        assert(not pcall(string.rep, "x", 1 << 62))
        start_all(sim)
      end } }
    assert.equal(101, session:finish().makespan)
  end)
end)

describe("a policy in the caller's state", function()
  local kept = JOBS -- a userdata, so that the policy stays there
  local short = { limits = SHORT }

  it("has limits in a coroutine that was made outside", function()
    for _, body in ipairs { forever, function() while true do pcall(forever) end end } do
      local resume = coroutine.wrap(body)
      local ok, message = pcall(jobs_run { dispatch = function() return kept and resume() end })
      assert.is_false(ok)
      assert.matches(TOO_LONG, message, 1, true)
    end
    local resume = coroutine.wrap(forever)
    local ok, message = pcall(jobs_run({ dispatch = function() return kept and resume() end },
      { instructions = 10000, seconds = 60 }))
    assert.is_false(ok)
    assert.matches("more than 10000 instructions", message, 1, true)
    assert_all_is_well()
  end)

  it("has a limit of memory per call, the caller's no longer when it ends #long", function()
    local limits = { limits = { memory = 16 << 20 } }
    refused({ dispatch = function()
      local text = kept and "x"
      while true do text = text .. text end
    end }, { "policy bad: dispatch at time 0", "not enough memory" }, limits)
    assert.equal(64 << 20, #("x"):rep(64 << 20))
  end)

  it("has the same patterns, also as methods of strings, and only there", function()
    refused({ dispatch = function()
      return kept and ("a"):rep(40):find(("a*"):rep(30) .. "b")
    end }, { "policy bad: dispatch", TOO_LONG }, short)
    assert.equal(string.find, ("").find)
    assert.equal(string.dump, ("").dump)
  end)

  it("cannot reach the metatable of strings", function()
    refused({ dispatch = function() getmetatable(kept and "").__index = nil end },
      "attempt to index a string value")
    refused({ dispatch = function() return kept and ("").dump(forever) end },
      "attempt to call a nil value (field 'dump')")
    assert.equal("a", ("A"):lower())
  end)

  local function with_file(text, run)
    local path = os.tmpname() .. ".lua"
    local file = assert(io.open(path, "w"))
    file:write(text)
    file:close()
    local ok, message = pcall(run, path)
    os.remove(path)
    assert.is_false(ok)
    return message
  end

  it("has them while it loads, too", function()
    local ok, message = pcall(orrery.session, { jobs = JOBS, procs = 2, limits = SHORT,
      policy = { dispatch = start_all, groups = function()
        assert(#kept == 3)
        return ("a"):rep(40):find(("a*"):rep(30) .. "b")
      end } })
    assert.is_false(ok)
    assert.matches(TOO_LONG, message, 1, true)
    assert.equal(string.find, ("").find)
    assert_all_is_well()
  end)

  it("is none that is read from a file, which is no bytecode either", function()
    local code = string.dump(function() return { dispatch = function() end } end)
    for expected, priority in pairs { ["attempt to load a binary chunk"] = "lpt",
      ["runs only in a Lua state of its own"] = function() return #kept end } do
      local text = "return { dispatch = function() end }"
      local message = with_file(priority == "lpt" and code or text, function(path)
        orrery.session { jobs = JOBS, procs = 2, policy = path, priority = priority }
      end)
      assert.matches(expected, message, 1, true)
    end
  end)

  it("finds the globals of the prompt with its own fence around them", function()
    _G.orrery_spec_helper = function() return os.getenv "HOME" end
    local ok, problem = pcall(refused, { dispatch = function()
      return kept and orrery_spec_helper() -- luacheck: ignore
    end }, "a policy has no global 'os'")
    _G.orrery_spec_helper = nil
    assert.is_true(ok, problem)
  end)

  it("cannot yield across its hook, wherever it has the function from", function()
    local box = setmetatable({ yield = coroutine.yield, jobs = JOBS }, {})
    local run = coroutine.wrap(function()
      return pcall(jobs_run { dispatch = function() box.yield() end })
    end)
    local ok, message = run()
    assert.is_false(ok)
    assert.matches("a policy cannot use coroutine.yield", message, 1, true)
  end)
end)

describe("policies that run side by side", function()
  -- Each leaves what it can where another might find it, and fails where it finds something.
  local function spy(name, kept)
    return { name = name, init = function(sim)
      local _ = kept
      for _, place in ipairs { math, string, table, utf8, _ENV } do
        assert(rawget(place, "trace") == nil, "traces in a library")
        pcall(rawset, place, "trace", name)
        pcall(function() place.trace = name end)
      end
      pcall(function() trace = name end) -- luacheck: ignore
      assert(not pcall(function() return trace end), "a trace in the globals") -- luacheck: ignore
      pcall(function() getmetatable("").__index.trace = name end)
      assert(("").trace == nil, "a trace in the strings")
      assert(sim.state.trace == nil, "a trace in the state")
      sim.state.trace = name
    end, dispatch = function(sim)
      assert(sim.state.trace == name)
      start_all(sim)
    end }
  end

  it("do not see each other's globals, libraries and states", function()
    for _, kept in ipairs { false, JOBS } do
      local result = orrery.compare { jobs = JOBS, procs = 2, runs = 3, threads = 2,
        policies = { spy("one", kept), spy("two", kept) } }
      assert.same({ 101, 101, 101 }, result:values(2, "makespan"))
      assert.equal(kept ~= false, #result.notes > 0)
    end
    assert.is_nil(_G.trace)
    assert.is_nil(("").trace)
  end)
end)

describe("what is the policy's own", function()
  it("cannot be weak, nor finalised", function()
    refused({ dispatch = function() setmetatable({}, { __mode = "k" }) end },
      "a policy cannot set __mode")
    refused({ dispatch = function() setmetatable({}, { __gc = forever }) end },
      "a policy cannot set __gc")
  end)

  it("is neither finalised by what its metatable says later", function()
    local session = orrery.session { jobs = JOBS, procs = 2, limits = SHORT,
      policy = { dispatch = function(sim)
        local metatable = {}
        for _ = 1, 100 do setmetatable({}, metatable) end
        assert(not pcall(function() metatable.__gc = forever end))
        assert(not pcall(function() metatable.__mode = "kv" end))
        assert(next(metatable) == nil)
        local text = "x"
        for _ = 1, 18 do text = text .. text end -- the collector has work
        start_all(sim)
      end } }
    assert.equal(101, session:finish().makespan)
    session = nil -- luacheck: ignore
    collectgarbage()
    assert_all_is_well()
  end)

  it("is not what the host keeps", function()
    refused({ dispatch = function(sim) setmetatable(sim, {}) end },
      "table expected, got orrery.sim")
    refused({ dispatch = function() setmetatable(_ENV, nil) end }, "protected metatable")
    refused({ dispatch = function() rawset(_ENV, "x", 1) end }, "cannot be changed by a policy")
    refused({ dispatch = function(sim)
      for job in sim:waiting() do getmetatable(job).__index = nil end
    end }, "attempt to index a string value")
  end)
end)

describe("a session that is kept", function()
  it("is what it was, after its run and in the hooks of another", function()
    local box = {}
    local other = orrery.session { jobs = JOBS, procs = 2, policy = { dispatch = start_all } }
    box.session = other
    orrery.session { jobs = JOBS, procs = 2, policy = { dispatch = function(sim)
      box.session:finish() -- a run inside a hook; then a session that is over
      assert(box.session.over and box.session:step() == false)
      start_all(sim)
    end } }:finish()
    assert.equal(101, other:finish().makespan)
    local job, schedule = other:job(1), other:schedule()
    other, box.session = nil, nil -- luacheck: ignore
    collectgarbage()
    collectgarbage()
    assert.equal("first", job.id)
    assert.equal(3, #schedule)
    assert_all_is_well()
  end)
end)

describe("a problem of packs that is kept", function()
  it("is of no use after the call", function()
    local box = { jobs = JOBS }
    orrery.packs { tasks = { n = 4 }, procs = 8, policy = function(problem)
      box.problem, box.made = problem, problem:one_by_one()
      return box.made
    end }
    for _, use in ipairs { function() return box.problem.procs end,
      function() return box.problem:one_by_one() end, function() return box.made.cost end } do
      assert.is_false(pcall(use))
    end
    assert.is_true(#tostring(box.jobs) > 0)
  end)
end)

describe("acting for ever at one instant", function()
  it("is refused in every hook that acts", function()
    for name, act in pairs {
      dispatch = function(sim)
        while true do
          for job in sim:fitting() do
            sim:start(job)
            sim:requeue(job)
          end
        end
      end,
      on_start = function(sim, job) sim:requeue(job) end,
      on_submit = function(sim, job)
        while true do
          sim:hold(job)
          sim:release(job)
        end
      end,
    } do
      refused(merge({ dispatch = start_all }, { [name] = act }),
        { "policy bad: " .. name, "the policy has acted ", "at this instant" })
    end
  end)
end)
