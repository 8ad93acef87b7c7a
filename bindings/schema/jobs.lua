-- jobs: workloads of rigid jobs.
return {
  {
    class = "Jobs", kind = "jobs", names = { "log" }, shown = "jobs", metatable = "orrery.jobs",
    about = "Jobs of a log, or drawn. They cannot be changed; selections are new ones.",
    { "#", "integer", "their number", unit = "jobs" },
    { "[]", "JobRecord", [[a job as a table {fields JobRecord}, from `walltime` on nil where
      it is not known; `ipairs(jobs)` iterates]], index = "i" },
    { "each", "(): fun(): integer?, JobRecord", "iterates with positions" },
    { "day", "(day: string|integer): Jobs", [[those submitted on a day, "2019-06-14" in UTC, or the
      day's number in a log without dates]] },
    { "days", "(): Day[]", "list of {fields Day}, days without jobs left out" },
    { "week", "(week: string): Jobs", [[those of an ISO week, "2019-W24"]] },
    { "between", "(from: number|string, to: number|string): Jobs", [[those with from <= submission <
      to: seconds, or "YYYY-MM-DD HH:MM:SS" in UTC]] },
    { "filter", "(f: fun(job: JobRecord): any): Jobs", "those for which f(job) is true" },
    { "position", "(id: string): integer?, integer?", [[the position of the job with this id, nil
      where there is none; where several have it also the second one's]], unit = "" },
    { "seconds", "(date: string): number", [[of the log's clock, that a date means, "YYYY-MM-DD
      HH:MM:SS" in UTC]], unit = "s" },
    { "date", "(seconds: number): string?", "of an instant, nil in logs without dates" },
    { "load", "(factor: number): Jobs", [[all of them, with submission times that follow the first
      `factor` times as fast: twice the load with 2]] },
    { "weeks", "(options?: WeekOptions): Week[], string, number", [[the weeks, 168 h from the first
      submission on, in which the machine was busy: a list of {fields Week}; then by what it was
      measured, and the utilisation of the busiest. Options: {fields WeekOptions}]] },
    { "mean_area", "(): number", "mean of processors x runtime", unit = "processor-seconds" },
    { "csv", '(format?: "plain"|"mira"|"swf"): string',
      [[as text, in "plain" (default), "mira" or "swf"]] },
    { "to_csv", '(format: "plain"|"mira"|"swf", path: string)',
      "to a file, complete or not at all" },
    { "dropped", "(): DroppedRecord[]", "records that the reader left out: list of "
      .. "{fields DroppedRecord}" },
    { "machine_procs", "integer?", "of the machine, nil where the log does not say",
      unit = "processors" },
    { "origin", "string?", "the date of second 0, nil where the log has no dates" },
  },
  {
    class = "JobRecord", about = "A job of a workload.",
    { "id", "string" },
    { "submit", "number", unit = "s" },
    { "procs", "integer", unit = "processors" },
    { "time", "number", unit = "s" },
    { "area", "number", unit = "processor-seconds" },
    { "walltime", "number?", unit = "s" },
    { "user", "string?" },
    { "queue", "string?" },
    { "partition", "string?" },
    { "status", "string?" },
  },
  {
    class = "Day", about = "A day of a log.",
    { "day", "string|integer", unit = "" },
    { "jobs", "Jobs" },
  },
  {
    class = "WeekOptions", names = { "weeks" }, about = "Options of `jobs:weeks`.",
    { "utilisation", "number?", "the least", default = "0", unit = "" },
    { "hours", "number?", default = "168", unit = "h" },
    { "procs", "integer?", "else what the log says", unit = "processors" },
    { "by", '"ran"|"submitted"?', [["ran", the work that ran in the week (the default where the log
      tells when jobs started), or "submitted", the work of its jobs]] },
  },
  {
    class = "Week", about = "A busy week of a log.",
    { "week", "integer", "its number", unit = "" },
    { "from", "number", unit = "s" },
    { "to", "number", unit = "s" },
    { "date", "string?", "nil in logs without dates" },
    { "utilisation", "number", "its mean", unit = "" },
    { "jobs", "Jobs" },
  },
  {
    class = "DroppedRecord", about = "A record that the reader left out.",
    { "line", "integer", unit = "" },
    { "id", "string" },
    { "reason", "string" },
  },
}
