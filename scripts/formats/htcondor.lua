-- HTCondor's history: condor_history -json (a list) or -jsonl.
return {
  about = "condor_history -json", depth = 1, signs = { "ClusterId", "QDate", "JobStatus" },
  columns = {
    id = { "GlobalJobId", "ClusterId" }, user = { "Owner", "User" }, submit = "QDate:unix",
    start = { "JobStartDate:unix", "JobCurrentStartDate:unix" }, ["end"] = "CompletionDate:unix",
    runtime = "RemoteWallClockTime", -- of all its executions
    procs = { "CpusProvisioned", "RequestCpus" }, status = "JobStatus",
  },
  needs = { gpu = { "GPUsProvisioned", "RequestGPUs" },
    mem = { "MemoryProvisioned:M", "RequestMemory:M" } },
  states = { ["4"] = "completed", ["3"] = "cancelled", ["1"] = "unfinished", ["2"] = "unfinished",
    ["5"] = "unfinished", ["6"] = "unfinished", ["7"] = "unfinished" },
  absent = { start = "0", ["end"] = "0", runtime = "0" },
}
