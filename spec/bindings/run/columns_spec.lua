-- A comparison takes what it can from the columns of the log, and keeps what it must: with
-- plain = true it makes copies of all, and sorts also what is in order.
local orrery = require "orrery"
local rounds = require "spec.support.rounds"

local KEPT = { "end", "runtime", "time", "flow", "wait", "bsld", "submit" }

-- Jobs whose submissions are in order or not, with walltimes that are all there, or some, or
-- overrun.
local function jobs_of(rng)
  local list, time, ordered = {}, 0, rng:uniform() < 0.5
  local walltimes = rng:integer(0, 3) -- none, enough for all, of some, some too short
  for i = 1, rng:integer(1, 40) do
    time = ordered and time + rng:integer(0, 3) or rng:integer(0, 50)
    local runtime = rng:integer(0, 20)
    local walltime = walltimes > 0 and runtime + rng:integer(walltimes == 3 and -5 or 0, 5) or nil
    if walltimes == 2 and rng:uniform() < 0.3 then walltime = nil end
    list[i] = { submit = time, procs = rng:integer(1, 8), runtime = runtime,
      walltime = walltime and math.max(walltime, 0),
      user = rng:uniform() < 0.5 and "u" .. rng:integer(1, 3) or nil,
      queue = rng:uniform() < 0.1 and "q" .. rng:integer(1, 3) or nil }
  end
  return orrery.jobs(list)
end

local POLICIES = { "easy", "greedy", "fcfs", "conservative", "easy-sjf", "redirect/threshold",
  "list:reservations=all" }
local PRIORITIES = { "fcfs", "lpt", "spt", "random", "wfp3" }

local function all_of(spec)
  local result, found = orrery.compare(spec), {}
  found[1] = result:csv()
  for _, what in ipairs(KEPT) do
    found[#found + 1] = spec.runs == 1 and result:jobs(1, what) or nil
  end
  found.users = spec.runs == 1 and result:users(1) or nil
  found.title = spec.runs == 1 and tostring(result) or nil
  return found
end

describe("a run on the columns of its log", function()
  it("is one on copies of them, to the last bit", function()
    local rng = orrery.random(2301)
    for round = 1, rounds(400, 400, 34) do
      local policy = POLICIES[rng:integer(1, #POLICIES)]
      local spec = {
        jobs = jobs_of(rng), procs = 8, policy = policy, runs = rng:integer(1, 2),
        priority = not policy:find "sjf" and PRIORITIES[rng:integer(1, #PRIORITIES)] or nil,
        batch = rng:uniform() < 0.2, walltimes = rng:uniform() < 0.6 and "log" or nil,
        errors = rng:uniform() < 0.3 and { mean_probability = 0.2 } or nil, quantiles = true,
        threads = 1,
      }
      if spec.walltimes then spec.overrun = ({ "kill", "extend", "cap" })[rng:integer(1, 3)] end
      if policy == "redirect/threshold" then spec.procs = 10 end
      local shared = all_of(spec)
      spec.plain = true
      assert.same(all_of(spec), shared, "round " .. round)
    end
  end)

  it("by hand: submissions out of order, one walltime too short, two users", function()
    local result = orrery.compare {
      jobs = orrery.jobs { { submit = 3, procs = 2, runtime = 4, walltime = 9, user = "b" },
        { submit = 0, procs = 2, runtime = 8, walltime = 6, user = "a" } },
      procs = 2, policy = "fcfs", walltimes = "log", threads = 1,
    }
    assert.same({ 10.0, 6.0 }, result:jobs(1, "end"))
    assert.same({ 4.0, 6.0 }, result:jobs(1, "runtime"))
    assert.same({ 9.0, 6.0 }, result:jobs(1, "time"))
    assert.same({ 3.0, 0.0 }, result:jobs(1, "submit"))
    assert.equal("b", result:users(1)[2].user)
  end)
end)
