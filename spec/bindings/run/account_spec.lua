-- What came of one scenario, as people read it: the same at the prompt, on the command line and of
-- sessions; times of a row or column have one unit.
local orrery = require "orrery"
local program = require "spec.support.program"
local show = require "orrery.program.show"

local metrics = orrery.tools.metrics()

local function account(spec) return tostring(orrery.compare(spec)) end

describe("times side by side", function()
  it("have the unit of the longest of them", function()
    for _, case in ipairs { { { 119, 3 }, "s", 1 }, { { 0, -120 }, "min", 60 },
      { { 7199 }, "min", 60 }, { { 7200, 0 / 0 }, "h", 3600 }, { { 14 * 86400, 1 }, "d", 86400 },
      { {}, "s", 1 }, { { math.huge, 300 }, "min", 60 } } do
      local one = metrics.among("wait_mean", case[1])
      assert.equal(("mean wait (%s)"):format(case[2]), one.title)
      assert.equal(("Mean wait (%s)"):format(case[2]), one.axis)
      assert.equal("7.000", metrics.text(one, 7 * case[3]))
    end
    assert.equal(metrics.of "ratio", metrics.among("ratio", { 3 }))
    local shown = metrics.shown(metrics.of "wait_max", { 30, 600, 0 })
    assert.same({ "0.50 min", "10.00 min", "0 min" }, { shown(30), shown(600), shown(0) })
  end)

  it("have it in tables of many scenarios, where quantiles have columns, too", function()
    local result = orrery.compare { procs = 2, runs = 2, quantiles = true, policies = { "easy" },
      jobs = orrery.jobs { { procs = 2, time = 300 }, { procs = 2, time = 9 } } }
    assert.matches("policy +ratio +makespan %(min%) +mean wait %(min%) +utilisation +failures +"
      .. "mean bsld +median wait %(min%) +95%% of wait %(min%) +median bounded slowdown +"
      .. "95%% of bounded slowdown\neasy +1.0000 +5.15 +2.50 ", tostring(result))
  end)
end)

describe("an account", function()
  local folder
  setup(function()
    folder = program.folder()
    program.write(folder, "log.csv", "id,submit,procs,runtime\na,0,2,60\nb,30,1,90\nc,31,1,7\n")
  end)
  teardown(function() program.remove(folder) end)

  it("is the same in Lua, at the prompt and on the command line", function()
    local text = account { jobs = orrery.read(folder .. "/log.csv"), procs = 2,
      policies = { "easy", "fcfs" } }
    -- a 0-60, b 60-150, c 60-67
    assert.matches("\nmakespan +2.50 min  2.50 min\n", text)
    assert.matches("\nwait, mean +19.67 s +19.67 s\n  median +29 s +29 s\n"
      .. "  95th percentile +29.9 s", text)
    local words = "log.csv --procs 2 --policy easy --policy fcfs"
    assert.same({ 0, text .. "\n", "" }, { program.run(folder, "replay " .. words) })
    local code = "orrery.compare{ jobs = orrery.read [[log.csv]], procs = 2, "
      .. "policies = { [[easy]], [[fcfs]] } }"
    program.write(folder, "typed", code .. "\n")
    local pipe = assert(io.popen(("cd '%s' && '%s' -i <typed"):format(folder, program.path)))
    assert.is_truthy(pipe:read "a":find(text, 1, true))
    pipe:close()
  end)

  it("is shown of a session's metrics", function()
    local session = orrery.session { jobs = orrery.read(folder .. "/log.csv"), procs = 2,
      policy = "easy" }
    local text = show.text(session:finish())
    assert.matches("^makespan +2.50 min\n", text)
    assert.matches("\nwait, mean +19.67 s\n  median +29 s\n  95th percentile +29.9 s\n"
      .. "  longest +30 s\n", text)
    assert.matches("\nutilisation +72.3%%\n", text) -- (120 + 90 + 7) / 300
    local of_tasks = orrery.session { tasks = { n = 2 }, procs = 8, policy = "none" }
    assert.matches("^makespan +%d+.%d+ d\n", show.text(of_tasks:finish()))
  end)
end)

describe("a makespan of many times the log's span", function()
  local DAY = 86400

  it("is explained by one long job", function()
    local text = account { procs = 2, policies = { "easy" }, jobs = orrery.jobs {
      { id = "a", procs = 1, time = 10 }, { id = "b", submit = DAY, procs = 1, time = 40 * DAY } } }
    assert.matches("\neasy: the makespan is 41.0 d though the last job comes after 24.00 h: job b "
      .. "alone runs 40.0 d", text, 1, true)
  end)

  it("is explained by a job that waited, and by failures", function()
    local text = account { procs = 1, policies = { "easy" }, failures = { { 4, 0 } },
      jobs = orrery.jobs { { id = "a", procs = 1, time = 5 * DAY },
        { id = "b", submit = DAY, procs = 1, time = 2 * DAY } } }
    assert.matches("\neasy: the makespan is 27.0 d though the last job comes after 24.00 h: the "
      .. "last job, b, runs 48.00 h from 24.0 d after its submission on, and 4 attempts failed",
      text, 1, true)
  end)

  -- By hand: job a runs twice, from 0 to 10 d, job b from 10 to 12 d.
  it("is explained by one attempt that failed", function()
    local text = account { procs = 1, policies = { "easy" }, failures = { { 1, 0 } },
      jobs = orrery.jobs { { id = "a", procs = 1, time = 5 * DAY },
        { id = "b", submit = DAY, procs = 1, time = 2 * DAY } } }
    assert.matches("\neasy: the makespan is 288.00 h though the last job comes after 24.00 h: the "
      .. "last job, b, runs 48.00 h from 216.00 h after its submission on, and 1 attempt failed",
      text, 1, true)
  end)

  -- By hand: job b comes after 2 d; the last job ends after 6 d, three times as much, or earlier.
  it("has a sentence from three times the log's span on, and from three days on", function()
    local function told(submit, time)
      return account { procs = 2, policies = { "easy" }, jobs = orrery.jobs {
        { id = "a", procs = 1, time = 9 }, { id = "b", submit = submit, procs = 1,
          time = time } } }:match "\neasy: the makespan is [^\n]*"
    end
    assert.equal("\neasy: the makespan is 144.00 h though the last job comes after 48.00 h: job b "
      .. "alone runs 96.00 h", told(2 * DAY, 4 * DAY))
    assert.is_nil(told(2 * DAY, 4 * DAY - 1))
    assert.equal("\neasy: the makespan is 72.00 h though the last job comes after 1 s: job b alone "
      .. "runs 72.00 h", told(1, 3 * DAY - 1))
    assert.is_nil(told(1, 3 * DAY - 2))
  end)

  it("has no sentence where the log takes as long, or nobody knows", function()
    local jobs = orrery.jobs { { id = "a", procs = 1, time = 9 * DAY },
      { id = "b", submit = 4 * DAY, procs = 1, time = DAY } }
    assert.not_matches("the makespan is", account { procs = 2, policies = { "easy" }, jobs = jobs })
    assert.not_matches("the makespan is", account { procs = 2, policies = { "easy" }, jobs = jobs,
      batch = true })
  end)
end)
