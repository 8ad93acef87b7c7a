-- policy_list: the policies that a call names, of any kind, and what their runs gave.
local refuse = require("orrery.support.checks").refuse

local policy_list = {}

-- The list in `policies`, or the one in `policy`; without both the default.
function policy_list.of(spec, default)
  refuse(spec.policy ~= nil and spec.policies ~= nil, "give policy or policies, not both")
  local list = spec.policies
  if list == nil then list = { spec.policy == nil and default or spec.policy } end
  refuse(type(list) ~= "table" or #list == 0, "policies: expected a list of at least one policy")
  return list
end

-- Raises an error for an option that no policy has: it is probably misspelt.
function policy_list.check_used(options, used)
  for name in pairs(options) do
    refuse(not used[name], "no policy here has an option '%s'; `orrery policies` lists them", name)
  end
end

-- The list, each ready to run as make(policy, options, used) prepares it. `used`: marked with the
-- options that these policies have; nil: they must have all of them.
function policy_list.prepare(list, options, make, used)
  local taken, prepared = used or {}, {}
  for i, policy in ipairs(list) do prepared[i] = make(policy, options, taken) end
  if not used then policy_list.check_used(options, taken) end
  return prepared
end

-- The names of the policies, for results and reports.
function policy_list.named(prepared)
  local list = {}
  for i, policy in ipairs(prepared) do
    list[i] = { name = policy.policy_name, priority = policy.priority_name }
  end
  return list
end

-- The reasons why a run uses one thread: each reason once, even if several policies have it.
function policy_list.notes(prepared)
  local notes, seen = {}, {}
  for _, policy in ipairs(prepared) do
    if policy.reason and not seen[policy.reason] then
      seen[policy.reason] = true
      notes[#notes + 1] = ("policy %s runs on one thread: it reads %s"):format(policy.policy_name,
        policy.reason)
    end
  end
  return notes
end

-- The progress function of runs that come after `before` simulations.
function policy_list.progress(report, before)
  if before == 0 then return report end
  return function(done, total) report(before + done, before + total) end
end

-- The results of runs in C, or the report of the one that failed; details: see crash_report.lua,
-- with the prepared policies. The reason why progress stopped is noted: only once, even if several
-- blocks have it.
function policy_list.results(details, notes, results, problem, place)
  if place then
    details.policies = policy_list.named(details.policies)
    require("orrery.run.crash_report").check(details, results, problem, place)
  end
  local note = problem and "progress was not reported: " .. problem
  if note and notes[#notes] ~= note then notes[#notes + 1] = note end
  return results
end

-- Adds the note of a checker that found no error.
function policy_list.checked(count, notes)
  notes[#notes + 1] = ("checked: %d schedule%s, every one of them possible"):format(count,
    count == 1 and "" or "s")
end

return policy_list
