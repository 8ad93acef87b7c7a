-- ShortestTasksFirst as printed: with line 11 of Algorithm 4, nothing is taken from other tasks
-- unless processors were free and all of them helped.
return {
  name = "ShortestTasksFirst, literal",
  about = "When a fault makes its task the last to finish and processors are free, gives it those, "
    .. "then takes two by two from the task that is expected to finish first.",
  source = "RR-8795, Algorithm 4 as printed; shortest-tasks-first with literal=true",
  on_fault = function(sim, struck)
    local free = sim.free
    if free < 2 then return end
    repeat
      local more = sim:improvement(struck, free)
      if not more then return end
      sim:give(struck, more)
      free = free - more
    until free < 2
    local shortest = sim:shortest(4)
    while shortest and sim:transfer(shortest, struck) do
      sim:give(struck, 2)
      sim:give(shortest, -2)
      if shortest.finish > struck.finish then break end
      shortest = sim:shortest(4)
    end
  end,
}
