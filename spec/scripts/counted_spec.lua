-- Which jobs metrics count: --partition, --queue, --user, --account, --qos, --where. All jobs are
-- simulated.
local orrery = require "orrery"
local program = require "spec.support.program"
local rounds = require "spec.support.rounds"

-- FCFS on 4 processors: a 0-100, b 100-200 and c 100-150, d 200-210. Waits: 0, 100, 90, 180 s.
local LOG = "id,submit,procs,runtime,user,partition\na,0,4,100,ann,cpu\nb,0,2,100,bob,gpu\n"
  .. "c,10,2,50,ann,gpu\nd,20,4,10,bob,cpu\n"

describe("options that say which jobs are counted", function()
  local folder
  before_each(function()
    folder = program.folder()
    program.write(folder, "log.csv", LOG)
  end)
  after_each(function() program.remove(folder) end)

  local function run(options)
    return program.run(folder, "replay log.csv --procs 4 --policy fcfs " .. options)
  end

  it("leave the schedule, and take means over these jobs", function()
    for options, want in pairs {
      ["--partition gpu"] = { "95 s", "2 of 4 jobs (partition gpu)" },
      ["--partition gpu --partition cpu --user ann"] =
        { "45 s", "2 of 4 jobs (partition gpu or cpu, user ann)" },
      ["--where 'procs > 2 and user ~= \"ann\"'"] =
        { "3.00 min", '1 of 4 jobs (procs > 2 and user ~= "ann")' },
      ["--where 'math.max(runtime, 60) == 60'"] =
        { "2.25 min", "2 of 4 jobs (math.max(runtime, 60) == 60)" },
    } do
      local status, out = run(options)
      assert.equal(0, status)
      assert.matches("makespan                3.50 min", out, 1, true)
      assert.matches("wait, mean +" .. want[1], out)
      assert.matches("note: counted: " .. want[2] .. "\n", out, 1, true)
    end
  end)

  it("take what is unknown for no number: no comparison holds, arithmetic gives nothing", function()
    for options, want in pairs {
      ["--where 'walltime > 60 or procs > 2'"] = "2 of 4 jobs (walltime > 60 or procs > 2)",
      ["--where 'procs > 2 or walltime > 60'"] = "2 of 4 jobs (procs > 2 or walltime > 60)",
      ["--where 'not (2 * walltime - 1 > 60) and procs == 2'"] =
        "2 of 4 jobs (not (2 * walltime - 1 > 60) and procs == 2)",
    } do
      local status, out = run(options)
      assert.equal(0, status)
      assert.matches("note: counted: " .. want .. "\n", out, 1, true)
    end
  end)

  it("say that parts of the log have none", function() -- week 1 is bob's, week 2 ann's
    program.write(folder, "weeks.csv", "id,submit,procs,runtime,user\na,0,1,10,bob\n"
      .. "b,604800,1,10,ann\nc,1200000,1,10,ann\n")
    local status, out = program.run(folder, "replay weeks.csv --procs 4 --by week --user ann")
    assert.equal(0, status)
    assert.matches("note: counted: 2 of 2 jobs (user ann); 1 other part of the log has none, and "
      .. "is left out\n", out, 1, true)
  end)

  it("refuse what no job meets, and say why #long", function()
    for options, want in pairs {
      ["--partition gup"] = "--partition gup: no job has it, did you mean 'gpu'?",
      ["--qos high"] = "--qos: the log tells it of no job",
      ["--where 'procs > 9'"] = "no job of the 4 is counted (procs > 9)",
      ["--where 'walltime > 9'"] = "no job of the 4 is counted (walltime > 9)",
      ["--user ann --partition cpu --where 'procs < 4'"] =
        "no job of the 4 is counted (partition cpu, user ann, procs < 4)",
      ["--where 'proc > 9'"] = "--where proc > 9: a job has no field 'proc', did you mean 'procs'?",
      ["--where 'procs >'"] = "--where procs >: expected a condition, such as \"procs > 64\"",
      ["--where 'user > 1'"] = "--where user > 1: job a: attempt to compare number with string",
      ["--where '(function() end)()'"] = "expected a condition",
      ["--where 'os.exit()'"] = "a job has no field 'os'",
      ["--where ' '"] = "expected a condition",
      ["--where 'math.flor(procs) > 2'"] = "job a: attempt to call a nil value (field 'flor')",
    } do
      local status, out, err = run(options)
      assert.same({ 2, "" }, { status, out }, options)
      assert.matches(want, err, 1, true)
    end
  end)

  it("choose what the description of a log tells", function()
    program.write(folder, "log.csv", LOG .. "e,30,1,,bob,cpu\n")
    local status, out = program.run(folder, "log log.csv --procs 4 --partition gpu")
    assert.equal(0, status)
    assert.matches("^2 jobs of 2 users", out)
    assert.matches("note: counted: 2 of 4 jobs (partition gpu)", out, 1, true)
    assert.matches("left out: 1 record, runtime unknown", out, 1, true)
  end)

  it("leave out parts of the log that have none of these jobs", function()
    local jobs = orrery.jobs { { procs = 1, runtime = 10, queue = "a" },
      { procs = 1, runtime = 10, submit = 90000, queue = "b" } }
    local result = orrery.compare { procs = 1, by = "day",
      jobs = jobs:counting(function(job) return job.queue == "b" end, "queue b") }
    assert.equal(1, #result.sets)
  end)
end)

describe("jobs that are counted", function()
  it("give the means of a naive sum, on all short ways", function()
    local rng = orrery.random(361)
    for round = 1, rounds(40) do
      local list = {}
      for i = 1, 30 do
        list[i] = { submit = rng:integer(0, 3000), procs = rng:integer(1, 8),
          runtime = rng:integer(0, 400), walltime = rng:integer(200, 500),
          user = "u" .. rng:integer(1, 3), wait = rng:integer(0, 500) }
      end
      local function is_counted(job) return job.user == "u1" or job.procs > 5 end
      list[1].user = "u1"
      local jobs = orrery.jobs(list)
      local spec = { procs = 8, policies = { "easy", "conservative", "fcfs" },
        walltimes = round % 2 == 0 and "log" or nil, warmup = round % 3 == 0 and 1 or nil }
      spec.jobs = jobs
      local all = orrery.compare(spec)
      spec.jobs = jobs:counting(is_counted)
      local some = orrery.compare(spec)
      local first = math.min(table.unpack(jobs:values "submit"))
      for i in ipairs(spec.policies) do
        assert.equal(all:values(i, "makespan")[1], some:values(i, "makespan")[1])
        assert.equal(all:values(i, "utilisation")[1], some:values(i, "utilisation")[1])
        for _, what in ipairs { "wait", "bsld", "flow" } do
          local times, mine = all:jobs(i, what), {}
          for j, job in jobs:each() do
            if is_counted(job) and (not spec.warmup or job.submit >= first + 1) then
              mine[#mine + 1] = times[j]
            end
          end
          local found, sum = some:values(i, what .. "_mean")[1], orrery.summary(mine)
          assert.is_true(math.abs(found - sum.mean) <= 1e-9 * (1 + sum.mean))
          if what ~= "flow" then assert.equal(sum.max, some:values(i, what .. "_max")[1]) end
          assert.equal(orrery.quantiles(mine, { 0.95 })[1], some:values(i, what .. "_p95")[1])
        end
      end
      local count = #jobs:filter(is_counted)
      if not spec.warmup then assert.equal(count, some:fidelity().jobs) end
    end
  end)

  it("are the same jobs in selections and sessions", function()
    local jobs = orrery.jobs { { procs = 1, runtime = 10, queue = "a" },
      { procs = 1, runtime = 10, queue = "b" }, { procs = 1, runtime = 10, queue = "b" } }
    jobs = jobs:counting(function(job) return job.queue == "b" end)
    for _, these in ipairs { jobs, jobs:load(2), jobs:filter(function() return true end),
      jobs:user_estimates(), jobs:between(0, 1) } do
      local s = orrery.session { jobs = these, procs = 1, policy = "fcfs" }
      assert.equal(15, s:finish().wait_mean) -- 10 s and 20 s
    end
    local s = orrery.session { jobs = jobs, procs = 1, policy = "fcfs" }
    s:submit { procs = 1, runtime = 10 }
    assert.equal(20, s:finish().wait_mean) -- a job that comes later is counted
  end)
end)
