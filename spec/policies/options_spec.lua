-- The shipped policies: what they say about themselves, and the options that they declare.
local orrery = require "orrery"

-- Of each option its default, then its range, its values and its unit.
local EXPECTED = {
  ["dispatch/aging"] = { "patience=86400 0.. s" },
  ["dispatch/checkpoint-aware"] = { "factor=10 0..",
    "know=all {all checkpoints failures nothing}" },
  ["dispatch/easy-plus-plus"] = { "backfill=shortest {shortest queue}",
    "correct=last {last first walltime}", "decide=corrections {corrections events}",
    "means=exact {exact seconds}", "predict=moment {moment submission}",
    "variant=own {own published}" },
  ["dispatch/easy-proactive"] = { "recall=0 0..0.999" },
  ["dispatch/error-aware"] = { "calm=0.08 0..", "depth=100 1.. whole jobs",
    "misses=8 1.. whole jobs", "risk=1 0..", "slope=7.5 0..", "waste=0.03 0..",
    "wide=0.15 0..1" },
  ["dispatch/fair-share"] = { "half_life=604800 1.. s" },
  ["dispatch/knapsack"] = { "patience=86400 0.. s", "window=200 1.. whole jobs" },
  ["dispatch/likely-short"] = { "chance=0.3 0..1", "long=30 1..", "memory=30 1.. jobs",
    "patience=2592000 0.. s", "prior=8 0.01.. jobs", "share=0 0..1", "width=0.95 0.." },
  ["dispatch/list"] = { "backfill=queue", "reading=blocked {blocked head}",
    "reservations=0 0.. {all} whole jobs" },
  ["dispatch/lookahead"] = { "window=50 1.. {all} whole jobs" },
  ["dispatch/partitions"] = { "limit=3600 0.. s", "share=0.25 0..1" },
  ["dispatch/preemptive"] = { "kills=3 0..", "queue=urgent", "time=-1 s" },
  ["pack/annealed"] = { "tries=3000 3.. whole" },
  ["pack/pack-approx"] = { "balance=end {end none each}" },
  ["pack/pack-by-pack"] = { "epsilon=0.5 0..1", "fill=longest {longest fullest}",
    "runs=1 1.. whole" },
  ["pack/random-pack"] = { "runs=1 1.. whole" },
  ["pack/random-proc"] = { "runs=1 1.. whole" },
  ["pack/sorted-cuts"] = { "swaps=false" },
  ["redirect/threshold"] = { "alpha=0.15 0..", "conflict=walltime {walltime counter area random}",
    "extra=true", "filter=procs {procs walltime}", "redirection_procs=0 0.. whole processors",
    "theta=10 0.. jobs" },
  ["redistribute/cautious-greedy"] = { "caution=2" },
  ["redistribute/cautious-saving"] = { "caution=1 0..", "price=1.75 1..", "slack=0.6 0..1" },
  ["redistribute/shortest-tasks-first"] = { "literal=false" },
}

local NO_OPTIONS = {
  "dispatch/conservative", "dispatch/easy", "dispatch/easy-sjf", "dispatch/fcfs",
  "dispatch/greedy", "dispatch/recorded", "dispatch/shelf", "dispatch/shelf-nofill",
  "pack/one-by-one", "pack/optimal", "pack/two-in-p", "priority/f1", "priority/f2", "priority/f3",
  "priority/f4", "priority/fcfs", "priority/hpa", "priority/la", "priority/ljf", "priority/lpa",
  "priority/lpt", "priority/random", "priority/sa", "priority/saf", "priority/spt",
  "priority/unicef", "priority/wfp3", "redistribute/end-greedy", "redistribute/end-local",
  "redistribute/iterated-greedy", "redistribute/none", "redistribute/shortest-tasks-first-literal",
}

for _, name in ipairs(NO_OPTIONS) do EXPECTED[name] = {} end

local function told(options)
  local list = {}
  for name, one in pairs(options) do
    list[#list + 1] = ("%s=%s%s%s%s%s"):format(name, one.default,
      (one.least or one.most) and (" %s..%s"):format(one.least or "", one.most or "") or "",
      one.values and (" {%s}"):format(table.concat(one.values, " ")) or "",
      one.whole and " whole" or "", one.unit and " " .. one.unit or "")
  end
  table.sort(list)
  return list
end

describe("every shipped policy", function()
  local found = {} -- those of this checkout
  for _, policy in ipairs(orrery.policies()) do
    if policy.path:find(orrery.home, 1, true) == 1 then found[policy.name] = policy end
  end

  it("loads, describes itself, and declares these options", function()
    local options = {}
    for name, policy in pairs(found) do
      assert.is_nil(policy.problem, name)
      for _, field in ipairs { "title", "about", "source" } do
        assert.equal("string", type(policy[field]), name)
        assert.is_true(#policy[field] >= 2, name)
      end
      assert.matches("%.$", policy.about)
      for option, declared in pairs(policy.options) do
        assert.equal("string", type(declared.about), option)
      end
      options[name] = told(policy.options)
    end
    assert.same(EXPECTED, options)
  end)
end)
