-- node_failures: a user's settings of node failures under jobs, checked.
local checks = require "orrery.support.checks"
local clock = require "orrery.support.clock"
local core = require "orrery.core"

local LAWS = { exponential = false, weibull = true, lognormal = true } -- whether it has a shape
local REPAIR_LAWS = { constant = false, exponential = false, weibull = true, lognormal = true }

local node_failures = {}

local function expect(fine, field, ...) checks.expect(fine, "node_failures." .. field, ...) end

local function number(what, value, least, default)
  if value == nil then return default end
  expect(type(value) == "number" and value >= least, what, "a number of at least " .. least,
    ("'%s'"):format(tostring(value)))
  return value
end

-- Seconds, also from a text as "4h".
local function span(what, value, default)
  if type(value) ~= "string" then return number(what, value, 0, default) end
  local seconds = clock.span(value)
  expect(seconds, what, "seconds, or a text as '4h' or '5y'", ("'%s'"):format(value))
  return seconds
end

-- --- texts: laws --------------------------------------------------------------------------------

-- "lognormal:4h,1.2" or "4h" as a table; nil for other texts.
local function law_of_text(text)
  local law, mean, shape = text:match "^(%l+):([^,]+),?([^,]*)$"
  if not law then return clock.span(text) and { law = "constant", mean = clock.span(text) } end
  local known = REPAIR_LAWS[law] ~= nil and REPAIR_LAWS[law] == (shape ~= "")
  if known and not text:find ",$" and clock.span(mean) and (shape == "" or tonumber(shape)) then
    return { law = law, mean = clock.span(mean), shape = tonumber(shape) }
  end
end

-- --- repairs ------------------------------------------------------------------------------------

local function check_shape(what, law, shape)
  if law.shaped and shape == nil then
    error(("%s: the law %s wants a shape"):format(what, law.name), 0)
  elseif not law.shaped and shape ~= nil then
    error(("%s: the law %s has no shape"):format(what, law.name), 0)
  end
end

-- { law =, mean =, shape = } of the user's setting of repairs.
local function repair_law(field, given)
  local what = "node_failures." .. field
  if type(given) == "string" then
    local law = law_of_text(given)
    expect(law, field, "seconds, a text as '4h', or a law as 'exponential:4h', 'lognormal:4h,1.2' "
      .. "or 'weibull:4h,0.7'", ("'%s'"):format(given))
    given = law
  elseif type(given) ~= "table" then
    given = { mean = number(field, given, 0, 0) }
  end
  checks.fields(what, given, "runs.RepairLaw")
  local name = given.law or "constant"
  expect(REPAIR_LAWS[name] ~= nil, field .. ".law", "constant, exponential, weibull or lognormal",
    ("'%s'"):format(tostring(name)))
  check_shape(what, { name = name, shaped = REPAIR_LAWS[name] }, given.shape)
  expect(given.mean ~= nil, field .. ".mean", "seconds, or a text as '4h'", "nothing")
  local mean = span(field .. (given.law and ".mean" or ""), given.mean)
  expect(mean < math.huge, field, "a finite number of seconds", "inf")
  expect(name == "constant" or mean > 0, field .. ".mean", "more than 0 s", tostring(mean))
  return { law = name, mean = mean, shape = number(field .. ".shape", given.shape, 0) }
end

-- --- lemons, domains, spares -------------------------------------------------------------------

-- "0.02:10" or { share =, factor = } as a table.
local function lemons_of(field, given)
  if type(given) == "string" then
    local share, factor = given:match "^([^:]+):([^:]+)$"
    expect(tonumber(share) and tonumber(factor), field, "a share and a factor, as '0.02:10'",
      "'" .. given .. "'")
    given = { share = tonumber(share), factor = tonumber(factor) }
  end
  checks.fields("node_failures." .. field, given, "runs.Lemons")
  local share, factor = number(field .. ".share", given.share, 0), given.factor
  expect(share and share <= 1, field .. ".share", "a number from 0 to 1", tostring(share))
  expect(type(factor) == "number" and factor >= 1 and factor < math.huge, field .. ".factor",
    "a number of at least 1", tostring(factor))
  return { share = share, factor = factor }
end

