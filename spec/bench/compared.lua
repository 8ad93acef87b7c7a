-- A comparison for spec/bench/against.lua, which any version of the program can run: prints two
-- metrics to the last digit, and between them microseconds of processor time.
--
--   orrery compared.lua log LOG POLICY THREADS   of the comparison, without reading the log
--   orrery compared.lua list-all Q RUNS          of a scenario: R-LIST-Q on 100 jobs that fail

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

local units, spec = works[arg[1]](table.unpack(arg, 2))
local before = os.clock()
local result = orrery.compare(spec)
local taken = (os.clock() - before) / units
print(("%.17g %.2f %.17g"):format(result:set_means(1, "wait_mean")[1], taken * 1e6,
  result:set_means(1, "makespan")[1]))
