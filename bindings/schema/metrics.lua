-- metrics: what comes out of a run, metric by metric: what each one is, and how people read it. All
-- tables, reports, files and pictures look here.
--
-- For jobs, tasks and packs there is a table: `class`, whose entries (reference/index.lua says what
-- they are) are the metrics; `more`, those that only a comparison has, or only where somebody asks;
-- and lists of names, which say what a table shows, and in which order. Besides what all entries
-- have, a metric may have
--
--   title    what it is called over a column, with its unit there; else its name
--   axis     beside an axis; else the title with a capital
--   hours    = true: people read it in hours, and the title says so
--   format   of its numbers there; else "%.2f" of hours and whole numbers, "%.4f" of what has no
--            unit, "%.6g" of others
--   scale    by which they are divided; else 1
--   head, cell, cell_scale
--            title, format and scale in the table of a result, where they are others
--   interval = true: there with the interval of the mean
--   label    what it is called where runs stand side by side; else the title, without unit
--   show     how its value is written there: "span", "hours", "share" or a format; else what suits
--            its unit, "%d" of whole numbers, and the format of others
--   rare     = true: left out there where it is 0 everywhere
--   beside   the metric without which it is left out there: where that is 0 everywhere
--   better   "more", or false where neither way is better; else "less"
--   formula  how it is computed, where the text does not say it, in the words of METRICS.md
--   jobs     what of each job it is a mean, a maximum or a quantile of: a key of `per_job`
--   derived  = true: over packs that run one after the other it is not the sum
--   unnamed  = true: commands do not take it for --metric

-- Of jobs the kernel's list of metrics (ORR_METRICS) has types, texts and units. A metric without
-- an entry here has these alone, and stands last.

local core = require "orrery.core"

