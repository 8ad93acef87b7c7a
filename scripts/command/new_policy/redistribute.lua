-- NAME: a redistribution policy, which moves processors between malleable tasks.
--
--   orrery redistribute --n 50 --procs 500 --mtbf-years 20 --runs 50 \
--       --policy none --policy end-local+iterated-greedy --policy ./NAME.lua
--   orrery check NAME.lua
--
-- It touches nothing but its arguments. What sim and tasks have: policies/README.md of Orrery.

-- Two processors at a time to the task that ends last, as long as it gains by that.
local function give_to_the_last(sim)
  while sim.free >= 2 do
    local last = sim:longest()
    if not last or not sim:improvement(last) then break end
    sim:give(last, 2)
  end
end

return function(options)
  return {
    name = "NAME",
    about = "Free processors go to the task that ends last, after a fault some of the first's.",
    source = "", -- a paper, if it is from one
    options = {  -- NAME.lua:days=5 on the command line
      days = { default = 5, least = 0, unit = "d", about = "between two moves after faults" },
    },
    -- All that changes from call to call stands in sim.state: numbers, texts, booleans and tables
    -- of these. Never in a local variable outside: forks and threads would share that.
    init = function(sim)
      sim.state.next = 0
    end,
    -- After a task has ended. What is proposed is done when the hook returns.
    on_end = give_to_the_last,
    -- After a fault has struck the task that is now expected to end last.
    on_fault = function(sim, task)
      give_to_the_last(sim)
      if sim.now < sim.state.next then return end
      local first = sim:shortest()
      local procs = first and sim:transfer(first, task)
      if not procs then return end
      sim:give(first, -procs)
      sim:give(task, procs)
      sim.state.next = sim.now + options.days * 86400
    end,
  }
end
