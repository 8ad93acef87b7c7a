-- checkpoint-cost: from which checkpoint cost on does redistribution pay?
--
--   orrery examples checkpoint-cost [--quick]
--
-- Twenty malleable tasks run on 200 processors that fail. To move processors between tasks takes
-- time, here much, on a slow network. Dear checkpoints make the whole run longer and faults worse,
-- and so there is more to be gained by moving. Where does the gain begin?
local orrery = require "orrery"
local quick = arg[1] == "--quick"

local COSTS = { 0.1, 0.3, 1, 3, 10, 30 } -- s per data unit, of a checkpoint on one processor
local POLICIES = { "none", "end-local", "end-greedy+iterated-greedy" }

local function run(cost)
  return orrery.compare {
    tasks = { n = 20 }, procs = 200, faults = { mtbf_years = 5, downtime = 60 },
    costs = { checkpoint = cost, bandwidth = 0.05 }, -- data units per s: how fast data moves
    policies = POLICIES, runs = quick and 30 or 100,
  }
end

-- "*": significant, also as one of several differences.
local function cell(d)
  return ("%+6.1f%% ± %4.1f%% %s"):format(100 * d.mean, 100 * d.half_width,
    d.significant and "*" or " ")
end

print "Makespan against no redistribution, same faults:"
print "checkpoint (s/unit)  end-local          end-greedy+iterated-greedy"
local pays = {}
for _, cost in ipairs(COSTS) do
  local result = run(cost)
  -- of makespans, as shares of that without redistribution
  local row, differences = {}, result:differences()
  for i = 2, #POLICIES do
    local d = differences[i]
    row[#row + 1] = cell(d)
    if d.significant and d.mean < 0 then pays[i] = pays[i] or cost else pays[i] = nil end
  end
  print(("%-19g  %s  %s"):format(cost, row[1], row[2]))
end

print()
for i = 2, #POLICIES do
  print(("%s pays %s"):format(POLICIES[i], pays[i]
    and ("from %g s per unit on"):format(pays[i]) or "nowhere here"))
end
