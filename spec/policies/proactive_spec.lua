-- dispatch/easy-proactive: EASY that saves what is done just before an announced failure.
local orrery = require "orrery"

-- Attempts as text, of jobs whose checkpoints cost 100 s and are otherwise not written.
local function attempts(rows, node_failures, checkpoint)
  local s = orrery.session { jobs = orrery.jobs(rows), procs = 4, policy = "easy-proactive",
    checkpoint = checkpoint or { cost = 100, recovery = 10, period = "none" },
    node_failures = node_failures }
  s:finish()
  assert(s:check())
  local list = {}
  for i, a in ipairs(s:schedule()) do
    list[i] = ("%s: %g to %g %s, %g saved by %d"):format(a.id, a.start, a.finish, a.outcome,
      a.saved or -1, a.checkpoints or -1)
  end
  return list
end

local ONE = { { submit = 0, procs = 2, time = 2000 } }

describe("dispatch/easy-proactive", function()
  local function struck_at(time, lead, more)
    return { log = { { time = time, processor = 1, repair = 5 }, more }, procs = 2,
      prediction = { lead = lead } }
  end

  it("by hand: a checkpoint is complete a second before an announced failure", function()
    assert.same({ "1: 0 to 1000 node_failure, 899 saved by 1",
      "1: 1000 to 2111 completed, 2000 saved by 0" }, attempts(ONE, struck_at(1000, 600)))
    -- announced with just so much time; and too late
    assert.equal("1: 0 to 1000 node_failure, 899.5 saved by 1",
      attempts(ONE, struck_at(1000, 100.5))[1])
    assert.equal("1: 0 to 1000 node_failure, 0 saved by 0",
      attempts(ONE, struck_at(1000, 100))[1])
  end)

  it("by hand: of two jobs, the slower decides when; elsewhere nobody saves", function()
    local rows = { { submit = 0, procs = 1, time = 2000 }, { submit = 0, procs = 1, time = 1500 },
      { submit = 0, procs = 2, time = 1200 } }
    local list = attempts(rows, struck_at(1000, 600), { period = "none", recovery = 10,
      cost = function(job) return job.runtime == 1500 and 300 or 100 end })
    table.sort(list)
    assert.same({ "1: 0 to 1000 node_failure, 699 saved by 1",
      "2: 0 to 1000 node_failure, 699 saved by 1", "3: 0 to 1200 completed, 1200 saved by 0" },
      { list[1], list[3], list[5] })
  end)

  it("is EASY where nothing is announced, and where nobody writes checkpoints", function()
    local jobs = orrery.lublin { procs = 32, days = 2, load = 0.9, seed = 3 }
    for _, case in ipairs { { prediction = "recall=0,lead=10m" }, { prediction = "lead=10m" } } do
      local found = {}
      for i, policy in ipairs { "easy", "easy-proactive" } do
        local s = orrery.session { jobs = jobs, procs = 32, policy = policy,
          checkpoint = case.prediction:find "recall" and { cost = 60 } or nil,
          node_failures = { mtbf = 4e5, procs = 4, repair = "1h", prediction = case.prediction } }
        found[i] = { s:finish().bsld_mean, s:finish().makespan, s:finish().node_failures }
      end
      assert.is_true(found[1][3] > 3)
      assert.same(found[1], found[2])
    end
  end)

  it("with recall has the periods of Aupy et al.", function()
    local s = orrery.session { jobs = orrery.jobs(ONE), procs = 4, policy = "easy-proactive",
      options = { recall = 0.75 }, checkpoint = { cost = 8 }, node_failures = { mtbf = 1e4 } }
    s:run_until(0)
    local period = math.sqrt(2 * 1e4 / 2 * 8 / 0.25)
    assert.near(2000 + 8 * (math.ceil(2000 / period) - 1), s:job(1).planned_end, 1e-9)
  end)
end)
