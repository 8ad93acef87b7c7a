-- A priority that is asked for every job of a large workload is computed by its formula, where it
-- has one. With plain = true the function is asked.
local orrery = require "orrery"
local rounds = require "spec.support.rounds"

local function jobs_of(count, rng, rising)
  local list, time = {}, 0
  for i = 1, count do
    time = rising and time + rng:integer(0, 9) or rng:integer(0, 5 * count)
    list[i] = { submit = time, procs = rng:integer(1, 64), runtime = rng:integer(0, 90) * 0.5,
      user = rng:uniform() < 0.5 and "u" .. rng:integer(1, 3) or nil,
      queue = "q" .. rng:integer(1, 2) }
  end
  return orrery.jobs(list)
end

local weights = { u1 = 5, u2 = 1.5 }
local scale = 0.37

local PRIORITIES = {
  function(job) return -job.time end,
  function(job) return job.procs end,
  function(job) return job.area * scale end,
  function(job) return job.procs % 5 - 2 end,
  function(job) return job.user == "u1" and 3 or job.user and -job.submit or 0.0 end,
  function(job) return weights[job.user] or -1 end,
  function(job) return job.time > 20 and -job.time or math.sqrt(job.area) end,
  function(job) return (job.time - 10) / job.procs end,
  function(job) return job.procs % 3 == 0 and 1.0 or job.procs % 2 == 0 and 0.0 or -0.0 end,
  function(job) return job.position * 0x7fffffffffff end,
  function(job) return 1 / (job.time - 20) end, -- inf
  function(job) return math.random() * job.procs end,
  function(job, sim) return job.procs / sim.procs end,
  function(job) return #(job.user or "") + job.time end,
  function(job) return tonumber(("%d"):format(job.procs)) end,
  function(job) return (job.time - 20) / (job.time - 20) end, -- nan
  function(job) return job.user .. "" end, -- an error, where there is none
}

local function outcome(spec, plain)
  spec.plain = plain
  local ok, result = pcall(orrery.compare, spec)
  if not ok then return (tostring(result):gsub("plain = true, ", "")) end
  return result:csv()
end

describe("the formula of a priority for a large workload", function()
  it("gives what the function gives, in order and behind the reservation #long", function()
    local rng = orrery.random(2303)
    for i, priority in ipairs(PRIORITIES) do
      local jobs = { jobs_of(10100, rng, true), jobs_of(10100, rng, false) }
      local policies = {
        { policy = "easy", priority = priority }, { policy = "easy", priority = priority },
        { policy = { dispatch = { discipline = "list", reservations = 1 }, backfill = priority } },
        { policy = { groups = { { name = "a" },
          { name = "b", procs = 64, extra = true, priority = priority } },
          dispatch = { discipline = "list", reservations = 1 },
          on_submit = function(sim, job)
            if job.position % 3 == 0 then sim:move(job, "b") end
          end } },
      }
      for p = 1 + i % rounds(1, 1, 4), #policies, rounds(1, 1, 4) do
        local policy = policies[p]
        local spec = { jobs = jobs[p % 2 + 1], procs = 64, threads = 1, policy = policy.policy,
          priority = policy.priority, quantiles = true }
        assert.equal(outcome(spec, true), outcome(spec, nil), ("priority %d, %d"):format(i, p))
      end
    end
  end)

  it("by hand: the shortest first, ties by position", function()
    local list = {}
    for i = 1, 10000 do list[i] = { submit = 0, procs = 1, runtime = i % 3 + 1 } end
    local ends = orrery.compare { jobs = orrery.jobs(list), procs = 1, policy = "fcfs",
      priority = function(job) return -job.time end, threads = 1 }:jobs(1, "end")
    assert.equal(1.0, ends[3]) -- 3333 jobs of 1 s: 3, 6, 9, ...
    assert.equal(3333.0, ends[9999])
    assert.equal(3335.0, ends[1]) -- of 2 s
    assert.equal(3333 + 2 * 3334 + 3.0, ends[2])
  end)
end)
