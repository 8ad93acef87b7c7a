-- Alibaba's PAI traces, pai_task_table.csv: tasks of machine learning, without a line of names and
-- without submissions: a task is submitted at its start. A processor is an instance of a task. Of
-- GPUs plan_gpu has hundredths of each instance; a share of a GPU counts as one.
return {
  about = "pai_task_table of Alibaba", delimiter = ",",
  header = { "job_name,task_name,inst_num,status,start_time,end_time,plan_cpu,plan_mem,plan_gpu",
    "gpu_type" },
  signs = { "inst_num", status = { "Terminated", "Failed", "Running", "Waiting" } },
  columns = { id = "job_name", queue = "task_name", submit = "start_time", start = "start_time",
    ["end"] = "end_time", procs = "inst_num", status = "status" },
  needs = { gpu_per_proc = "plan_gpu:0.01", mem_per_proc = "plan_mem:G" },
  states = { Terminated = "completed", Failed = "failed", Running = "unfinished",
    Waiting = "unfinished" },
}
