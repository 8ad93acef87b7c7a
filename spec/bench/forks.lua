-- What forks cost, in processor time and in memory: a part of `make bench-tables`, and alone
-- ./orrery spec/bench/forks.lua.
local orrery = require "orrery"

local JOBS, MANY = 100000, 100

local function resident() -- MB
  local file = assert(io.open("/proc/self/statm", "r"))
  local pages = file:read("a"):match "^%d+ (%d+)"
  file:close()
  return pages * 4096 / 1e6
end

-- Each row in a process of its own, for memory that was freed is used again.
local number = tonumber(os.getenv "ORRERY_ROW")
if not number then
  print(("\nA session of %d jobs, of which half are over: ms of processor time, MB of %d forks")
    :format(JOBS, MANY))
end

local jobs = number and orrery.lublin { procs = 1024, count = JOBS, load = 0.8, seed = 7 }
local middle = number and jobs[JOBS // 2].submit
local s = number and orrery.session { jobs = jobs, procs = 1024, policy = "easy", priority = "lpt" }
  :run_until(middle)

local function fork() return s:fork() end
local function priority() return s:fork { priority = "spt" } end
local function ended(made)
  local one = made()
  one:finish()
  return one
end

-- before: makes what `work` takes, and is not measured; kept: so many results stay.
local ROWS = {
  { "fork", work = fork, kept = MANY },
  { "fork, and one step", kept = MANY, work = function()
    local one = s:fork()
    one:step()
    return one
  end },
  { "fork with another policy", kept = MANY, work = function()
    return s:fork { policy = "fcfs" }
  end },
  { "fork with another priority", work = priority, kept = MANY },
  { "fork with a job more", work = function()
    return s:fork { submit = { procs = 1, time = 60 } }
  end },
  { "to the end", before = fork, work = function(one) return one:finish() end },
  { "back to the middle", before = function() return ended(fork) end,
    work = function(one) return one:back_to(middle) end },
  { "what differs from another", before = function() return ended(priority) end,
    work = function(one) return orrery.diff(s, one) end },
}

if not number then
  for i in ipairs(ROWS) do
    os.execute(("ORRERY_ROW=%d %s spec/bench/forks.lua"):format(i,
      os.getenv "ORRERY_PROGRAM" or "./orrery"))
  end
  return
end
local row, times, list = ROWS[number], {}, {}
collectgarbage()
local memory = resident()
for i = 1, row.kept or 10 do
  local given = row.before and row.before()
  local begin = os.clock()
  list[row.kept and i or 1] = row.work(given)
  times[i] = 1e3 * (os.clock() - begin)
end
memory = resident() - memory
assert(#list > 0) -- they are still there
table.sort(times)
print(("%-28s %9.3f%s"):format(row[1], times[(#times + 1) // 2],
  row.kept and (" %9.0f"):format(memory) or ""))
