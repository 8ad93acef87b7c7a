-- What jobs on nodes cost: prints one row for each machine and discipline.
--   ./orrery spec/bench/nodes.lua [JOBS [NODES [POLICY ...]]]      100000 1000 easy conservative
--   ./orrery spec/bench/nodes.lua JOBS NODES narrow=WIDTH [POLICY ...]
-- Nodes have 64 processors, 4 GPUs and 256 GB; a third of the jobs asks for GPUs, half for memory,
-- half for a number of nodes. Estimates are up to three times the runtimes; load 0.9. Narrow jobs
-- ask for 1 to WIDTH processors and nothing else; load 0.95.
local orrery = require "orrery"

local width = arg[3] and tonumber(arg[3]:match "^narrow=(%d+)$")
if width then table.remove(arg, 3) end

local function log(count, nodes, seed)
  local rng, rows, work, held = orrery.random(seed), {}, 0, 0
  for i = 1, count do
    local procs = width and rng:integer(1, width) or 2 ^ rng:integer(0, 6)
    if not width and rng:integer(1, 20) == 1 then
      procs = 64 * rng:integer(1, math.max(1, nodes // 20))
    end
    local time = math.ceil(60 * 2 ^ (rng:integer(0, 90) / 10))
    local needs = {}
    local function some(most) return not width and rng:integer(1, most) == 1 end
    if some(3) then needs.gpu = math.max(1, procs // 16) end
    if some(2) then needs.mem = procs * rng:integer(1, 4) end
    if some(2) then needs.nodes = (procs + 63) // 64 end
    rows[i] = { id = tostring(i), procs = math.tointeger(procs), runtime = time, needs = needs,
      walltime = time * rng:integer(10, 30) // 10 }
    for name, amount in pairs(needs) do needs[name] = math.tointeger(amount) end
    work, held = work + procs * time, held + time
  end
  local span = work / ((width and 0.95 or 0.9) * nodes * 64)
  for i = 1, count do rows[i].submit = math.floor(span * i / count) end
  return orrery.jobs(rows), held / span
end

local count, nodes = tonumber(arg[1]) or 100000, tonumber(arg[2]) or 1000
local jobs, running = log(count, nodes, 1)
local machine = { nodes = { { count = nodes, procs = 64, gpu = 4, mem = 256 } } }
print(("jobs that run at a time, in the mean: %.0f"):format(running))
print("jobs", "nodes", "policy", "seconds", "mean wait, s", "peak so far, MB")
for i = 3, math.max(4, #arg) do
  local policy = arg[i] or (#arg < 3 and ({ "easy", "conservative" })[i - 2])
  if policy then
    local begun = os.clock()
    local s = orrery.session { jobs = jobs, policy = "dispatch/" .. policy, machine = machine,
      walltimes = "log" }
    s:finish()
    local m = s:measure()
    local seconds = os.clock() - begun
    local peak = io.open "/proc/self/status":read "a":match "VmHWM:%s+(%d+)" / 1024
    print(count, nodes, policy, ("%.2f"):format(seconds), m.wait_mean, ("%.0f"):format(peak))
  end
end
