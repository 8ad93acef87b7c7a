-- Flux: flux jobs -a --json.
return {
  about = "flux jobs --json",
  depth = 2, signs = { "t_submit", "t_depend" },
  columns = { id = "id", user = { "username", "userid" }, queue = "queue", submit = "t_submit:unix",
    start = "t_run:unix", ["end"] = { "t_cleanup:unix", "t_inactive:unix" },
    procs = { "ncores", "ntasks" }, walltime = "duration", status = { "result", "state" } },
  needs = { nodes = "nnodes", gpu = "ngpus" },
  states = { COMPLETED = "completed", FAILED = "failed", CANCELED = "cancelled",
    TIMEOUT = "timeout", DEPEND = "unfinished", PRIORITY = "unfinished", SCHED = "unfinished",
    RUN = "unfinished", CLEANUP = "unfinished" },
  absent = { walltime = "0", start = "0", ["end"] = "0" },
}
