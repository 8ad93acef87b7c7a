-- NAME: a pack policy. Tasks that start together are a pack; packs run one after the other.
--
--   orrery pack --tasks tasks.csv --procs 16 --k 4 --policy pack-by-pack --policy ./NAME.lua
--   orrery check NAME.lua
--
-- It touches nothing but its argument. What a problem has: policies/README.md of Orrery.
return function(options)
  return {
    name = "NAME",
    about = "Tasks of about the same length share a pack.",
    source = "", -- a paper, if it is from one
    options = {  -- NAME.lua:alike=0.3 on the command line
      alike = { default = 0.5, least = 0, most = 1,
        about = "the shortest of a pack takes at least this share of the longest's time" },
    },
    -- Returns lists of positions. Each pack then gets the best processors for its tasks; to give
    -- them yourself, return a second list: the processors of every task, by position.
    pack = function(problem)
      local order, times = {}, {}
      for task = 1, #problem do
        order[task], times[task] = task, problem:time(task, problem:least(task))
      end
      table.sort(order, function(a, b)
        if times[a] ~= times[b] then return times[a] > times[b] end
        return a < b -- ties: by position, never by chance
      end)
      local packs, pack, procs = {}, nil, 0
      for _, task in ipairs(order) do
        local least = problem:least(task)
        local fits = pack and #pack < problem.k and procs + least <= problem.procs
        if not fits or times[task] < options.alike * times[pack[1]] then
          pack, procs = {}, 0
          packs[#packs + 1] = pack
        end
        pack[#pack + 1], procs = task, procs + least
      end
      return packs
    end,
  }
end
