-- users: gives users to the jobs of a generator; a user submits jobs like the last one.
local orrery = require "orrery"

local users = {}

-- Each of 25 users submits jobs of one kind for a while, some of which fail at once, and several of
-- them at one time. The kinds are jobs of the list; submissions are its own, or earlier.
function users.add(jobs, seed)
  local rng, list, kinds = orrery.random(seed), {}, {}
  for i, job in jobs:each() do
    local user = math.floor(25 * rng:uniform() ^ 2) + 1
    local kind = kinds[user]
    if not kind or rng:uniform() < 0.2 then
      kind = { job = job, at = job.submit }
      kinds[user] = kind
    end
    if rng:uniform() < 0.5 then kind.at = job.submit end
    local runtime = kind.job.runtime * math.exp(0.8 * (rng:uniform() - 0.5))
    if rng:uniform() < 0.1 then runtime = math.min(runtime, 60 * rng:uniform()) end
    list[i] = { id = i, submit = kind.at, procs = kind.job.procs, walltime = kind.job.walltime,
      runtime = math.max(1, math.min(runtime, kind.job.walltime)), user = "user " .. user }
  end
  table.sort(list, function(a, b)
    if a.submit ~= b.submit then return a.submit < b.submit end
    return a.id < b.id
  end)
  return orrery.jobs(list)
end

return users
