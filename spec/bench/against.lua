-- make bench-against COMMIT=...: fixed workloads on that commit and on this one, alternating.
--
-- Prints the median time of ROUNDS rounds of each, the factor, and whether the outputs are the
-- same. Works of one thread are measured in processor time, works of several threads on the clock.
-- The commit is built in build/against/COMMIT, with the flags of the Makefile. Works whose program
-- or options a commit does not have are left out. WORKS=million: those with this in their names.
--
--   orrery spec/bench/against.lua COMMIT

local orrery = require "orrery"
local worktree = dofile "spec/bench/worktree.lua"

local capture, must = worktree.capture, worktree.must

local ROUNDS = tonumber(os.getenv "ROUNDS" or "") or 5

local chosen = os.getenv "WORKS" or ""
local commit = arg[1]
if not commit then error("which commit? make bench-against COMMIT=9f0b51e", 0) end

-- Programs of spec/bench that print a result, microseconds, and perhaps another result.
local function client(name, ...)
  return { name, "build/bench/" .. table.concat({ ... }, " "), printed = true }
end

-- Whole commands: their time, the program's start included.
local function whole(name, command, times)
  command = "./orrery " .. command
  return { name, times and ("for i in $(seq %d); do %s; done"):format(times, command) or command }
end

local here = must "pwd":match "[^\n]+"
local LOG = "build/bench/million.swf" -- written by the present tree for both

-- Work of spec/bench/compared.lua; clock: the time of the whole program, on the clock.
local function compared(name, work, clock)
  return { name, ("./orrery '%s/spec/bench/compared.lua' %s"):format(here, work), printed = true,
    clock = clock }
end

local function million(name, policy, threads)
  return compared(name, ("log '%s/%s' %s %d"):format(here, LOG, policy, threads), threads > 1)
end

-- A policy on the log of priorities.cpp, and that loop.
local function users(name, load, priority)
  local work = compared(("%s, 150,000 jobs, load %g"):format(priority or name, load),
    ("users %s 150000 %g %s"):format(name, load, priority or ""))
  work.loop = ("build/bench/priorities %s 150000 %g"):format(priority or name, load)
  return work
end

local function of_log(name, command, ...)
  return whole(name, command:format(("'%s/%s'"):format(here, LOG), ...))
end

local WORKS = {
  whole("the program's start, 100 times", "-e 1", 100),
  client("greedy LPT, 100 jobs, q = 0", "client greedy 0 20000"),
  -- All scenarios are equal: the one above simulates the first.
  client("greedy LPT, 100 jobs, q = 0, each simulated", "client greedy 0 20000 each"),
  client("greedy LPT, 100 jobs, q = 0.3", "client greedy 0.3 20000"),
  client("greedy LPT, 100 jobs, q = 0.6", "client greedy 0.6 10000"),
  client("greedy LPT, 100 jobs, q = 0.9", "client greedy 0.9 1000"),
  compared("R-LIST-Q, 100 jobs, q = 0.9", "list-all 0.9 1000"),
  client("EASY, 100 jobs, q = 0.9", "client easy 0.9 500"),
  whole("IteratedGreedy-EndGreedy, n = 1000, p = 5000, 5 runs", "redistribute --n 1000 --procs 5000"
    .. " --runs 5 --policy end-greedy+iterated-greedy --threads 1"),
  whole("the same, n = 10,000, p = 50,000, a run", "redistribute --n 10000 --procs 50000"
    .. " --runs 1 --policy end-greedy+iterated-greedy --threads 1"),
  million("EASY, a million jobs of SWF, command to result, clock", "easy", 2),
  million("EASY, a million jobs, without reading", "easy", 1),
  million("EASY shortest first, the same jobs", "easy-sjf", 1),
  million("redirect/threshold, the same jobs", "redirect/threshold", 1),
  of_log("EASY, a million jobs of SWF, command to table", "replay --policy easy %s"),
  of_log("the same with a second policy", "compare --policy easy --policy easy-sjf %s"),
  of_log("the same as a schedule", "replay --policy easy %s --schedule build/bench/schedule.csv"
    .. " && cat build/bench/schedule.csv"),
  of_log("orrery log, a million jobs", "log %s"),
  users("easy", 0.44, "wfp3"), users("easy", 0.7, "wfp3"), users("easy", 0.88, "wfp3"),
  users("aging", 0.7), users("fair-share", 0.7),
  whole("EASY, the bundled month", "replay --policy easy --walltimes log"),
  whole("likely-short, the same", "replay --policy likely-short --walltimes log"),
  whole("EASY++, the same", "replay --policy easy-plus-plus --walltimes log"),
  compared("conservative, 30,000 jobs that wait at first", "waiting conservative 30000"),
  compared("R-LIST-Q, 3000 jobs that wait at first", "waiting list:reservations=all 3000"),
  { "conservative, 30,000 jobs, load 1.5, walltimes", printed = true,
    "build/bench/promises count=30000 load=1.5 walltimes=5 plain=0 | awk '{ print 0, 1e6 * $1 }'" },
  whole("figure 2 of RR-9296, one of 30 sets", "reproduce rr9296 --figure 2 --sets 1 --runs 1000"
    .. " --threads 1 --out build/bench/figure2 >&2 && cat build/bench/figure2/figure*.csv"),
}

