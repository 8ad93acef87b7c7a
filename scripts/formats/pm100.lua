-- PM100 of Marconi100, job_table.parquet as CSV. Of its memory no unit is documented.
return {
  about = "the job table of PM100", delimiter = ",",
  signs = { "job_id", "num_nodes_alloc", "num_gpus_alloc", "job_state" },
  columns = { id = "job_id", user = "user_id", partition = "partition", qos = "qos",
    submit = "submit_time", start = "start_time", ["end"] = "end_time", runtime = "run_time",
    procs = { "num_cores_alloc", "num_cpus_alloc", "num_cores_req", "num_cpus_req" },
    walltime = "time_limit:min", status = "job_state", asks = "mem_alloc:text" },
  needs = { nodes = "num_nodes_alloc", gpu = { "num_gpus_alloc", "num_gpus_req" } },
  states = { COMPLETED = "completed", FAILED = "failed", CANCELLED = "cancelled",
    TIMEOUT = "timeout", NODE_FAIL = "node_fail", PREEMPTED = "preempted",
    OUT_OF_MEMORY = "out_of_memory", DEADLINE = "deadline", PENDING = "unfinished",
    RUNNING = "unfinished" },
}
