-- Counts the instructions of fixed workloads, and compares them with spec/bench/instructions.csv:
-- what `make bench-instructions` does. Times depend on the machine and its load, instructions on
-- the compiler and the libraries alone; where those differ from the file, nothing is compared.
--
-- A work that needs over 2% more or fewer than the file says is an error. `make bench-instructions
-- NOTE='why'` writes the new number with that note; `git log -p` of the file is the history of
-- speed.

local core = require "orrery.core"
local csv = require "orrery.support.csv"
local orrery = require "orrery"

local FILE = "spec/bench/instructions.csv"
local MOST = 2 -- percent, by which a work may differ from the file
local program = os.getenv "ORRERY_PROGRAM" or "./orrery"
local note = os.getenv "NOTE"
if note == "" then note = nil end

-- What-if: many forks from one point that take a step, half of them with another policy.
local FORKS = "-e 'local jobs = orrery.lublin { procs = 1024, count = 20000, load = 0.8, seed = 7 }"
  .. " local s = orrery.session { jobs = jobs, procs = 1024, policy = [[easy]] }"
  .. " s:run_until(jobs[10000].submit)"
  .. " for _ = 1, 20 do s:fork():step() s:fork { policy = [[fcfs]] }:step() end'"

-- Conservative backfilling where nearly all jobs wait at once.
local WAITING = "-e 'local jobs ="
  .. " orrery.lublin { procs = 1024, count = 10000, load = 20, seed = 7 }"
  .. " orrery.compare { jobs = jobs, procs = 1024, policies = { [[conservative]] } }'"

-- A log of 30,000 jobs.
local SWF = os.tmpname()
local _ <close> = setmetatable({}, { __close = function() os.remove(SWF) end })
core.write_file(SWF, orrery.lublin { procs = 1024, count = 30000, seed = 7 }:csv "swf")

-- Each with one thread, on the bundled month or on what the command generates.
local WORKS = {
  { "start", "-e 1" },
  { "easy", "replay --policy easy --walltimes log" },
  { "easy-sjf", "replay --policy easy-sjf --walltimes log --load 1.5" },
  { "conservative", "replay --policy conservative --walltimes log --from 2019-06-10"
    .. " --to 2019-06-16" },
  { "list-all", "replay --policy list:reservations=all --q 0.2 --runs 5 --day 2019-06-14" },
  { "greedy-failing", "replay --policy greedy --priority lpt --q 0.3 --runs 50 --day 2019-06-14" },
  { "aging", "replay --policy aging --walltimes log" },
  { "fair-share", "replay --policy fair-share --walltimes log" },
  { "wfp3", "replay --policy easy --priority wfp3 --walltimes log" },
  { "threshold", "replay --policy redirect/threshold" },
  { "likely-short", "replay --policy likely-short --walltimes log" },
  { "easy-plus-plus", "replay --policy easy-plus-plus --walltimes log" },
  { "schedule", "replay --policy easy --walltimes log --schedule /dev/null" },
  { "second-policy", "compare --policy easy --policy easy-sjf --walltimes log" },
  { "forks", FORKS },
  { "redistribute", "redistribute --n 20 --procs 200 --runs 2 --policy none"
    .. " --policy end-local+iterated-greedy" },
  { "redistribute-many", "redistribute --n 1000 --procs 5000 --runs 1"
    .. " --policy end-greedy+iterated-greedy" },
  { "compare", "compare --policy greedy --policy easy --q 0.05 --runs 200 --day 2019-06-14" },
  { "swf", "log " .. SWF },
  { "many-waiting", WAITING },
  { "windows", "spec/bench/windows.lua 4" }, -- EASY beside a thousand short reservations
}

local function output(command)
  local pipe = assert(io.popen(command .. " 2>&1", "r"))
  local text = pipe:read "a"
  return text, pipe:close()
end

-- What the counts depend on besides the project.
local function toolchain()
  local function version(command) return (output(command):match "%d+%.%d+[%.%d]*" or "unknown") end
  return ("%s %s, Lua %s, libc %s, valgrind %s"):format(output "uname -m":match "%S+",
    "gcc " .. version((os.getenv "CC" or "cc") .. " -dumpfullversion"), version "lua5.4 -v",
    version "ldd --version", version "valgrind --version")
end

local function count(arguments)
  local threads = (arguments:find "^%-e" or arguments:find "^log") and "" or " --threads 1"
  local text, good = output(("valgrind --tool=callgrind --callgrind-out-file=/dev/null %s %s%s")
    :format(program, arguments, threads))
  local instructions = text:match "Collected : (%d+)"
  if not (good and instructions) then error(("orrery %s: %s"):format(arguments, text), 0) end
  return math.tointeger(instructions)
end

-- The toolchain of the file, and { instructions, note } by the name of the work.
local function read()
  local file = io.open(FILE)
  if not file then return nil, {} end
  local first, recorded = file:read "l", {}
  for line in file:lines() do
    local name, instructions, why = line:match "^([^,]+),(%d+),(.*)$"
    if name then recorded[name] = { math.tointeger(instructions), why } end
  end
  file:close()
  return first and first:match "^# (.*)$", recorded
end

local function write(tools, recorded)
  local lines = { "# " .. tools, "work,instructions,note" }
  for _, work in ipairs(WORKS) do
    local row = recorded[work[1]]
    lines[#lines + 1] = ("%s,%d,%s"):format(work[1], row[1], row[2])
  end
  core.write_file(FILE, table.concat(lines, "\n") .. "\n")
end

local tools = toolchain()
local of_file, recorded = read()
local same_tools = tools == of_file
if not (same_tools or note) then
  print(("skipped: %s was counted with %s, and here is %s")
    :format(FILE, of_file or "nothing", tools))
  return
end

local changed = {}
for _, work in ipairs(WORKS) do
  local name, now = work[1], count(work[2])
  local before = same_tools and recorded[name]
  print(("%-16s %13d %s"):format(name, now, before and ("%.4f"):format(now / before[1]) or "new"))
  if not before or 100 * math.abs(now - before[1]) > MOST * before[1] then
    changed[#changed + 1] = name
    if note then recorded[name] = { now, csv.field(note) } end
  end
end
if #changed == 0 then return end
if note then
  write(tools, recorded)
  print(("written to %s: %s"):format(FILE, table.concat(changed, ", ")))
else
  error(("over %d%% from %s: %s; make bench-instructions NOTE='why' records the new numbers")
    :format(MOST, FILE, table.concat(changed, ", ")), 0)
end
