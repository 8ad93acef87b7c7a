-- plan: the rules, the sequences, and one number per rule and sequence: the average bounded
-- slowdown. The independent samples are the sequences, each from an empty machine.
local cells = require "orrery.command.cells"
local command = require "orrery.command.command"
local drawing = require "orrery.command.drawing"
local lists = require "orrery.support.lists"
local log_options = require "orrery.command.log_options"
local orrery = require "orrery"
local reproduction = require "orrery.command.reproduction"

local paper = {}

-- old: a rule with which the paper compares F1 to F4.
paper.rules = {
  { key = "fcfs", name = "FCFS", old = true }, { key = "wfp3", name = "WFP3", old = true },
  { key = "unicef", name = "UNICEF", old = true }, { key = "spt", name = "SPT", old = true },
  { key = "saf", name = "SAF" },
  { key = "f4", name = "F4", learned = true }, { key = "f3", name = "F3", learned = true },
  { key = "f2", name = "F2", learned = true }, { key = "f1", name = "F1", learned = true },
}

-- Figures, by the starting rule: strict order of the queue, or EASY.
paper.ways = {
  plain = { name = "without backfilling", policy = "dispatch/fcfs" },
  backfilling = { name = "with EASY backfilling", policy = "dispatch/easy" },
}

-- The scheduler's knowledge of runtimes.
paper.knowledge = {
  { key = "runtimes", name = "runtimes", walltimes = "runtime", colour = drawing.SKY },
  { key = "estimates", name = "user estimates", walltimes = "log", colour = drawing.ORANGE },
}

-- load: nil is the model's own load.
local LOADS = { { key = "model", at = "the model's load" },
  { key = "0.9", load = 0.9, at = "load 0.9" } }

-- A log as a load; jobs: its jobs.
local function from_log(one)
  local jobs = log_options.log { log = one.path }
  if jobs.machine_procs then return { key = one.name, at = "log " .. one.name, jobs = jobs } end
  command.fail("%s does not say how many processors the machine has", one.path)
end

paper.metrics = { "bsld_mean", "wait_mean", "utilisation" }

local FULL = { sets = 10, days = 15, warmup_jobs = 16 }
local QUICK = { sets = 3, days = 2 }

function paper.plan(given)
  local plan = reproduction.plan(given, FULL, QUICK)
  plan.loads = lists.joined(LOADS, lists.map(given.log, from_log))
  return plan
end

local Store = cells.class()
paper.Store = Store

-- The sequences under a load: slices of one log, all days of which are alike, or the first ones of
-- a log that is given.
function Store:sequences(load)
  local plan = self.plan
  return self:once("log " .. load.key, function()
    if load.jobs then
      local list = load.jobs:slices { days = FULL.days, warmup_jobs = plan.warmup_jobs }
      return table.move(list, 1, math.min(plan.sets, #list), 1, {})
    end
    return orrery.lublin({ procs = plan.given.procs, days = plan.sets * plan.days, week = false,
      load = load.load, walltimes = "tsafrir", seed = plan.seed })
      :slices { days = plan.days, warmup_jobs = plan.warmup_jobs }
  end)
end

local function run(self, part)
  local plan = self.plan
  return cells.by_key(orrery.compare {
    sets = self:sequences(part.load), walltimes = part.known.walltimes, tau = 10,
    policies = lists.map(paper.rules, function(rule)
      return { policy = part.way.policy, priority = "priority/" .. rule.key }
    end),
    seed = plan.seed, threads = plan.threads,
  }, paper.rules, paper.metrics)
end

local function id_of(way, known, load)
  return ("%s %s %s"):format(way, known.key, load.key)
end

-- Asks for all that a figure shows.
function Store:need(way)
  for _, load in ipairs(self.plan.loads) do
    for _, known in ipairs(paper.knowledge) do
      self:ask(way, id_of(way, known, load), { way = paper.ways[way], known = known, load = load,
        compute = run, steps = function() return #paper.rules * self.plan.sets end })
    end
  end
end

-- The samples of a metric, sequence by sequence; nil where that was not simulated.
function Store:samples(way, known, load, rule, metric)
  return self:found(id_of(way, known, load), rule.key, metric or "bsld_mean")
end

return paper
