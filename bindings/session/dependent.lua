-- dependent: when jobs that come after others are submitted: orrery.dependent(spec).
--
-- A job is submitted when all jobs that it comes after have ended, and its think time behind each
-- is over; without a think time no earlier than the log says (READINGS 41). When they end follows
-- from the schedule, and that from the submissions. So the session runs, the submissions are set by
-- what has ended when, and it runs again, until nothing changes. Nothing that happens by a time
-- depends on submissions after it. So the first submission that is wrong comes later in each round,
-- and what it comes to is what a simulation would do that submits jobs as it goes.

local core = require "orrery.core"
local open = require "orrery.session.jobs"

-- The jobs that each job comes after: position -> list of { position of the other, think time }.
-- Jobs that are not there, and a job itself, count for nothing.
local function links_of(jobs)
  local links, count = {}, 0
  for i, job in jobs:each() do
    for id, think in (job.after or ""):gmatch "([^%s+]+)%+?(%S*)" do
      local other = jobs:position(id)
      if other and other ~= i then
        if not links[i] then links[i], count = {}, count + 1 end
        table.insert(links[i], { other, tonumber(think) })
      end
    end
  end
  return links, count
end

-- Raises an error if a job comes after itself, by way of others.
local function check_circles(links, jobs)
  local state = {}
  for first = 1, #jobs do
    local path = { first }
    while path[1] do
      local job, deeper = path[#path], nil
      for _, link in ipairs(state[job] == "done" and {} or links[job] or {}) do
        if state[link[1]] == "open" and link[1] ~= job then
          error(("dependent: jobs come after each other in a circle: job '%s' after itself"):format(
            jobs[link[1]].id), 0)
        end
        deeper = deeper or state[link[1]] ~= "done" and link[1]
      end
      state[job] = deeper and "open" or "done"
      path[deeper and #path + 1 or #path] = deeper or nil
    end
  end
end

-- When a job is submitted, by the ends of those before it.
local function submission(list, own, finish)
  local at = 0
  for _, link in ipairs(list) do
    local ended, think = finish[link[1]], link[2]
    at = math.max(at, think and ended + think or math.max(ended, own))
  end
  return at
end

return function(spec)
  local jobs = spec.jobs
  if spec.batch or spec.load then
    error("dependent: jobs that come after others are not submitted by `batch` or `load`", 0)
  end
  local links, count = links_of(jobs)
  check_circles(links, jobs)
  local own, current, changed = {}, {}, count > 0
  for i, job in jobs:each() do own[i], current[i] = job.submit, job.submit end
  while changed do
    local session = open(setmetatable({ jobs = jobs }, { __index = spec }))
    session:finish()
    local finish = session:times().finish
    changed = false
    for i, list in pairs(links) do
      local at = submission(list, own[i], finish)
      changed = changed or at ~= current[i]
      current[i] = at
    end
    if changed then jobs = core.with_submissions(jobs, current) end
  end
  return jobs, count
end
