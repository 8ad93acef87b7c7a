-- A comparison for spec/bench/against.lua, which any version of the program can run: prints two
-- metrics to the last digit, and between them microseconds of processor time.
--
--   orrery compared.lua log LOG POLICY THREADS   of the comparison, without reading the log
--   orrery compared.lua list-all Q RUNS          of a scenario: R-LIST-Q on 100 jobs that fail
--   orrery compared.lua users POLICY COUNT LOAD [PRIORITY]   of the log of priorities.cpp
--   orrery compared.lua waiting POLICY COUNT     of jobs that are all there at first

local folder = arg[0]:match "^(.*/)" or ""
local logs = dofile(folder .. "logs.lua")
local orrery = require "orrery"

local works = {}

function works.log(path, policy, threads)
  local jobs = orrery.read(path)
  return 1, { jobs = jobs, policy = policy, threads = math.tointeger(threads) }
end

works["list-all"] = function(q, runs)
  runs = math.tointeger(runs)
  return runs, { jobs = orrery.synthetic { set = 1 }, procs = 10000, runs = runs, threads = 1,
    policy = "list", options = { reservations = "all" }, priority = "lpt",
    errors = { mean_probability = tonumber(q) } }
end

function works.users(policy, count, load, priority)
  return 1, { jobs = logs.with_users(math.tointeger(count), tonumber(load)), procs = 10000,
    policy = policy, priority = priority, threads = 1 }
end

function works.waiting(policy, count)
  local list, rng = {}, orrery.random(5)
  for i = 1, math.tointeger(count) do
    list[i] = { runtime = rng:uniform(100, 10000), procs = rng:integer(1, 2000) }
  end
  return 1, { jobs = orrery.jobs(list), procs = 10000, policy = policy, threads = 1 }
end

local units, spec = works[arg[1]](table.unpack(arg, 2))
local before = os.clock()
local result = orrery.compare(spec)
local taken = (os.clock() - before) / units
print(("%.17g %.2f %.17g"):format(result:set_means(1, "wait_mean")[1], taken * 1e6,
  result:set_means(1, "makespan")[1]))
