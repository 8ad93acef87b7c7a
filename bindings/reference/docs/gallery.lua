-- Draws the pictures of the documents into policies/pictures/, and writes policies/GALLERY.md.
-- `make pictures` runs it in the checkout: orrery bindings/reference/docs/gallery.lua RANKS, where
-- RANKS/jobs and RANKS/tasks are the sweeps ranks_jobs.lua and ranks_tasks.lua.
local orrery = require "orrery"

local lfs = require "lfs"
local command = require "orrery.command.command"

local csv = orrery.tools.csv()

local FOLDER = "policies/pictures"
local HEAD = [[
# The gallery

Every shipped policy: what it is, its paper, what it does with the same two days, and how it ranks.
This page and its pictures are made by `make pictures`; the ranks are of %s, with Orrery %s.

A rank says which place a policy takes among those of its table, 1 for the best; ± is the 95%%
interval of the mean over twenty workloads. Policies whose results are equal there are one row, and
so are variants; the first name is that of the ranks and the picture. Workloads are drawn, so ranks
are of these workloads, and not of yours: compare on your own log.
]]

-- The script that draws one policy, also for the reader: DECISION stands for the deciding field.
local DRAWS = {
  jobs = [[
local orrery = require "orrery"
local jobs = orrery.lublin { procs = 64, days = 2, load = 1.2, types = "batch", week = false,
  walltimes = "users", seed = 5 }
local s = orrery.session {
  jobs = jobs:filter(function(job) return job.procs <= 32 end), procs = 64, walltimes = "log",
  DECISION,
}
print(s:finish().bsld_mean)
s:gantt("FILE", { from = 0, to = "2d", width = 620, height = 300 })]],
  tasks = [[
local orrery = require "orrery"
local s = orrery.session {
  tasks = { n = 8 }, procs = 80, faults = { mtbf_years = 10 }, DECISION,
}
print(s:finish().makespan)
s:gantt("FILE", { width = 620, height = 300 })]],
  packs = [[
local orrery = require "orrery"
local result = orrery.packs {
  tasks = orrery.tasks.synthetic { n = 10, seed = 4 }, procs = 16, k = 4, DECISION,
}
print(result:values(1, "cost")[1])
result:coschedule():gantt("FILE", { width = 620, height = 300 })]],
}

local function read(path) return assert(command.read_file(path), path) end

-- --- contents ------------------------------------------------------------------------------------

-- Variants that stand in the row of another policy, without ranks of their own.
local TWINS = { ["dispatch/shelf-nofill"] = "dispatch/shelf", ["priority/sa"] = "priority/saf",
  ["redistribute/shortest-tasks-first-literal"] = "redistribute/shortest-tasks-first" }

-- EASY in the order of a rule, beside what decides by itself: what the sweep has of the rule.
local function in_order_of(rule)
  local policy = orrery.describe("priority/" .. rule)
  return setmetatable({ name = "dispatch/easy + " .. rule, of = policy.name }, { __index = policy })
end

local RANKED = { bsld_mean = "slowdown", wait_mean = "wait", wait_p99 = "tail",
  wait_max = "longest" }

local function short(name) return name:match "/(.+)$" end

local function behind_end_local(policy)
  return (policy.on_fault and not policy.on_end and "end-local+" or "") .. short(policy.name)
end

