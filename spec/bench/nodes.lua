-- What jobs on nodes cost: prints one row for each machine and discipline.
--   ./orrery spec/bench/nodes.lua [JOBS [NODES [POLICY ...]]]      100000 1000 easy conservative
--   ./orrery spec/bench/nodes.lua JOBS NODES narrow=WIDTH [POLICY ...]
-- Jobs are those of logs.on_nodes.
local logs = dofile "spec/bench/logs.lua"
local orrery = require "orrery"

local width = arg[3] and tonumber(arg[3]:match "^narrow=(%d+)$")
if width then table.remove(arg, 3) end

local count, nodes = tonumber(arg[1]) or 100000, tonumber(arg[2]) or 1000
local jobs, running = logs.on_nodes(count, nodes, width)
print(("jobs that run at a time, in the mean: %.0f"):format(running))
print("jobs", "nodes", "policy", "seconds", "mean wait, s", "peak so far, MB")
for i = 3, math.max(4, #arg) do
  local policy = arg[i] or (#arg < 3 and ({ "easy", "conservative" })[i - 2])
  if policy then
    local begun = os.clock()
    local s = orrery.session { jobs = jobs, policy = "dispatch/" .. policy,
      machine = logs.nodes(nodes), walltimes = "log" }
    s:finish()
    local m = s:measure()
    local seconds = os.clock() - begun
    local peak = io.open "/proc/self/status":read "a":match "VmHWM:%s+(%d+)" / 1024
    print(count, nodes, policy, ("%.2f"):format(seconds), m.wait_mean, ("%.0f"):format(peak))
  end
end
