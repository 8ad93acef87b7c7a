-- The counters of running jobs are in parallel lists (position, procs, counter; and time if the
-- filter needs it), in any order. The lists have only the jobs that fit in the redirection group:
-- no other job can be chosen. Hooks read each field of a job once.

-- The last entry of the lists takes the place of entry `at`.
local function remove(state, at)
  local n, position, procs, counter = state.count, state.position, state.procs, state.counter
  position[at], procs[at], counter[at] = position[n], procs[n], counter[n]
  local time = state.time
  if time then time[at] = time[n] end
  state.count = n - 1
end

-- Line 3 to 5 of Algorithm 2; returns the places of the jobs whose counters are above theta.
local FILTERS = {
  procs = function(state, _, width, theta)
    local counter, procs, over = state.counter, state.procs, nil
    for i = 1, state.count do
      if procs[i] >= width then
        local c = counter[i] + 1
        counter[i] = c
        if c > theta then
          over = over or {}
          over[#over + 1] = i
        end
      end
    end
    return over
  end,
  walltime = function(state, job, _, theta)
    local time, counter, times, over = job.time, state.counter, state.time, nil
    for i = 1, state.count do
      if time >= times[i] then
        local c = counter[i] + 1
        counter[i] = c
        if c > theta then
          over = over or {}
          over[#over + 1] = i
        end
      end
    end
    return over
  end,
}

-- Line 9: the job with the largest value is redirected; ties by position in the workload.
local MEASURES = {
  walltime = function(sim, state, i) return sim:job(state.position[i]).time end,
  counter = function(_, state, i) return state.counter[i] end,
  area = function(sim, state, i) return sim:job(state.position[i]).time * state.procs[i] end,
}

local function most(measure, sim, state, list)
  local best
  for _, i in ipairs(list) do
    local ahead = best and measure(sim, state, i) - measure(sim, state, best)
    if not best or ahead > 0 or ahead == 0 and state.position[i] < state.position[best] then
      best = i
    end
  end
  return best
end

local function any(state, list)
  local position = state.position
  table.sort(list, function(i, k) return position[i] < position[k] end)
  return list[math.random(#list)]
end

local function redirect(sim, state, conflict, list)
  local measure = MEASURES[conflict]
  local at = measure and most(measure, sim, state, list) or any(state, list)
  local position = state.position[at]
  remove(state, at)
  sim:move(sim:job(position), "redirection")
  for i = 1, state.count do state.counter[i] = 0 end
end

return function(options)
  local count_up, theta = FILTERS[options.filter], options.theta
  return {
    name = "Redirection by threshold",
    about = "A job that makes many wait is killed and starts anew on processors kept for these.",
    source = "Faure, Lucarelli, Richard and Trystram 2020 (IPDPSW), Algorithms 1 and 2",
    options = {
      alpha = {
        default = 0.15, least = 0, about = "redirection processors, as a share of the machine",
      },
      redirection_procs = {
        default = 0, least = 0, whole = true, unit = "processors",
        about = "redirection processors; 0: alpha of the machine",
      },
      theta = {
        default = 10, least = 0, unit = "jobs",
        about = "a job that makes more than this many jobs wait is redirected",
      },
      filter = {
        default = "procs", values = { "procs", "walltime" },
        about = "jobs that a waiting job counts against: at least as wide, or at most as long",
      },
      conflict = {
        default = "walltime", values = { "walltime", "counter", "area", "random" },
        about = "the candidate with the largest value of this, or any, is redirected",
      },
      extra = {
        default = true, about = "the redirection processors come on top of the machine",
      },
    },
    groups = function(procs)
      local more = options.redirection_procs
      if more == 0 then more = math.floor(options.alpha * procs + 0.5) end
      return {
        { name = "principal" }, { name = "redirection", procs = more, extra = options.extra },
      }
    end,
    dispatch = { discipline = "list", reservations = 1 },
    init = function(sim)
      sim.state = {
        count = 0, position = {}, procs = {}, counter = {},
        time = options.filter == "walltime" and {} or nil,
        most = sim:look("redirection").procs,
      }
    end,
    on_submit = function(sim, job)
      local procs, state = job.procs, sim.state
      if sim.waiting_count == 1 and procs <= sim.free then return end
      local over = count_up(state, job, procs, theta)
      if over then redirect(sim, state, options.conflict, over) end
    end,
    on_start = function(sim, job)
      local state, procs = sim.state, job.procs
      if procs > state.most or sim.group ~= "principal" then return end
      local n, time = state.count + 1, state.time
      state.count = n
      state.position[n], state.procs[n], state.counter[n] = job.position, procs, 0
      if time then time[n] = job.time end
    end,
    on_end = function(sim, job)
      local state, position = sim.state, job.position
      local positions = state.position
      for at = state.count, 1, -1 do -- jobs that started late end first, mostly
        if positions[at] == position then
          remove(state, at)
          break
        end
      end
    end,
  }
end
