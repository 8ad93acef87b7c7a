-- pyss: how many starts of pyss Orrery has, with its convention for instants and without (READINGS
-- 35).
--
--   PYSS=DIR orrery spec/bench/pyss.lua [JOBS [SEED [UNIT]]]
--
-- DIR: as in the head of spec/conformance/adapters/pyss.py. JOBS (1200) jobs of Lublin and
-- Feitelson's model with users' estimates, of 20 users, all times multiples of UNIT (60) s. Printed
-- for each policy: how many jobs start at another time than in pyss. A minute.
local orrery = require "orrery"

local jobs, seed, unit = tonumber(arg[1] or 1200), tonumber(arg[2] or 1), tonumber(arg[3] or 60)
local PROCS = 64
assert(os.getenv "PYSS", "PYSS names no folder")

local function whole(seconds) return unit * math.max(1, math.ceil(seconds / unit)) end

local list, rng = {}, orrery.random(seed)
for i, job in orrery.lublin { procs = PROCS, count = jobs, load = 0.9, walltimes = "users",
  seed = seed }:each() do
  list[i] = { id = tostring(i), submit = whole(job.submit), procs = job.procs,
    runtime = whole(job.runtime), walltime = whole(math.max(job.runtime, job.walltime)),
    user = "u" .. rng:integer(1, 20) }
end
local log, swf, out = orrery.jobs(list), os.tmpname(), os.tmpname()
orrery.tools.write_file(swf, ("; MaxProcs: %d\n"):format(PROCS) .. log:csv "swf")

-- what EASY++ of pyss does
local OWN = { correct = "walltime", decide = "events", means = "seconds" }

-- how many start at another time than in pyss
local function others(theirs, policy, instant)
  local count = 0
  local session = orrery.session { jobs = log, procs = PROCS, walltimes = "log", policy = policy,
    instant = instant, options = policy == "easy-plus-plus" and OWN or nil }
  session:finish()
  for _, attempt in ipairs(session:schedule()) do
    if attempt.start ~= theirs[attempt.id] then count = count + 1 end
  end
  return count
end

for _, policy in ipairs { "fcfs", "easy", "easy-sjf", "conservative", "easy-plus-plus",
  "lookahead" } do
  assert(os.execute(("spec/conformance/adapters/pyss.py %s %d %s '' %s"):format(swf, PROCS,
    policy == "easy-sjf" and "easy-sjbf" or policy, out)))
  local theirs = {}
  for line in io.lines(out) do
    local id, start = line:match "^(%d+),(%d+)"
    if id then theirs[id] = tonumber(start) end
  end
  print(("%-13s %d of %d starts are others, with --instant pyss %d"):format(policy,
    others(theirs, policy, "batched"), jobs, others(theirs, policy, "pyss")))
end
os.remove(swf)
os.remove(out)
