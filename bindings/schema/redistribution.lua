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
    { "every_fault", "boolean", [[`true`: `on_fault` is called after every fault that strikes a
      task, also where another task is expected to finish later]], default = "`false`: the papers'",
      optional = true },
    { "on_start", "fun(sim: TaskSim)", [[once, before the tasks start and before `init`: proposes
      what they start on, which costs nothing. `sim` shows the tasks on the processors of RR-8795,
      Algorithm 1, which is what they start on without a proposal. `sim.state` is not there yet]],
      optional = true },
    { "period", "fun(question: PeriodQuestion): number", [[period of a task's checkpoints on a
      number of processors, from the end of one to the end of the next; larger than a checkpoint. It
      takes the place of `--period` in all expected finishes. The same question must always get the
      same answer: there is no `sim` and no chance. It is not called where processors never fail, or
      where checkpoints take no time. A session does not change from or to a policy that has it]],
      unit = "s", optional = true },
    { "init", "fun(sim: TaskSim)", "called at the beginning of every run, to fill `sim.state`",
      optional = true },
    { include = "policies.Policy", "options",
      about = "the options with their defaults, [as for jobs](#the-table)" },
    { include = "policies.Policy", "caches", "name", "about", "source" },
  },
  {
    class = "PeriodQuestion", names = { "period question" }, head = "field",
    about = "What a policy's `period` is asked about: a table of numbers.",
    { "position", "integer", "position of the task, from 1", unit = "" },
    { "procs", "integer", "its processors", unit = "processors" },
    { "size", "number", "size m of the task", unit = "data units" },
    { "time", "number", "time of the whole task on these processors, without faults", unit = "s" },
    { "alone", "number", "the same on one processor", unit = "s" },
    { "checkpoint", "number", "time of a checkpoint, and of a recovery, on these processors",
      unit = "s" },
    { "mtbf", "number", "mean time between failures of these processors together", unit = "s" },
    { "downtime", "number", "downtime after a fault", unit = "s" },
    { "period", "number", "the period that `--period` gives", unit = "s" },
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
    { "expected_last", "(proposal?: table<Task, integer>): number", [[what-if: the latest expected
      finish of all running tasks if the tasks of `proposal`, `{ [task] = processors }`, had so many
      processors and the others what is proposed for them. Changes nothing. An error where
      `assign` would have one, or where there are not so many processors]], unit = "s" },
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
