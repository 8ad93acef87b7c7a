-- instants: how much the conventions of instants (READINGS 35) move mean waits, with the walltimes
-- of the logs that are given; prints the table of spec/API.md.
--
--   ./orrery spec/bench/instants.lua LOG ...
local orrery = require "orrery"

local POLICIES = { "fcfs", "easy", "easy-sjf", "conservative" }
local CONVENTIONS = { "batched", "ends-first", "submissions-first", "pyss" }

local function mean_waits(jobs, instant)
  local policies, waits = {}, {}
  for i, name in ipairs(POLICIES) do policies[i] = "dispatch/" .. name end
  local result = orrery.compare {
    jobs = jobs, policies = policies, walltimes = "log", instant = instant,
  }
  for i in ipairs(POLICIES) do waits[i] = result:values(i, "wait_mean")[1] end
  return waits
end

local function print_row(log, policy, cells)
  print(("| %s | %s | %s |"):format(log, policy, table.concat(cells, " | ")))
end

print_row("log", "policy", { "`batched`", "`ends-first`", "`submissions-first`", "`pyss`" })
print "| --- | --- | --- | --- | --- | --- |"
for _, path in ipairs(arg) do
  local jobs, waits = orrery.read(path), {}
  for _, instant in ipairs(CONVENTIONS) do waits[instant] = mean_waits(jobs, instant) end
  for i, policy in ipairs(POLICIES) do
    local cells = { ("%.1f s"):format(waits.batched[i]) }
    for k = 2, #CONVENTIONS do
      local wait = waits[CONVENTIONS[k]][i]
      cells[k] = ("%+.1f s (%+.2f%%)"):format(wait - waits.batched[i],
        100 * (wait / waits.batched[i] - 1))
    end
    print_row(path:match "([^/]*)%.%w+$", policy, cells)
  end
end
