-- coschedules: orrery.compare for tasks in packs that run one after the other on processors that
-- fail, each pack under its redistribution policy.
--
-- A pack policy says which tasks go together, and the malleable engine gives each of them its
-- processors, an even number by its own Algorithm 1; so every task counts with two processors at
-- least where packs are made. Packs run in increasing order of their cost without faults. Pack
-- number b of run r meets the same faults whatever the policies: those of the set of random numbers
-- that b and r name.

local checks = require "orrery.support.checks"
local core = require "orrery.core"
local crash_report = require "orrery.run.crash_report"
local packs = require "orrery.run.packs"
local policy_list = require "orrery.run.policy_list"
local registry = require "orrery.values.metrics"
local results = require "orrery.run.results"
local tasks = require "orrery.values.tasks"
local tasks_run = require "orrery.run.tasks"

local coschedules = {}

-- Tasks are the same in every run, or drawn for each, also by a function of the run.

local SETS_OF_A_RUN = 1 << 20 -- more packs than any run has

local SUMS, DERIVED = {}, {}
for _, list in ipairs { registry.tasks.all, registry.tasks.fault_free } do
  for _, name in ipairs(list) do
    table.insert(registry.tasks.by_name[name].derived and DERIVED or SUMS, name)
  end
end
local KNOWN = table.move(DERIVED, 1, #DERIVED, #SUMS + 1, { table.unpack(SUMS) })

-- --- numbers ------------------------------------------------------------------------------------

-- Sums over packs. `normalised` is by the first pack policy without redistribution.
local function new_sums(count)
  local sums = registry.columns(count, KNOWN, " of packs that run")
  sums.task_ends = {}
  for i = 1, count do sums.task_ends[i] = {} end
  function sums:ends(policy, run) return self.task_ends[policy][run] end
  return sums
end

-- One pack's run joins the sums: `from` is the index of its policy and run in `metrics`.
local function add(sums, i, run, pack, metrics, from)
  local one, ends = metrics:scenario(from.policy, from.run), sums.task_ends[i]
  local start = sums[i].makespan[run] or 0
  ends[run] = ends[run] or {}
  for x, time in ipairs(metrics:ends(from.policy, from.run)) do
    ends[run][pack[x]] = start + time
  end
  for _, metric in ipairs(SUMS) do
    local column, value = sums[i][metric], one[metric]
    if value then column[run] = (column[run] or 0) + value end
  end
end

-- With the baseline of the first policy, which is of the first pack policy.
local function normalise(sums, runs)
  for i = 1, #sums do
    local mine, baseline = sums[i], table.move(sums[1].baseline, 1, runs, 1, {})
    for run = 1, runs do
      mine.normalised[run] = mine.makespan[run] / baseline[run]
      local free = mine.fault_free[run]
      mine.fault_free_ratio[run] = free and mine.makespan[run] / free or nil
    end
    if i > 1 then mine.baseline = baseline end
  end
end

-- --- packs --------------------------------------------------------------------------------------

-- Some of the tasks, by their positions.
local function chosen(all, positions)
  local list = {}
  for x, position in ipairs(positions) do
    local task = all[position]
    list[x] = { id = task.id, m = task.m }
    if task.profile == "table" then
      list[x].times = {}
      for j = 1, task.columns do list[x].times[j] = all:time(position, j) end
    else
      list[x].profile = task.profile
      list[x][task.profile == "power" and "e" or "f"] = task.parameter
    end
  end
  return tasks.list(list)
end

-- The packs that a policy makes of the tasks, in the order in which they run: lists of positions.
local function partition(host, name, all, spec, run)
  local least = {}
  for i = 1, #all do least[i] = 2 end
  local problem = core.pack_problem(all, spec.procs, math.min(spec.k or spec.procs,
    spec.procs // 2), least)
  local made = crash_report.check({ policies = { name }, spec = spec, run = "run", policy = 1 },
    core.pack(host, problem, spec.seed or 1, spec.set or 0, run))
  local list = {}
  for at, b in ipairs(made:order()) do list[at] = made[b].tasks end
  return list
end

-- --- running ------------------------------------------------------------------------------------

local Work = {}
Work.__index = Work

-- Packs of one pack policy, the same tasks in all of these runs: [first, first + runs).
function Work:execute(at, list, all, first, runs)
  local redistributions = #self.prepared
  self.checked = self.checked + #list * redistributions * runs
  for b, pack in ipairs(list) do
    local set = (self.spec.set or 0) + b + (first - 1) * SETS_OF_A_RUN
    local metrics = tasks_run.metrics(chosen(all, pack), self.spec, self.prepared, set, runs)
    for policy = 1, redistributions do
      for run = 1, runs do
        add(self.sums, (at - 1) * redistributions + policy, first + run - 1, pack, metrics,
          { policy = policy, run = run })
      end
    end
  end
end

function Work:report(done)
  if self.spec.progress then self.spec.progress(done, #self.hosts * self.runs) end
end

-- Fixed tasks: one partition for all runs. Drawn ones: one for each.
function Work:run(at)
  local per_run = not self.given and 1 or self.runs
  for first = 1, self.runs, per_run do
    local all = self.given or self.drawn(first)
    local list = partition(self.hosts[at], self.names[at], all, self.spec, first)
    self.count = #all
    for policy_of = 1, #self.prepared do
      local i = (at - 1) * #self.prepared + policy_of
      self.partitions[i] = self.partitions[i] or {}
      for run = first, first + per_run - 1 do self.partitions[i][run] = list end
    end
    self:execute(at, list, all, first, per_run)
    self:report((at - 1) * self.runs + first + per_run - 1)
  end
end

local function pack_policies(given)
  local list = type(given) == "table" and given.policy == nil and given.pack == nil and given
    or { given }
  checks.refuse(#list == 0, "packs: expected a list of at least one pack policy")
  return list
end

local function check_spec(spec)
  checks.fields("compare", spec, "runs.TasksSpec.c")
  checks.refuse(spec.faults and spec.faults.log ~= nil,
    "faults.log: packs run one after the other, and a log is on the clock of one")
  checks.refuse(spec.precision ~= nil or spec.metric ~= nil,
    "precision: packs that run one after the other have no precision; give runs")
  checks.refuse(spec.procs and spec.procs < 2, "procs: packs that run want at least 2, found %s",
    spec.procs)
  checks.expect(spec.k == nil or math.type(spec.k) == "integer" and spec.k >= 1, "k",
    "a whole number of at least 1", spec.k)
end

-- Every policy of both kinds may have the options.
local function prepare(spec)
  local used, work = {}, setmetatable({ spec = spec, hosts = {}, names = {}, partitions = {},
    runs = spec.runs or 1, checked = 0 }, Work)
  work.prepared, work.given, work.drawn = tasks_run.prepare(spec, used)
  for at, policy in ipairs(pack_policies(spec.packs)) do
    local one = packs.prepare(policy, spec.options or {}, used, spec.limits)
    work.hosts[at], work.names[at] = core.pack_host(one, spec.limits), one.policy_name
  end
  policy_list.check_used(spec.options or {}, used)
  work.sums = new_sums(#work.hosts * #work.prepared)
  return work
end

local function named(work)
  local list = {}
  for _, pack in ipairs(work.names) do
    for _, one in ipairs(work.prepared) do
      list[#list + 1] = { name = pack .. " / " .. one.policy_name }
    end
  end
  return list
end

function coschedules.compare(spec)
  check_spec(spec)
  local work = prepare(spec)
  for at in ipairs(work.hosts) do work:run(at) end
  normalise(work.sums, work.runs)
  local notes = policy_list.notes(work.prepared)
  if spec.check then policy_list.checked(work.checked, notes) end
  local result = results.of_tasks {
    policies = named(work), procs = spec.procs, runs = work.runs, seed = spec.seed or 1,
    sets = { { name = "all", tasks = work.given, count = work.count, runs = work.runs,
      metrics = work.sums } },
    spec = spec, notes = notes,
  }
  result.partitions = work.partitions
  return result
end

return coschedules
