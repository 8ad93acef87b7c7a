-- Policies for malleable tasks: how they are named and given, and what becomes of bad ones.
local merge = require "spec.support.merge"
local of_processor = require "spec.support.refused".of_processor
local orrery = require "orrery"
local program = require "spec.support.program"

-- Two tasks on four processors that never fail. Both start on two; B ends at 2 and A, 16 s of work
-- on one processor, at 8, unless something moves. Moving from 2 to 4 processors costs
-- 2 * 8 / (2 * 4) = 2 s.
local TASKS = orrery.tasks.list {
  { id = "A", m = 8, times = { 16, 8, 6, 5 } }, { id = "B", m = 8, times = { 4, 2, 1.5, 1.25 } },
}

local function compare(policy, more)
  return orrery.compare(merge({ tasks = TASKS, procs = 4, policy = policy }, more))
end

local function refused(policy, expected, more)
  local ok, message = pcall(compare, policy, more)
  assert.is_false(ok)
  assert.equal(expected, (message:gsub("\nstack traceback.*", "")))
  assert.equal(8, compare("none"):values(1, "makespan")[1])
end

-- All that is free goes to the first task.
local function take_all(sim)
  if sim.free >= 2 then sim:give(sim:longest(), sim.free - sim.free % 2) end
end

local LOG = { mtbf = math.huge, downtime = 0.5, log = { { time = 1, task = "A" } } }

