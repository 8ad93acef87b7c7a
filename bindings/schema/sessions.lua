-- sessions: simulations to step through, and what they show.
local metrics = require "orrery.schema.metrics"

return {
  {
    class = "AnySession", shown = "s", head = "of both",
    about = "A simulation of jobs or of tasks that can stop, be shown, be copied and go back.",
    { "now", "number", "the clock", unit = "s" },
    { "next_event", "number", "the time of the next event, inf at the end", unit = "s" },
    { "over", "boolean", "true: all jobs or tasks are over" },
    { "procs", "integer",
      "size of the machine, with the processors that groups add", unit = "processors" },
    { "free", "integer", "free processors", unit = "processors" },
    { "draining", "integer", [[processors that a change takes away once the attempt on them ends, or
      the task on them ends or shrinks; `procs` does not count them]], unit = "processors" },
    { "numbered", "integer",
      "all processors that ever had a number; the highest number is one less",
      unit = "processors" },
    { "counts", "Counts", "number of jobs or tasks in each state: {fields Counts}" },
    { "policy", "string", "name of the policy" },
    { "state", "table?", "a copy of the policy's `sim.state`; nil if the policy has none" },
    { "notes", "Note[]", [[what the policy has noted with `sim:note`: a list of {fields Note}. The
      latest 10000 are kept; `s.notes.dropped` is the number of those before, nil if there are
      none]] },
    { "history", "HistoryEntry[]",
      "everything that was done to the session: a list that prints, of {fields HistoryEntry}" },
    { "step", "(n?: integer): boolean, Instant?", [[simulates the next instant, or the next n; true
      while something is unfinished, and, for jobs, what happened at the last instant: a value that
      prints, with {fields Instant}]] },
    { "run_until", "(time: number|string): self",
      [[simulates all instants up to this [time](#times), which is included; returns the session.
        The clock begins at the first submission: an earlier time sets it back, so that jobs and
        windows can come before that submission]] },
    { "run_before", "(time: number|string): self", [[simulates all instants before this
      [time](#times): what is submitted or changed then belongs to its instant, if the clock has not
      reached it; returns the session]] },
    { "run_while", "(f: fun(s: AnySession): any): self", [[simulates one instant after the other,
      while f(session) is true and something is unfinished; returns the session]] },
    { "break_at", "(condition?: Break|fun(s: AnySession): any): self", [[stops `run_until` where
      this holds: a function of the session, which is asked behind every instant, or {fields
      Break}. Several conditions add up; without one all are forgotten. A fork has none; `finish`
      goes to the end. Returns the session]] },
    { "broke", "string?", "why the last `run_until` stopped before its time: when, and what held" },
    { "back_to", "(time: number|string): self", [[the session as it was when the clock stood at this
      time, or at "start", before the first event; returns the session]] },
    { "clock", "(time?: number|string): string", [[a time as text: its date, or "6.00 h" in logs
      without dates; without a time, the current time]] },
    { "seconds", "(text: number|string): number",
      "the time on the clock that a text means", unit = "s" },
    { "check", "(): true?, string?",
      "true; or nil and the objections of an independent checker to the schedule" },
    { "outages", "(): Outage[]", "list of the outages so far, in order of time: {fields Outage}" },
    { "write_schedule", "(path?: string): string?", [[writes the schedule as CSV (see METRICS.md);
      for jobs in SWF if the name ends in `.swf`; without a path the text]] },
    { "show", "(options?: ShowOptions): string?", [[prints the schedule, as large as the window,
      then the busy processors and the waiting jobs: with colours and half blocks if the terminal
      has them (`NO_COLOR` turns them off), else with letters. 80 columns and 24 rows if there is no
      window]] },
    { "gantt", "(file: string, options?: GanttOptions)", [[draws the schedule as a page for a
      browser, `.html`, or for papers as `.svg` or `.png` (needs rsvg-convert), complete or not at
      all, see [Pictures](#pictures)]] },
    { "plot", "(file?: string|SessionPlotOptions, options?: SessionPlotOptions): string?", [[plots
      busy processors and waiting jobs over time, as `.png` or `.svg` (needs gnuplot); without a
      file the plot is printed]] },
  },
  {
    class = "Session", parent = "AnySession", kind = "session", names = { "s" }, shown = "s",
    head = "of jobs", lua_class = "session",
    about = "A simulation of jobs that can stop, be shown, be copied and go back.",
    { "jobs", "Jobs", "the workload" },
    { "priority", "string?",
      'name of the priority that orders the queue; "own" if the policy itself has one' },
    { "down", "integer", "processors that are out of service", unit = "processors" },
    { "groups", "GroupState[]", "list of the groups of processors: {fields GroupState}" },
    { "out", "(): string", [[the processors that are out of service because their node is down, as
      "0-7 24-31"; those that a change has taken away are not among them]] },
    { "warnings", "(): Warning[]", [[list of the failures of nodes that are announced
      (`node_failures.prediction`) and have not come yet, in their order: {fields Warning}]] },
    { "overruns", "integer", "jobs that ran longer than their estimate", unit = "jobs" },
    { "finish", "(): JobMetrics", [[simulates to the end; returns a table of all
      metrics, with [quantiles](../spec/METRICS.md#quantiles)]] },
    { "change", "(changes: JobChanges): self",
      "makes [changes](#changes): all changes, or none if there is an error; returns the session" },
    { "submit", "(list: Jobs|JobRow|JobRow[]): self", [[submits jobs, now or later:
      `change { submit = list }`. It costs little, whatever the size of the log; returns the
      session]] },
    { "fork", "(changes?: JobChanges): self", [[an independent session at the same point, with an
      equal future and past; with changes: `fork():change(changes)`]] },
    { "job", "(job: integer|string): JobState", "a job as it is now: {fields JobState}" },
    { "waiting", "(group?: string): JobState[]", [[list of the waiting jobs in queue order: of one
      group, or of all groups, one after the other, and then those over a limit; it prints as a
      table, with the time that is reserved for each if a decision is taken now]] },
    { "running", "(group?: string): JobState[]", [[list of the running jobs of one group or of all
      groups, in order of their starts; it prints as a table]] },
    { "why", "(job: integer|string): Why", [[why a job waits, in words and as a table {fields Why}.
      The policy decides in a copy of the simulation, and in another one in which the job has
      started: what is planned for others only in the first is what the job would delay]] },
    { "trace", "(file?: string): string?", [[goes on to the end and writes everything that was
      decided, as [lines of
      JSON](METRICS.md#--trace-file-one-line-per-instant); without a file it returns the text]] },
    { "schedule", "(): Attempt[]", "list of attempts in order of their starts: {fields Attempt}" },
    { "failures", "(): integer[]", "the failure counts of the scenario, one per job", unit = "" },
    { "times", "(): Times", "lists by position: {fields Times}" },
    { "timeline", "(): TimelineStep[]", [[busy processors and waiting jobs so far: a list of steps
      {fields TimelineStep}, each holding until the next]] },
    { "fidelity", "(): Fidelity?", [[`result:fidelity` for the policy that decides now]] },
    { "users", "(): UserRow[]", "`result:users` of this session, once it is finished" },
    { "resources", "(): ResourceRow[]", "`result:resources` of this session, once it is finished" },
    { "measure", "(): JobMetrics",
      "the metrics, computed anew from the schedule of a finished session" },
  },
  {
    class = "Counts", about = "How many jobs or tasks are in which state.",
    { "pending", "integer?", "not submitted yet", unit = "jobs" },
    { "waiting", "integer?", unit = "jobs" },
    { "held", "integer?", unit = "jobs" },
    { "running", "integer", "jobs or tasks", unit = "" },
    { "over", "integer", "jobs or tasks", unit = "" },
  },
  {
    class = "Break", about = "Where runs of a session stop.",
    { "time", "number|string?", "at this [time](#times)", unit = "s" },
    { "job", "integer|string?", [[behind an instant at which this job (or task) comes, starts, ends,
      is held or released]], unit = "" },
    { "hook", "string?", [[behind an instant at which this hook of the policy was called, such as
      "on_end" or "dispatch"]] },
  },
  {
    class = "Instant", about = "What happened at an instant; it prints.",
    { "time", "number", unit = "s" },
    { "submitted", "table[]", "jobs that came: `id`, `position`" },
    { "ended", "table[]", "attempts that ended: `id`, `position`, `outcome`" },
    { "started", "table[]", "attempts that started: `id`, `position`, `processors`" },
    { "reserved", "table[]", [[while the session stands there, the planned starts of waiting jobs,
      the earliest first: `id`, `position`, `start`]] },
    { "warned", "Warning[]",
      "announced failures: {fields Warning}; of a policy that looks at them" },
  },
  {
    class = "Note", about = [[What a policy has told with `sim:note`: these fields, and its own.]],
    { "time", "number", unit = "s" },
    { "hook", "string", "the hook that told it" },
    { "job", "string?", "the job that the hook, or the note, is about; of tasks `task`" },
  },
  {
    class = "HistoryEntry", about = "Something that was done to a session.",
    { "time", "number", unit = "s" },
    { "what", "string", '"change", "fork", "back_to"' },
    { "text", "string" },
    { "changes", "table?", "the changes as they were given" },
    { "remarks", "string[]?", "remarks about changes that had no effect" },
    { "at_once", "boolean?",
      "true: the session had not gone on since the change before, or since the start" },
    { "from", "number?", "for back_to: the clock before", unit = "s" },
  },
  {
    class = "JobChanges", names = { "changes", "change" }, head = "of jobs",
    about = "Changes of a session of jobs.",
    { "policy", "PolicyGiven?", [[the policy from now on. Its `init` runs, unless it is the present
      policy with the same options and as many processors as when it came. Running jobs go on]] },
    { "priority", "string|Policy|fun(job: Job, view: Sim): number", [[the order of the queue from
      now on; the policy stays, but its `init` runs. false: the policy's own order]],
      optional = true, unit = "" },
    { "options", "table<string, any>?", [[options of the policy and the priority, as in
      `orrery.session`; options that are not named stay]] },
    { "seed", "integer?",
      "future failures are drawn anew, with this seed; past failures stay", unit = "" },
    { "procs", "integer|ProcsNow?", [[size of the machine from now on, or {fields ProcsNow}. If it
      shrinks, free processors leave at once, and busy ones when their attempt ends, the
      highest-numbered first. If it grows, the new processors come behind the last]],
      unit = "processors" },
    { "drain_at", "DrainAt|DrainAt[]?", [[processors that are drained at a time: {fields DrainAt}.
      Policies know it from now on, and plan no attempt into it; attempts that still run then are
      interrupted as by a [window](../spec/READINGS.md#48-windows)]] },
    { "pools", "table<string, integer|string>?", [[how much there is of pools from now on, without
      what windows close; what runs goes on]], unit = "" },
    { "limit", "string|(string|Limit)[]?", [[limits as in `orrery.session`, each with another
      amount from now on; what runs goes on]], unit = "" },
    { "drain", "string|integer|Drain|Drain[]?", [[nodes, or {fields Drain}, that are drained now:
      jobs that run there run to their end, and no others start]], unit = "" },
    { "bring_back", "string|integer|BringBack|BringBack[]?",
      "nodes, or {fields BringBack}, that are drained and come back now", unit = "" },
    { "add_nodes", "AddNodes|AddNodes[]?",
      "nodes, {fields AddNodes}, that a machine of nodes gets now, numbered behind the last" },
    { "submit", "JobRow|JobRow[]|Jobs?", [[one job or a list, as for `orrery.jobs`, or jobs. A job
      without a time, or with a past one, is submitted now; the new jobs have the last positions]]
      },
    { "cancel", "integer|string|(integer|string)[]?",
      "jobs that end now, in whatever state; the work of a running job is lost", unit = "" },
    { "runtime", "table<integer|string, number|string>?", [[job -> its runtime from now on. The
      runtime of a running job counts from its start and cannot be less than the time it has run]],
      unit = "s" },
    { "fail", "integer|string|(integer|string)[]?",
      "jobs whose running attempt, or else the next one, fails at its end", unit = "" },
    { "fault", "JobFault|JobFault[]?",
      "faults that strike now: {fields JobFault}. The attempt ends, and the job waits again" },
    { "checkpoint", "integer|string|(integer|string)[]?", [[running jobs that write a
      [checkpoint](../spec/READINGS.md#36-checkpoints-of-rigid-jobs) now, and go on]], unit = "" },
    { "preempt", "integer|string|(integer|string)[]?", [[running jobs that write one now, and wait
      again when it is complete]], unit = "" },
  },
  {
    class = "ProcsNow", about = "Another number of processors from now on.",
    { "procs", "integer", unit = "processors" },
    { "group", "string?", "name of the group; default: the first" },
    { "until", "number|string?", [[until then the group has so many processors in service, and from
      then on what earlier changes say; a later change of the group holds before this one. Policies
      know all this when they plan]], default = "for ever", unit = "s" },
  },
  {
    class = "DrainAt", about = "Processors that are drained at a time.",
    { "at", "number|string", "when, later than now", unit = "s" },
    { "procs", "integer?", [[so many processors, the highest-numbered, of the machine or of the
      group; default: all of them]], unit = "processors" },
    { "group", "string?", "name of a group" },
    { "nodes", "string|integer|integer[]?", [[in place of `procs`: numbers of nodes from 0 and runs
      of them, "0-15,32"; a node has the `procs` of `node_failures`, else one processor. On a
      machine of nodes: its nodes, from 1, or the name of a partition, or "all"]], unit = "" },
    { "until", "number|string?", "when they are back", default = "never", unit = "s" },
  },
  {
    class = "Drain", about = "Processors that are drained now.",
    { include = "sessions.DrainAt", "procs", "nodes", "until" },
  },
  {
    class = "BringBack", about = "Processors that come back now.",
    { include = "sessions.DrainAt", "procs", "nodes" },
  },
  {
    class = "AddNodes", about = "Nodes that a machine of nodes gets.",
    { "count", "integer", "how many", unit = "nodes" },
    { "kind", "integer|table<string, integer|string>", [[like those of a kind of the machine: its
      place in `nodes`, from 1; or what each has, `{ procs = 64, mem = "256G" }`, of resources that
      the machine knows]], unit = "" },
    { "partitions", "string|string[]?", [[names of the partitions that they join; default: those
      that have all nodes that are like these, or, where there are none, the default partition]],
      unit = "" },
  },
  {
    class = "JobFault", about = "A fault that strikes now.",
    { "job", "integer|string?", "a running job", unit = "" },
    { "processor", "integer?",
      "in place of `job`: the processor, from 0, whose node fails", unit = "" },
    { "node", "integer?", "in place of `job`: the node that fails, from 1, of a machine of nodes",
      unit = "" },
    { "repair", "number|string?", [[how long the node is out; default: the repair of
      `node_failures`, or 0; with `node`: its end is not known, and nobody counts on it]],
      unit = "s" },
  },
  {
    class = "TaskChanges", names = { "changes of tasks" }, head = "of tasks",
    about = "Changes of a session of tasks.",
    { "policy", "PolicyGiven?",
      "the policy from now on. Its `init` runs, unless it is the present policy" },
    { "options", "table<string, any>?",
      "options of the policy, as in `orrery.session`; options that are not named stay" },
    { "seed", "integer?", "future faults are drawn anew, with this seed", unit = "" },
    { "procs", "integer|TaskProcsNow?", [[size of the machine from now on, or {fields TaskProcsNow}.
      If it shrinks, free processors leave at once, and the processors of tasks when these shrink or
      end. If it grows, the new processors are free for the next redistribution]],
      unit = "processors" },
    { "submit", "TaskRow|TaskRow[]|Tasks?", [[one task or a list, as for `orrery.tasks.list`, or
      tasks: they start now, on free processors, at least 2 for each task]] },
    { "cancel", "integer|string|(integer|string)[]?", "tasks that end now", unit = "" },
    { "work", "table<integer|string, number>?",
      "task -> a factor: the remaining work takes that many times as long", unit = "" },
    { "fault", "TaskFault|TaskFault[]?", "faults that strike now: {fields TaskFault}" },
  },
  {
    class = "TaskProcsNow", about = "Another number of processors from now on.",
    { "procs", "integer", unit = "processors" },
    { "until", "number|string?", "when the change is undone", unit = "s" },
  },
  {
    class = "TaskFault", about = "A fault that strikes now.",
    { "task", "integer|string?", unit = "" },
    { "processor", "integer?", "in place of `task`, from 0", unit = "" },
  },
  {
    class = "Times", about = "When jobs were submitted, started and ended: lists by position.",
    { "submit", "number[]", unit = "s" },
    { "start", "number[]", "start of the first attempt; nan before it has started", unit = "s" },
    { "finish", "number[]", "end of the last attempt; nan if it has not ended", unit = "s" },
    { "state", "string[]" },
  },
  {
    class = "GroupState", about = "A group of processors as it is now.",
    { include = "policies.GroupView", "name", "procs", "free", "down" },
    { "draining", "integer",
      "processors that leave when the attempt on them ends", unit = "processors" },
    { include = "policies.GroupView", "waiting_count", "running_count" },
  },
  {
    class = "JobState", about = "A job of a session as it is now.",
    { "id", "string" },
    { "position", "integer", unit = "" },
    { "submit", "number", unit = "s" },
    { "procs", "integer", unit = "processors" },
    { "time", "number",
      "what the scheduler knows: the walltime in use, by default the runtime", unit = "s" },
    { include = "jobs.JobRecord", "runtime", "walltime", "user", "queue", "partition",
      "account", "qos", "array" },
    { "state", '"pending"|"waiting"|"running"|"held"|"over"|"refused"', [["pending", "waiting",
      "running", "held", "over", or "refused" at submission: such a job has only the fields that
      it has in `why`, where it can never start on the machine]] },
    { "attempts", "integer", unit = "" },
    { "group", "string?", "after the submission" },
    { "arrival", "number?", "when it entered its queue, after the submission", unit = "s" },
    { "waited", "number?", "from its arrival to its latest start, or until now if it waits",
      unit = "s" },
    { "start", "number?", "of the latest attempt", unit = "s" },
    { "planned_end", "number?", "of the latest attempt", unit = "s" },
    { include = "policies.Job", "promised", "reserved" },
    { "saved", "number?", [[with `checkpoint`: the work that its checkpoints have saved; an
      interruption now would leave as much]], unit = "s" },
    { "next_length", "number?", [[with `checkpoint`: planned time of the attempt that runs, or else
      of the next one]], unit = "s" },
  },
  {
    class = "Why", about = "Why a job waits; it prints.",
    { "id", "string" },
    { "position", "integer", unit = "" },
    { "reason", "string", [["nothing" (a decision starts it now), "pending" (not submitted),
      "running", "over", "held", "capacity" (fewer processors are in service than it needs), "full"
      (fewer are free), "placement", "log" (`recorded`: it started later), "order" (nobody passes
      `blocker`), "delay" (it would delay others), "limit" (of what runs),
      "leaving" (processors leave or close before its end), "pool" (less of a pool is free than it
      needs), "nodes" (processors are free, but not on nodes that have the rest), "policy" (none of
      these: the policy lets it wait), "refused" (at submission: by a limit on waiting jobs, or
      because it can never start on the machine; of such a job only `id`, `submit`, `procs`,
      `partition`, `needs` and `why`, a text)]] },
    { "text", "string", "the reason in words" },
    { "group", "string" },
    { "procs", "integer", "processors that it needs", unit = "processors" },
    { "free", "integer", "free processors of its group", unit = "processors" },
    { "in_service", "integer", "processors of its group that are in service",
      unit = "processors" },
    { "failed", "integer", "processors of its group whose node is down", unit = "processors" },
    { "drained", "integer", "processors of its group that a change has taken away",
      unit = "processors" },
    { "reserved", "number?", "its reservation, if a decision now gives it one", unit = "s" },
    { "earliest", "number?", "when it could start by the plan, if nobody came meanwhile",
      unit = "s" },
    { "when", "number?", "its submission (pending), or its start in the log (log)", unit = "s" },
    { "pool", "string?", "pool: which one" },
    { "needs", "integer?", "pool, nodes: how much the job needs of it", unit = "" },
    { "pool_free", "integer?", "pool: how much of it is free", unit = "" },
    { "partition", "string?", "nodes: that of the job" },
    { "nodes", "integer?", "nodes: of this partition", unit = "" },
    { "wanted_nodes", "integer?", "nodes: that the job asks for; 0: any number", unit = "" },
    { "fitting", "integer?", [[nodes: how many of them fit now; for any number, how many processors
      of the job they can take]], unit = "" },
    { "most_free", "table[]?", [[nodes: up to 3 nodes of the partition, counted from 1 as in the
      machine's file, that have the most of `lacking`, or else of processors: lists of { node =,
      free = }]] },
    { "lacking", "string?", [[nodes: the resource without which more would fit, or else which
      the fewest have]] },
    { "blocker", "string?", "id of the job that nobody passes, or of the first that is delayed" },
    { "amount", "string?", 'of a limit: "jobs", "processors" or what the machine has, as "gpu"' },
    { "most", "integer?", "that limit", unit = "" },
    { "used", "integer?", "of it, by running jobs and those that start now", unit = "" },
    { "per", "string?", "its key: \"user\", \"all\", ...", unit = "" },
    { "key", "string?", "whose limit it is" },
    { "delays", "WhyDelay[]",
      "the jobs that it would delay if it started now: a list of {fields WhyDelay}" },
  },
  {
    class = "WhyDelay", about = "A job that another one would delay.",
    { "id", "string" },
    { "position", "integer", unit = "" },
    { "planned", "number", "its planned start", unit = "s" },
    { "delayed", "number", "its planned start if the other job started now; inf: no plan",
      unit = "s" },
  },
  {
    class = "Attempt", about = "An attempt of a job.",
    { "id", "string" },
    { "position", "integer", unit = "" },
    { "attempt", "integer", unit = "" },
    { "start", "number", unit = "s" },
    { "finish", "number?", unit = "s" },
    { "outcome", '"running"|"completed"|"failed"|"killed"|"preempted"|"cancelled"|"node_failure"',
      [["running", "completed", "failed", "killed" at its walltime, "preempted" or "cancelled" by
      the policy, "node_failure"]] },
    { "group", "string" },
    { "promised", "number?", [[with conservative backfilling: the first reservation that the job
      got, since it waited for this attempt]], unit = "s" },
    { "saved", "number?", [[with `checkpoint`: the work of the job that was saved when the attempt
      was over; while it runs, when it began]], unit = "s" },
    { "checkpoints", "integer?", [[with `checkpoint`: the checkpoints that the attempt completed;
      while it runs, up to the last one on demand]], unit = "" },
    { "processors", "string", '"0-511 1024-1535"' },
  },
  {
    class = "Outage", about = "Processors that are out for a while.",
    { "what", '"failure"|"drained"|"back"|"added"|"window"|"reserved"', [["failure" of a node,
      "drained", "back" before the planned time, "added"; "window" that is open, "reserved"]] },
    { "first", "integer", "number of the first processor, from 0", unit = "" },
    { "procs", "integer", unit = "processors" },
    { "start", "number", unit = "s" },
    { "finish", "number", "inf if the end is not known", unit = "s" },
  },
  {
    class = "Warning", about = "A failure that is announced, or a false warning.",
    { "time", "number", "when the warning comes", unit = "s" },
    { "at", "number", "when the failure is to come", unit = "s" },
    { "first", "integer", "number of the first processor that is to fail, from 0", unit = "" },
    { "procs", "integer", unit = "processors" },
  },
  {
    class = "TimelineStep", about = "Busy processors and waiting jobs, until the next step.",
    { "time", "number", unit = "s" },
    { "busy", "integer", unit = "processors" },
    { "running", "integer", unit = "jobs" },
    { "waiting", "integer", unit = "jobs" },
    { "waiting_procs", "integer", "processors that the waiting jobs request", unit = "processors" },
  },
  metrics.jobs.class,

  -- --- tasks ----------------------------------------------------------------------------------

  {
    class = "TaskSession", parent = "AnySession", kind = "session of tasks",
    names = { "session", "s" }, shown = "s", head = "of tasks", lua_class = "session of tasks",
    about = "A simulation of malleable tasks that can stop, be shown, be copied and go back.",
    { "tasks", "Tasks", "the tasks" },
    { "change", "(changes: TaskChanges): self",
      "makes [changes](#changes): all changes, or none if there is an error; returns the session" },
    { "submit", "(list: Tasks|TaskRow|TaskRow[]): self",
      "submits tasks: `change { submit = list }`; returns the session" },
    { "fork", "(changes?: TaskChanges): self", [[an independent session at the same point, with an
      equal future and past; with changes: `fork():change(changes)`]] },
    { "expected", "number", "the largest expected finish of the running tasks", unit = "s" },
    { "finish", "(): TaskMetrics", "simulates to the end; returns a table of the metrics" },
    { "task", "(task: integer|string): TaskState", "a task as it is now: {fields TaskState}" },
    { "running", "(): TaskState[]",
      "list of the running tasks, with the fields of `s:task`, in order of position" },
    { "ends", "(): number[]",
      "the ends of the tasks; for running tasks, the ends if no more faults strike them",
      unit = "s" },
    { "schedule", "(): Span[]", "list of spans: {fields Span}" },
    { "faults", "(): LoggedFault[]", [[list of the faults so far, also of the faults that struck no
      task: `time` and `processor` or `task`]] },
    { "allocation", "(): Moment[]", [[the processors of the tasks at the start and after every
      instant, while tasks run: list of {fields Moment}]] },
    { "measure", "(): TaskMetrics", [[the metrics so far (`fatal` up to the next event); only
      `compare` knows `baseline`, `normalised` and `fault_free`]] },
  },
  {
    class = "TaskState", about = "A task of a session as it is now.",
    { "id", "string" },
    { "position", "integer", unit = "" },
    { "size", "number", "size m", unit = "data units" },
    { "procs", "integer", unit = "processors" },
    { "most", "integer", "with more processors the task is never faster", unit = "processors" },
    { "state", '"ready"|"locked"|"over"', '"ready", "locked" while it recovers or moves, "over"' },
    { "left", "number", "share of its work that is left", unit = "" },
    { "ready", "number", "since when, or from when, it computes", unit = "s" },
    { "finish", "number", "expected finish", unit = "s" },
    { "end", "number", "its end if no more faults strike it", unit = "s" },
  },
  {
    class = "Span", about = "An activity of a task in a span of time.",
    { "id", "string" },
    { "position", "integer", unit = "" },
    { "kind", '"work"|"checkpoint"|"lost"|"downtime"|"recovery"|"redistribution"',
      '"work", "checkpoint", "lost", "downtime", "recovery", "redistribution"' },
    { "start", "number", unit = "s" },
    { "finish", "number", unit = "s" },
    { "procs", "integer", unit = "processors" },
    { "processors", "string", '"0-7 12-13"' },
  },
  {
    class = "Moment", about = "The processors of the tasks at a time.",
    { "time", "number", unit = "s" },
    { "running", "integer", unit = "tasks" },
    { "mean", "number", "mean per running task", unit = "processors" },
    { "sd", "number",
      "standard deviation over the running tasks, with n in the denominator", unit = "processors" },
    { "expected", "number", "the largest expected finish", unit = "s" },
  },
  metrics.tasks.class,

  -- --- what differs ---------------------------------------------------------------------------

  {
    class = "DiffOptions", names = { "diff" }, about = "Options of `orrery.diff`.",
    { "top", "integer?", "how many of the jobs or tasks that differ are printed", default = "10",
      unit = "" },
  },
  {
    class = "Diff", kind = "difference", names = { "diff" }, shown = "d", head = "a difference",
    lua_class = "diff", about = "The differences between two sessions; it prints.",
    { "metrics", "DiffMetric[]", "list of {fields DiffMetric}" },
    { "jobs", "DiffJob[]?",
      "for jobs: the jobs that differ, the largest difference first: list of {fields DiffJob}" },
    { "tasks", "DiffTask[]?", "for tasks: the tasks that differ: list of {fields DiffTask}" },
    { "same", "integer", "number of jobs or tasks that do not differ", unit = "" },
    { "rows", "(most?: integer): string[][]",
      "the cells of the printed table of differences, all rows or the first `most`" },
    { "csv", "(path?: string): string?", [[the differences as CSV, one row each, written complete or
      not at all; without a path the text]] },
  },
  {
    class = "DiffMetric", about = "A metric of two sessions.",
    { "name", "string" },
    { "label", "string" },
    { "a", "number", unit = "of the metric" },
    { "b", "number", unit = "of the metric" },
    { "difference", "number", "b less a", unit = "of the metric" },
  },
  {
    class = "DiffJob", about = "A job that differs.",
    { "id", "string" },
    { "position", "integer", unit = "" },
    { "procs", "integer", unit = "processors" },
    { "what", "string", [["earlier" or "later": its start in b is earlier or later; "other end";
      "other state"; "started in a" or "started in b": only there; "only in a" or "only in b"]] },
    { "a", "table?",
      "`position`, `state`, `start`, `finish` in a, as in `s:times()`; nil if a has no such job" },
    { "b", "table?", "the fields of `a`, in b; nil if b has no such job" },
    { "start", "number?",
      "difference of the starts; this and `finish` are nil if one is not known", unit = "s" },
    { "finish", "number?", "difference of the ends", unit = "s" },
  },
  {
    class = "DiffTask", about = "A task that differs.",
    { "id", "string" },
    { "position", "integer", unit = "" },
    { "what", "string", [["earlier" or "later": its end in b is earlier or later; "other
      processors"; "only in a", "only in b"]] },
    { "a", "table?", [[`position`, `state`, `procs`, `finish` in a; `finish` is its end if no more
      faults strike it]] },
    { "b", "table?", "the fields of `a`, in b" },
    { "finish", "number?", "difference of the ends", unit = "s" },
    { "procs", "integer?", "difference of the processors", unit = "processors" },
  },
}
