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
      "size of the machine", of = "c s", default = "the log's machine", unit = "processors",
      flag = { "--procs N",
        "Processors of the machine (default: what the log says).", least = 1, most = 2147483646 } },
    { "policies", "PolicyGiven[]?", [[list of policies: names (with options, "list:reservations=3"),
      paths, tables, functions of `sim`, or `{ policy =, priority =, options =, name = }`]],
      of = "c" },
    { "policy", "PolicyGiven?",
      "one policy in place of `policies`", of = "c s", default = '"dispatch/greedy"' },
    { "priority", "string|Policy|fun(job: Job, view: Sim): number",
      "order of the queue for all policies: name, path, table or function(job, view)", of = "c s",
      default = "the policy's own, else FCFS", optional = true, unit = "" },
    { "options", "table<string, any>?",
      "policy options, name -> value, for every policy that has such an option", of = "c s",
      flag = { "--set option=value", [[An option of every policy that has it; may be given several
        times.]], kind = "assignment", several = true } },
    { "errors", "Errors?", "silent errors: {fields Errors}", of = "c s", default = "none" },
    { "failures", "string|integer[][]|integer[]?", [[failure counts in place of `errors`: a file, or
      a list with one list per scenario and one number per job; a session also takes one list]],
      of = "c s", unit = "",
      flag = { "--failures FILE", [[Failure counts from a file: whole numbers between spaces, one
        row per scenario, one number per job in the order of the jobs simulated (the log's, without
        what was left out or not selected); instead of --q and --runs. --max-attempts does not
        apply.]] } },
    { "runs", "integer?", "number of scenarios", of = "c", default = "1", unit = "",
      flag = { "--runs R", "Scenarios (default: 1).", least = 1 } },
    { "precision", "number?", [[scenarios run until half the 95% interval is at most this share of
      the mean of the first policy: the interval of the mean of `metric`, or, with several policies,
      of each paired difference from the first. At least 256 scenarios run, and at most `runs`, then
      10000 by default; a note says what was reached. If nothing is drawn at random and 2 scenarios
      are the same, there are no more. Not with `failures` or several sets]], of = "c",
      default = "`runs` scenarios", unit = "",
      flag = { "--precision P", [[Scenarios until half the 95% interval is at most this share of the
        first policy's mean (1%, or 0.01), at least 256 and at most --runs (then 10000 by default):
        the interval of --metric, or, with several policies, of their differences from the first.]],
        kind = "precision" } },
    { "metric", "string?", "the metric that `precision` is of", of = "c", default = '"ratio"' },
    { "scenario", "integer?",
      "number of the scenario; with an equal seed and set it is scenario n of `compare`", of = "s",
      default = "1", unit = "" },
    { "seed", "integer?", "a whole number that names the random numbers", of = "c s",
      default = "1", unit = "",
      flag = { "--seed S", "Seed of all random numbers (default: 1)." } },
    { "set", "integer?",
      "number of the set; sets of one seed are independent", of = "c s", default = "0", unit = "" },
    { "by", '"day"|"week"?', [["day": every day of the log is a set of its own; "week": every 168
      hours from the first submission on are a set]], of = "c",
      flag = { "--by", [[day, week: simulate every day, or every 168 hours from the first
        submission on, for itself.]] } },
    { "sets", "JobSet[]?", [[in place of `jobs`: a list of `{ name =, jobs = }`, each simulated
      separately. Failures of set i are drawn as for `set + i - 1`]], of = "c" },
    { "load", "number?",
      "jobs of each set are submitted this many times as fast, as by `jobs:load`", of = "c s",
      default = "1", unit = "",
      flag = { "--load F", [[Jobs come F times as fast: what lies between submissions is divided by
        F.]], kind = "positive" } },
    { "batch", "boolean?", "all jobs are submitted at 0", of = "c s", default = "false",
      flag = { "--batch", "All jobs are there at time 0." } },
    { "dependencies", "boolean?", [[jobs that come after others (`after`; see `dependencies` of
      `orrery.read`) are submitted when these are over, and their think times]], of = "c s",
      default = "false" },
    { "walltimes", '"runtime"|"log"|fun(job: JobRecord): number?', [[what the scheduler knows: the
      runtime; "log": the walltimes of the log; or a function from a job (with its runtime and all
      other known fields) to an estimate in s, called once per job: a prediction. If the function
      returns nil or the log has no walltime, the runtime is used]], of = "c s",
      default = '"runtime"', optional = true, unit = "s",
      flag = { "--walltimes", [[What the scheduler knows of a runtime: the log's walltime, or the
        runtime itself (default).]], choices = { "log", "runtime" } } },
    { "overrun", '"kill"|"cap"|"extend"?', [[treatment of jobs that run longer than their walltime:
      "kill" ends them at the walltime, and they count as killed; "cap" cuts their runtimes off at
      the log's walltimes, and they are jobs like all others; "extend" raises the walltime to the
      runtime; the default for the estimates of a function is "extend"]], of = "c s",
      default = '"kill"',
      flag = { "--overrun", [[What becomes of jobs that ran longer than the log's walltime: kill
        (at it; default), cap (their runtimes, at it: they are not killed) or extend (the walltime,
        to the runtime).]] } },
    { "grace", "number?", [[a job that runs at most this much longer than the log's walltime
      completes; others are killed or capped this much later]], of = "c s", default = "0",
      unit = "s", least = 0,
      flag = { "--grace SECONDS", [[Jobs may overrun the log's walltimes by this much (default: 0):
        seconds, or 5m.]], kind = "duration" } },
    { "clairvoyant", "boolean?", [[true: behind every policy the same one again, called "NAME
      (clairvoyant)", which knows how long each job takes: its runtime or, if it is killed at its
      walltime, that; in a session the policy itself knows it. Only with `walltimes`]], of = "c s",
      default = "false",
      flag = { "--clairvoyant", [[Behind every policy the same one again, as if it knew how long
        each job takes; wants --walltimes log.]] } },
    { "instant", '"batched"|"ends-first"|"submissions-first"|"pyss"?', [[when is decided at an
      instant: "batched" applies all of its events and decides once; the others decide after every
      event, as [other simulators](../spec/READINGS.md#35-when-is-decided-at-an-instant) do]],
      of = "c s", default = '"batched"',
      flag = { "--instant", [[When is decided at an instant: once, after all of its events (batched,
        default), or after every event, with ends-first, submissions-first, or as pyss does.]] } },
    { "timezone", "string?", [[whose clocks policies read with
      [`sim:hour` and others](../policies/README.md#the-calendar), a name of the system's time zone
      database such as "Europe/Stockholm"]], of = "c s", default = '"UTC"',
      flag = { "--timezone ZONE", [[Whose clocks policies read (sim:hour and others): a name as
        Europe/Stockholm (default: UTC).]], kind = "timezone" } },
    { "origin", "string?", [[for a log without dates: when second 0 of its clock is, as
      "2019-06-14 07:04", on the clocks of `timezone`]], of = "c s", optional = true,
      flag = { "--origin DATE", [[When second 0 of a log without dates is, as '2019-06-14 07:04', in
        the time zone in use.]], kind = "date" } },
    { "verification", "number?",
      "time that the error detector adds to every attempt that reaches its end", of = "c s",
      default = "0", unit = "s",
      flag = { "--verification SECONDS", [[Seconds that the error detector adds to every attempt
        that reaches its end (default: 0): not to one that is killed at its walltime, and on top of
        the walltime.]], least = 0 } },
    { "tau", "number?",
      "smallest runtime in the formula of the bounded slowdown", of = "c s", default = "60",
      unit = "s", least = 0,
      flag = { "--tau SECONDS", [[Seconds that a shorter runtime counts in bounded slowdowns
        (default: 60).]], kind = "positive" } },
    { "warmup", "number?", [[jobs submitted in this time after the first submission are simulated,
      but left out of [metrics of jobs](../spec/METRICS.md#metrics-of-a-run)]], of = "c s",
      default = "0", unit = "s", least = 0,
      flag = { "--warmup T", [[Jobs submitted in the first T of the log are simulated, but left out
        of waits, flow times and slowdowns; seconds, or 90m, 12h, 7d.]], kind = "duration" } },
    { "cooldown", "number?", [[jobs submitted in this time before the last submission are simulated,
      but left out of these metrics]], of = "c s", default = "0", unit = "s", least = 0,
      flag = { "--cooldown T", [[The same for the last T. With either, utilisation is that between
        the two.]], kind = "duration" } },
    { "node_failures", "NodeFailures?", "how nodes fail", of = "c s", default = "none" },
    { "equal_procs", "boolean?", [[some policies add processors to the machine with their
      [groups](../policies/README.md#groups); every other policy gets the same number in its first
      group; a note says so]], of = "c", default = "true" },
    { "max_attempts", "integer?", [[the most attempts of one job in a scenario, drawn or ended by
      failures of nodes; more is an error]], of = "c s", default = "1000000; of nodes 100000",
      unit = "",
      flag = { "--max-attempts N", [[Most attempts of one job (default: 1000000, of those that
        failures of nodes end 100000).]], least = 1, most = 2147483646 } },
    { "check", "boolean?", [[true: every schedule is recorded and must pass the checker, as with
      `session:check`; a note says how many were checked]], of = "c", default = "false",
      flag = { "--check", [[Look at every schedule with the independent checker, and end with
        status 1 if one is not possible.]] } },
    { "threads", "integer?",
      "number of threads; results do not depend on it", of = "c", default = "all cores",
      unit = "",
      flag = { "--threads T", [[Threads (default: all cores); the results are the same for any
        number.]], least = 1, most = 4096 } },
    { "limits", "Limits?", "limits of a policy: {fields Limits}", of = "c s" },
    { "quantiles", "boolean?", "the metrics also have [quantiles](../spec/METRICS.md#quantiles)",
      of = "c", default = "false",
      flag = { "--quantiles",
        "Also the quantiles of waits, flow times and slowdowns, in --json." } },
    { "keep", "boolean?", [[true: if `runs` is 1, the times of every job are kept for `result:jobs`
      and the tables and plots made from them]], of = "c", default = "true" },
    { "plain", "boolean?", [[true: no shortcuts; every event is handled separately and every
      decision is computed anew: equal results, slower]], of = "c", default = "false" },
    { "progress", "fun(done: integer, total: integer)",
      "called from time to time with the number of simulations done", of = "c", optional = true },
  },
  {
    class = "Errors", about = "Silent errors of jobs: one of these.",
    { "mean_probability", "number?", "mean failure probability q of an attempt", unit = "",
      flag = { "--q Q", [[Mean failure probability of a job (default: 0); several, or a list
        0,0.05,0.1, are simulated one by one.]], kind = "probabilities", several = true } },
    { "rate", "number?", unit = "per processor-second",
      flag = { "--rate LAMBDA",
        "Failure rate per processor and second, instead of --q.", least = 0 } },
  },
  {
    class = "Limits", about = "Limits of a policy.",
    { "seconds", "number?",
      "processor time of one call", default = "5; of a pack policy 60", unit = "s",
      flag = { "--limit-seconds S", [[Time that one call of a policy may take (default: 5, of a
        pack policy 60).]], kind = "positive" } },
    { "memory", "integer?", default = "268435456", unit = "bytes",
      flag = { "--limit-memory MB", [[Memory that a policy may take, MB (default: 256).]],
        least = 1, most = 1048576, factor = 1 << 20 } },
    { "instructions", "integer?", "Lua instructions of one call, counted exactly", unit = "",
      flag = { "--limit-instructions N", [[Instructions that one call of a policy may take, counted
        exactly (slow).]], least = 1, most = 2147483647 } },
    { "source", "integer?", "size of a policy's file", default = "262144", unit = "bytes",
      flag = { "--limit-source KB", [[Size that a policy's file may have, KB (default: 256).]],
        least = 1, most = 1048576, factor = 1 << 10 } },
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
    { "mtbf", "number?", "mean time between failures of one node", unit = "s",
      flag = { "--node-mtbf T", [[Mean time between failures of one node; seconds, or 12h, 90d. The
        jobs on a node that fails go back to the queue and start anew.]], kind = "duration" } },
    { "mtbf_years", "number?",
      "mean time between failures of one node", unit = "years of 365 days" },
    { include = "runs.Faults", "law", "shape", flag = false },
    { "log", "string|LoggedFailure[]?", [[logged failures in place of drawn ones: a CSV file with
      the header `time,processor`, or a list of `{ time =, processor =, repair = }`, in order of
      time, on the clock of the log. Processors count from 0; the node of that processor fails]],
      flag = { "--node-failures FILE", [[The failures from a file instead: CSV with the header
        time,processor, in order of time.]] } },
    { "procs", "integer?",
      "size of a node; the first node has the first processors, and so on", default = "1",
      unit = "processors",
      flag = { "--node-procs N",
        "Processors of a node (default: 1).", least = 1, most = 2147483646 } },
    { "repair", "number?", "time until the node works again", default = "0", unit = "s",
      flag = { "--node-repair T",
        "How long a node is out (default: 0); seconds, or 30m, 4h.", kind = "duration" } },
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
      "size of the machine, at least 2 processors per task", of = "c s", unit = "processors",
      flag = { "--procs P", [[Processors of the machine (default: 1000; with --tasks there is
        none).]], least = 1, most = 2147483646 } },
    { "policies", "RedistributionGiven[]?", [[list of redistribution policies: names (with options,
      "end-local+shortest-tasks-first:literal=true"), paths, tables]], of = "c" },
    { "policy", "RedistributionGiven?",
      "one policy in place of `policies`", of = "c s", default = '"redistribute/none"' },
    { include = "runs.JobsSpec", "options" },
    { "faults", "Faults?", "how processors fail", of = "c s", default = "none" },
    { "costs", "Costs?", "costs of checkpoints and moves", of = "c s" },
    { "runs", "integer?",
      "number of runs; each has its own faults, and its own sizes if sizes are drawn", of = "c",
      default = "1", unit = "",
      flag = { "--runs R", "Runs (default: 1).", least = 1 } },
    { include = "runs.JobsSpec", "precision", about = [[runs go on until half the 95% interval is at
        most this share of the mean of the first policy: the interval of the mean of `metric`, or,
        with several policies, of each paired difference from the first. There are at least 256
        runs, and at most `runs`, then 10000 by default; a note says what was reached. If nothing is
        drawn at random and 2 runs are the same, there are no more. Not with `packs`]] },
    { "metric", "string?", "the metric that `precision` is of", of = "c",
      default = '"normalised"', flag = { "--metric M",
        "Metric that --precision is of (default: normalised)." } },
    { "run", "integer?",
      "number of the run; with an equal seed and set it is run n of `compare`", of = "s",
      default = "1", unit = "" },
    { "packs", "PackPolicyGiven|PackPolicyGiven[]?",
      "[pack policies](#packs-by-policies), one or a list: the tasks run in packs", of = "c",
      flag = { "--packs P", [[The tasks do not start together, but in packs one after the other: a
        pack policy, as of orrery pack; may be given several times, to compare. Makespans are then
        normalised by the first of them without redistribution.]], several = true } },
    { "k", "integer?",
      "with `packs`: the most tasks in a pack", of = "c", default = "`procs // 2`",
      unit = "tasks",
      flag = { "--k K", [[Most tasks in a pack (default: half as many as processors).]],
        least = 1, most = 2147483646 } },
    { include = "runs.JobsSpec", "check",
      about = "true: every schedule is recorded and must pass the checker; a note says so" },
    { "fault_free", "boolean?",
      "true: every run is repeated without faults, under the same policy", of = "c",
      default = "false",
      flag = { "--fault-free", "Also simulate each run without faults, and tell the ratio." } },
    { include = "runs.JobsSpec", "seed", "set", "threads" },
    { "limits", "Limits?", "limits of a policy: `seconds`, `memory`, `instructions`, `source`",
      of = "c s" },
    { include = "runs.JobsSpec", "progress" },
    { "max_faults", "integer?", [[the most faults that strike tasks in one run; more is an error.
      100 times as many in a row that strike no task is also an error]], of = "c s",
      default = "10000000", unit = "",
      flag = { "--max-faults N", [[Most faults that may strike in one run, and 100 times as many in
        a row that strike no task (default: 10000000).]], least = 1 } },
  },
  {
    class = "Faults", names = { "faults" }, head = "`faults`", about = "How processors fail.",
    { "mtbf_years", "number?", "mean time between failures of one processor",
      unit = "years of 365 days",
      flag = { "--mtbf-years Y", [[Mean time between failures of one processor, years of 365 days
        (default: 100); inf: nothing fails or takes checkpoints.]], kind = "above 0, or inf" } },
    { "mtbf", "number?", [[mean time between failures of one processor; math.huge, the value without
      `faults`: no processor fails and no task takes checkpoints]], unit = "s" },
    { "law", '"exponential"|"weibull"|"lognormal"?',
      '"exponential", or "weibull" or "lognormal", each with a `shape`',
      default = '"exponential"',
      flag = { "--law",
        "Of the times between faults: exponential (default), weibull or lognormal." } },
    { "shape", "number?", "k of weibull, sigma of lognormal", unit = "",
      flag = { "--shape K",
        "Shape of the law: k of weibull, sigma of lognormal.", kind = "positive" } },
    { "log", "string|LoggedFault[]?", [[logged faults in place of drawn ones: a CSV file with the
      header `time,task` or `time,processor`, or a list of `{ time =, task = }` (id or position) or
      `{ time =, processor = }` (from 0), in order of time. The mtbf still sets the checkpoint
      periods]],
      flag = { "--faults FILE", [[Faults from CSV with the header time,task or time,processor,
        instead of those drawn; --mtbf-years still sets the periods.]] } },
    { "downtime", "number?", "after a fault", default = "0", unit = "s",
      flag = { "--downtime D", "Downtime after a fault, s (default: 0).", least = 0 } },
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
      checkpoint_fixed`, and a recovery takes as long]], default = "1", unit = "s per data unit",
      flag = { "--checkpoint C", "Checkpoint time per data unit c, s (default: 1).", least = 0 } },
    { "checkpoint_fixed", "number?",
      "fixed part of a checkpoint, on any number of processors", default = "0", unit = "s",
      flag = { "--checkpoint-fixed C0", "Added to every checkpoint, s (default: 0).", least = 0 } },
    { "period", '"young"|"daly"?',
      'rule for the time between checkpoints, "young" or "daly"', default = '"young"',
      flag = { "--period", "Between checkpoints: young (default) or daly." } },
    { "startup", "number?", [[a task that goes from j to k processors takes `startup + max(min(j,
      k), abs(k - j)) * (m / (k * j * bandwidth) + latency)`]], default = "0", unit = "s",
      flag = { "--startup S", "Startup time of a redistribution, s (default: 0).", least = 0 } },
    { "latency", "number?", "see `startup`", default = "0", unit = "s",
      flag = { "--latency BETA", "Latency of a message, s (default: 0).", least = 0 } },
    { "bandwidth", "number?", "see `startup`", default = "1", unit = "data units per s",
      flag = { "--bandwidth BW",
        "Data units per second between two processors (default: 1).", kind = "above 0, or inf" } },
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
    { include = "runs.GivenPolicy", "options", "name" },
  },
}
