-- contents: the contents of RR-8795 and the chapter, and the reproduced parts (see
-- command/paper_table.lua).
local EXPECTED = "spec/kernel/malleable/expected_spec.lua"
local ENGINE = "spec/kernel/malleable/engine_spec.lua"
local ALLOCATION = "spec/kernel/malleable/allocation_spec.lua"
local HARDNESS = "spec/scripts/reproduce/hardness_spec.lua"

local NAIVE = { ENGINE, "gives the same ends, counts and processors, with faults of tasks" }
local OPTIMAL = { ALLOCATION, "minimises the largest expected time over all even allocations" }
local YOUNG = { EXPECTED, "is Young's, or Daly's for a checkpoint below 2 mu, worked by hand" }
local EXPECTATION = { EXPECTED, "is the mean of simulated executions" }
local J_MAX = { ALLOCATION,
  "is the smallest even number such that no larger one is strictly faster" }
local LEFT = { EXPECTED, "has so much work left after events, worked by hand" }
local MOVED = { ENGINE, "of a task that was not struck" }
local STRUCK = { ENGINE, "of one that was struck: after downtime and recovery" }
local ROUNDS = { EXPECTED,
  "takes as many rounds as its busiest processor has messages, in either direction" }
local COUNTEREXAMPLE = { HARDNESS,
  "has a counterexample as it is proven: the deadline is met without triplets" }

return {
  { "Section 1", "p processors with an MTBF of 120 years fail every 120/p years",
    specs = { { "spec/kernel/workload/faults_spec.lua",
      "come as a Poisson process of rate procs / mtbf" } } },
  { "Section 2.2 (chapter: 1.2.2, 1.3.3)", "buddies; a second failure during a recovery is fatal",
    figures = { "time" }, statements = { "chapter, section 1.2.2" },
    specs = { { ENGINE,
      "is fatal when the buddy failed, and the task still recovers from that" } } },
  { "Equation 1 (1.3)", "Young's period", specs = { YOUNG } },
  { "Equations 2 to 4 (1.4 to 1.6)", "the expected time with faults", specs = { EXPECTATION } },
  { "Equations 5, 6 (1.7, 1.8)", "more processors up to a threshold", specs = { J_MAX } },
  { "Figures 1, 2 (1.2)", "a redistribution at the end of a task", specs = { MOVED } },
  { "Figure 3, equations 7, 9 (1.9, 1.11)", "rounds and cost of a redistribution; the chapter adds "
    .. "startup, latency and bandwidth", specs = { ROUNDS } },
  { "Equation 8 (1.10)", "work done at an event", specs = { LEFT } },
  { "Theorem 1 (1.4), algorithm 1", "the optimal allocation without redistribution, in "
    .. "O(p log n) (the chapter prints O(n))", specs = { OPTIMAL, NAIVE } },
  { "Theorem 2, figure 4", "with redistributions at no cost the problem is strongly NP-complete",
    partly = "the instances are built, but the proof has a gap: one without a partition meets its "
      .. "deadline; the chapter calls this theorem a conjecture",
    specs = { { HARDNESS, "is met at the deadline by the triplets, and by nothing earlier" },
      COUNTEREXAMPLE } },
  { "Algorithm 2", "the skeleton of all heuristics", partly = "its line 28 would give away "
    .. "processors that are still held (reading 2)", specs = { NAIVE } },
  { "Algorithm 3", "EndLocal", specs = { NAIVE } },
  { "Section 5.2", "EndGreedy", specs = { NAIVE } },
  { "Algorithm 4", "ShortestTasksFirst, in two readings (reading 8)", specs = { NAIVE } },
  { "Algorithm 5", "IteratedGreedy", specs = { NAIVE } },
  { "Section 6.1 (1.5.4), equation 10 (1.13)", "the settings", statements = { "section 6.1" },
    specs = { { "spec/kernel/workload/tasks_spec.lua",
      "is equation 1.13, worked by hand for m = 1024" }, { "spec/kernel/workload/tasks_spec.lua",
      "have the paper's parameters by default" } } },
  { "Section 6.2", "the best case is the one without faults; whether no redistribution is the "
    .. "worst one is judged on figures 10 and 11", figures = { "8", "10" },
    statements = { "section 6.2" } },
  { "Figure 5", "100 tasks without faults", figures = { "5" }, statements = { "figure 5" } },
  { "Figure 6 (1.4)", "1000 tasks without faults", figures = { "6" },
    statements = { "figure 6 (1.4)" } },
  { "Figure 7 (1.5)", "impact of n", figures = { "7" },
    statements = { "figure 7 (1.5)", "chapter, section 1.5.5" } },
  { "Figure 8", "impact of p", figures = { "8" }, statements = { "figure 8" } },
  { "Figure 9", "one execution, event by event", partly = "the report's execution is not known: "
    .. "run 1 is drawn, and the statements are about all runs", figures = { "9" },
    statements = { "figure 9" } },
  { "Figure 10", "impact of the MTBF on 1000 processors", figures = { "10" },
    statements = { "figure 10" } },
  { "Figure 11 (1.6)", "impact of the MTBF on 5000 processors", figures = { "11" },
    statements = { "figure 11 (1.6)" } },
  { "Figure 12 (1.7)", "impact of the cost of checkpoints", figures = { "12" },
    statements = { "figure 12 (1.7)" } },
  { "Figure 13", "the same over the MTBF, on the report's axes", figures = { "13" },
    statements = { "figure 13" } },
  { "Figure 14", "impact of the sequential fraction", figures = { "14" },
    statements = { "figure 14" } },
  { "Summary of section 6.2 (1.5.5)", "the heuristics take seconds, the applications days; the "
    .. "other sentences are those on the figures", figures = { "time" },
    statements = { "summary of section 6.2" } },
  { "Chapter, figure 1.1, definition 1.1, theorems 1.1 to 1.3, 1.5, 1.6, equations 1.1, 1.2, 1.12",
    "co-schedules of packs, as in the paper on packs", partly = "they are in that paper's "
      .. "reproduction, packs; the chapter has no experiments on them",
    specs = { { "spec/kernel/packs/exact_spec.lua", "the optimum" } } },
  { "Chapter, figure 1.3", "a redistribution when a fault strikes; tasks that move take no part in "
    .. "another one", specs = { STRUCK,
      { "spec/kernel/malleable/decisions_spec.lua", "touch a task that is locked or over" } } },
  { "Chapter, definition 1.2", "one pack, faults, redistributions at ends and faults",
    specs = { NAIVE, { "spec/kernel/malleable/conservation_spec.lua",
      "passes the checker on thousands of runs, exponential faults" } } },
  { "Chapter, section 1.4.5", "Algorithm 1 and the best speedup are not optimal before "
    .. "redistributions", specs = {
      { HARDNESS, "Algorithm 1 is not optimal before redistributions" },
      { HARDNESS, "nor is the best speedup: the task with the worse one needs the pair" } } },
  { "Chapter, theorem 1.7", "with a constant cost of redistributions the problem is strongly "
    .. "NP-complete", partly = "on the instance that contradicts the proof of theorem 2 one more "
      .. "move misses the deadline; the proof is not printed",
    specs = { { HARDNESS,
      "is not met so with a constant cost of moves, as in theorem 1.7 of the chapter" } } },
  { "Chapter, remark in 1.4.5", "without a cost it is NP-complete, too", needs = "a proof: the "
    .. "chapter says that it is open", specs = { COUNTEREXAMPLE } },
  ours = { "parts" },
}
