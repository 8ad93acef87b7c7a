return {
  name = "SPT",
  about = "Shortest processing time first.",
  source = "RR-9296, section 5.1",
  priority = function(job) return -job.time end,
}
