-- joined: results of the same jobs and scenarios under other circumstances, such as on machines of
-- other sizes, as one result. Scenarios are drawn from the same streams, so that its differences
-- are paired as those of policies are.
local checks = require "orrery.support.checks"
local results = require "orrery.run.results"

-- The metrics of a set, from those of the parts: `policies` lists { part, index there }.
local Metrics = {}

local function block_sums(self, a, _, b, ...)
  a, b = self.policies[a], self.policies[b]
  return self.parts[a[1]]:block_sums(a[2], self.parts[b[1]], b[2], ...)
end

function Metrics.__index(self, name)
  if name == "block_sums" then return block_sums end
  local first = self.parts[1]
  local method = first[name]
  if not Metrics.of_a_policy[name] then
    return function(_, ...) return method(first, ...) end
  end
  return function(_, policy, ...)
    local one = self.policies[policy]
    local part = self.parts[one[1]]
    return part[name](part, one[2], ...)
  end
end

Metrics.of_a_policy = { column = true, summary = true, scenario = true, jobs = true, users = true,
  resources = true }

local function sets_of(list, policies)
  local sets = {}
  for s, set in ipairs(list[1].result.sets) do
    local parts = {}
    for i, one in ipairs(list) do parts[i] = one.result.sets[s].metrics end
    sets[s] = { metrics = setmetatable({ parts = parts, policies = policies }, Metrics) }
    setmetatable(sets[s], { __index = set })
  end
  return sets
end

-- Remarks that all parts have, once; others with what they are of.
local function notes_of(list)
  local counts, notes, seen = {}, {}, {}
  local function own(one) return one.result.__notes or one.result.notes end
  for _, one in ipairs(list) do
    for _, note in ipairs(own(one)) do counts[note] = (counts[note] or 0) + 1 end
  end
  for _, one in ipairs(list) do
    for _, note in ipairs(own(one)) do
      local common = counts[note] == #list
      if not (common and seen[note]) then
        notes[#notes + 1] = common and note or ("%s: %s"):format(one.label, note)
      end
      seen[note] = true
    end
  end
  return notes
end

-- list: { result =, label = what is said of its policies, fields = the same for JSON }, ...
return function(list)
  local first = list[1].result
  if first.spec.summaries then
    error("results with `summaries` cannot be joined: differences need all values", 0)
  end
  local policies, of, machines, procs = {}, {}, {}, {}
  for i, one in ipairs(list) do
    for p, policy in ipairs(one.result.policies) do
      policies[#policies + 1] = setmetatable({ name = policy.name .. ", " .. one.label,
        variant = one.fields }, { __index = policy })
      of[#of + 1] = { i, p, result = one.result }
      machines[#machines + 1] = one.result.machines[p]
    end
    procs[i] = one.result.procs
    for s, set in ipairs(one.result.sets) do
      local own, its = #set.jobs, #first.sets[s].jobs
      checks.refuse(own ~= its, "of %d jobs can start on one machine, and of %d on the other", its,
        own) -- their metrics are of other jobs
    end
  end
  local result = results.of_jobs {
    policies = policies, machines = machines, sets = sets_of(list, of), procs = first.procs,
    all_procs = procs, runs = first.runs, seed = first.seed, notes = notes_of(list),
    spec = first.spec, parts = of,
  }
  return first.__find and results.with_fidelity(result, first.__find) or result
end
