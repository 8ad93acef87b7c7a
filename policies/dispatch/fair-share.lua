return function(options)
  -- The usage of a user, in processor-seconds that lose half of their weight in every half-life.
  local function usage(state, user, now)
    local used = state.used[user]
    if not used then return 0 end
    return used * 0.5 ^ ((now - state.at[user]) / options.half_life)
  end

  local function charge(state, job, amount, now)
    local user = job.user or ""
    state.used[user], state.at[user] = usage(state, user, now) + amount, now
  end

  return {
    name = "Fair share",
    about = "EASY in order of what the users have had lately, the least first; EASY without users.",
    source = "Kay and Lauder 1988; as in the field's schedulers",
    options = {
      half_life = {
        default = 7 * 86400, least = 1, unit = "s", about = "after which usage counts half",
      },
    },
    per = "decision",
    priority = function(job, view)
      return -usage(view.state, job.user or "", view.now)
    end,
    dispatch = { discipline = "list", reservations = 1 },
    init = function(sim)
      sim.state = { used = {}, at = {}, charged = {} } -- by user, by user, by the job's position
    end,
    -- An attempt is charged in full when it starts, so that no user gets far ahead meanwhile; the
    -- unused part is given back.
    on_start = function(sim, job)
      local state, amount = sim.state, job.area
      state.charged[job.position] = amount
      charge(state, job, amount, sim.now)
    end,
    on_end = function(sim, job)
      local state, now, position = sim.state, sim.now, job.position
      local charged = state.charged[position]
      if not charged then return end -- cancelled while it waited
      state.charged[position] = nil
      charge(state, job, job.procs * (now - job.start) - charged, now)
    end,
  }
end
