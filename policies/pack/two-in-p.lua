return {
  name = "2-IN-p",
  about = "The cheapest of all co-schedules with one or two tasks in a pack.",
  source = "J. Scheduling 2016, theorem 1",
  pack = function(problem) return problem:two_in_p() end,
}
