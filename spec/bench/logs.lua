-- Generated logs that several benchmarks simulate, on 10,000 processors.
local orrery = require "orrery"

local logs = {}

-- more: further options of orrery.lublin
function logs.of(count, more)
  local spec = { procs = 10000, count = count, load = 0.9, seed = 1 }
  for key, value in pairs(more or {}) do spec[key] = value end
  return orrery.lublin(spec)
end

-- The log of priorities.cpp: with 97 users.
function logs.with_users(count, load)
  local made, list = logs.of(count, { load = load }), {}
  for i = 1, #made do
    local job = made[i]
    list[i] = { submit = job.submit, time = job.time, procs = job.procs,
      user = "u" .. (i - 1) * 7919 % 97 }
  end
  return orrery.jobs(list)
end

return logs
