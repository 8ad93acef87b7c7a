-- NAME: a dispatch policy, which decides what starts when.
--
--   orrery compare --day 2019-06-14 --batch --priority lpt --q 0.05 --runs 100 \
--       --policy easy --policy ./NAME.lua
--   orrery check NAME.lua
--
-- It touches nothing but its arguments. What sim and jobs have: policies/README.md of Orrery.
return function(options)
  return {
    name = "NAME",
    about = "EASY, with a part of the machine that is not filled from behind.",
    source = "", -- a paper, if it is from one
    options = {  -- --set kept=0.2 on the command line
      kept = { default = 0.1, least = 0, most = 1, about = "share that backfilling leaves free" },
    },
    -- Called at every decision: after whatever happened at one instant.
    dispatch = function(sim)
      -- From the front of the queue, until a job has to wait; this one gets a reservation.
      for job in sim:waiting() do
        if not sim:can_start(job) then
          sim:reserve(job)
          break
        end
        sim:start(job)
      end
      -- Behind it whatever fits and does not delay the reservation.
      local kept = options.kept * sim.procs
      for job in sim:fitting() do
        if sim.free - job.procs >= kept and sim:can_start(job) then sim:start(job) end
      end
    end,
  }
end
