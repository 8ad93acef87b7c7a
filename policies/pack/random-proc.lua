local function random_procs(problem)
  local procs = {}
  for task = 1, #problem do procs[task] = math.random(problem:least(task), problem.procs) end
  return problem:make_pack(procs):balance()
end

return function(options)
  return {
    name = "RANDOM-PROC",
    about = "Random numbers of processors, first fit, and the best processors inside the packs.",
    source = "J. Scheduling 2016, section 5",
    options = { runs = { default = 1, least = 1, whole = true, about = "the best of so many" } },
    pack = function(problem)
      local best
      for _ = 1, options.runs do
        local found = random_procs(problem)
        if not best or found.cost < best.cost then best = found end
      end
      return best
    end,
  }
end
