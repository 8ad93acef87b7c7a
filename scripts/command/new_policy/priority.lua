-- NAME: a priority. Of the waiting jobs, the one with the larger number stands first.
--
--   orrery compare --day 2019-06-14 --batch --q 0.05 --runs 200 \
--       --policy easy --priority lpt --priority ./NAME.lua
--   orrery check NAME.lua
--
-- It touches nothing but its arguments. What job and view have: policies/README.md of Orrery.
return function(options)
  return {
    name = "NAME",
    about = "Long jobs first, and wide ones.", -- what it does: `orrery policies ./NAME.lua` says it
    source = "",                               -- a paper, if it is from one
    options = {                                -- --set width=1 on the command line
      width = { default = 0.5, least = 0, about = "how much processors count, beside the time" },
    },
    -- When it is asked: "workload" (once per job), "scenario", "attempt" (whenever a job enters the
    -- queue), "change" (also at the time returned behind the number) or "decision" (all waiting
    -- jobs, every time): the last for what changes all the time.
    per = "workload",
    priority = function(job)
      return job.time * job.procs ^ options.width
    end,
  }
end
