-- module: the functions of the module. How entries are written says ../reference.lua.
return {
  {
    class = "orrery", kind = "orrery", shown = "orrery", functions = true, head = "name",
    about = [[The module: `require "orrery"`; in scripts and at the prompt also a global.]],
    { "read", "(log: string, options?: ReadOptions): Jobs", [[jobs from a log: SWF, Mira's CSV, a
      dump of Slurm's `sacct -P`, Batsim's JSON or plain CSV, also gzipped; the format is recognised
      by the content, and [reader.h](../kernel/workload/reader.h) says what is read from which. A
      path, or a name: that of a file in `$XDG_DATA_HOME/orrery/mira` (where `orrery fetch-mira`
      puts `mira-2019`) or in `data/mira/`, without `.csv` or `.csv.gz`]] },
    { "weeks", "(log: string|Jobs, options?: WeekOptions): Week[], string, number",
      [[`jobs:weeks(options)` of a log, see [Jobs](#jobs); a path, a name or jobs]] },
    { "jobs", "(list: JobRow[]): Jobs", [[jobs from tables with {fields JobRow}; those behind
      `procs` and `time` may be left out]] },
    { "synthetic", "(options?: SyntheticOptions): Jobs",
      "jobs of RR-9296: uniform size and time, all submitted at 0" },
    { "mira_month", "(options?: MiraMonthOptions): Jobs",
      "jobs of a month in the manner of Mira's log" },
    { "lublin", "(options?: LublinOptions): Jobs", [[jobs that arrive over days and weeks, for a
      machine of any size: the model of Lublin and Feitelson]] },
    { "lublin_means", "(options?: LublinOptions): LublinMeans",
      "what that model has in the mean: {fields LublinMeans}" },
    { "tasks", "TaskMakers", [[`synthetic`, `read` and `list` make tasks that can run on any number
      of processors: see [Tasks](#tasks)]] },
    { "expected", "(options: ExpectedOptions): number|number[], ExpectedDetails|ExpectedDetails[]",
      [[the expected time of a task that checkpoints where processors fail: see
      [Expected times](#expected-times)]], unit = "s" },
    { "pack_problem", "(spec: ProblemSpec): Problem",
      "tasks on processors, to be put into packs: see [Packs](#packs)" },
    { "packs", "(spec: PacksSpec): Result",
      "what [pack policies](#packs-by-policies) make of the same tasks: a result" },
    { "compare", "(spec: CompareJobs|CompareTasks): Result", [[one or more policies on the same
      scenarios, of [jobs](#compare-and-session) or [tasks](#compare-and-session-of-tasks): a
      result]] },
    { "session", "(spec: SessionJobs): Session",
      "a [session](#a-session): a simulation of either to step through",
      overloads = { "(spec: SessionTasks): TaskSession" } },
    { "diff", "(a: AnySession, b: AnySession, options?: DiffOptions): Diff",
      "[what differs](#what-differs) between two sessions" },
    { "policies", "(): PolicyDescription[]",
      "list of all policies that have a name: {fields PolicyDescription}" },
    { "describe", "(name: string): PolicyDescription",
      "the same of one policy, given by name or path" },
    { "random", "(seed?: integer|RandomFields): Random",
      "a generator of [random numbers](#random-numbers)" },
    { "summary", "(list: number[]): Summary", [[{fields Summary} of a list of numbers; nan where
      there are too few]] },
    { "summary_paired", "(a: number[], b: number[]): Summary",
      "the same of the differences b[i] - a[i]" },
    { "student_quantile", "(p: number, dof: number): number",
      "the p-quantile of Student's t distribution: for intervals other than 95%", unit = "" },
    { "quantiles", "(list: number[], probabilities: number[]): number[]",
      "list of quantiles, interpolated (type 7, as R's and NumPy's default)" },
    { "bootstrap", "(sums: number[], weights: number[], options?: BootstrapOptions): Bootstrap",
      [[the mean `sum of sums / sum of weights` of blocks, and how sure it is: {fields Bootstrap}.
      Options: {fields BootstrapOptions}]] },
    { "help", "(thing?: any, width?: integer): string", [[what this reference says of a function, a
      method, an object, or a name: a policy, a command, a field ("job.procs", "session:finish"), as
      text in lines of at most so many letters (80); of nothing, what there is]] },
    { "version", "string", "the version" },
    { "home", "string", "the folder that holds `policies/`, `scripts/` and `data/`" },
    { "draw", "table", "the parts that [pictures](#pictures) are made of; may change" },
    { "tools", "table", "what the commands in `scripts/` share; may change" },
  },

  -- --- options --------------------------------------------------------------------------------

  {
    class = "ReadOptions", names = { "read" }, about = "Options of `orrery.read`.",
    { "status", "string|string[]?", [[only jobs of these: a list, or a text with commas;
      "completed", "failed", "cancelled", what else the log says, and "unknown"]] },
    { "ran", "boolean?", "true leaves out jobs that were cancelled before they ran" },
    { "wide", '"error"|"drop"|"keep"?',
      [["error", "drop" or "keep": jobs wider than the machine that the log states]] },
    { "count", '"cpus"|"nodes"?', [["cpus" or "nodes": what is a processor in a dump of sacct;
      without it CPUs, or nodes where it has no CPUs]] },
  },
  {
    class = "JobRow", names = { "jobs" }, about = "A job for `orrery.jobs`.",
    { "procs", "integer", unit = "processors" },
    { "time", "number", unit = "s" },
    { "submit", "number?", default = "0", unit = "s" },
    { "id", "string|integer?", unit = "" },
    { "walltime", "number?", unit = "s" },
    { "user", "string?" },
    { "queue", "string?" },
    { "partition", "string?" },
    { "status", "string?" },
  },
  {
    class = "SyntheticOptions", names = { "synthetic" }, about = "Options of `orrery.synthetic`.",
    { "count", "integer?", default = "100", unit = "jobs" },
    { "procs", "{ [1]: integer, [2]: integer }?", default = "{ 50, 2000 }", unit = "processors" },
    { "time", "{ [1]: number, [2]: number }?", default = "{ 100, 20000 }", unit = "s" },
    { "seed", "integer?", default = "1", unit = "" },
    { "set", "integer?", "the number of the set; sets of one seed are independent", default = "0",
      unit = "" },
  },
  {
    class = "MiraMonthOptions", names = { "mira_month" },
    about = "Options of `orrery.mira_month`.",
    { "count", "integer?", default = "4699", unit = "jobs" },
    { "days", "integer?", default = "30", unit = "days" },
    { "first_day", "string?", default = '"2019-06-01"' },
    { "per_day", "{ [1]: integer, [2]: integer }?", default = "{ 66, 277 }", unit = "jobs" },
    { "seed", "integer?", default = "1", unit = "" },
  },
  {
    class = "LublinOptions", names = { "lublin", "lublin_means" },
    about = "Options of `orrery.lublin` and `orrery.lublin_means`.",
    { "procs", "integer?", "of the machine", default = "128", unit = "processors" },
    { "days", "number?", "with a count alone as many as it takes", default = "30", unit = "days" },
    { "count", "integer?", "at most", unit = "jobs" },
    { "load", "number?", "the offered load to aim at; else what the model gives", unit = "" },
    { "types", '"both"|"batch"|"interactive"|"whole"?', [[batch and interactive jobs; or
      "batch", "interactive", or "whole": one set of constants for all]], default = '"both"' },
    { "week", "number[]|false?", "weights of Monday to Sunday; false: all alike",
      default = "{ 1, 1, 1, 1, 1, 0.9, 0.65 }", unit = "" },
    { "first_day", "string?", "a Monday", default = '"2024-01-01"' },
    { "walltimes", 'number|"users"?', [[a factor on runtimes, or "users": a factor of 1 to 5,
      rounded up to times that people ask for]], default = "none", unit = "" },
    { "scaled", "boolean?", [[as published, jobs of more than some 250 processors run long on any
      machine; true: those of that share of the machine]], default = "false" },
    { "seed", "integer?", default = "1", unit = "" },
    { "set", "integer?", "as for `orrery.synthetic`", default = "0", unit = "" },
  },
  {
    class = "BootstrapOptions", names = { "bootstrap" }, about = "Options of `orrery.bootstrap`.",
    { "level", "number?", default = "0.95", unit = "" },
    { "resamples", "integer?", default = "10000", unit = "" },
    { "seed", "integer?", default = "1", unit = "" },
  },

  -- --- what they return -----------------------------------------------------------------------

  {
    class = "LublinMeans", about = "What the model of Lublin and Feitelson has in the mean.",
    { "area", "number", "of a job", unit = "processor-seconds" },
    { "gap", "number", "between jobs", unit = "s" },
    { "load", "number", "offered", unit = "" },
  },
  {
    class = "PolicyDescription", about = "What a policy says about itself.",
    { "name", "string" },
    { "path", "string" },
    { "kind", '"priority"|"dispatch"|"redistribute"|"pack"', "what it can be given as" },
    { "title", "string?" },
    { "about", "string?" },
    { "source", "string?" },
    { "options", "table<string, PolicyOption>?" },
    { "per", "string?", "of those for jobs" },
    { "hooks", "string[]?", "of those for jobs: a list of their names" },
    { "on_end", "boolean?", "of those for tasks: whether it does something then" },
    { "on_fault", "boolean?", "the same" },
    { "problem", "string?", "of one that cannot be loaded, with `name` and `path` alone" },
  },
  {
    class = "Summary", about = "What `orrery.summary` says of numbers.",
    { "count", "integer", unit = "" },
    { "mean", "number", unit = "of the numbers" },
    { "sd", "number", unit = "of the numbers" },
    { "half_width", "number", "of the mean's 95% interval", unit = "of the numbers" },
    { "min", "number", unit = "of the numbers" },
    { "max", "number", unit = "of the numbers" },
  },
  {
    class = "Difference", parent = "Summary", about = "A paired difference of a result.",
    { "significant", "boolean", "whether the interval leaves out 0" },
  },
  {
    class = "Bootstrap", about = "What `orrery.bootstrap` says of blocks.",
    { "count", "integer", "blocks", unit = "" },
    { "mean", "number", unit = "of the sums" },
    { "sd", "number", "its standard error", unit = "of the sums" },
    { "low", "number", "of a BCa bootstrap interval", unit = "of the sums" },
    { "high", "number", "of the same", unit = "of the sums" },
    { "significant", "boolean", "0 is not in it" },
  },
}
