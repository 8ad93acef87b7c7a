-- burst: faults within two hours, all over one half of the machine
--
--   orrery examples burst [--quick]
--
-- Twenty malleable tasks run on 200 processors that hardly ever fail. On the 60th day the cooling
-- of one half does: faults strike there, one every ten minutes. How much later is the end, and
-- under which policy least?
local orrery = require "orrery"
local quick = arg[1] == "--quick"

local POLICIES = { "none", "end-local", "end-greedy+iterated-greedy" }
local HALF, FAULTS = 100, 12 -- processors; faults among them
local runs = quick and 3 or 40

-- Both ends, s: of the run as it is, and of a fork that the burst strikes.
local function run(policy, number)
  local s = orrery.session {
    tasks = { n = 20 }, procs = 200, faults = { mtbf_years = 100, downtime = 60 },
    costs = { checkpoint = 3 }, policy = policy, run = number,
  }
  s:run_until "60d"
  local struck = s:fork()
  local where = orrery.random { seed = number }
  for _ = 1, FAULTS do
    struck:change { fault = { processor = where:integer(0, HALF - 1) } }
    struck:run_until "+10m"
  end
  return s:finish().makespan, struck:finish().makespan, struck
end

local delays, last = {}, nil
for i, policy in ipairs(POLICIES) do
  delays[i] = {}
  for number = 1, runs do
    local calm, burst, session = run(policy, number)
    delays[i][number], last = (burst - calm) / 86400, session
  end
end

print(("a burst of %d faults on day 60, %d runs\n"):format(FAULTS, runs))
print "policy                       the end is later by (d)"
for i, policy in ipairs(POLICIES) do
  local s = orrery.summary(delays[i])
  print(("%-28s %6.2f ± %.2f"):format(policy, s.mean, s.half_width))
end

-- Paired: in each run both policies met the same burst.
local d = orrery.summary_paired(delays[1], delays[#POLICIES])
print(("\nThe burst costs %s %.2f ± %.2f days %s than it costs no redistribution."):format(
  POLICIES[#POLICIES], math.abs(d.mean), d.half_width, d.mean < 0 and "less" or "more"))

-- A task that recovers cannot be struck again: the session's history says where that was so.
local absorbed = 0
for _, entry in ipairs(last.history) do
  if #(entry.remarks or {}) > 0 then absorbed = absorbed + 1 end
end
print(("In the last run %d of the %d faults hit a task; the others met one that was recovering.")
  :format(FAULTS - absorbed, FAULTS))
