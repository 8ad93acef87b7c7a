-- kept: R-LIST(m) as in the program behind RR-9296's figures, which differs from its Algorithm 1.
--
-- In the report every completion makes the reservations anew. The program is meant to cancel them
-- when a job fails, but the loop that searches them ends at its first step, since it tests whether
-- the job that has just ended is running. So a reservation, once made, is kept until the job
-- starts, and every decision makes `each` more of them (counting jobs that start at once: reading
-- `head`). A job that fails comes back behind all reservations, whatever its priority.
--
-- Runtimes are known and every attempt ends as planned. So a reservation that is made anew in the
-- order in which they were first made falls on the same time as before: nothing that started in
-- between was allowed to delay it.
return function(options)
  local each = options.each == "all" and math.huge or options.each or 1

  local function start_or_reserve(sim, job, kept)
    if sim:can_start(job) then
      sim:start(job)
    else
      sim:reserve(job)
      kept[#kept + 1] = job.position
    end
  end

  local function take_up(sim, jobs, held)
    local kept = {}
    for _, position in ipairs(sim.state.reserved) do
      start_or_reserve(sim, jobs[position], kept)
      held[position] = true
    end
    return kept
  end

  return {
    name = "R-LIST(m), reservations kept",
    about = "Reservations that no failure cancels, as in the program behind RR-9296's figures.",
    source = "the program that RR-9296, section 5.1, names",
    options = {
      each = { default = 1, unit = "jobs", values = { "all" },
        about = "reservations that a decision makes, starts included" },
    },
    init = function(sim) sim.state.reserved = {} end,
    dispatch = function(sim)
      local jobs, held = {}, {}
      for job in sim:waiting() do jobs[job.position] = job end
      local kept, left = take_up(sim, jobs, held), each
      for job in sim:waiting() do
        if not held[job.position] then
          if left > 0 then
            start_or_reserve(sim, job, kept)
            left = left - 1
          elseif sim:can_start(job) then
            sim:start(job)
          end
        end
      end
      sim.state.reserved = kept
    end,
  }
end
