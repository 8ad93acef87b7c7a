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
    { "procs", "integer?", "of the machine", of = "c s", default = "the log's machine",
      unit = "processors" },
    { "policies", "PolicyGiven[]?", [[list of policies: names (with options, "list:reservations=3"),
      paths, tables, functions of `sim`, or `{ policy =, priority =, options =, name = }`]],
      of = "c" },
    { "policy", "PolicyGiven?", "the same, one; not both", of = "c s",
      default = '"dispatch/greedy"' },
    { "priority", "string|Policy|fun(job: Job, view: Sim): number", [[order of the queue for all of
      them: name, path, table or function(job, view)]], of = "c s",
      default = "the policy's own, else FCFS", optional = true, unit = "" },
    { "options", "table<string, any>?",
      "policy options, name -> value, for every policy that has them", of = "c s" },
    { "errors", "Errors?", "silent errors: {fields Errors}", of = "c s", default = "none" },
    { "failures", "string|integer[][]|integer[]?", [[failure counts instead: a file, or a list with
      one list per scenario, one number per job; a session takes the one list too]], of = "c s",
      unit = "" },
    { "runs", "integer?", "scenarios", of = "c", default = "1", unit = "" },
    { "scenario", "integer?", [[which scenario: with the same seed and set, that of `compare`]],
      of = "s", default = "1", unit = "" },
    { "seed", "integer?", "a whole number that names the random numbers", of = "c s",
      default = "1", unit = "" },
    { "set", "integer?", "the same: sets of one seed are independent", of = "c s", default = "0",
      unit = "" },
    { "by", '"day"|"week"?', [["day": every day of the log for itself, as a set of its own; "week":
      every 168 hours from the first submission on]], of = "c" },
    { "sets", "JobSet[]?", [[instead of `jobs`: a list of `{ name =, jobs = }` that are simulated
      each for itself. Failures of set i are drawn as those of `set + i - 1`]], of = "c" },
    { "load", "number?", [[the jobs of each set come so many times as fast, as `jobs:load` does
      it]], of = "c s", default = "1", unit = "" },
    { "batch", "boolean?", "all jobs are submitted at 0", of = "c s", default = "false" },
    { "walltimes", '"runtime"|"log"|fun(job: JobRecord): number?', [[what the scheduler knows: "log"
      for the log's walltimes, or a function from a job (with its runtime and all else that is
      known) to an estimate in s, asked once per job: a prediction. nil of the function, or no
      walltime in the log: the runtime]], of = "c s", default = '"runtime"', optional = true,
      unit = "s" },
    { "overrun", '"kill"|"extend"?', [[what becomes of jobs that ran longer than that: "kill" ends
      them at it, "extend" raises it to their runtime; of a function's estimates the default is
      "extend"]], of = "c s", default = '"kill"' },
    { "verification", "number?", [[what the error detector adds to every attempt that reaches its
      end]], of = "c s", default = "0", unit = "s" },
    { "tau", "number?", "what a shorter runtime counts as in bounded slowdowns", of = "c s",
      default = "60", unit = "s", least = 0 },
    { "warmup", "number?", [[jobs submitted in the first so many seconds are simulated, but left out
      of [metrics of jobs](../spec/METRICS.md#metrics-of-a-run)]], of = "c s", default = "0",
      unit = "s", least = 0 },
    { "cooldown", "number?", "the same of the last so many seconds", of = "c s", default = "0",
      unit = "s", least = 0 },
    { "node_failures", "NodeFailures?", "how nodes fail", of = "c s", default = "none" },
    { "equal_procs", "boolean?", [[policies get as many processors as the one whose
      [groups](../policies/README.md#groups) have most on top of the machine, in their first group;
      a note says so]], of = "c", default = "true" },
    { "max_attempts", "integer?", [[more in one job's scenario is an error: of those that are
      drawn, or that failures of nodes end]], of = "c s", default = "1000000; of nodes 100000",
      unit = "" },
    { "check", "boolean?", [[every schedule is recorded and must pass the checker, as with
      `session:check`; a note says how many there were]], of = "c", default = "false" },
    { "threads", "integer?", "the numbers do not depend on it", of = "c", default = "all cores",
      unit = "" },
    { "limits", "Limits?", "of a policy: {fields Limits}", of = "c s" },
    { "quantiles", "boolean?", "the metrics also have [quantiles](../spec/METRICS.md#quantiles)",
      of = "c", default = "false" },
    { "keep", "boolean?", [[where `runs` is 1, the times of every job are kept: for `result:jobs`
      and all that is made of them]], of = "c", default = "true" },
    { "plain", "boolean?", [[every event by itself and every decision from nothing: the same
      numbers, slower]], of = "c", default = "false" },
    { "progress", "fun(done: integer, total: integer)", "called now and then, in simulations",
      of = "c", optional = true },
  },
  {
    class = "Errors", about = "Silent errors of jobs: one of these.",
    { "mean_probability", "number?", "q of a job", unit = "" },
    { "rate", "number?", unit = "per processor-second" },
  },
  {
    class = "Limits", about = "What a policy may use.",
    { "seconds", "number?", "of one call", default = "5; of a pack policy 60",
      unit = "s" },
    { "memory", "integer?", default = "268435456", unit = "bytes" },
    { "instructions", "integer?", "of one call, counted exactly", unit = "" },
  },
  {
    class = "JobSet", about = "Jobs that are simulated for themselves.",
    { "name", "string|integer?", unit = "" },
    { "jobs", "Jobs" },
  },
  {
    class = "GivenPolicy", about = "A policy with options and a name of its own.",
    { "policy", "any", "a name, a path, a table, a function" },
    { "priority", "string|Policy|fun(job: Job, view: Sim): number", "of those for jobs",
      optional = true, unit = "" },
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
    { "mtbf_years", "number?", "the same", unit = "years of 365 days" },
    { "law", '"exponential"|"weibull"|"lognormal"?',
      [[or "weibull" or "lognormal", each with a `shape`]], default = '"exponential"' },
    { "shape", "number?", "k of weibull, sigma of lognormal", unit = "" },
    { "log", "string|LoggedFailure[]?", [[the failures, instead of drawn ones: a CSV file with the
      header `time,processor`, or a list of `{ time =, processor =, repair = }` (processors from 0;
      the node of that processor fails), in order of time, on the clock of the log]] },
    { "procs", "integer?", "of a node; the first node has the first ones, and so on",
      default = "1", unit = "processors" },
    { "repair", "number?", "until its processors work again", default = "0", unit = "s" },
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
    { "tasks", "Tasks|DrawnTasks|fun(run: integer): Tasks", [[[tasks](#tasks), the same in every
      run; or `{ n = 100, m = { 1500000, 2500000 }, sequential = 0.08 }`: as
      `orrery.tasks.synthetic`, sizes drawn anew in every run]], of = "c s" },
    { "procs", "integer", "of the machine, at least 2 per task", of = "c s", unit = "processors" },
    { "policies", "RedistributionGiven[]?", [[list of redistribution policies: names (with options,
      "end-local+shortest-tasks-first:literal=true"), paths, tables]], of = "c" },
    { "policy", "RedistributionGiven?", "the same, one; not both", of = "c s",
      default = '"redistribute/none"' },
    { "options", "table<string, any>?",
      "policy options, name -> value, for every policy that has them", of = "c s" },
    { "faults", "Faults?", "how processors fail", of = "c s", default = "none" },
    { "costs", "Costs?", "what checkpoints and moves cost", of = "c s" },
    { "runs", "integer?", "each with its own faults, and sizes where they are drawn", of = "c",
      default = "1", unit = "" },
    { "run", "integer?", "which run: with the same seed and set, that of `compare`", of = "s",
      default = "1", unit = "" },
    { "packs", "PackPolicyGiven|PackPolicyGiven[]?", [[[pack policies](#packs-by-policies), one or a
      list: the tasks run in packs]], of = "c" },
    { "k", "integer?", "with `packs`: the most in a pack", of = "c", default = "`procs // 2`",
      unit = "tasks" },
    { "check", "boolean?", "every schedule is recorded and must pass the checker; a note says so",
      of = "c", default = "false" },
    { "fault_free", "boolean?", "every run also without faults, under the same policy", of = "c",
      default = "false" },
    { "seed", "integer?", "as for jobs", of = "c s", default = "1", unit = "" },
    { "set", "integer?", "as for jobs", of = "c s", default = "0", unit = "" },
    { "threads", "integer?", "as for jobs", of = "c", default = "all cores", unit = "" },
    { "limits", "Limits?", "as for jobs", of = "c s" },
    { "progress", "fun(done: integer, total: integer)", "as for jobs", of = "c", optional = true },
    { "max_faults", "integer?", [[more that strike tasks in one run are an error, and 100 times as
      many in a row that strike none]], of = "c s", default = "10000000", unit = "" },
  },
  {
    class = "Faults", names = { "faults" }, head = "`faults`", about = "How processors fail.",
    { "mtbf_years", "number?", "mean time between failures of one processor",
      unit = "years of 365 days" },
    { "mtbf", "number?", [[the same; math.huge: nothing fails or is checkpointed. Without `faults`
      it is that]], unit = "s" },
    { "law", '"exponential"|"weibull"|"lognormal"?',
      [[or "weibull" or "lognormal", each with a `shape`]], default = '"exponential"' },
    { "shape", "number?", "k of weibull, sigma of lognormal", unit = "" },
    { "log", "string|LoggedFault[]?", [[the faults, instead of drawn ones: a CSV file with the
      header `time,task` or `time,processor`, or a list of `{ time =, task = }` (id or position) or
      `{ time =, processor = }` (from 0), in order of time. The mtbf still sets the periods]] },
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
    about = "What checkpoints and moves of tasks cost.",
    { "checkpoint", "number?", [[a checkpoint on j processors takes `checkpoint * m / j +
      checkpoint_fixed`, a recovery the same]], default = "1", unit = "s per data unit" },
    { "checkpoint_fixed", "number?", "the same on any number of processors", default = "0",
      unit = "s" },
    { "period", '"young"|"daly"?', "between checkpoints; or \"daly\"", default = '"young"' },
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
    { "policy", "string|RedistributionPolicy?", "instead of parts" },
    { "on_end", "string|RedistributionPolicy|false|fun(sim: TaskSim, task: Task)",
      optional = true },
    { "on_fault", "string|RedistributionPolicy|false|fun(sim: TaskSim, task: Task)",
      optional = true },
    { "options", "table<string, any>?" },
    { "name", "string?" },
  },
}
