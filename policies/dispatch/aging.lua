return function(options)
  local before_all = 1e15 -- s; a submission is still exact under it
  return {
    name = "Shortest first with aging",
    about = "EASY, shortest job first; who has waited too long goes to the front, by submission.",
    source = "Orrery",
    options = {
      patience = { default = 86400, least = 0, unit = "s", about = "how long is too long" },
    },
    per = "change", -- asked again at the time that it returns behind the priority
    priority = function(job, view)
      local old_at = job.submit + options.patience
      if view.now >= old_at then return before_all - job.submit end
      return -job.time, old_at
    end,
    dispatch = { discipline = "list", reservations = 1 },
  }
end
