-- Jobs become old in order of their submissions. `first`: the first job that may still be young.
local function next_young(state)
  while state.first <= #state.position do
    if state.due[state.first] then return state.first end
    state.first = state.first + 1
  end
end

local function grow_old(sim)
  local state = sim.state
  local at = next_young(state)
  while at and state.due[at] <= sim.now do
    state.due[at] = false
    local job = sim:job(state.position[at])
    if job.state == "waiting" then sim:move(job, "main") end -- which computes its priority anew
    at = next_young(state)
  end
  state.awake = at and state.due[at]
  if at then sim:wake_at(state.due[at]) end
end

return function(options)
  local before_all = 1e15 -- s; a submission is still exact under it
  return {
    name = "Shortest first with aging",
    about = "EASY, shortest job first; who has waited too long goes to the front, by submission.",
    source = "Orrery",
    options = {
      patience = { default = 86400, least = 0, unit = "s", about = "how long is too long" },
    },
    per = "attempt",
    priority = function(job, view)
      if view.now >= job.submit + options.patience then return before_all - job.submit end
      return -job.time
    end,
    dispatch = { discipline = "list", reservations = 1 },
    init = function(sim)
      sim.state = { first = 1, position = {}, due = {}, awake = false }
    end,
    on_submit = function(sim, job)
      local state = sim.state
      local n, due = #state.position + 1, sim.now + options.patience
      state.position[n], state.due[n] = job.position, due
      if not state.awake and due > sim.now then
        state.awake = due
        sim:wake_at(due)
      end
    end,
    on_timer = grow_old,
  }
end
