-- runs: the fields of orrery.compare and orrery.session.
--
-- Fields of both stand once, with `of`: c (compare), s (session), or both; `parts` names the class
-- that has those of one.
local policy_kinds = require "orrery.schema.policy_kinds"

return {
  {
    class = "JobsSpec", parts = { c = "CompareJobs", s = "SessionJobs" },
    part_names = { c = "compare", s = "session" }, head = "field",
    about = "Fields of `orrery.%s`, of jobs.",
    { "jobs", "Jobs|string?", "the workload, or the path or the name of its log", of = "c s" },
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
      hours from the first submission on are a set, but for the last where the log ends before its
      last day]], of = "c",
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
      flag = { "--grace T", [[Jobs may overrun the log's walltimes by this much (default: 0):
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
    { "timezone", "string?", [[by whose clocks dates are: those that are given and printed, those of
      pictures, and the hours that policies read with
      [`sim:hour` and others](../policies/README.md#the-calendar); a name of the system's time zone
      database such as "Europe/Stockholm"]], of = "c s", default = "that of the jobs",
      flag = { "--timezone ZONE", [[By whose clocks dates are, and times without a zone in a dump: a
        name as Europe/Stockholm (default: UTC).]],
        kind = "timezone" } },
    { "origin", "string?", [[for a log without dates: when second 0 of its clock is, as
      "2019-06-14 07:04", on the clocks of `timezone`]], of = "c s", optional = true,
      flag = { "--origin DATE", [[When second 0 of a log without dates is, as '2019-06-14 07:04', in
        the time zone in use.]], kind = "date" } },
    { "verification", "number?",
      "time that the error detector adds to every attempt that reaches its end", of = "c s",
      default = "0", unit = "s",
      flag = { "--verification T", [[Time that the error detector adds to every attempt that
        reaches its end (default: 0): not to one that is killed at its walltime, and on top of the
        walltime; seconds, or 5m.]], kind = "duration" } },
    { "tau", "number?",
      "smallest runtime in the formula of the bounded slowdown", of = "c s", default = "60",
      unit = "s", least = 0,
      flag = { "--tau T", [[Time that a shorter runtime counts in bounded slowdowns (default:
        60); seconds, or 10m.]], kind = "duration", positive = true } },
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
    { "checkpoint", "Checkpoints?", [[what [checkpoints of
      jobs](../spec/READINGS.md#36-checkpoints-of-rigid-jobs) cost, and when they are written]],
      of = "c s", default = "none" },
    { "maintenance", "string|MaintenanceWindow[]?", [[when
      [processors are closed](#capacity-known-beforehand), as every planner knows: a list, or a CSV
      file with the columns `from`, `to`, and `procs` or `nodes`, or `pool` and `amount`]],
      of = "c s", default = "none",
      flag = { "--maintenance FILE", [[When processors are closed, as all planners know beforehand:
        CSV with the columns from,to and procs (so many, the highest-numbered) or nodes (as
        "0-15,32"; of --machine from 1, or a partition), or pool,amount. Times are seconds of the
        log, or dates where it has some.]] } },
    { "capacity", "string|CapacityStep[]?", [[[the size of the
      machine](#capacity-known-beforehand) over time, which planners know beforehand: a list, or
      a CSV file with the columns `from` and `procs`]],
      of = "c s", default = "none",
      flag = { "--capacity FILE", [[The size of the machine over time, as under a power cap: CSV
        with the columns from,procs, in order of time; the lowest-numbered processors stay.]] } },
    { "reservations", "string|Reservation[]?", [[when
      [processors are reserved](#capacity-known-beforehand) for a user or a job: a list, or a
      CSV file with the columns `from`, `to`, `procs` or `nodes`, and `user` or `job`]],
      of = "c s", default = "none",
      flag = { "--reservations FILE", [[When processors are reserved: CSV as for --maintenance, and
        with a column user or job; its attempts may use them, and no others.]] } },
    { "pools", "table<string, integer|string>?", [[amounts that the whole machine has of what jobs
      need beside processors (`needs`), as `{ gpu = 8, mem = "2T" }`
      ([reading 55](../spec/READINGS.md#55-pools))]], of = "c s", default = "none",
      flag = { "--pool NAME=AMOUNT", [[An amount that the whole machine has, as gpu=32, matlab=20 or
        mem=4T: a column of that name says what a job needs of it; in dumps of sacct gpu is
        gres/gpu, mem the memory, a licence has its name. +10% is of the first amount of the pool,
        to the nearest whole one. May be given several times.]],
        kind = "assignment", several = true } },
    { "machine", "string|Machine?", [[a machine, or the path of a Lua file that returns one; what is
      given beside it replaces what it says]], of = "c s", default = "none", unit = "",
      flag = { "--machine FILE", [[The machine: a Lua file that returns a table with procs or
        nodes and partitions, pools and limits, or a slurm.conf; --procs, --pool and --limit replace
        what it says.]] } },
    { "limit", "string|(string|Limit)[]?", [[the most jobs, processors, nodes or what else the
      machine has (GPUs, memory, a pool) that the running jobs of one user, partition or other
      label, or all, [may use at once](#limits-of-what-runs): tables, or texts as on the command
      line. A job that exceeds one alone is refused. `waiting` is how many jobs of the key may wait:
      one more is refused at submission]],
      of = "c s", default = "none", unit = "",
      flag = { "--limit LIMIT", [[The most that the running jobs of one key may use at once:
        procs/user=512, jobs/array=2, procs/partition:debug=64 or jobs=100; gpu/account=16 of what
        --machine or --pool has; waiting/user=20 refuses a job while 20 jobs of its user wait; may
        be given several times.]], several = true } },
    { "equal_procs", "boolean?", [[some policies add processors to the machine with their
      [groups](../policies/README.md#groups); every other policy gets the same number in its first
      group; a note says so]], of = "c", default = "true" },
    { "max_attempts", "integer?", [[the most attempts of one job in a scenario, drawn or ended by
      failures of nodes; more is an error, as are 10 times as many that drawn failures of nodes end
      of all jobs (or 10 for each job, where that is more)]], of = "c s",
      default = "1000000; of nodes 100000", unit = "",
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
    { "metrics", "string[]?", [[of many scenarios: the metrics whose values are kept, 8 bytes for
      each scenario and policy, besides `ratio`; others cannot be asked for. Without it all are
      kept, in 200 bytes]], of = "c", optional = true },
    { "summaries", "boolean?", [[true: of many scenarios no values are kept, but
      [summaries](../spec/METRICS.md#summaries-without-values), in memory that does not grow with
      `runs`: means, intervals, extremes and differences from the first policy are those of all
      values, quartiles are off by less than 0.1% of themselves. What needs the values (`values`,
      `csv`, plots, `report`, ranks) is refused. Not with `precision`]], of = "c",
      default = "false",
      flag = { "--summaries", [[Only summaries of the scenarios are kept, in memory that does not
        grow with --runs; not with --csv, --plot and --report.]] } },
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
      "processor time of one call, ten times that by the clock",
      default = "5; of a pack policy 60", unit = "s",
      flag = { "--limit-seconds T", [[Processor time that one call of a policy may take (default: 5,
        of a pack policy 60), ten times that by the clock; seconds, or 2m.]], kind = "duration",
        positive = true } },
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
    { "jobs", "Jobs|string" },
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
    { "mtbf", "number|string?",
      'mean time between failures of one node: seconds, or a text as "5y" (of 365 days)',
      unit = "s",
      flag = { "--node-mtbf T", [[Mean time between failures of one node; seconds, or 12h, 90d, 5y
        (years of 365 days). The jobs on a node that fails go back to the queue and start anew.]],
        kind = "duration" } },
    { "mtbf_years", "number?",
      "mean time between failures of one node", unit = "years of 365 days" },
    { include = "runs.Faults", "law", "shape", flag = false },
    { "log", "string|LoggedFailure[]?", [[logged failures in place of drawn ones: a CSV file with
      the header `time,processor`, or a list of `{ time =, processor =, repair = }`, in order of
      time, on the clock of the log. Processors count from 0; the node of that processor fails]],
      flag = { "--node-failures FILE", [[The failures from a file instead: CSV with the header
        time,processor, in order of time.]] } },
    { "outages", "string?", [[outages from a file in place of drawn ones: CSV with the header
      `node,from,to`, where times are seconds of the log's clock or dates by `timezone`, or
      a dump of Slurm's events, `sacctmgr -P show event`, of which DOWN is a failure and
      DRAIN lets attempts end; [outages.h](../kernel/workload/outages.h) has all of it]],
      flag = { "--outages FILE", [[The outages from a file instead: CSV with the header
        node,from,to (seconds, or dates), or a dump of sacctmgr -P show event.]] } },
    { "node_names", "string?", [[for `outages`: the names of all nodes in their order, as Slurm
      writes lists]],
      default = "those of a slurm.conf, or numbers from 0, of a machine of nodes from 1",
      flag = { "--node-names LIST", [[The nodes' names in their order, for --outages, as
        'nid[0001-0128]' (default: those of a slurm.conf, else numbers from 0, with --machine of
        nodes from 1).]] } },
    { "procs", "integer?",
      "size of a node; the first node has the first processors, and so on",
      default = "1, or those of the machine's nodes", unit = "processors",
      flag = { "--node-procs N",
        "Processors of a node (default: 1, or the nodes of --machine fail).", least = 1,
        most = 2147483646 } },
    { "repair", "number|string|RepairLaw?", [[time until the node works again: seconds, a text as
      "4h", or a law as "lognormal:4h,1.2" (law, mean, shape) or `{ law =, mean =, shape = }`, from
      which every repair of a drawn failure is drawn]], default = "0", unit = "s",
      flag = { "--node-repair --repair LAW", [[How long a node is out (default: 0): seconds, or 30m,
        4h; or drawn, exponential:4h, lognormal:4h,1.2, weibull:4h,0.7 (mean, shape).]],
        kind = "nodes" } },
    { "lemons", "string|Lemons?", [[a share of the nodes that fail more often: {fields Lemons}, or a
      text as "0.02:10". Which nodes they are is drawn for every scenario; all others fail as
      without lemons]], default = "none",
      flag = { "--lemons SHARE:FACTOR", [[A share of the nodes that fails FACTOR times as often, as
        0.02:10.]], kind = "nodes" } },
    { "domains", "string|Domains?", [[racks or blades that fail as a whole, with exponential gaps:
      {fields Domains}, or a text as "32:10y". The first domain has the first nodes, and so on]],
      default = "none",
      flag = { "--domains NODES:MTBF", [[Racks or blades of so many nodes that fail as a whole, each
        with this mean time between failures, as 32:10y.]], kind = "nodes" } },
    { "domain_repair", "number|string|RepairLaw?", "time until a domain works again, as `repair`",
      default = "`repair`", unit = "s",
      flag = { "--domain-repair LAW", "How long a domain is out (default: as --repair).",
        kind = "nodes" } },
    { "retire_after", "integer?", [[a node is retired by so many failures of its own: a spare takes
      its place, as new; if none is left the place stays empty]], default = "never",
      unit = "failures",
      flag = { "--retire-after N", [[A node is retired by its N-th failure: a spare takes its place,
        or none, if none is left.]], least = 1, most = 2147483646 } },
    { "spares", "integer?", "spare nodes, for `retire_after`", default = "0", unit = "nodes",
      flag = { "--spares N", "Spare nodes, for --retire-after (default: 0).", least = 0,
        most = 2147483646 } },
    { "swap", "number|string?", "time until a spare is in its place", default = "0", unit = "s",
      flag = { "--swap T", "How long it takes to put a spare in (default: 0); seconds, or 30m, 4h.",
        kind = "duration" } },
    { "prediction", "string|Prediction?", [[failures that are announced, and false warnings, for the
      hook [`on_warning`](../policies/README.md#warnings) of policies: {fields Prediction}, or a
      text as "recall=0.8,precision=0.5,lead=10m". Failures are the same with and without it]],
      default = "none",
      flag = { "--prediction R", [[Failures are announced, beside false warnings, to policies with
        the hook on_warning: recall=0.8,precision=0.5,lead=10m, the share of the failures that are
        announced (default: 1), the share of the warnings that come true (1), and how long before.
        ]], kind = "nodes" } },
  },
  {
    class = "Prediction", about = "Failures that are announced.",
    { "recall", "number?", "share of the failures that are announced, 0 to 1", default = "1",
      unit = "" },
    { "precision", "number?", [[share of the warnings that come true, from 1e-6 to 1; of failures
      from a file or a list 1]], default = "1", unit = "" },
    { "lead", "number|string",
      'how long before the failure the warning comes: seconds, or a text as "10m"', unit = "s" },
  },
  {
    class = "Lemons", about = "Nodes that fail more often.",
    { "share", "number", "of the nodes, 0 to 1", unit = "" },
    { "factor", "number", "how many times as often they fail, at least 1", unit = "" },
  },
  {
    class = "Domains", about = "Nodes that fail together.",
    { "nodes", "integer", "nodes of a domain", unit = "nodes" },
    { "mtbf", "number|string",
      'mean time between failures of a domain: seconds, or a text as "10y"', unit = "s" },
  },
  {
    class = "RepairLaw", about = "How long repairs take.",
    { "law", '"constant"|"exponential"|"weibull"|"lognormal"?',
      '"constant", "exponential", or "weibull" or "lognormal", each with a `shape`',
      default = '"constant"' },
    { "mean", "number|string", "mean of the repairs: seconds, or a text as \"4h\"", unit = "s" },
    { "shape", "number?", "k of weibull, sigma of lognormal", unit = "" },
  },
  {
    class = "Checkpoints", names = { "checkpoint" }, head = "`checkpoint`",
    about = "Checkpoints of jobs: what an interruption leaves of their work.",
    { "cost", "number|string|CheckpointCost|fun(job: JobRecord): number?", [[time that a job takes
      to write one: a number, a text as "2m" or "30+0.5*procs", a table, or a function of the job;
      nil: this job cannot write any. Jobs of which the log says it (column `checkpoint`) do not
      look at it]], default = "the log's", unit = "s", optional = true,
      flag = { "--checkpoint-cost C", [[What a job takes to write a checkpoint: a time (120, 2m),
        or one that depends on its processors, A+B*procs or A+B/procs (default: column
        `checkpoint` of the log, which also goes first).]], kind = "checkpoint cost" } },
    { "recovery", "number|string|CheckpointCost|fun(job: JobRecord): number?", [[time that an
      attempt takes to go on from what is saved, in the same forms; column `recovery`]],
      default = "as long as a checkpoint", unit = "s", optional = true,
      flag = { "--recovery R", [[What an attempt takes to go on from a checkpoint, as
        --checkpoint-cost (default: as long as that; column `recovery` goes first).]],
        kind = "checkpoint cost" } },
    { "period", 'number|string|"none"|"young"|"daly"?', [[work between two checkpoints: a time, as
      3600 or "1h"; "none" (only on demand); or what Young's or Daly's formula gives from the mean
      time between failures of the job's nodes. A policy with a `period` of its own decides
      itself]], default = '"young"', unit = "s",
      flag = { "--checkpoint T", [[Jobs write checkpoints, and an attempt that a node's failure ends
        goes on from the last one: the work between two of them, 30m or 1h; young or daly, by these
        formulas; or none, only on demand of the policy.]], kind = "checkpoint period" } },
    { "mtbf", "number|string?", [[mean time between failures of one node, for these formulas]],
      default = "that of `node_failures`", unit = "s",
      flag = { "--checkpoint-mtbf T", [[Mean time between failures of a node, as young and daly see
        it (default: --node-mtbf).]], kind = "duration", positive = true } },
    { "before", 'string|string[]?', [[jobs write a checkpoint as well so that it is complete just
      before: "kill" (at the walltime), "drain" (one at a time, `drain_at`), "window" (that opens);
      a list, or a text as "kill,window"]], default = "none", unit = "",
      flag = { "--checkpoint-before LIST", [[Jobs write a checkpoint as well so that it is complete
        just before kill, drain or window: a list as kill,window.]], kind = "moments" } },
    { "requeue_killed", "boolean?", [[a job killed at its walltime waits again, for as long a
      walltime behind what it saved; it is over if that gets it no further]], default = "false",
      unit = "", flag = { "--requeue-killed", [[A job killed at its walltime waits again with what
        its checkpoints saved (default: it is over).]] } },
  },
  {
    class = "CheckpointCost", head = "a cost of checkpoints",
    about = "What a checkpoint takes: fixed + times_procs * procs + over_procs / procs.",
    { "fixed", "number|string?", default = "0", unit = "s" },
    { "times_procs", "number|string?", "for every processor of the job", default = "0",
      unit = "s" },
    { "over_procs", "number|string?", "divided by the processors of the job", default = "0",
      unit = "s" },
  },
  {
    class = "MaintenanceWindow", names = { "maintenance" }, head = "`maintenance`",
    about = "Processors, or what is of a pool, closed for a time ([reading "
      .. "48](../spec/READINGS.md#48-windows)).",
    { "from", "number|string", [[seconds of the log's clock, a text as "6h", or a date where
      the log has some]], unit = "s" },
    { "to", "number|string", "likewise; `math.huge`: for ever", unit = "s" },
    { "procs", "integer?", "so many processors, the highest-numbered of the machine",
      unit = "processors" },
    { "nodes", "string|integer|integer[]?", [[in place of `procs`: numbers of nodes from 0 and runs
      of them, "0-15,32"; a node has the `procs` of `node_failures`, else one processor. On a
      machine of nodes: its nodes, from 1, or the name of a partition, or "all"]], unit = "" },
    { "pool", "string?", "in place of `procs`: of this pool `amount` is closed", unit = "" },
    { "amount", "integer|string?", "as of `pools`", unit = "" },
  },
  {
    class = "CapacityStep", names = { "capacity" }, head = "`capacity`",
    about = "The size of the machine from a time on, until the next one.",
    { include = "runs.MaintenanceWindow", "from" },
    { "procs", "integer", "so many processors, the lowest-numbered", unit = "processors" },
  },
  {
    class = "Reservation", names = { "reservations" }, head = "`reservations`",
    about = "Processors that are reserved for a time.",
    { include = "runs.MaintenanceWindow", "from", "to", "procs", "nodes" },
    { "user", "string?", "whose jobs may run there", unit = "" },
    { "job", "string|integer?", "in place of `user`: the id of the job that may", unit = "" },
  },
  {
    class = "Machine", names = { "machine" }, head = "a machine",
    about = "What is simulated on; it prints as a table.",
    { "procs", "integer?", default = "of its nodes, or what the log says", unit = "processors" },
    { "nodes", "NodeKind[]?", "[nodes](../spec/READINGS.md#58-nodes), kind after kind",
      default = "processors are counted" },
    { "partitions", "table<string, MachinePartition>?",
      "[partitions](../spec/READINGS.md#59-partitions) by name", default = "none" },
    { "pools", "table<string, integer|string>?", "as `pools`", default = "none", unit = "" },
    { "limits", "string|(string|Limit)[]?", "as `limit`", default = "none", unit = "" },
    { "not_modelled", "string[]?", "what a slurm.conf says beside that", default = "nothing",
      unit = "" },
    { "node_names", "string?", "the nodes' names in their order, for `outages`: of a slurm.conf",
      default = "none", unit = "" },
  },
  {
    class = "NodeKind", names = { "nodes" }, head = "a kind of nodes",
    about = "Equal nodes; any other field is a resource of each, as `mem = \"256G\"` or `gpu = 8`.",
    { "count", "integer", unit = "nodes" },
    { "procs", "integer", "of each", unit = "processors" },
  },
  {
    class = "MachinePartition", names = { "partitions" }, head = "a partition",
    about = "Nodes that jobs ask for by the name of a partition; partitions may share nodes.",
    { "nodes", "string?", "their numbers, counted from 1, as \"1-60,65\"", default = "all",
      unit = "" },
    { "max_time", "number|string?", "the longest walltime; seconds, or a text as \"2d\"",
      default = "no limit", unit = "s" },
    { "max_waiting", "integer?", [[one more than so many waiting jobs of this partition is refused
      at submission: as the limit `waiting/partition:NAME`]], default = "no limit", unit = "jobs" },
    { "priority", "integer?", "jobs of a partition with a larger one come first", default = "0",
      unit = "" },
    { "exclusive", "boolean?", "its jobs share no node", default = "false" },
    { "default", "boolean?", "true: of jobs without a partition", default = "false" },
  },
  {
    class = "Limit", names = { "limit" }, head = "a limit",
    about = "The most that the running jobs of one key may use at once, or how many may wait.",
    { "most", "table<string, integer|string>", [[of `jobs`, `procs`, `waiting`, `nodes` (those that
      jobs ask for) and what the machine has beside one or more, as `{ procs = 512, gpu = 8 }`]] },
    { "per", "string?", "a label of jobs, as \"user\" or \"partition\"; \"all\": all together",
      default = '"all"', unit = "" },
    { "only", "string?", "only of jobs with this label", default = "each label has its own limit",
      unit = "" },
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
      "one policy in place of `policies`", of = "c s",
      default = policy_kinds.engines.tasks.shown_default },
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
      flag = { "--downtime D", "Downtime after a fault (default: 0); seconds, or 5m.",
        kind = "duration" } },
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
      flag = { "--checkpoint-fixed C0", "Added to every checkpoint (default: 0); seconds, or 2m.",
        kind = "duration" } },
    { "period", '"young"|"daly"?',
      'rule for the time between checkpoints, "young" or "daly"', default = '"young"',
      flag = { "--period", "Between checkpoints: young (default) or daly." } },
    { "startup", "number?", [[a task that goes from j to k processors takes `startup + max(min(j,
      k), abs(k - j)) * (m / (k * j * bandwidth) + latency)`]], default = "0", unit = "s",
      flag = { "--startup S", "Startup time of a redistribution (default: 0); seconds, or 2m.",
        kind = "duration" } },
    { "latency", "number?", "see `startup`", default = "0", unit = "s",
      flag = { "--latency BETA", "Latency of a message (default: 0); seconds, or 1m.",
        kind = "duration" } },
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
