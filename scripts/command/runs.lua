-- From the options of replay and compare to results.
local command = require "orrery.command.command"
local options = require "orrery.command.options"
local orrery = require "orrery"
local progress = require "orrery.command.progress"
local log_options = require "orrery.command.log_options"

local runs = {}

-- --- jobs ---------------------------------------------------------------------------------------

-- Calls one of the log's selections; what is wrong with an argument is the command's misuse.
local function select_jobs(log, method, option, ...)
  local ok, jobs = orrery.tools.attempt(log[method], log, ...)
  if ok then return jobs end
  local raise = jobs.code == "argument" and command.misuse or command.fail
  raise("%s: %s", option, jobs.message)
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
    command.fail("no job was submitted %s; the log has %s", table.concat(span, " and "),
      tostring(log))
  end
  return jobs
end

-- The log and those of its jobs that are to be simulated.
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

-- What orrery.compare (mark "c") or orrery.session ("s") takes.
local function common(given, mark, jobs, errors)
  local spec = options.fields("runs.JobsSpec." .. mark, given)
  spec.jobs, spec.errors, spec.limits = jobs, errors, options.limits(given)
  spec.dependencies = given.dependencies
  if given.node_mtbf or given.node_failures then
    spec.node_failures = options.fields("runs.NodeFailures", given)
  end
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

-- One result per case: a list of { q =, rate =, label =, result = }.
--   policies  as orrery.compare takes them
function runs.run(given, jobs, policies)
  local list = cases(given)
  return progress.during("simulations", function(show)
    for i, case in ipairs(list) do
      local spec = common(given, "c", jobs, case.errors)
      spec.quantiles = given.quantiles
        or (given.runs or 1) == 1 and not given.by and not given.precision
      spec.metric = given.precision and given.metric
      spec.policies, spec.equal_procs = policies, not given.own_procs
      spec.progress = show and function(done, total)
        show(total * (i - 1) + done, total * #list)
      end
      case.result = orrery.compare(spec)
    end
    return list
  end)
end

-- The finished session of scenario 1, recorded.
function runs.record(given, jobs, case, policy)
  local option = given.schedule and "schedule" or given.timeline and "timeline" or "gantt"
  local what = option == "gantt" and "schedule" or option
  if #case.result.sets > 1 then
    command.misuse("--%s writes one %s: give one set of jobs, not %d", option, what,
      #case.result.sets)
  elseif case.result.runs > 1 then
    command.fail("--%s writes one %s: %s has %d rows, give a file with one", option, what,
      given.failures, case.result.runs)
  end
  local spec = common(given, "s", jobs, case.errors)
  spec.policy = policy
  return runs.recorded(spec, case.result)
end

-- The finished session with the first policy and run of a result. Its schedule passes the checker,
-- and its makespan is that of the result, or there is a bug to report.
function runs.recorded(spec, result)
  local session = orrery.session(spec)
  local makespan = session:finish().makespan
  assert(session:check())
  assert(makespan == result:values(1, "makespan")[1],
    "the recorded schedule is not the one that was simulated; please report this")
  return session
end

return runs
