return {
  name = "HPA",
  about = "Highest processor allocation first.",
  source = "RR-9296, section 5.1",
  priority = function(job) return job.procs end,
}
