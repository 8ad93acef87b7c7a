-- policies: what a policy for jobs says, and what it sees.
local with_fields = require "orrery.schema.fields_seen"

return {
  {
    class = "Policy", names = { "policy" }, head = "key",
    about = "The table that the file of a policy for jobs returns.",
    { "priority", "fun(job: Job, view: Sim): number, number?", [[a number; the job with the largest
      number stands first. Ties: earlier submission, then position in the workload]],
      optional = true, unit = "" },
    { "per", '"workload"|"scenario"|"attempt"|"change"|"decision"?', [[when the priority is
      computed: `"workload"` (once for all scenarios), `"scenario"` (once per scenario),
      `"attempt"` (at every entry of the job into the queue), `"change"` (the same, and at the time
      in s that it returned behind the number, or nil, if the job waits then), `"decision"` (for
      all waiting jobs, at every decision)]], default = '"workload"' },
    { "dispatch", "string|Discipline|fun(sim: Sim)", [[`function(sim)`, called once per
      decision; or a table that names one of the kernel's disciplines; or the name of another
      policy]], optional = true },
    { "backfill", "string|BackfillOrder|fun(job: Job, view: Sim): number", [[the order in which the
      discipline `list` tries jobs behind the last reservation: as `priority`, as `{ priority =, per
      = }`, or the name of a priority]], optional = true, default = "the order of the queue",
      unit = "" },
    { "groups", "PolicyGroup[]|fun(procs: integer, nodes?: boolean): PolicyGroup[]", [[how
      the processors are divided: a list of [groups](#groups), or a function that returns such a
      list; it gets the number of the machine's processors, and whether it has nodes]],
      optional = true },
    { "init", "fun(sim: Sim)", "called at the beginning of every scenario, to fill `sim.state`",
      optional = true },
    { "options", "table<string, PolicyOption|number|string|boolean>?", [[the options with their
      defaults: `name = default`, or `name =` a table of {fields PolicyOption}]] },
    { "caches", "string[]?", [[names of variables outside of the hooks that only remember what is
      the same in every scenario: each item is filled in once and then stays. Other variables
      outside of the hooks [never change](#6-state)]] },
    { "name", "string?", "title that `orrery policies` shows" },
    { "about", "string?", "description that `orrery policies` shows" },
    { "source", "string?", "publication or origin that `orrery policies` shows" },
    { "on_submit", "fun(sim: Sim, job: Job)",
      "when the job has been submitted and waits in the first group", group = "hooks",
      optional = true },
    { "on_start", "fun(sim: Sim, job: Job)",
      "when an attempt has started, by a decision or by a hook", group = "hooks",
      optional = true },
    { "on_end", "fun(sim: Sim, job: Job, outcome: "
      .. '"completed"|"failed"|"killed"|"node_failure"|"cancelled")', [[when an attempt has ended:
      "completed", "failed" (an error was found; the job waits again), "killed" (at its walltime) or
      "node_failure" (the job waits again); in a changed session also "cancelled" (by the user, also
      for a job that only waited). Not called when the policy itself ended the attempt]],
      group = "hooks", optional = true },
    { "on_idle", "fun(sim: Sim, group: string)",
      "when a group has free processors and no waiting job, once per instant", group = "hooks",
      optional = true },
    { "on_timer", "fun(sim: Sim)",
      "at the times that the policy gave to `wake_at`", group = "hooks", optional = true },
    { "period", "fun(job: Job, view: Sim): number", [[how much work the job is to do between two
      checkpoints, s; math.huge for none. It is asked of every job that can write checkpoints, when
      the job begins to wait, and holds for its next attempt. Instead of `checkpoint.period`]],
      group = "hooks", optional = true },
    { "estimate", "fun(job: Job, view: Sim): number", [[how long the policy believes that the job
      takes, s, at most `job.time`. [All plans are
      made with it](../spec/READINGS.md#43-predictions-of-runtimes), and `job.next_length` is it;
      jobs are still killed at their walltimes. It is asked whenever the job begins to wait, and
      holds for its next attempt. Not where jobs write checkpoints]],
      group = "hooks", optional = true },
    { "planned_end", "fun(job: Job, view: Sim): number", [[when the policy plans a running job to
      end, s. It is asked with
      [`instant = "pyss"`](../spec/READINGS.md#35-when-is-decided-at-an-instant) alone, of attempts
      that end now, before all else at this time: those that are planned to end now are over then.
      Without it: at the walltime]], group = "hooks", optional = true },
    { "on_warning", "fun(sim: Sim, nodes: NodeView[], at: number)", [[when a failure of nodes is
      [announced](#warnings) for the time `at`: `nodes` is the list of nodes that are to fail, one
      or all of a domain. The warning may be false]], group = "hooks", optional = true },
  },
  {
    class = "PolicyOption", about = "An option that a policy declares.",
    { "default", "number|string|boolean", unit = "" },
    { "about", "string?" },
    { "unit", "string?" },
    { "values", "any[]?", "the words that are allowed" },
    { "least", "number?", "smallest number allowed", unit = "" },
    { "most", "number?", "largest number allowed", unit = "" },
    { "whole", "boolean?", "true: only whole numbers" },
  },
  {
    class = "Discipline", names = { "dispatch" }, head = "key",
    about = "A discipline of the kernel, as the `dispatch` of a policy.",
    { "discipline", '"list"|"fcfs"|"shelf"|"conservative"|"recorded"', [["list": jobs start in queue
      order, with reservations that every decision makes anew; "fcfs": the first job that does not
      fit blocks the others; "shelf": jobs fill a shelf, and the next decision comes when the whole
      shelf has ended; "conservative": every job holds a reservation, which only moves forward;
      "recorded": no decision, every job starts when the log says that it did]] },
    { "reservations", 'integer|"all"?',
      "for `list`: how many jobs hold a reservation", default = "0", unit = "jobs" },
    { "reading", '"blocked"|"head"?', [[for `list`: which jobs hold the reservations: the first ones
      that cannot start (blocked), or the first ones of the queue, whether they start or not
      (head)]], default = '"blocked"' },
    { "fill", "boolean?",
      "for `shelf`: false closes the shelf at the first job that does not fit", default = "false" },
    { "place", '"any"|"named"|"contiguous"|"nodes"|"reliable"|"spread"|"low"'
        .. "|fun(job: Job, free: integer[][]): integer[][]?",
      [[on which free processors jobs run: "any": the lowest-numbered, and plans count processors;
      "named": the same, but a reservation holds particular processors, as in batsched;
      "contiguous": neighbours; "nodes": whole nodes, which a job shares with nobody; "reliable":
      as "named", but those of nodes first that have failed least often so far; a function
      gets the free processors as a list of ranges { first, last }, numbered from 0, and returns
      ranges of `job.procs` of them, or nil if the job cannot run on these. Plans ask it about later
      times, so it sees neither `sim` nor random numbers. On a
      machine of nodes (`--machine`): "any": on those with the fewest free processors; "spread":
      those with the most; "low": the lowest-numbered. Every policy with such a dispatch also has
      this as an option: `easy:place=contiguous`]], default = '"any"' },
    { "node_procs", "integer?", "for place `nodes`: size of a node; also an option",
      unit = "processors" },
    { "place_nodes", "fun(job: Job, nodes: NodeOffer[]): (integer[]|NodeOffer|integer)[]?",
      [[on which nodes a job runs that starts now, where the machine has nodes: gets those that can
      take something of the job, {fields NodeOffer}, and what is free of each resource, by its name;
      returns nodes, their numbers or lists { number, processors }, which are filled in this order
      as far as the job needs them, or nil for the default]] },
  },
  {
    class = "BackfillOrder", about = "The order in which jobs are tried behind reservations.",
    { "priority", "string|fun(job: Job, view: Sim): number", "", unit = "" },
    { "per", '"workload"|"scenario"|"attempt"|"change"|"decision"?', default = '"workload"' },
  },
  {
    class = "PolicyGroup", names = { "groups" }, head = "key",
    about = "A group of processors, as a policy declares it.",
    { "name", "string", "name of the group" },
    { "procs", "integer?",
      "size of the group; one group may leave it out and gets the rest of the machine",
      unit = "processors" },
    { "extra", "boolean?", "true: these processors are added to the machine", default = "false" },
    { "dispatch", "string|Discipline|fun(sim: Sim)", [[dispatch policy of the group, as for a
      policy; also the name of a policy (with options behind a colon)]], optional = true,
      default = "the policy's" },
    { "priority", "string|fun(job: Job, view: Sim): number",
      "order of the group's queue, as for a policy", optional = true,
      default = "the policy's", unit = "" },
    { "per", '"workload"|"scenario"|"attempt"|"change"|"decision"?',
      "when the group's priority is computed, as for a policy", default = "the policy's" },
    { "backfill", "string|BackfillOrder|fun(job: Job, view: Sim): number",
      "backfill order of the group, as for a policy", optional = true,
      default = "the policy's", unit = "" },
  },

  -- --- what it sees -----------------------------------------------------------------------------

  with_fields {
    class = "Job", kind = "job", shown = "job", bare = true, head = "field", host = true,
    about = "A job, as a policy sees it. Read-only.",
  },
  with_fields {
    class = "Sim", kind = "sim", names = { "view" }, shown = "sim", bare = true,
    head = "field or method", host = true,
    about = "A simulation of jobs, as a policy sees it; also called view.",
    { "look", "(group?: string): GroupView", "a view of another group: {fields GroupView}" },
    { "job", "(position: integer): Job", [[the job at that position of the workload, once it is
      submitted; for positions that `state` remembers]] },
    { "waiting", "(most_procs?: integer, group?: string): fun(): Job?",
      [[iterates over the waiting jobs in queue order, without those over a limit (`limit`);
        `ipairs` of it does so, too]] },
    { "fitting", "(group?: string): fun(): Job?", [[iterates over the waiting jobs that fit on the
      processors that are free when their turn comes]] },
    { "startable", "(group?: string): fun(): Job?", [[iterates over those that `can_start` when
      their turn comes]] },
    { "waiting_by_procs", "(group?: string): integer[]", [[how many waiting jobs are how wide: a
      list of 31 numbers of jobs, of which number i counts those of 2^(i-1) to 2^i - 1
      processors]],
      unit = "jobs" },
    { "waiting_by_time", "(group?: string): integer[]", [[how many waiting jobs are how long: as
      `waiting_by_procs`, by `time`; number 1 counts those below 2 s, number i those from 2^(i-1) s
      to below 2^i s, number 31 also longer ones]], unit = "jobs" },
    { "recent_wait", "(probability: number, group?: string): number?", [[a quantile of the waits of
      the last 128 jobs of the group that [started for the first
      time](../spec/READINGS.md#29-what-a-policy-knows); nil before the first start. 0.5 gives the
      median]], unit = "s" },
    { "free_of", "(name: string, partition?: string): integer", [[how much of a
      [pool](../spec/READINGS.md#55-pools) is free, or of a resource of
      [nodes](../spec/READINGS.md#58-nodes), of all or of a partition; of the name of a partition:
      its processors]], unit = "" },
    { "nodes", "(): NodeFree[]", [[the nodes of the machine in order: {fields NodeFree}, and what is
      free of each resource, by its name; an empty list where processors are counted]] },
    { "running", "(group?: string): Job[]", "list of the running jobs, in order of their starts" },
    { "running_on", "(nodes: NodeView|NodeView[]): Job[]", [[list of the jobs that run on a node, as
      `sim:node` gives it, or on any of a list of nodes, as `on_warning` gets it, in order of their
      starts]] },
    { "earliest_start", "(procs: integer, seconds: number, group?: string): number",
      "the earliest time at which `procs` processors are available for `seconds`", unit = "s" },
    { "can_start", "(job: Job): boolean", [[true if the job fits now, delays no
      reservation and is over no limit]] },
    { "node", "(processor: integer): NodeView",
      "the node of a processor, numbered from 0, as it is now: {fields NodeView}" },
    { "start", "(job: Job)", "starts a waiting job now; an error if it does not fit" },
    { "reserve", "(job: Job): number", [[reserves the earliest possible time for the job until the
      end of this decision, and returns that time]], unit = "s" },
    { "list", '(reservations?: integer|"all")', [[decides as the kernel's discipline `list` with so
      many reservations (1: as EASY), in queue order; an error behind `reserve`, and outside of
      `dispatch`]] },
    { "kill", "(job: Job)", "ends a running job for good" },
    { "requeue", "(job: Job)", [[ends the running attempt of a job; the job waits again at its old
      place and keeps its arrival]] },
    { "checkpoint", "(job: Job)", [[a running job that can write
      [checkpoints](../spec/READINGS.md#36-checkpoints-of-rigid-jobs) writes one now and goes on;
      where it recovers, is writing one or has just written one, it writes no other]] },
    { "preempt", "(job: Job)", [[writes a checkpoint as `checkpoint` does; the job leaves
      its processors when the checkpoint is complete (at once if it writes none) and waits again at
      its old place]] },
    { "move", "(job: Job, group: string)", [[puts a waiting, held or running job into the queue of a
      group, where it arrives now. A running attempt ends; if the group is another one, the attempt
      counts as redirected]] },
    { "hold", "(job: Job)", [[takes a waiting job out of its queue until it is released or moved;
      the job keeps its arrival]] },
    { "release", "(job: Job)", "puts a held job back at its old place" },
    { "wake_at", "(seconds: number)",
      "adds an instant at a later time, with `on_timer` and a decision" },
    { "hour", "(seconds?: number): integer", [[hour of the day, 0 to 23, at a time on the clock;
      default: now]], unit = "" },
    { "weekday", "(seconds?: number): integer", "day of the week at that time: 1, Monday, to 7",
      unit = "" },
    { "date", "(seconds?: number): string", 'date at that time, as "2019-06-14"' },
    { "at", "(time: string, seconds?: number): number", [[the next time, from `seconds` (default:
      now) on, at which it is `time`, such as "18:00" or "18:00:30"; now, if it is now]],
      unit = "s" },
    { "note", "(fields: table|string)", [[records what the policy wants to tell: a table of numbers,
      texts, booleans and jobs, or a text. The policy cannot read it back, and the schedule is the
      same with and without it; `s.notes` shows it]] },
  },
  with_fields {
    class = "GroupView", kind = "group", shown = "group", bare = true, host = true,
    about = "Another group of processors, as a policy sees it; `sim:look` returns it.",
  },
  {
    class = "NodeView", about = "A node as it was when a policy asked with `sim:node`.",
    { "first", "integer", "its first processor, from 0", unit = "" },
    { "procs", "integer", "its processors", unit = "processors" },
    { "failures", "integer", "so far, its own and those of its domain", unit = "" },
    { "down", "boolean", "whether the processor that was asked about is out of service" },
    { "back", "number?", "if it is, when it will work again; inf: never", unit = "s" },
  },
  {
    class = "NodeFree", about = "A node of a machine of nodes as it was when a policy asked.",
    { "number", "integer", "counted from 1, as in partitions", unit = "" },
    { include = "policies.NodeView", "first", "procs" },
    { "free", "integer", "of its processors; 0 if it is down", unit = "processors" },
  },
  {
    class = "NodeOffer", about = "A node on which a job may start, as `place_nodes` gets it.",
    { include = "policies.NodeFree", "number", "first", "procs" },
    { "free", "integer", "of its processors, until the job's planned end", unit = "processors" },
    { "takes", "integer", [[the job's processors that it can take; 1 for a job that asks for a
      number of nodes]], unit = "processors" },
  },
}
