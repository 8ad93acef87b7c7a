-- contents: the contents of the paper, as far as we know it, and the reproduced parts (see
-- command/paper_table.lua).
local RULES = "spec/policies/priorities_spec.lua"
local TABLE = "the paper's table of medians is not at hand: statements alone are judged; it also "
  .. "has a machine of 1024 processors (`--procs 1024`)"

return {
  { "Rules", "FCFS, WFP3, UNICEF, SPT; F1 to F4", specs = {
    { RULES, "wfp3: (w / r)^3 n" }, { RULES, "unicef: w / (log2(n) r)" },
    { RULES, "f1 to f4" } } },
  { "Training", "simulated trials, and the regression that gives F1 to F4",
    partly = "the four functions are taken as printed; how they were found is not run again",
    specs = { { RULES, "the constants of f1 to f4" } } },
  { "Model, runtimes", "medians over ten sequences of 15 days, without backfilling",
    partly = TABLE, figures = { "plain" }, statements = { "model, runtimes" } },
  { "Model, estimates", "the same with users' estimates", partly = TABLE, figures = { "plain" },
    statements = { "model, estimates" } },
  { "Model, backfilling", "the same with EASY backfilling", partly = TABLE,
    figures = { "backfilling" }, statements = { "model, backfilling" } },
  { "Logs", "the same on logs of four machines",
    needs = "the logs of Curie, Intrepid, SDSC Blue Horizon and CTC SP2 (`--log NAME=FILE`)",
    given = function(plan) return #plan.given.log > 0 end, statements = { "logs" } },
}
