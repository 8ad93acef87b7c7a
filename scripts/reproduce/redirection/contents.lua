-- contents: the contents of the paper on redirection, and the reproduced parts (see
-- command/paper_table.lua).
local REDIRECT = "spec/policies/redirect_spec.lua"
local LOGS = "the logs of Curie, Intrepid and RICC (`--log curie=FILE`, ...); the default logs are "
  .. "synthetic"

local function has(plan, wanted)
  for _, system in ipairs(plan.systems) do
    if system.cluster == wanted then return true end
  end
end

local function has_logs(plan)
  return has(plan, "curie") and has(plan, "intrepid") and has(plan, "ricc")
end

return {
  { "Equations 1, 2", "bounded slowdown of a job, its mean and maximum", specs = {
    { "spec/kernel/rigid/engine_spec.lua", "every discipline equals the naive reference" } } },
  { "Algorithm 1", "a scheduler with redirection, EASY in both groups", specs = {
    { REDIRECT, "counters, resets, who is eligible, and restarts from nothing" },
    { REDIRECT, "redirect/threshold and a second implementation agree" } } },
  { "Algorithm 2", "counters, threshold, conflicts", specs = {
    { REDIRECT, "theta: more than so many, not as many" },
    { REDIRECT, "conflict: who of several" },
    { REDIRECT, "redirect/threshold and a second implementation agree" } } },
  { "Algorithm 2, line 3", "as printed it compares walltimes; the text says processors, which is "
    .. "the default", figures = { "filter" }, specs = {
    { REDIRECT, "filter = walltime: a job counts against those that are at most as long" } } },
  { "Section IV", "weeks of the logs, more processors for all, 9 thresholds and 4 shares", specs = {
    { "spec/scripts/reproduce/redirection_spec.lua",
      "has a row for every simulation, with the numbers of orrery.compare" } } },
  { "Figure 1", "mean bounded slowdowns of 20 weeks of three logs", needs = LOGS, given = has_logs,
    figures = { "1" }, statements = { "V-A, figure 1", "V-A" } },
  { "Figure 2", "redirection over EASY, mean and maximum", needs = LOGS, given = has_logs,
    figures = { "2" }, statements = { "V-B, figure 2", "V-B" } },
  { "Section V-A", "the best thresholds are 10 to 50, 5 to 15 and 5 to 25", needs = LOGS,
    given = has_logs, figures = { "1" }, statements = { "V-A, logs" } },
  { "Section V-B", "the means gain 10%, 20% and 40%", needs = LOGS, given = has_logs,
    figures = { "2" }, statements = { "V-B, logs" } },
  { "Section VI", "the maximum is not harmed", needs = LOGS, given = has_logs, figures = { "2" },
    statements = { "VI" } },
}
