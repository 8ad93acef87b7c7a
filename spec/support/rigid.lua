-- What the specs of the rigid engine share: the disciplines, and the engine held against naive.lua.
local orrery = require "orrery"
local naive = require "spec.support.naive"
local instances = require "spec.support.instances"

local rigid = {}

local function list(reservations, reading)
  return { discipline = "list", reservations = reservations, reading = reading }
end

-- name -> the dispatch table of a policy
rigid.disciplines = {
  greedy = list(0), easy = list(1), two = list(2), five = list(5), all = list("all"),
  head1 = list(1, "head"), head2 = list(2, "head"), head5 = list(5, "head"),
  headall = list("all", "head"), fcfs = { discipline = "fcfs" },
  conservative = { discipline = "conservative" },
  shelf = { discipline = "shelf", fill = true }, shelf_nofill = { discipline = "shelf" },
}
rigid.names = {}
for name in pairs(rigid.disciplines) do rigid.names[#rigid.names + 1] = name end
table.sort(rigid.names)

rigid.rules = { "fcfs", "lpt", "spt", "hpa", "lpa", "la", "sa", "ljf" } -- RANDOM has no formula

function rigid.pick(rng, choices) return choices[rng:integer(1, #choices)] end

-- The fields of orrery.session for an instance of instances.random; `more` adds and replaces.
function rigid.spec(instance, more)
  local spec = {
    jobs = orrery.jobs(instance.list), procs = instance.procs, failures = instance.failures,
    walltimes = instance.walltimes, verification = instance.verification,
    instant = instance.instant, overrun = instance.overrun, grace = instance.grace,
    limit = instance.limit, pools = instance.pools,
  }
  for key, value in pairs(more or {}) do spec[key] = value end
  return spec
end

-- The reference schedule; discipline is a name of rigid.disciplines, key a function(job, position).
function rigid.reference_spec(instance, discipline, key)
  local spec = {
    jobs = instance.list, procs = instance.procs, failures = instance.failures, key = key,
    walltimes = instance.walltimes, verification = instance.verification, batch = instance.batch,
    instant = instance.instant, overrun = instance.overrun, grace = instance.grace,
    limit = instance.limit,
  }
  for name, value in pairs(rigid.disciplines[discipline]) do
    spec[name] = value == "all" and math.huge or value
  end
  return spec
end

local function line(attempt)
  if not attempt then return "nothing" end
  return ("job %d attempt %d: %.17g to %.17g, %s"):format(attempt.position, attempt.attempt,
    attempt.start, attempt.finish, attempt.outcome)
end

-- The first difference between two lists of attempts, as text; nil where they are equal.
function rigid.difference(found, expected)
  for i = 1, math.max(#found, #expected) do
    if line(found[i]) ~= line(expected[i]) then
      return ("attempt %d: found %s; expected %s"):format(i, line(found[i]), line(expected[i]))
    end
  end
end

local EXACT = { "lower_bound", "makespan", "starts", "failures", "killed", "refused" }
-- Sums in another order.
local NEAR = { "flow_mean", "wait_mean", "wait_max", "utilisation", "bsld_mean", "bsld_max",
  "work_lost", "work_cut" }

local function check_metrics(found, expected)
  for _, name in ipairs(EXACT) do
    local distance = math.abs(found[name] - expected[name])
    local exact = name ~= "lower_bound" -- its area is a sum
    if distance > (exact and 0 or 1e-12 * (1 + math.abs(expected[name]))) then
      return ("%s: found %.17g, expected %.17g"):format(name, found[name], expected[name])
    end
  end
  for _, name in ipairs(NEAR) do
    if math.abs(found[name] - expected[name]) > 1e-9 * (1 + math.abs(expected[name])) then
      return ("%s: found %.17g, expected %.17g"):format(name, found[name], expected[name])
    end
  end
end

local function same_table(a, b)
  for key, value in pairs(a) do
    if b[key] ~= value and (b[key] == b[key] or value == value) then return false, key end
  end
  return true
end

-- Runs an instance in the engine and in the reference; raises what differs, with the instance.
--   priority  what orrery.session takes;  key  the same for the reference
function rigid.hold_against_reference(instance, discipline, priority, key)
  local session = orrery.session(rigid.spec(instance, {
    policy = { dispatch = rigid.disciplines[discipline] }, priority = priority,
    batch = instance.batch,
  }))
  local metrics = session:finish()
  local reference = rigid.reference_spec(instance, discipline, key)
  local expected, refused = naive.run(reference)
  local problem = rigid.difference(session:schedule(), expected)
    or check_metrics(metrics, naive.metrics(reference, expected, refused))
  local fine, objection = session:check()
  problem = problem or not fine and objection
  if not problem and not same_table(session:measure(), metrics) then
    problem = "finish and measure differ"
  end
  if problem then
    error(("%s: %s\n%s"):format(discipline, problem, instances.describe(instance)), 2)
  end
  return metrics, session
end

return rigid
