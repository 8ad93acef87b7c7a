-- The options about checkpoints of replay and compare: what they do, and what is wrong with them.
local orrery = require "orrery"
local program = require "spec.support.program"
local rounds = require "spec.support.rounds"

describe("checkpoints on the command line", function()
  local folder
  local HINT = "\n`orrery replay --help` lists the options"

  before_each(function()
    folder = program.folder()
    -- 35 s of work: with C = 2, R = 3, tau = 10 checkpoints are complete at 12, 24 and 36
    program.write(folder, "log.csv", "id,submit,procs,runtime\na,0,2,35\n")
    program.write(folder, "nodes.csv", "time,processor\n24,0\n")
  end)
  after_each(function() program.remove(folder) end)

  local function good(arguments)
    local status, out, err = program.run(folder, arguments)
    assert.same({ 0, "" }, { status, err })
    return out
  end

  local function replay(arguments)
    return good("replay log.csv --procs 4 --node-failures nodes.csv " .. arguments)
  end

  local function refused(message, arguments)
    local status, out, err = program.run(folder, "replay log.csv --procs 4 " .. arguments)
    assert.same({ 2, "" }, { status, out })
    assert.equal("orrery: " .. message .. "\n", err)
  end

  -- Start, end, saved work and checkpoints of every attempt.
  local function attempts()
    local list = {}
    for line in program.read(folder .. "/out.csv"):gmatch "\n([ab][^\n]*)" do
      local cells = {}
      for cell in (line .. ","):gmatch "(.-)," do cells[#cells + 1] = cell end
      list[#list + 1] = table.concat({ cells[1], cells[8], cells[10], cells[#cells - 1],
        cells[#cells] }, " ")
    end
    return table.concat(list, ", ")
  end

  it("saves work, and says how much", function()
    for _, cost in ipairs { "2 --recovery 3", "2s --recovery 0.05m",
      "1+0.5*procs --recovery 6/procs", "0.5+3/procs --recovery 1+1*procs" } do
      replay("--checkpoint 10 --schedule out.csv --checkpoint-cost " .. cost)
      assert.equal("a#1 0 24 20 2, a 24 44 35 1", attempts())
    end
    assert.matches("finish_date,machine_procs,saved,checkpoints\n",
      program.read(folder .. "/out.csv"), 1, true)
    replay "--checkpoint none --checkpoint-cost 2 --schedule out.csv"
    assert.equal("a#1 0 24 0 0, a 24 59 35 0", attempts())
    replay "--schedule out.csv"
    assert.is_nil(program.read(folder .. "/out.csv"):find("saved", 1, true))
  end)

  it("takes what the log says of a job", function()
    program.write(folder, "log.csv", "id,submit,procs,runtime,checkpoint,recovery\na,0,2,35,2,3\n")
    replay "--checkpoint 10 --schedule out.csv"
    assert.equal("a#1 0 24 20 2, a 24 44 35 1", attempts())
    replay "--checkpoint 10 --schedule out.csv --checkpoint-cost 7 --recovery 8"
    assert.equal("a#1 0 24 20 2, a 24 44 35 1", attempts())
    program.write(folder, "log.csv", "id,submit,procs,runtime,checkpoint\na,0,2,35,2\nb,0,2,35,\n")
    replay "--checkpoint 10 --schedule out.csv" -- b writes none, a recovers as long as it writes
    assert.equal("a#1 0 24 20 2, b 0 35 35 0, a 24 43 35 1", attempts())
  end)

  it("follows Young and Daly, whose nodes may be those of a file", function()
    local function numbers(arguments)
      good("compare log.csv --procs 4 --policy easy --policy fcfs --runs 60 --seed 3 --repair 1 "
        .. "--json o.json " .. arguments)
      return (program.read(folder .. "/o.json"):match '"policies".*')
    end
    local mtbf, cost = 50, 2
    local young = (2 * (mtbf / 2) * cost) ^ 0.5
    local x = cost / (2 * (mtbf / 2))
    local daly = young * (1 + x ^ 0.5 / 3 + x / 9) - cost
    for rule, period in pairs { young = young, daly = daly } do
      local given = "--node-mtbf 50 --checkpoint-cost 2 --checkpoint "
      assert.equal(numbers(("%s%.17g"):format(given, period)), numbers(given .. rule))
    end
    replay "--checkpoint young --checkpoint-mtbf 50 --checkpoint-cost 2 --schedule out.csv"
    assert.equal("a#1 0 24 20 2, a 24 43 35 1", attempts())
  end)

  it("gives the same numbers for 1, 2 and 7 threads", function()
    orrery.synthetic({ count = 25, procs = { 1, 8 }, time = { 10, 900 }, seed = 3 }):to_csv("plain",
      folder .. "/log.csv")
    local function numbers(threads)
      good("compare log.csv --procs 8 --policy easy --policy greedy --policy conservative "
        .. "--runs 40 --node-mtbf 1h --repair lognormal:1m,1 --checkpoint daly "
        .. "--checkpoint-cost 5+0.5*procs --q 0.05 --json o.json --threads " .. threads)
      return (program.read(folder .. "/o.json"):match '"policies".*':gsub('"threads":%d', ""))
    end
    local one = numbers(1)
    assert.matches('"checkpoint_time"', one)
    assert.equal(one, numbers(2))
    assert.equal(one, numbers(7))
  end)

  it("says when a job that is killed again and again saves too little", function()
    local long = orrery.jobs { { procs = 1, runtime = 1e7, walltime = 2 } }
    local s = orrery.session { jobs = long, procs = 4, walltimes = "log",
      checkpoint = { cost = 1, period = 1, requeue_killed = true } }
    local fine, problem = pcall(s.finish, s)
    assert.is_false(fine)
    assert.matches("job 1 (10000000 s) was ended 100000 times by time 399999, now by its walltime "
      .. "of 2 s, and has saved 100000 s", tostring(problem), 1, true)
  end)

  it("writes them before a kill and a window, and lets killed jobs wait again", function()
    program.write(folder, "log.csv", "id,submit,procs,runtime,walltime\na,0,2,35,25\n")
    local given = "replay log.csv --procs 4 --walltimes log --checkpoint 10 --checkpoint-cost 2 "
      .. "--recovery 3 --schedule out.csv --check "
    good(given)
    assert.equal("a 0 29 0 2", attempts())
    good(given .. "--requeue-killed")
    assert.equal("a#1 0 29 20 2, a 29 49 35 1", attempts())
    good(given .. "--requeue-killed --checkpoint-before kill")
    assert.equal("a#1 0 29 23 3, a 29 46 35 1", attempts())
    good(given .. "--requeue-killed --checkpoint-before window,drain")
    assert.equal("a#1 0 29 20 2, a 29 49 35 1", attempts())
    local log = orrery.jobs { { procs = 2, runtime = 35, walltime = 25 } }
    for _, before in ipairs { "kill", "window, kill", { "kill" } } do
      local s = orrery.session { jobs = log, procs = 4, walltimes = "log", checkpoint = { cost = 2,
        recovery = 3, period = 10, before = before, requeue_killed = true } }
      local result = s:finish()
      assert.same({ 46, 0, 1 }, { result.makespan, result.killed, result.interruptions })
      assert.is_true(s:check())
    end
    local function wrong(message, field, value)
      local costs = { cost = 2, period = 10, [field] = value }
      local fine, problem = pcall(orrery.session, { jobs = log, procs = 4, checkpoint = costs })
      assert.is_false(fine)
      assert.matches(message, tostring(problem), 1, true)
    end
    wrong("checkpoint.before: expected 'kill', 'drain' or 'window', found 'kil'", "before", "kil")
    wrong("checkpoint.before: expected 'kill', 'drain' or 'window', found ''", "before", "kill,")
    wrong("checkpoint.before: expected each of them once, found 'kill' twice", "before",
      { "kill", "kill" })
    wrong("checkpoint.before: expected a list of 'kill', 'drain' and 'window', found 3", "before",
      3)
    wrong("checkpoint.requeue_killed: expected true or false, found 1", "requeue_killed", 1)
    for _, text in ipairs { "", "kil", "kill,", "kill,kill", "kill window" } do
      refused(("--checkpoint-before: expected a list of kill, drain and window, each once, as "
        .. "kill,window, found '%s'"):format(text) .. HINT,
        ("--checkpoint 10 --checkpoint-cost 1 '--checkpoint-before=%s'"):format(text))
    end
  end)

  it("says what is wrong with an option #long", function()
    local cost = "expected a time as 120 or 2m, or one of the processors as 30+0.5*procs or "
      .. "30+2h/procs, found '%s'" .. HINT
    for _, text in ipairs { "", "x", "-1", "1+", "+1", "1+2", "procs", "2*procs+3*procs", "2*proc",
      "1/procs/procs", "nan", "1e999", "2x*procs" } do
      assert.is_nil(orrery.tools.checkpoint_cost(text))
    end
    refused(("--checkpoint-cost: " .. cost):format "2*proc",
      "--checkpoint 10 --checkpoint-cost '2*proc'")
    refused(("--recovery: " .. cost):format "-1",
      "--checkpoint 10 --checkpoint-cost 1 --recovery -1")
    for _, text in ipairs { "0h", "-1", "Young", "" } do
      refused(("--checkpoint: expected none, young, daly or more than 0 seconds, as 3600 or 1h, "
        .. "found '%s'" .. HINT):format(text), ("'--checkpoint=%s'"):format(text))
    end
    refused("--checkpoint-mtbf: expected more than 0 seconds, or a number with s, m, h, d, w or y "
      .. "behind it, found '0'" .. HINT, "--checkpoint young --checkpoint-mtbf 0")
    for option, value in pairs { ["checkpoint-cost"] = "1", recovery = "1",
      ["checkpoint-mtbf"] = "1", ["checkpoint-before"] = "kill", ["requeue-killed"] = "" } do
      refused(("--%s is for jobs that write checkpoints: give --checkpoint as well"):format(option),
        ("--%s %s"):format(option, value))
    end
    for _, rule in ipairs { "young", "daly" } do
      refused(("--checkpoint %s follows from how often a node fails: give --node-mtbf or "
        .. "--checkpoint-mtbf"):format(rule), "--checkpoint-cost 1 --checkpoint " .. rule)
    end
    refused("--checkpoint-mtbf is for --checkpoint young and daly",
      "--checkpoint 10 --checkpoint-mtbf 5y")
  end)

  it("says what is wrong with a cost", function()
    local function fails(message, arguments)
      local status, out, err = program.run(folder, "replay log.csv --procs 4 " .. arguments)
      assert.same({ 2, "" }, { status, out })
      assert.equal("orrery: " .. message .. "\n", err)
    end
    fails("checkpoint: give the cost of a checkpoint, for the log has no column `checkpoint`: a "
      .. "number of seconds, a text as '2m' or '30+0.5*procs', a table { fixed =, times_procs =, "
      .. "over_procs = } or a function of the job", "--checkpoint 10")
    fails("checkpoint: 'young' gives no period for job a, whose checkpoints cost nothing: give a "
      .. "period", "--checkpoint young --node-mtbf 5y --checkpoint-cost 0")
    program.write(folder, "log.csv", "id,submit,procs,runtime,checkpoint\na,0,2,35,-2\n")
    local status, _, err = program.run(folder, "replay log.csv --procs 4 --checkpoint 9 --strict")
    assert.equal(2, status)
    assert.matches('log.csv:2: column 5 (checkpoint): expected a number of seconds >= 0, '
      .. 'found "-2"', err, 1, true)
  end)

  it("writes them in sessions, changes and going back", function()
    local spec = { jobs = orrery.jobs { { procs = 2, runtime = 35 }, { procs = 3, runtime = 9 } },
      procs = 4, policy = "fcfs", checkpoint = { cost = "1+0.5*procs", recovery = 3, period = 10 },
      node_failures = { log = { { time = 24, processor = 0 } } } }
    local s = orrery.session(spec)
    s:run_until(23)
    assert.same({ 10, 41 }, { s:running()[1].saved, s:running()[1].next_length })
    assert.matches("saved.*10 s", tostring(s:running()))
    s:finish()
    local function rows(session)
      local list = {}
      for i, a in ipairs(session:schedule()) do
        list[i] = ("%s %.17g %.17g %.17g %d"):format(a.id, a.start, a.finish, a.saved,
          a.checkpoints)
      end
      return list
    end
    local all, rng = { "1 0 24 20 2", "1 24 44 35 1", "2 44 53 9 0" }, orrery.random(5)
    assert.same(all, rows(s))
    for _ = 1, rounds(40, 40, 20) do
      local time = rng:uniform(0, 60)
      local other = orrery.session(spec)
      other:run_until(time)
      local fork = other:fork()
      fork:finish()
      assert.same(all, rows(fork))
      other:finish()
      other:back_to(time)
      other:change { procs = { procs = 4 } } -- nothing is different, but all of it is taken over
      other:finish()
      assert.same(all, rows(other))
    end
  end)
end)
