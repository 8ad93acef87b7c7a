-- redistribution: what policies for tasks say, and what they see.
return {
  {
    class = "RedistributionPolicy", names = { "redistribution" }, head = "key",
    about = "What the file of a redistribution policy returns.",
    { "on_end", "false|fun(sim: TaskSim, task: Task)",
      "after every end of a task, while another still runs", optional = true },
    { "on_fault", "false|fun(sim: TaskSim, task: Task)", [[after a fault, when the task that it
      struck is now expected to finish no earlier than any other]], optional = true },
    { "init", "fun(sim: TaskSim)", "called at the beginning of every run, to fill `sim.state`",
      optional = true },
    { "options", "table<string, PolicyOption|number|string|boolean>?", "as for jobs" },
    { "name", "string?", "as for jobs" },
    { "about", "string?", "as for jobs" },
    { "source", "string?", "as for jobs" },
  },
  {
    class = "Task", kind = "task", shown = "task", bare = true, head = "field", host = true,
    about = [[A malleable task, as a policy sees it. Read-only. Times are on the clock of the run,
      which begins at 0.]],
    { "id", "string", "its name" },
    { "position", "integer", "its place among the tasks, from 1", unit = "" },
    { "size", "number", "m", unit = "data units" },
    { "procs", "integer", "under the proposal", unit = "processors" },
    { "held", "integer", "that it had when the hook was called, 0 once it is over",
      unit = "processors" },
    { "most", "integer", "more are never faster for the whole task", unit = "processors" },
    { "left", "number", [[the share of its work that is left at the clock; of a struck task, what
      its last checkpoint leaves]], unit = "" },
    { "ready", "number", "since when it computes; while it recovers or moves, from when",
      unit = "s" },
    { "finish", "number", [[expected finish under the proposal, faults considered; the end of a task
      that is over]], unit = "s" },
    { "locked", "boolean", [[it recovers, moves, or takes the checkpoint after that: its processors
      cannot change]] },
    { "over", "boolean", "it has ended" },
  },
  {
    class = "TaskSim", kind = "sim of tasks", names = { "sim" }, shown = "sim", bare = true,
    head = "field or method", host = true,
    about = "A simulation of malleable tasks, as a policy sees it.",
    { "now", "number", "the clock", unit = "s" },
    { "procs", "integer", "of the machine", unit = "processors" },
    { "free", "integer", "that nobody holds under the proposal", unit = "processors" },
    { "running_count", "integer", "that are not over", unit = "tasks" },
    { "expected", "number", "the largest expected finish of these", unit = "s" },
    { "struck", "Task?", "in `on_fault` the task, else nil" },
    { "mtbf", "number", [[mean time between failures of one processor, inf for processors that never
      fail]], unit = "s" },
    { "downtime", "number", "after a fault", unit = "s" },
    { "state", "table", "the policy's own table" },
    { "tasks", "(): Task[]", [[list of the tasks that take part: those that compute, and the one
      that was just struck. The latest expected finish first, ties by position]] },
    { "running", "(): Task[]", "the same list of all that are not over, also of locked ones" },
    { "longest", "(): Task?", [[the task that is expected to finish last, of those that take part
      and were not dropped; nil when there is none]] },
    { "drop", "(task: Task)",
      "leaves it out of `longest` until the hook returns; it keeps what it was given" },
    { "shortest", "(procs?: integer): Task?", [[the task that is expected to finish first, of those
      that take part, are not the struck one, and have at least so many processors (default:
      4)]] },
    { "improvement", "(task: Task, most?: integer): integer?", [[the smallest even number, up to
      `most` (default: all that are free), that would let it finish earlier; nil for none, and for a
      task that takes no part]], unit = "processors" },
    { "transfer", "(from: Task, to: Task): integer?", [[the smallest even number that, moved, would
      let both finish earlier than `to` would now; nil for none]], unit = "processors" },
    { "finish_with", "(task: Task, procs: integer): number",
      "its expected finish if it had so many", unit = "s" },
    { "time", "(task: Task, procs: integer): number",
      "how long the whole task takes on so many, without faults", unit = "s" },
    { "give", "(task: Task, more: integer)",
      "proposes so many more; a negative number takes them away" },
    { "assign", "(task: Task, procs: integer)", "proposes so many" },
    { "start_over", "()", "proposes 2 for every task that takes part" },
  },
  {
    class = "PackPolicy", names = { "pack" }, head = "key",
    about = "What the file of a pack policy returns.",
    { "pack", "fun(problem: Problem): integer[][]|Coschedule, integer[]?", [[returns the packs, a
      list of lists of positions, and as a second value the processors of every task, a list by
      position. Without that each pack gets the best ones (Algorithm 1). Or a co-schedule]] },
    { "options", "table<string, PolicyOption|number|string|boolean>?", "as for jobs" },
    { "name", "string?", "as for jobs" },
    { "about", "string?", "as for jobs" },
    { "source", "string?", "as for jobs" },
  },
}