-- What a bare loop takes for those of greedy lists, built for this machine (see the Makefile).
local BARE = { ["0"] = 20000, ["0.3"] = 20000, ["0.6"] = 10000, ["0.9"] = 1000 }

local TARGETS = "orrery build/bench/client build/bench/promises"
local there = worktree.of(commit, TARGETS)
worktree.build(".", TARGETS .. " build/bench/priorities")
if not io.open(LOG) then
  orrery.lublin { procs = 10000, count = 1000000, load = 0.9 }:to_csv("swf", LOG)
end

-- --- measuring -----------------------------------------------------------------------------------

-- Microseconds, and the output without what was measured. nil: there is no such work.
local function once(where, work)
  local text, good = capture(("cd '%s' && date +%%s%%N && { %s; } 2>build/bench/errors && date "
    .. "+%%s%%N && times"):format(where, work[2]))
  if not good then return nil end
  local from, output, to, minutes, seconds = text
    :match "^(%d+)\n(.*)\n(%d+)\n%d+m[%d.]+s %d+m[%d.]+s\n(%d+)m([%d.]+)s [^\n]*\n$"
  local first, measured, rest = output:match "^(%S+) (%S+)([^\n]*)"
  if work.printed then output = first .. rest end
  if work.clock then return (to - from) / 1000, output end
  return work.printed and tonumber(measured) or (minutes * 60 + seconds) * 1e6, output
end

local function median(list)
  table.sort(list)
  return list[(#list + 1) // 2]
end

-- Microseconds of what a plain loop takes for it; nil: there is none.
local function bare(work)
  if work.loop then return 1e6 * tonumber(must(work.loop):match "%S+") end
  local q = work[2]:match "client greedy (%S+)"
  if not q then return nil end
  return tonumber(capture(("build/bench/bare %s %d"):format(q, BARE[q])):match "%S+ (%S+)")
end

local HEAD = "%-54s %12s %12s %8s %10s %s"
print(HEAD:format("us", commit, "present", "factor", "of bare", "outputs"))
for _, work in ipairs(WORKS) do
  if work[1]:find(chosen, 1, true) then
    local times, outputs = { {}, {}, {} }, {}
    for round = 1, ROUNDS do
      times[1][round], outputs[1] = once(there, work)
      times[2][round], outputs[2] = once(".", work)
      times[3][round] = bare(work)
    end
    local before, now, loop = median(times[1]), median(times[2]), median(times[3])
    print(("%-54s %12s %12.1f %8s %10s %s"):format(work[1], before and ("%.1f"):format(before)
      or "none", now, before and ("%.2f"):format(before / now) or "", loop and ("%.2f"):format(
      now / loop) or "", not before and "" or outputs[1] == outputs[2] and "same" or "differ"))
  end
end
