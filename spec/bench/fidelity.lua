-- Prints the table of METRICS' "Fidelity": the verdicts on logs whose waits have a known cause.
-- From the checkout: ./orrery spec/bench/fidelity.lua (half a minute).
package.path = "./?.lua;" .. package.path
local known_truth = require "spec.support.known_truth"
local logs = require "spec.support.waited_log"
local orrery = require "orrery"

local function spread(list)
  table.sort(list)
  return ("%.2f (%.2f to %.2f)"):format(orrery.quantiles(list, { 0.5 })[1], list[1], list[#list])
end

for _, cause in ipairs(known_truth.CAUSES) do
  local of_cause = {}
  for i, load in ipairs { 0.3, 0.5, 0.7, 0.9 } do
    for seed = 1, 3 do
      local jobs = known_truth.jobs(seed, 8, load)
      of_cause[3 * i + seed - 3] = logs.read(known_truth.swf(jobs, cause[2](jobs)))
    end
  end
  for _, policy in ipairs { "easy", cause[3] } do
    local verdicts, shares, correlations = {}, {}, {}
    for i, log in ipairs(of_cause) do
      local f = orrery.compare { jobs = log, policy = policy, walltimes = "log",
        overrun = "extend" }:fidelity()
      verdicts[f.verdict] = (verdicts[f.verdict] or 0) + 1
      shares[i], correlations[i] = f.explained, f.correlation
    end
    print(("| %s | %s | %d | %d | %d | %s | %s |"):format(cause[1], policy, verdicts.explains or 0,
      verdicts["in part"] or 0, verdicts["not"] or 0, spread(shares), spread(correlations)))
  end
end
