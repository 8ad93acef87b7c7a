-- plan: what section IV of the paper says is simulated, and what is asked for of it.
local command = require "orrery.command.command"
local orrery = require "orrery"
local log_options = require "orrery.command.log_options"

local paper = {}

paper.thetas = { 1, 2, 5, 10, 15, 25, 50, 100, 125 }
paper.alphas = { 0.10, 0.15, 0.20, 0.25 }

-- Generated logs. widest: jobs are those of the model's machine of so many processors, and so many
-- more of them that they load this one; otherwise they are as wide as the machine.
local GENERATED = {
  { name = "generated-wide", procs = 256, types = "both",
    about = "batch and interactive jobs, up to the whole machine" },
  { name = "generated-narrow", procs = 1024, widest = 128, types = "whole",
    about = "one kind of jobs, up to an eighth of the machine" },
  { name = "generated-narrow-2", procs = 1024, widest = 128, types = "both",
    about = "batch and interactive jobs, up to an eighth of the machine" },
}

-- The pair of parameters that the paper names.
paper.example = { alpha = 0.15, theta = 10 }

local GENERATED_LOAD = 0.85

-- What is submitted in a week may need more than there is. A log's own utilisation is never above
-- 1; weeks that need much more are another experiment.
local MOST = 1.1

-- --- weeks --------------------------------------------------------------------------------------

-- The weeks that are simulated, and how many whole ones there are: { name =, jobs =, share = (of
-- the machine, that its jobs need), factor = (how much faster they come) }. What is submitted in a
-- week counts, not what ran in it: that has jobs of the week before, which here begins with
-- nothing. A week that needs too little comes faster, where `raise` allows it.
local function weeks_of(jobs, procs, plan, raise, most)
  local list, all = {}, jobs:weeks { procs = procs, by = "submitted" }
  local last = all[#all] -- a whole one, if something is submitted on its last day
  if last and not last.jobs:between(last.to - 86400, last.to)[1] then table.remove(all) end
  for _, week in ipairs(all) do
    local factor = math.max(1, plan.utilisation / week.utilisation)
    if factor <= raise and week.utilisation <= MOST and #list < most then
      list[#list + 1] = { name = tostring(week.week), share = week.utilisation * factor,
        jobs = factor > 1 and week.jobs:load(factor) or week.jobs, factor = factor }
    end
  end
  return list, #all
end

-- --- systems ------------------------------------------------------------------------------------

local function base_name(path)
  return (path:match "([^/]+)$":gsub("%.gz$", ""):gsub("%.%w+$", ""))
end

local function from_log(path, plan)
  local log = log_options.log { log = path }
  local system = { name = base_name(path), procs = log.machine_procs }
  if not system.procs then
    command.fail("%s does not say how many processors the machine has", path)
  end
  system.weeks, system.all_weeks = weeks_of(log, system.procs, plan, plan.raise, math.huge)
  if #system.weeks > 0 then return system end
  command.fail("%s: of its %d weeks none needs from %g to %g of the %d processors; --utilisation "
    .. "may be lower, --raise higher", path, system.all_weeks, plan.utilisation, MOST, system.procs)
end

-- Some weeks need too little or too much: it is made up to four times as long as should do.
local function generated(one, number, plan)
  local system = { name = one.name, procs = one.procs, about = one.about }
  local widest = one.widest or one.procs
  local weeks = 3 * plan.weeks + 10
  repeat
    local jobs = orrery.lublin { procs = widest, types = one.types, days = 7 * weeks,
      load = GENERATED_LOAD * one.procs / widest, seed = plan.seed, set = number }
    system.weeks, system.all_weeks = weeks_of(jobs, one.procs, plan, 1, plan.weeks)
    weeks = 2 * weeks
  until #system.weeks == plan.weeks or weeks > 24 * plan.weeks
  if #system.weeks > 0 then return system end
  command.fail("no generated week needs from %g to %g of the machine; --utilisation may be lower",
    plan.utilisation, MOST)
end

-- Two logs may be files of one name in two folders.
local function name_apart(systems)
  local seen = {}
  for _, system in ipairs(systems) do
    local name = system.name
    seen[name] = (seen[name] or 0) + 1
    if seen[name] > 1 then system.name = ("%s (%d)"):format(name, seen[name]) end
  end
end

-- Everything that is fixed before the first simulation, from the options: seed, threads, weeks,
-- utilisation, raise, thetas, alphas and
--   systems  list of { name =, procs =, weeks =, all_weeks = (how many there are, taken or not),
--            about = (what a generated one is) }
function paper.plan(given)
  local plan = { given = given, seed = given.seed, threads = given.threads, raise = given.raise,
    utilisation = given.utilisation, weeks = given.weeks or given.quick and 3 or 20,
    thetas = given.quick and { 1, 10, 125 } or paper.thetas,
    alphas = given.quick and { 0.10, 0.15 } or paper.alphas, systems = {} }
  local logs = given.log
  if #logs == 0 then logs = { orrery.home .. "/data/mira/sample-2019-06.csv" } end
  for _, path in ipairs(logs) do plan.systems[#plan.systems + 1] = from_log(path, plan) end
  name_apart(plan.systems)
  for i, one in ipairs(given.no_generated and {} or GENERATED) do
    if not given.quick or i == 1 then
      plan.systems[#plan.systems + 1] = generated(one, i, plan)
    end
  end
  return plan
end

-- Processors of the redirection group.
function paper.more(alpha, procs) return math.floor(alpha * procs + 0.5) end

return paper
