-- results: what comparisons give.
return {
  {
    class = "Result", kind = "result", shown = "result", lua_class = "result",
    about = "What a comparison gives; printed, it is a table.",
    { "values", "(policy: integer|string, metric: string, set?: integer): number[]",
      "the list over scenarios, set after set", unit = "of the metric" },
    { "set_means", "(policy: integer|string, metric: string): number[]",
      "the list of each set's mean", unit = "of the metric" },
    { "samples", "(policy: integer|string, metric: string, set?: integer): number[]",
      "what means are taken over: `values` of one set, `set_means` of several",
      unit = "of the metric" },
    { "summary", "(policy: integer|string, metric?: string, set?: integer): Summary",
      "`orrery.summary` of the samples" },
    { "difference", "(a: integer|string, b: integer|string, metric?: string): Difference",
      "`orrery.summary_paired` of the samples, b less a, and `significant`" },
    { "jobs", "(policy: integer|string, what: "
      .. '"end"|"runtime"|"flow"|"wait"|"bsld", set?: integer): number[]', [[the list over the jobs:
      "end" (s, of the last attempt), "runtime", "flow", "wait" (s) or "bsld"; where `runs` is 1.
      `set` may be left out where there is one]] },
    { "users", "(policy: integer|string, set?: integer): UserRow[]", [[what became of every user's
      jobs, of the same: a list, most work first, of {fields UserRow}]] },
    { "weekly", "(a: integer|string, b: integer|string, metric?: "
      .. '"bsld_mean"|"wait_mean"|"flow_mean", options?: BootstrapOptions): Bootstrap', [[the
      difference b less a of `bsld_mean` (default), `wait_mean` or `flow_mean` in one scenario, with
      the interval that `orrery.bootstrap` gives by resampling weeks: blocks of 168 hours from the
      first submission on]] },
    { "plot", "(file?: string|ResultPlotOptions, options?: ResultPlotOptions): string?", [[how a
      metric is spread over the scenarios, of one scenario over its jobs, as `.png` or `.svg`
      (wants gnuplot); printed where there is no file]] },
    { "report", "(file: string, options?: ReportOptions)", [[a page of HTML that needs nothing else,
      for the screen, the phone and paper: the question, tables with intervals and paired
      differences, plots, the schedules of a median scenario, what the policies are, the call that
      gives it again, and all numbers]] },
    { "csv", "(path?: string): string?",
      "one row per run and policy, written complete or not at all; without a path the text" },
    { "json", "(path?: string): string?", "what was run and every metric, in the same way" },
    { "ends", "(policy: integer|string, run: integer): number[]",
      "of tasks: the list of their ends in a run", unit = "s" },
    { "ends_csv", "(path?: string): string?",
      "all of them, one row per policy, run and task, as `csv` does" },
    { "notes", "string[]", "list of texts, such as why a policy ran on one thread" },
    { "policies", "ResultPolicy[]", "list of {fields ResultPolicy}" },
    { "sets", "ResultSet[]", [[list of {fields ResultSet}; `metrics:column(i, metric)` and
      `metrics:scenario(i, scenario)` look up one set]] },
    { "runs", "integer", "scenarios of each set", unit = "" },
    { "procs", "integer", "of the machine", unit = "processors" },
    { "seed", "integer", "of the random numbers", unit = "" },
    { "rows", "(): string[][]", "the cells of the table" },
    { "title", "(): string", "the line above it" },
    { "label", "(i: integer): string", "the name of a row" },
    { "index", "(policy: integer|string): integer", "the index behind a name", unit = "" },
    { "partitions", "integer[][][][]?",
      "of [tasks in packs](#compare-and-session-of-tasks), by policy and run: lists of positions" },
    { "coschedule", "(policy?: integer|string, run?: integer): Coschedule", [[of packs: the
      co-schedule itself; the first of each where none is named, here and below]],
      group = "packs" },
    { "packs", "(policy?: integer|string, run?: integer): ResultPack[]", [[the packs in the order in
      which they run: list of {fields ResultPack}]], group = "packs" },
    { "schedule", "(policy?: integer|string, run?: integer): ResultTask[]",
      "the tasks in that order: list of {fields ResultTask}", group = "packs" },
    { "write_schedule", "(path?: string, policy?: integer|string, run?: integer): string?",
      "the same as CSV, `task,pack,procs,start,end`; without a path the text", group = "packs" },
  },
  {
    class = "ResultPolicy", about = "A policy of a result.",
    { "name", "string" },
    { "priority", "string?" },
  },
  {
    class = "ResultSet", about = "What was simulated for itself.",
    { "name", "string|integer", unit = "" },
    { "jobs", "Jobs?" },
    { "tasks", "Tasks?", "of tasks" },
    { "count", "integer", "how many", unit = "" },
    { "runs", "integer", unit = "" },
    { "metrics", "table" },
  },
  {
    class = "UserRow", about = "What became of a user's jobs.",
    { "user", "string?", "nil: jobs of which the log names none" },
    { "jobs", "integer", unit = "" },
    { "work", "number", unit = "processor-seconds" },
    { "wait_mean", "number", unit = "s" },
    { "wait_max", "number", unit = "s" },
    { "flow_mean", "number", unit = "s" },
    { "bsld_mean", "number", unit = "" },
    { "bsld_max", "number", unit = "" },
  },
  {
    class = "ResultPack", about = "A pack that runs.",
    { "tasks", "string[]", "ids" },
    { "positions", "integer[]" },
    { "procs", "integer[]", unit = "processors" },
    { "cost", "number", unit = "s" },
    { "idle", "number", "share", unit = "" },
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
