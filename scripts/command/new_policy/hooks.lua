-- NAME: a policy with groups of processors and hooks, in the manner of redirection: who makes many
-- wait is killed, and starts anew on processors kept for such jobs.
--
--   orrery compare --load 1.2 --metric bsld_mean --policy easy --policy ./NAME.lua
--   orrery check NAME.lua
--
-- It touches nothing but its arguments. What sim and jobs have: policies/README.md of Orrery.
return function(options)
  return {
    name = "NAME",
    about = "A job that makes many wait is killed and starts anew elsewhere.",
    source = "", -- a paper, if it is from one
    options = {  -- --set patience=20 on the command line
      share = { default = 0.15, least = 0.01, about = "processors for such jobs, of the machine" },
      patience = { default = 10, least = 0, unit = "jobs", about = "that a job may make wait" },
    },
    -- Jobs come into the first group. The second has its processors on top of the machine.
    groups = function(procs)
      return {
        { name = "main" },
        { name = "spare", procs = math.ceil(options.share * procs), extra = true },
      }
    end,
    dispatch = "dispatch/easy", -- in both
    -- All that changes while the simulation runs stands in sim.state: numbers, texts, booleans and
    -- tables of these. Never in a local variable outside: forks and threads would share that.
    init = function(sim)
      sim.state.made_wait = {} -- position of a running job -> how many
    end,
    on_submit = function(sim, job)
      if sim.waiting_count == 1 and job.procs <= sim.free then return end -- it need not wait
      local made_wait, spare = sim.state.made_wait, sim:look("spare").procs
      for _, running in ipairs(sim:running()) do
        local count = (made_wait[running.position] or 0) + 1
        made_wait[running.position] = count
        if count > options.patience and running.procs <= spare then
          sim:move(running, "spare")
          sim.state.made_wait = {}
          return
        end
      end
    end,
    on_end = function(sim, job)
      sim.state.made_wait[job.position] = nil
    end,
  }
end
