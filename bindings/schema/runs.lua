-- runs: the fields of orrery.compare and orrery.session.
--
-- Fields of both stand once, with `of`: c (compare), s (session), or both; `parts` names the class
-- that has those of one.
return {
  {
    class = "JobsSpec", parts = { c = "CompareJobs", s = "SessionJobs" },
    part_names = { c = "compare", s = "session" }, head = "field",
    about = "Fields of `orrery.%s`, of jobs.",
    { "jobs", "Jobs?", "the workload", of = "c s" },
    { "procs", "integer?",
      "size of the machine", of = "c s", default = "the log's machine", unit = "processors" },
    { "policies", "PolicyGiven[]?", [[list of policies: names (with options, "list:reservations=3"),
      paths, tables, functions of `sim`, or `{ policy =, priority =, options =, name = }`]],
      of = "c" },
    { "policy", "PolicyGiven?",
      "one policy in place of `policies`", of = "c s", default = '"dispatch/greedy"' },
    { "priority", "string|Policy|fun(job: Job, view: Sim): number",
      "order of the queue for all policies: name, path, table or function(job, view)", of = "c s",
      default = "the policy's own, else FCFS", optional = true, unit = "" },
    { "options", "table<string, any>?",
      "policy options, name -> value, for every policy that has such an option", of = "c s" },
    { "errors", "Errors?", "silent errors: {fields Errors}", of = "c s", default = "none" },
    { "failures", "string|integer[][]|integer[]?", [[failure counts in place of `errors`: a file, or
      a list with one list per scenario and one number per job; a session also takes one list]],
      of = "c s", unit = "" },
    { "runs", "integer?", "number of scenarios", of = "c", default = "1", unit = "" },
    { "scenario", "integer?",
      "number of the scenario; with an equal seed and set it is scenario n of `compare`", of = "s",
      default = "1", unit = "" },
    { "seed", "integer?", "a whole number that names the random numbers", of = "c s",
      default = "1", unit = "" },
    { "set", "integer?",
      "number of the set; sets of one seed are independent", of = "c s", default = "0", unit = "" },
    { "by", '"day"|"week"?', [["day": every day of the log is a set of its own; "week": every 168
      hours from the first submission on are a set]], of = "c" },
    { "sets", "JobSet[]?", [[in place of `jobs`: a list of `{ name =, jobs = }`, each simulated
      separately. Failures of set i are drawn as for `set + i - 1`]], of = "c" },
    { "load", "number?",
      "jobs of each set are submitted this many times as fast, as by `jobs:load`", of = "c s",
      default = "1", unit = "" },
    { "batch", "boolean?", "all jobs are submitted at 0", of = "c s", default = "false" },
    { "walltimes", '"runtime"|"log"|fun(job: JobRecord): number?', [[what the scheduler knows: the
      runtime; "log": the walltimes of the log; or a function from a job (with its runtime and all
      other known fields) to an estimate in s, called once per job: a prediction. If the function
      returns nil or the log has no walltime, the runtime is used]], of = "c s",
      default = '"runtime"', optional = true, unit = "s" },
    { "overrun", '"kill"|"extend"?', [[treatment of jobs that run longer than their walltime: "kill"
      ends them at the walltime, "extend" raises the walltime to the runtime; the default for the
      estimates of a function is "extend"]], of = "c s", default = '"kill"' },
    { "verification", "number?",
      "time that the error detector adds to every attempt that reaches its end", of = "c s",
      default = "0", unit = "s" },
    { "tau", "number?",
      "smallest runtime in the formula of the bounded slowdown", of = "c s", default = "60",
      unit = "s", least = 0 },
    { "warmup", "number?", [[jobs submitted in this time after the first submission are simulated,
      but left out of [metrics of jobs](../spec/METRICS.md#metrics-of-a-run)]], of = "c s",
      default = "0", unit = "s", least = 0 },
    { "cooldown", "number?", [[jobs submitted in this time before the last submission are simulated,
      but left out of these metrics]], of = "c s", default = "0", unit = "s", least = 0 },
    { "node_failures", "NodeFailures?", "how nodes fail", of = "c s", default = "none" },
    { "equal_procs", "boolean?", [[some policies add processors to the machine with their
      [groups](../policies/README.md#groups); every other policy gets the same number in its first
      group; a note says so]], of = "c", default = "true" },
    { "max_attempts", "integer?", [[the most attempts of one job in a scenario, drawn or ended by
      failures of nodes; more is an error]], of = "c s", default = "1000000; of nodes 100000",
      unit = "" },
    { "check", "boolean?", [[true: every schedule is recorded and must pass the checker, as with
      `session:check`; a note says how many were checked]], of = "c", default = "false" },
    { "threads", "integer?",
      "number of threads; results do not depend on it", of = "c", default = "all cores",
      unit = "" },
    { "limits", "Limits?", "limits of a policy: {fields Limits}", of = "c s" },
    { "quantiles", "boolean?", "the metrics also have [quantiles](../spec/METRICS.md#quantiles)",
      of = "c", default = "false" },
    { "keep", "boolean?", [[true: if `runs` is 1, the times of every job are kept for `result:jobs`
      and the tables and plots made from them]], of = "c", default = "true" },
    { "plain", "boolean?", [[true: no shortcuts; every event is handled separately and every
      decision is computed anew: equal results, slower]], of = "c", default = "false" },
    { "progress", "fun(done: integer, total: integer)",
      "called from time to time with the number of simulations done", of = "c", optional = true },
  },
  {
    class = "Errors", about = "Silent errors of jobs: one of these.",
    { "mean_probability", "number?", "mean failure probability q of an attempt", unit = "" },
    { "rate", "number?", unit = "per processor-second" },
  },
  {
    class = "Limits", about = "Limits of a policy.",
    { "seconds", "number?",
      "processor time of one call", default = "5; of a pack policy 60", unit = "s" },
    { "memory", "integer?", default = "268435456", unit = "bytes" },
    { "instructions", "integer?", "Lua instructions of one call, counted exactly", unit = "" },
  },
  {
    class = "JobSet", about = "Jobs that are simulated separately.",
    { "name", "string|integer?", unit = "" },
    { "jobs", "Jobs" },
  },
  {
    class = "GivenPolicy", about = "A policy with options and a name of its own.",
    { "policy", "any", "a name, a path, a table, a function" },
    { "priority", "string|Policy|fun(job: Job, view: Sim): number",
      "only for policies for jobs", optional = true, unit = "" },
    { "options", "table<string, any>?" },
    { "name", "string?" },
  },
  {
    alias = "PolicyGiven", type = "string|Policy|GivenPolicy|fun(sim: Sim)",
    about = "How a policy for jobs is given.", words = "policy",
  },
  {
    class = "NodeFailures", names = { "node_failures" }, head = "`node_failures`",
    about = "How nodes fail under jobs.",
    { "mtbf", "number?", "mean time between failures of one node", unit = "s" },
    { "mtbf_years", "number?",
      "mean time between failures of one node", unit = "years of 365 days" },
    { "law", '"exponential"|"weibull"|"lognormal"?',
      '"exponential", or "weibull" or "lognormal", each with a `shape`',
      default = '"exponential"' },
    { "shape", "number?", "k of weibull, sigma of lognormal", unit = "" },
    { "log", "string|LoggedFailure[]?", [[logged failures in place of drawn ones: a CSV file with
      the header `time,processor`, or a list of `{ time =, processor =, repair = }`, in order of
      time, on the clock of the log. Processors count from 0; the node of that processor fails]] },
    { "procs", "integer?",
      "size of a node; the first node has the first processors, and so on", default = "1",
      unit = "processors" },
    { "repair", "number?", "time until the node works again", default = "0", unit = "s" },
  },
  {
    class = "LoggedFailure", about = "The failure of a node.",
    { "time", "number", unit = "s" },
    { "processor", "integer", "from 0", unit = "" },
    { "repair", "number?", unit = "s" },
  },

  -- --- tasks ----------------------------------------------------------------------------------

  {
    class = "TasksSpec", parts = { c = "CompareTasks", s = "SessionTasks" },
    part_names = { c = "compare", s = "session" }, head = "field",
    about = "Fields of `orrery.%s`, of tasks.",
    { "tasks", "Tasks|DrawnTasks|fun(run: integer): Tasks", [[[tasks](#tasks), the same ones in
      every run; or `{ n = 100, m = { 1500000, 2500000 }, sequential = 0.08 }`: as
      `orrery.tasks.synthetic`, with sizes drawn anew in every run]], of = "c s" },
    { "procs", "integer",
      "size of the machine, at least 2 processors per task", of = "c s", unit = "processors" },
    { "policies", "RedistributionGiven[]?", [[list of redistribution policies: names (with options,
      "end-local+shortest-tasks-first:literal=true"), paths, tables]], of = "c" },
    { "policy", "RedistributionGiven?",
      "one policy in place of `policies`", of = "c s", default = '"redistribute/none"' },
    { "options", "table<string, any>?",
      "policy options, name -> value, for every policy that has such an option", of = "c s" },
    { "faults", "Faults?", "how processors fail", of = "c s", default = "none" },
    { "costs", "Costs?", "costs of checkpoints and moves", of = "c s" },
    { "runs", "integer?",
      "number of runs; each has its own faults, and its own sizes if sizes are drawn", of = "c",
      default = "1", unit = "" },
    { "run", "integer?",
      "number of the run; with an equal seed and set it is run n of `compare`", of = "s",
      default = "1", unit = "" },
    { "packs", "PackPolicyGiven|PackPolicyGiven[]?",
      "[pack policies](#packs-by-policies), one or a list: the tasks run in packs", of = "c" },
    { "k", "integer?",
      "with `packs`: the most tasks in a pack", of = "c", default = "`procs // 2`",
      unit = "tasks" },
    { "check", "boolean?",
      "true: every schedule is recorded and must pass the checker; a note says so", of = "c",
      default = "false" },
    { "fault_free", "boolean?",
      "true: every run is repeated without faults, under the same policy", of = "c",
      default = "false" },
    { "seed", "integer?",
      "a whole number that names the random numbers", of = "c s", default = "1", unit = "" },
    { "set", "integer?",
      "number of the set; sets of one seed are independent", of = "c s", default = "0", unit = "" },
    { "threads", "integer?",
      "number of threads; results do not depend on it", of = "c", default = "all cores",
      unit = "" },
    { "limits", "Limits?", "limits of a policy: `seconds`, `memory`, `instructions`", of = "c s" },
    { "progress", "fun(done: integer, total: integer)",
      "called from time to time with the number of simulations done", of = "c", optional = true },
    { "max_faults", "integer?", [[the most faults that strike tasks in one run; more is an error.
      100 times as many in a row that strike no task is also an error]], of = "c s",
      default = "10000000", unit = "" },
  },
  {
    class = "Faults", names = { "faults" }, head = "`faults`", about = "How processors fail.",
    { "mtbf_years", "number?", "mean time between failures of one processor",
      unit = "years of 365 days" },
    { "mtbf", "number?", [[mean time between failures of one processor; math.huge, the value without
      `faults`: no processor fails and no task takes checkpoints]], unit = "s" },
    { "law", '"exponential"|"weibull"|"lognormal"?',
      '"exponential", or "weibull" or "lognormal", each with a `shape`',
      default = '"exponential"' },
    { "shape", "number?", "k of weibull, sigma of lognormal", unit = "" },
    { "log", "string|LoggedFault[]?", [[logged faults in place of drawn ones: a CSV file with the
      header `time,task` or `time,processor`, or a list of `{ time =, task = }` (id or position) or
      `{ time =, processor = }` (from 0), in order of time. The mtbf still sets the checkpoint
      periods]] },
    { "downtime", "number?", "after a fault", default = "0", unit = "s" },
  },
  {
    class = "LoggedFault", about = "A fault.",
    { "time", "number", unit = "s" },
    { "task", "string|integer?", "id or position", unit = "" },
    { "processor", "integer?", "from 0", unit = "" },
  },
  {
    class = "Costs", names = { "costs" }, head = "`costs`",
    about = "Costs of checkpoints and moves of tasks.",
    { "checkpoint", "number?", [[a checkpoint on j processors takes `checkpoint * m / j +
      checkpoint_fixed`, and a recovery takes as long]], default = "1", unit = "s per data unit" },
    { "checkpoint_fixed", "number?",
      "fixed part of a checkpoint, on any number of processors", default = "0", unit = "s" },
    { "period", '"young"|"daly"?',
      'rule for the time between checkpoints, "young" or "daly"', default = '"young"' },
    { "startup", "number?", [[a task that goes from j to k processors takes `startup + max(min(j,
      k), abs(k - j)) * (m / (k * j * bandwidth) + latency)`]], default = "0", unit = "s" },
    { "latency", "number?", "see `startup`", default = "0", unit = "s" },
    { "bandwidth", "number?", "see `startup`", default = "1", unit = "data units per s" },
  },
  {
    alias = "RedistributionGiven", type = "string|RedistributionPolicy|GivenRedistribution",
    about = "How a redistribution policy is given.", words = "redistribution policy",
  },
  {
    class = "GivenRedistribution",
    about = "A redistribution policy of parts, or one with options and a name of its own.",
    { "policy", "string|RedistributionPolicy?", "in place of `on_end` and `on_fault`" },
    { "on_end", "string|RedistributionPolicy|false|fun(sim: TaskSim, task: Task)",
      optional = true },
    { "on_fault", "string|RedistributionPolicy|false|fun(sim: TaskSim, task: Task)",
      optional = true },
    { "options", "table<string, any>?" },
    { "name", "string?" },
  },
}
