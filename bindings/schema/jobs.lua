-- jobs: workloads of rigid jobs.
local labels = require "orrery.schema.labels"

return {
  {
    class = "Jobs", kind = "jobs", names = { "log" }, shown = "jobs", metatable = "orrery.jobs",
    about = "Jobs of a log, or drawn jobs. They cannot be changed; a selection is a new object.",
    { "#", "integer", "number of jobs", unit = "jobs" },
    { "[]", "JobRecord", [[a job as a table {fields JobRecord}; from `walltime` on a field is nil if
      it is not known; `ipairs(jobs)` iterates]], index = "i" },
    { "each", "(): fun(): integer?, JobRecord", "iterates over position and job" },
    { "day", "(day: string|integer): Jobs", [[the jobs submitted on a day: "2019-06-14", or
      the number of the day in a log without dates]] },
    { "days", "(): Day[]", "list of {fields Day}, without the days that have no jobs" },
    { "week", "(week: string): Jobs", 'the jobs submitted in an ISO week, "2019-W24"' },
    { "between", "(from: number|string, to: number|string): Jobs",
      'the jobs with from <= submission < to: seconds, or "YYYY-MM-DD HH:MM:SS"' },
    { "filter", "(f: fun(job: JobRecord): any): Jobs", "the jobs for which f(job) is true" },
    { "counting", "(f: fun(job: JobRecord): any, words?: string): Jobs", [[all jobs, of which
      [metrics of jobs](../spec/METRICS.md), tables and the fidelity count those for which f(job) is
      true; all are simulated. `words` say which, in notes]] },
    { "position", "(id: string): integer?, integer?", [[the position of the job with this id, nil if
      there is none; if several jobs have this id, also the position of the second]], unit = "" },
    { "seconds", "(date: string): number", [[the time on the log's clock of a date, "YYYY-MM-DD
      HH:MM:SS"]], unit = "s" },
    { "date", "(seconds: number): string?",
      "the date of a time on the log's clock, nil in logs without dates" },
    { "load", "(factor: number): Jobs", [[all jobs, submitted `factor` times as fast, counted from
      the first submission; 2 doubles the load]] },
    { "slices", "(options: SliceOptions): JobSet[]", [[the jobs in parts of equal length: a list of
      {fields JobSet}, as `sets` of `orrery.compare` takes it, named after the day that each begins
      on or, in logs without dates, by number. Days are counted from the first submission to the
      last, and the last one in full; those that do not fill a slice are left out, and slices
      without jobs. Options: {fields SliceOptions}]] },
    { "user_estimates", "(options?: UserEstimatesOptions): Jobs", [[all jobs, with walltimes of
      [Tsafrir's model of user estimates](../spec/READINGS.md#40-user-estimates). Options: {fields
      UserEstimatesOptions}]] },
    { "weeks", "(options?: WeekOptions): Week[], string, number", [[the busy weeks of the machine,
      each 168 h, from the first submission on: a list of {fields Week}; then the measure that was
      used, and the utilisation of the busiest week. Options: {fields WeekOptions}]] },
    { "mean_area", "(): number", "mean of processors x runtime", unit = "processor-seconds" },
    { "csv", '(format?: "plain"|"mira"|"swf"): string',
      'the jobs as text, in "plain" (default), "mira" or "swf"' },
    { "to_csv", '(format: "plain"|"mira"|"swf", path: string)',
      "writes the jobs to a file, complete or not at all" },
    { "describe", "(options?: DescribeOptions): LogDescription", [[what the jobs are: load, widths,
      times, waits, users, what was left out, what is odd.
      Options: {fields DescribeOptions}]] },
    { "plot", "(file?: string|LogPlotOptions, options?: LogPlotOptions): string?", [[plots times,
      widths, hours of submission and the load of each day, as `.png` or `.svg`; without a file in
      the terminal (needs gnuplot). Options: {fields LogPlotOptions}]] },
    { "report", "(file: string, options?: LogReportOptions)",
      [[writes `describe` and `plot` as a single page of HTML, complete or not at all. Options:
      {fields LogReportOptions}]] },
    { "values", "(of: "
      .. '"submit"|"procs"|"runtime"|"walltime"|"area"|"accuracy"|"wait"|"slowdown"'
      .. labels.paid:gsub(", (%w+)", '|"%1"') .. "): number[]",
      [[a value of every job, nan where the log does not tell it: "accuracy" is runtime / walltime,
      "wait" the wait in the log, "slowdown" the bounded slowdown there; or "submit", "procs",
      "runtime", "walltime", "area"]] .. labels.paid:gsub(", (%w+)", ', "%1"') .. " of a job" },
    { "dropped", "(): DroppedRecord[]",
      "the records that the reader left out: list of {fields DroppedRecord}" },
    { "machine_procs", "integer?",
      "size of the machine, nil if the log does not say it", unit = "processors" },
    { "origin", "string?", "the date of second 0, nil where the log has no dates" },
    { "zone", "string?", [[by whose clocks dates and days are: "UTC", the `timezone` of the reader,
      or "local time" where they are what the log's clocks show (a dump of sacct read without
      `timezone`); nil where the log has no dates]] },
    { "warmup_jobs", "integer", [[the first so many jobs are simulated, but left out of [metrics of
      jobs](../spec/METRICS.md#metrics-of-a-run): 0, but for slices and what is selected from
      them]], unit = "jobs" },
  },
  {
    class = "JobRecord", about = "A job of a workload.",
    { "id", "string" },
    { "submit", "number", unit = "s" },
    { "procs", "integer", unit = "processors" },
    { "runtime", "number", "what the job takes", unit = "s" },
    { "time", "number", "old name of `runtime`", unit = "s" },
    { "area", "number", "`procs * runtime`", unit = "processor-seconds" },
    { "walltime", "number?", "the time that its user asked for", unit = "s" },
    { "wait", "number?", "the wait in the log, nil if it is not known", unit = "s" },
    { "needs", "table<string, integer>?", [[what it needs of each pool, as `needs.gpu`; nil where
      the jobs need none]] },
    { "after", "string?", [[the ids of the jobs that it comes after, between blanks, each with "+30"
      behind it if it is submitted so many seconds after that job's end; read with `dependencies`]],
      },
    labels.entries(),
  },
  {
    class = "Day", about = "A day of a log.",
    { "day", "string|integer", unit = "" },
    { "jobs", "Jobs" },
  },
  {
    class = "DescribeOptions", names = { "describe" }, about = "Options of `jobs:describe`.",
    { include = "jobs.WeekOptions", "procs" },
    { include = "runs.JobsSpec", "tau", of = false },
  },
  {
    class = "LogDescription", kind = "description", shown = "description",
    lua_class = "description",
    about = "What the jobs of a log are; it prints. Fields that the log leaves open are nil.",
    { "csv", "(path?: string): string?",
      "all numbers, one in a row, written complete or not at all; without a path the text" },
    { "json", "(path?: string): string?",
      "all numbers as JSON, written complete or not at all; without a path the text" },
    { "jobs", "integer", unit = "jobs" },
    { "procs", "integer?", "size of the machine", unit = "processors" },
    { "first", "number?", "first submission", unit = "s" },
    { "last", "number?", "last submission", unit = "s" },
    { "first_date", "string?", "date of the first submission, nil in logs without dates" },
    { "last_date", "string?", "date of the last submission" },
    { "ended", "number?", "last end that the log tells", unit = "s" },
    { "area", "number", "work of all jobs", unit = "processor-seconds" },
    { "offered", "number?", [[work of all jobs per processor and second between the first
      and the last submission]], unit = "" },
    { "reached", "number?", [[work that ran between these two submissions, as the log tells it,
      per processor and second]], unit = "" },
    { "width", "LogSpread", "processors of a job: {fields LogSpread}" },
    { "runtime", "LogSpread", "runtimes, s" },
    { "walltime", "LogSpread?", "walltimes, s" },
    { "accuracy", "LogSpread?", "runtime / walltime" },
    { "wait", "LogSpread?", "waits in the log, s" },
    { "slowdown", "LogSpread?", "bounded slowdowns in the log" },
    { "interarrival", "LogSpread?", "times from a submission to the next, s" },
    { "by_hour", "integer[]", [[submissions in each hour of the day, by `zone`, or of the log's
      clock in logs without dates]], unit = "jobs" },
    { "zone", "string?", "as `jobs.zone`" },
    { "by_weekday", "integer[]?", [[submissions on each day of the week from Monday on, nil in
      logs without dates]],
      unit = "jobs" },
    { "serial", "integer", "jobs of one processor", unit = "jobs" },
    { "powers_of_two", "integer", "jobs of 1, 2, 4, ... processors", unit = "jobs" },
    { "shares", "table<string, LogShare[]>", [[under "user", "queue", "partition", "account",
      "qos" and "status", if the log has them: a list, largest area first, of {fields LogShare}]] },
    { "dropped", "LogDropped[]", [[records that were left out, by reason: list of
      {fields LogDropped}]] },
    { "instant", "integer", "jobs that take no time", unit = "jobs" },
    { "overran", "integer", "jobs that took longer than their walltime", unit = "jobs" },
    { "wide", "integer", "jobs wider than the machine", unit = "jobs" },
    { "first_wide", "string?", "id of the first of them" },
    { "not_modelled", "string?", [[what jobs asked for and simulations do not model, with the number
      of jobs and the most in use at once, and the labels that only policies read]] },
    { "remedy", "string?", "the options that model it, with their least amounts" },
    { "not_read", "string?", "the columns that were not read" },
    { "remarks", "string[]", [[what is odd about records that are jobs all the same: starts before
      submissions, runtimes that are not end less start, ...]] },
    { "repeated", "integer", "jobs with the id of a job before them", unit = "jobs" },
    { "repeated_id", "string?", "the first such id" },
    { "backward", "integer", "jobs submitted before the one in front of them in the log",
      unit = "jobs" },
    { "back", "number", "how long before it the most backward one was", unit = "s" },
    { "most_backward", "string?", "its id" },
    { "gap", "number", "longest time without a submission", unit = "s" },
    { "gap_from", "number?", "its beginning", unit = "s" },
    { "peak", "integer", "most processors in use at once, as the log tells it; 0 if it does not",
      unit = "processors" },
    { "peak_at", "number?", "the first time of it", unit = "s" },
  },
  {
    class = "LogSpread", about = "How a quantity is spread over the jobs of a log.",
    { "known", "integer", "jobs of which the log tells it", unit = "jobs" },
    { "mean", "number", unit = "" },
    { "least", "number", unit = "" },
    { "low", "number", "5% quantile", unit = "" },
    { "lower_quartile", "number", unit = "" },
    { "median", "number", unit = "" },
    { "upper_quartile", "number", unit = "" },
    { "high", "number", "95% quantile", unit = "" },
    { "most", "number", unit = "" },
  },
  {
    class = "LogShare", about = "The jobs of a log that have a label in common.",
    { "name", "string?", "nil: jobs without one" },
    { "jobs", "integer", unit = "jobs" },
    { "area", "number", unit = "processor-seconds" },
    { "waited", "integer?", "those that did not start at once, in the log", unit = "jobs" },
    { "mean_wait", "number?", "in the log", unit = "s" },
    { "high_wait", "number?", "95% quantile, in the log", unit = "s" },
  },
  {
    class = "LogDropped", about = "Records of a log that were left out for one reason.",
    { "reason", "string" },
    { "records", "integer", unit = "" },
    { "line", "integer", "of the first", unit = "" },
    { "id", "string", "of the first" },
    { "detail", "string?", "what is wrong with the first, if it could not be read" },
  },
  {
    class = "SliceOptions", names = { "slices" }, about = "Options of `jobs:slices`.",
    { "days", "integer", "length of a slice", unit = "days" },
    { "warmup_jobs", "integer?", [[the first so many jobs of each slice are simulated, but left out
      of metrics of jobs; utilisation is that from the first other submission to the last. A slice
      without other jobs is an error]], default = "0", unit = "jobs" },
  },
  {
    class = "UserEstimatesOptions", names = { "user_estimates" },
    about = "Options of `jobs:user_estimates`.",
    { "longest", "number?", "the longest estimate, of whole minutes, at least 6000", unit = "s",
      default = "2 h, or the first of 3, 4, 6, 8, 12, 18, 24, 36, 48, ... h as long as any job" },
    { "share", "number?", "share of the jobs that ask for it, above 0 and below 0.89", unit = "",
      default = "0.217, the model's own" },
    { "seed", "integer?", default = "1", unit = "" },
    { include = "runs.JobsSpec", "set", of = false },
  },
  {
    class = "WeekOptions", names = { "weeks" }, about = "Options of `jobs:weeks`.",
    { "utilisation", "number?", "the least utilisation of a week", default = "0", unit = "",
      flag = { "--utilisation U",
        "Least mean utilisation, from 0 (default: 0.7).", least = 0, default = 0.7 } },
    { "hours", "number?", default = "168", unit = "h",
      flag = { "--hours H", "Length of a week (default: 168).", kind = "above 0", default = 168 } },
    { "procs", "integer?", "size of the machine; default: the log's", unit = "processors",
      flag = { "--procs N",
        "Processors of the machine (default: what the log says).", least = 1, most = 2147483646 } },
    { "by", '"ran"|"submitted"?', [["ran": the work that ran in the week (the default if the log
      says when jobs started), or "submitted": the work of the jobs submitted in it]],
      flag = { "--by", [[What keeps the machine busy: the work that ran in the week, where the log
        tells when jobs started (then the default), or the work that was submitted in it.]] } },
  },
  {
    class = "Week", about = "A busy week of a log.",
    { "week", "integer", "number of the week", unit = "" },
    { "from", "number", unit = "s" },
    { "to", "number", unit = "s" },
    { "date", "string?", "nil in logs without dates" },
    { "utilisation", "number", "mean utilisation", unit = "" },
    { "jobs", "Jobs" },
  },
  {
    class = "DroppedRecord", about = "A record that the reader left out.",
    { "line", "integer", unit = "" },
    { "id", "string" },
    { "reason", "string" },
    { "detail", "string?", [[what is wrong with a record that could not be read; of the first 1000
      of a log]] },
  },
}
