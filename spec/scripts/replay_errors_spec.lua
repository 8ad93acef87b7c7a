-- What replay says to bad input: a message that tells what to mend, the status, and no file left.
local of_processor = require "spec.support.refused".of_processor
local program = require "spec.support.program"
local rounds = require "spec.support.rounds"

local LOG = "id,submit,procs,time\na,0,2,10\nb,0,1,4\nc,0,3,5\n"

-- Every kind of output is asked for, so that none can be left behind.
local ALL_OUTPUT = " --csv o.csv --json o.json --table o-table.csv --schedule o-schedule.csv"

describe("orrery replay refuses", function()
  local folder

  before_each(function()
    folder = program.folder()
    program.write(folder, "log.csv", LOG)
  end)
  after_each(function() program.remove(folder) end)

  -- The command fails with this status and this message (its first line only, where a traceback may
  -- follow), prints nothing else and leaves the folder as it was.
  local function refused(status, message, arguments, first_line_only)
    local before = program.listing(folder)
    local got, out, err = program.run(folder, "replay " .. arguments)
    if first_line_only then err = err:match "^[^\n]*\n" end
    err = of_processor(err:gsub("\n  version: .*$", "\n")) -- reports_spec.lua looks at these lines
    assert.same({ status, "", "orrery: " .. message .. "\n" }, { got, out, err })
    assert.equal(before, program.listing(folder))
  end

  local function misused(message, arguments)
    refused(2, message .. "\n`orrery replay --help` lists the options", arguments)
  end

  describe("a log that", function()
    local function log(text, message, arguments)
      program.write(folder, "log.csv", text)
      refused(2, message, (arguments or "log.csv --procs 4") .. ALL_OUTPUT)
    end

    it("has a truncated line", function()
      log("id,submit,procs,time\na,0,2,10\nb,0\n",
        "log.csv:3: expected 4 fields as in the header, found 2",
        "log.csv --procs 4 --strict")
    end)
    it("has a negative time", function()
      log("id,submit,procs,time\na,0,2,-10\n",
        'log.csv:2: column 4 (time): expected a number of seconds >= 0, found "-10"',
        "log.csv --procs 4 --strict")
    end)
    it("has a job wider than the machine", function()
      log("id,submit,procs,time\na,0,2,10\nbig,0,20,10\n",
        "job big asks for 20 processors, but the machine has 4 (--wide drop leaves such jobs out "
          .. "when the log is read)")
    end)
    it("has a job wider than what the log says of the machine, where nobody says more", function()
      local line = " 0 0 10 5 -1 -1 5 -1 -1 1 -1 -1 -1 -1 -1 -1 -1\n"
      log("; MaxProcs: 4\n1" .. line, "log.csv:2: field 8 (requested processors): expected at most "
        .. 'the 4 processors of the machine (MaxProcs) (--wide drop leaves wider jobs out), '
        .. 'found "5"',
        "log.csv")
      for _, good in ipairs { "--procs 5", "--wide drop", "--status completed --procs 6" } do
        program.write(folder, "log.csv", "; MaxProcs: 4\n1" .. line .. "2" .. line:gsub("5", "3"))
        local status, out, err = program.run(folder, "replay log.csv " .. good)
        assert.same({ 0, "" }, { status, err })
        assert.equal(good == "--wide drop", out:find("note: 1 record of the log was left out: "
          .. "1 x wider than the machine", 1, true) ~= nil)
      end
    end)
    it("has no job of the statuses asked for", function()
      log("id,procs,time,status\na,2,10,failed\n", "log.csv: no job is left: the only record "
        .. "was dropped, in line 2 (of another status): --status says which are kept",
        "log.csv --procs 4 --status completed,cancelled")
      refused(2, '--status: an empty status in the list of statuses "a,"',
        "log.csv --procs 4 --status a,")
      log("x,time\n1,2\n", "--columns: procs=COLUMN is missing: how many processors a job has",
        "log.csv --procs 4 --columns runtime=time")
      refused(2, "--header: expected names of columns with commas between them, found nothing",
        "log.csv --procs 4 --header ''")
      refused(2, "--grace and --overrun extend exclude each other: no job that is extended needs "
        .. "one", "log.csv --procs 4 --walltimes log --grace 60 --overrun extend")
    end)
    it("does not count what was asked for", function()
      log("JobID|Submit|Elapsed|State|NCPUS\n1|2023-03-01T08:00:00|01:00|COMPLETED|3\n",
        "log.csv:1: column NNodes (or AllocNodes, ReqNodes) is missing in a dump of sacct"
          .. ": sacct --format gives it, as in sacct -aPX --format=JobID,JobIDRaw,User,Account,"
          .. "Partition,QOS,State,Submit,Eligible,Start,End,ElapsedRaw,Suspended,TimelimitRaw,"
          .. "NCPUS,NNodes,AllocTRES,ReqMem,Constraints,Reservation,JobName,SubmitLine",
        "log.csv --procs 4 --count nodes")
    end)
    it("is empty", function() log("", "log.csv: the file is empty") end)
    it("has no job", function()
      program.write(folder, "log.csv", "id,submit,procs,time\n")
      local status, out, err = program.run(folder, "replay log.csv --procs 4 --csv o.csv")
      assert.same({ 2, "" }, { status, out })
      assert.matches("^orrery: log%.csv: .*no job", err)
      assert.equal("log.csv", program.listing(folder))
    end)
    it("lacks a column", function()
      log("id,submit,time\na,0,2\n", "log.csv:1: column procs is missing in what looks like a "
        .. "plain CSV log; there are: id, submit, time")
    end)
    it("is binary", function()
      log("\127ELF\2\1\1\0\0\0\0",
        "log.csv:1: not a job log: binary data (a zero byte) where text is due")
    end)
    it("is not there", function()
      refused(2, "nosuch.csv: No such file or directory", "nosuch.csv --procs 4" .. ALL_OUTPUT)
    end)
    it("does not know its machine", function()
      refused(2, "log.csv does not say how many processors the machine has: give --procs N",
        "log.csv" .. ALL_OUTPUT)
    end)
  end)

  describe("a failures file that", function()
    local function failures(text, message)
      program.write(folder, "f.txt", text)
      refused(2, message, "log.csv --procs 4 --failures f.txt" .. ALL_OUTPUT)
    end

    it("has too few columns", function()
      failures("1 0 0\n0 0\n", "f.txt:2: expected 3 numbers, one for each job, found 2")
    end)
    it("has too many columns", function()
      failures("1 0 0 0\n", "f.txt:1: expected 3 numbers, one for each job, found 4")
    end)
    it("has text", function()
      failures("1 x 0\n",
        'f.txt:1: column 2: expected a whole number from 0 to 2147483647, found "x"')
    end)
    it("is empty", function() failures("", "f.txt: no row of failure counts") end)
    it("has several rows for one schedule", function()
      failures("1 0 0\n0 0 0\n",
        "--schedule writes one schedule: f.txt has 2 rows, give a file with one")
    end)
  end)

  describe("a policy that", function()
    local function policy(option, text, message, first_line_only, status)
      program.write(folder, "mine.lua", text)
      refused(status or 2, message, ("log.csv --procs 4 --%s mine.lua --limit-seconds 0.2%s")
        :format(option, ALL_OUTPUT), first_line_only)
    end
    -- One that fails while it runs.
    local function running(option, text, message, first_line_only)
      policy(option, text, message, first_line_only, 1)
    end

    it("has another name", function()
      refused(2, "there is no policy 'dispatch/eazy', did you mean 'dispatch/easy'?",
        "log.csv --procs 4 --policy dispatch/eazy" .. ALL_OUTPUT)
      refused(2, "there is no policy 'ltp', did you mean 'lpt'?",
        "log.csv --procs 4 --priority ltp" .. ALL_OUTPUT)
      refused(2, "there is no policy 'quicksilver'; `orrery policies` lists them",
        "log.csv --procs 4 --policy quicksilver" .. ALL_OUTPUT)
    end)
    it("has the name of one of the other kind", function()
      refused(2, "'lpt' is a priority (priority/lpt); give it as the priority",
        "log.csv --procs 4 --policy lpt" .. ALL_OUTPUT)
      refused(2, "'easy' is a dispatch policy (dispatch/easy); give it as the policy",
        "log.csv --procs 4 --priority easy" .. ALL_OUTPUT)
    end)
    it("is no file", function()
      refused(2, "cannot read the policy file nosuch.lua: No such file or directory",
        "log.csv --procs 4 --policy nosuch.lua" .. ALL_OUTPUT)
    end)
    it("has a syntax error", function()
      policy("priority", "return {\n  priority = function(job) return job.time\n}\n",
        "mine.lua:3: 'end' expected (to close 'function' at line 2) near '}'")
    end)
    it("has an unknown key", function()
      policy("priority", "return { priority = function() return 1 end, sorce = 'me' }\n",
        "policy mine.lua: unknown key 'sorce' (known: name, about, source, options, per, priority, "
        .. "dispatch, init, backfill, groups, caches, on_submit, on_start, on_end, on_idle, "
        .. "on_timer, period, estimate, planned_end, on_warning)")
    end)
    it("is of the other kind", function()
      policy("policy", "return { priority = function() return 1 end }\n",
        "policy mine.lua: it is a priority and says nothing of dispatch; give it as the priority")
      policy("priority", "return { dispatch = function() end }\n",
        "policy mine.lua: it has no priority")
    end)
    it("gives nan", function()
      running("priority", "return { priority = function(job) return 0 / 0 end }\n",
        "policy dispatch/greedy + mine.lua: the priority of job a is not a number (nan)")
    end)
    it("gives no number", function()
      running("priority", "return { priority = function(job) return 'high' end }\n",
        "policy dispatch/greedy + mine.lua: priority for job a: a priority must be a number, this "
        .. "is string", true)
    end)
    -- Stopped most of the time, as on a machine that is much too busy: the clock goes on.
    it("has the processor too seldom #long", function()
      program.write(folder, "mine.lua", "return { dispatch = function() while true do end end }\n")
      local pipe = assert(io.popen(("cd '%s' && exec env -u LD_PRELOAD sh -c '"
        .. [[%s replay log.csv --procs 4 --policy ./mine.lua --limit-seconds 0.3 2>err & it=$!
        sleep 0.02
        while kill -STOP $it; do sleep 1.2; kill -CONT $it || break; sleep 0.01; done 2>/dev/null
        wait $it; echo $?']]):format(folder, program.path)))
      local status = pipe:read "a"
      pipe:close()
      local err = program.read(folder .. "/err")
      assert.equal("1\n", status)
      assert.is_truthy(err:find("this call took more than 3 s by the clock (10 times "
        .. "limits.seconds), of which it had the processor for less than 0.3 s; is the machine too "
        .. "busy?", 1, true), err)
    end)
    it("never ends", function()
      running("priority", "return { priority = function(job) while true do end end }\n",
        "policy dispatch/greedy + mine.lua: priority for job a: mine.lua:1: this call took more "
        .. "than 0.2 s of processor time "
        .. "(limits.seconds); does a loop never end?", true)
      running("policy", "return { dispatch = function(sim) while true do end end }\n",
        "policy mine.lua: dispatch at time 0: mine.lua:1: this call took more than 0.2 s "
        .. "of processor time (limits.seconds); "
        .. "does a loop never end?", true)
    end)
    it("takes more memory or instructions than it may", function()
      program.write(folder, "mine.lua", "return { priority = function(job)\n"
        .. "  local t = {}\n  for i = 1, 1e7 do t[i] = {} end\n  return #t\nend }\n")
      refused(1, "policy dispatch/greedy + mine.lua: priority for job a: not enough memory",
        "log.csv --procs 4 --priority mine.lua --limit-memory 4" .. ALL_OUTPUT)
      refused(1, "policy dispatch/greedy + mine.lua: priority for job a: mine.lua:3: this call "
        .. "took more than 100000 instructions (limits.instructions)",
        "log.csv --procs 4 --priority mine.lua --limit-instructions 100000" .. ALL_OUTPUT, true)
    end)
    it("starts a job that does not fit", function()
      running("policy", "return { dispatch = function(sim)\n"
        .. "  for job in sim:waiting() do sim:start(job) end\nend }\n",
        "policy mine.lua: dispatch at time 0: mine.lua:2: job c cannot be "
        .. "started: it needs 3 processors and 1 are free", true)
    end)
    it("starts a job twice", function()
      running("policy", "return { dispatch = function(sim)\n"
        .. "  for job in sim:waiting() do\n    sim:start(job)\n    sim:start(job)\n  end\nend }\n",
        "policy mine.lua: dispatch at time 0: mine.lua:4: job a cannot be "
        .. "started: it is running already", true)
    end)
    it("starts nothing", function()
      running("policy", "return { dispatch = function(sim) end }\n",
        "policy mine.lua: nothing starts at time 0 although 3 jobs wait, all 4 processors are free "
        .. "and no job is still to come")
    end)
    it("says where it fails", function()
      program.write(folder, "mine.lua", "return {\n  priority = function(job)\n"
        .. "    return job.procs * nothing\n  end,\n}\n")
      local status, _, err = program.run(folder, "replay log.csv --procs 4 --priority mine.lua")
      assert.equal(1, status)
      assert.matches("^orrery: [^\n]*mine%.lua:3: a policy has no global 'nothing'[^\n]*\n$", err)
    end)
    it("has no such option", function()
      refused(2, "no policy here has an option 'depth'; `orrery policies` lists them",
        "log.csv --procs 4 --set depth=3" .. ALL_OUTPUT)
      refused(2, "policy list:depth=3: it has no option 'depth'",
        "log.csv --procs 4 --policy list:depth=3" .. ALL_OUTPUT)
    end)
    it("has an option with other values", function()
      refused(2, "policy list: option reservations: expected a whole number of at least 0, or all, "
        .. "found 'many'",
        "log.csv --procs 4 --policy list --set reservations=many" .. ALL_OUTPUT)
    end)
  end)

  it("a job that would fail for ever", function()
    local status, _, err = program.run(folder,
      "replay log.csv --procs 4 --rate 1 --max-attempts 10 --csv o.csv")
    assert.equal(1, status)
    assert.matches("^orrery: job a %(2 processors, 10 s%) .*attempts.*limit", err)
    assert.equal("log.csv", program.listing(folder))
  end)

  describe("an output file", function()
    it("in a folder that is not there, before anything runs", function()
      for _, name in ipairs { "csv", "json", "table", "plot", "schedule" } do
        local file = name == "plot" and "no/o.png" or "no/o.csv"
        refused(2, ("--%s %s: there is no folder no"):format(name, file),
          ("nosuch.csv --procs 4 --%s %s"):format(name, file))
      end
    end)
    it("without a name", function()
      for _, name in ipairs { "csv", "json", "table", "plot", "schedule", "failures" } do
        refused(2, ("--%s: expected the name of a file"):format(name),
          ("nosuch.csv --procs 4 --%s ''"):format(name))
      end
      refused(2, "LOG: expected the name of a file", "'' --procs 4")
    end)
    it("that is a folder", function()
      refused(2, "--csv: '.' is a folder, not a file", "log.csv --procs 4 --csv .")
    end)
    it("that cannot be written, before anything runs", function()
      for _, name in ipairs { "csv", "json", "table", "plot", "schedule" } do
        local file = name == "plot" and "/proc/o.png" or "/proc/o.csv"
        local other = name == "csv" and "json" or "csv"
        local status, out, err = program.run(folder, ("replay nosuch.csv --procs 4 --%s %s --%s o")
          :format(name, file, other))
        assert.same({ 1, "" }, { status, out })
        assert.matches(("^orrery: cannot write %s: [^\n]+\n$"):format(file), err)
        assert.equal("log.csv", program.listing(folder))
      end
    end)
    it("that cannot be written, and leaves what is there as it is", function()
      local long = ("o"):rep(250) -- beside it there is no room for a name
      program.write(folder, long, "old\n")
      refused(1, ("cannot write %s: File name too long"):format(long),
        "nosuch.csv --procs 4 --csv " .. long)
      assert.equal("old\n", program.read(folder .. "/" .. long))
      program.write(folder, "o.csv", "old\n")
      refused(2, "nosuch.csv: No such file or directory", "nosuch.csv --procs 4 --csv o.csv")
      assert.equal("old\n", program.read(folder .. "/o.csv"))
    end)
    it("that is a device, not", function()
      local status, _, err = program.run(folder, "replay log.csv --procs 4 --csv /dev/null")
      assert.same({ 0, "" }, { status, err })
    end)
    it("that is standard output, when that is full", function()
      local _, _, status = os.execute(("'%s' replay '%s/log.csv' --procs 4 >/dev/full 2>/dev/null")
        :format(program.path, folder))
      assert.equal(1, status)
    end)
    it("named twice", function()
      refused(2, "--json and --csv name the same file, o", "log.csv --procs 4 --csv o --json o")
      refused(2, "--csv and LOG name the same file, log.csv", "log.csv --procs 4 --csv log.csv")
    end)
    it("that is no picture", function()
      refused(2, "--plot: the name must end in .png or .svg, not 'o.pdf'",
        "log.csv --procs 4 --plot o.pdf")
    end)
    it("that wants gnuplot, where it is missing", function()
      local status, out, err = program.run(folder, "replay log.csv --procs 4 --plot o.png",
        "PATH=/nonexistent")
      assert.same({ 1, "", "orrery: --plot wants gnuplot, which is not installed (Debian: "
        .. "gnuplot-nox)\n" }, { status, out, err })
      assert.equal("log.csv", program.listing(folder))
    end)
  end)

  describe("a command line with", function()
    it("an unknown option", function()
      misused("unknown option '--polcy'\nDid you mean '--policy'?", "--polcy greedy")
    end)
    it("a bad number", function()
      misused("--q: expected a mean failure probability, at least 0 and less than 1, found '1.5'",
        "--q 1.5")
      misused("--q: expected a mean failure probability, at least 0 and less than 1, found 'nan'",
        "--q 0.1,nan")
      misused("--runs: expected a whole number, found 'ten'", "--runs ten")
      misused("--runs: expected a whole number of at least 1, found '0'", "--runs 0")
      misused("--procs: expected a whole number from 1 to 2147483646, found '-4'", "--procs=-4")
      misused("--threads: expected a whole number from 1 to 4096, found '0'", "--threads 0")
      misused("--seed: expected a whole number, found '1.5'", "--seed 1.5")
      misused("--rate: expected a number of at least 0, found '-1'", "--rate=-1")
      misused("--rate: expected a number, found '1e999'", "--rate 1e999")
      misused("--load: expected a number above 0, found '0'", "--load 0")
    end)
    it("a span that is none #long", function()
      local span = "seconds, or a number with s, m, h, d, w or y behind it, found '%s'"
      for i, text in ipairs { "soon", "1x", "-1", "h", "1e999", "1e308y", "nan", "" } do
        for k, option in ipairs { "warmup", "verification", "grace", "node-mtbf" } do
          if (i + k) % rounds(1, 1, 3) == 0 then
            misused(("--%s: expected " .. span):format(option, text),
              ("'--%s=%s'"):format(option, text))
          end
        end
      end
      for _, option in ipairs { "tau", "limit-seconds" } do
        for _, text in ipairs { "0", "0h", "-1", "one" } do
          misused(("--%s: expected more than 0 " .. span):format(option, text),
            ("--%s %s"):format(option, text))
        end
      end
      refused(2, "a warmup of 21 d and a cooldown of 20.83 d leave no job to observe: submissions "
        .. "span 29.98 d", "--warmup 3w --cooldown 500h")
    end)
    it("--overrun without walltimes", function()
      refused(2, "--overrun says what becomes of jobs that ran longer than the log's walltime: "
        .. "give --walltimes log as well", "--overrun kill")
    end)
    it("--clairvoyant without walltimes", function()
      refused(2, "--clairvoyant adds policies that know the runtimes to those that know the "
        .. "walltimes: give --walltimes log as well", "--clairvoyant")
    end)
    it("a number below zero, as the option's own value", function()
      misused("--q: expected a mean failure probability, at least 0 and less than 1, found '-0.1'",
        "--q -0.1")
      misused("--procs: expected a whole number from 1 to 2147483646, found '-3'", "--procs -3")
      misused("--rate: expected a number of at least 0, found '-.5'", "--rate -.5")
      misused("option '--batch' does not take arguments", "--batch -1")
      misused("unknown option '-1'\nDid you mean '-h'?", "log.csv -1")
      refused(2, "-1: No such file or directory", "-- -1")
      local status, out, err = program.run(folder, "replay log.csv --procs 4 --seed -1")
      assert.same({ 0, "" }, { status, err })
      assert.matches("^3 jobs on 4 processors, 1 scenario each, seed %-1\n", out)
    end)
    it("what only the library refuses, without a place in it", function()
      refused(2, "limits.seconds must be more than 0.001",
        "log.csv --procs 4 --limit-seconds 0.0005")
    end)
    it("a --set that sets nothing", function()
      misused("--set: expected option=value, found 'reservations'", "--set reservations")
      refused(2, "--set reading is given twice", "--set reading=head --set reading=blocked")
    end)
    it("a choice that there is not", function()
      misused("argument for option '--walltimes' must be one of 'log', 'runtime'",
        "--walltimes both")
    end)
    it("two priorities", function()
      misused("option '--priority' must be used at most 1 time", "--priority lpt --priority la")
    end)
    it("options that exclude each other", function()
      refused(2, "--failures and --q exclude each other: the failures are given, or drawn",
        "log.csv --failures f.txt --q 0")
      refused(2, "--failures and --rate exclude each other: the failures are given, or drawn",
        "log.csv --failures f.txt --rate 0")
      refused(2, "--failures and --runs exclude each other: every row of the file is one scenario",
        "log.csv --failures f.txt --runs 2")
      refused(2, "--failures and --by exclude each other: every set has other jobs, and the file "
        .. "has one row for all", "log.csv --failures f.txt --by day")
      refused(2, "--rate and --q exclude each other: both say how often jobs fail",
        "--rate 0 --q 0")
      refused(2, "--day and --week exclude each other: each of them selects jobs",
        "--day 2019-06-14 --week 2019-W24")
    end)
    it("a file that has no place for q", function()
      refused(2, "--csv has no place for q: give one --q, or write --table, which has a column for "
        .. "it", "--q 0 --q 0.1 --csv o.csv")
    end)
    it("a schedule of several", function()
      refused(2, "--schedule writes one schedule: give one --policy, not 2",
        "--policy easy --policy greedy --schedule o.swf")
      refused(2, "--schedule writes one schedule: give one --q, not 2",
        "--q 0,0.1 --schedule o.csv")
      refused(2, "--schedule writes one schedule: give one scenario (--runs 1), not 2",
        "--runs 2 --schedule o.csv")
      refused(2, "--schedule writes one schedule: give one set of jobs, not 30",
        "--by day --schedule o.csv")
    end)
    it("a precision that is none, or beside what has no more scenarios #long", function()
      for _, given in ipairs { "0", "0%", "-1%", "abc", "%", "200%", "100%", "1", "nan" } do
        misused("--precision: expected a share above 0 and below 1, as 1% or 0.01, found '" .. given
          .. "'", "--precision " .. given)
      end
      refused(2, "runs, with precision: expected a whole number of at least 256, found 100",
        "--q 0.05 --precision 1% --runs 100")
      refused(2, "--precision and --by exclude each other: the interval is over days or weeks, not "
        .. "over scenarios", "--precision 1% --by day")
      refused(2, "--failures and --precision exclude each other: every row of the file is one "
        .. "scenario", "--precision 1% --failures f.txt")
      for _, name in ipairs { "schedule", "timeline", "gantt", "users" } do
        refused(2, ("--%s and --precision exclude each other: one is of one scenario, the other of "
          .. "many"):format(name), ("--precision 1%% --%s o.svg"):format(name))
      end
    end)
    it("a time that is none", function()
      refused(2, "--day: expected a day as YYYY-MM-DD, not '14'", "--day 14")
      refused(2, "--origin: the log has dates of its own, its second 0 is "
        .. "2019-06-01 00:18:52 UTC", "--origin 2024-02-28")
      refused(2, "--week: expected an ISO week as YYYY-Www (2019-W24), not '2019-W60'",
        "--week 2019-W60")
      refused(2, "--from: expected seconds or YYYY-MM-DD[ HH:MM[:SS]], not 'noon'", "--from noon")
    end)
    it("a span without jobs", function()
      refused(2, "--day: no job was submitted in 2019-07-01; the log covers the days 2019-06-01 to "
        .. "2019-06-30", "--day 2019-07-01")
      refused(2, "no job was submitted at or after 2019-07-01; the log has 4699 jobs of 512 to "
        .. "49152 procs, submitted 2019-06-01 to 2019-06-30", "--from 2019-07-01")
    end)
  end)
end)
