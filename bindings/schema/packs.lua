-- packs: moldable tasks in packs.
local metrics = require "orrery.schema.metrics"
local policy_kinds = require "orrery.schema.policy_kinds"

return {
  {
    class = "ProblemSpec", names = { "pack_problem" }, head = "`orrery.pack_problem`",
    about = "Fields of `orrery.pack_problem`.",
    { "tasks", "Tasks", "tasks made by `orrery.tasks`" },
    { "procs", "integer", "size of the machine", unit = "processors" },
    { "k", "integer?", "the most tasks in a pack", default = "`procs`", unit = "tasks" },
    { "least", "integer[]?",
      "least number of processors of every task, a list", default = "1 for all",
      unit = "processors" },
  },
  {
    class = "Problem", kind = "problem", shown = "problem", head = "a problem",
    metatable = "orrery.packs.problem",
    about = "Moldable tasks, to be divided into packs; tasks and packs are positions.",
    { "#", "integer", "number of tasks", unit = "tasks" },
    { "tasks", "Tasks", "the tasks" },
    { "procs", "integer", "size of the machine", unit = "processors" },
    { "k", "integer",
      "the most tasks in a pack; at most the number of tasks and of processors", unit = "tasks" },
    { "time", "(i: integer, j: integer): number", "time of task i on j processors", unit = "s" },
    { "least", "(i: integer): integer",
      "least number of processors of task i", unit = "processors" },
    { "procs_for", "(i: integer, seconds: number): integer?", [[the smallest number of processors on
      which task i takes no longer; nil if no number is enough]], unit = "processors" },
    { "one_pack", '(list: integer[], loop?: "fast"|"printed"): integer[], number', [[Algorithm 1:
      the number of processors of each task of the list in one pack, and the cost in s. `"printed"`
      as second argument runs the loop as it is printed in the paper, which is slower and gives
      equal results]] },
    { "cost", "(list: integer[]): number", [[the cost of the list as one pack, whatever k is;
      `math.huge` if the least numbers do not fit]], unit = "s" },
    { "costs", "(list: integer[]): number[]", [[the costs of the packs of the first task, the first
      two tasks, ... and all tasks of the list, computed in one pass]], unit = "s" },
    { "make_pack", "(procs: integer[]): Coschedule",
      "Algorithm 2, with a number of processors for every task: a co-schedule" },
    { "cut", "(list: integer[], limit?: number): Coschedule?", [[the cheapest co-schedule whose
      packs are consecutive parts of a list of all tasks; nil if none costs less than the limit
      (s)]] },
    { "coschedule", "(packs: integer[][], procs?: integer[]): Coschedule", [[a co-schedule from
      lists of tasks. `procs` lists the processors of each task; without it Algorithm 1 divides the
      processors of every pack]] },
    { "one_by_one", "(): Coschedule", "every task alone on all processors" },
    { "optimal", "(): Coschedule", [[a co-schedule of least cost, for at most 24 tasks: 16 tasks
      take less than a second, 20 some seconds; Ctrl-C stops it]] },
    { "two_in_p", "(): Coschedule",
      "a co-schedule of least cost with at most two tasks in a pack, for hundreds of tasks" },
    { "bounds", "(quick?: boolean): Bounds", [[lower bounds on the cost of every co-schedule
      ([definitions](../spec/METRICS.md)): {fields Bounds}. With true, `fractional` is left out: it
      takes a second for some hundred tasks]] },
    { "write_lp", "(path: string)",
      "the integer program of theorem 4, in CPLEX's LP format, complete or not at all" },
    { "allocation", "(): Allocation", "an allocation under construction" },
    { "partition", "(c: Coschedule): Partition",
      "the packs of a co-schedule as a partition, for local search" },
  },
  {
    class = "Bounds", about = "Lower bounds on the cost of a co-schedule.",
    { "longest", "number", "lemma 3 of the paper", unit = "s" },
    { "work", "number", "lemma 3 of the paper", unit = "s" },
    { "layers", "number", unit = "s" },
    { "mixed", "number", unit = "s" },
    { "fractional", "number", unit = "s" },
    { "best", "number", "the largest bound", unit = "s" },
  },
  {
    class = "Coschedule", kind = "co-schedule", names = { "coschedule" }, shown = "c",
    head = "a co-schedule", metatable = "orrery.packs.coschedule",
    about = "A co-schedule: the pack and the processors of each task.",
    { "#", "integer", "number of packs", unit = "" },
    { "cost", "number", "cost of all packs", unit = "s" },
    { "count", "integer", "number of tasks in all packs", unit = "tasks" },
    { "problem", "Problem", "the problem" },
    { "[]", "Pack", "a pack: {fields Pack}; `ipairs(c)` iterates", index = "b" },
    { "pack_of", "(i: integer): integer", "the pack of task i", unit = "" },
    { "procs_of", "(i: integer): integer", "the processors of task i", unit = "processors" },
    { "packs", "(): integer[][]", "the packs as lists of tasks" },
    { "procs", "(): integer[]",
      "the processors of every task, a list by task", unit = "processors" },
    { "order", "(): integer[]", "the packs in the order in which they run: the cheapest first" },
    { "balance", "(): Coschedule", "a new co-schedule: Algorithm 1 in every pack" },
    { "metrics", "(): PackingMetrics", "{fields PackingMetrics}" },
    { "check", "(): true?, string?", "true, or nil and what the independent checker objects to" },
    { "show", "(options?: ShowOptions): string?",
      "prints the co-schedule, as large as the window" },
    { "gantt", "(file: string, options?: GanttOptions)",
      "draws the co-schedule as `.html`, `.svg` or `.png`, see [Pictures](#pictures)" },
  },
  {
    class = "Pack", about = "A pack of a co-schedule.",
    { "tasks", "integer[]", "positions of the tasks" },
    { "procs", "integer[]",
      "processors of each task, in the order of `tasks`", unit = "processors" },
    { "cost", "number", unit = "s" },
    { "idle", "number", "the share of the processors' time that is idle", unit = "" },
  },
  metrics.packs.class,
  {
    class = "Allocation", kind = "allocation", shown = "a", head = "an allocation",
    metatable = "orrery.packs.allocation",
    about = [[The paper's heuristics loop over it: the processors of every task, at first its
      least number, and a list of tasks, longest first.]],
    { "#", "integer", "number of tasks in the list", unit = "tasks" },
    { "head", "(): integer?, integer?, number?",
      "the longest task in the list, its processors, and its time in s; nil if the list is empty",
      unit = "" },
    { "procs", "(i: integer): integer", "the processors of task i", unit = "processors" },
    { "time", "(i: integer): number", "the time of task i", unit = "s" },
    { "raise", "()", "gives the head one more processor" },
    { "requested", "(seconds: number): integer",
      "the processors of all tasks in the list that take at least so long", unit = "processors" },
    { "grow", "(epsilon: number): integer?, integer?, number?", [[raises until the head has all
      processors, or until the tasks that take at least `1 - epsilon` of the head's time request all
      processors; returns the head as `a:head()` does]], unit = "" },
    { "take", "(seconds: number): integer[]", [[takes tasks that take at least so long from the
      front of the list, the head in any case, until a task does not fit or there are k; returns
      their list]] },
    { "take_fullest", "(seconds: number): integer[]", [[takes the head, and of the other tasks that
      take at least so long those with the most work: a dynamic program finds the pack of at most k
      tasks in which the least time is idle; returns their list, longest first]] },
    { "work", "(): number", [[the sum of time x processors. This method and the ones below work only
      while nothing has been taken]], unit = "processor-seconds" },
    { "is_saturated", "(): boolean", [[the condition that ends PACK-APPROX: the head has all
      processors, or the work divided by all processors is more than the head's time]] },
    { "pack_cost", "(limit: number): number?",
      "the cost of Algorithm 2 with the current processors; nil if it is not below the limit",
      unit = "s" },
    { "make_pack", "(): Coschedule", "the co-schedule of Algorithm 2 with the current processors" },
    { "mark", "(): integer", "how many processors have been given", unit = "processors" },
    { "rewind", "(mark: integer)", "goes back to the state at that mark" },
  },
  {
    class = "Partition", kind = "partition", shown = "q", head = "a partition",
    metatable = "orrery.packs.partition",
    about = "Packs that can be changed; their costs are those of Algorithm 1.",
    { "#", "integer", "number of packs", unit = "" },
    { "cost", "(): number", "cost of all packs", unit = "s" },
    { "pack_cost", "(b: integer): number", "cost of pack b", unit = "s" },
    { "pack_of", "(i: integer): integer", "the pack of task i", unit = "" },
    { "move_gain", "(i: integer, b: integer): number", [[cost saved if task i moves to pack b (`#q +
      1`: a new pack); `-math.huge` if the move is impossible]], unit = "s" },
    { "swap_gain", "(i: integer, j: integer): number",
      "cost saved if tasks i and j change places; `-math.huge` if the swap is impossible",
      unit = "s" },
    { "best_move", "(i: integer): integer?, number",
      "the pack with the largest gain (nil if no move gains), and the gain in s", unit = "" },
    { "best_swap", "(i: integer): integer?, number", [[the task to change places with that has the
      largest gain (nil if no swap gains), and the gain in s]], unit = "" },
    { "move", "(i: integer, b: integer)",
      "moves task i to pack b; when a pack becomes empty, the last pack takes its number" },
    { "swap", "(i: integer, j: integer)", "lets tasks i and j change places" },
    { "coschedule", "(): Coschedule",
      "the co-schedule of the partition, with Algorithm 1 in every pack" },
  },

  -- --- by policies ----------------------------------------------------------------------------

  {
    class = "PacksSpec", names = { "packs" }, head = "`orrery.packs`",
    about = "Fields of `orrery.packs`.",
    { "tasks", "Tasks|DrawnTasks|fun(run: integer): Tasks", [[[tasks](#tasks), the same ones in
      every run; or `{ n =, m =, sequential = }`, or a function from the run to tasks: new tasks in
      every run]] },
    { "procs", "integer", "size of the machine", unit = "processors",
      flag = { "--procs P", "Processors of the machine.", least = 1, most = 2147483646 } },
    { "k", "integer?", "the most tasks in a pack", default = "`procs`", unit = "tasks",
      flag = { "--k K", [[Most tasks in a pack (default: as many as there are processors).]],
        least = 1, most = 2147483646 } },
    { "least", "integer|table<string|integer, integer>?", [[least number of processors of a task:
      one number for all tasks, or a table by position or by id]], default = "1",
      unit = "processors" },
    { "policies", "PackPolicyGiven[]?", [[[pack policies](../policies/README.md#packs): names (with
      options, "pack-by-pack:runs=9"), paths, tables, functions of the problem, or `{ policy =,
      options =, name = }`]] },
    { "policy", "PackPolicyGiven?",
      "one policy in place of `policies`", default = policy_kinds.engines.packs.shown_default },
    { include = "runs.JobsSpec", "options", of = false },
    { "bounds", '"quick"|"best"?',
      '"quick", or "best", which includes `fractional`: see `problem:bounds`',
      default = '"quick"',
      flag = { "--bounds", [[How hard to look for a lower bound: quick (default), or best, which
        takes a second for some hundred tasks.]] } },
    { include = "runs.JobsSpec", "check", of = false,
      about = "true: every co-schedule must pass `coschedule:check`; a note says so" },
    { "runs", "integer?",
      "number of runs; each has its own random numbers, and its own tasks if tasks are drawn",
      default = "1", unit = "",
      flag = { "--runs R", "Runs, in which random policies draw anew (default: 1).", least = 1 } },
    { "run", "integer?", "the number of the first run", default = "1", unit = "" },
    { include = "runs.JobsSpec", "seed", about = "names the random numbers", of = false },
    { include = "runs.TasksSpec", "set", "limits", "progress", of = false },
  },
  {
    class = "DrawnTasks", about = "Tasks that every run draws anew.",
    { "n", "integer?", default = "100", unit = "tasks",
      flag = { "--n N", [[Or so many tasks (default: 100), with sizes drawn anew in every run.]],
        least = 1, most = 536870911 } },
    { "m", "{ [1]: number, [2]: number }?", default = "{ 1500000, 2500000 }", unit = "data units" },
    { "sequential", "number?", default = "0.08", unit = "",
      flag = { "--sequential F",
        "Sequential fraction f of the tasks, from 0 to 1 (default: 0.08).", kind = "share" } },
  },
  {
    alias = "PackPolicyGiven",
    type = "string|PackPolicy|GivenPolicy|fun(problem: Problem): integer[][], integer[]?",
    about = "How a pack policy is given.", words = "pack policy",
  },
}
