-- Times that a clock in doubles cannot resolve: they are refused where they come in, a simulation
-- that gets there ends with an error, and roundings below make no wait negative.
local orrery = require "orrery"
local temporary = require "spec.support.temporary"
local rounds = require "spec.support.rounds"

local END = 2^53 -- s: two neighbouring doubles are 2 s apart from here on

describe("a wait", function()
  -- By hand: at 2^52 s doubles are 1 s apart. A job of 0.25 s ends when it begins, so that its flow
  -- is 0 and flow - runtime is -0.25; one of 0.75 s ends 1 s later and seems to wait 0.25 s.
  it("is never negative: by hand", function()
    local jobs = orrery.jobs { { procs = 1, runtime = 0.25, submit = 2^52 },
      { procs = 1, runtime = 0.75, submit = 2^52 } }
    local result = orrery.compare { jobs = jobs, procs = 2, policies = { "easy" },
      quantiles = true }
    assert.same({ 0, 0.25 }, result:jobs(1, "wait"))
    assert.same({ 0.125, 0.25 }, { result:summary(1, "wait_mean").mean,
      result:summary(1, "wait_max").mean })
    assert.equal(0.125, result:summary(1, "wait_p50").min) -- in the middle of the two
  end)

  -- Fractions of seconds far from 0: most flows are rounded.
  it("is never negative, and flow - runtime where that is not negative", function()
    local rng, negative = orrery.random(5), 0
    for round = 1, rounds(40, 40, 20) do
      local rows, from = {}, 10^rng:integer(6, 14)
      for i = 1, rng:integer(2, 30) do
        rows[i] = { procs = rng:integer(1, 4), runtime = rng:uniform() * 50, user = "ann",
          submit = from + rng:uniform() * 400, walltime = rng:uniform() * 60 }
      end
      for _, spec in ipairs { {}, { walltimes = "log", grace = 1 }, { warmup = 1e-9 },
        { errors = { mean_probability = 0.1 } } } do
        spec.jobs, spec.procs, spec.policies = orrery.jobs(rows), 8, { "easy", "conservative" }
        local result = orrery.compare(spec)
        for policy = 1, 2 do
          local flows, runtimes = result:jobs(policy, "flow"), result:jobs(policy, "runtime")
          local sum = 0
          for job, wait in ipairs(result:jobs(policy, "wait")) do
            local plain = flows[job] - runtimes[job]
            negative = negative + (plain < 0 and 1 or 0)
            assert.equal(plain < 0 and 0 or plain, wait)
            sum = sum + wait
          end
          local mean = result:summary(policy, "wait_mean").mean
          assert.is_true(mean >= 0)
          if not spec.warmup then assert.equal(sum / #rows, mean, round) end
          for _, user in ipairs(result:users(policy)) do assert.is_true(user.wait_mean >= 0) end
        end
      end
    end
    assert.is_true(negative > 100)
  end)
end)

describe("a time from 2^53 s on", function()
  local TOO_LARGE = " s is too large: from 9007199254740992 s on a clock cannot tell one second "
    .. "from the next"

  it("of a log is left out, with its line, or refused by a strict reader", function()
    local swf = "; MaxProcs: 8\n1 0 -1 60 4 -1 -1 4 100 -1 1 3 -1 -1 1 1 -1 -1\n2 %s -1 %s 4 -1 -1 "
      .. "4 %s -1 1 3 -1 -1 1 1 -1 -1\n"
    local csv = "id,submit,procs,runtime,walltime\n1,0,4,60,100\n2,%s,4,%s,%s\n"
    local sacct = "JobIDRaw|Submit|Start|Elapsed|Timelimit|NCPUS|State\n"
      .. "1|2023-03-01T08:00:00|2023-03-01T08:00:00|00:01:00|00:10:00|4|COMPLETED\n"
      .. "2|2023-03-01T08:00:00|2023-03-01T08:00:00|%s|%s|4|COMPLETED\n"
    local mira = "COBALT_JOBID,QUEUED_TIMESTAMP,WALLTIME_SECONDS,RUNTIME_SECONDS,NODES_USED\n"
      .. "1,2019-06-01 00:00:00,100,60,4\n2,2019-06-01 00:00:00,%s,%s,4\n"
    for _, case in ipairs {
      { swf:format("1e18", 60, 100), 3, "a submission time of 1e+18" },
      { swf:format(0, "1e308", 100), 3, "a runtime of 1e+308" },
      { swf:format(0, 60, "9007199254740992"), 3, "a walltime of 9.0072e+15" },
      { csv:format("1e18", 60, 100), 3, "a submission time of 1e+18" },
      { csv:format(0, "1e308", 100), 3, "a runtime of 1e+308" },
      { csv:format(0, 60, "1e17"), 3, "a walltime of 1e+17" },
      { sacct:format("200000000000-00:00:00", "1:00:00"), 3, "a runtime of 1.728e+16" },
      { sacct:format("00:01:00", "200000000000-00:00:00"), 3, "a walltime of 1.728e+16" },
      { mira:format("100", "1e16"), 3, "a runtime of 1e+16" },
    } do
      local text, line, message = table.unpack(case)
      message = message .. TOO_LARGE
      temporary.file("LOG", text, function(path)
        local jobs = orrery.read(path)
        assert.equal(1, #jobs)
        local record = jobs:dropped()[1]
        assert.same({ line, "2", message }, { record.line, record.id, record.detail })
        local ok, problem = pcall(orrery.read, path, { strict = true })
        assert.same({ false, ("%s:%d: %s"):format(path, line, message) }, { ok, problem })
      end)
    end
  end)

  it("of a workload by hand is refused, and the last one before is fine", function()
    for _, field in ipairs { "submit", "runtime", "walltime" } do
      local row = { procs = 1, runtime = 1, [field] = END }
      local ok, problem = pcall(orrery.jobs, { row })
      assert.is_false(ok)
      assert.matches(" of 9.0072e+15" .. TOO_LARGE, problem, 1, true)
      row[field] = END - 1
      assert.equal(1, #orrery.jobs { row })
    end
  end)

  it("ends a simulation that gets there", function()
    local rows = {}
    for i = 1, 3 do rows[i] = { procs = 1, runtime = 4e15 } end
    for _, policy in ipairs { "easy", "conservative", "fcfs" } do
      for _, q in ipairs { 0, 0.2 } do
        local ok, problem = pcall(orrery.compare, { jobs = orrery.jobs(rows), procs = 1,
          policies = { policy }, errors = { mean_probability = q } })
        assert.is_false(ok)
        assert.matches("the clock cannot tell one second from the next: times must stay below "
          .. "9007199254740992 s", problem, 1, true)
      end
    end
    local ok = pcall(orrery.compare, { jobs = orrery.jobs { rows[1], rows[2] }, procs = 1,
      policies = { "easy" } })
    assert.is_true(ok)
    local session = orrery.session { jobs = orrery.jobs(rows), procs = 1, policy = "easy" }
    local finished, problem = pcall(session.finish, session)
    assert.is_false(finished)
    assert.matches("at time 12000000000000000 the clock", problem)
  end)
end)
