-- EndLocal: the free processors go to the tasks that are expected to finish last.
return {
  name = "EndLocal",
  about = "When a task ends, gives free processors, two by two, to the task that is expected to "
    .. "finish last; one that no number of them would speed up is left out.",
  source = "RR-8795, Algorithm 3",
  on_end = function(sim)
    local free = sim.free
    while free >= 2 do
      local task = sim:longest()
      if not task then break end
      if sim:improvement(task, free) then
        sim:give(task, 2)
        free = free - 2
      else
        sim:drop(task)
      end
    end
  end,
}