local function words(text)
  local list = {}
  for word in text:gmatch "%S+" do list[#list + 1] = word end
  return list
end

-- What is known of a single job.
local PER_JOB = {
  wait = { title = "wait", label = "wait", unit = "s", format = "%.3f", hours = true,
    formula = "flow − t, mean and maximum over jobs: failed attempts count as waiting" },
  flow = { title = "flow", label = "flow time", unit = "s", format = "%.3f", hours = true,
    formula = "end of the last attempt − submission, mean over jobs" },
  bsld = { title = "bounded slowdown", label = "bounded slowdown", unit = "", format = "%.3f",
    show = "%.2f", formula = "bounded slowdown max(flow / max(t, τ), 1), mean and maximum over "
      .. "jobs; τ is 60 s unless `--tau` says otherwise" },
}

-- A metric over jobs: `what` of each job, and in words which of their values it is.
local function over_jobs(what, title, label, entry)
  local one = PER_JOB[what]
  entry.jobs, entry.title, entry.label = what, title .. " " .. one.title, one.label .. ", " .. label
  for _, key in ipairs { "unit", "format", "hours", "show", "formula" } do entry[key] = one[key] end
  return entry
end

local jobs = {
  class = {
    class = "JobMetrics", names = { "metrics" },
    about = "The metrics of a run of jobs; METRICS.md has their formulas.",
    { "makespan", hours = true },
    { "lower_bound", hours = true,
      unnamed = true, better = false, formula = "max(max(submission + (f+1)·t), first submission + "
        .. "Σ(f+1)·p·t / P) − first submission" },
    { "ratio", title = "normalised makespan",
      axis = "Normalised makespan (makespan / lower bound)", head = "ratio", interval = true,
      label = "makespan / lower bound",
      formula = "makespan / lower_bound, the normalised makespan of tables and plots; 1 if both "
        .. "are 0" },
    over_jobs("wait", "mean", "mean", { "wait_mean", cell = "%.2f" }),
    over_jobs("wait", "longest", "longest", { "wait_max" }),
    over_jobs("flow", "mean", "mean", { "flow_mean" }),
    over_jobs("bsld", "mean", "mean", { "bsld_mean", head = "mean bsld", cell = "%.2f" }),
    over_jobs("bsld", "largest", "largest", { "bsld_max" }),
    { "utilisation",
      cell = "%.3f", show = "share", better = "more", formula = "processor-seconds held by "
        .. "attempts of any kind / (P · makespan); 0 for a makespan of 0" },
    { "starts", label = "attempts", unnamed = true, better = false },
    { "failures", title = "failed attempts", head = "failures", rare = true },
    { "killed",
      title = "jobs killed", rare = true, formula = "jobs that ended without completing: their "
        .. "runtime is greater than their walltime (a job with equal times completes), or the "
        .. "policy killed them" },
    { "work_lost", title = "processor-hours lost", format = "%.1f", scale = 3600, rare = true,
      formula = "processors × time of the attempts that did not complete their job, but for the "
        .. "work that their checkpoints have saved and that the job completed with, and for their "
        .. "checkpoints and recoveries" },
    { "work_cut", title = "processor-hours cut off", format = "%.1f", scale = 3600, rare = true,
      formula = "processors × (runtime − walltime) of the jobs that were killed at their walltime, "
        .. "or capped: what they would still have computed; a `grace` is part of the walltime" },
    { "preempted", title = "attempts preempted", rare = true },
    { "redirected", title = "jobs redirected", rare = true },
    { "node_failures", title = "attempts lost to nodes", rare = true },
    { "interruptions",
      title = "attempts interrupted", rare = true, formula = "attempts that the policy, the "
        .. "failure of a node, or somebody outside ended before they reached their end, and "
        .. "those killed at their walltime whose jobs waited again" },
    { "checkpoints", title = "checkpoints", rare = true, better = false },
    { "checkpoint_time",
      title = "processor-hours in checkpoints", format = "%.1f", scale = 3600, rare = true,
      formula = "processors × time of checkpoints, completed or not" },
    { "recovery_time",
      title = "processor-hours in recoveries", format = "%.1f", scale = 3600, rare = true,
      formula = "processors × time of recoveries, completed or not" },
    { "waste", cell = "%.4f", show = "share", rare = true, beside = "checkpoints", title = "waste",
      formula = "1 − (processors × runtime of the jobs that completed) / processor-seconds held by "
        .. "attempts of any kind; 0 if none were held" },
    { "goodput",
      cell = "%.4f", show = "share", better = "more", unnamed = true, beside = "checkpoints",
      formula = "utilisation · (1 − waste)" },
    { "interruptions_mean", title = "interruptions per job", beside = "checkpoints" },
    { "ettr", title = "effective training-time ratio", head = "ettr", cell = "%.4f", show = "share",
      better = "more", beside = "checkpoints",
      formula = "runtime / flow, mean over jobs: the effective training-time ratio, the share of "
        .. "its time in the system in which a job got on; 0 for a job that did not complete, 1 if "
        .. "both are 0" },
    { "refused", title = "jobs refused", rare = true,
      formula = "jobs that a limit on waiting jobs refused: no other metric counts them" },
  },
  per_job = PER_JOB, more = {},
  all = words [[ratio makespan lower_bound wait_mean wait_max flow_mean utilisation failures starts
    killed bsld_mean bsld_max work_lost redirected preempted node_failures
    work_cut interruptions checkpoints checkpoint_time recovery_time waste goodput
    interruptions_mean ettr refused]],
  columns = words "ratio makespan wait_mean utilisation failures bsld_mean",
  quantiles = words "wait_p50 wait_p95 bsld_p50 bsld_p95", -- columns where somebody asks for them
  csv = words [[makespan lower_bound ratio failures bsld_mean bsld_max wait_mean utilisation killed
    redirected]],
  means = words "makespan wait_mean utilisation bsld_mean bsld_max killed redirected", -- of --table
  weeks = words "bsld_mean wait_mean",
  report = words "ratio makespan wait_mean utilisation failures",
  report_online = words "bsld_mean wait_mean utilisation ratio",
  difference = words [[makespan ratio wait_mean wait_max flow_mean bsld_mean bsld_max utilisation
    starts failures killed redirected preempted node_failures work_lost work_cut interruptions
    checkpoints checkpoint_time recovery_time waste refused]],
  account = words [[makespan ratio bsld_mean bsld_p50 bsld_p95 bsld_max wait_mean wait_p50 wait_p95
    wait_max flow_mean utilisation starts failures killed redirected preempted node_failures
    work_lost work_cut checkpoints checkpoint_time recovery_time waste goodput interruptions_mean
    ettr refused]],
}

for _, what in ipairs { "wait", "flow", "bsld" } do
  for _, part in ipairs { 50, 90, 95, 99 } do
    table.insert(jobs.more, over_jobs(what, part == 50 and "median" or part .. "% of",
      part == 50 and "median" or part .. "th percentile", { what .. "_p" .. part, "number" }))
  end
end

local entries = {}
for _, entry in ipairs(jobs.class) do entries[entry[1]] = entry end
for _, known in ipairs(core.metric_texts()) do
  local entry = entries[known[1]]
  if not entry then
    entry = { known[1], rare = true }
    table.insert(jobs.class, entry)
    for _, of in ipairs { "all", "difference", "account" } do table.insert(jobs[of], known[1]) end
  end
  entry[2], entry[3], entry.unit = known[2], known[3], known.unit
end

local tasks = {
  class = {
    class = "TaskMetrics", names = { "metrics of tasks" },
    about = "The metrics of a run of tasks; METRICS.md has their formulas.",
    { "makespan", "number", "the last end", unit = "s", hours = true, rare = true },
    { "baseline", "number", "the makespan without redistribution", unit = "s",
      title = "makespan without redistribution", hours = true, better = false,
      formula = "the makespan without redistribution, with the same sizes and the same faults" },
    { "normalised", "number", "makespan / baseline", unit = "", title = "normalised makespan",
      axis = "Makespan / makespan without redistribution", head = "normalised", interval = true,
      derived = true, formula = "makespan / baseline; 1 if both are 0" },
    { "expected", "number", "the largest expected finish at the beginning of the run", unit = "s",
      title = "expected makespan", hours = true, better = false, formula = "the largest expected "
        .. "finish at the beginning of the run: the maximum of t^R(1)" },
    { "fault_free", "number", "the makespan without faults", unit = "s",
      title = "makespan without faults", hours = true, formula = "the makespan under the same "
        .. "policy on processors that never fail, without checkpoints; empty unless requested" },
    { "fault_free_ratio", "number", "makespan / fault_free", unit = "", head = "to fault-free",
      interval = true, derived = true },
    { "faults", "integer", "faults that struck a task", unit = "", better = false,
      formula = "faults that struck a running task; tasks that recover, move, or take the "
        .. "checkpoint after recovery or move are not struck" },
    { "redistributions", "integer", unit = "", better = false, formula = "events (ends or faults) "
      .. "at which at least one task changed its processors" },
    { "moves", "integer", "changes of a task's number of processors", unit = "", better = false },
    { "fatal", "integer", "faults after which both copies of a task's checkpoint are lost",
      unit = "", label = "fatal faults", rare = true, formula = "faults of a processor while its "
        .. "task still recovers from the failure of its buddy: both copies of the checkpoint are "
        .. "lost; they are counted, but have no other effect" },
    { "useful", "number", "area of computing", unit = "processor-seconds",
      label = "processor-hours useful", better = false,
      formula = "work that was not undone: processors held × the share of t(j) done" },
    { "checkpoint", "number", unit = "processor-seconds", head = "checkpoints",
      label = "  checkpoints", rare = true,
      formula = "checkpoints, also those after a move and those that a move cut short" },
    { "lost", "number", unit = "processor-seconds", label = "  lost", rare = true,
      formula = "work and checkpoints undone by a fault" },
    { "recovery", "number", unit = "processor-seconds", label = "  recovery", rare = true,
      formula = "downtime and recovery" },
    { "redistribution", "number", unit = "processor-seconds", label = "  redistribution",
      rare = true, formula = "moving data" },
    { "idle", "number", unit = "processor-seconds", label = "  idle", rare = true,
      formula = "processors that no task held" },
  },
  all = words [[normalised makespan baseline expected faults redistributions moves fatal useful
    checkpoint lost recovery redistribution idle]],
  fault_free = words "fault_free fault_free_ratio", -- where somebody asks for them
  columns = words "makespan normalised fault_free_ratio faults redistributions",
  spent = words "useful checkpoint lost recovery redistribution idle",
  csv = words "makespan faults redistributions",
  report = words "normalised makespan faults redistributions",
  account = words [[makespan normalised expected faults redistributions moves fatal useful
    checkpoint lost recovery redistribution idle]],
  difference = words [[makespan faults redistributions moves fatal useful checkpoint lost recovery
    redistribution idle]],
}

local packs = {
  class = {
    class = "PackingMetrics", about = "Metrics of a co-schedule.",
    { "packs", "integer", unit = "", cell = "%g", better = false, formula = "number of packs" },
    { "cost", "number", unit = "s", title = "cost (s)", format = "%.7g", cell = "%.6g",
      formula = "sum of the costs of the packs" },
    { "relative_cost", "number", unit = "",
      axis = "Cost / cost of one task after the other", interval = true,
      formula = "cost / Σ t(p), the cost of every task alone on all processors" },
    { "packing_ratio", "number", unit = "", better = "more", formula = "Σ t·σ / (p · cost)" },
    { "response", "number", unit = "s", title = "response (s)", format = "%.7g",
      formula = "mean over tasks of t + the costs of the packs before the task's pack, the "
        .. "cheapest pack first" },
    { "relative_response", "number", unit = "", interval = true, formula = "response / the mean "
      .. "response of every task alone on all processors, the shortest first" },
  },
  more = {
    { "bound", "number", unit = "s", title = "bound (s)", format = "%.7g", better = false },
    { "over_bound", "number", unit = "", title = "cost / bound", head = "cost/bound" },
    { "seconds", "number", unit = "s", head = "time (ms)", cell = "%.2f", cell_scale = 1e-3 },
  },
  all = words [[packs cost relative_cost packing_ratio response relative_response bound over_bound
    seconds]],
  columns = words [[packs cost relative_cost packing_ratio relative_response over_bound seconds]],
  csv = words "packs cost relative_cost packing_ratio relative_response",
  report = words "relative_cost packs cost packing_ratio relative_response over_bound",
}

return { jobs = jobs, tasks = tasks, packs = packs }
