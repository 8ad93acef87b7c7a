-- pyss: how many starts of pyss Orrery has, with its convention for instants and without (READINGS
-- 35).
--
--   PYSS=DIR orrery spec/bench/pyss.lua [JOBS [SEED [UNIT]]]
--
-- DIR: as in the head of spec/conformance/adapters/pyss.py; of its branch only EASY++ is compared.
-- JOBS: so many (1200) jobs of Lublin and Feitelson's model with users' estimates, of 20 users, all
-- times multiples of UNIT (60) s; or a log. Printed for each policy: how many jobs start at another
-- time than in pyss. A minute.
local orrery = require "orrery"

local count, seed, unit = arg[1] or 1200, tonumber(arg[2] or 1), tonumber(arg[3] or 60)
local folder = os.getenv "PYSS" or error("PYSS names no folder", 0)
local is_branch = os.rename(folder .. "/predictors", folder .. "/predictors")

local function whole(seconds) return unit * math.max(1, math.ceil(seconds / unit)) end

local function drawn()
  local list, rng = {}, orrery.random(seed)
  for i, job in orrery.lublin { procs = 64, count = tonumber(count), load = 0.9,
    walltimes = "users", seed = seed }:each() do
    list[i] = { id = tostring(i), submit = whole(job.submit), procs = job.procs,
      runtime = whole(job.runtime), walltime = whole(math.max(job.runtime, job.walltime)),
      user = "u" .. rng:integer(1, 20) }
  end
  return orrery.jobs(list), 64
end

-- pyss has no jobs that take no time, and cuts runtimes off.
local function logged()
  local log, list = orrery.read(count), {}
  for _, job in log:each() do
    local walltime = job.walltime or job.runtime
    list[#list + 1] = job.runtime > 0 and { id = tostring(#list + 1), submit = job.submit,
      procs = job.procs, runtime = math.min(job.runtime, walltime), walltime = walltime,
      user = job.user } or nil
  end
  return orrery.jobs(list), log.machine_procs
end

local jobs, procs = (tonumber(count) and drawn or logged)()
local swf, out = os.tmpname(), os.tmpname()
orrery.tools.write_file(swf, ("; MaxProcs: %d\n"):format(procs) .. jobs:csv "swf")

-- what EASY++ of pyss and of its branch do
local OPTIONS = { ["easy-plus-plus"] = is_branch and { variant = "published" }
  or { correct = "walltime", decide = "events", means = "seconds" } }
local POLICIES = is_branch and { "easy-plus-plus" }
  or { "fcfs", "easy", "easy-sjf", "conservative", "easy-plus-plus", "lookahead" }

-- how many start at another time than in pyss
local function others(theirs, policy, instant, options)
  local different = 0
  local session = orrery.session { jobs = jobs, procs = procs, walltimes = "log", policy = policy,
    instant = instant, options = options }
  session:finish()
  for _, attempt in ipairs(session:schedule()) do
    different = different + (attempt.start ~= theirs[attempt.id] and 1 or 0)
  end
  return different
end

for _, policy in ipairs(POLICIES) do
  assert(os.execute(("spec/conformance/adapters/pyss.py %s %d %s '' %s"):format(swf, procs,
    policy == "easy-sjf" and "easy-sjbf" or policy, out)))
  local theirs = {}
  for line in io.lines(out) do
    local id, start = line:match "^(%d+),(%d+)"
    if id then theirs[id] = tonumber(start) end
  end
  local options = OPTIONS[policy]
  print(("%-14s of %d starts others: %d, with its options %d, with --instant pyss %d"):format(
    policy, #jobs, others(theirs, policy, "batched"), others(theirs, policy, "batched", options),
    others(theirs, policy, "pyss", options)))
end
os.remove(swf)
os.remove(out)
