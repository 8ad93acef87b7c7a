-- Slurm's jobcomp/filetxt: a line of KEY=VALUE for each job that ended.
return {
  about = "Slurm's jobcomp/filetxt", delimiter = " ", header = "=",
  signs = { "JobId", "JobState", "EndTime" },
  columns = { id = "JobId", user = "UserId", partition = "Partition", account = "Account",
    qos = "QOS",
    submit = { "SubmitTime", "EligibleTime" }, start = "StartTime", ["end"] = "EndTime",
    procs = { "ProcCnt", "NodeCnt" }, walltime = "TimeLimit:min", status = "JobState",
    asks = "ReservationName:text" },
  needs = { nodes = "NodeCnt", gpu = "Tres:=gres/gpu", mem = "Tres:M=mem" },
  states = { COMPLETED = "completed", FAILED = "failed", CANCELLED = "cancelled",
    TIMEOUT = "timeout", NODE_FAIL = "node_fail", PREEMPTED = "preempted",
    OUT_OF_MEMORY = "out_of_memory", BOOT_FAIL = "boot_fail", DEADLINE = "deadline",
    PENDING = "unfinished", RUNNING = "unfinished" },
  absent = { walltime = { "UNLIMITED", "Partition_Limit" }, start = { "Unknown", "None" },
    submit = { "Unknown", "None" } },
}
