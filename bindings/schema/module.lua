-- module: the functions of the module. How entries are written says reference/index.lua.
local labels = require "orrery.schema.labels"
local policy_kinds = require "orrery.schema.policy_kinds"

return {
  {
    class = "orrery", kind = "orrery", shown = "orrery", functions = true, head = "name",
    about = [[The module: `require "orrery"`; in scripts and at the prompt also a global.]],
    { "read", "(log: string, options?: ReadOptions): Jobs", [[jobs from a log: SWF, Mira's CSV, a
      dump of Slurm's `sacct -P` or `sacct --json`, Batsim's JSON or out_jobs.csv, a schedule that
      Orrery wrote, plain CSV, with `columns` any CSV, or a [format that is
      data](../scripts/README.md#formats-of-logs), also compressed (gzip, xz, bzip2,
      zstd). The content tells the format; [reader.h](../kernel/workload/reader.h) lists what is
      read from each format. `log` is a path, or the name of a file without `.csv` or `.csv.gz`
      in `$XDG_DATA_HOME/orrery/mira` (where `orrery fetch-mira` puts `mira-2019`)
      or in `data/mira/`]] },
    { "machine", "(machine: string|Machine): Machine",
      "[a machine](#limits-of-what-runs), checked; of the path of a Lua file that returns it" },
    { "weeks", "(log: string|Jobs, options?: WeekOptions): Week[], string, number",
      "`jobs:weeks(options)` of a log, see [Jobs](#jobs); `log` is a path, a name or jobs" },
    { "jobs", "(list: JobRow[]): Jobs",
      "jobs from tables with {fields JobRow}; only `procs` and `runtime` are required" },
    { "synthetic", "(options?: SyntheticOptions): Jobs",
      "jobs of RR-9296: uniform size and time, all submitted at 0" },
    { "mira_month", "(options?: MiraMonthOptions): Jobs",
      "jobs of a month in the manner of Mira's log" },
    { "lublin", "(options?: LublinOptions): Jobs", [[jobs that arrive over days and weeks, for a
      machine of any size: the model of Lublin and Feitelson]] },
    { "lublin_means", "(options?: LublinOptions): LublinMeans",
      "the means of that model: {fields LublinMeans}" },
    { "tasks", "TaskMakers", [[`synthetic`, `read` and `list` make tasks that can run on any number
      of processors: see [Tasks](#tasks)]] },
    { "expected", "(options: ExpectedOptions): number|number[], ExpectedDetails|ExpectedDetails[]",
      [[the expected time of a task that takes checkpoints on processors that fail: see [Expected
      times](#expected-times)]], unit = "s" },
    { "pack_problem", "(spec: ProblemSpec): Problem",
      "tasks and processors, to be divided into packs: see [Packs](#packs)" },
    { "packs", "(spec: PacksSpec): Result",
      "runs [pack policies](#packs-by-policies) on the same tasks: a result" },
    { "compare", "(spec: CompareJobs|CompareTasks): Result", [[runs one or more policies on the same
      scenarios, of [jobs](#compare-and-session) or [tasks](#compare-and-session-of-tasks): a
      result]] },
    { "search", "(spec: SearchSpec): Search", [[looks for a policy that is better than others, among
      options, policies, priorities and formulas, and says whether it [found](#search) one]] },
    { "session", "(spec: SessionJobs): Session",
      "a [session](#a-session): a simulation of jobs or of tasks, to step through",
      overloads = { "(spec: SessionTasks): TaskSession" } },
    { "diff", "(a: AnySession, b: AnySession, options?: DiffOptions): Diff",
      "the [differences](#differences) between two sessions" },
    { "policies", "(): PolicyDescription[]",
      "list of all policies that have a name: {fields PolicyDescription}" },
    { "describe", "(name: string, limits?: Limits): PolicyDescription", [[the description of one
      policy, given by name or path, with the fields that `orrery.policies` lists]] },
    { "random", "(seed?: integer|RandomFields): Random",
      "a generator of [random numbers](#random-numbers)" },
    { "summary", "(list: number[]): Summary",
      "{fields Summary} of a list of numbers; nan if there are too few numbers" },
    { "summary_paired", "(a: number[], b: number[]): Summary",
      "`orrery.summary` of the differences b[i] - a[i]" },
    { "student_quantile", "(p: number, dof: number): number",
      "the p-quantile of Student's t distribution, for intervals other than 95%", unit = "" },
    { "half_width", "(count: integer, sd: number, skewness: number, level: number): number",
      [[half the width of the interval of a mean, from the numbers of a summary
      ([reading 56](../spec/READINGS.md#56-few-skewed-samples))]], unit = "" },
    { "quantiles", "(list: number[], probabilities: number[]): number[]",
      "list of quantiles, interpolated (type 7, the default of R and NumPy)" },
    { "quantile_interval", "(list: number[], probability: number, level?: number): Quantile",
      [[a quantile of a list of numbers with its interval (level: 0.95), for any distribution:
      {fields Quantile}]] },
    { "signed_rank", "(differences: number[], level?: number): SignedRank",
      [[Wilcoxon's signed-rank test of paired differences, and the estimate of Hodges and Lehmann
      with its interval (level: 0.95): {fields SignedRank}]] },
    { "series_mean", "(sums: number[], weights: number[], level?: number): SeriesMean",
      [[the mean `sum of sums / sum of weights` of blocks in order of time that depend on each
      other, such as weeks of a log, with its interval
      ([reading 39](../spec/READINGS.md#39-the-interval-over-weeks); level: 0.95):
      {fields SeriesMean}]] },
    { "help", "(thing?: any, width?: integer): string", [[the text of this reference about a
      function, a method, an object, or a name: a policy, a command, a field ("job.procs",
      "session:finish"); in lines of at most `width` letters (80). Without a thing: an overview]] },
    { "version", "string", "the version" },
    { "home", "string", "the folder that holds `policies/`, `scripts/` and `data/`" },
    { "draw", "table", "the parts that [pictures](#pictures) are made of; may change" },
    { "tools", "table", "functions that the commands in `scripts/` share; may change" },
  },

  -- --- options --------------------------------------------------------------------------------

  {
    class = "ReadOptions", names = { "read" }, about = "Options of `orrery.read`.",
    { "status", "string|string[]?", [[keeps only jobs with these statuses, a list or a text with
      commas: "completed", "failed", "cancelled", other words of the log, and "unknown"]],
      flag = { "--status S,S", [[Only jobs that ended so: one or more of completed, failed,
        cancelled, or whatever the log says, and unknown.]] } },
    { "ran", "boolean?", "true leaves out jobs that were cancelled before they ran",
      flag = { "--ran", "Leave out jobs that were cancelled before they ran." } },
    { "wide", '"error"|"drop"|"keep"?',
      '"error", "drop" or "keep": treatment of jobs wider than the machine that the log states',
      flag = { "--wide",
        "Jobs wider than the machine of the log: an error (default), dropped, or kept." } },
    { "procs", "integer?", [[size of the machine for `wide`, in place of what the log says]],
      unit = "processors", least = 1, most = 2147483646 },
    { "count", '"cpus"|"nodes"?', [["cpus" or "nodes": what counts as a processor in a dump of
      sacct; default: CPUs, or nodes if the dump has no CPUs]],
      flag = { "--count",
        "What is a processor in a dump of sacct (default: CPUs, if they are there)." } },
    { "submitted", '"eligible"|"submit"?', [["eligible" or "submit": when a job of Slurm counts as
      submitted, when it could start (column Eligible), or at its Submit; the two differ for jobs
      that were held, were to begin later or waited for another]], default = '"eligible"',
      flag = { "--submitted", [[When a job of Slurm counts as submitted: when it could start
        (default), or at its Submit.]] } },
    { "procs_of", '"requested"|"allocated"?', [["requested" or "allocated": which processors of a
      job count, where SWF, Mira's columns or sacct have both; default: requested ones in SWF,
      allocated ones in others]],
      flag = { "--procs-of", "Which processors of a job count (default: requested in SWF, else "
        .. "allocated)." } },
    { "timezone", "string?", [[by whose clocks dates and days of the jobs are: a name such as
      "Europe/Stockholm". It is also whose clocks the times in a dump of `sacct -P` show, and dates
      without a zone that `columns` describes; other formats define their times]],
      default = '"UTC"' },
    { "origin", "string?", [[for a log without dates: when second 0 of its clock is, as
      "2019-06-14 07:04", on the clocks of `timezone`]] },
    { "strict", "boolean?", [[true: a record that cannot be read is an error; otherwise it is left
      out, with its line and what is wrong with it, see `jobs:dropped`]], default = "false",
      flag = { "--strict", "A record of the log that cannot be read is an error." } },
    { "damaged", "boolean?", [[true: of compressed data that is cut off or damaged, the records
      before the damage are read; otherwise damage is an error]], default = "false",
      flag = { "--damaged", "A damaged compressed file is read up to the damage." } },
    { "dependencies", "boolean?", [[true: read which jobs a job comes after (fields 17 and 18 of
      SWF, dependencies of sacct, `after` of plain CSV); `dependencies` of `orrery.compare` and
      `orrery.session` keeps them]], default = "false",
      flag = { "--dependencies", [[Jobs are submitted when the jobs that they come after have ended
        and the user has thought: fields 17 and 18 of SWF, dependencies of sacct.]] } },
    { "pools", "table<string, integer|string>?", [[as [in a comparison](#compare): what jobs need of
      these is read, from a column of that name of a CSV; in dumps of sacct `gpu` is gres/gpu, `mem`
      the memory in bytes, a licence has its name]], default = "none" },
    { "machine", "string|Machine?", [[as [in a comparison](#compare): what jobs need of its pools
      and nodes is read]], default = "none" },
    { "threads", "integer?", "number of threads that read an SWF log; the jobs do not depend on it",
      default = "all cores", unit = "", least = 1, most = 4096 },
    { "header", "string?", [[the names of the columns of a log without a first line of names, with
      commas: "JobIDRaw,Submit,ElapsedRaw,..." of `sacct -n`]],
      flag = { "--header NAME,NAME", [[The columns of a log without a first line of names, as those
        of sacct -n.]] } },
    { "format", "string?", [[a format as data, by name (files in `scripts/formats/`) or by the path
      of a Lua file ("./NAME.lua"); formats that have a name are also told by the content of the
      log]],
      flag = { "--format NAME|FILE", [[The format of the log, where its content does not tell it: a
        name (pbs, lsf, grid-engine, ...) or a Lua file as in scripts/formats/.]] } },
    { "delimiter", "string?", [[what stands between columns, where the header does not tell it:
      "semicolon", "blank" (any number of them), "tab", "colon", "bar", "comma", or the
      character]],
      flag = { "--delimiter WORD", [[What stands between columns: semicolon, blank, tab, colon, bar,
        comma, or the character (default: the header tells it).]] } },
    { "rows", "string?", [[which rows of a log with columns count, by the texts of columns:
      "Partition=gpu|long,User!=root"; others are left out]],
      flag = { "--rows COLUMN=WORD,...", [[Only rows with these texts in their columns:
        Partition=gpu|long,User!=root.]] } },
    { "columns", "string|table<string, string>?", [[what columns mean: `{ submit =
      "adt:unix", procs = "nnumr", runtime = "duration:min" }`, or a text with commas as on the
      command line. Fields are id, submit, start, end, procs, requested (processors),
      machine (its processors), runtime, walltime, wait, think]] .. labels.paid .. [[, after, user,
      queue, partition, status, account, qos, array, asks (several times: what a job asks for
      and simulations do not model, as GPUs; a note counts it), and what is read for `pools` and
      `machine`, as gpu or mem_per_node; behind a colon stands the unit of a number (s, ms, us, ns,
      min, h, d; `unix`, `unix-ms` of a moment; of `procs` how many processors each counts; of
      `machine` `NAME=PROCS`, where its name is there; of `asks` `text`, where it is no amount), or
      the format of a date (`%d.%m.%Y %H:%M`; `utc`: it is not local). In a log that is recognised,
      such as a dump of sacct, they replace these fields, and all else is as without them]],
      flag = { "--columns FIELD=COLUMN,...", [[What columns mean, of any CSV or in place of those
        of a log that is recognised:
        submit=adt:unix,procs=nnumr,runtime=duration:min; behind a colon the unit of a number or the
        format of a date, see orrery.read.]] } },
  },
  {
    class = "JobRow", names = { "jobs" }, about = "A job for `orrery.jobs`.",
    { "procs", "integer", unit = "processors" },
    { "runtime", "number", "what the job takes", unit = "s" },
    { "time", "number?", "old name of `runtime`", unit = "s" },
    { "submit", "number?", default = "0", unit = "s" },
    { "id", "string|integer?", unit = "" },
    { "walltime", "number?", "the time that its user asked for", unit = "s" },
    { "needs", "table<string, integer>?", [[what it needs of pools and of nodes, as `{ gpu = 2 }`;
      `nodes` is on how many nodes it runs, `exclusive` 1 that it shares none]] },
    labels.entries(),
  },
  {
    class = "SyntheticOptions", names = { "synthetic" }, about = "Options of `orrery.synthetic`.",
    { "count", "integer?", "at most 100 million", default = "100", unit = "jobs" },
    { "procs", "{ [1]: integer, [2]: integer }?", default = "{ 50, 2000 }", unit = "processors" },
    { "time", "{ [1]: number, [2]: number }?", default = "{ 100, 20000 }", unit = "s" },
    { "seed", "integer?", default = "1", unit = "" },
    { include = "runs.JobsSpec", "set", of = false },
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
    { "procs", "integer?", "size of the machine", default = "128", unit = "processors" },
    { "days", "number?",
      "length; with a count alone, as long as the count needs", default = "30", unit = "days" },
    { "count", "integer?", "the most jobs; more than 100 million to be expected are refused",
      unit = "jobs" },
    { "load", "number?",
      "the offered load to aim at; default: the load that the model gives", unit = "" },
    { "types", '"both"|"batch"|"interactive"|"whole"?', [[batch and interactive jobs; or "batch",
      "interactive", or "whole": one set of constants for all jobs]], default = '"both"' },
    { "week", "number[]|false?",
      "weights of Monday to Sunday; false: all days alike",
      default = "{ 1, 1, 1, 1, 1, 0.9, 0.65 }", unit = "" },
    { "first_day", "string?", "a Monday", default = '"2024-01-01"' },
    { "walltimes", 'number|"users"|"tsafrir"?', [[a factor on runtimes; "users": a factor of 1 to 5,
      rounded up to times that users request; or "tsafrir": `jobs:user_estimates` with a longest
      estimate of 48 h]], default = "none", unit = "" },
    { "scaled", "boolean?", [[as published, jobs of more than some 250 processors run long on any
      machine; true: jobs of more than that share of the machine run long]], default = "false" },
    { "seed", "integer?", default = "1", unit = "" },
    { include = "runs.JobsSpec", "set", of = false },
  },

  -- --- what they return -----------------------------------------------------------------------

  {
    class = "LublinMeans", about = "Means of the model of Lublin and Feitelson.",
    { "area", "number", "mean area of a job", unit = "processor-seconds" },
    { "gap", "number", "mean time between submissions", unit = "s" },
    { "load", "number", "offered load", unit = "" },
  },
  {
    class = "PolicyDescription", about = "The description of a policy.",
    { "name", "string" },
    { "path", "string" },
    { "kind", policy_kinds.type_of(policy_kinds.names()), "what the policy can be given as" },
    { "title", "string?" },
    { "about", "string?" },
    { "source", "string?" },
    { "options", "table<string, PolicyOption>?" },
    { "per", "string?", "for jobs: when the priority is computed" },
    { "hooks", "string[]?", "for jobs: a list of the names of its hooks" },
    { "groups", "boolean?", "for jobs: whether it divides the processors into groups" },
    { "on_end", "boolean?", "for tasks: whether it acts when a task ends" },
    { "on_fault", "boolean?", "for tasks: whether it acts after a fault" },
    { "on_start", "boolean?", "for tasks: whether it says what the tasks start on" },
    { "period", "boolean?", "for tasks: whether it gives the periods of their checkpoints" },
    { "problem", "string?",
      "the error, if the policy cannot be loaded; then only `name` and `path` are there" },
  },
  {
    class = "Summary", about = "A summary of numbers, made by `orrery.summary`.",
    { "count", "integer", unit = "" },
    { "mean", "number", unit = "of the numbers" },
    { "sd", "number", unit = "of the numbers" },
    { "half_width", "number", [[half the width of the mean's 95% interval: Student's, of 24 numbers
      or fewer [wider](../spec/READINGS.md#56-few-skewed-samples)]], unit = "of the numbers" },
    { "min", "number", unit = "of the numbers" },
    { "max", "number", unit = "of the numbers" },
    { "skewness", "number", "sample skewness; nan where it is not known", unit = "" },
  },
  {
    class = "ResultSummary", parent = "Summary", about = "A summary of a result's samples.",
    { "low", "number?", [[lower end of the interval over days or weeks of one log (`by`), where
      `half_width` is its farther end]], unit = "of the metric" },
    { "high", "number?", "its upper end", unit = "of the metric" },
    { "q1", "number", "lower quartile", unit = "of the metric" },
    { "median", "number", unit = "of the metric" },
    { "q3", "number", "upper quartile", unit = "of the metric" },
  },
  {
    class = "Difference", parent = "Summary",
    about = "A paired difference of a result; with `summaries` without median and ranks.",
    { "significant", "boolean", "true: the 95% interval excludes 0" },
    { "low", "number?", "lower end of the interval over days or weeks of one log (`by`)",
      unit = "of the metric" },
    { "high", "number?", "its upper end", unit = "of the metric" },
    { "median", "number?", "of the differences", unit = "of the metric" },
    { "shift", "number?", [[the estimate of Hodges and Lehmann: the median of the means of all pairs
      of differences]], unit = "of the metric" },
    { "shift_low", "number?", "lower end of its 95% interval; -inf with fewer than 6 samples",
      unit = "of the metric" },
    { "shift_high", "number?", "its upper end; inf with fewer than 6 samples",
      unit = "of the metric" },
    { "rank_p", "number?", "of Wilcoxon's signed-rank test, two-sided", unit = "" },
    { "rank_significant", "boolean?", "true: `rank_p` is at most 5%" },
    { "negative", "integer?", "with `summaries`: number of samples where the second has less",
      unit = "" },
    { "positive", "integer?", "with `summaries`: where it has more", unit = "" },
  },
  {
    class = "Quantile",
    about = "A quantile with its interval, made by `orrery.quantile_interval`.",
    { "count", "integer", unit = "" },
    { "value", "number", "as `orrery.quantiles` has it", unit = "of the numbers" },
    { "low", "number", "lower end of the interval; -inf for too few numbers",
      unit = "of the numbers" },
    { "high", "number", "its upper end; inf for too few numbers", unit = "of the numbers" },
  },
  {
    class = "SignedRank", about = "Wilcoxon's signed-rank test, made by `orrery.signed_rank`.",
    { "count", "integer", "number of differences", unit = "" },
    { "ranked", "integer", "number of differences that are not 0", unit = "" },
    { "statistic", "number", "the sum of the ranks of the differences above 0", unit = "" },
    { "p", "number", [[two-sided; exact for up to 50 ranked differences, also with ties; of a
      normal distribution for more]], unit = "" },
    { "estimate", "number", "of Hodges and Lehmann: the median of the means of all pairs",
      unit = "of the differences" },
    { "low", "number", "lower end of its interval; -inf for too few differences (95%: below 6)",
      unit = "of the differences" },
    { "high", "number", "its upper end; inf for too few", unit = "of the differences" },
  },
  {
    class = "SeriesMean", about = "A mean over blocks, made by `orrery.series_mean`.",
    { "count", "integer", "number of blocks", unit = "" },
    { "mean", "number", unit = "of the sums" },
    { "sd", "number", "standard error of the mean", unit = "of the sums" },
    { "low", "number", "lower end of the interval; nan where the blocks cannot tell",
      unit = "of the sums" },
    { "high", "number", "upper end of that interval", unit = "of the sums" },
    { "significant", "boolean", "true: the interval excludes 0" },
  },
}
