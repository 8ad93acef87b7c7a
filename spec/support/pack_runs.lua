-- Sessions of random packs: what can be seen of them, as text, and the simulation inside.
local orrery = require "orrery"
local changeable = require "spec.support.changeable"
local packs = require "spec.support.packs"

local runs = {}

-- Everything that can be seen, as text: equal bits, equal text.
function runs.snapshot(session)
  local lines = { ("%a %a %a %d %d"):format(session.now, session.next_event, session.expected,
    session.free, session.procs) }
  for i = 1, #session.tasks do
    local task = session:task(i)
    lines[#lines + 1] = ("%s %d %a %a %a %a"):format(task.state, task.procs, task.left, task.ready,
      task.finish, task["end"])
  end
  for _, span in ipairs(session:schedule()) do
    lines[#lines + 1] = ("%d %s %a %a %s"):format(span.position, span.kind, span.start, span.finish,
      span.processors)
  end
  for _, fault in ipairs(session:faults()) do
    lines[#lines + 1] = ("%a %s %s"):format(fault.time, fault.processor, fault.task)
  end
  for _, moment in ipairs(session:allocation()) do
    lines[#lines + 1] = ("%a %d %a %a %a"):format(moment.time, moment.running, moment.mean,
      moment.sd, moment.expected)
  end
  local metrics = session:measure()
  for _, name in ipairs { "makespan", "faults", "redistributions", "moves", "fatal", "useful",
    "checkpoint", "lost", "recovery", "redistribution", "idle" } do
    lines[#lines + 1] = ("%s %a"):format(name, metrics[name])
  end
  return table.concat(lines, "\n")
end

local function lines_of(text)
  local lines = {}
  for line in text:gmatch "[^\n]+" do lines[#lines + 1] = line end
  return lines
end

-- Raises with the first line in which two snapshots differ.
function runs.same(expected, found, about)
  if expected == found then return end
  local a, b = lines_of(expected), lines_of(found)
  for i = 1, math.max(#a, #b) do
    if a[i] ~= b[i] then
      error(("line %d: expected %s, found %s\n%s"):format(i, a[i], b[i], about or ""), 2)
    end
  end
end

-- A policy that draws and remembers; what it does next depends on both.
function runs.moody()
  local function shuffle(sim)
    local state = sim.state
    state.count = state.count + 1
    for _, task in ipairs(sim:tasks()) do
      local draw = math.random()
      if draw < 0.3 and task.procs >= 4 then
        sim:give(task, -2)
      elseif draw > 0.5 and sim.free >= 2 and task.procs + 2 <= task.most then
        sim:give(task, 2)
        state.last = { task.position, draw + state.count }
      end
    end
  end
  return {
    name = "moody", init = function(sim) sim.state.count = 0 end, on_end = shuffle,
    on_fault = shuffle,
  }
end

runs.laws = { { "exponential" }, { "weibull", 0.7 }, { "lognormal", 1 } }

function runs.random_policy(rng)
  return rng:integer(1, 3) == 1 and runs.moody() or packs.policies[rng:integer(1, #packs.policies)]
end

-- A random pack, half of them with drawn faults, as the fields of orrery.session.
function runs.random_spec(rng, policy)
  local pack = packs.random(rng)
  local spec = packs.spec(pack, {
    policy = policy or runs.random_policy(rng), seed = rng:integer(1, 1000),
  })
  if rng:integer(1, 2) == 1 and pack.mtbf < math.huge then
    local law = runs.laws[rng:integer(1, #runs.laws)]
    spec.faults.log, spec.faults.law, spec.faults.shape = nil, law[1], law[2]
    spec.max_faults = 100000
  end
  return spec
end

function runs.some_steps(rng, session)
  for _ = 1, rng:integer(0, 6) do session:step() end
end

-- The independent checker has nothing to say.
function runs.holds(session)
  local fine, objection = session:check()
  if not fine then error(objection, 2) end
end

-- The simulation inside a session.
function runs.core(session)
  if type(session) == "userdata" then return session end
  local _, inside = next(session)
  return inside.core
end

-- --- changes -------------------------------------------------------------------------------------

-- What is changed here is what malleable/change.h describes.
function runs.start(spec) return changeable(runs.core(orrery.session(spec))) end

-- A policy as changes take it: from a session that has it.
function runs.prepared(policy)
  local session = runs.start { tasks = { n = 1 }, procs = 2, policy = policy }
  return (debug.getuservalue(session.core, 3))
end

-- Tasks that take so many processor-seconds on whatever number of processors up to 16, without a
-- size, so that nothing is ever moved or saved at any cost.
function runs.tasks(works, name)
  local list = {}
  for i, work in ipairs(works) do
    list[i] = { id = (name or "t") .. i, times = {} }
    for j = 1, 16 do list[i].times[j] = work / j end
  end
  return orrery.tasks.list(list)
end

-- A run of these without faults.
function runs.pack(works, procs, policy)
  return runs.start { tasks = runs.tasks(works), procs = procs, policy = policy,
    faults = { mtbf = math.huge, log = {}, downtime = 5 } }
end

-- A change is refused, and nothing has happened.
function runs.refused(message, session, change)
  local before = runs.snapshot(session)
  local ok, found = pcall(session.change, session, change)
  if ok then error("the change was made", 2) end
  if not found:find(message, 1, true) then
    error(("expected '%s' in: %s"):format(message, found), 2)
  end
  runs.same(before, runs.snapshot(session))
end

-- Somewhere in a run: after some instants, or between two.
function runs.somewhere(rng, session)
  if rng:integer(1, 2) == 1 then
    runs.some_steps(rng, session)
  else
    session:run_until(rng:uniform(0, 1.1) * session.expected)
  end
end

function runs.a_running_task(rng, session)
  local running = session:running()
  return #running > 0 and running[rng:integer(1, #running)].position or nil
end

function runs.sum(metrics)
  return metrics.useful + metrics.checkpoint + metrics.lost + metrics.recovery
    + metrics.redistribution + metrics.idle
end

-- Anything that can be changed; what may be refused only if `bold`.
function runs.random_change(rng, session, bold)
  local change, chance = {}, rng:integer(1, 4)
  local function often() return rng:integer(1, 4) <= chance end
  if often() then change.seed = rng:integer(1, 100) end
  if often() then change.policy = runs.prepared(runs.random_policy(rng)) end
  if often() then
    change.procs = { procs = rng:integer(0, 2 * session.procs + 4) }
    if rng:integer(1, 2) == 1 then
      change.procs["until"] = session.now + rng:uniform(0, 0.5) * (session.expected + 1)
    end
  end
  local free = change.procs and math.min(change.procs.procs - session.procs + session.free,
    session.free) or session.free
  if often() and (bold or free >= 4) then
    local list = {}
    for i = 1, rng:integer(1, 2) do list[i] = { m = rng:uniform(1000, 3000), f = 0.1 } end
    change.submit = orrery.tasks.list(list)
  end
  if often() then change.cancel = { runs.a_running_task(rng, session) } end
  if often() then
    local task = runs.a_running_task(rng, session)
    if task and task ~= (change.cancel or {})[1] then
      change.work = { [task] = rng:uniform(0.1, 2) ^ 2 }
    end
  end
  if often() then
    change.fault = { { processor = rng:integer(0, 1) }, { task = rng:integer(1, #session.tasks) } }
  end
  return change
end

return runs