describe("a redistribution policy is given", function()
  local function makespan(policy, more) return compare(policy, more):values(1, "makespan")[1] end
  local function name(policy) return compare(policy).policies[1].name end

  it("by the name of one file, whose hooks are used", function()
    for _, given in ipairs { "end-local", "redistribute/end-local",
      "policies/redistribute/end-local.lua" } do
      assert.equal(7.75, makespan(given)) -- 2 + 2 + (1 - 2/8) * 5
      assert.equal(given, name(given))
    end
    assert.equal(8, makespan "iterated-greedy")
  end)

  it("by two names, the first for ends, the second for faults", function()
    local asked = {}
    local function file(folder, hook)
      program.write(folder, hook .. ".lua", ("return { %s = function(sim) error '%s' end }"):format(
        hook, hook))
      return ("%s/%s.lua"):format(folder, hook)
    end
    local folder = program.folder()
    local on_end, on_fault = file(folder, "on_end"), file(folder, "on_fault")
    for _, given in ipairs { on_end .. "+none", "none+" .. on_fault, on_end .. "+" .. on_fault } do
      local ok, message = pcall(compare, given, { faults = LOG })
      assert.is_false(ok)
      asked[#asked + 1] = message:match "on_%w+ for task %w+ at time [%d.]+"
    end
    program.remove(folder)
    assert.same({ "on_end for task B at time 2", "on_fault for task A at time 1",
      "on_fault for task A at time 1" }, asked)
    assert.equal(7.75, makespan "end-local+none")
    assert.equal("end-local+iterated-greedy", name "end-local+iterated-greedy")
  end)

  it("with a + in the name of a file", function()
    local folder = program.folder()
    program.write(folder, "a+b.lua", "return { on_end = false, on_fault = false }")
    local path = folder .. "/a+b.lua"
    for _, given in ipairs { path, path .. "+iterated-greedy", "end-local+" .. path,
      path .. "+" .. path } do
      assert.equal(given, name(given))
    end
    program.remove(folder)
  end)

  it("as a table that is the policy", function()
    assert.equal(7.75, makespan { on_end = take_all })
    assert.equal("mine", name { name = "mine", on_end = take_all })
    assert.is_truthy(name({ on_end = take_all }):find "^function at .*task_policies_spec.lua:%d+$")
  end)

  it("as a table of parts of every kind", function()
    assert.equal(7.75, makespan { on_end = "end-local", on_fault = function() end })
    assert.equal(7.75, makespan { on_end = { name = "x", on_end = take_all }, on_fault = false })
    assert.equal(8, makespan { on_end = "none", on_fault = "iterated-greedy" })
    assert.equal("end-local+iterated-greedy",
      name { on_end = "end-local", on_fault = "iterated-greedy" })
    assert.equal("none+iterated-greedy", name { on_fault = "iterated-greedy" })
    assert.equal("x+none", name { on_end = { name = "x", on_end = take_all } })
    assert.equal("mine", name { on_end = "end-local", name = "mine" })
    assert.equal("mine", name { policy = "end-local", name = "mine" })
  end)

  it("with options: its own, those of the run, and behind a colon", function()
    local folder = program.folder()
    program.write(folder, "p.lua", [[
return function(options)
  return {
    options = { share = 0 },
    on_end = function(sim)
      if options.share == 1 and sim.free >= 2 then sim:give(sim:longest(), 2) end
    end,
  }
end]])
    local path = folder .. "/p.lua"
    assert.equal(8, makespan(path))
    assert.equal(7.75, makespan(path .. ":share=1"))
    assert.equal(7.75, makespan(path .. ":share=1+none"))
    assert.equal(7.75, makespan(path, { options = { share = 1 } }))
    assert.equal(8, makespan(path .. ":share=0", { options = { share = 1 } }))
    assert.equal(7.75, makespan { policy = path, options = { share = 1 } })
    assert.equal(7.75, makespan { on_end = path, options = { share = "1" } })
    assert.equal(7.75, makespan({ on_end = path, on_fault = "iterated-greedy" },
      { options = { share = 1 } }))
    program.remove(folder)
  end)

  it("with one sim.state for both parts, made by both inits in this order", function()
    local kept, seen = TASKS, {} -- TASKS keeps the policy in this state
    compare({
      on_end = {
        init = function(sim) sim.state.first = #kept end,
        on_end = function(sim) seen[#seen + 1] = sim.state.first .. sim.state.second end,
      },
      on_fault = {
        init = function(sim) sim.state.second = sim.state.first + 1 end,
        on_fault = function(sim) seen[#seen + 1] = sim.state.second end,
      },
    }, { faults = LOG })
    assert.same({ 3, "23" }, seen)
  end)

  it("with one init for both hooks of one file", function()
    local folder = program.folder()
    program.write(folder, "p.lua", [[
return {
  init = function(sim) sim.state.inits = (sim.state.inits or 0) + 1 end,
  on_end = function(sim) error(("on_end after %d"):format(sim.state.inits)) end,
  on_fault = function(sim) sim.state.inits = sim.state.inits + 10 end,
}]])
    local ok, message = pcall(compare, folder .. "/p.lua", { faults = LOG })
    program.remove(folder)
    assert.is_false(ok)
    assert.matches("on_end after 11\n", message)
  end)
end)

describe("what is no redistribution policy is refused:", function()
  it("names that nobody has, and those of other kinds", function()
    refused("end-lcal", "there is no policy 'end-lcal', did you mean 'end-local'?")
    refused("end-local+iterated-gredy",
      "there is no policy 'iterated-gredy', did you mean 'iterated-greedy'?")
    refused("easy", "'easy' is a dispatch policy (dispatch/easy), for jobs; tasks want a "
      .. "redistribution policy")
    refused("priority/lpt", "'priority/lpt' is a priority, for jobs; tasks want a redistribution "
      .. "policy")
    local jobs = orrery.synthetic { count = 3 }
    for _, case in ipairs {
      { "policy", "end-local", "'end-local' is a redistribution policy (redistribute/end-local), "
        .. "for tasks; jobs want a dispatch policy" },
      { "priority", "redistribute/none", "'redistribute/none' is a redistribution policy, for "
        .. "tasks; jobs want a priority" },
      { "policy", "policies/redistribute/end-local.lua", "policy policies/redistribute/end-local"
        .. ".lua: it redistributes tasks (it has an on_end), and schedules no jobs" },
    } do
      local ok, message = pcall(orrery.compare, { jobs = jobs, procs = 4000, [case[1]] = case[2] })
      assert.is_false(ok)
      assert.equal(case[3], message)
    end
    refused("policies/dispatch/easy.lua", "policy policies/dispatch/easy.lua: it schedules jobs "
      .. "(it has a dispatch), and redistributes no tasks")
  end)

  it("parts that lack the hook they are wanted for", function()
    refused("iterated-greedy+end-local",
      "policy iterated-greedy: it has no on_end, only an on_fault")
    refused("end-local+end-local", "policy end-local: it has no on_fault, only an on_end")
    refused({ name = "x" }, "policy x: it has neither on_end nor on_fault (false says that nothing "
      .. "is done)")
    refused({ on_end = { name = "x", on_fault = false } }, "policy x: it has no on_end")
  end)

  it("wrong types", function()
    refused(5, "expected the name of a redistribution policy or a table, found number")
    refused(function() end, "a function alone does not say when it is called: give { on_end = f } "
      .. "or { on_fault = f }")
    refused({ name = "x", on_end = 5 }, "policy x: on_end must be a function, it is a number")
    refused({ name = "x", on_end = take_all, init = 5 },
      "policy x: init must be a function, it is a number")
    refused({ policy = "none", options = 5 }, "options: expected a table, found number")
    refused({ policy = "none", name = 5 }, "name: expected text, found number")
    refused("none", "options: expected a table, found number", { options = 5 })
  end)

  it("unknown keys", function()
    refused({ name = "x", on_ende = take_all }, "policy x: unknown key 'on_ende' (known: name, "
      .. "about, source, options, on_end, on_fault, every_fault, on_start, period, init, "
      .. "caches)")
    refused({ on_end = "none", about = "x" }, "unknown key 'about' beside on_end and on_fault "
      .. "(known: on_end, on_fault, name, options)")
    refused({ policy = "none", about = "x" }, "unknown key 'about' beside policy (known: policy, "
      .. "name, options)")
  end)

  it("options that nobody has, or of the wrong kind", function()
    refused("none", "no policy here has an option 'x'; `orrery policies` lists them",
      { options = { x = 1 } })
    refused({ policy = "end-local", options = { x = 1 } }, "policy end-local has no option 'x'")
    refused("none:x=1", "policy none:x=1: it has no option 'x'")
    refused("none+shortest-tasks-first:literal=perhaps", "policy shortest-tasks-first:literal="
      .. "perhaps: option literal: expected a boolean, found 'perhaps'")
  end)

  it("inits that undo each other", function()
    local function init(sim) sim.state = {} end
    local policy = {
      name = "x", on_end = { init = init, on_end = take_all },
      on_fault = { init = init, on_fault = take_all },
    }
    local ok, message = pcall(compare, policy)
    assert.is_false(ok)
    assert.is_truthy(message:find("policy x: init at time 0: the on_fault's init replaced "
      .. "sim.state, which the on_end's init had made: it may only add fields", 1, true), message)
  end)
end)

describe("a bad decision", function()
  -- In a comparison on threads and in a session; the last hook is told, with its task and time.
  local function bad(hook, action, expected, more)
    local policy = { name = "bad", [hook] = action }
    local spec = merge({ tasks = TASKS, procs = 4, faults = LOG }, more)
    for _, run in ipairs {
      function() orrery.compare(merge(spec, { policy = policy, runs = 4, threads = 2 })) end,
      function() orrery.session(merge(spec, { policy = policy })):finish() end,
    } do
      local ok, message = pcall(run)
      assert.is_false(ok)
      assert.is_truthy(message:find("policy bad: " .. hook .. " for task %w at time [%d.]+: "),
        message)
      assert.matches(expected, of_processor(message), 1, true)
    end
  end

  it("hands out more than there is", function()
    bad("on_end", function(sim, _)
      sim:assign(sim:longest(), 6)
    end, "task A cannot have 6 processors: the machine has 4")
    bad("on_fault", function(sim, task)
      sim:assign(task, 4)
    end, "hands out 6 processors; there are 4")
  end)

  it("gives an odd number, none, or what is no number", function()
    for _, procs in ipairs { 3, 1, 0, -2 } do
      local code = "return function(sim) sim:assign(sim:longest(), %d) end"
      bad("on_end", load(code:format(procs))(), ("task A cannot have %d processors: a task that "
        .. "checkpoints has an even number of them"):format(procs))
    end
    bad("on_end", function(sim) sim:assign(sim:longest(), "many") end,
      "number expected, got string")
    bad("on_end", function(sim) sim:assign(5, 2) end, "task expected, got number")
    bad("on_end", function(sim) sim:assign(nil, 2) end, "task expected, got nil")
    bad("on_end", function(sim) sim.assign(2, 2) end, "call it as sim:method(...)")
  end)

  it("touches a task that is over", function()
    bad("on_end", function(sim, task) sim:assign(task, 2) end,
      "task B cannot be given processors: it is over")
  end)

  it("touches a task that is locked", function()
    bad("on_end", function(sim) sim:assign(sim:running()[1], 4) end,
      "task A is locked until 2.5, while it recovers or is redistributed: its processors cannot "
      .. "change at 2", { faults = merge(LOG, { downtime = 1.5 }) })
  end)

  it("is returned instead of proposed", function()
    bad("on_end", function(sim) return { [sim:longest()] = 4 } end, "on_end returned table: ")
    bad("on_fault", function() return false end, "on_fault returned false; it must return nothing")
  end)

  it("misspells, fails, or never ends", function()
    bad("on_end", function(sim) return sim.fre end, "sim has no field 'fre'")
    bad("on_end", function(_, task) return task.proc end, "task has no field 'proc'")
    bad("on_end", function() error "oh no" end, "task_policies_spec.lua:")
    bad("on_fault", function(_, task) task.procs = 8 end, "tasks cannot be changed by a policy")
    bad("on_end", function() while true do end end, "this call took more than 0.2 s", -- luacheck: ignore
      { limits = { seconds = 0.2 } })
  end)
end)

describe("orrery.policies and describe", function()
  it("know the redistribution policies, and which hooks they have", function()
    local found = {}
    for _, policy in ipairs(orrery.policies()) do
      local short = policy.name:match "^redistribute/(.*)$"
      if short then found[short] = policy end
    end
    assert.is_true(found["end-local"].on_end)
    assert.is_nil(found["end-local"].on_fault)
    local stf = orrery.describe "shortest-tasks-first"
    assert.is_true(stf.on_fault)
    assert.is_false(stf.options.literal.default)
    assert.same({ false, false }, { found.none.on_end, found.none.on_fault })
    assert.is_nil(stf.per)
    assert.equal(stf.about, orrery.describe "policies/redistribute/shortest-tasks-first.lua".about)
  end)
end)
