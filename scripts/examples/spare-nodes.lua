-- spare-nodes: how many spare nodes does redirection need?
--
--   orrery examples spare-nodes [--quick]
--
-- Redirection kills a running job that makes many others wait, and starts it anew on spare nodes.
-- The month comes 1.2 times as fast as it did. With how many spare nodes is the mean bounded
-- slowdown better than EASY's without any? And what would EASY do with as many?
local orrery = require "orrery"
local quick = arg[1] == "--quick"

local log = orrery.read "sample-2019-06"
local shares = quick and { 0.05, 0.2 } or { 0.025, 0.05, 0.075, 0.1, 0.15, 0.2, 0.3 }

-- EASY and redirection; `equal`: EASY has the spare nodes, too, as a part of its machine.
local function compare(share, equal)
  return orrery.compare {
    jobs = log, load = 1.2, equal_procs = equal,
    policies = { "dispatch/easy",
      { policy = "redirect/threshold", options = { alpha = share, theta = 10 } } },
  }
end

-- A month is one scenario, and has too few weeks for an interval: it shows in how many weeks
-- redirection has the lower mean, and how the weeks differ.
local function cell(d)
  return ("%+6.1f (%d of %d, %+.1f to %+.1f)"):format(d.mean, d.lower, d.count, d.least, d.most)
end

print("Mean bounded slowdown of redirection less that of EASY "
  .. "(weeks in which it is lower, their range)")
print "spare nodes   redirected   EASY without them                 EASY with them"
local enough
for _, share in ipairs(shares) do
  local spare = math.floor(share * log.machine_procs + 0.5)
  local without, with = compare(share, false), compare(share, true)
  local gain = without:weekly(1, 2, "bsld_mean")
  if gain.lower == gain.count then
    enough = enough or spare
  else
    enough = nil -- it does not stay so
  end
  print(("%6d %5.1f%% %10d   %-33s %s"):format(spare, 100 * share,
    without:values(2, "redirected")[1], cell(gain), cell(with:weekly(1, 2, "bsld_mean"))))
end

if enough then
  print(("\nRedirection is better than EASY alone, in every week, from %d spare nodes on "
    .. "(%.1f%% of %d)."):format(enough, 100 * enough / log.machine_procs, log.machine_procs))
else
  print "\nSo many spare nodes are not enough."
end
