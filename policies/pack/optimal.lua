return {
  name = "optimum",
  about = "The cheapest of all co-schedules; for up to about 20 tasks.",
  source = "J. Scheduling 2016, section 4.3",
  pack = function(problem) return problem:optimal() end,
}
