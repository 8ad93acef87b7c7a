-- tasks: tasks that can run on any number of processors, and their expected times.
return {
  {
    class = "TaskMakers", kind = "orrery.tasks", names = { "tasks" },
    shown = "orrery.tasks", functions = true, about = "What makes tasks.",
    { "synthetic", "(options?: TaskOptions): Tasks", [[tasks of RR-8795, section 6.1: profile
      `synthetic`, m uniform. Options: {fields TaskOptions}]] },
    { "read", "(path: string, options?: SequentialOption): Tasks", [[tasks from CSV, also gzipped,
      with the columns `id,m` or `id,m,profile` or `id,1,2,3,...` or `id,m,1,2,3,...`; the numbers
      head times on so many processors, in s. `profile` is `synthetic`, `amdahl` or `power`, or one
      of them with its parameter, as `amdahl:0.05`, and `synthetic` where it is empty. Options:
      {fields SequentialOption}]] },
    { "list", "(list: TaskRow[], options?: SequentialOption): Tasks", [[tasks from tables. With a
      profile: `{ id =, m =, profile = "synthetic", f = }`, or `e =` with the profile `power`. With
      measured times: `{ id =, m = 0, times = { ... } }`, or a function of the number of processors,
      asked once for each of 1 to `most`: `{ id =, m = 0, time = f, most = }`. Options as of
      `read`]] },
  },
  {
    class = "TaskOptions", names = { "tasks.synthetic" },
    about = "Options of `orrery.tasks.synthetic`.",
    { "n", "integer?", default = "100", unit = "tasks" },
    { "m", "{ [1]: number, [2]: number }?", default = "{ 1500000, 2500000 }", unit = "data units" },
    { "sequential", "number?", "f", default = "0.08", unit = "" },
    { "seed", "integer?", default = "1", unit = "" },
    { "set", "integer?", default = "0", unit = "" },
    { "run", "integer?", "every run has its own sizes", default = "1", unit = "" },
  },
  {
    class = "SequentialOption", about = "Options of `orrery.tasks.read` and `orrery.tasks.list`.",
    { "sequential", "number?", "the f of tasks that name none; their e is 1 - f", default = "0.08",
      unit = "" },
  },
  {
    class = "TaskRow", names = { "tasks.list" }, about = "A task for `orrery.tasks.list`.",
    { "id", "string|integer?", unit = "" },
    { "m", "number?", "its size", unit = "data units" },
    { "profile", '"synthetic"|"amdahl"|"power"?', default = '"synthetic"' },
    { "f", "number?", "parameter of synthetic and amdahl: the part that is sequential", unit = "" },
    { "e", "number?", "parameter of power", unit = "" },
    { "times", "number[]?", "measured: on 1, 2, 3, ... processors", unit = "s" },
    { "time", "fun(procs: integer): number", "the same as a function", unit = "s",
      optional = true },
    { "most", "integer?", "up to how many it is asked", unit = "processors" },
  },
  {
    class = "Tasks", kind = "tasks", shown = "tasks", metatable = "orrery.tasks",
    about = "Tasks that can run on any number of processors.",
    { "#", "integer", "their number", unit = "tasks" },
    { "[]", "TaskRecord", "a task as a table {fields TaskRecord}; `ipairs(tasks)` iterates",
      index = "i" },
    { "time", "(i: integer, procs: integer): number", [[t(procs) of task i; of measured times more
      than there are columns give the last]], unit = "s" },
    { "repaired", "integer", "how many had measured times that were repaired", unit = "tasks" },
    { "csv", "(): string", [[as text that `orrery.tasks.read` reads back as it was; profiles and
      measured times cannot stand in one file]] },
    { "to_csv", "(path: string)", "the same to a file, complete or not at all" },
  },
  {
    class = "TaskRecord", about = "One of the tasks.",
    { "id", "string" },
    { "m", "number", "its size", unit = "data units" },
    { "profile", "string", [["table" for measured times]] },
    { "parameter", "number?", "f or e", unit = "" },
    { "columns", "integer?", "how many measured times, instead of `parameter`", unit = "" },
    { "sequential", "number", "t(1)", unit = "s" },
  },

  -- --- expected times -------------------------------------------------------------------------

  {
    class = "ExpectedOptions", names = { "expected" }, head = "field",
    about = "Fields of `orrery.expected`.",
    { "procs", "integer|integer[]", "a number of them, or a list", unit = "processors" },
    { "time", "number|fun(procs: integer): number", [[without faults, checkpoints and interruptions
      on so many processors, or a function of their number]], unit = "s" },
    { "mtbf", "number", [[the mean time between failures of one processor; `math.huge` for none]],
      unit = "s" },
    { "checkpoint", "number|fun(procs: integer): number", [[what a checkpoint takes, or a function
      of the number of processors]], unit = "s" },
    { "work", "number?", "the share of the task's work that is left, 0 to 1", default = "1",
      unit = "" },
    { "downtime", "number|fun(procs: integer): number", [[until a failed processor is replaced, or
      such a function]], default = "0", unit = "s", optional = true },
    { "recovery", "number|fun(procs: integer): number", [[to read a checkpoint back, or such a
      function]], default = "`checkpoint`", unit = "s", optional = true },
    { "period", '"young"|"daly"?', [["young" or "daly": whose rule says how often to checkpoint]],
      default = '"young"' },
  },
  {
    class = "ExpectedDetails", about = "What `orrery.expected` says beside the time.",
    { "period", "number", "from one checkpoint's end to the next one's", unit = "s" },
    { "checkpoints", "integer|number", "how many a run without faults takes", unit = "" },
    { "last", "number", "work behind the last of them", unit = "s" },
  },
}
