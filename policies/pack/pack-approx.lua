return function(options)
  return {
    name = "PACK-APPROX",
    about = "Processors to the longest task, one by one; the best of all first fits on the way.",
    source = "J. Scheduling 2016, Algorithm 3",
    options = { balance = { default = "end", values = { "end", "none", "each" },
      about = "processors are dealt out anew inside packs: at the end, never, in each step" } },
    pack = function(problem)
      local each = options.balance == "each"
      local allocation, best, mark = problem:allocation(), math.huge, nil
      while true do
        local cost
        if each then
          cost = allocation:make_pack():balance().cost
        else
          cost = allocation:pack_cost(best) -- nil when it is not below
        end
        if cost and cost < best then best, mark = cost, allocation:mark() end
        if allocation:is_saturated() then break end
        allocation:raise()
      end
      allocation:rewind(mark)
      local packs = allocation:make_pack()
      return options.balance == "none" and packs or packs:balance()
    end,
  }
end
