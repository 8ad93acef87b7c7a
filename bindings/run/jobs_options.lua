-- jobs_options: checks a user's options for simulations of rigid jobs; makes those of the C part.
local checks = require "orrery.support.checks"
local core = require "orrery.core"

local check_fields, refuse = checks.fields, checks.refuse

local jobs_options = {}

-- Attempts of a job that node failures end, where no max_attempts is given.
local MOST_STRUCK = 100000

local function error_rate(errors)
  if errors == nil then return nil, nil end
  check_fields("errors", errors, "runs.Errors")
  refuse(errors.mean_probability and errors.rate, "errors: give mean_probability or rate, not both")
  return errors.mean_probability, errors.rate
end

-- Whether the log's walltimes are wanted, and the function that estimates runtimes, if one does.
function jobs_options.walltimes(choice)
  if choice == nil or choice == "runtime" then return false end
  if choice == "log" then return true end
  checks.expect(type(choice) == "function", "walltimes", "'log', 'runtime' or a function",
    "'" .. tostring(choice) .. "'")
  return false, choice
end

-- The treatment of jobs that overrun: "kill", "cap" or "extend". With predicted walltimes the
-- default is "extend", so that a wrong prediction kills no job.
function jobs_options.overrun(spec)
  local choice = spec.overrun
  if choice == nil then return type(spec.walltimes) == "function" and "extend" or "kill" end
  checks.expect(choice == "extend" or choice == "kill" or choice == "cap", "overrun",
    "'kill', 'cap' or 'extend'", "'" .. tostring(choice) .. "'")
  refuse(choice == "cap" and spec.walltimes ~= "log",
    "overrun: cap cuts runtimes off at the log's walltimes: give walltimes = 'log' as well")
  return choice
end

local function check_grace(spec)
  if (spec.grace or 0) == 0 then return end
  refuse(spec.walltimes ~= "log",
    "grace is granted to jobs that overrun the log's walltimes: give walltimes = 'log' as well")
  refuse(spec.overrun == "extend",
    "grace and overrun = 'extend' exclude each other: no job that is extended needs a grace")
end

-- The estimates of the user's function, one per job; nil: jobs are planned with their runtimes.
function jobs_options.estimates(spec, jobs)
  local _, predict = jobs_options.walltimes(spec.walltimes)
  if not predict then return nil end
  local list = {}
  for i, job in ipairs(jobs) do
    local estimate = predict(job)
    refuse(estimate ~= nil and not (type(estimate) == "number" and estimate >= 0
      and estimate < math.huge),
      "walltimes: expected a number of seconds of at least 0 for job %s, found %s", job.id,
      estimate)
    list[i] = estimate or 0 / 0
  end
  return core.estimates(list)
end

-- The options table that core functions read: what the schema says is a number or a flag, and what
-- is made of the rest.
function jobs_options.of(spec, machine)
  local procs = checks.whole("procs", spec.procs) or machine
  refuse(not procs, "procs: the log does not say how large the machine is; give procs")
  local mean_probability, rate = error_rate(spec.errors)
  refuse(spec.failures and (mean_probability or rate),
    "failures and errors exclude each other: the counts are given, or drawn")
  local options = checks.plain_fields(spec, "runs.JobsSpec")
  refuse(options.tau == 0, "tau: expected more than 0 s")
  if spec.limits ~= nil then check_fields("limits", spec.limits, "runs.Limits") end
  options.procs, options.limits = procs, spec.limits
  options.log_walltimes = jobs_options.walltimes(spec.walltimes)
  local overrun = jobs_options.overrun(spec)
  options.extend, options.cap = overrun == "extend", overrun == "cap"
  check_grace(spec)
  refuse(spec.dependencies and (spec.batch or (spec.load or 1) ~= 1),
    "dependencies: submissions follow from the schedule, and not from `batch` or `load`")
  refuse(spec.clairvoyant and (spec.walltimes == nil or spec.walltimes == "runtime"),
    "clairvoyant: without walltimes all policies know the runtimes; give walltimes as well")
  options.mean_probability, options.rate = mean_probability, rate
  options.instant = spec.instant
  options.origin = spec.origin
  if spec.pools ~= nil then options.pools = require("orrery.values.pools").of(spec.pools) end
  if spec.limit ~= nil then options.limit = require("orrery.values.limits").of(spec.limit) end
  if spec.machine ~= nil then
    local nodes = require("orrery.values.machine").nodes(spec.machine)
    options.nodes = nodes and nodes.core
  end
  options.threads = spec.threads or core.cores()
  return options
end

-- What these jobs meet under the user's settings, as fields of the options; `procs` is the size of
-- the machine.
function jobs_options.of_jobs(spec, jobs, procs)
  local own = { estimates = jobs_options.estimates(spec, jobs) }
  if spec.checkpoint ~= nil then
    own.checkpoints = require "orrery.values.checkpoints"(spec.checkpoint, spec.node_failures, jobs,
      spec.machine and require("orrery.values.machine").nodes(spec.machine))
  end
  if spec.maintenance ~= nil or spec.capacity ~= nil or spec.reservations ~= nil then
    own.windows = require("orrery.values.windows").given(spec, jobs, procs)
  end
  return own
end

-- The jobs that ever start: a job behind one that must end well (afterok) and is killed at its
-- walltime waits for ever. The second value is the number of these.
function jobs_options.starting(spec, jobs, options, procs)
  if not spec.dependencies then return jobs, 0 end
  local own = jobs_options.of_jobs(spec, jobs, procs)
  return core.starting(jobs, setmetatable(own, { __index = options }))
end

-- A note on so many of them; nil: there are none.
function jobs_options.never_text(count)
  return count > 0 and ("%d job%s never start%s and %s left out: a job that must end well before "
    .. "(afterok) is killed at its walltime here; --grace and --overrun say when jobs are killed")
    :format(count, table.unpack(count == 1 and { "", "s", "is" } or { "s", "", "are" })) or nil
end

-- The failures of nodes of a machine of that size, and a note on them; nil: there are none.
function jobs_options.node_failures(spec, procs, options, sets)
  if spec.node_failures == nil then return nil end
  return require("orrery.values.node_failures").read(spec.node_failures, procs,
    options.max_attempts or MOST_STRUCK, sets, options.nodes)
end

-- Failure counts from a file or a list; nil where none are given.
function jobs_options.failures(failures, columns)
  if failures == nil then return nil end
  if type(failures) == "string" then return core.read_failures(failures, columns) end
  return core.failures(failures, columns)
end

return jobs_options
