-- node_failures: what a user says of nodes that fail under jobs, checked.
local checks = require "orrery.support.checks"
local core = require "orrery.core"

local YEAR = 365 * 86400
local LAWS = { exponential = false, weibull = true, lognormal = true } -- whether it has a shape

local function expect(fine, field, ...) checks.expect(fine, "node_failures." .. field, ...) end

local function number(what, value, least, default)
  if value == nil then return default end
  expect(type(value) == "number" and value >= least, what, "a number of at least " .. least,
    ("'%s'"):format(value))
  return value
end

local function mtbf_of(given)
  if given.mtbf and given.mtbf_years then
    error("node_failures: give mtbf_years or mtbf, not both", 0)
  end
  local years = number("mtbf_years", given.mtbf_years, 0)
  local mtbf = years and years * YEAR or number("mtbf", given.mtbf, 0)
  if not mtbf or mtbf == 0 then
    error("node_failures: give the mtbf of a node in seconds, or mtbf_years, more than 0", 0)
  end
  return mtbf
end

local function law_of(given)
  local law = given.law or "exponential"
  expect(LAWS[law] ~= nil, "law", "exponential, weibull or lognormal", ("'%s'"):format(law))
  if LAWS[law] and given.shape == nil then
    error(("node_failures: the law %s wants a shape"):format(law), 0)
  elseif not LAWS[law] and given.shape ~= nil then
    error("node_failures: the law exponential has no shape", 0)
  end
  return law
end

-- Returns the value that the runs take, or nil. `procs` are those of the machine, with all extra
-- ones; max_attempts is of one job.
return function(given, procs, max_attempts)
  if given == nil then return nil end
  checks.fields("node_failures", given, "runs.NodeFailures")
  local options = { repair = number("repair", given.repair, 0, 0), procs = given.procs,
    max_attempts = max_attempts }
  if options.repair == math.huge then
    error("node_failures.repair: expected a finite number of seconds", 0)
  end
  if given.log == nil then
    options.mtbf, options.law = mtbf_of(given), law_of(given)
    options.shape = number("shape", given.shape, 0)
    return core.node_failures(options)
  end
  for _, name in ipairs { "mtbf", "mtbf_years", "law", "shape" } do
    if given[name] ~= nil then
      error(("node_failures: log and %s exclude each other: the failures are given, or drawn")
        :format(name), 0)
    end
  end
  expect(type(given.log) == "string" or type(given.log) == "table", "log",
    "the name of a file or a list", type(given.log))
  return core.node_failure_log(options, given.log, procs)
end
