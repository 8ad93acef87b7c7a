return function(options)
  return {
    name = "Short and long partitions",
    about = "Short and long jobs have partitions of their own; none may be wider than both. On a "
      .. "machine of nodes these are the machine's.",
    source = "Orrery; as many sites do",
    options = {
      limit = {
        default = 3600, least = 0, unit = "s", about = "jobs up to this walltime are short",
      },
      share = { default = 0.25, least = 0, most = 1, about = "of the machine, for short jobs" },
    },
    groups = function(procs, nodes)
      return nodes and { { name = "short" } } or {
        { name = "long" }, { name = "short", procs = math.floor(options.share * procs + 0.5) },
      }
    end,
    dispatch = { discipline = "list", reservations = 1 },
    -- A job too wide for its partition goes to the other one.
    on_submit = function(sim, job)
      local short = sim:look("short").procs
      local fits_long, fits_short = job.procs <= sim.procs, job.procs <= short
      if fits_short and (job.time <= options.limit or not fits_long) then
        sim:move(job, "short")
      end
    end,
  }
end
