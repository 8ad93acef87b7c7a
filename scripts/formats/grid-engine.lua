-- The accounting file of Sun, Univa, Son of and Open Grid Engine: fields with colons between them.
-- Times are seconds since 1970; Univa's since 8.2 are milliseconds (submit =
-- "submission_time:unix-ms"). Of memory and GPUs a job gets as much for each slot as -l says, as
-- where a complex is `consumable YES`.
return {
  about = "the accounting file of Grid Engine", delimiter = ":",
  header = { "qname,hostname,group,owner,job_name,job_number,account,priority,submission_time",
    "start_time,end_time,failed,exit_status,ru_wallclock,ru_utime,ru_stime,ru_maxrss",
    "ru_ixrss,ru_ismrss,ru_idrss,ru_isrss,ru_minflt,ru_majflt,ru_nswap,ru_inblock",
    "ru_oublock,ru_msgsnd,ru_msgrcv,ru_nsignals,ru_nvcsw,ru_nivcsw,project,department",
    "granted_pe,slots,task_number,cpu,mem,io,category,iow,pe_taskid,maxvmem,arid",
    "ar_submission_time" },
  signs = { "qname", "owner", "job_number", "submission_time", "slots", "pe_taskid" },
  records = { pe_taskid = "NONE" }, -- others are parts of a parallel job
  columns = { id = "job_number", user = "owner", queue = "qname",
    account = { "account", "project" }, submit = "submission_time:unix",
    start = "start_time:unix", ["end"] = "end_time:unix", procs = "slots",
    walltime = "category:=h_rt", status = "exit_status" },
  needs = { mem_per_proc = "category:si=h_vmem", gpu_per_proc = "category:=gpu",
    exclusive = { "category:=exclusive", "category:=excl" } },
  states = { ["0"] = "completed", ["*"] = "failed" },
  absent = { start = "0", ["end"] = "0", account = { "sge", "NONE" } },
}
