-- MIT Supercloud's slurm-log.csv: a table of Slurm's database, with its numbers of states and of
-- trackable resources (1 is a CPU, 2 a MB, 4 a node, 1001 and 1002 are GPUs).
return {
  about = "slurm-log.csv of MIT Supercloud", delimiter = ",",
  signs = { "id_job", "time_submit", "tres_alloc", "state" },
  columns = { id = "id_job", user = "id_user", partition = "partition", submit = "time_submit:unix",
    start = "time_start:unix", ["end"] = "time_end:unix", procs = { "tres_alloc:=1", "cpus_req" },
    walltime = "timelimit:min", status = "state" },
  needs = { nodes = "tres_alloc:=4", mem = "tres_alloc:M=2",
    gpu = { "tres_alloc:=1001", "tres_alloc:=1002" } },
  states = { ["0"] = "unfinished", ["1"] = "unfinished", ["2"] = "unfinished", ["3"] = "completed",
    ["4"] = "cancelled", ["5"] = "failed", ["6"] = "timeout", ["7"] = "node_fail",
    ["8"] = "preempted", ["9"] = "boot_fail", ["10"] = "deadline", ["11"] = "out_of_memory" },
  absent = { start = "0", ["end"] = "0", walltime = "4294967295" },
}
