-- policies: what a policy for jobs says, and what it sees.
return {
  {
    class = "Policy", names = { "policy" }, head = "key",
    about = "What the file of a policy for jobs returns: a priority, a dispatch policy, or both.",
    { "priority", "fun(job: Job, view: Sim): number", [[a number; the job with the larger one stands
      first. Ties: earlier submission, then position in the workload]], optional = true,
      unit = "" },
    { "per", '"workload"|"scenario"|"attempt"|"decision"?', [[when the priority is asked:
      `"workload"` (once, it holds for all scenarios), `"scenario"`, `"attempt"` (at every entry
      into the queue), `"decision"` (all waiting jobs, at every decision)]],
      default = '"workload"' },
    { "dispatch", "string|Discipline|fun(sim: Sim)", [[`function(sim)`, called once per
      decision; or a table that names one of the kernel's disciplines; or the name of another
      policy]], optional = true },
    { "backfill", "string|BackfillOrder|fun(job: Job, view: Sim): number", [[the order in which jobs
      are tried behind the last reservation, of the discipline `list`: as `priority`,
      `{ priority =, per = }`, or the name of a priority]], optional = true,
      default = "that of the queue", unit = "" },
    { "groups", "PolicyGroup[]|fun(procs: integer): PolicyGroup[]", [[how the processors are
      divided: a list of [groups](#groups), or a function from the machine's processors to one]],
      optional = true },
    { "init", "fun(sim: Sim)", "called at the beginning of every scenario, to fill `sim.state`",
      optional = true },
    { "options", "table<string, PolicyOption|number|string|boolean>?", [[the options with their
      defaults: `name = default`, or `name =` a table of {fields PolicyOption}]] },
    { "name", "string?", "text for `orrery policies`" },
    { "about", "string?", "the same" },
    { "source", "string?", "the same" },
    { "on_submit", "fun(sim: Sim, job: Job)",
      "when the job has been submitted: it waits in the first group", group = "hooks",
      optional = true },
    { "on_start", "fun(sim: Sim, job: Job)",
      "when an attempt has started, by a decision or by a hook", group = "hooks",
      optional = true },
    { "on_end", "fun(sim: Sim, job: Job, outcome: "
      .. '"completed"|"failed"|"killed"|"node_failure"|"cancelled")', [[when an attempt is over:
      "completed", "failed" (an error was found; it waits again), "killed" (at its walltime) or
      "node_failure" (it waits again); in a session that is changed also "cancelled": by the user,
      and also of a job that only waited. Not when the policy ended it itself]],
      group = "hooks", optional = true },
    { "on_idle", "fun(sim: Sim, group: string)", [[when a group has free processors and nobody waits
      for them, once per instant]], group = "hooks", optional = true },
    { "on_timer", "fun(sim: Sim)", "at the times that `wake_at` was asked for", group = "hooks",
      optional = true },
  },
  {
    class = "PolicyOption", about = "An option that a policy declares.",
    { "default", "number|string|boolean", unit = "" },
    { "about", "string?" },
    { "unit", "string?" },
    { "values", "any[]?", "the words that may be given" },
    { "least", "number?", "of a number", unit = "" },
    { "most", "number?", "of a number", unit = "" },
    { "whole", "boolean?", "whether it is a whole one" },
  },
  {
    class = "Discipline", names = { "dispatch" }, head = "key",
    about = "A discipline of the kernel, as the `dispatch` of a policy.",
    { "discipline", '"list"|"fcfs"|"shelf"', [["list": in the order of the queue, with reservations;
      "fcfs": the first job that does not fit blocks the others; "shelf": a shelf is filled, and the
      next decision comes when the whole shelf has ended]] },
    { "reservations", 'integer|"all"?', "how many hold one, of the discipline list", default = "0",
      unit = "jobs" },
    { "reading", '"blocked"|"head"?', [[of list: who holds them, the highest that cannot start
      (blocked), or the highest, whether they start or not (head)]], default = '"blocked"' },
    { "fill", "boolean?", "of shelf: false closes it at the first misfit", default = "false" },
  },
  {
    class = "BackfillOrder", about = "The order in which jobs are tried behind reservations.",
    { "priority", "string|fun(job: Job, view: Sim): number", "", unit = "" },
    { "per", '"workload"|"scenario"|"attempt"|"decision"?', default = '"workload"' },
  },
  {
    class = "PolicyGroup", names = { "groups" }, head = "key",
    about = "A group of processors, as a policy says it.",
    { "name", "string", "text" },
    { "procs", "integer?", "of the group; one may leave it out, and has the rest of the machine",
      unit = "processors" },
    { "extra", "boolean?", "true: they come on top of the machine", default = "false" },
    { "dispatch", "string|Discipline|fun(sim: Sim)", [[as for a policy, also as the name of a policy
      (with options behind a colon)]], optional = true, default = "that of the policy" },
    { "priority", "string|fun(job: Job, view: Sim): number", "the same", optional = true,
      default = "that of the policy", unit = "" },
    { "per", '"workload"|"scenario"|"attempt"|"decision"?', "the same",
      default = "that of the policy" },
    { "backfill", "string|BackfillOrder|fun(job: Job, view: Sim): number", "the same",
      optional = true, default = "that of the policy", unit = "" },
  },

  -- --- what it sees -----------------------------------------------------------------------------

  {
    class = "Job", kind = "job", shown = "job", bare = true, head = "field", host = true,
    about = "A job, as a policy sees it. Read-only.",
    { "id", "string", "the log's name for it" },
    { "position", "integer", "in the workload, from 1", unit = "" },
    { "submit", "number", "submission time", unit = "s" },
    { "procs", "integer", "that it asks for", unit = "processors" },
    { "time", "number", [[what the scheduler knows of the runtime: the walltime in use, by default
      the runtime]], unit = "s" },
    { "area", "number", "`procs * time`", unit = "processor-seconds" },
    { "user", "string?", "what the log says, text; nil where it does not" },
    { "queue", "string?", "the same" },
    { "partition", "string?", "the same" },
    { "attempts", "integer", "how many have started", unit = "" },
    { "state", '"pending"|"waiting"|"running"|"held"|"over"',
      '"pending" (not submitted), "waiting", "running", "held" or "over"' },
    { "start", "number?", "of the latest attempt; nil before the first", unit = "s" },
    { "planned_end", "number?", "of the same; of a job that is over, when it ended", unit = "s" },
    { "group", "string?", "the name of the group where it waits, is held, runs or ran last" },
    { "arrival", "number?", [[when it came into that group's queue: its submission, or when it was
      moved there]], unit = "s" },
  },
  {
    class = "Sim", kind = "sim", names = { "view" }, shown = "sim", bare = true,
    head = "field or method", host = true,
    about = "A simulation of jobs, as a policy sees it; also called view.",
    { "now", "number", "the clock", unit = "s" },
    { "procs", "integer", "of the group", unit = "processors" },
    { "free", "integer", "of the group that are free now", unit = "processors" },
    { "down", "integer", "of the group that are out of order", unit = "processors" },
    { "waiting_count", "integer", "of the group that wait", unit = "jobs" },
    { "running_count", "integer", "of the group that run", unit = "jobs" },
    { "group", "string?", [[the group where the hook takes place: the one that is decided, whose
      queue is ordered, that is idle, or that of the hook's job. `"main"` where there is only one,
      nil in `init` and `on_timer` where there are several; then the five above are of the
      machine]] },
    { "groups", "string[]", "the list of the groups' names" },
    { "first_submit", "number", "the workload's earliest submission", unit = "s" },
    { "state", "table", [[the policy's own table; everything that changes while the simulation runs
      belongs here]] },
    { "look", "(group?: string): GroupView", "another group: {fields GroupView}" },
    { "job", "(position: integer): Job", [[the job at that position of the workload, once it is
      submitted: for what `state` remembers of jobs]] },
    { "waiting", "(most_procs?: integer, group?: string): fun(): Job?",
      "iterates over the waiting jobs in queue order" },
    { "fitting", "(group?: string): fun(): Job?",
      "the same, only jobs that fit on what is free when their turn comes" },
    { "running", "(group?: string): Job[]", "list of the running jobs in order of their starts" },
    { "earliest_start", "(procs: integer, seconds: number, group?: string): number",
      "the earliest time at which so many processors can be had for so long", unit = "s" },
    { "can_start", "(job: Job): boolean", "whether it fits now and delays no reservation" },
    { "start", "(job: Job)", "starts a waiting job now; an error if it does not fit" },
    { "reserve", "(job: Job): number", [[reserves the earliest possible time until the end of this
      decision, and returns it]], unit = "s" },
    { "kill", "(job: Job)", "ends a running job for good" },
    { "requeue", "(job: Job)",
      "ends its running attempt; it waits again where it was, and keeps its arrival" },
    { "move", "(job: Job, group: string)", [[puts a waiting, held or running job into the queue of a
      group, where it arrives now; a running attempt is ended, and counted as redirected where the
      group is another]] },
    { "hold", "(job: Job)", [[takes a waiting job out of its queue until it is released or moved; it
      keeps its arrival]] },
    { "release", "(job: Job)", "puts a held job back where it was" },
    { "wake_at", "(seconds: number)",
      "makes a later time an instant of its own, with `on_timer` and a decision" },
  },
  {
    class = "GroupView", kind = "group", shown = "group", bare = true, host = true,
    about = "Another group of processors, as a policy sees it: of `sim:look`.",
    { "name", "string" },
    { "procs", "integer", unit = "processors" },
    { "free", "integer", unit = "processors" },
    { "down", "integer", unit = "processors" },
    { "waiting_count", "integer", unit = "jobs" },
    { "running_count", "integer", unit = "jobs" },
  },
}
