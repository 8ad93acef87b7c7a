-- redraw: one scenario of a result, simulated again as a session that can be drawn.

local catalogue = require "orrery.host.catalogue"
local checks = require "orrery.support.checks"
local jobs_session = require "orrery.session.jobs"
local tasks_session = require "orrery.session.tasks"

local redraw = {}

-- The position of the value in the middle of the list when sorted (the lower one of two).
function redraw.median(values)
  local order = {}
  for i in ipairs(values) do order[i] = i end
  table.sort(order, function(a, b)
    if values[a] == values[b] then return a < b end
    return values[a] < values[b]
  end)
  return order[(#order + 1) // 2]
end

-- The set and the scenario in the middle, by a metric of a policy.
function redraw.middle(result, policy, metric)
  local set = #result.sets > 1 and redraw.median(result:set_means(policy, metric)) or 1
  return set, redraw.median(result:values(policy, metric, set))
end

-- Fields of a session that are not copied from the comparison; all others are. The jobs of sets
-- have their load.
local OWN = { jobs = true, load = true, procs = true, policy = true, priority = true,
  options = true, set = true, scenario = true, run = true }

-- The options of this policy among the options for all policies; nil: none.
local function options_for(policy, options)
  if type(policy) ~= "string" then return options end
  local kept, names = {}, { policy:match "^[^:]*" }
  if not pcall(catalogue.describe, names[1]) then names = { names[1]:match "^(.*)%+(.*)$" } end
  for _, name in ipairs(names) do
    local ok, described = pcall(catalogue.describe, name)
    for option in pairs(ok and described.options or {}) do
      kept[option] = (options or {})[option]
    end
  end
  return next(kept) and kept or nil
end

-- The session of one scenario of a policy, before its start.
local function begin(result, policy, set, scenario)
  local spec = result.spec
  -- every policy may be followed by its clairvoyant twin
  local own = (spec.policies or { spec.policy })[spec.clairvoyant and (policy + 1) // 2 or policy]
  if type(own) ~= "table" or own.policy == nil then own = { policy = own } end
  local fields = { procs = spec.procs, policy = own.policy, set = spec.set, run = scenario,
    options = own.options or options_for(own.policy, spec.options) }
  if result.kind.jobs then
    fields.jobs, fields.set = result.sets[set].jobs, (spec.set or 0) + set - 1
    fields.procs = result.machines and result.machines[policy] or result.procs
    fields.priority, fields.run, fields.scenario = own.priority or spec.priority, nil, scenario
  end
  for _, name in ipairs(checks.names_of(result.kind.jobs and "runs.JobsSpec.s"
    or "runs.TasksSpec.s")) do
    if not OWN[name] then fields[name] = spec[name] end
  end
  if spec.clairvoyant then fields.clairvoyant = policy % 2 == 0 end
  return (result.kind.jobs and jobs_session or tasks_session)(fields)
end

-- The finished session of one scenario of a policy, or nil and the reason: a session whose metrics
-- differ is not the scenario of the result.
function redraw.session(result, policy, set, scenario)
  local part = result.parts and result.parts[policy]
  if part then return redraw.session(part.result, part[2], set, scenario) end
  if result.partitions then return nil, "packs that run one after the other have no session" end
  local ok, s = pcall(begin, result, policy, set, scenario)
  if not ok then return nil, tostring(s) end
  local makespan = s:finish().makespan
  if makespan ~= result:values(policy, "makespan", set)[scenario] then
    return nil, "the session is not the one that was simulated"
  end
  return s
end

return redraw
