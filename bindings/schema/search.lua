-- search: what orrery.search is given, and what it returns.
local policy_kinds = require "orrery.schema.policy_kinds"

local searched = policy_kinds.searched()

return {
  {
    class = "SearchSpec", names = { "search" }, head = "field",
    about = "Fields of `orrery.search`.",
    { "policies", "SearchGiven[]?", [[the candidates: a list of policies as `orrery.compare` takes
      them, or of {fields SearchChoice}. Where the parts have tasks, these are redistribution
      policies, or of `kind` "pack" pack policies]] },
    { "kind", policy_kinds.type_of(searched) .. "?", [[what candidates are; "pack": pack policies,
      on parts with the fields of `orrery.packs`]],
      default = '"redistribute" where the parts have `tasks`, else "dispatch"' },
    { "priorities", "any[]?", [[every policy of the list is tried with each of these priorities,
      unless it names one itself; not of tasks]], default = "none" },
    { "formulas", "SearchFormulas?", [[formulas of a priority or an estimate, besides
      policies or in their place: {fields SearchFormulas}; not of tasks]], default = "none" },
    { "programs", "SearchPrograms?", [[policies' files whose numbers change, besides the others or
      in their place: {fields SearchPrograms}. They run with limits, as what is proposed]],
      default = "none" },
    { "propose", "fun(request: SearchRequest): string[]", [[asked in every round for candidates,
      besides the others or in their place: returns a list of paths of policies' files. These run
      with `limits`, or, without, with 5 million instructions for a call]], optional = true },
    { "baselines", "any[]", [[policies that are to be outdone, as `policies` without `vary`: who is
      found is better than each of them]] },
    { "training", "SearchPart", [[what candidates are searched for on: fields of
      `orrery.compare` that say what is simulated. Samples are the sets of jobs (`sets`; `jobs` with
      `by`), or of one set its scenarios (`runs`); with `tasks` its runs. The default of `seed` is
      1]] },
    { "validation", "SearchPart", [[what one of the best candidates is chosen on:
      other jobs or tasks, or other failures; `seed` is 2]] },
    { "testing", "SearchPart", [[what that one is judged on, once, at the end: again
      others, at least 5 samples; `seed` is 3]] },
    { "fixed", "SearchPart?", "fields that all three have", default = "none" },
    { "metric", "string?", [[the [metric](../spec/METRICS.md#metrics-of-a-run), of jobs, tasks
      or packs, that is to be better]], optional = true },
    { "metrics", "string[]?", [[several of these in its place: what is found is a front, the
      candidates that no other one outdoes in all of them]], default = "none" },
    { "constraints", "SearchConstraint[]?", [[what else a candidate has to keep: a list of {fields
      SearchConstraint}]], default = "none" },
    { "evaluations", "integer?", [[the budget: simulations of a candidate on a training sample]],
      default = "3000, or none with `minutes`", unit = "",
      flag = { "--evaluations N", [[The budget: simulations of a candidate on a training sample
        (default: 3000, or none with --minutes).]], least = 1 } },
    { "minutes", "number?", [[the budget as processor time of these simulations. What is found then
      depends on how fast the machine is]], unit = "min",
      flag = { "--minutes M", [[The budget as processor time of these simulations, minutes; what is
        found then depends on the machine.]], kind = "positive" } },
    { "rounds", "integer?", "the most rounds, if the budget has that many", default = "24",
      unit = "",
      flag = { "--rounds N", "The most rounds, if the budget has that many (default: 24).",
        least = 1 } },
    { "finalists", "integer?", "so many of the best ones are simulated on the validation samples",
      default = "5, or 12 with `metrics`", unit = "",
      flag = { "--finalists N", [[So many of the best candidates are simulated on the validation
        samples (default: 5, or 12 with several metrics).]], least = 1 } },
    { "seed", "integer?", "names the random numbers that draw candidates", default = "1", unit = "",
      flag = { "--seed S", "Seed of the random numbers that draw candidates (default: 1)." } },
    { "title", "string?", "what the search is about" },
    { include = "runs.JobsSpec", "threads", "limits", of = false },
    { "keep", "fun(name: string, compute: fun(): table): table", [[called for every step of the
      search; returns what compute() returns, plain data, or what it returned when a search was
      interrupted that had a step of this name]], optional = true },
    { "keep_all", "fun(steps: SearchStep[]): table[]", [[called in place of `keep` with steps that
      do not depend on each other, a list of {fields SearchStep}; returns the list of what keep
      would return of each]], optional = true },
    { include = "runs.JobsSpec", "progress", of = false,
      about = "called from time to time with the number of evaluations done, and the budget" },
  },
  {
    class = "SearchStep", about = "A step of a search.",
    { "name", "string", "what it is, the same in every process" },
    { "compute", "fun(): table", "computes it: plain data" },
  },
  {
    class = "SearchChoice", about = "A policy some of whose options vary.",
    { "policy", "any", "a name, a path, a table, a function" },
    { include = "runs.GivenPolicy", "priority" },
    { "options", "table<string, any>?", "options that are given", default = "the policy's" },
    { "vary", "table<string, true|SearchRange>?", [[options that vary: name -> true, for the range
      that the policy declares, or {fields SearchRange}]], default = "none" },
    { "name", "string?", "what it is called" },
  },
  {
    class = "SearchFormulas", about = "Formulas of a priority or an estimate, as candidates.",
    { "policies", "string[]", "policies whose queue they order, or that plan with them" },
    { "of", '"priority"|"estimate"?', [["priority"; or "estimate": how long a job is believed to
      take, the [hook `estimate`](../policies/README.md#hooks)]], default = '"priority"' },
    { "fields", "string[]?", [[what they are made of: `time`, `procs`, `area`, `submit` (since the
      first submission), `machine` (its processors), `failure_probability`, and, asked at every
      decision, `wait`, `attempts`, `free` (processors), `waiting` (jobs). Estimates have not
      `submit`, `wait` and `failure_probability`, but `last` and `mean`: what the user's last job
      took, and the last two in the mean]],
      default = '{ "time", "procs", "area", "submit" }; of estimates { "time", "procs", "last", '
        .. '"mean" }' },
    { "size", "integer?", "the most fields, numbers and operators of one", default = "15",
      unit = "" },
  },
  {
    class = "SearchPrograms", about = "Policies' files with other numbers, as candidates.",
    { "files", "string[]", [[names or paths of policies and priorities for jobs, or of
      redistribution policies or pack policies for tasks]] },
    { "policies", "string[]?", "policies whose queue priorities among them order",
      default = '{ "easy" }' },
  },
  {
    class = "SearchRequest", about = "What a proposer is told.",
    { "round", "integer", "how often it was asked, with this time", unit = "" },
    { "count", "integer", "how many candidates it may propose", unit = "" },
    { "metric", "string" },
    { "better", '"less"|"more"', "which values of the metric are better" },
    { "metrics", "string[]", "all that are searched for" },
    { "best", "SearchTold[]", "the best candidates so far: list of {fields SearchTold}" },
    { "failed", "SearchFailure[]", [[candidates that were worth nothing since it was asked last, and
      what was wrong with them: list of {fields SearchFailure}]] },
  },
  {
    class = "SearchTold", about = "A candidate, as a proposer is told.",
    { "name", "string" },
    { "mean", "number", "on the training samples", unit = "of the metric" },
    { "means", "number[]", "of all metrics", unit = "of each metric" },
    { "source", "string?", "the text of its file" },
  },
  {
    class = "SearchRange", about = "The range of an option in a search.",
    { "least", "number?", default = "what the policy declares", unit = "of the option" },
    { "most", "number?", default = "what the policy declares", unit = "of the option" },
    { "log", "boolean?", "true: values are drawn on a logarithmic scale", default = "false" },
    { "values", "any[]?", "in place of `least` and `most`: a list of values",
      default = "what the policy declares" },
  },
  {
    class = "SearchConstraint", about = "What a candidate has to keep besides.",
    { "metric", "string", "a metric of which less is better" },
    { "most", "number", "its mean is at most so many times", unit = "" },
    { "of", "string?", "that of this baseline", default = "the only baseline" },
  },
  {
    alias = "SearchPart", type = "CompareJobs|CompareTasks|PacksSpec",
    about = "What a part of a search is simulated on.", words = "part of a search",
  },
  {
    alias = "SearchGiven",
    type = "string|Policy|RedistributionGiven|PackPolicyGiven|SearchChoice|fun(sim: Sim)",
    about = "How candidates are given.", words = "candidate",
  },
  {
    class = "Search", kind = "search", shown = "found", lua_class = "search",
    about = "What a search found; printed, it is a report.",
    { "found", "boolean", [[whether the winner is better than every baseline on the testing
      samples, significantly, and keeps the constraints there]] },
    { "sentence", "string", "what was found, or that nothing was" },
    { "winner", "SearchWinner?", [[the candidate that was judged: {fields SearchWinner}; nil if none
      could be simulated to the end]] },
    { "front", "SearchMember[]", [[with `metrics`: the candidates that were judged, by the first of
      them: list of {fields SearchMember}]] },
    { "baselines", "SearchMeans[]", "with `metrics`: the baselines, list of {fields SearchMeans}" },
    { "metrics", "string[]", "all that were searched for" },
    { "differences", "SearchDifference[]", [[the winner less each baseline on the testing samples:
      list of `orrery.summary` of the paired differences with {fields SearchDifference}]] },
    { "constraints", "SearchKept[]",
      "the constraints on the testing samples: list of {fields SearchKept}" },
    { "training", "SearchGain?", [[the winner against `base` on the training samples: {fields
      SearchGain}]] },
    { "validation", "SearchGain?", "the same on the validation samples" },
    { "testing", "SearchGain?", "the same on the testing samples" },
    { "base", "string?", "the baseline that is best on the training samples" },
    { "nearest", "string?", "the baseline that is best on the testing samples" },
    { "fitting", "string?", "how much of the difference in training was over-fitting" },
    { "finalists", "SearchFinalist[]",
      "candidates that came to the validation samples: list of {fields SearchFinalist}" },
    { "halves", "SearchHalf[]", [[where it wins and where it loses, against the baseline that is
      best on the testing samples: list of {fields SearchHalf}]] },
    { "samples", "SearchSample[]", "the testing samples: list of {fields SearchSample}" },
    { "curve", "SearchPoint[]", [[the best candidate after each round of the search: list of {fields
      SearchPoint}]] },
    { "failed", "SearchFailure[]", [[candidates that raised an error or reached a limit: list of
      {fields SearchFailure}]] },
    { "metric", "string" },
    { "candidates", "integer", "how many were simulated", unit = "" },
    { "evaluations", "integer", "how often, on training samples", unit = "" },
    { "seconds", "number", "processor time of these simulations", unit = "s" },
    { "space", "string", "what was searched" },
    { "seed", "integer", unit = "" },
    { "title", "string?" },
    { "tested", "string", "a checksum of the testing samples" },
    { "looks", "integer", [[searches that looked at these, this one included: the command knows it
      of its folder]], unit = "" },
    { "notes", "string[]", "remarks" },
    { "policy", "(path?: string, member?: integer): string?", [[the winner, or this member of the
      front, as a policy's file, written complete or not at all; without a path the text; nil if it
      is no policy with a name or a path]] },
    { "json", "(path?: string): string?", "all of it as JSON, likewise" },
    { "report", "(file: string, options?: SearchReportOptions)", "a page of HTML" },
    { "difference_rows", "(): string[][]", "the cells of the table of differences" },
    { "part_rows", "(): string[][]", "the cells of the table of the three parts" },
    { "constraint_rows", "(): string[][]", "the cells of the table of constraints" },
    { "half_rows", "(): string[][]", "the cells of the table of where it wins and where it loses" },
    { "effort", "(): string", "what was searched, and how much of it" },
    { "about_intervals", "(): string", "what marks and intervals of the tables mean" },
  },
  {
    class = "SearchWinner", about = "The candidate that was judged.",
    { "name", "string" },
    { "policy", "string" },
    { "priority", "string?" },
    { "options", "table<string, any>?" },
  },
  {
    class = "SearchMember", about = "A candidate on the front that a search found.",
    { include = "search.SearchWinner", "name", "policy", "priority", "options" },
    { "extends", "boolean", [[whether it is significantly better than each baseline in some metric,
      and keeps the constraints; corrected for the metrics and the members]] },
    { "dominated", "boolean", [[whether another member has better means on the testing samples: no
      worse in any metric]] },
    { "means", "SearchPartMeans", "{fields SearchPartMeans}" },
    { "against", "SearchAgainst[]", "each baseline: list of {fields SearchAgainst}" },
    { "constraints", "SearchKept[]", "on the testing samples" },
  },
  {
    class = "SearchMeans", about = "A baseline of a search for several metrics.",
    { "name", "string" },
    { "means", "SearchPartMeans", "as of members" },
  },
  {
    class = "SearchPartMeans", about = "Means of a candidate, by part and metric.",
    { "training", "SearchMean[]", "list of {fields SearchMean}" },
    { "validation", "SearchMean[]", "likewise" },
    { "testing", "SearchMean[]", "likewise" },
  },
  {
    class = "SearchMean", about = "The mean of a metric over the samples of a part.",
    { "metric", "string" },
    { "mean", "number", unit = "of the metric" },
    { "half_width", "number", "of its 95% interval", unit = "of the metric" },
  },
  {
    class = "SearchAgainst", about = "A member of a front against a baseline.",
    { "name", "string", "the baseline" },
    { "verdict", "string", [["dominates it", "dominated by it", "better" or "worse" (in some
      metric), "a trade", "not distinguishable", "the same every time"]] },
    { "metrics", "SearchMetricDifference[]", [[the member less the baseline in each metric: list of
      `orrery.summary` of the paired differences with {fields SearchMetricDifference}]] },
  },
  {
    class = "SearchMetricDifference", parent = "Summary",
    about = "A difference from a baseline in a metric.",
    { "metric", "string" },
    { "base", "number", "the baseline's mean", unit = "of the metric" },
    { "significant", "boolean", "after Holm's correction over all members, baselines and metrics" },
  },
  {
    class = "SearchDifference", parent = "Summary", about = "A difference from a baseline.",
    { "name", "string", "the baseline" },
    { "base", "number", "its mean", unit = "of the metric" },
    { "better_in", "integer", "samples in which the winner is better", unit = "" },
    { "significant", "boolean", "after Holm's correction over the list" },
    { "verdict", '"better"|"worse"|"not distinguishable"|"the same every time"' },
    { include = "module.Difference", "median", "shift", "shift_low", "shift_high", "rank_p" },
  },
  {
    class = "SearchKept", about = "A constraint as it was kept.",
    { "metric", "string" },
    { "most", "number", unit = "" },
    { "of", "string" },
    { "mean", "number", "of the winner", unit = "of the metric" },
    { "of_mean", "number", "of the baseline", unit = "of the metric" },
    { "over", "number", "the mean of what is above the bound", unit = "of the metric" },
    { "half_width", "number", "of its 95% interval", unit = "of the metric" },
    { "holds", "boolean" },
  },
  {
    class = "SearchGain", about = "The winner against a baseline.",
    { "mean", "number", "of the winner", unit = "of the metric" },
    { "base", "number", "of the baseline", unit = "of the metric" },
    { "difference", "number", unit = "of the metric" },
    { "half_width", "number", "of its 95% interval", unit = "of the metric" },
    { "share", "number?", "the difference as a share of the baseline's mean", unit = "" },
    { "samples", "integer", unit = "" },
  },
  {
    class = "SearchFinalist", about = "A candidate that came to the validation samples.",
    { "name", "string" },
    { "training", "number", "its mean there", unit = "of the metric" },
    { "validation", "number", "its mean there", unit = "of the metric" },
  },
  {
    class = "SearchHalf", about = "Testing samples in two halves, by what their jobs or tasks are.",
    { "of", '"load"|"width"|"runtime"|"jobs"|"q"|"length"|"spread"', [[what they are ordered by; q:
      the probability that an attempt of a job fails, with `errors.rate`; length and spread: of
      tasks the mean time on one processor, and the standard deviation of these times over it]] },
    { "unit", "string" },
    { "at", "number", "the median of that, where they are divided", unit = "of `unit`" },
    { "low", "SearchHalfGain", [[the winner less the baseline in samples up to the median: {fields
      SearchHalfGain}]] },
    { "high", "SearchHalfGain", "the same in the others" },
  },
  {
    class = "SearchHalfGain", about = "The winner less a baseline in half of the samples.",
    { "samples", "integer", unit = "" },
    { "mean", "number", unit = "of the metric" },
    { "half_width", "number", "of its 95% interval", unit = "of the metric" },
  },
  {
    class = "SearchSample", about = "A testing sample.",
    { "name", "string|integer", unit = "" },
    { "winner", "number", unit = "of the metric" },
    { "baseline", "number", "of the baseline that is best on the testing samples",
      unit = "of the metric" },
  },
  {
    class = "SearchPoint", about = "The best candidate after a round of a search.",
    { "evaluations", "integer", "so far", unit = "" },
    { "mean", "number", "on the training samples", unit = "of the metric" },
    { "name", "string" },
  },
  {
    class = "SearchFailure", about = "A candidate that failed.",
    { "name", "string" },
    { "problem", "string" },
  },
}
