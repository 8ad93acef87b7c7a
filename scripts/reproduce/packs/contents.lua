-- contents: the contents of the paper on packs, and the reproduced parts (see
-- command/paper_table.lua).
local PACKS = "spec/policies/pack_spec.lua"
local EXACT = "spec/kernel/packs/exact_spec.lua"
local COSCHEDULE = "spec/kernel/packs/coschedule_spec.lua"
local ALLOCATION = "spec/kernel/packs/allocation_spec.lua"
local HARDNESS = "spec/scripts/reproduce/hardness_spec.lua"

local TIMES = "the measured times of the applications, which were not published"
local ONE_PACK = { "spec/kernel/packs/one_pack_spec.lua",
  "is the plain loop and the dynamic program, on thousands of random packs" }
local THIRD = { EXACT, "is no less than a third of PACK-APPROX in every balance, where k is p" }
local HEURISTICS = { PACKS, "are the paper's algorithms, in every reading" }

return {
  { "Abstract", "40% faster completion, 50% faster responses", needs = TIMES
    .. ", and what the average is over", partly = "the same over Workload-III alone",
    statements = { "abstract" } },
  { "Equations 1, 2", "what a speedup profile satisfies",
    specs = { { "spec/kernel/workload/tasks_spec.lua",
      "is repaired as reading 20 says, and only once" } } },
  { "Figure 1", "a co-schedule", specs = { { COSCHEDULE, "by hand: the first pack with room" } } },
  { "Theorem 1", "k = 1 and k = 2 are polynomial", specs = {
    { EXACT, "is the best of all pairings, on thousands of random problems" },
    { COSCHEDULE, "one by one is the sum of times on all processors" } } },
  { "Theorem 2", "from k = 3 on the problem is strongly NP-complete", specs = {
    { HARDNESS, "costs n exactly where the numbers can be divided into triplets" } } },
  { "Theorem 3, algorithm 1, its dynamic program", "the best processors inside a pack",
    specs = { ONE_PACK } },
  { "Section 4.3", "the optimum from all partitions", specs = {
    { EXACT, "is the best of all partitions, on thousands of random problems" } } },
  { "Theorem 4, equation 3", "the integer program", specs = {
    { EXACT, "is the one of theorem 4, by hand" },
    { EXACT, "has our optimum, by another solver" } } },
  { "Algorithm 2", "MAKE-PACK", specs = {
    { COSCHEDULE, "is the plain one, on thousands of random problems" } } },
  { "Algorithm 3", "PACK-APPROX, in three readings (reading 17)", figures = { "readings" },
    specs = { { ALLOCATION, "PACK-APPROX is the plain one in every balance, on random problems" } },
  },
  { "Theorem 5, lemmas 1 to 7", "PACK-APPROX costs at most 3 times the optimum if k = p",
    specs = { THIRD } },
  { "Section 4.4", "tasks with a minimum of processors", specs = { HEURISTICS,
    { "spec/kernel/packs/one_pack_spec.lua", "respects least numbers of processors" } } },
  { "Section 5", "seven heuristics", specs = { HEURISTICS,
    { PACKS, "random-pack makes packs of one to k tasks, each as often" } } },
  { "Section 5, variants", "a dynamic program inside PACK-BY-PACK, and 99 runs",
    figures = { "variants" }, statements = { "section 5", "sections 5 and 6.6" },
    specs = { { ALLOCATION, "the fullest pack by hand" } } },
  { "Section 6.1", "Workload-I, -II", needs = TIMES, partly = "profiles after published scaling "
    .. "curves", figures = { "2", "3" } },
  { "Section 6.1", "Workload-III", partly = "sizes and the constants of times are not printed: "
    .. "they are options", figures = { "4", "constants" },
    specs = { { "spec/scripts/reproduce/packs_spec.lua",
      "measures Workload-III as a naive implementation does" } } },
  { "Section 6.2", "relative cost, packing ratio, relative response time", specs = {
    { COSCHEDULE, "metrics are the plain ones" } } },
  { "Figure 2 (a, b, c), section 6.3", "Workload-I", needs = TIMES, figures = { "2" },
    statements = { "figure 2", "section 6.6, figure 2" } },
  { "Figure 3 (a, b, c), section 6.3", "Workload-II, also with the optimum, which the paper "
    .. "could not compute", needs = TIMES, figures = { "3" },
    statements = { "figure 3", "section 6.6, figure 3" } },
  { "Section 6.3, on Workload-III", "packing ratios of the random heuristics, and of the others",
    partly = "the paper says it of the small workloads", figures = { "4" },
    statements = { "section 6.3, for the small workloads" } },
  { "Figure 4 (a, b, c), section 6.4", "Workload-III", figures = { "4" },
    statements = { "figure 4" } },
  { "Section 6.5", "the heuristics take milliseconds", partly = "that the workloads take seconds "
    .. "to minutes is about the measured times", figures = { "4" },
    statements = { "section 6.5" } },
  { "Section 6.6", "PACK-APPROX and PACK-BY-PACK beside each other; 99 values of epsilon",
    figures = { "4", "variants" }, statements = { "section 6.6", "sections 5 and 6.6" } },
}
