-- Sessions of random packs: what can be seen of them, as text, and the simulation inside.
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

return runs
