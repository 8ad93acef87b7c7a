-- redistribution: what policies for tasks say, and what they see.
local with_fields = require "orrery.schema.fields_seen"

return {
  {
    class = "RedistributionPolicy", names = { "redistribution" }, head = "key",
    about = "The table that the file of a redistribution policy returns.",
    { "on_end", "false|fun(sim: TaskSim, task: Task)",
      "after every end of a task, while another task still runs", optional = true },
    { "on_fault", "false|fun(sim: TaskSim, task: Task)",
      "after a fault, if the struck task is now expected to finish no earlier than any other task",
      optional = true },
    { "init", "fun(sim: TaskSim)", "called at the beginning of every run, to fill `sim.state`",
      optional = true },
    { include = "policies.Policy", "options",
      about = "the options with their defaults, [as for jobs](#the-table)" },
    { include = "policies.Policy", "caches", "name", "about", "source" },
  },
  with_fields {
    class = "Task", kind = "task", shown = "task", bare = true, head = "field", host = true,
    about = [[A malleable task, as a policy sees it. Read-only. Times are on the clock of the run,
      which begins at 0.]],
  },
  with_fields {
    class = "TaskSim", kind = "sim of tasks", names = { "sim" }, shown = "sim", bare = true,
    head = "field or method", host = true,
    about = "A simulation of malleable tasks, as a policy sees it.",
    { "tasks", "(): Task[]", [[list of the tasks that take part: the computing tasks and the task
      that was just struck. The latest expected finish first, ties by position]] },
    { "running", "(): Task[]",
      "list of all tasks that are not over, also locked ones, in the order of `tasks`" },
    { "longest", "(): Task?", [[the task with the latest expected finish, among those that take part
      and were not dropped; nil if there is none]] },
    { "drop", "(task: Task)", [[leaves the task out of `longest` until the hook returns; the task
      keeps the processors that it was given]] },
    { "shortest", "(procs?: integer): Task?", [[the task with the earliest expected finish, among
      those that take part, are not struck, and have at least `procs` processors (default: 4)]] },
    { "improvement", "(task: Task, most?: integer): integer?", [[the smallest even number of
      processors, up to `most` (default: all free ones), that lets the task finish earlier; nil if
      there is none, or if the task takes no part]], unit = "processors" },
    { "transfer", "(from: Task, to: Task): integer?", [[the smallest even number of processors whose
      move lets both tasks finish earlier than `to` would now; nil if there is none]],
      unit = "processors" },
    { "finish_with", "(task: Task, procs: integer): number",
      "expected finish of the task on `procs` processors", unit = "s" },
    { "time", "(task: Task, procs: integer): number",
      "time of the whole task on `procs` processors, without faults", unit = "s" },
    { "give", "(task: Task, more: integer)",
      "proposes `more` processors in addition; a negative number takes processors away" },
    { "assign", "(task: Task, procs: integer)", "proposes `procs` processors for the task" },
    { "start_over", "()", "proposes 2 processors for every task that takes part" },
    { "share_out", "(procs?: integer): integer", [[gives out up to `procs` processors (default: all
      free ones), two at a time, each time to `longest()`, until that one has no `improvement` with
      what is left; returns how many. The same as the loop, in a fraction of the time]],
      unit = "processors" },
    { "note", "(fields: table|string)",
      "records what the policy wants to tell, as `sim:note` of policies for jobs" },
  },
  {
    class = "PackPolicy", names = { "pack" }, head = "key",
    about = "The table that the file of a pack policy returns.",
    { "pack", "fun(problem: Problem): integer[][]|Coschedule, integer[]?", [[returns the packs, a
      list of lists of positions, and as an optional second value the processors of every task, a
      list by position. Without the second value Algorithm 1 gives each pack its best processors. Or
      returns a co-schedule]] },
    { include = "redistribution.RedistributionPolicy", "options", "caches", "name", "about",
      "source" },
  },
}
