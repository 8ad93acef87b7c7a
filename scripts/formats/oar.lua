-- OAR: oarstat -J, an object with a job for each id.
return {
  about = "oarstat -J of OAR", depth = 1,
  signs = { "submissionTime", "startTime", "assigned_resources" },
  columns = { id = { "Job_Id", "id" }, user = "owner", queue = "queue",
    submit = "submissionTime:unix", start = "startTime:unix", ["end"] = "stopTime:unix",
    procs = "assigned_resources.#", walltime = "walltime", status = "state" },
  needs = { nodes = "assigned_network_address.#" },
  states = { Terminated = "completed", Error = "failed", Waiting = "unfinished",
    Hold = "unfinished", toLaunch = "unfinished", Launching = "unfinished", Running = "unfinished",
    Suspended = "unfinished", Resuming = "unfinished", Finishing = "unfinished" },
  absent = { start = "0", ["end"] = "0" },
}
