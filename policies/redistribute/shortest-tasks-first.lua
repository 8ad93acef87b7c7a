-- ShortestTasksFirst: the struck task gets free processors, then some of the shortest tasks.
return function(options)
  return {
    name = "ShortestTasksFirst",
    about = "When a fault makes its task the last to finish, gives it free processors, then takes "
      .. "two by two from the task that is expected to finish first, as long as both gain.",
    source = "RR-8795, Algorithm 4",
    options = {
      literal = {
        default = false,
        about = "line 11 as printed: where no processor is free, none is taken from others",
      },
    },
    on_fault = function(sim, struck)
      local free = sim.free
      local improvable = not options.literal
      while free >= 2 do
        local more = sim:improvement(struck, free)
        improvable = more ~= nil
        if not improvable then break end
        sim:give(struck, more)
        free = free - more
      end
      while improvable do
        local shortest = sim:shortest(4)
        if not shortest or not sim:transfer(shortest, struck) then break end
        sim:give(struck, 2)
        sim:give(shortest, -2)
        improvable = shortest.finish <= struck.finish
      end
    end,
  }
end
