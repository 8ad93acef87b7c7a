-- policies: Tests of this project's own policies against all published ones, on unseen jobs
--
--   orrery reproduce policies --quick
--   orrery reproduce policies --test error-aware --out results/policies
local argparse = require "argparse"
local command = require "orrery.command.command"
local csv = require "orrery.command.csv"
local family = require "orrery.values.family"
local least_makespan = require "orrery.reproduce.policies.least_makespan"
local lists = require "orrery.support.lists"
local options = require "orrery.command.options"
local orrery = require "orrery"
local progress = require "orrery.command.progress"
local tests = require "orrery.reproduce.policies.tests"

local HEADER = { "test", "point", "metric", "policy", "samples", "mean", "against", "against_mean",
  "difference", "half_width", "significant", "most_left" }

local UNITS = { wait_mean = 3600, wait_p99 = 3600, wait_max = 3600 } -- s; they are shown in h

local LABELS = { ratio = "normalised makespan", normalised = "normalised makespan",
  bsld_mean = "mean bounded slowdown", wait_mean = "mean wait, h", wait_p99 = "99% of waits, h",
  wait_max = "longest wait, h", users = "deviation over users" }

local function parse(arguments)
  local parser = argparse("orrery reproduce policies", "Simulates the project's own policies "
    .. "beside the published ones, on jobs that the searches for them have not seen, and writes "
    .. "the differences with their intervals, after Holm's correction for all of a point.")
  options.add(parser, { {
    { "--test TEST", "Only this one; may be given several times.", several = true,
      choices = lists.fields(tests.all, "key") },
    { "--quick", "A small version: it shows that everything runs, and decides little." },
    { "--sets N", "Sets of jobs, or runs, of each point (default: as the tests have it).",
      kind = "integer", least = 2, most = 1000000 },
    { "--log FILE", "A log; streams made of the weeks of its second half are compared on, too." },
    "runs.JobsSpec: threads",
    { "--out DIR", "Folder for the tables (default: results/policies); it is made.",
      default = "results/policies" } } })
  return parser:parse(arguments)
end

-- The policies of a point: the one that is tested, then all others.
local function compared(test, point)
  local list = { { policy = test.policy, options = test.options, name = test.name } }
  return lists.joined(list, point.against or test.against)
end

-- By which share of their mean the makespans of our policy could be shorter at most: what they are
-- above a bound that holds for all policies. `fields`: those of the comparison of tasks.
local function most_left(result, fields)
  local makespans, sum, least = result:values(1, "makespan"), 0, 0
  for run, makespan in ipairs(makespans) do
    local tasks = orrery.tasks.synthetic { n = fields.tasks.n, m = fields.tasks.m,
      sequential = fields.tasks.sequential, seed = fields.seed, run = run }
    sum, least = sum + makespan, least + least_makespan(tasks, fields.procs)
  end
  return 1 - least / sum
end

local function run(test, point, given)
  local fields = point.fields(given)
  fields.policies, fields.threads = compared(test, point), given.threads
  local result = progress.run("simulations", orrery.compare, fields)
  return result, test.of_tasks and most_left(result, fields)
end

-- The standard deviation over the users of a set of their mean bounded slowdowns, for each set; nan
-- where there are less than two users.
local function spreads(result, policy)
  local list = {}
  for set = 1, #result:values(policy, "bsld_mean") do
    local means = {}
    for _, user in ipairs(result:users(policy, set)) do
      if user.user then means[#means + 1] = user.bsld_mean end
    end
    list[set] = #means > 1 and orrery.summary(means).sd or 0 / 0
  end
  return list
end

-- The paired differences of policies from the first one, and the mean of each, in a metric.
local function measured(result, metric, count)
  if metric ~= "users" then
    return result:differences(metric), function(i) return result:summary(i, metric).mean end
  end
  local values, differences = {}, {}
  for i = 1, count do
    values[i] = spreads(result, i)
    differences[i] = orrery.summary_paired(values[1], values[i])
  end
  family.correct(differences)
  return differences, function(i) return orrery.summary(values[i]).mean end
end

-- The rows of a point, one for each metric and other policy.
local function rows_of(test, point, result, left)
  local rows = {}
  for _, metric in ipairs(test.metrics) do
    local differences, mean = measured(result, metric, 1 + #(point.against or test.against))
    local known = mean(1) == mean(1) -- a log may have no users
    for i, other in ipairs(known and (point.against or test.against) or {}) do
      local d = differences[i + 1] -- that one less ours
      rows[#rows + 1] = { test = test.key, point = point.key, metric = metric, policy = test.name,
        samples = d.count, mean = mean(1), against = other.name,
        against_mean = mean(i + 1), difference = -d.mean,
        half_width = d.half_width, significant = d.significant and 1 or 0,
        most_left = left or "" }
    end
  end
  return rows
end

-- The other policy with the least mean of a metric, and how often ours is significantly behind.
local function nearest(rows, metric)
  local best, behind, count = nil, 0, 0
  for _, row in ipairs(rows) do
    if row.metric == metric then
      count = count + 1
      if not best or row.against_mean < best.against_mean then best = row end
      if row.significant == 1 and row.difference > 0 then behind = behind + 1 end
    end
  end
  return best, behind, count
end

local function show(test, point, rows)
  for _, metric in ipairs(test.metrics) do
    local best, behind, count = nearest(rows, metric)
    local unit = UNITS[metric] or 1
    print(best and ("%-34s %-22s %9.4f  %-28s %9.4f  %+9.4f ± %.4f%s  behind %d of %d"):format(
      point.key, LABELS[metric], best.mean / unit, best.against, best.against_mean / unit,
      best.difference / unit, best.half_width / unit, best.significant == 1 and " *" or "", behind,
      count)
      .. (best.most_left ~= "" and ("; at most %.1f%% is left"):format(100 * best.most_left) or "")
      or ("%-34s %-22s not known"):format(point.key, LABELS[metric]))
  end
  io.stdout:flush()
end

local function run_test(test, given)
  print(("%s: %s"):format(test.key, test.about))
  local all = {}
  for _, point in ipairs(test.points(given)) do
    local rows = rows_of(test, point, run(test, point, given))
    show(test, point, rows)
    table.move(rows, 1, #rows, #all + 1, all)
  end
  orrery.tools.write_file(("%s/%s.csv"):format(given.out, test.key), csv.text(HEADER, all))
end

local given = parse(arg)
command.make_folder(given.out)
local wanted = lists.set(given.test)
for _, test in ipairs(tests.all) do
  if #given.test == 0 or wanted[test.key] then run_test(test, given) end
end
