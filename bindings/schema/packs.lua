-- packs: moldable tasks in packs.
return {
  {
    class = "ProblemSpec", names = { "pack_problem" }, head = "`orrery.pack_problem`",
    about = "Fields of `orrery.pack_problem`.",
    { "tasks", "Tasks", "what `orrery.tasks` makes" },
    { "procs", "integer", "of the machine", unit = "processors" },
    { "k", "integer?", "the most tasks in a pack", default = "`procs`", unit = "tasks" },
    { "least", "integer[]?", "a list: the least number of every task", default = "1 for all",
      unit = "processors" },
  },
  {
    class = "Problem", kind = "problem", shown = "problem", head = "a problem",
    metatable = "orrery.packs.problem",
    about = "Moldable tasks on processors, to be put into packs; tasks and packs are positions.",
    { "#", "integer", "their number", unit = "tasks" },
    { "tasks", "Tasks", "the tasks" },
    { "procs", "integer", "of the machine", unit = "processors" },
    { "k", "integer", "the most that a pack can have, at most tasks and processors",
      unit = "tasks" },
    { "time", "(i: integer, j: integer): number", "of task i on j processors", unit = "s" },
    { "least", "(i: integer): integer", "the least number of task i", unit = "processors" },
    { "procs_for", "(i: integer, seconds: number): integer?", [[the smallest number on which it
      takes no longer; nil where none is enough]], unit = "processors" },
    { "one_pack", '(list: integer[], loop?: "fast"|"printed"): integer[], number', [[Algorithm 1:
      how many processors each task of the list gets in one pack, and the cost, in s. As second
      argument `"printed"` for the loop as it is printed, which is slower and gives the same]] },
    { "cost", "(list: integer[]): number", [[the cost alone; `math.huge` where the least numbers do
      not fit, and whatever k is]], unit = "s" },
    { "costs", "(list: integer[]): number[]", [[the costs of a pack of its first task, its first
      two, ... and of all, in one walk]], unit = "s" },
    { "make_pack", "(procs: integer[]): Coschedule",
      "Algorithm 2, with a number of processors for every task: a co-schedule" },
    { "cut", "(list: integer[], limit?: number): Coschedule?", [[the cheapest co-schedule whose
      packs are neighbours in a list of all tasks; nil where none costs less than the limit (s)]] },
    { "coschedule", "(packs: integer[][], procs?: integer[]): Coschedule", [[a co-schedule from
      lists of tasks, with these processors, a list by task; without them Algorithm 1 in every
      pack]] },
    { "one_by_one", "(): Coschedule", "every task alone on all processors" },
    { "optimal", "(): Coschedule", [[a co-schedule of least cost, for at most 24 tasks: 16 take less
      than a second, 20 some seconds; Ctrl-C stops it]] },
    { "two_in_p", "(): Coschedule",
      "one of least cost with at most two tasks in a pack, for hundreds of tasks" },
    { "bounds", "(quick?: boolean): Bounds", [[what no co-schedule costs less than ([what they
      are](../spec/METRICS.md)): {fields Bounds}. With true it is done without `fractional`, which
      takes a second for some hundred tasks]] },
    { "write_lp", "(path: string)",
      "the integer program of theorem 4, in CPLEX's LP format, complete or not at all" },
    { "allocation", "(): Allocation", "an allocation under construction" },
    { "partition", "(c: Coschedule): Partition",
      "the packs of a co-schedule as a partition, for local search" },
  },
  {
    class = "Bounds", about = "Lower bounds on the cost of a co-schedule.",
    { "longest", "number", "of the paper's lemma 3", unit = "s" },
    { "work", "number", "the same", unit = "s" },
    { "layers", "number", unit = "s" },
    { "mixed", "number", unit = "s" },
    { "fractional", "number", unit = "s" },
    { "best", "number", "the largest", unit = "s" },
  },
  {
    class = "Coschedule", kind = "co-schedule", names = { "coschedule" }, shown = "c",
    head = "a co-schedule", metatable = "orrery.packs.coschedule",
    about = "In which pack each task runs, and on how many processors.",
    { "#", "integer", "packs", unit = "" },
    { "cost", "number", "of all packs", unit = "s" },
    { "count", "integer", "in all packs", unit = "tasks" },
    { "problem", "Problem", "the problem" },
    { "[]", "Pack", "a pack: {fields Pack}; `ipairs(c)` iterates", index = "b" },
    { "pack_of", "(i: integer): integer", "of a task", unit = "" },
    { "procs_of", "(i: integer): integer", "of a task", unit = "processors" },
    { "packs", "(): integer[][]", "the packs as lists of tasks" },
    { "procs", "(): integer[]", "as a list by task", unit = "processors" },
    { "order", "(): integer[]", "the packs in the order in which they run: the cheapest first" },
    { "balance", "(): Coschedule", "a new one: Algorithm 1 in every pack" },
    { "metrics", "(): PackingMetrics", "{fields PackingMetrics}" },
    { "check", "(): true?, string?", "true, or nil and what the independent checker objects to" },
    { "show", "(options?: ShowOptions): string?", "prints it as large as the window" },
    { "gantt", "(file: string, options?: GanttOptions)",
      "as `.svg` or `.png`, see [Pictures](#pictures)" },
  },
  {
    class = "Pack", about = "A pack of a co-schedule.",
    { "tasks", "integer[]", "positions" },
    { "procs", "integer[]", "in the same order", unit = "processors" },
    { "cost", "number", unit = "s" },
    { "idle", "number", "the share of its processors' time that nobody uses", unit = "" },
  },
  {
    class = "PackingMetrics", about = "Metrics of a co-schedule.",
    { "packs", "integer", unit = "" },
    { "cost", "number", unit = "s" },
    { "relative_cost", "number", unit = "" },
    { "packing_ratio", "number", unit = "" },
    { "response", "number", unit = "s" },
    { "relative_response", "number", unit = "" },
  },
  {
    class = "Allocation", kind = "allocation", shown = "a", head = "an allocation",
    metatable = "orrery.packs.allocation",
    about = [[What the paper's heuristics loop over: the processors of every task, at first its
      least number, and a list of tasks, longest first.]],
    { "#", "integer", "in the list", unit = "tasks" },
    { "head", "(): integer?, integer?, number?", [[the longest in the list with its processors and
      time in s, nil when there is none]], unit = "" },
    { "procs", "(i: integer): integer", "of a task", unit = "processors" },
    { "time", "(i: integer): number", "of a task", unit = "s" },
    { "raise", "()", "one more processor to the head" },
    { "requested", "(seconds: number): integer",
      "of all in the list that take so long or longer", unit = "processors" },
    { "grow", "(epsilon: number): integer?, integer?, number?", [[raises until the head has all
      processors, or those that take at least `1 - epsilon` of its time request as many as there
      are; returns the head as `a:head()` does]], unit = "" },
    { "take", "(seconds: number): integer[]", [[takes tasks that take so long from the front, the
      head in any case, until one does not fit or there are k: their list]] },
    { "work", "(): number", [[the sum of time x processors; this and what follows only while nothing
      has been taken]], unit = "processor-seconds" },
    { "is_saturated", "(): boolean", [[where PACK-APPROX ends: the head has all processors, or the
      work divided by all processors is more than its time]] },
    { "pack_cost", "(limit: number): number?", [[the cost of Algorithm 2 with what the tasks have,
      nil where it is not below the limit]], unit = "s" },
    { "make_pack", "(): Coschedule", "its co-schedule" },
    { "mark", "(): integer", "how many processors were given", unit = "processors" },
    { "rewind", "(mark: integer)", "back to when it was so many" },
  },
  {
    class = "Partition", kind = "partition", shown = "q", head = "a partition",
    metatable = "orrery.packs.partition",
    about = "Packs that can be changed; their costs are those of Algorithm 1.",
    { "#", "integer", "packs", unit = "" },
    { "cost", "(): number", "of all", unit = "s" },
    { "pack_cost", "(b: integer): number", "of one", unit = "s" },
    { "pack_of", "(i: integer): integer", "the pack of a task", unit = "" },
    { "move_gain", "(i: integer, b: integer): number", [[saved if task i moves to pack b, `#q + 1`
      for one of its own; `-math.huge` where that can't be]], unit = "s" },
    { "swap_gain", "(i: integer, j: integer): number", "the same if two tasks change places",
      unit = "s" },
    { "best_move", "(i: integer): integer?, number",
      "the pack with the largest gain (nil for none), and the gain in s", unit = "" },
    { "best_swap", "(i: integer): integer?, number", "the same with a task to change places with",
      unit = "" },
    { "move", "(i: integer, b: integer)",
      "does it; when a pack becomes empty the last one takes its number" },
    { "swap", "(i: integer, j: integer)", "does it" },
    { "coschedule", "(): Coschedule", "with Algorithm 1 in every pack" },
  },

  -- --- by policies ----------------------------------------------------------------------------

  {
    class = "PacksSpec", names = { "packs" }, head = "`orrery.packs`",
    about = "Fields of `orrery.packs`.",
    { "tasks", "Tasks|DrawnTasks|fun(run: integer): Tasks", [[[tasks](#tasks), the same in every
      run; or `{ n =, m =, sequential = }`, or a function of the run that returns tasks: new ones in
      every run]] },
    { "procs", "integer", "of the machine", unit = "processors" },
    { "k", "integer?", "the most in a pack", default = "`procs`", unit = "tasks" },
    { "least", "integer|table<string|integer, integer>?", [[the least number of a task: one for
      all, or a table by position or by id]], default = "1", unit = "processors" },
    { "policies", "PackPolicyGiven[]?", [[[pack policies](../policies/README.md#packs): names (with
      options, "pack-by-pack:runs=9"), paths, tables, functions of the problem, or `{ policy =,
      options =, name = }`]] },
    { "policy", "PackPolicyGiven?", "the same, one; not both", default = '"pack/pack-by-pack"' },
    { "options", "table<string, any>?",
      "policy options, name -> value, for every policy that has them" },
    { "bounds", '"quick"|"best"?', [["quick", or "best": with `fractional`, see
      `problem:bounds`]], default = '"quick"' },
    { "check", "boolean?", "every co-schedule must pass `coschedule:check`; a note says so",
      default = "false" },
    { "runs", "integer?", "each with random numbers, and tasks where they are drawn, of its own",
      default = "1", unit = "" },
    { "run", "integer?", "the number of the first run", default = "1", unit = "" },
    { "seed", "integer?", "as for jobs", default = "1", unit = "" },
    { "set", "integer?", "as for jobs", default = "0", unit = "" },
    { "limits", "Limits?", "as for jobs" },
    { "progress", "fun(done: integer, total: integer)", "as for jobs", optional = true },
  },
  {
    class = "DrawnTasks", about = "Tasks that every run draws anew.",
    { "n", "integer?", default = "100", unit = "tasks" },
    { "m", "{ [1]: number, [2]: number }?", default = "{ 1500000, 2500000 }", unit = "data units" },
    { "sequential", "number?", default = "0.08", unit = "" },
  },
  {
    alias = "PackPolicyGiven",
    type = "string|PackPolicy|GivenPolicy|fun(problem: Problem): integer[][], integer[]?",
    about = "How a pack policy is given.", words = "pack policy",
  },
}