-- The tables of the page: the kind of policies, a one-line description, the module that draws them,
-- the name of the deciding script, the sweep that ranks them, the metrics, and the metric of the
-- order.
local TABLES = {
  { title = "Dispatch", draws = "jobs", sweep = "jobs",
    about = "They decide when each job starts. Ranks are among these, in mean bounded slowdown, in "
      .. "mean wait, in the wait that 99% of the jobs do not exceed (tail) and in the longest "
      .. "wait; EASY in the order of SAF and of WFP3 is among them. The jobs of these weeks have "
      .. "no users and write no checkpoints, and none is urgent: what looks at that decides as "
      .. "EASY here.",
    kind = "dispatch",
    more = { in_order_of "saf", in_order_of "wfp3" },
    decision = function(policy) return policy.of or policy.name end,
    code = function(policy)
      local words = policy.of and 'policy = "easy", priority = "%s"' or 'policy = "%s"'
      return words:format(policy.of or policy.name)
    end,
    metrics = RANKED, first = "bsld_mean" },
  { title = "Priority", draws = "jobs", sweep = "jobs",
    about = "They order the queue, here that of `dispatch/easy`.",
    kind = "priority",
    decision = function(policy) return policy.name end,
    code = function(policy) return ('policy = "easy", priority = "%s"'):format(policy.name) end,
    metrics = RANKED, first = "bsld_mean" },
  { title = "Redistribution", draws = "tasks", sweep = "tasks",
    about = "They move processors between malleable tasks when one ends or a fault strikes. Those "
      .. "that act on faults alone stand behind `end-local`.",
    kind = "redistribute",
    decision = behind_end_local,
    code = function(policy) return ('policy = "%s"'):format(behind_end_local(policy)) end,
    metrics = { makespan = "makespan" }, first = "makespan" },
  { title = "Packs", draws = "packs", sweep = "packs",
    about = "They say which moldable tasks run together.",
    kind = "pack",
    decision = function(policy) return policy.name end,
    code = function(policy) return ('policy = "%s"'):format(short(policy.name)) end,
    metrics = { cost = "cost" }, first = "cost" },
}

-- --- ranks --------------------------------------------------------------------------------------

-- The results of a sweep: values[metric][workload][decision].
local function results_of(path)
  local values, head = {}, nil
  for line in read(path):gmatch "[^\n]+" do
    local cells = csv.cells(line)
    if head then
      local _, workload, decision, _, metric, _, mean = table.unpack(cells)
      local of_metric = values[metric] or {}
      values[metric] = of_metric
      of_metric[workload] = of_metric[workload] or {}
      of_metric[workload][decision] = tonumber(mean)
    end
    head = head or cells
  end
  return values
end

-- Co-schedules need no sweep: they are made here, of twenty draws of ten tasks.
local function packs_results(policies)
  local costs = {}
  for seed = 1, 20 do
    costs[seed] = {}
    for _, policy in ipairs(policies) do
      local result = orrery.packs { tasks = orrery.tasks.synthetic { n = 10, seed = seed },
        procs = 16, k = 4, policy = short(policy.name), seed = seed }
      costs[seed][policy.name] = result:values(1, "cost")[1]
    end
  end
  return { cost = costs }
end

-- The mean place of every decision with its interval; equal values share their places.
local function ranks_of(workloads, decisions)
  local places = {}
  for _, decision in ipairs(decisions) do places[decision] = {} end
  for _, values in pairs(workloads) do
    for _, decision in ipairs(decisions) do
      local before, equal = 0, 0
      for _, other in ipairs(decisions) do
        if values[other] < values[decision] then before = before + 1 end
        if values[other] == values[decision] then equal = equal + 1 end
      end
      table.insert(places[decision], before + (equal + 1) / 2)
    end
  end
  local ranks = {}
  for decision, list in pairs(places) do ranks[decision] = orrery.summary(list) end
  return ranks
end

-- --- the page -----------------------------------------------------------------------------------

local function picture_of(policy)
  return ((policy.of or policy.name):gsub("/", "-")) .. ".svg"
end

local function code_of(t, policy, file)
  return (DRAWS[t.draws]:gsub("DECISION", function() return t.code(policy) end)
    :gsub("FILE", function() return file end))
end

local function draw(t, policy)
  local file = ("%s/%s"):format(FOLDER, picture_of(policy))
  assert(load(code_of(t, policy, file)))()
  print(file)
end

