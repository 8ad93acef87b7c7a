-- maintenance: half of the machine is drained at noon; what does that cost whom?
--
--   orrery examples maintenance [--quick]
--
-- At noon half of the processors are to be freed for maintenance: jobs that run there go on to
-- their end, no new one starts, and at six in the evening they are back, which is known beforehand.
-- A fork of the session is drained, the session itself goes on undisturbed. Who waits how much
-- longer?
local orrery = require "orrery"
local quick = arg[1] == "--quick"

local log = orrery.read "sample-2019-06"

-- A day's difference: both sessions, finished.
local function maintain(day)
  local calm = orrery.session { jobs = log, policy = "dispatch/easy" }
  calm:run_until(day .. " 12:00")
  local drained = calm:fork {
    procs = { procs = log.machine_procs // 2, ["until"] = day .. " 18:00" },
  }
  calm:finish()
  drained:finish()
  return calm, drained
end

-- One day in detail.
local DAY = "2019-06-14"
local calm, drained = maintain(DAY)
local difference = orrery.diff(calm, drained)
print(("%s: %d of %d jobs start at another time; those that it hits most:\n"):format(DAY,
  #difference.jobs, #log))
for i = 1, 5 do
  local job = difference.jobs[i]
  print(("  job %s, %5d processors: %s instead of %s"):format(job.id, job.procs,
    drained:clock(job.b.start), calm:clock(job.a.start)))
end
print()
drained:show { from = DAY .. " 06:00", to = DAY .. " 23:59", width = 96, height = 14 }

-- Every day by itself: the hours that jobs wait longer, all of them together.
local hours = {}
for _, one in ipairs(log:days()) do
  if quick and #hours == 3 then break end
  local total = 0
  for _, job in ipairs(orrery.diff(maintain(one.day)).jobs) do total = total + job.start end
  hours[#hours + 1] = total / 3600
end
local s = orrery.summary(hours)
print(("\nSuch an afternoon costs %.1f ± %.1f h of waiting, over %d days: "):format(s.mean,
  s.half_width, s.count) .. ("from %.1f h to %.1f h."):format(s.min, s.max))
