-- Microsoft's Philly traces, cluster_job_log: a list of jobs with attempts on servers with GPUs. A
-- processor is a GPU. A job runs from the start of its first attempt to the end of its last one.
return {
  about = "cluster_job_log of the Philly traces", depth = 1,
  signs = { "jobid", "vc", "attempts", "submitted_time" },
  columns = { id = "jobid", user = "user", queue = "vc", submit = "submitted_time",
    start = "attempts.0.start_time", ["end"] = "attempts.-1.end_time",
    procs = "attempts.0.detail.*.gpus.#", status = "status" },
  needs = { nodes = "attempts.0.detail.#", gpu = "attempts.0.detail.*.gpus.#" },
  states = { Pass = "completed", Killed = "cancelled", Failed = "failed" },
}