-- "32:10y" or { nodes =, mtbf = } as a table.
local function domains_of(field, given)
  if type(given) == "string" then
    local nodes, mtbf = given:match "^(%d+):([^:]+)$"
    expect(nodes and clock.span(mtbf), field, "nodes and an mtbf, as '32:10y'", "'" .. given .. "'")
    given = { nodes = math.tointeger(tonumber(nodes)), mtbf = mtbf }
  end
  checks.fields("node_failures." .. field, given, "runs.Domains")
  local nodes = checks.count("node_failures." .. field .. ".nodes", given.nodes, 1)
  expect(nodes < 1 << 31, field .. ".nodes", "fewer than 2147483648", tostring(nodes))
  local mtbf = span(field .. ".mtbf", given.mtbf)
  expect(mtbf and mtbf > 0, field .. ".mtbf", "more than 0 s", tostring(mtbf))
  return { nodes = nodes, mtbf = mtbf }
end

-- --- predictions --------------------------------------------------------------------------------

local PREDICTION = "recall, precision and lead, as 'recall=0.8,precision=0.5,lead=10m'"

-- "recall=0.8,precision=0.5,lead=10m" as a table.
local function prediction_of_text(field, text)
  local given = {}
  for part in (text .. ","):gmatch "([^,]*)," do
    local name, value = part:match "^(%l+)=(.+)$"
    local known = name == "lead" and clock.span(value) or name ~= "lead" and tonumber(value)
    expect(name and known and given[name] == nil, field, PREDICTION, "'" .. text .. "'")
    given[name] = known
  end
  return given
end

-- { recall =, precision =, lead = } of the user's setting of announced failures.
local function prediction_of(field, given)
  if type(given) == "string" then given = prediction_of_text(field, given) end
  checks.fields("node_failures." .. field, given, "runs.Prediction")
  local found = { lead = span(field .. ".lead", given.lead) }
  expect(found.lead, field .. ".lead", "a lead in seconds, or as '10m'", "nothing")
  expect(found.lead > 0 and found.lead < math.huge, field .. ".lead",
    "a finite number of seconds, more than 0", tostring(given.lead))
  for name, least in pairs { recall = 0, precision = 1e-6 } do
    local share = number(field .. "." .. name, given[name], least, 1)
    expect(share <= 1 and (share == 0 or share >= 1e-6), field .. "." .. name,
      ("a %s %sfrom 1e-06 to 1"):format(name, least == 0 and "of 0, or " or ""), tostring(share))
    found[name] = share
  end
  return found
end

-- Adds the prediction to the kernel's options of failures.
local function add_prediction(given, options)
  if given.prediction == nil then return end
  local prediction = prediction_of("prediction", given.prediction)
  checks.refuse((given.log ~= nil or given.outages ~= nil) and prediction.precision < 1,
    "node_failures.prediction: failures that are given have no rate, so there are no false "
    .. "warnings of them: the precision must be 1, not %s", prediction.precision)
  checks.refuse(given.retire_after ~= nil,
    "node_failures: prediction and retire_after exclude each other: what is announced of a "
    .. "retired node would not come")
  for name, value in pairs(prediction) do options[name] = value end
end

-- --- failures -----------------------------------------------------------------------------------

-- Domains may be all that fails.
local function mtbf_of(given)
  if given.domains and given.mtbf == nil and given.mtbf_years == nil then
    checks.refuse(given.lemons or given.retire_after or given.law or given.shape,
      "node_failures: give the mtbf of a node: without one only domains fail")
    return math.huge
  end
  if given.mtbf and given.mtbf_years then
    error("node_failures: give mtbf_years or mtbf, not both", 0)
  end
  local years = number("mtbf_years", given.mtbf_years, 0)
  local mtbf = years and years * clock.YEAR or span("mtbf", given.mtbf)
  if not mtbf or mtbf == 0 then
    error("node_failures: give the mtbf of a node in seconds, or mtbf_years, more than 0", 0)
  end
  return mtbf
end

local function law_of(given)
  local law = given.law or "exponential"
  expect(LAWS[law] ~= nil, "law", "exponential, weibull or lognormal", ("'%s'"):format(law))
  check_shape("node_failures", { name = law, shaped = LAWS[law] }, given.shape)
  return law
end

local function check_given(given)
  checks.refuse(given.log ~= nil and given.outages ~= nil,
    "node_failures: log and outages exclude each other: the failures are given once")
  for _, name in ipairs { "mtbf", "mtbf_years", "law", "shape", "lemons", "domains",
    "domain_repair", "retire_after", "spares", "swap" } do
    checks.refuse(given[name] ~= nil,
      "node_failures: %s and %s exclude each other: the failures are given, or drawn",
      given.log ~= nil and "log" or "outages", name)
  end
