-- results: what comparisons give.
return {
  {
    class = "Result", kind = "result", shown = "result", lua_class = "result",
    about = "The result of a comparison; printed, it is a table.",
    { "values", "(policy: integer|string, metric: string, set?: integer): number[]",
      "the values over scenarios, set after set", unit = "of the metric" },
    { "set_means", "(policy: integer|string, metric: string): number[]",
      "the mean of each set", unit = "of the metric" },
    { "samples", "(policy: integer|string, metric: string, set?: integer): number[]", [[the values
      that means are taken over: `values` of a single set, `set_means` of several sets]],
      unit = "of the metric" },
    { "summary", "(policy: integer|string, metric?: string, set?: integer): ResultSummary",
      "`orrery.summary` of the samples, and {fields ResultSummary}" },
    { "difference", "(a: integer|string, b: integer|string, metric?: string): Difference",
      [[`orrery.summary_paired` of the samples, b less a, and {fields Difference}; samples that only
      rounding tells apart differ by 0]] },
    { "differences", "(metric?: string): Difference[]", [[`difference` of each policy, by its index,
      from the first one; `significant` and `rank_significant` are each said of all of them
      together, after Holm's correction: that any difference is called so by chance has a
      probability of at most 5%]] },
    { "jobs", "(policy: integer|string, what: "
      .. '"end"|"runtime"|"time"|"flow"|"wait"|"bsld", set?: integer): number[]', [[the values of
      the jobs, if `runs` is 1: "end" (s, of the last attempt), "runtime" (s, what that attempt
      computed), "time" (s, what the scheduler knew of the runtime), "flow", "wait" (s) or "bsld".
      `set` may be left out if there is only one]] },
    { "users", "(policy: integer|string, set?: integer): UserRow[]",
      "metrics of every user's jobs, if `runs` is 1: a list, most work first, of {fields UserRow}"
      },
    { "resources", "(policy: integer|string, set?: integer): ResourceRow[]", [[the utilisation of
      pools, of resources of nodes, and of partitions that do not have all nodes, the mean over the
      scenarios: a list of {fields ResourceRow}; empty with `summaries`]] },
    { "resource_rows", "(): string[][]?", "the same of all policies as the cells of a table" },
    { "fidelity", "(): Fidelity?", [[how well the simulation of the first policy explains the waits
      that the log [records](METRICS.md#fidelity), by up to one more simulation: {fields Fidelity};
      nil where the log has no starts. It prints as a sentence, which is the last of `notes`]] },
    { "weekly", "(a: integer|string, b: integer|string, metric?: "
      .. '"bsld_mean"|"wait_mean"|"flow_mean", options?: WeeklyOptions): Weekly', [[the
      difference b less a of `bsld_mean` (default), `wait_mean` or `flow_mean` in one scenario, and
      how it varies over weeks, blocks of 168 hours from the first submission on: {fields Weekly}.
      The interval is that of `orrery.series_mean`. Options: {fields WeeklyOptions}]] },
    { "weekly_differences", '(metric?: "bsld_mean"|"wait_mean"|"flow_mean"): Weekly[]',
      "`weekly` of each policy from the first one, with `significant` as in `differences`" },
    { "plot", "(file?: string|ResultPlotOptions, options?: ResultPlotOptions): string?", [[plots the
      distribution of a metric over the scenarios, or for one scenario over its jobs, as `.png` or
      `.svg` (needs gnuplot); without a file the plot is printed]] },
    { "report", "(file: string, options?: ReportOptions)", [[writes a single page of HTML, for the
      screen, the phone and paper: the question, tables with intervals and paired differences,
      plots, the schedules of a median scenario, descriptions of the policies, the call that makes
      it again, and all numbers]] },
    { "csv", "(path?: string): string?",
      "one row per run and policy, written complete or not at all; without a path the text" },
    { "json", "(path?: string): string?", [[the specification and every metric as JSON, written
      complete or not at all; without a path the text]] },
    { "ends", "(policy: integer|string, run: integer): number[]",
      "for tasks: the list of their ends in a run", unit = "s" },
    { "ends_csv", "(path?: string): string?", [[all ends of tasks, one row per policy, run and task,
      written complete or not at all; without a path the text]] },
    { "notes", "string[]", "list of texts, such as why a policy ran on one thread" },
    { "policies", "ResultPolicy[]", "list of {fields ResultPolicy}" },
    { "sets", "ResultSet[]", [[list of {fields ResultSet}; `metrics:column(i, metric)` and
      `metrics:scenario(i, scenario)` look up one set]] },
    { "runs", "integer", "number of scenarios of each set", unit = "" },
    { "procs", "integer", "size of the machine", unit = "processors" },
    { "seed", "integer", "seed of the random numbers", unit = "" },
    { "rows", "(): string[][]", "the cells of the table" },
    { "title", "(): string", "the line above the table" },
    { "label", "(i: integer): string", "the name of a row" },
    { "index", "(policy: integer|string): integer",
      "the index of the policy with that name", unit = "" },
    { "partitions", "integer[][][][]?",
      "for [tasks in packs](#compare-and-session-of-tasks): lists of positions, by policy and run"
      },
    { "coschedule", "(policy?: integer|string, run?: integer): Coschedule",
      "for packs: the co-schedule. Here and below, policy and run default to the first",
      group = "packs" },
    { "packs", "(policy?: integer|string, run?: integer): ResultPack[]",
      "the packs in the order in which they run: list of {fields ResultPack}", group = "packs" },
    { "schedule", "(policy?: integer|string, run?: integer): ResultTask[]",
      "the tasks in the order of their packs: list of {fields ResultTask}", group = "packs" },
    { "write_schedule", "(path?: string, policy?: integer|string, run?: integer): string?",
      "the tasks in that order as CSV, `task,pack,procs,start,end`; without a path the text",
      group = "packs" },
  },
  {
    class = "ResultPolicy", about = "A policy of a result.",
    { "name", "string" },
    { "priority", "string?" },
  },
  {
    class = "ResultSet", about = "A set of jobs or tasks that was simulated separately.",
    { "name", "string|integer", unit = "" },
    { "jobs", "Jobs?" },
    { "tasks", "Tasks?", "for tasks" },
    { "count", "integer", "number of jobs or tasks", unit = "" },
    { "runs", "integer", unit = "" },
    { "metrics", "table" },
  },
  {
    class = "Fidelity", about = "How well a simulation explains the waits of a log.",
    { "policy", "string" },
    { "verdict", '"explains"|"in part"|"not"|"nothing"|"unknown"', [["nothing": too few jobs waited
      in the log, so it proves nothing; "unknown": the simulation failed, `problem` says why]] },
    { "jobs", "integer?", "jobs whose start is recorded", unit = "" },
    { "waited", "integer?", "of these, jobs that waited 60 s or longer", unit = "" },
    { "recorded_mean", "number?", "mean wait, as recorded", unit = "s" },
    { "simulated_mean", "number?", "mean wait, as simulated", unit = "s" },
    { "explained", "number?", "share of the recorded waiting that the simulation explains",
      unit = "" },
    { "correlation", "number?", "Spearman's rank correlation of the waits", unit = "" },
    { "problem", "string?" },
  },
  {
    class = "WeeklyOptions", about = "Options of `result:weekly`.",
    { "level", "number?", "of the interval", default = "0.95", unit = "" },
    { "jobs", "integer[]?", "only these jobs are counted, by number", default = "all that are" },
  },
  {
    class = "Weekly", about = "The difference of a mean between two policies over weeks.",
    { "count", "integer", "number of weeks with jobs", unit = "" },
    { "mean", "number", "difference of the means over all jobs", unit = "of the metric" },
    { "lower", "integer", "weeks in which the second policy has the lower mean", unit = "" },
    { "median", "number", "of the weeks' differences", unit = "of the metric" },
    { "least", "number", "of the weeks' differences", unit = "of the metric" },
    { "most", "number", "of the weeks' differences", unit = "of the metric" },
    { "differences", "number[]", "of the means of every week, in order", unit = "of the metric" },
    { "low", "number?", "lower end of the interval of `mean`; nil: the weeks cannot tell",
      unit = "of the metric" },
    { "high", "number?", "its upper end", unit = "of the metric" },
    { "sd", "number?", "standard error of `mean`; nil with fewer than 8 weeks",
      unit = "of the metric" },
    { "significant", "boolean", "true: there is an interval, and it excludes 0" },
  },
  {
    class = "UserRow", about = "Metrics of the jobs of a user.",
    { "user", "string?", "nil: jobs whose user the log does not name" },
    { "jobs", "integer", unit = "" },
    { "work", "number", unit = "processor-seconds" },
    { "wait_mean", "number", unit = "s" },
    { "wait_max", "number", unit = "s" },
    { "flow_mean", "number", unit = "s" },
    { "bsld_mean", "number", unit = "" },
    { "bsld_max", "number", unit = "" },
  },
  {
    class = "ResourceRow", about = "The utilisation of what jobs share.",
    { "name", "string" },
    { "kind", '"pool"|"resource"|"partition"', "resource: of nodes" },
    { "amount", "integer", "in all; of a partition the processors of its nodes",
      unit = "" },
    { "utilisation", "number", "the share that attempts held, over the span of `utilisation`",
      unit = "" },
  },
  {
    class = "ResultPack", about = "A pack that runs.",
    { "tasks", "string[]", "ids" },
    { "positions", "integer[]" },
    { "procs", "integer[]", unit = "processors" },
    { "cost", "number", unit = "s" },
    { "idle", "number", "share of the processors' time that is idle", unit = "" },
    { "start", "number", unit = "s" },
  },
  {
    class = "ResultTask", about = "A task in a pack that runs.",
    { "id", "string" },
    { "position", "integer", unit = "" },
    { "pack", "integer", unit = "" },
    { "procs", "integer", unit = "processors" },
    { "start", "number", unit = "s" },
    { "finish", "number", unit = "s" },
  },
}
