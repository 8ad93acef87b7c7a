return function(options)
  -- The usage of a user, in processor-seconds that lose half of their weight in every half-life.
  local function usage(state, user, now)
    local account = state[user]
    if not account then return 0 end
    return account.used * 0.5 ^ ((now - account.at) / options.half_life)
  end

  local function charge(sim, job, amount)
    local user = job.user or ""
    sim.state[user] = { used = usage(sim.state, user, sim.now) + amount, at = sim.now }
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
    -- An attempt is charged in full when it starts, so that no user gets far ahead meanwhile; the
    -- unused part is given back.
    on_start = function(sim, job)
      charge(sim, job, job.area)
      sim.state[job.position] = true
    end,
    on_end = function(sim, job)
      if not sim.state[job.position] then return end -- cancelled while it waited
      sim.state[job.position] = nil
      charge(sim, job, job.procs * (sim.now - job.start) - job.area)
    end,
  }
end
