-- `orrery redistribute`: its numbers by hand, its files, and what it refuses.
local dkjson = require "dkjson"
local orrery = require "orrery"
local program = require "spec.support.program"

describe("orrery redistribute", function()
  local folder

  before_each(function()
    folder = program.folder()
    -- Both tasks start on two of four processors: A ends at 8, B at 2. See below.
    program.write(folder, "tasks.csv", "id,m,1,2,3,4\nA,8,16,8,6,5\nB,8,4,2,1.5,1.25\n")
  end)
  after_each(function() program.remove(folder) end)

  local PACK = "--tasks tasks.csv --procs 4 --mtbf-years inf "

  local function redistribute(arguments)
    local status, out, err = program.run(folder, "redistribute " .. arguments)
    assert.same({ 0, "" }, { status, err })
    return out
  end

  local function refused(status, expected, arguments)
    local before = program.listing(folder)
    local found, out, err = program.run(folder, "redistribute " .. arguments)
    assert.same({ status, "", "orrery: " .. expected .. "\n" }, { found, out, err })
    assert.equal(before, program.listing(folder)) -- nothing half-written
  end

  local function csv(arguments)
    redistribute(arguments .. " --csv o.csv")
    return program.read(folder .. "/o.csv")
  end

  describe("by hand", function()
    -- Without faults: with end-local A gets B's processors at 2; moving takes
    -- 2 * 8 / (2 * 4) = 2 s, and what is left of it 3/4 * 5 s: it ends at 7.75.
    it("without faults", function()
      assert.equal([[
2 tasks on 4 processors, 1 run each, seed 1
policy     makespan (s)  normalised  faults  redistributions  against the first
none               8.00      1.0000    0.00             0.00
end-local          7.75      0.9688    0.00             1.00            -0.0312

% of processors' time  useful  checkpoints  lost  recovery  redistribution   idle
none                    62.50         0.00  0.00      0.00            0.00  37.50
end-local               74.19         0.00  0.00      0.00           25.81   0.00
wrote o.csv: numbers as CSV
wrote e.csv: ends of tasks
]], redistribute(PACK .. "--policy none --policy end-local --csv o.csv --ends e.csv"))
      assert.equal("policy,run,makespan,faults,redistributions\nnone,1,8,0,0\n"
        .. "end-local,1,7.75,0,1\n", program.read(folder .. "/o.csv"))
      assert.equal("policy,run,task,end\nnone,1,A,8\nnone,1,B,2\nend-local,1,A,7.75\n"
        .. "end-local,1,B,2\n", program.read(folder .. "/e.csv"))
    end)

    -- Struck at 1, A begins anew at 1.5 and would end at 9.5; moved at 2 with 15/16 of its work
    -- left it ends at 4 + 15/16 * 5.
    it("with a fault of a task, or of a processor", function()
      program.write(folder, "t.csv", "time,task\n1,A\n")
      program.write(folder, "p.csv", "time,processor\n1,1\n9,2\n9.5,0\n") -- the others: too late
      local expected = "policy,run,makespan,faults,redistributions\n"
        .. "none+none,1,9.5,1,0\nend-local,1,8.6875,1,1\n"
      for _, faults in ipairs { "t.csv", "p.csv" } do
        assert.equal(expected, csv(PACK .. "--on-end none --policy end-local --downtime 0.5 "
          .. "--faults " .. faults))
      end
    end)

    it("with startup, latency and bandwidth", function()
      -- RC = 0.25 + 2 * (8 / (2 * 4 * 4) + 0.0625) = 0.875 s
      assert.equal("policy,run,makespan,faults,redistributions\nend-local+none,1,6.625,0,1\n",
        csv(PACK .. "--on-end end-local --startup 0.25 --latency 0.0625 --bandwidth 4"))
      assert.equal("policy,run,makespan,faults,redistributions\nend-local+none,1,6,0,1\n",
        csv(PACK .. "--on-end end-local --latency 0.125 --bandwidth inf"))
    end)

    it("with checkpoints", function()
      -- mu = 100 h: on two processors C = 0.001 * 8 / 2 + 0.002 = 0.006 s; tau - C =
      -- sqrt(2 * 180000 * 0.006) = 46.5 s is longer than the task. The makespan is the longest t.
      local years = 100 / 24 / 365
      local drawn = ("--tasks tasks.csv --procs 4 --mtbf-years %.17g --checkpoint %s "
        .. "--checkpoint-fixed 0.002 --faults none.csv"):format(years, "%s")
      program.write(folder, "none.csv", "time,task\n")
      assert.equal("policy,run,makespan,faults,redistributions\nnone+none,1,8,0,0\n",
        csv(drawn:format "0.001"))
      -- With mu = 8 s and C = 1: tau - C = sqrt(2 * 4 * 1) = 2.83 s, two of them fit into 8 s.
      assert.equal("policy,run,makespan,faults,redistributions\nnone+none,1,10,0,0\n",
        csv(("--tasks tasks.csv --procs 4 --mtbf-years %.17g --checkpoint 0.25 --faults none.csv")
          :format(8 / 86400 / 365)))
    end)
  end)

  it("is orrery.compare", function()
    redistribute("--n 6 --m-inf 1e5 --m-sup 2e5 --sequential 0.05 --procs 40 --mtbf-years 0.5 "
      .. "--checkpoint 0.5 --checkpoint-fixed 10 --period daly --downtime 60 --startup 5 "
      .. "--latency 0.01 --bandwidth 2 --law weibull --shape 0.7 --runs 4 --seed 7 --threads 2 "
      .. "--fault-free --policy none --policy end-greedy+shortest-tasks-first:literal=true "
      .. "--csv o.csv --ends e.csv --json o.json")
    local result = orrery.compare {
      tasks = { n = 6, m = { 1e5, 2e5 }, sequential = 0.05 }, procs = 40, runs = 4, seed = 7,
      faults = { mtbf_years = 0.5, law = "weibull", shape = 0.7, downtime = 60 },
      costs = { checkpoint = 0.5, checkpoint_fixed = 10, period = "daly", startup = 5,
        latency = 0.01, bandwidth = 2 },
      policies = { "none", "end-greedy+shortest-tasks-first:literal=true" }, fault_free = true,
    }
    assert.equal(result:csv(), program.read(folder .. "/o.csv"))
    assert.equal(result:ends_csv(), program.read(folder .. "/e.csv"))
    local json = dkjson.decode(program.read(folder .. "/o.json"))
    assert.equal(result:summary(2, "fault_free_ratio").mean,
      json.policies[2].metrics.fault_free_ratio.mean)
  end)

  it("has the defaults of RR-8795", function()
    local result = orrery.compare {
      tasks = { n = 100, m = { 1.5e6, 2.5e6 }, sequential = 0.08 }, procs = 1000,
      faults = { mtbf_years = 100 }, policy = { policy = "none", name = "none+none" },
    }
    assert.equal(result:csv(), csv "")
  end)

  it("names policies as they were given", function()
    local function names(arguments)
      local list = {}
      for name in csv(PACK .. arguments):gmatch "\n([^,\n]+)," do list[#list + 1] = name end
      return table.concat(list, " ")
    end
    assert.equal("none+none", names "")
    assert.equal("end-greedy+none", names "--on-end end-greedy")
    assert.equal("none+shortest-tasks-first:literal=true",
      names "--on-fault shortest-tasks-first:literal=true")
    assert.equal("end-local+iterated-greedy none redistribute/end-greedy",
      names("--on-end end-local --on-fault iterated-greedy --policy none "
        .. "--policy redistribute/end-greedy"))
  end)

  it("takes policies of one's own, and their options", function()
    program.write(folder, "mine.lua", [[
return function(options)
  return {
    options = { share = 1 },
    on_end = function(sim)
      if options.share > 0 and sim.free >= 2 then sim:give(sim:longest(), 2) end
    end,
  }
end]])
    assert.equal("policy,run,makespan,faults,redistributions\n./mine.lua,1,7.75,0,1\n"
      .. "./mine.lua:share=0+none,1,8,0,0\n",
      csv(PACK .. "--policy ./mine.lua --policy ./mine.lua:share=0+none"))
    assert.equal("policy,run,makespan,faults,redistributions\n./mine.lua+none,1,8,0,0\n",
      csv(PACK .. "--on-end ./mine.lua --set share=0"))
  end)

  it("tells a single run in full, and says what was repaired", function()
    program.write(folder, "bad.csv", "id,m,1,2\nA,8,4,5\n")
    local out = redistribute "--tasks bad.csv --procs 2 --mtbf-years inf"
    assert.matches("\n  makespan +4 s\n  no redistribution +4 s\n  expected at the start +4 s\n"
      .. "  faults +0 that struck a task\n", out)
    assert.matches("\nnote: the measured times of 1 of 1 tasks were repaired: ", out)
  end)

  it("writes the schedule of one run", function()
    redistribute(PACK .. "--on-end end-local --schedule s.csv")
    assert.equal([[
task,kind,start,finish,procs,processors
A,work,0,2,2,0-1
B,work,0,2,2,2-3
A,redistribution,2,4,4,0-3
A,work,4,7.75,4,0-3
]], program.read(folder .. "/s.csv"))
    refused(2, "--schedule writes one schedule: give one policy, not 2",
      PACK .. "--schedule s --policy none --policy end-local")
    refused(2, "--schedule writes one schedule: give one run (--runs 1), not 2",
      PACK .. "--schedule s --runs 2")
  end)

  it("runs until the difference is as precise as is wanted", function()
    local asked = "--n 4 --procs 16 --mtbf-years 5 --policy none --policy end-local "
    local out = redistribute(asked .. "--precision 2% --metric makespan --csv precise.csv")
    local runs, reached = out:match "precision: 2%% reached: (%d+) runs give ± ([%d.]+)%% of m"
    assert.is_true(tonumber(runs) >= 256 and tonumber(reached) <= 2)
    assert.equal(csv(asked .. "--runs " .. runs), program.read(folder .. "/precise.csv"))
  end)

  describe("refuses", function()
    local HINT = "\n`orrery redistribute --help` lists the options"

    it("a precision that is none, or beside what has no more runs", function()
      refused(2, "--precision: expected a share above 0 and below 1, as 1% or 0.01, found '200%'"
        .. HINT, "--precision 200%")
      refused(2, "runs, with precision: expected a whole number of at least 256, found 255",
        "--precision 1% --runs 255")
      refused(2, "--precision and --packs exclude each other: give --runs",
        "--precision 1% --packs one-by-one")
      refused(2, "--schedule and --precision exclude each other: one is of one run, the other of "
        .. "many", "--precision 1% --schedule s.csv")
      refused(2, "--metric is what --precision is of: give --precision", "--metric makespan")
    end)

    it("machines that are too small", function()
      refused(2, "3 processors are too few: every one of 2 tasks needs 2, a processor and its "
        .. "buddy, so at least 4", "--tasks tasks.csv --procs 3 --csv o.csv")
      refused(2, "19 processors are too few: every one of 10 tasks needs 2, a processor and its "
        .. "buddy, so at least 20", "--n 10 --procs 19 --csv o.csv")
      refused(2, "--tasks wants --procs, the processors of the machine", "--tasks tasks.csv")
    end)

    it("bad fault logs", function()
      local function log(text, expected)
        program.write(folder, "f.csv", text)
        refused(2, expected, PACK .. "--faults f.csv --csv o.csv --ends e.csv")
      end
      log("time,task\n2,A\n1,A\n", "f.csv:3: column 1 (time): expected a time that is not before "
        .. "the last one, 2, found \"1\"")
      log("time,processor\n2,4\n",
        "f.csv:2: column 2 (processor): expected a processor from 0 to 3, found \"4\"")
      log("time,processor\n2,-1\n",
        "f.csv:2: column 2 (processor): expected a processor from 0 to 3, found \"-1\"")
      log("time,task\n2,C\n", "f.csv:2: column 2 (task): expected the id of a task, found \"C\"")
      log("time,task\n-2,A\n",
        "f.csv:2: column 1 (time): expected a number of seconds >= 0, found \"-2\"")
      log("time,node\n2,1\n", "f.csv:1: a fault log has the columns time and task, or time and "
        .. "processor; the first line has: time, node")
      refused(2, "no.csv: No such file or directory", PACK .. "--faults no.csv")
    end)

    it("sizes that are none", function()
      local function file(text, expected)
        program.write(folder, "n.csv", text)
        refused(2, expected, "--tasks n.csv --procs 4 --csv o.csv")
      end
      file("id,m\nA,-5\n", "n.csv:2: column 2 (m): expected a size, a number from 2 to 1e290, "
        .. "found \"-5\"")
      file("id,m\nA,5\nA,6\n", "n.csv:3: two tasks have the id \"A\"")
      file("id,m\n", "n.csv: there is a header, but no task")
      refused(2, "--m-inf: expected a number of at least 2, found '-5'" .. HINT, "--m-inf -5")
      refused(2, "--m-inf 3000000 is more than --m-sup 2500000", "--m-inf 3e6")
    end)

    it("numbers that are none, or make no sense", function()
      refused(2, "--sequential: expected a number from 0 to 1, found '2'" .. HINT, "--sequential 2")
      for _, years in ipairs { "0", "-1", "x", "nan" } do
        refused(2, ("--mtbf-years: expected a number above 0, or inf, found '%s'"):format(years)
          .. HINT, "--mtbf-years " .. years)
      end
      refused(2, "--bandwidth: expected a number above 0, or inf, found '0'" .. HINT,
        "--bandwidth 0")
      refused(2, "--checkpoint: expected a number of at least 0, found '-1'" .. HINT,
        "--checkpoint -1")
      refused(2, "--runs: expected a whole number of at least 1, found '0'" .. HINT, "--runs 0")
      refused(2, "--law weibull wants --shape", "--law weibull")
      refused(2, "--shape belongs to --law weibull or lognormal", "--shape 1")
    end)

    it("what does not go together", function()
      refused(2, "--tasks and --n exclude each other: sizes are given, or drawn", PACK .. "--n 3")
      refused(2, "--tasks and --m-sup exclude each other: sizes are given, or drawn",
        PACK .. "--m-sup 3")
      refused(2, "--faults and --law exclude each other: the faults are given, or drawn",
        "--faults f.csv --law exponential")
      refused(2, "--ends and --csv name the same file, o.csv", PACK .. "--csv o.csv --ends o.csv")
      refused(2, "--csv and --tasks name the same file, tasks.csv", PACK .. "--csv tasks.csv")
      refused(2, "--set share is given twice", "--set share=1 --set share=2")
    end)

    it("policies that are not there, or are of another kind", function()
      refused(2, "there is no policy 'end-lcal', did you mean 'end-local'?", "--policy end-lcal")
      refused(2, "there is no policy 'iterated-gredy', did you mean 'iterated-greedy'?",
        "--policy end-local+iterated-gredy")
      refused(2, "policy iterated-greedy: it has no on_end, only an on_fault",
        "--on-end iterated-greedy")
      refused(2, "'easy' is a dispatch policy (dispatch/easy), for jobs; tasks want a "
        .. "redistribution policy", "--on-fault easy")
      refused(2, "no policy here has an option 'share'; `orrery policies` lists them",
        "--policy end-local --set share=2")
    end)

    it("bad decisions, with policy, hook, task, time and line", function()
      program.write(folder, "t.csv", "time,task\n1,A\n")
      local function decision(code, expected)
        program.write(folder, "p.lua", ("return {\n  on_end = function(sim, task)\n%s\n  end,\n}\n")
          :format(code))
        local before = program.listing(folder)
        local status, out, err = program.run(folder, "redistribute " .. PACK
          .. "--downtime 1.5 --faults t.csv --policy p.lua --csv o.csv")
        assert.same({ 1, "" }, { status, out })
        assert.equal("orrery: policy p.lua: on_end for task B at time 2: " .. expected,
          err:match "^[^\n]*")
        assert.equal(before, program.listing(folder))
      end
      decision("sim:assign(task, 2)",
        "p.lua:3: task B cannot be given processors: it is over")
      decision("sim:assign(sim:running()[1], 4)", "p.lua:3: task A is locked until 2.5, while it "
        .. "recovers or is redistributed: its processors cannot change at 2")
      decision("sim:assign(sim:running()[1], '4 or so')",
        "p.lua:3: bad argument #2 to 'assign' (number expected, got string)")
      program.write(folder, "t.csv", "time,task\n")
      decision("sim:assign(sim:longest(), 6)",
        "p.lua:3: task A cannot have 6 processors: the machine has 4")
      decision("sim:assign(sim:longest(), 3)", "p.lua:3: task A cannot have 3 processors: a task "
        .. "that checkpoints has an even number of them, at least 2")
      decision("error 'oh no'", "p.lua:3: oh no")
    end)

    it("an allocation of more than there is", function()
      program.write(folder, "t.csv", "time,task\n1,A\n")
      program.write(folder, "p.lua",
        "return { on_fault = function(sim, task) sim:assign(task, 4) end }\n")
      local before = program.listing(folder)
      local status, out, err = program.run(folder, "redistribute " .. PACK
        .. "--faults t.csv --policy none+p.lua --csv o.csv")
      assert.same({ 1, "" }, { status, out })
      assert.matches("^orrery: policy none%+p.lua: on_fault for task A at time 1: hands out 6 "
        .. "processors; there are 4[^\n]*\n", err)
      assert.equal(before, program.listing(folder))
    end)
  end)

  describe("--packs", function()
    it("runs packs one after the other, and compares them with every policy", function()
      local text = csv("--tasks tasks.csv --procs 8 --mtbf-years inf --k 1 --packs one-by-one "
        .. "--packs pack-by-pack:runs=9 --policy none --policy end-local")
      -- B alone takes 1.25 on 4 and A 5: on 8 they are no faster.
      for _, pack in ipairs { "one-by-one", "pack-by-pack:runs=9" } do
        for _, policy in ipairs { "none", "end-local" } do
          assert.matches(("\n%s / %s,1,6.25,0,0\n"):format(pack, policy), text, 1, true)
        end
      end
    end)

    it("gives its options to the policies of both kinds that have them", function()
      redistribute("--n 6 --procs 40 --packs pack-by-pack --policy none+shortest-tasks-first "
        .. "--set epsilon=0.3 --set literal=true")
      refused(2, "no policy here has an option 'epsilom'; `orrery policies` lists them",
        "--n 6 --procs 40 --packs pack-by-pack --set epsilom=0.3")
    end)

    it("is refused where it cannot be", function()
      refused(2, "--k belongs to --packs", PACK .. "--k 2")
      refused(2, "--faults and --packs exclude each other: it is on the clock of one pack",
        PACK .. "--packs one-by-one --faults f.csv")
      refused(2, "--schedule and --packs exclude each other: it is on the clock of one pack",
        PACK .. "--packs one-by-one --schedule s.csv")
      refused(2, "'none' is a redistribution policy (redistribute/none), and makes no packs",
        PACK .. "--packs none --csv o.csv")
    end)
  end)
end)