end

-- All sets must have one clock, on which the outages are.
local function check_clocks(sets)
  for _, set in ipairs(sets) do
    if set.jobs.origin ~= sets[1].jobs.origin then
      error("node_failures.outages: the sets of jobs have different calendars, and the outages "
        .. "are of one", 0)
    end
  end
end

local function read_outages(given, options, procs, sets)
  expect(type(given.outages) == "string", "outages", "the name of a file", type(given.outages))
  expect(given.node_names == nil or type(given.node_names) == "string", "node_names",
    "names of nodes as 'nid[0001-0128]'", type(given.node_names))
  if given.repair ~= nil then
    error("node_failures: outages and repair exclude each other: the file says when outages end", 0)
  end
  check_clocks(sets)
  options.node_names = given.node_names
  local value, left_out = core.node_outages(options, given.outages, procs, sets[1].jobs)
  return value, left_out > 0 and ("%d row%s of %s left out: no nodes, in service, or over by the "
    .. "beginning of the log"):format(left_out, left_out == 1 and "" or "s", given.outages) or nil
end

-- --- all ----------------------------------------------------------------------------------------

local TEXTS = { repair = repair_law, domain_repair = repair_law, lemons = lemons_of,
  domains = domains_of, prediction = prediction_of }

-- Whether a text is valid for this field; if not, also the reason.
function node_failures.check_text(field, text)
  local fine, problem = pcall(TEXTS[field], field, text)
  return fine, not fine and problem:gsub("^node_failures[^:]*: ", "") or nil
end

local function read_drawn(given, options, repair)
  checks.refuse(given.node_names ~= nil, "node_failures: node_names are for outages from a file")
  checks.refuse(given.domain_repair ~= nil and given.domains == nil,
    "node_failures: domain_repair is for domains")
  checks.refuse(given.retire_after == nil and (given.spares ~= nil or given.swap ~= nil),
    "node_failures: spares and swap are for nodes that are retired: give retire_after as well")
  options.mtbf, options.law = mtbf_of(given), law_of(given)
  options.shape = number("shape", given.shape, 0)
  local lemons = given.lemons ~= nil and lemons_of("lemons", given.lemons) or {}
  options.lemon_share, options.lemon_factor = lemons.share, lemons.factor
  if given.domains ~= nil then
    local domains = domains_of("domains", given.domains)
    local law = given.domain_repair == nil and repair
      or repair_law("domain_repair", given.domain_repair)
    options.domain_nodes, options.domain_mtbf = domains.nodes, domains.mtbf
    options.domain_repair, options.domain_repair_law = law.mean, law.law
    options.domain_repair_shape = law.shape
  end
  options.retire_after = given.retire_after
    and checks.count("node_failures.retire_after", given.retire_after, 1)
  options.spares = given.spares and checks.count("node_failures.spares", given.spares, 0)
  options.swap = span("swap", given.swap)
  return core.node_failures(options)
end

-- Returns the value for the runs, or nil; and a note, or nil. `procs` is the size of the machine
-- with all extra processors; max_attempts is per job; sets: a list of { jobs = }; nodes: core.nodes
-- of the machine, which fail where no number of processors is given, or nil.
function node_failures.read(given, procs, max_attempts, sets, nodes)
  if given == nil then return nil end
  checks.fields("node_failures", given, "runs.NodeFailures")
  local repair = repair_law("repair", given.repair)
  local options = { repair = repair.mean, repair_law = repair.law, repair_shape = repair.shape,
    procs = given.procs, max_attempts = max_attempts,
    nodes = given.procs == nil and nodes or nil, from_one = nodes ~= nil }
  add_prediction(given, options)
  if given.log == nil and given.outages == nil then return read_drawn(given, options, repair) end
  check_given(given)
  if given.outages ~= nil then return read_outages(given, options, procs, sets) end
  checks.refuse(given.node_names ~= nil, "node_failures: node_names are for outages from a file")
  expect(repair.law == "constant", "repair",
    "seconds, because failures that are given have no drawn repairs", "the law " .. repair.law)
  expect(type(given.log) == "string" or type(given.log) == "table", "log",
    "the name of a file or a list", type(given.log))
  return core.node_failure_log(options, given.log, procs)
end

return node_failures
