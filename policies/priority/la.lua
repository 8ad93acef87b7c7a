return {
  name = "LA",
  about = "Largest area (processors x time) first.",
  source = "RR-9296, section 5.1",
  priority = function(job) return job.area end,
}
