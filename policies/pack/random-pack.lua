-- One to k of the remaining tasks, as many as fit with their least numbers of processors.
local function random_pack(problem, left)
  local pack, free = {}, problem.procs
  local wanted = math.min(math.random(1, problem.k), #left)
  for _ = 1, wanted do
    local at = math.random(1, #left)
    local task = left[at]
    if problem:least(task) > free then break end
    left[at] = left[#left]
    left[#left] = nil
    pack[#pack + 1], free = task, free - problem:least(task)
  end
  return pack
end

local function random_packs(problem)
  local left, packs = {}, {}
  for task = 1, #problem do left[task] = task end
  while #left > 0 do packs[#packs + 1] = random_pack(problem, left) end
  return problem:coschedule(packs)
end

return function(options)
  return {
    name = "RANDOM-PACK",
    about = "Random tasks in packs of random sizes.",
    source = "J. Scheduling 2016, section 5",
    options = { runs = { default = 1, least = 1, whole = true, about = "the best of so many" } },
    pack = function(problem)
      local best
      for _ = 1, options.runs do
        local found = random_packs(problem)
        if not best or found.cost < best.cost then best = found end
      end
      return best
    end,
  }
end
