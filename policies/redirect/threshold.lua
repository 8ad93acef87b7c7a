-- The counters of running jobs are in parallel lists (position, key, counter), in any order. A key
-- is a number of processors or, by the other filter, -time: a waiting job counts against the jobs
-- whose keys are at least its own. The lists have only the jobs that fit in the redirection group:
-- no other job can be chosen. Hooks read each field of a job once.

-- The last entry of the lists takes the place of the job's.
local function remove(sim, job)
  local state, position = sim.state, job.position
  local n, positions, key, counter = state.count, state.position, state.key, state.counter
  for i = n, 1, -1 do -- jobs that started late end first, mostly
    if positions[i] == position then
      positions[i], key[i], counter[i] = positions[n], key[n], counter[n]
      state.count = n - 1
      break
    end
  end
end

-- Line 9: the job with the largest value is redirected; ties by position in the workload.
local MEASURES = {
  walltime = function(sim, state, i) return sim:job(state.position[i]).time end,
  counter = function(_, state, i) return state.counter[i] end,
  area = function(sim, state, i) return sim:job(state.position[i]).area end,
}

local function most(measure, sim, state, list)
  local best
  for _, i in ipairs(list) do
    local ahead = best and measure(sim, state, i) - measure(sim, state, best)
    if not best or ahead > 0 or ahead == 0 and state.position[i] < state.position[best] then
      best = i
    end
  end
  return state.position[best]
end

local function any(state, list)
  local positions = {}
  for k, i in ipairs(list) do positions[k] = state.position[i] end
  table.sort(positions)
  return positions[math.random(#positions)]
end

local function redirect(sim, state, conflict, list)
  local measure = MEASURES[conflict]
  local job = sim:job(measure and most(measure, sim, state, list) or any(state, list))
  remove(sim, job)
  sim:move(job, "redirection")
  for i = 1, state.count do state.counter[i] = 0 end
end

return function(options)
  local by_width = options.filter == "procs"
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
        count = 0, position = {}, key = {}, counter = {}, most = sim:look("redirection").procs,
      }
    end,
    on_submit = function(sim, job)
      local procs, state = job.procs, sim.state
      if sim.waiting_count == 1 and procs <= sim.free then return end
      local mine, theta, over = by_width and procs or -job.time, options.theta, nil
      local key, counter = state.key, state.counter
      for i = 1, state.count do -- line 3 to 5 of Algorithm 2
        if key[i] >= mine then
          local c = counter[i] + 1
          counter[i] = c
          if c > theta then
            over = over or {}
            over[#over + 1] = i
          end
        end
      end
      if over then redirect(sim, state, options.conflict, over) end
    end,
    on_start = function(sim, job)
      local state, procs = sim.state, job.procs
      if procs > state.most or sim.group ~= "principal" then return end
      local n = state.count + 1
      state.count = n
      state.position[n], state.counter[n] = job.position, 0
      state.key[n] = by_width and procs or -job.time
    end,
    on_end = remove,
  }
end
