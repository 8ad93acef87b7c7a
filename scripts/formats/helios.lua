-- SenseTime's Helios traces, cluster_log.csv. Times are those of the clusters' clocks.
return {
  about = "cluster_log.csv of the Helios traces", delimiter = ",",
  signs = { "job_id", "vc", "gpu_num", "cpu_num", "node_num" },
  columns = { id = "job_id", user = "user", partition = "vc", submit = "submit_time",
    start = "start_time", ["end"] = "end_time", procs = "cpu_num",
    status = "state" },
  needs = { nodes = "node_num", gpu = "gpu_num" },
  states = { COMPLETED = "completed", CANCELLED = "cancelled", FAILED = "failed",
    TIMEOUT = "timeout", NODE_FAIL = "node_fail", RUNNING = "unfinished", PENDING = "unfinished" },
}
