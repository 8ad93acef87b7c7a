-- conform: tests which rules of scheduling a simulator keeps, on small proven cases
--
--   orrery conform                                       Orrery itself
--   orrery conform --command './mine {workload} {procs} {policy} {out}'
--   orrery conform --policy easy --command 'adapters/pyss.py {swf} {procs} {policy} "" {out}'
local argparse = require "argparse"
local command = require "orrery.command.command"
local conformance = require "orrery.command.conformance"
local options = require "orrery.command.options"
local orrery = require "orrery"
local output = require "orrery.command.output"

local parser = argparse("orrery conform", "Feeds the cases of spec/conformance to a simulator and "
  .. "says which rules it breaks. The command gets, in place of {workload}, {swf}, {procs}, "
  .. "{policy}, {failures}, {maintenance}, {case} and {out}, files and words; it writes the starts "
  .. "to {out}, a CSV with columns id and start, or job_id and starting_time. Exit status 77 says "
  .. "that the simulator does not have the policy or the feature. Without a command the cases are "
  .. "run by Orrery itself. The exit status is 1 if a rule is broken.")
options.add(parser, {
  { { "--command CMD", "Command of the simulator, run by sh once for each case and policy." },
    { "--policy P", "Only this policy; may be given several times.", several = true },
    { "--case NAME", "Only this case; may be given several times.", several = true },
    { "--timeout T", "Time that the command has for a case; one that needs longer does not end "
      .. "(default: 1m).", kind = "duration", default = "1m", positive = true },
    { "--suite DIR", "Folder of the cases (default: spec/conformance)." },
    options.TABLE, output.QUIET },
})
options.once(parser)

-- Prints a row of the table for each result as it is there.
local function table_of(cases)
  local width = { 4, 4 }
  for _, case in ipairs(cases) do
    width = { math.max(width[1], #case.name), math.max(width[2], #case.rule) }
  end
  local form = ("%%-%ds  %%-%ds  %%-12s  %%s"):format(width[1], width[2])
  local begun = false
  return function(r)
    if not begun then print((form:format("case", "rule", "policy", ""):gsub(" +$", ""))) end
    begun = true
    print(form:format(r.case.name, r.case.rule, r.policy, r.verdict))
    io.stdout:flush()
  end
end

-- A broken rule: its text, then the cases that break it.
local function print_rule(rule, broken)
  print(("\n%s is broken: %s"):format(rule, broken[1].case.says))
  for _, r in ipairs(broken) do
    print(("  %s, %s: %s"):format(r.case.name, r.policy, r.problem))
  end
end

local function json_of(results, counts)
  local rows = {}
  for i, r in ipairs(results) do
    rows[i] = { case = r.case.name, rule = r.case.rule, policy = r.policy, verdict = r.verdict,
      problem = r.problem, follows = r.follows }
  end
  return { kept = counts.ok, broken = counts.broken, follow = counts.follows, none = counts.none,
    schedules = rows }
end

return command.new(parser, function(given)
  output.check(given)
  local suite = given.suite or orrery.home .. "/spec/conformance"
  local cases = conformance.cases(suite, given.case)
  local results = conformance.run(cases, given.command, given.timeout, given.policy,
    table_of(cases))
  if #results == 0 then command.misuse("no case of %s is for these policies", suite) end
  local explanations = conformance.explain(results)
  local rules, broken = conformance.broken(results)
  for _, rule in ipairs(rules) do print_rule(rule, broken[rule]) end
  for _, line in ipairs(explanations) do print("\n" .. line) end
  local counts = conformance.counts(results)
  print(("\n%d kept, %d broken, %s%d not there"):format(counts.ok, counts.broken,
    counts.follows > 0 and ("%d follow from a fault, "):format(counts.follows) or "", counts.none))
  output.write(given, { json = function(path) output.json(path, json_of(results, counts)) end })
  if counts.broken > 0 then
    command.fail("%d of %d schedules break a rule", counts.broken, #results)
  end
end)
