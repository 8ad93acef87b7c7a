-- What a policy keeps outside of sim.state is an error that names it, on any number of threads.
local orrery = require "orrery"
local refuse = require "spec.support.refused"
local temporary = require "spec.support.temporary"

local attempt, start_all = refuse.attempt, refuse.start_all
local jobs = orrery.synthetic { count = 40, seed = 8 }

local function compare(policy, threads, runs)
  return orrery.compare {
    jobs = jobs, procs = 3000, runs = runs or 8, threads = threads, policy = policy,
    errors = { mean_probability = 0.3 },
  }
end

-- On one thread and on more, and with one scenario.
local function found(policy, ...)
  policy.name = "bad"
  local expected = { "policy bad: ", ... }
  attempt(function() compare(policy, 1, 1) end, expected)
  attempt(function() compare(policy, 1) end, expected)
  attempt(function() compare(policy, 3) end, expected)
end

local function same_on_threads(policy)
  local one = compare(policy, 1):values(1, "makespan")
  for _, threads in ipairs { 2, 7 } do
    assert.same(one, compare(policy, threads):values(1, "makespan"))
  end
end

describe("what changes outside of sim.state is an error", function()
  it("that names the variable, what it was and is, and the mend", function()
    local served = {}
    found({ dispatch = function(sim)
      for job in sim:fitting() do
        served[job.position] = (served[job.position] or 0) + 1
        sim:start(job)
      end
    end }, "the variable 'served' has changed: served[", "was nil and is",
      "init = function(sim) sim.state.served = ... end", 'caches = { "served" }')
  end)

  it("in priorities that are asked once for each job of the workload", function()
    local asked = 0
    local function strange()
      asked = asked + 1
      return math.sin(asked * asked)
    end
    found({ priority = strange, dispatch = { discipline = "list", reservations = 1 } },
      "the variable 'asked' has changed: it was 0 and is 40")
  end)

  it("in numbers, in what functions read, and in what tables hold", function()
    local count = 0
    local function add() count = count + 1 end
    local helper = { deep = { add = add, texts = {} } }
    found({ dispatch = start_all, on_start = function() helper.deep.add() end },
      "the variable 'count' has changed: it was 0 and is ")
    count = 0
    found({ dispatch = start_all, on_start = function() helper.deep.texts["a b"] = "c" end },
      "the variable 'helper' has changed: helper.deep.texts[\"a b\"] was nil and is \"c\"")
    found({ dispatch = start_all, on_end = function() helper.deep = nil end,
      on_start = function() helper = helper or {} end },
      "the variable 'helper' has changed: helper.deep was a table and is nil")
  end)

  it("in numbers that are equal, whose bits a policy can see", function()
    for _, case in ipairs { { 0.0, -0.0 }, { 1, 1.0 }, { 0 / 0, -(0 / 0) } } do
      local was, is = case[1], case[2]
      local kept, held = was, { was }
      found({ dispatch = function(sim) kept = is start_all(sim) end,
        on_end = function() return kept == 7 and held[2] or nil end },
        "the variable 'kept' has changed: it was ")
      found({ dispatch = function(sim) held[1] = is start_all(sim) end },
        "the variable 'held' has changed: held[1] was ")
    end
  end)

  it("in coroutines of the prompt, which go on", function()
    local next_number = coroutine.wrap(function()
      for i = 1, math.huge do coroutine.yield(i) end
    end)
    attempt(function()
      compare({ name = "bad", dispatch = function(sim)
        if next_number() > 0 then start_all(sim) end
      end }, 1)
    end, { "policy bad: a coroutine from outside of its hooks goes on from one simulation to the "
      .. "next" })
  end)

  it("in metatables, in what they hold, and in the tables of the prompt", function()
    local memory, class = {}, {}
    found({ dispatch = start_all, on_start = function() setmetatable(memory, class) end },
      "the variable 'memory' has changed: its metatable was nil and is a table")
    temporary.file("shared.lua", [[
      local shared = setmetatable({}, { __index = { 1, 2 } })
      return { dispatch = function(sim)
        getmetatable(shared).__index[1] = 17
        for job in sim:fitting() do sim:start(job) end
      end }]], function(path)
        attempt(function() compare(path, 2) end,
          { "the variable 'shared' has changed: shared.__index[1] was 1 and is 17" })
      end)
    rawset(_G, "KEPT", { 5 })
    -- luacheck: ignore
    found({ dispatch = start_all, on_start = function() KEPT[1] = 6 end },
      "the variable 'KEPT' has changed: KEPT[1] was 5 and is 6")
    rawset(_G, "KEPT", nil)
  end)

  it("in options and in a priority", function()
    local last = 0
    attempt(function()
      orrery.compare { jobs = jobs, procs = 3000, runs = 3, policy = "easy", priority = {
        name = "bad", per = "decision", priority = function(job)
          last = last + job.procs
          return last
        end,
      } }
    end, { "easy + bad: the variable 'last' has changed: it was 0" })
  end)

  it("of tasks and of packs", function()
    local seen = {}
    attempt(function()
      orrery.compare { tasks = { n = 4 }, procs = 40, runs = 2, faults = { mtbf_years = 0.2 },
        policy = { name = "bad", on_end = function(sim) seen[1] = sim.now end } }
    end, { "policy bad: the variable 'seen' has changed: seen[1] was nil" })
    attempt(function()
      orrery.packs { tasks = { n = 4 }, procs = 8, runs = 2, policy = {
        name = "bad", pack = function(problem)
          seen[#seen + 1] = 1
          return problem:one_by_one()
        end } }
    end, { "policy bad: the variable 'seen' has changed: seen[1] was nil and is 1" })
  end)

  it("but what is read only, and sim.state, are none", function()
    local table_of, nan = { { 1 }, x = { nan = 0 / 0 } }, 0 / 0
    same_on_threads { dispatch = start_all, init = function(sim) sim.state.count = 0 end,
      on_start = function(sim)
        sim.state.count = sim.state.count + table_of[1][1] + (nan == nan and 1 or 0)
        setmetatable({}, table_of)
      end }
  end)
end)

describe("state that contents do not show", function()
  local HOLES = "{ 1, 2, 3, 4, 5, 6, 7, 8, 9, nil, 11, nil, nil, nil, nil, nil }"

  it("is an error that names the table that was filled and emptied again", function()
    local memory = {}
    found({ dispatch = function(sim)
      for job in sim:waiting() do memory[#memory + 1] = job.position end
      for i = #memory, 1, -1 do memory[i] = nil end
      start_all(sim)
    end }, "the variable 'memory' has changed: it was filled and emptied again", "sim.state.memory")
    local deep = { { 1 } } -- luacheck: ignore
    found({ dispatch = start_all, on_start = function()
      deep[1].a, deep[1].b = 1, 2
      deep[1].a, deep[1].b = nil, nil
    end }, "the variable 'deep' has changed: deep[1] was filled and emptied again")
  end)

  -- Lua finds 9 or 11, by what was read before.
  it("is not left behind by reading", function()
    local text = ("local holes = %s\n"):format(HOLES) .. [[
      return { dispatch = function(sim)
        local border = #holes
        if holes[11] and border ~= 9 then error("the border is " .. border) end
        for job in sim:fitting() do sim:start(job) end
      end }]]
    temporary.file("holes.lua", text, function(path) compare(path, 1) end)
  end)

  it("is the same in a fork", function()
    local text = [[
      return { init = function(sim) sim.state.list = {} end, dispatch = function(sim)
        local list = sim.state.list
        for i = 1, sim.waiting_count do list[i] = i end
        for i = 3, 40, 3 do list[i], list["a" .. i] = nil, i end
        for i = 1, 40, 2 do list["a" .. i] = nil end
        sim:note { border = #list }
        for job in sim:fitting() do sim:start(job) end
      end }]]
    local function notes_of(session)
      local texts = {}
      session:finish()
      for i, note in ipairs(session.notes) do texts[i] = note.border end
      return texts
    end
    temporary.file("list.lua", text, function(path)
      local session = orrery.session { jobs = jobs, procs = 3000, policy = path }
      for _ = 1, 20 do session:step() end
      local fork = session:fork()
      local whole, rest = notes_of(session), notes_of(fork)
      assert.is_true(#rest > 3)
      assert.same(table.move(whole, #whole - #rest + 1, #whole, 1, {}), rest)
    end)
  end)

  it("does not go from one session to its fork and back", function()
    local served
    local s = orrery.session { jobs = jobs, procs = 3000, policy = { name = "bad",
      dispatch = start_all, on_end = function() served = not served or nil end } }
    local fork = s:fork()
    attempt(function()
      while s:step() and fork:step() do end -- luacheck: ignore
    end, "the variable 'served' has changed: it was nil and is true")
  end)
end)

describe("a session", function()
  local function begin(policy)
    policy.name = "bad"
    return orrery.session { jobs = jobs, procs = 3000, policy = policy }
  end

  it("finds it when it is over, however it got there", function()
    for _, run in ipairs { function(s) s:finish() end, function(s) s:run_until(1e9) end,
      function(s) while s:step() do end end } do -- luacheck: ignore
      local served = 0
      local s = begin { dispatch = start_all, on_start = function() served = served + 1 end }
      attempt(function() run(s) end, { "policy bad: the variable 'served' has changed: it was 0 "
        .. "and is 40", "sim.state.served" })
    end
  end)

  it("finds it before a fork, whose future would be another", function()
    local served = 0
    local s = begin { dispatch = start_all, on_start = function() served = served + 1 end }
    s:fork()
    s:step()
    attempt(function() s:fork() end, "the variable 'served' has changed: it was 0 and is ")
    attempt(function() s:fork { procs = 4000 } end, "the variable 'served' has changed")
  end)

  it("finds it in policies for tasks", function()
    local seen = {} -- luacheck: ignore
    local s = orrery.session { tasks = { n = 4 }, procs = 40, faults = { mtbf_years = 0.2 },
      policy = { name = "bad", on_end = function(sim) seen[1] = sim.now end } }
    attempt(function() s:finish() end, "policy bad: the variable 'seen' has changed: seen[1]")
  end)

  it("has the same future as its forks where all is in sim.state, and in caches", function()
    local roots = {}
    local s = begin { caches = { "roots" }, per = "decision", dispatch = start_all,
      init = function(sim) sim.state.count = 0 end,
      on_start = function(sim) sim.state.count = sim.state.count + 1 end,
      priority = function(job, sim)
        roots[job.procs] = roots[job.procs] or job.procs ^ 0.5
        return roots[job.procs] + sim.state.count
      end }
    s:step()
    local fork = s:fork()
    local expected = s:finish()
    assert.same(expected, fork:fork():finish())
    assert.same(expected, fork:finish())
  end)
end)

describe("the length of a table with holes", function()
  -- Texts among the keys: where they are found, and so when the table grows, depends on a seed that
  -- Lua takes from the clock and from addresses.
  local POLICY = [[return {
    init = function(sim)
      local lengths = {}
      for seed = 1, 200 do
        local t, x = {}, seed * 7919
        for _ = 1, 40 do
          x = (x * 1103515245 + 12345) % 2147483648
          local k = x >> 8
          if k % 3 == 0 then
            t["k" .. k % 50] = true
          else
            t[k % 24 + 1] = k % 5 > 0 and 1 or nil
          end
        end
        lengths[seed] = #t
      end
      sim.state.lengths = table.concat(lengths, " ")
    end,
    dispatch = "dispatch/fcfs",
  }]]

  it("is the same in every Lua state of a policy", function()
    local expected
    temporary.file("policy", POLICY, function(path)
      os.rename(path, path .. ".lua")
      for _ = 1, 30 do
        local state = orrery.session { jobs = jobs, procs = 3000, policy = path .. ".lua" }.state
        expected = expected or state.lengths
        assert.equal(expected, state.lengths)
      end
      os.remove(path .. ".lua")
    end)
  end)
end)

describe("caches", function()
  local roots = {}
  local function root(job)
    roots[job.procs] = roots[job.procs] or { job.procs ^ 0.5 }
    return roots[job.procs][1]
  end

  it("may be filled, and give the same on any number of threads", function()
    local filled, total = false, nil
    same_on_threads { caches = { "roots", "total", "filled" }, per = "decision",
      dispatch = start_all, priority = function(job)
        total = total or 5
        return root(job) + total + (filled and 1 or 0)
      end }
  end)

  it("keep what they hold", function()
    local memory = {} -- luacheck: ignore
    local policy = { name = "bad", caches = { "memory" }, dispatch = start_all,
      on_end = function(sim) memory[2] = sim.now end }
    for threads = 1, 2 do
      attempt(function() compare(policy, threads) end, { "policy bad: the cache 'memory' has "
        .. "changed: memory[2] was ", "is filled in once and then stays" })
    end
  end)

  it("are names of variables that there are", function()
    refuse.policy({ caches = { "rots" }, dispatch = function(sim)
      if roots then start_all(sim) end
    end }, "policy bad: caches: it has no variable 'rots' outside of its hooks (known: roots, ")
    refuse.policy({ caches = "roots", dispatch = start_all },
      "policy bad: caches must be a list of names of variables, it is a string")
  end)
end)
