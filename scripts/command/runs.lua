-- From the options of replay and compare to results.
local command = require "orrery.command.command"
local options = require "orrery.command.options"
local orrery = require "orrery"
local progress = require "orrery.command.progress"
local core = require "orrery.core"
local log_options = require "orrery.command.log_options"

local runs = {}

-- --- jobs ---------------------------------------------------------------------------------------

-- Calls one of the log's selections; a wrong argument is a misuse of the command.
local function select_jobs(log, method, option, ...)
  local ok, jobs = orrery.tools.attempt(log[method], log, ...)
  if ok then return jobs end
  command.misuse("%s: %s", option, jobs.message)
end

local function between(log, given)
  local from, to = given.from or -math.huge, given.to or math.huge
  from, to = tonumber(from) or from, tonumber(to) or to
  local jobs = select_jobs(log, "between", given.from and given.to and "--from, --to"
    or given.from and "--from" or "--to", from, to)
  if #jobs == 0 then
    local span = {}
    if given.from then span[1] = "at or after " .. given.from end
    if given.to then span[#span + 1] = "before " .. given.to end
    command.misuse("no job was submitted %s; the log has %s", table.concat(span, " and "),
      tostring(log))
  end
  return jobs
end

function runs.read(given)
  given.log = given.log or orrery.home .. "/data/mira/sample-2019-06.csv"
  local log = log_options.log(given)
  local jobs = log
  if given.day then
    local day = not log.origin and math.tointeger(tonumber(given.day)) or given.day
    jobs = select_jobs(log, "day", "--day", day)
  elseif given.week then
    jobs = select_jobs(log, "week", "--week", given.week)
  elseif given.from or given.to then
    jobs = between(log, given)
  end
  log_options.check_machine(log, given)
  return log, jobs
end

-- --- runs ---------------------------------------------------------------------------------------

-- The fields for orrery.compare (mark "c") or orrery.session ("s").
local function common(given, mark, jobs, errors)
  local spec = options.fields("runs.JobsSpec." .. mark, given)
  spec.jobs, spec.errors, spec.limits = jobs, errors, options.limits(given)
  spec.dependencies = given.dependencies
  if given.node_mtbf or given.node_failures or given.outages or given.domains then
    spec.node_failures = options.fields("runs.NodeFailures", given)
  end
  if given.checkpoint then spec.checkpoint = options.fields("runs.Checkpoints", given) end
  return spec
end

-- The kinds of failures to simulate, one after the other: { q = } or { rate = }, { label = }.
local function cases(given)
  if given.failures then return { { label = "failures of " .. given.failures } } end
  if given.rate then
    return { { rate = given.rate, label = ("rate %g"):format(given.rate),
      errors = { rate = given.rate } } }
  end
  local list = {}
  for i, q in ipairs(#given.q > 0 and given.q or { 0 }) do
    list[i] = { q = q, label = ("q = %g"):format(q), errors = { mean_probability = q } }
  end
  return list
end

-- The variants by --machine, --procs, --walltimes and --pool: a list of { machine =, procs =,
-- walltimes =, pools =, label = } where several are given, else empty.
local function variants(given)
  local list = {}
  for _, machine in ipairs(given.all_machines[2] and given.all_machines or {}) do
    for _, walltimes in ipairs(#given.all_walltimes > 0 and given.all_walltimes or { false }) do
      list[#list + 1] = { machine = machine, walltimes = walltimes or nil,
        label = machine .. (#given.all_walltimes > 1 and ", walltimes " .. walltimes or "") }
    end
  end
  if list[1] then return list end
  for _, procs in ipairs(#given.all_procs > 0 and given.all_procs or { false }) do
    for _, walltimes in ipairs(#given.all_walltimes > 0 and given.all_walltimes or { false }) do
      for _, one in ipairs(given.all_pools) do
        local label = {}
        if #given.all_procs > 1 then label[1] = ("%d processors"):format(procs) end
        if #given.all_walltimes > 1 then label[#label + 1] = "walltimes " .. walltimes end
        label[#label + 1] = one.label
        list[#list + 1] = { procs = procs or nil, walltimes = walltimes or nil, pools = one.pools,
          label = table.concat(label, ", ") }
      end
    end
  end
  return list
end

-- The jobs that can start on all of several machines, and a note where some cannot (READINGS 59).
local function startable(given, jobs)
  local machines, all, counts = given.all_machines or {}, jobs, {}
  for i, path in ipairs(machines[2] and machines or {}) do
    local machine = orrery.machine(path)
    local nodes = require("orrery.values.machine").nodes(machine)
    local shared = { limit = require("orrery.values.limits").of(machine.limits),
      pools = require("orrery.values.pools").of(machine.pools) }
    local function on_it(some)
      return (core.within(nodes and core.fitting(some, nodes.core) or some, shared))
    end
    jobs = on_it(jobs)
    counts[i] = ("%d of %s"):format(#all - #on_it(all), path)
  end
  if #jobs == #all then return all end
  if #jobs == 0 then command.misuse("--machine: no job can start on all of these machines") end
  return jobs, ("compared on the %d of %d jobs that can start on every machine; left out for not "
    .. "starting: %s"):format(#jobs, #all, table.concat(counts, ", "))
end

-- One variant. `users`: walltimes by the model of user estimates.
local function compare(given, jobs, spec, variant, record)
  spec.procs = variant.procs or spec.procs
  spec.walltimes = variant.walltimes or spec.walltimes
  spec.pools = variant.pools or spec.pools
  if variant.machine then spec.machine, spec.procs, spec.pools = variant.machine, nil, nil end
  if spec.walltimes == "users" then
    spec.jobs, spec.walltimes = jobs:user_estimates { seed = given.seed or 1 }, "log"
  elseif spec.walltimes ~= "log" then
    spec.overrun, spec.grace = nil, nil -- they decide about jobs that overrun walltimes
  end
  local result = record and require("orrery.run.jobs").compare(spec, nil, record)
    or orrery.compare(spec)
  if not spec.batch and (spec.walltimes or "runtime") == "runtime"
    and core.known_walltimes(jobs) > 0 then
    require("orrery.run.results").add_note(result, "the scheduler knows how long each job runs, "
      .. "and not the walltimes of the log (--walltimes log)")
  end
  return result
end

-- One result per case: a list of { q =, rate =, label =, result = }.
--   policies  in the form of orrery.compare
--   record    the file that schedules are to be written to, where there is one scenario
function runs.run(given, jobs, policies, record)
  local list = cases(given)
  local circumstances = given.all_procs and variants(given) or { {} }
  local steps = #list * #circumstances
  local note
  jobs, note = startable(given, jobs)
  return progress.during("simulations", function(show)
    if show then show(0, #policies * (given.runs or 1) * steps) end
    for i, case in ipairs(list) do
      for v, variant in ipairs(circumstances) do
        local spec = common(given, "c", jobs, case.errors)
        spec.quantiles, spec.metrics = given.quantiles, given.kept
        spec.metric = given.precision and given.metric
        spec.policies, spec.equal_procs = policies, not given.own_procs
        spec.progress = show and function(done, total)
          show(total * ((i - 1) * #circumstances + v - 1) + done, total * steps)
        end
        variant.result = compare(given, jobs, spec, variant, steps == 1 and record)
        variant.fields = { walltimes = variant.walltimes, pools = variant.pools,
          procs = variant.machine and variant.result.procs or variant.procs,
          machine = variant.machine }
      end
      case.result = circumstances[2] and orrery.tools.joined(circumstances)
        or circumstances[1].result
      if note then require("orrery.run.results").add_note(case.result, note) end
    end
    return list
  end)
end

-- Whether the only result has the schedules of its policies.
function runs.has_schedules(list)
  local sets = list[1].result.sets
  return #list == 1 and #sets == 1 and sets[1].metrics:has_schedules()
end

-- The finished, recorded sessions of scenario 1 for each of these policies; with --trace also the
-- trace of the first.
function runs.record(given, case, policies)
  local option = given.schedule and "schedule" or given.timeline and "timeline"
    or given.trace and "trace" or "gantt"
  local what = option == "gantt" and "schedule" or option
  if #case.result.sets > 1 then
    command.misuse("--%s writes one %s: give one set of jobs, not %d", option, what,
      #case.result.sets)
  elseif case.result.runs > 1 then
    command.misuse("--%s writes one %s: %s has %d rows, give a file with one", option, what,
      given.failures, case.result.runs)
  end
  local spec = common(given, "s", case.result.sets[1].jobs, case.errors)
  spec.load = nil -- they have it
  local sessions, trace = {}, nil
  for i, policy in ipairs(policies) do
    spec.policy = policy
    sessions[i], trace = progress.doing("recording the schedule", runs.recorded, spec, case.result,
      i, given.trace)
  end
  return sessions, trace
end

-- The finished session with a policy (1: the first) and the first run of a result, and its trace if
-- wanted. The schedule must pass the checker, and the makespan must equal the result's; else there
-- is a bug to report.
function runs.recorded(spec, result, policy, traced)
  local before = orrery.tools.hush(true) -- the policy has already printed its output
  local ok, session, makespan, trace = pcall(function()
    local s = orrery.session(spec)
    local text = traced and s:trace()
    return s, s:finish().makespan, text
  end)
  orrery.tools.hush(before)
  if not ok then error(session, 0) end
  assert(session:check())
  assert(makespan == result:values(policy, "makespan")[1],
    "the recorded schedule is not the one that was simulated; please report this")
  return session, trace
end

return runs