-- "slowdown 3.2 ± 0.4, wait 5.0 ± 0.6"
local function rank_text(t, ranks, decision)
  local parts = {}
  for metric, words in pairs(t.metrics) do
    local one = ranks[metric][decision]
    parts[#parts + 1] = ("%s %.1f ± %.1f"):format(words, one.mean, one.half_width)
  end
  table.sort(parts)
  return table.concat(parts, "<br>")
end

local function text_of(policy)
  local title = policy.title and policy.title ~= policy.name and " " .. policy.title or ""
  return ("**`%s`**%s<br>%s<br>*%s*"):format(policy.name, title,
    (policy.about or ""):gsub("%s+", " "):gsub("|", "\\|"), policy.source or "")
end

local function row_of(policy, others, rank)
  local texts = { text_of(policy) }
  for i, other in ipairs(others) do texts[i + 1] = text_of(other) end
  local picture = rank and ("![%s](pictures/%s)"):format(policy.name, picture_of(policy))
    or "it needs a log that tells when jobs started"
  return ("| %s | %s | %s |"):format(table.concat(texts, "<br>"), rank or "", picture)
end

-- Leaves one of all policies whose results are equal, and returns those left, and the others by
-- the name of the one that they stand behind.
local function apart(t, policies, values)
  local first, left, behind = {}, {}, {}
  for _, policy in ipairs(policies) do
    local results = { "" }
    for _, metric in ipairs(orrery.tools.sorted(t.metrics)) do
      for _, workload in ipairs(orrery.tools.sorted(values[metric])) do
        results[#results + 1] = tostring(values[metric][workload][t.decision(policy)])
      end
    end
    local key = table.concat(results, " ")
    local leader = TWINS[policy.name] or first[key]
    if leader then
      behind[leader] = behind[leader] or {}
      table.insert(behind[leader], policy)
    else
      first[key], left[#left + 1] = policy.name, policy
    end
  end
  return left, behind
end

-- A table of policies, the best one first; those without a rank last.
local function section(t, sweeps)
  local policies, decisions = table.move(t.more or {}, 1, #(t.more or {}), 1, {}), {}
  for _, policy in ipairs(orrery.policies()) do
    if policy.kind == t.kind then policies[#policies + 1] = policy end
  end
  local values = t.sweep == "packs" and packs_results(policies)
    or results_of(("%s/%s/results.csv"):format(sweeps, t.sweep))
  local _, some = next(values[t.first])
  local behind
  table.sort(policies, function(a, b)
    if (a.of == nil) ~= (b.of == nil) then return a.of ~= nil end -- the plainest first
    return a.name < b.name
  end)
  policies, behind = apart(t, policies, values)
  for _, policy in ipairs(policies) do
    if some[t.decision(policy)] then decisions[#decisions + 1] = t.decision(policy) end
  end
  local ranks = {}
  for metric in pairs(t.metrics) do ranks[metric] = ranks_of(values[metric], decisions) end
  local function mean(policy)
    local one = ranks[t.first][t.decision(policy)]
    return one and one.mean or math.huge
  end
  table.sort(policies, function(a, b)
    if mean(a) ~= mean(b) then return mean(a) < mean(b) end
    return a.name < b.name
  end)
  local lines = { ("## %s\n\n%s\n"):format(t.title, t.about),
    "| policy | mean rank | picture |", "| --- | --- | --- |" }
  for _, policy in ipairs(policies) do
    local has_rank = some[t.decision(policy)] ~= nil
    if has_rank and not policy.of then draw(t, policy) end
    lines[#lines + 1] = row_of(policy, behind[policy.name] or {},
      has_rank and rank_text(t, ranks, t.decision(policy)) or nil)
  end
  local example = policies[1]
  lines[#lines + 1] = ("\nThe first picture is made by\n\n```lua\n%s\n```\n"):format(
    code_of(t, example, picture_of(example)))
  return table.concat(lines, "\n")
end

-- The README's own script makes the pictures of the README.
local function draw_forks()
  local code = assert(read "README.md":match "\n```lua file=fork%.lua\n(.-)\n```")
  local before = lfs.currentdir()
  assert(lfs.chdir(FOLDER))
  assert(load(code))()
  assert(lfs.chdir(before))
end

local sweeps = ...
lfs.mkdir(FOLDER)
draw_forks()
local parts = { HEAD:format(os.date "!%Y-%m-%d", orrery.version) }
for _, t in ipairs(TABLES) do parts[#parts + 1] = section(t, sweeps) end
parts[#parts + 1] = [[
## How the ranks are made

The sweeps are [ranks_jobs.lua](../bindings/reference/docs/ranks_jobs.lua), of twenty weeks, and
[ranks_tasks.lua](../bindings/reference/docs/ranks_tasks.lua), of twenty sets of tasks;
co-schedules are made of twenty draws of ten tasks. `make pictures` runs

    ./orrery sweep bindings/reference/docs/ranks_jobs.lua -o results/gallery/jobs
    ./orrery sweep bindings/reference/docs/ranks_tasks.lua -o results/gallery/tasks
    ./orrery bindings/reference/docs/gallery.lua results/gallery
]]
orrery.tools.write_file("policies/GALLERY.md", table.concat(parts, "\n"))
