-- streams: months of jobs, for searches and tests of policies for streams.
local orrery = require "orrery"
local users = require "orrery.reproduce.policies.users"

local streams = { days = 200, warmup = 20 * 86400 }

local WEEK = 7 * 86400

-- A stream of some days at a load, of weeks first to last of a log that are drawn with replacement.
-- given: path, of the log; first, last; days; load (of the machine, nil: the log's); procs, of its
-- machine; times, as how many processors each of them counts; seed
function streams.resampled(given)
  local log, rng = orrery.read(given.path), orrery.random(given.seed)
  local weeks, work, list = {}, 0, {}
  for i = given.first, given.last do weeks[i] = {} end
  for _, job in log:each() do
    local week = weeks[(job.submit - log[1].submit) // WEEK + 1]
    if week then
      local time = math.min(job.runtime, job.walltime or job.runtime)
      week[#week + 1], work = job, work + time * job.procs
    end
  end
  local natural = work / given.procs / WEEK / (given.last - given.first + 1)
  local faster = given.load and given.load / natural or 1
  for i = 0, math.ceil((given.days or streams.days) * faster * 86400 / WEEK) - 1 do
    for _, job in ipairs(weeks[rng:integer(given.first, given.last)]) do
      list[#list + 1] = { submit = ((job.submit - log[1].submit) % WEEK + i * WEEK) / faster,
        runtime = job.runtime, walltime = job.walltime, user = job.user,
        procs = math.ceil(job.procs * (given.times or 1)) }
    end
  end
  return orrery.jobs(list)
end

-- A stream of Lublin and Feitelson's model. given: as for orrery.lublin; with_users: whether users
-- submit jobs like their last one
function streams.lublin(given, with_users)
  given.days = given.days or streams.days
  local jobs = orrery.lublin(given)
  return with_users and users.add(jobs, given.seed) or jobs
end

return streams
