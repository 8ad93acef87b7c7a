-- tasks: tasks that can run on any number of processors, and their expected times.
return {
  {
    class = "TaskMakers", kind = "orrery.tasks", names = { "tasks" },
    shown = "orrery.tasks", functions = true, about = "Functions that make tasks.",
    { "synthetic", "(options?: TaskOptions): Tasks", [[tasks of RR-8795, section 6.1: profile
      `synthetic`, m uniform. Options: {fields TaskOptions}]] },
    { "read", "(path: string, options?: SequentialOption): Tasks", [[tasks from CSV, also gzipped,
      with the columns `id,m` or `id,m,profile` or `id,1,2,3,...` or `id,m,1,2,3,...`; a column with
      a number holds the times on that many processors, in s. `profile` is `synthetic`, `amdahl` or
      `power`, alone or with its parameter, as `amdahl:0.05`; an empty one is `synthetic`. Options:
      {fields SequentialOption}]] },
    { "list", "(list: TaskRow[], options?: SequentialOption): Tasks", [[tasks from tables. With a
      profile: `{ id =, m =, profile = "synthetic", f = }`, or `e =` with the profile `power`. With
      measured times: `{ id =, m = 0, times = { ... } }`, or with a function of the number of
      processors, called once for each number from 1 to `most`: `{ id =, m = 0, time = f, most = }`.
      Options: as for `read`]] },
  },
  {
    class = "TaskOptions", names = { "tasks.synthetic" },
    about = "Options of `orrery.tasks.synthetic`.",
    { "n", "integer?", default = "100", unit = "tasks" },
    { "m", "{ [1]: number, [2]: number }?", default = "{ 1500000, 2500000 }", unit = "data units" },
    { "sequential", "number?", "sequential part f", default = "0.08", unit = "" },
    { "seed", "integer?", default = "1", unit = "" },
    { "set", "integer?", default = "0", unit = "" },
    { "run", "integer?", "every run has its own sizes", default = "1", unit = "" },
  },
  {
    class = "SequentialOption", about = "Options of `orrery.tasks.read` and `orrery.tasks.list`.",
    { "sequential", "number?",
      "the f of tasks that name none; the e of such tasks is 1 - f", default = "0.08", unit = "",
      flag = { "--sequential F", [[Sequential fraction f of profiles that name none, from 0 to 1
        (default: 0.08).]], kind = "share" } },
  },
  {
    class = "TaskRow", names = { "tasks.list" }, about = "A task for `orrery.tasks.list`.",
    { "id", "string|integer?", unit = "" },
    { "m", "number?", "size", unit = "data units" },
    { "profile", '"synthetic"|"amdahl"|"power"?', default = '"synthetic"' },
    { "f", "number?", "parameter of synthetic and amdahl: the sequential part", unit = "" },
    { "e", "number?", "parameter of power", unit = "" },
    { "times", "number[]?", "measured times on 1, 2, 3, ... processors", unit = "s" },
    { "time", "fun(procs: integer): number",
      "measured times as a function", unit = "s", optional = true },
    { "most", "integer?",
      "the largest number of processors that `time` is called with", unit = "processors" },
  },
  {
    class = "Tasks", kind = "tasks", shown = "tasks", metatable = "orrery.tasks",
    about = "Tasks that can run on any number of processors.",
    { "#", "integer", "number of tasks", unit = "tasks" },
    { "[]", "TaskRecord", "a task as a table {fields TaskRecord}; `ipairs(tasks)` iterates",
      index = "i" },
    { "time", "(i: integer, procs: integer): number",
      "t(procs) of task i; beyond the last measured column, the last measured time", unit = "s" },
    { "repaired", "integer", "number of tasks whose measured times were repaired", unit = "tasks" },
    { "csv", "(): string", [[the tasks as text that `orrery.tasks.read` reads back without loss;
      profiles and measured times cannot be in one file]] },
    { "to_csv", "(path: string)", "writes that text to a file, complete or not at all" },
  },
  {
    class = "TaskRecord", about = "One of the tasks.",
    { "id", "string" },
    { "m", "number", "size", unit = "data units" },
    { "profile", "string", [["table" for measured times]] },
    { "parameter", "number?", "f or e", unit = "" },
    { "columns", "integer?", "number of measured times, in place of `parameter`", unit = "" },
    { "sequential", "number", "t(1)", unit = "s" },
  },

  -- --- expected times -------------------------------------------------------------------------

  {
    class = "ExpectedOptions", names = { "expected" }, head = "field",
    about = "Fields of `orrery.expected`.",
    { "procs", "integer|integer[]",
      "a number of processors, or a list of numbers", unit = "processors" },
    { "time", "number|fun(procs: integer): number", [[time without faults, checkpoints and
      interruptions on that many processors, or a function from their number to that time]],
      unit = "s" },
    { "mtbf", "number",
      "mean time between failures of one processor; `math.huge`: no failures", unit = "s" },
    { "checkpoint", "number|fun(procs: integer): number",
      "time of a checkpoint, or a function of the number of processors", unit = "s" },
    { "work", "number?",
      "share of the task's work that is left, 0 to 1", default = "1", unit = "" },
    { "downtime", "number|fun(procs: integer): number",
      "time until a failed processor is replaced, or a function of the number of processors",
      default = "0", unit = "s", optional = true },
    { "recovery", "number|fun(procs: integer): number",
      "time to read a checkpoint back, or a function of the number of processors",
      default = "`checkpoint`", unit = "s", optional = true },
    { include = "runs.Costs", "period", flag = false },
  },
  {
    class = "ExpectedDetails", about = "Details of the expected time.",
    { "period", "number", "from the end of one checkpoint to the end of the next", unit = "s" },
    { "checkpoints", "integer|number", "number of checkpoints in a run without faults", unit = "" },
    { "last", "number", "work after the last checkpoint", unit = "s" },
  },
}
