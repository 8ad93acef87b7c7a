-- hundred: commands that are run natively and as WebAssembly, with all numbers in full; each is a
-- list of words. Files are in the folder that a command runs in: FILES.
local hundred = {}

local TASKS = "id,m,profile\na,2000000,synthetic:0.08\nb,1500000,synthetic:0.1\n"
  .. "c,1800000,synthetic:0.05\nd,2400000,synthetic:0.08\n"

hundred.FILES = {
  ["tasks.csv"] = TASKS,
  ["jobs.csv"] = "id,submit,procs,runtime,walltime\n1,0,4,100,200\n2,1,8,50.5,60\n"
    .. "3,2,2,10,10\n4,3,8,9,9\n",
  ["broken.csv"] = "id,submit,procs,runtime\n1,0,4,100\n2,x,4,100\n",
  ["mine.lua"] = [[
return {
  name = "wide and long",
  priority = function(job) return job.procs ^ 2 * job.time end,
}
]],
  ["loop.lua"] = [[
return {
  name = "loop",
  dispatch = function(sim) while true do end end,
}
]],
  ["wrong.lua"] = 'return { name = "wrong", dispatch = function(sim) return sim.nothing end }\n',
}

local list = {}
local function add(...) list[#list + 1] = { ... } end

local DISPATCH = { "aging", "conservative", "easy", "easy-plus-plus", "easy-sjf", "fair-share",
  "fcfs", "greedy", "knapsack", "list", "lookahead", "preemptive", "shelf", "shelf-nofill" }
local PRIORITIES = { "f1", "f2", "f3", "f4", "fcfs", "hpa", "la", "ljf", "lpa", "lpt", "random",
  "sa", "saf", "spt", "unicef", "wfp3" }
local PACKS = { "one-by-one", "pack-approx", "pack-by-pack", "random-pack", "random-proc",
  "sorted-cuts", "optimal" }
local MOVES = { "end-greedy", "end-local", "iterated-greedy", "shortest-tasks-first",
  "cautious-greedy" }

-- Every dispatch policy on machines that fail, and every priority.
for i, name in ipairs(DISPATCH) do
  add("replay", "--day", ("2019-06-%02d"):format(i), "--batch", "--q", "0.05", "--runs", "5",
    "--seed", tostring(i), "--policy", "dispatch/" .. name, "--json", "/dev/stdout", "--quiet")
end
for i, name in ipairs(PRIORITIES) do
  add("compare", "--day", ("2019-06-%02d"):format(i + 10), "--policy", "dispatch/greedy",
    "--policy", "dispatch/easy", "--priority", name, "--q", "0.1", "--runs", "5", "--json",
    "/dev/stdout", "--quiet")
end

-- Nodes that fail; logs, walltimes, users, weeks.
for _, mtbf in ipairs { "2000d", "5000d", "9000d" } do
  add("compare", "--day", "2019-06-20", "--policy", "easy", "--policy", "conservative",
    "--node-mtbf", mtbf, "--runs", "3", "--json", "/dev/stdout", "--quiet")
end
for _, walltimes in ipairs { "log", "runtime" } do
  add("replay", "--walltimes", walltimes, "--policy", "easy", "--json", "/dev/stdout", "--quiet")
end
add("replay", "--walltimes", "log", "--policy", "easy", "--schedule", "/dev/stdout", "--quiet")
add("replay", "--by", "week", "--policy", "easy", "--policy", "fcfs")
add("replay", "jobs.csv", "--procs", "8", "--policy", "easy", "--schedule", "/dev/stdout")
add("replay", "jobs.csv", "--procs", "8", "--policy", "easy", "--gantt", "/dev/stdout", "--quiet")
add("log", "jobs.csv", "--procs", "8", "--json", "/dev/stdout", "--quiet")
add("weeks", "sample-2019-06", "--procs", "49152")
add("compare", "--day", "2019-06-14", "--policy", "easy", "--priority", "mine.lua", "--priority",
  "lpt", "--q", "0.05", "--runs", "20", "--json", "/dev/stdout", "--quiet")

-- Workloads.
for seed = 1, 4 do
  add("generate", "lublin", "--procs", "256", "--days", "3", "--seed", tostring(seed), "-o",
    "/dev/stdout")
  add("generate", "synthetic", "--seed", tostring(seed), "-o", "/dev/stdout")
end
add("generate", "mira", "--seed", "2", "-o", "/dev/stdout")

-- Malleable tasks, and packs.
for i, name in ipairs(MOVES) do
  add("redistribute", "--n", "20", "--procs", "100", "--runs", "3", "--seed", tostring(i),
    "--mtbf-years", "5", "--policy", "none", "--policy", name, "--json", "/dev/stdout", "--quiet")
end
for _, law in ipairs { "weibull", "lognormal" } do
  add("redistribute", "--n", "10", "--procs", "40", "--runs", "2", "--law", law, "--shape",
    "0.7", "--policy", "end-local", "--json", "/dev/stdout",
    "--quiet")
end
for _, name in ipairs(PACKS) do
  add("pack", "--tasks", "tasks.csv", "--procs", "6", "--k", "3", "--policy", name,
    "--schedule", "/dev/stdout", "--quiet")
end

-- Sessions: run, fork, change, differ, in full digits.
local SESSION = [[
local s = orrery.session { jobs = month, policy = "easy", walltimes = "log" }
s:run_until "2019-06-%02d 12:00"
local t = s:fork { policy = "conservative" }
s:run_until "2019-06-%02d" t:run_until "2019-06-%02d"
print(orrery.diff(s, t))
for _, j in ipairs(t:running()) do print(j.id, ("%%.17g"):format(j.start)) end
]]
for day = 3, 12 do add("-e", SESSION:format(day, day + 2, day + 2)) end
local CHANGE = [[
local s = orrery.session { jobs = month, policy = "%s" }
s:run_until(%d * day)
s = s:fork { procs = 40960 }
s:finish()
for _, a in ipairs(s:schedule()) do print(a.id, ("%%.17g %%.17g"):format(a.start, a.finish)) end
]]
for i, name in ipairs { "easy", "conservative", "fcfs", "greedy" } do
  add("-e", CHANGE:format(name, 3 + i))
end
for seed = 1, 10 do
  add("-e", ("local r = orrery.random(%d) for i = 1, 200 do print(('%%.17g %%.17g'):format("
    .. "r:uniform(), r:exponential(3))) end"):format(seed))
end
add("-e", "print(orrery.session { jobs = month, policy = 'easy' })")
add("-e", "for k, v in pairs { 1, 2, 3 } do print(k, v) end")

-- What is wrong, and is said.
add("replay", "broken.csv", "--procs", "8")
add("replay", "--policy", "esay")
add("compare", "--day", "2019-06-14", "--policy", "easy", "--policy", "wrong.lua")
add("compare", "--day", "2019-06-14", "--policy", "easy", "--policy", "loop.lua",
  "--limit-seconds", "0.3")
add("replay", "--nonsense")
add("-e", "print(orrery.nothing)")
add("policies", "easy")
add("help", "metrics")
add("--version")

hundred.list = list
return hundred
