-- The trials of `orrery check`: the runs of one workload, and the results that must be equal.
--
-- A trial returns nil, or the problem in a sentence. Every session loads the policy anew. All runs
-- of one comparison with one thread share a loaded policy, and so the values that it keeps outside
-- of the simulation.
local command = require "orrery.command.command"
local lists = require "orrery.support.lists"
local orrery = require "orrery"

local trials = {}

local RUNS = 3 -- of every workload, each with its own failures

-- --- two engines --------------------------------------------------------------------------------

-- The fields of a call that runs the policy under check on a workload.
function trials.fields(subject, spec, more)
  return lists.merged(spec, subject.fields, more)
end

local function session(subject, spec, run)
  return orrery.session(trials.fields(subject, spec, {
    [subject.of == "tasks" and "run" or "scenario"] = run,
  }))
end

-- --- results -------------------------------------------------------------------------------------

local function shown(value)
  return math.type(value) == "float" and ("%.9g"):format(value) or tostring(value)
end

local KEYS = { "attempt", "kind", "start", "finish", "outcome", "group", "procs",
  "processors" }

-- "job 7 starts at 120 instead of 80": the first difference of two schedules; nil: none.
local function difference(wanted, found)
  for i = 1, math.max(#wanted, #found) do
    local a, b = wanted[i], found[i]
    if not a or not b then
      return ("%d entries in the schedule instead of %d"):format(#found, #wanted)
    elseif a.position ~= b.position then
      return ("%s starts at %s s where %s started at %s s"):format(b.id, shown(b.start), a.id,
        shown(a.start))
    end
    for _, key in ipairs(KEYS) do
      if a[key] ~= b[key] then
        return ("%s of %s (from %s s on) is %s instead of %s"):format(key, b.id, shown(b.start),
          shown(b[key]), shown(a[key]))
      end
    end
  end
end

-- The first difference of the numbers that both have; a session does not know all of them (nan).
local function metric_difference(wanted, found)
  for _, name in ipairs(orrery.tools.sorted(wanted)) do
    local a, b = wanted[name], found[name]
    if b ~= nil and a == a and a ~= b then
      return ("%s is %s instead of %s"):format(name, shown(b), shown(a))
    end
  end
end

-- --- trials with a session ----------------------------------------------------------------------

local MOST_STEPS = 50000 -- far more than a few dozen jobs or tasks need

local function served(subject, workload, seen)
  for run = 1, RUNS do
    local s, steps = session(subject, workload.spec, run), 0
    while s:step() do
      steps = steps + 1
      if steps == MOST_STEPS then
        return ("after %d instants, at %s s, it has not come to an end"):format(steps,
          shown(s.now))
      end
    end
    seen[run] = { metrics = s:finish(), session = s, schedule = s:schedule(), steps = steps + 1 }
  end
end

local function checked(_, _, seen)
  for run = 1, RUNS do
    local ok, problem = seen[run].session:check()
    if not ok then return problem end
  end
end

local function repeated(subject, workload, seen)
  local s = session(subject, workload.spec, 1)
  s:finish()
  return difference(seen[1].schedule, s:schedule())
end

-- Stops between instants.
local function stepped(subject, workload, seen, rng)
  local s = session(subject, workload.spec, 1)
  repeat
    local before, at = s.now, s.next_event
    if rng:integer(1, 3) == 1 and before < at and at < math.huge then
      s:run_until(before + (at - before) / 2)
    end
  until not s:step()
  return difference(seen[1].schedule, s:schedule())
end

-- The fork runs to the end before the original goes on; then the original goes back.
local function forked(subject, workload, seen, rng)
  local s = session(subject, workload.spec, 1)
  for _ = 1, rng:integer(0, seen[1].steps - 1) do s:step() end
  local fork, now, at = s:fork(), s.now, shown(s.now)
  local function differs(one, where)
    one:finish()
    local problem = difference(seen[1].schedule, one:schedule())
    return problem and where:format(at) .. problem
  end
  return differs(fork, "of a fork at %s s: ") or differs(s, "after a fork at %s s has run: ")
    or differs(s:back_to(now), "back at %s s, and on again: ")
end

-- A random element; nil where the list is empty.
local function any(rng, list) return list[rng:integer(1, math.max(1, #list))] end

-- Random changes of jobs that are not over: one is cancelled, one is struck, one is submitted; and
-- a third of the first group is out for a while.
local function job_changes(s, rng)
  local waiting, running, group = s:waiting(), s:running(), s.groups[1]
  local cancelled, struck = any(rng, waiting), any(rng, running)
  return {
    cancel = cancelled and cancelled.position,
    fault = struck and { job = struck.position },
    procs = { procs = math.max(1, group.procs * 2 // 3), group = group.name,
      ["until"] = math.max(s.now, 0) + 3000 },
    submit = { id = "from outside", procs = 1, runtime = 600 },
  }
end

local function task_changes(s, rng)
  local running = s:running()
  if #running < 2 then return { seed = 99 } end
  return { fault = { task = any(rng, running).position }, cancel = running[1].position, seed = 99,
    work = { [running[2].position] = 1.5 } }
end

-- Only the policy's reaction is tried: the engine is responsible for the changes themselves.
local function changed(subject, workload, seen, rng)
  local s = session(subject, workload.spec, 1)
  for _ = 1, rng:integer(0, seen[1].steps - 1) do s:step() end
  if s.over then return nil end
  local make = subject.of == "tasks" and task_changes or job_changes
  local at = shown(s.now)
  s:change(make(s, rng))
  for _ = 1, MOST_STEPS do
    if not s:step() then break end
  end
  if not s.over then return ("changed at %s s it does not come to an end"):format(at) end
  s:finish()
  local ok, problem = s:check()
  return not ok and ("changed at %s s: %s"):format(at, problem) or nil
end

-- --- trials with a comparison -------------------------------------------------------------------

local function compared(subject, workload, seen, threads)
  local result = orrery.compare(trials.fields(subject, workload.spec,
    { runs = RUNS, threads = threads }))
  for run = 1, RUNS do
    local problem = metric_difference(seen[run].metrics, result.sets[1].metrics:scenario(1, run))
    if problem then return problem, run end
  end
end

local function ordered(subject, workload, seen)
  local problem, run = compared(subject, workload, seen, 1)
  return problem and ("scenario %d behind the ones before it: %s"):format(run, problem)
end

local function threaded(subject, workload, seen)
  local problem, run = compared(subject, workload, seen, 2)
  return problem and ("scenario %d of %d on 2 threads: %s"):format(run, RUNS, problem)
end

-- The message without the policy's name in front, and without a traceback.
function trials.first_line(problem)
  local text = command.without_position(tostring(problem))
  return (text:match("^[^\n]*"):gsub("^policy .-: ", ""))
end

-- The workloads of one kind in one comparison, the last first: the results must be equal to their
-- separate runs. list: { workload =, seen = }, in the order of their numbers.
function trials.in_other_order(subject, list, note)
  local sets, spec = {}, lists.merged(list[#list].workload.spec)
  spec.jobs = nil
  for i = #list, 1, -1 do
    local workload = list[i].workload
    sets[#sets + 1] = { name = tostring(workload.number), jobs = workload.spec.jobs }
  end
  for _, threads in ipairs { 1, 2 } do
    local result = orrery.compare(trials.fields(subject, spec,
      { sets = sets, threads = threads }))
    for i, set in ipairs(result.sets) do
      local one = list[#list + 1 - i]
      local problem = metric_difference(one.seen[1].metrics, set.metrics:scenario(1, 1))
      if problem then
        note(one.workload, threads == 1 and "ordered" or "threaded",
          ("in one comparison with others of its kind: %s"):format(problem))
        return
      end
    end
  end
end

-- --- packs --------------------------------------------------------------------------------------

local function packs(subject, workload, first, runs)
  return orrery.packs(trials.fields(subject, workload.spec, { run = first, runs = runs }))
end

-- The first difference of two co-schedules.
local function pack_difference(wanted, found)
  for _, name in ipairs { "packs", "procs" } do
    local a, b = wanted[name](wanted), found[name](found)
    if name == "procs" then a, b = { a }, { b } end
    for i = 1, math.max(#a, #b) do
      local one, other = table.concat(a[i] or {}, " "), table.concat(b[i] or {}, " ")
      if one ~= other then
        return ("%s are (%s) instead of (%s)"):format(
          name == "packs" and "the tasks of pack " .. i or "the tasks' processors", other, one)
      end
    end
  end
end

local function pack_served(subject, workload, seen)
  for run = 1, RUNS do
    seen[run] = { session = packs(subject, workload, run, 1):coschedule(1, 1) }
  end
end

local function pack_repeated(subject, workload, seen)
  return pack_difference(seen[1].session, packs(subject, workload, 1, 1):coschedule(1, 1))
end

local function pack_ordered(subject, workload, seen)
  local result = packs(subject, workload, 1, RUNS)
  for run = 1, RUNS do
    local problem = pack_difference(seen[run].session, result:coschedule(1, run))
    if problem then return ("run %d behind the ones before it: %s"):format(run, problem) end
  end
end

-- --- properties ----------------------------------------------------------------------------------

local OUTLIVES = "Something outlives a run: does a cache (caches = { ... }) hold what is not the "
  .. "same in every scenario, or of every workload?"

-- The properties, in the order in which they are tried.
--   run, of_packs   the trial for a policy for jobs or tasks, and for a pack policy
--   title, of_tasks   the property in words; for tasks, where the words differ
--   hint            the probable cause
--   of_limits       the probable cause where a limit was reached
--   of_groups       the probable cause where the policy divides the machine
--   compares        a run of its own only shows the first line of an error
--   follows         not reported where a run cannot be repeated
--   final           if it fails, the later trials fail for the same reason
trials.properties = {
  { name = "served", run = served, of_packs = pack_served,
    title = "every job is served, and nothing goes wrong",
    of_tasks = "every task ends, and nothing goes wrong",
    of_groups = "The machine is divided. If no job is meant to be wider than its part: --widest "
      .. "0.7, say, leaves wider ones out. If the policy is for a larger machine: --procs says "
      .. "which is tried." },
  { name = "kept", title = "nothing is kept outside of sim.state" },
  { name = "checked", run = checked, of_packs = checked,
    title = "the schedules pass the independent checker" },
  { name = "repeated", run = repeated, of_packs = pack_repeated, final = true,
    title = "the same run again is the same",
    hint = "Something that is not the same in two runs decides." },
  { name = "stepped", run = stepped, follows = true, final = true,
    title = "stopping and stepping change nothing",
    hint = "Something that is not the same in two runs decides." },
  { name = "forked", run = forked, follows = true,
    title = "a fork has the future of its original, and leaves it alone",
    hint = "Does sim.state hold what cannot be copied, or a cache (caches = { ... }) what is not "
      .. "the same in every scenario?" },
  { name = "changed", run = changed, follows = true,
    title = "it copes with what is changed on the way",
    hint = "What-if: jobs and tasks are cancelled, also while they wait, are struck, and come from "
      .. "outside; the machine shrinks and grows. s:change{ ... } of a session does the same." },
  { name = "ordered", run = ordered, of_packs = pack_ordered, follows = true, final = true,
    compares = true, title = "what ran before changes nothing", hint = OUTLIVES },
  { name = "threaded", run = threaded, follows = true, compares = true,
    title = "1 and 2 threads give the same", hint = OUTLIVES },
  { name = "crowded", title = "with 400 jobs waiting no call takes too long",
    of_limits = "A loop over the queue inside another one? See \"What Lua costs\" in "
      .. "policies/README.md." },
}

local function trial_of(property, of) return property[of == "packs" and "of_packs" or "run"] end

-- Runs compare a policy's variables with their earlier values (bindings/host/kept.lua).
local function is_kept(problem)
  return problem.code == "policy" and (problem.message:find(" has changed: ", 1, true)) ~= nil
end

-- Whether a property is tried for policies of jobs, tasks or packs.
function trials.has(property, of)
  return property.name == "kept" or property.name == "crowded" and of == "jobs"
    or trial_of(property, of) ~= nil
end

-- Calls note(property, problem) for every problem with this workload. Returns the results of the
-- successful runs, { metrics =, schedule =, session = (or co-schedule) }, nil where none succeeded;
-- and the trials made, by name.
function trials.run(subject, workload, note)
  local seen, tried = {}, {}
  local rng = orrery.random { seed = workload.spec.seed, set = 4, entity = workload.number }
  for _, property in ipairs(trials.properties) do
    local name, trial = property.name, trial_of(property, subject.of)
    if trial then
      local ok, problem = orrery.tools.attempt(trial, subject, workload, seen, rng)
      local kept = not ok and is_kept(problem)
      tried[name], tried.kept = true, true
      -- another thread may get the signal, and the trial go well
      if orrery.tools.interrupted() then error("interrupted", 0) end
      if not ok then
        local line = trials.first_line(problem.message)
        note(kept and "kept" or name, line,
          (kept or property.compares) and line or problem.message, problem.code)
      elseif problem then
        note(name, problem, problem)
      end
      if problem and name == "served" then return nil, tried end -- no result to compare with
      if kept or problem and property.final then break end
    end
  end
  return seen, tried
end

return trials
