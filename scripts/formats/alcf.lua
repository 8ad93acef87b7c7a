-- Jobs of machines of Argonne's ALCF: Mira, Theta, Cooley, Polaris. A log without MACHINE_NAME is
-- taken for Mira's, by columns that Orrery has itself, for it writes them.
return {
  about = "a job log of ALCF (column MACHINE_NAME)", delimiter = ",",
  signs = { "MACHINE_NAME", "QUEUED_TIMESTAMP", "RUNTIME_SECONDS" },
  columns = { id = "COBALT_JOBID", machine = "MACHINE_NAME:mira=49152",
    submit = "QUEUED_TIMESTAMP:utc", start = "START_TIMESTAMP:utc", runtime = "RUNTIME_SECONDS",
    walltime = "WALLTIME_SECONDS", procs = "NODES_USED", requested = "NODES_REQUESTED",
    user = "USERNAME_GENID", queue = "QUEUE_NAME", status = { "EXIT_STATUS", "EXIT_CODE" },
    asks = { "LOCATION:text", "RESID:text" } },
  states = { ["0"] = "completed", ["*"] = "failed" },
}
