-- `orrery replay`: numbers worked by hand, files, and what the options do.
local orrery = require "orrery"
local logs = require "spec.support.logs"
local program = require "spec.support.program"

-- Four jobs on four processors, worked by hand.
local JOBS = "id,procs,time\nA,3,4\nB,2,4\nC,1,9\nD,1,7\n"

-- Two scenarios: B and D fail once each; nothing fails.
local FAILURES = "0 1 0 1\n0 0 0 0\n"

local HEAD = "policy,priority,set,scenario,makespan,lower_bound,ratio,failures,bsld_mean,bsld_max,"
  .. "wait_mean,utilisation,killed,redirected"

local function lines_of(text)
  local lines = {}
  for line in text:gmatch "([^\n]*)\n" do lines[#lines + 1] = line end
  return lines
end

describe("orrery replay", function()
  local folder

  before_each(function()
    folder = program.folder()
    program.write(folder, "jobs.csv", JOBS)
    program.write(folder, "f.txt", FAILURES)
    program.write(folder, "f1.txt", FAILURES:match "^[^\n]*\n")
  end)
  after_each(function() program.remove(folder) end)

  local function replay(arguments, environment)
    return program.run(folder, "replay " .. arguments, environment)
  end

  -- Runs it, which must go well, and returns what it printed.
  local function good(arguments, environment)
    local status, out, err = replay(arguments, environment)
    assert.same({ 0, "" }, { status, err })
    return out
  end

  it("takes days of a log in seconds since 1970, and windows that never end", function()
    program.write(folder, "since.csv", "id,submit,procs,runtime\na,1672531190,4,60\n"
      .. "b,1672567200,4,60\nc,1672567200,4,60\n")
    program.write(folder, "closed.csv", "from,to,procs\n0,inf,4\n")
    local out = good("since.csv --procs 8 --origin 1970-01-01 --day 2023-01-01 --policy easy "
      .. "--maintenance closed.csv")
    assert.matches("^2 jobs on 8 processors", out)
    assert.matches("\nmakespan +2.00 min\n", out) -- one after the other on the 4 that are left
  end)

  local function text_of(name) return program.read(folder .. "/" .. name) end

  describe("on a case worked by hand", function()
    -- LPT: the queue is C (9 s), D (7 s), A (4 s), B (4 s). Failures of the first scenario:
    --   L(f) = max(max(4, 2*4, 9, 2*7), (12 + 2*8 + 9 + 2*7) / 4) = max(14, 12.75) = 14
    -- of the second: max(9, (12 + 8 + 9 + 7) / 4) = 9. In both C and D start at 0.
    --
    -- 1, greedy: B fills in at 0, fails at 4, runs until 8. D fails at 7 and runs until 14. C ends
    --   at 9: now three processors are free and A runs until 13. Makespan 14.
    -- 1, easy: at 0 A is reserved for 7, when D is planned to end; B fits before that. B fails at 4
    --   and would now end at 8, in A's way. At 7 D fails and, first in the queue, starts until 14;
    --   A is planned for 9, when C ends; B is in its way. A 9-13, B 13-17. Makespan 17.
    -- 1, conservative: B waits for its reservation (at 11, then at 13). Makespan 17.
    -- 1, fcfs: A blocks B. D 0-7, 7-14. A 9-13. B 13-17, fails, 17-21. Makespan 21.
    -- 1, shelf: {C, D, B} until 9; {D, A} until 16; {B} until 20.
    -- 1, shelf-nofill: {C, D} until 9, closed by A; {D, A} until 16; {B} until 20, which fails; 24.
    -- 1, list, one reservation, reading head: at 0 C has it. At 4 A is the head, reserved for 7;
    --   B waits. At 7 D is the head and starts; A has no reservation, and B fits: 7-11. At 9 C ends
    --   and one processor is free: A is planned for 11, and runs 11-15. Makespan 15.
    -- 1, list, three reservations: as conservative. Makespan 17.
    -- 2, greedy, easy, conservative and list: B 0-4, A 7-11. Makespan 11.
    -- 2, fcfs: A 7-11, B 11-15. 2, shelf: {C, D, B}, {A}: 13.
    -- 2, shelf-nofill: {C, D}, {A}, {B}: 17.
    local MAKESPANS = {
      { "dispatch/greedy", 14, 11 },
      { "dispatch/easy", 17, 11 },
      { "dispatch/conservative", 17, 11 },
      { "dispatch/fcfs", 21, 15 },
      { "dispatch/shelf", 20, 13 },
      { "dispatch/shelf-nofill", 24, 17 },
      { "dispatch/list:reservations=0", 14, 11 },
      { "dispatch/list:reservations=1,reading=head", 15, 11, quoted = true },
      { "dispatch/list:reservations=3", 17, 11 },
      { "dispatch/list:reservations=all", 17, 11 },
    }
    local BOUNDS, COUNTS = { 14, 9 }, { 2, 0 }

    -- What does not depend on the order of attempts: no flow time is 60 s, so all slowdowns are 1;
    -- utilisation is 51 (then 36) processor-seconds over 4 processors and the makespan.
    local HELD = { 51, 36 }
    local function rest_of(makespan, wait, s)
      return ("1,1,%s,%.17g,0,0"):format(wait, HELD[s] / (4 * makespan))
    end

    it("gives each policy's makespans, with 17 digits", function()
      local arguments = {
        "jobs.csv --procs 4 --batch --priority lpt --failures f.txt --csv o.csv",
      }
      local expected = { HEAD }
      for _, case in ipairs(MAKESPANS) do
        arguments[#arguments + 1] = "--policy " .. case[1]
        for s = 1, 2 do
          expected[#expected + 1] = ("%s,lpt,all,%d,%d,%d,%.17g,%d,%s"):format(
            case.quoted and '"' .. case[1] .. '"' or case[1], s, case[s + 1], BOUNDS[s],
            case[s + 1] / BOUNDS[s], COUNTS[s], rest_of(case[s + 1], "WAIT", s))
        end
      end
      good(table.concat(arguments, " "))
      local found = lines_of(text_of "o.csv")
      for i, line in ipairs(found) do found[i] = line:gsub(",1,1,[%d.]+,", ",1,1,WAIT,") end
      assert.same(expected, found)
    end)

    it("keeps the names as they were typed", function()
      good "jobs.csv --procs 4 --policy greedy --failures f1.txt --csv o.csv"
      -- FCFS: A 0-4 and C 0-9; B 4-8, fails, 8-12; D 4-11, fails, 11-18.
      -- Flow times 4, 12, 9 and 18 less one attempt each: they wait 0, 8, 0 and 11 s.
      assert.equal(HEAD .. "\ngreedy,fcfs,all,1,18,14,1.2857142857142858,2,"
        .. rest_of(18, "4.75", 1) .. "\n", text_of "o.csv")
    end)

    it("takes options by --set", function()
      local function makespan(set)
        good(("jobs.csv --procs 4 --policy list %s --priority lpt --failures f1.txt --csv o.csv")
          :format(set))
        return lines_of(text_of "o.csv")[2]:match "^(.-),1,1,"
      end
      assert.equal("list,lpt,all,1,14,14,1,2", makespan "")
      assert.equal("list,lpt,all,1,17,14,1.2142857142857142,2", makespan "--set reservations=3")
      assert.equal("list,lpt,all,1,15,14,1.0714285714285714,2",
        makespan "--set reservations=1 --set reading=head")
    end)

    it("prefers a policy's own options to --set", function()
      good("jobs.csv --procs 4 --policy list:reservations=3 --policy list --set reservations=0 "
        .. "--priority lpt --failures f1.txt --csv o.csv")
      local lines = lines_of(text_of "o.csv")
      assert.equal("list:reservations=3,lpt,all,1,17,14,1.2142857142857142,2",
        lines[2]:match "^(.-),1,1,")
      assert.equal("list,lpt,all,1,14,14,1,2", lines[3]:match "^(.-),1,1,")
    end)

    it("prints what came of it", function()
      assert.equal([[
4 jobs on 4 processors, 1 scenario each, seed 1
                        dispatch/greedy + lpt
makespan                                 14 s
makespan / lower bound                 1.0000
bounded slowdown, mean                   1.00
  median                                 1.00
  95th percentile                        1.00
  largest                                1.00
wait, mean                                5 s
  median                                5.5 s
  95th percentile                       8.7 s
  longest                                 9 s
flow time, mean                          11 s
utilisation                             91.1%
attempts                                    6
failed attempts                             2
processor-hours lost               0.00416667
]], good "jobs.csv --procs 4 --priority lpt --failures f1.txt")
    end)
  end)

  describe("--schedule", function()
    -- Clock of the log, verification 1 s, walltimes of the log, FCFS, greedy, four processors.
    -- j1 (processor 0) runs 50-81 (30 s and the verification). j2 (1) is killed at its walltime,
    -- 55, without verification. j3 (2) fails at 57 and runs again 57-64. j4 is submitted at 52 and
    -- wants two processors: 1 and 3 from 55 on; its runtime is its walltime, which completes.
    local LOG = "id,submit,procs,time,walltime\n"
      .. "j1,50,1,30,40\nj2,50,1,10,5\nj3,50,1,6,\nj4,52,2,4,4\n"
    local SCHEDULE = [[
job_id,workload_name,submission_time,requested_number_of_resources,requested_time,success,]]
      .. [[final_state,starting_time,execution_time,finish_time,waiting_time,turnaround_time,]]
      .. [[stretch,allocated_resources,promised_starting_time,user,queue,policy,]]
      .. [[submission_date,starting_date,finish_date,machine_procs
j1,w0,50,1,40,1,COMPLETED_SUCCESSFULLY,50,31,81,0,31,1,0,,,,dispatch/greedy,,,,4
j2,w0,50,1,5,0,COMPLETED_WALLTIME_REACHED,50,5,55,0,5,1,1,,,,dispatch/greedy,,,,4
j3#1,w0,50,1,6,0,COMPLETED_FAILED,50,7,57,0,7,1,2,,,,dispatch/greedy,,,,4
j4,w0,52,2,4,1,COMPLETED_SUCCESSFULLY,55,5,60,3,8,1.6,1 3,,,,dispatch/greedy,,,,4
j3,w0,50,1,6,1,COMPLETED_SUCCESSFULLY,57,7,64,7,14,2,2,,,,dispatch/greedy,,,,4
]]

    before_each(function()
      program.write(folder, "log.csv", LOG)
      program.write(folder, "one.txt", "0 0 1 0\n")
    end)

    it("refuses a picture of too many jobs before it simulates them", function()
      local rows = { "id,procs,time" }
      for i = 1, 20001 do rows[i + 1] = i .. ",1,1" end
      program.write(folder, "long.csv", table.concat(rows, "\n"))
      program.write(folder, "p.lua", 'return { dispatch = function() error "simulated" end }')
      local long = "replay long.csv --procs 4 --policy ./p.lua "
      local status, out, err = program.run(folder, long .. "--gantt o.svg")
      assert.same({ 1, "" }, { status, out })
      assert.equal("orrery: gantt: 20001 attempts are too many for a picture without zoom (at most "
        .. "20000): write .html, or choose a part with from and to\n", err)
      err = select(3, program.run(folder, long .. "--gantt o.html"))
      assert.matches("simulated", err)
    end)

    it("writes one row per attempt, beside --csv", function()
      local out = good("log.csv --procs 4 --failures one.txt --walltimes log --verification 1 "
        .. "--schedule s.csv --csv o.csv")
      assert.equal(SCHEDULE, text_of "s.csv")
      -- L(f) = max(50 + 30, 50 + 5, 50 + 2*6, 52 + 4, 50 + (30 + 5 + 12 + 8) / 4) - 50 = 30
      -- Flow times 31, 5, 14 and 8 less 30, 5, 6 and 4: a mean wait of 13 / 4 s. Processor-seconds:
      -- 31 + 5 + 14 + 2*5 of 4*31.
      assert.equal(HEAD .. "\ndispatch/greedy,fcfs,all,1,31,30,1.0333333333333334,1,1,1,3.25,"
        .. ("%.17g"):format(60 / 124) .. ",1,0\n", text_of "o.csv")
      assert.matches("\njobs killed +1\n", out)
      assert.matches("\nnote: 1 of 4 jobs runs longer than its walltime and is killed at it\n", out,
        1, true)
      assert.equal("f.txt f1.txt jobs.csv log.csv o.csv one.txt s.csv", program.listing(folder))
    end)

    it("has users, queues, dates and promises, of several policies one below the other", function()
      program.write(folder, "names.csv", "id,submit,procs,runtime,user,queue\n"
        .. "a,0,2,60,\"x,y\",day\nb,0.5,2,60,,night\n")
      good("names.csv --procs 2 --policy easy --policy conservative --origin '2024-02-28 23:59:30' "
        .. "--schedule s.csv")
      local rows = {}
      for row in text_of "s.csv":gmatch ",0%-1(,[^\n]*)" do rows[#rows + 1] = row end
      local a = ',"x,y",day,%s,2024-02-28 23:59:30,2024-02-28 23:59:30,2024-02-29 00:00:30,2'
      local b = ",,night,%s,2024-02-28 23:59:30.500000,2024-02-29 00:00:30,2024-02-29 00:01:30,2"
      assert.same({ "," .. a:format "easy", "," .. b:format "easy", ",0" .. a:format "conservative",
        ",60" .. b:format "conservative" }, rows)
    end)

    it("has partitions as its last column, where the log has them, and is read", function()
      program.write(folder, "parts.csv", "id,submit,procs,runtime,partition\na,0,2,60,\"x,y\"\n"
        .. "b,0.5,2,60,\n")
      good "parts.csv --procs 2 --policy easy --schedule s.csv"
      local head, a, b = text_of("s.csv"):match "^([^\n]*)\n([^\n]*)\n([^\n]*)\n$"
      assert.equal(SCHEDULE:match "^[^\n]*" .. ",partition", head)
      assert.matches(',,easy,,,,2,"x,y"$', a)
      assert.matches(",,easy,,,,2,$", b)
      local jobs = orrery.read(folder .. "/s.csv")
      assert.same({ 2, 60, 59.5, 2 }, { #jobs, jobs[2].runtime, jobs[2].wait, jobs.machine_procs })
      good "parts.csv --procs 2 --policy easy --checkpoint 10 --checkpoint-cost 1 --schedule t.csv"
      assert.matches("finish_date,machine_procs,saved,checkpoints,partition\n", text_of "t.csv", 1,
        true)
    end)

    it("writes one line per job where the file is SWF, with its last attempt", function()
      good("log.csv --procs 4 --failures one.txt --walltimes log --verification 1 "
        .. "--schedule s.SWF")
      assert.equal(([[
; Version: 2.2
; Conversion: orrery %s
; Note: simulated under the policy dispatch/greedy
; Note: job numbers are the positions of the jobs in the log
; MaxJobs: 4
; MaxRecords: 4
; MaxProcs: 4
1 50 0 31 1 -1 -1 1 40 -1 1 -1 -1 -1 -1 -1 -1 -1
2 50 0 5 1 -1 -1 1 5 -1 0 -1 -1 -1 -1 -1 -1 -1
3 50 7 7 1 -1 -1 1 6 -1 1 -1 -1 -1 -1 -1 -1 -1
4 52 3 5 2 -1 -1 2 4 -1 1 -1 -1 -1 -1 -1 -1 -1
]]):format(orrery.version), text_of "s.SWF")
    end)

    it("knows nothing of walltimes by default, and of submissions in a batch", function()
      good "log.csv --procs 4 --batch --schedule s.csv"
      -- j1 0-30, j2 0-10, j3 0-6 on processors 0, 1, 2; j4 from 6 on: 2 and 3.
      assert.equal(SCHEDULE:match "^[^\n]*\n" .. [[
j1,w0,0,1,30,1,COMPLETED_SUCCESSFULLY,0,30,30,0,30,1,0,,,,dispatch/greedy,,,,4
j2,w0,0,1,10,1,COMPLETED_SUCCESSFULLY,0,10,10,0,10,1,1,,,,dispatch/greedy,,,,4
j3,w0,0,1,6,1,COMPLETED_SUCCESSFULLY,0,6,6,0,6,1,2,,,,dispatch/greedy,,,,4
j4,w0,0,2,4,1,COMPLETED_SUCCESSFULLY,6,4,10,6,10,2.5,2-3,,,,dispatch/greedy,,,,4
]], text_of "s.csv")
    end)

    it("is the schedule of scenario 1 when failures are drawn", function()
      good "jobs.csv --procs 4 --q 0.6 --seed 9 --schedule s.csv --csv o.csv"
      local failed = 0
      for _ in text_of("s.csv"):gmatch "#%d+,[^\n]*" do failed = failed + 1 end
      local makespan, failures = lines_of(text_of "o.csv")[2]:match "all,1,(%d+),%d+,[^,]*,(%d+),"
      assert.equal(failures, tostring(failed))
      assert.is_true(failed > 0)
      local last = 0
      for finish in text_of("s.csv"):gmatch "\n[^,]*,w0,0,%d+,%d+,[01],[A-Z_]+,%d+,%d+,(%d+)" do
        last = math.max(last, tonumber(finish))
      end
      assert.equal(tonumber(makespan), last)
    end)
  end)

  describe("on the bundled month", function()
    it("gives the same bytes for any number of threads, from any folder", function()
      program.write(folder, "state.lua", [[
return {
  init = function(sim) sim.state.n = 0 end,
  per = "attempt",
  priority = function(job, sim)
    sim.state.n = sim.state.n + 1
    return job.procs * math.random() + sim.state.n
  end,
}]])
      local function csv(threads)
        good(("--day 2019-06-14 --q 0.1 --runs 23 --policy dispatch/easy --policy shelf "
          .. "--priority state.lua --threads %d --csv o%d.csv"):format(threads, threads))
        return text_of(("o%d.csv"):format(threads))
      end
      local one = csv(1)
      assert.equal(47, #lines_of(one))
      assert.equal(one, csv(2))
      assert.equal(one, csv(7))
    end)

    it("takes other scenarios with another seed", function()
      local function csv(seed)
        good(("--day 2019-06-14 --q 0.1 --runs 5 --seed %d --csv o.csv"):format(seed))
        return text_of "o.csv"
      end
      local first = csv(1)
      assert.equal(first, csv(1))
      assert.not_equal(first, csv(2))
    end)

    it("makes the paper's table, as text, CSV and picture", function()
      local out = good("--by day --batch --priority lpt --policy greedy --policy shelf --q 0,0.1 "
        .. "--runs 3 --table t.csv --plot t.png")
      local printed = lines_of(out)
      assert.equal("4699 jobs in 30 sets on 49152 processors, 3 scenarios each, seed 1", printed[1])
      assert.equal("normalised makespan: mean, standard deviation and maximum over the means of "
        .. "the 30 sets", printed[2])
      assert.equal("q = 0: 0.00 failures a set", printed[4])
      local rows = lines_of(text_of "t.csv")
      assert.equal(5, #rows)
      assert.equal("q,policy,priority,sets,runs,failures,ratio_mean,ratio_sd,ratio_max,"
        .. "ratio_half_width,ratio_min,ratio_q1,ratio_median,ratio_q3,over,jobs,rate,makespan,"
        .. "wait_mean,utilisation,bsld_mean,bsld_max,killed,redirected", rows[1])
      local starts = { "0,greedy,lpt,30,3,0,", "0,shelf,lpt,30,3,0,", "0.1,greedy,lpt,30,3,",
        "0.1,shelf,lpt,30,3," }
      for i, start in ipairs(starts) do
        local row, line = rows[i + 1], printed[i + (i > 2 and 5 or 4)]
        assert.equal(start, row:sub(1, #start))
        local mean, sd, max = row:match ",lpt,30,3,[^,]*,([^,]*),([^,]*),([^,]*)"
        assert.equal(("  %s + lpt"):format(start:match ",(%a+),"), line:match "^  %S+ %+ lpt")
        assert.same({ ("%.4f"):format(mean), ("%.4f"):format(sd), ("%.4f"):format(max) },
          { line:match "(%S+)%s+(%S+)%s+(%S+)$" })
      end
      assert.equal("\137PNG\r\n\26\n", text_of("t.png"):sub(1, 8))
      assert.equal("f.txt f1.txt jobs.csv t.csv t.png", program.listing(folder))
    end)

    it("makes it of any metric, also by week", function()
      local out = good "--by week --policy easy --policy fcfs --metric wait_p90 --table t.csv"
      assert.matches("^4360 jobs in 4 sets on 49152 processors, 1 scenario each, seed 1\n90%% of "
        .. "wait %(h%): mean, standard deviation and maximum over the means of the 4 sets\n", out)
      local result = orrery.compare {
        jobs = orrery.read(orrery.home .. "/data/mira/sample-2019-06.csv"), by = "week",
        quantiles = true, policies = { "easy", "fcfs" },
      }
      local rows = lines_of(text_of "t.csv")
      assert.matches(",wait_p90_mean,", rows[1], 1, true)
      assert.matches((",%.17g,"):format(result:summary("fcfs", "wait_p90").mean), rows[3], 1, true)
    end)

    it("averages over the days' means", function()
      good "--by day --batch --q 0.05 --runs 4 --csv o.csv"
      good "--by day --batch --q 0.05 --runs 4 --table t.csv"
      local sums, counts, failures, days = {}, {}, 0, 0
      local row_pattern = "\n[^,]*,fcfs,([^,]*),%d+,[^,]*,[^,]*,([^,]*),(%d+)"
      for set, ratio, count in text_of("o.csv"):gmatch(row_pattern) do
        if not sums[set] then days = days + 1 end
        sums[set] = (sums[set] or 0) + ratio
        counts[set] = (counts[set] or 0) + 1
        failures = failures + count
      end
      local mean, max = 0, 0
      for set, sum in pairs(sums) do
        assert.equal(4, counts[set])
        mean = mean + sum / 4 / days
        max = math.max(max, sum / 4)
      end
      assert.equal(30, days)
      local row = { lines_of(text_of "t.csv")[2]:match
        "^0%.05,dispatch/greedy,fcfs,30,4,([^,]*),([^,]*),[^,]*,([^,]*)" }
      assert.is_true(math.abs(row[1] - failures / 120) < 1e-9)
      assert.is_true(math.abs(row[2] - mean) < 1e-12)
      assert.is_true(math.abs(row[3] - max) < 1e-12)
    end)

    it("selects a day, a week and a span", function()
      local function jobs(selection) return good(selection):match "^(%d+) jobs on 49152" end
      local day = jobs "--day 2019-06-12"
      assert.equal(day, jobs "--from 2019-06-12 --to 2019-06-13")
      local week = 0
      for d = 10, 16 do week = week + jobs("--day 2019-06-" .. d) end
      assert.equal(tostring(week), jobs "--week 2019-W24")
    end)

    it("writes JSON", function()
      good "--day 2019-06-12 --q 0.05 --runs 3 --json o.json"
      local result = require("dkjson").decode(text_of "o.json")
      local text = text_of "o.json"
      assert.is_truthy(text:find('"options":{\n', 1, true)) -- an object, also when empty
      good "--day 2019-06-12 --q 0.05 --runs 3 --json o.json"
      assert.equal(text, text_of "o.json") -- keys in the same order every time
      local ratio = orrery.compare {
        jobs = orrery.read(orrery.home .. "/data/mira/sample-2019-06.csv"):day "2019-06-12",
        runs = 3, errors = { mean_probability = 0.05 },
      }:summary(1, "ratio").mean
      assert.equal(ratio, result.policies[1].metrics.ratio.mean) -- all 17 digits are there
      assert.equal(49152, result.procs)
      assert.equal(3, result.policies[1].metrics.ratio.count)
      assert.equal("fcfs", result.policies[1].priority)
    end)
  end)

  describe("on real logs", function()
    it("replays Mira's", function()
      local log = logs.path("mira-2019-01.csv", pending)
      local out = good(("'%s' --batch --by day --q 0,0.05 --runs 2 --priority lpt --table t.csv")
        :format(log))
      assert.matches("^3000 jobs in 30 sets on 49152 processors, 2 scenarios each, seed 1\n", out)
      assert.equal("0,dispatch/greedy,lpt,30,2,0,", lines_of(text_of "t.csv")[2]:sub(1, 29))
    end)

    it("says which records of an SWF log it left out", function()
      local log = logs.path("hpc2n-2002.swf", pending)
      local jobs, unknown = 0, 0
      for line in io.lines(log) do
        local runtime = line:match "^%s*%d+%s+%-?%d+%s+%-?%d+%s+(%-?%d+)"
        if runtime == "-1" then unknown = unknown + 1 elseif runtime then jobs = jobs + 1 end
      end
      local out = good(("'%s' --policy easy --walltimes log"):format(log))
      assert.matches(("^%d jobs on 240 processors"):format(jobs), out)
      assert.matches(("\nnote: %d records of the log were left out: %d x runtime unknown "
        .. "%%(the first in line 34%%)\n"):format(unknown, unknown), out)
    end)
  end)

  it("says in a report and as JSON, too, which records were left out", function()
    program.write(folder, "one.csv", "id,procs,runtime\na,1,5\nb,1,\n")
    local said = "1 record of the log was left out: 1 x runtime unknown (the first in line 3)"
    local out = good "one.csv --procs 1 --report o.html --json o.json"
    assert.equal(1, select(2, out:gsub("record of the log", "")))
    assert.truthy(out:find("note: " .. said, 1, true))
    assert.truthy(text_of("o.html"):find("Note: " .. said .. ".", 1, true))
    assert.truthy(text_of("o.json"):find('["' .. said .. '"', 1, true))
  end)

  it("draws SVG, also where there is nothing to compare #long", function()
    program.write(folder, "one.csv", "id,procs,time\nit's,1,5\n")
    good "one.csv --procs 1 --plot o.svg"
    local function drawn(...)
      local svg = text_of "o.svg"
      assert.equal("<?xml", svg:sub(1, 5))
      assert.equal("</svg>", svg:match "(%S+)%s*$")
      for _, text in ipairs { ... } do assert.matches(">" .. text .. "</text>", svg, 1, true) end
    end
    drawn("Wait (h) over 1 job", "dispatch/greedy", "Share of the jobs")
    good "one.csv --procs 1 --plot o.svg --metric utilisation"
    drawn("One scenario, priority fcfs", "dispatch/greedy", "q = 0")
    good "jobs.csv --procs 4 --plot o.svg --policy easy --policy fcfs"
    drawn("Wait (h) over 4 jobs", "easy", "fcfs")
    good "jobs.csv --procs 4 --plot o.svg --q 0.5,0.25 --runs 9 --policy greedy --policy shelf"
    drawn("Mean and its 95% interval over 9 scenarios, priority fcfs", "greedy", "shelf",
      "q = 0.5", "q = 0.25", "Normalised makespan (makespan / lower bound)")
    assert.equal("f.txt f1.txt jobs.csv o.svg one.csv", program.listing(folder))
  end)

  it("honours a priority that a policy brings along", function()
    program.write(folder, "mine.lua", [[
return {
  priority = function(job) return job.time end,
  dispatch = { discipline = "list", reservations = 0 },
}]])
    good "jobs.csv --procs 4 --policy ./mine.lua --failures f1.txt --csv o.csv"
    assert.equal("./mine.lua,own,all,1,14,14,1,2",
      lines_of(text_of "o.csv")[2]:match "^(.-),1,1,")
  end)
end)
