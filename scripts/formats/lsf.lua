-- LSF's lsb.acct. A JOB_FINISH record is written when a job ends; numbers of hosts are followed by
-- as many names. Memory that rusage[mem=...] reserves is each host's, in MB.
return {
  about = "lsb.acct of LSF", delimiter = " ",
  header = { "event,version,eventTime,jobId,userId,options,numProcessors,submitTime,beginTime",
    "termTime,startTime,userName,queue,resReq,dependCond,preExecCmd,fromHost,cwd,inFile",
    "outFile,errFile,jobFile,numAskedHosts,askedHosts*,numExHosts,execHosts*,jStatus",
    "hostFactor,jobName,command,ru_utime,ru_stime,ru_maxrss,ru_ixrss,ru_ismrss,ru_idrss",
    "ru_isrss,ru_minflt,ru_majflt,ru_nswap,ru_inblock,ru_oublock,ru_ioch,ru_msgsnd,ru_msgrcv",
    "ru_nsignals,ru_nvcsw,ru_nivcsw,ru_exutime,mailUser,projectName" },
  signs = { event = { "JOB_FINISH", "EVENT_ADRSV_FINISH", "JOB_RESIZE" }, "jobId" },
  records = { event = "JOB_FINISH" },
  columns = {
    id = "jobId", user = "userName", queue = "queue", account = "projectName",
    submit = "submitTime:unix",
    start = "startTime:unix", ["end"] = "eventTime:unix",
    procs = { "numExHosts", "numProcessors" }, -- a host stands there once for each processor
    status = "jStatus", asks = "dependCond:text",
  },
  needs = { nodes = "execHosts:#", mem_per_node = "resReq:M=mem",
    gpu_per_node = "resReq:=ngpus_physical" },
  -- JOB_STAT_EXIT is 32, JOB_STAT_DONE 64. A job that was killed while it waited has no start.
  states = { ["64"] = "completed", ["32"] = "failed" }, absent = { start = "0", procs = "0" },
}
