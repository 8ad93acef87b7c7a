-- The part of `make bench-tables` about packs. Called with the folder of the C programs and the
-- functions of bench.lua that it shares.
local orrery = require "orrery"

local folder, heading, median = ...

-- --- workloads -----------------------------------------------------------------------------------

-- As Workload-III of the paper: the forms of t(m, 1), f and the overheads in turn (reading 21); the
-- machine has 256 processors of one core.
local function workload_3(count, procs)
  local function log2(x) return math.log(x, 2) end
  local forms = { function(m) return m end, function(m) return m * log2(m) end,
    function(m) return m ^ 2 end, function(m) return m ^ 3 end }
  local overheads = { function(_, q) return log2(q) end, function(_, q) return log2(q) ^ 2 end,
    function(_, q) return q * log2(q) end, function(m, q) return m / q * log2(q) end,
    function(m, q) return math.sqrt(m / q) end, function(m, q) return m * log2(q) end }
  local kinds, list, rng = {}, {}, orrery.random(3)
  for _, form in ipairs(forms) do
    for _, f in ipairs { 0, 0.04, 0.08, 0.16, 0.32 } do
      for _, overhead in ipairs(overheads) do kinds[#kinds + 1] = { form, f, overhead } end
    end
  end
  for i = 1, count do
    local form, f, overhead = table.unpack(kinds[(i - 1) % #kinds + 1])
    local m = rng:uniform(1000, 10000)
    local first = form(m) * 1e5 / form(10000)
    list[i] = { most = procs, time = function(q)
      return f * first + (1 - f) * first / q + overhead(m, q)
    end }
  end
  return orrery.tasks.list(list)
end

local function random_tasks(count, procs)
  local list, rng = {}, orrery.random(4)
  for i = 1, count do
    local first, f = rng:uniform(100, 1000), rng:uniform(0, 0.3)
    list[i] = { most = procs, time = function(j) return first * (f + (1 - f) / j) end }
  end
  return orrery.tasks.list(list)
end

-- --- measuring -----------------------------------------------------------------------------------

-- The median of some calls, s of processor time; the last call's result.
local function timed(rounds, run)
  local times, result = {}, nil
  for round = 1, rounds do
    collectgarbage()
    local begin = os.clock()
    result = run()
    times[round] = os.clock() - begin
  end
  return median(times), result
end

-- Seconds that a policy takes, without the making of the problem.
local function policy_seconds(rounds, spec, policy, options)
  local times, result = {}, nil
  for round = 1, rounds do
    result = orrery.packs { tasks = spec.tasks, procs = spec.procs, k = spec.k,
      policy = { policy = policy, options = options } }
    times[round] = result:summary(1, "seconds").mean
  end
  return median(times), result:summary(1, "cost").mean
end

local function client_seconds(path, spec, runs)
  local command = ("%s/packs %s %d %d %d %d"):format(folder, path, spec.procs, spec.k, runs,
    runs == 1 and 200 or 30)
  local pipe = assert(io.popen(command))
  local cost, microseconds = pipe:read("a"):match "(%S+) (%S+)"
  assert(pipe:close(), command)
  return tonumber(microseconds) / 1e6, tonumber(cost)
end

heading "Packs, Workload-III: 260 tasks on 256 processors: ms of a policy in Lua, of a C client"
do
  local tasks, path = workload_3(260, 256), os.tmpname()
  tasks:to_csv(path)
  print(("%4s %16s %16s %22s %20s"):format("k", "PACK-BY-PACK-1", "PACK-BY-PACK-9",
    "PACK-BY-PACK-9 in C", "PACK-APPROX"))
  for _, k in ipairs { 2, 4, 8, 16, 32 } do
    local spec = { tasks = tasks, procs = 256, k = k }
    local one = policy_seconds(7, spec, "pack-by-pack", { epsilon = 0.5 })
    local nine, cost = policy_seconds(7, spec, "pack-by-pack", { runs = 9 })
    local client, same_cost = client_seconds(path, spec, 9)
    assert(cost == same_cost, "the C client finds another cost")
    local approx = policy_seconds(7, spec, "pack-approx")
    print(("%4d %13.2f ms %13.2f ms %11.2f ms, 1/%.2f %17.2f ms"):format(k, one * 1e3, nine * 1e3,
      client * 1e3, nine / client, approx * 1e3))
  end
  os.remove(path)
end

heading "Packs, 10,000 tasks on 100,000 processors: s of a policy in Lua"
do
  local tasks = orrery.tasks.synthetic { n = 10000, m = { 1000, 1e5 }, seed = 3 }
  for _, k in ipairs { 4, 64, 100000 } do
    local spec = { tasks = tasks, procs = 100000, k = k }
    local one = policy_seconds(1, spec, "pack-by-pack", { epsilon = 0.5 })
    local approx = policy_seconds(1, spec, "pack-approx")
    print(("k = %-8d PACK-BY-PACK-1 %6.2f s   PACK-APPROX %6.2f s"):format(k, one, approx))
  end
end

heading "One pack, all processors given out: ms by the search, by the printed loop"
for _, case in ipairs { { 16, 256 }, { 16, 16384 }, { 1000, 100000 }, { 1000, 10000000 } } do
  local n, procs = case[1], case[2]
  local problem = orrery.pack_problem {
    tasks = orrery.tasks.synthetic { n = n, m = { 1000, 1e5 } }, procs = procs,
  }
  local pack = {}
  for i = 1, n do pack[i] = i end
  local fast = timed(5, function() return problem:one_pack(pack) end)
  local printed = timed(5, function() return problem:one_pack(pack, "printed") end)
  print(("%6d tasks on %9d processors %10.3f ms %10.3f ms   factor %.1f"):format(n, procs,
    fast * 1e3, printed * 1e3, printed / fast))
end

heading "Exact optima: s of processor time"
for _, n in ipairs { 12, 16, 20 } do
  for _, k in ipairs { 4, n } do
    local problem = orrery.pack_problem { tasks = random_tasks(n, 32), procs = 32, k = k }
    local seconds, best = timed(1, function() return problem:optimal() end)
    print(("optimum of %2d tasks on 32, k = %-3d %8.3f s   bound / optimum %.3f"):format(n, k,
      seconds, problem:bounds().best / best.cost))
  end
end
for _, n in ipairs { 100, 400, 800 } do
  local problem = orrery.pack_problem { tasks = random_tasks(n, 32), procs = 32, k = 2 }
  local seconds, best = timed(1, function() return problem:two_in_p() end)
  print(("2-in-p of %4d tasks on 32          %8.3f s   bound / optimum %.3f"):format(n, seconds,
    problem:bounds().best / best.cost))
end
