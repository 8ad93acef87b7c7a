return {
  name = "one by one",
  about = "Every task alone on all processors: what the others are measured by.",
  source = "J. Scheduling 2016, section 6.2",
  pack = function(problem) return problem:one_by_one() end,
}
