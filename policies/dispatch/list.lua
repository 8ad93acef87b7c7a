return function(options)
  return {
    name = "R-LIST(m)",
    about = "List scheduling: the m highest waiting jobs hold reservations, the others fill in.",
    source = "RR-9296, Algorithm 1",
    options = {
      reservations = {
        default = 0, least = 0, whole = true, unit = "jobs", values = { "all" }, about = "m",
      },
      reading = {
        default = "blocked", values = { "blocked", "head" },
        about = "m counts the jobs that cannot start now, or the head of the queue as it is",
      },
      backfill = {
        default = "queue",
        about = "how jobs fill in: in the order of the queue, or that of a priority",
      },
    },
    dispatch = {
      discipline = "list", reservations = options.reservations, reading = options.reading,
    },
    backfill = options.backfill ~= "queue" and options.backfill or nil,
  }
end
