-- contents: the contents of RR-9296, and the reproduced parts (see command/paper_table.lua).
local paper = require "orrery.reproduce.rr9296.plan"

local PROPERTIES = "spec/kernel/rigid/properties_spec.lua"
local NAIVE = { "spec/kernel/rigid/engine_spec.lua", "every discipline equals the naive reference" }
local PRIORITIES = "spec/policies/policies_spec.lua"

local LOG = "the log of Mira of June 2019 (`--log FILE`); the bundled month is synthetic"

local function has_log(plan) return plan.log ~= paper.BUNDLED end

return {
  { "Equations 1 to 3", "what a schedule is, and its makespan",
    specs = { { "spec/kernel/schedule/check_spec.lua", "the checker" }, NAIVE } },
  { "Equations 5, 6", "lower bounds of the optimal makespan",
    specs = { { PROPERTIES, "no schedule beats the lower bound" } } },
  { "Section 3.4, equation 7", "failures of jobs, and the expected makespan",
    specs = { { "spec/kernel/rigid/montecarlo_spec.lua",
      "follow the geometric law of RR-9296, section 3.4" } } },
  { "Algorithm 1", "R-LIST, with m reservations", specs = { NAIVE } },
  { "Proposition 1, equation 9", "R-LIST with reservations and LJF is at most 3 - 4/(P+1) times "
    .. "the optimum", specs = { { PROPERTIES,
      "Proposition 1: reservations of any depth with LJF are within (3 - 4/(P+1)) L(f)" } } },
  { "Proposition 2, equation 10", "R-LIST without reservations is at most 2 - 1/P times the "
    .. "optimum", specs = { { PROPERTIES,
      "Proposition 2: greedy is within (2 - 1/P) L(f) for any priority" } } },
  { "Equations 4, 8", "both bounds hold in every scenario, and so for expected makespans",
    specs = { { PROPERTIES, "approximation ratios" } } },
  { "Algorithm 2", "R-SHELF, with and without backfilling", specs = { NAIVE } },
  { "Section 4.3", "without failures R-SHELF with LPT (NFDH) is at most 3 times the optimum",
    specs = { { PROPERTIES, "shelves with LPT are within 3 L without failures" } } },
  { "Proposition 3", "shelves have an unbounded ratio: P (1 + 1/2 + ... + 1/P) against P",
    specs = { { PROPERTIES, "takes shelves P (1 + 1/2 + ... + 1/P), under every order" },
      { PROPERTIES, "takes greedy P" } } },
  { "Section 4.3, open problem", "expected ratios of R-SHELF with P = 10: 1.00005 and 1.07",
    partly = "the jobs as printed, of 10/j s, give 1.0000005 and 1.0054; jobs of 1000/j s give the "
      .. "printed numbers", figures = { "shelf-ratio" }, statements = { "4.3" }, specs = {
      { "spec/scripts/reproduce/rr9296_spec.lua", "has the expected ratio of R-SHELF, which "
        .. "simulations agree with" } } },
  { "Figure 1 (a, b)", "the jobs of Mira's log: of each day, and their sizes", needs = LOG,
    given = has_log, figures = { "1" }, statements = { "5.1, figure 1" } },
  { "Section 5.1", "five heuristics, seven priorities, synthetic sets", specs = { NAIVE,
    { PRIORITIES, "ljf, with the borders of large" },
    { "spec/kernel/workload/generate_spec.lua", "have the paper's parameters by default" } } },
  { "Figure 2", "normalised makespans of all heuristics and priorities over q", figures = { "2" },
    statements = { "5.2, figure 2" } },
  { "Figure 3", "the same over the number of processors", figures = { "3" },
    statements = { "5.2, figure 3" } },
  { "Figure 4 (a, b)", "the heuristics with their best priorities, over q and P",
    figures = { "4" },
    statements = { "5.2, figure 4 (a)", "5.2, figure 4 (b)", "5.2" } },
  { "Figure 5", "list heuristics on 30 days of Mira's log", needs = LOG, given = has_log,
    figures = { "5" }, statements = { "5.3, figures 5, 6" } },
  { "Figure 6", "shelf heuristics on these days", needs = LOG, given = has_log,
    figures = { "6" }, statements = { "5.3, figures 5, 6" } },
  { "Table 1", "means, deviations and maxima over these days with LPT", needs = LOG,
    given = has_log, figures = { "table-1" }, statements = { "5.3, table 1", "5.3" } },
  ours = { "kept", "capped", "bound" },
}
