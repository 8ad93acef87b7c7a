-- contents: what the paper on redirection has, and what of it is reproduced (see
-- command/paper_table.lua).
local REDIRECT = "spec/policies/redirect_spec.lua"
local LOGS = "the logs of Curie, Intrepid and RICC; the default logs are synthetic"

local function has_logs(plan) return #plan.given.log > 0 end

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
  { "Figure 1", "mean bounded slowdowns of 20 weeks of three logs", needs = LOGS, given = has_logs,
    figures = { "1" }, statements = { "V-A, figure 1", "V-A" } },
  { "Figure 2", "redirection over EASY, mean and maximum", needs = LOGS, given = has_logs,
    figures = { "2" }, statements = { "V-B, figure 2", "V-B" } },
  { "Section VI", "the maximum is not harmed", needs = LOGS, given = has_logs, figures = { "2" },
    statements = { "VI" } },
}
