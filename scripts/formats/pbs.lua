-- Accounting records of PBS, OpenPBS and Torque: server_priv/accounting/YYYYMMDD. A record of type
-- E tells a job that ended; others tell what happened to it before.
return {
  about = "accounting records of PBS or Torque", delimiter = ";", header = "date,type,id,=",
  signs = { "id", type = { "A", "B", "C", "D", "E", "G", "H", "K", "L", "M", "P", "Q", "R", "S",
    "T", "U", "Y", "a", "c", "e", "k", "l", "m", "p", "r", "s", "t", "u", "z" } },
  records = { type = "E" },
  columns = {
    id = "id", user = "user", queue = "queue", account = { "account", "project" },
    submit = { "ctime:unix", "qtime:unix" },
    start = "start:unix", ["end"] = "end:unix",
    -- Torque says what the job got; OpenPBS what it asked for, and what select stands for.
    procs = { "total_execution_slots", "Resource_List.ncpus", "Resource_List.select:select",
      "Resource_List.nodes:ppn", "Resource_List.nodect" }, walltime = "Resource_List.walltime",
    status = "Exit_status",
  },
  needs = { -- ngpus and mem are the whole job's; Torque has gpus of a chunk and pmem of a process
    nodes = "Resource_List.nodect", exclusive = "Resource_List.place",
    gpu = { "Resource_List.ngpus", "Resource_List.select:select=ngpus",
      "Resource_List.nodes:select=gpus" },
    mem = { "Resource_List.mem", "Resource_List.select:select=mem" },
    mem_per_proc = "Resource_List.pmem",
  },
  states = { ["0"] = "completed", ["*"] = "failed" },
  absent = { account = "_pbs_project_default" },
}
