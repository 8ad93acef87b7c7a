-- results: the results of a comparison, as tables to read, CSV and JSON.
--
-- Results of jobs, tasks and packs are one class; their differences are in the table `kind`:
--   metric            the default metric
--   unit, run         the words for a job or task, and for a run
--   columns(result)   of the printed table: list of { head, function(result, policy) -> text }
--   difference        the head of the column with paired differences
--   more(result)      lines behind the table, or nil
--   csv               { head =, metrics = list, row = function(policy, set, run) -> list of texts,
--                       last = function(result) -> the name of a last column with the run, or nil }
--   summaries(result) the metrics that JSON has
--   limits(result)    more of the title, or nil

local caller_error = require "orrery.support.caller_error"
local checks = require "orrery.support.checks"
local columns = require "orrery.support.columns"
local core = require "orrery.core"
local family = require "orrery.values.family"
local field = require("orrery.support.csv").field
local lists = require "orrery.support.lists"
local metrics = require "orrery.values.metrics"
local known_fields = require "orrery.support.known_fields"
local names = require "orrery.support.names"
local numbers = require "orrery.support.numbers"
local parts = require "orrery.values.parts"

local number, formatted, statistics = numbers.full, numbers.formatted, core.values

local Result = { __name = "orrery.result" }

-- Fields that only some results have.
local SOME_HAVE = { k = true, machines = true, partitions = true, all_procs = true, parts = true,
  __find = true, __fidelity = true, __notes = true }

known_fields(Result, SOME_HAVE, "a result", "results.Result")

-- How well the simulation of the first policy explains the recorded waits: nil where none are
-- recorded. Computed when it is first asked for, by up to one more simulation.
function Result:fidelity()
  if self.__find and not self.__fidelity then self.__fidelity = self.__find() end
  return self.__fidelity
end

-- The notes of a result with a fidelity begin with it.
function Result.__index(self, name)
  if name ~= "notes" or not rawget(self, "__notes") then return Result[name] end
  self.notes = { table.unpack(self.__notes) }
  self.notes[#self.notes + 1] = tostring(self:fidelity())
  return self.notes
end

-- Adds a note in front of the others.
local function add_note(result, text)
  table.insert(rawget(result, "__notes") or result.notes, 1, text)
end

-- Gives a result its fidelity, which find() computes.
local function with_fidelity(result, find)
  result.__find, result.__notes, result.notes = find, result.notes, nil
  return result
end

-- The index of a policy given by index or by the name it was given with.
function Result:index(policy)
  if self.policies[policy] then return policy end
  for i, p in ipairs(self.policies) do
    if p.name == policy then return i end
  end
  caller_error(("there is no policy '%s' in this result"):format(tostring(policy)))
end

-- A function of C is called with these arguments; its error is that of the caller.
local function of_kernel(f, ...)
  local ok, value = pcall(f, ...)
  if ok then return value end
  caller_error(caller_error.without_place(value))
end

local function text_or_file(...) return require "orrery.support.text_or_file"(...) end

local function column_of(self, set, policy, metric)
  if set.metrics:has(metric) then
    return of_kernel(set.metrics.column, set.metrics, policy, metric)
  end
  local known = self.kind.summaries(self)
  caller_error(("there is no metric '%s'%s (known: %s)"):format(tostring(metric),
    names.suggestion(metric, known), table.concat(known, ", ")))
end

-- Raises an error where the values of scenarios are not kept.
local function need_values(self)
  if self.spec.summaries then column_of(self, self.sets[1], 1, self.kind.metric) end
end

-- The values of a metric, scenario after scenario, set after set.
--   policy  index or name;  metric  "makespan", "ratio", ...;  set  index, nil: all sets
function Result:values(policy, metric, set)
  policy = self:index(policy)
  local values = {}
  for s, one in ipairs(self.sets) do
    if not set or s == set then
      local of_set = column_of(self, one, policy, metric)
      table.move(of_set, 1, #of_set, #values + 1, values)
    end
  end
  return values
end

-- The set that is meant, of those whose jobs' times may have been kept.
local function one_set(self, set)
  if not self.kind.jobs then caller_error("this result is of tasks and has no jobs") end
  if #self.sets > 1 and set == nil then
    caller_error(("there are %d sets: say which one's jobs"):format(#self.sets))
  end
  return self.sets[set or 1] or caller_error(("there is no set %s"):format(tostring(set)))
end

-- One value per job under a policy, in one scenario: a list in the order of the set's jobs.
-- what: "end" (of the last attempt), "runtime" (what that computed), "time" (what the scheduler
-- knew of it), "flow", "wait" (s) or "bsld".
function Result:jobs(policy, what, set)
  local of_set = one_set(self, set).metrics
  return of_kernel(of_set.jobs, of_set, self:index(policy), what)
end

-- The summary of a metric over a set's scenarios where C has it: of a metric that was named, or
-- where values are not kept; else nil.
local function kept_summary(self, set, policy, metric)
  if not (self.spec.metrics or self.spec.summaries) then return nil end
  local of_set = self.sets[set].metrics
  of_set = self.spec.summaries and of_set:tallies() or of_set
  return of_kernel(of_set.summary, of_set, self:index(policy), metric)
end

-- The mean of a metric over each set's scenarios, set after set: what RR-9296, table 1, is about.
function Result:set_means(policy, metric)
  local means = {}
  for s in ipairs(self.sets) do
    local found = self.spec.summaries and kept_summary(self, s, policy, metric)
      or statistics.summary(self:values(policy, metric, s))
    means[s] = found.mean
  end
  return means
end

-- The samples of a mean: the scenarios of one set, else the sets' means (the scenarios of one day
-- are no sample of all days).
function Result:samples(policy, metric, set)
  if set or #self.sets == 1 then return self:values(policy, metric, set) end
  return self:set_means(policy, metric)
end

-- Whether samples are over the days or weeks of one log.
local function are_parts(self, summary)
  return self.spec.by and #self.sets > 1 and summary.sd - summary.sd == 0
end

-- Mean with its 95% interval over the samples, and their quartiles: { count, mean, sd, half_width,
-- min, q1, median, q3, max }; over the days or weeks of a log also low and high.
function Result:summary(policy, metric, set)
  metric = metric or self.kind.metric
  local one = #self.sets == 1 and 1 or self.spec.summaries and set
  local found = one and kept_summary(self, one, policy, metric)
  if found then return found end
  local samples = self:samples(policy, metric, set)
  local summary = statistics.summary(samples)
  if not set and are_parts(self, summary) then parts.add_ends(summary, self.spec.by, samples) end
  summary.q1, summary.median, summary.q3 =
    table.unpack(statistics.quantiles(samples, { 0.25, 0.5, 0.75 }))
  return summary
end

-- b - a, sample by sample.
local function differences_of(self, a, b, metric)
  metric = metric or self.kind.metric
  local differences = self:samples(a, metric)
  for i, value in ipairs(self:samples(b, metric)) do
    differences[i] = numbers.difference(differences[i], value)
  end
  return differences
end

local function has_recorded(self, a, b)
  return self.policies[self:index(a)].recorded or self.policies[self:index(b)].recorded
end

-- What happened is not a policy: its difference from one gets no interval and no test.
local function without_chance(d)
  d.happened, d.half_width, d.significant = true, 0 / 0, false
  if d.rank_p then
    d.shift_low, d.shift_high, d.rank_p, d.rank_significant = -math.huge, math.huge, 0 / 0, false
  end
  d.low, d.high = nil, nil
  return d
end

-- The summary of the differences b - a where the values are not kept.
local function kept_difference(self, a, b, metric)
  if self:index(a) ~= 1 then
    caller_error "with `summaries` only differences from the first policy are kept: compare without"
  end
  local happened, tallies = has_recorded(self, a, b), self.sets[1].metrics:tallies()
  local summary = of_kernel(tallies.difference, tallies, self:index(b),
    metric or self.kind.metric)
  summary.significant = family.leaves_out_0(summary, summary.half_width)
  return happened and without_chance(summary) or summary
end

-- The paired difference b - a over the same samples, with its 95% interval; significant says
-- whether the interval excludes 0. family.add_ranks adds the fields on the median and the ranks,
-- which need all samples.
function Result:difference(a, b, metric)
  if self.spec.summaries and #self.sets == 1 then return kept_difference(self, a, b, metric) end
  local happened, differences = has_recorded(self, a, b), differences_of(self, a, b, metric)
  local summary = statistics.summary(differences)
  if are_parts(self, summary) then
    parts.add_ends(summary, self.spec.by, differences)
    summary.significant = parts.leave_out_0(self.spec.by, differences, 0.95)
  else
    summary.significant = family.leaves_out_0(summary, summary.half_width)
  end
  family.add_ranks(summary, differences, not self.spec.by or #self.sets == 1)
  summary.rank_significant = family.is_ranked(summary, 0.95)
  return happened and without_chance(summary) or summary
end

-- The difference of every policy from the first one, as above, but both significance tests are
-- corrected for the number of differences: see family.lua.
function Result:differences(metric)
  local list = {}
  for i in ipairs(self.policies) do list[i] = self:difference(1, i, metric) end
  local over_parts = self.spec.by and #self.sets > 1
  return family.correct_both(list, over_parts and function(_, level, i)
    return parts.leave_out_0(self.spec.by, differences_of(self, 1, i, metric), level)
  end or nil)
end

-- The metrics of every user's jobs under a policy, in one scenario: a list of { user = (nil if the
-- log names none), jobs =, work = (processor-seconds), wait_mean =, wait_max =, flow_mean =,
-- bsld_mean =, bsld_max = }, most work first.
function Result:users(policy, set)
  local of_set = one_set(self, set).metrics
  return of_kernel(of_set.users, of_set, self:index(policy))
end

-- The utilisation of what jobs share beside the machine's processors, the mean over the scenarios
-- of all sets, or of one: a list, empty where the machine has nothing.
function Result:resources(policy, set)
  local list, count = {}, 0
  policy = self:index(policy)
  for _, one in ipairs(self.kind.jobs and (set and { one_set(self, set) } or self.sets) or {}) do
    for run = 1, one.runs do
      local these = one.metrics:resources(policy, run)
      if not these then return {} end
      count = count + 1
      for i, row in ipairs(these) do
        list[i] = list[i] or row
        if count > 1 then list[i].utilisation = list[i].utilisation + row.utilisation end
      end
    end
  end
  for _, row in ipairs(list) do row.utilisation = row.utilisation / count end
  return list
end

local OF = { pool = "pool ", resource = "", partition = "partition " }

-- The same as texts, a row for each resource and a column for each policy; nil: there are none.
function Result:resource_rows()
  local rows, of = { { "utilisation of" } }, {}
  for i in ipairs(self.policies) do
    rows[1][i + 1] = self:label(i)
    for _, one in ipairs(self:resources(i)) do -- machines may have others
      local name = OF[one.kind] .. one.name
      local row = of[name] or { name }
      if not of[name] then of[name], rows[#rows + 1] = row, row end
      for c = #row + 1, i do row[c] = "-" end
      row[i + 1] = ("%.1f%%"):format(100 * one.utilisation)
    end
  end
  return rows[2] and rows or nil
end

local WEEK = 168 * 3600 -- s: blocks begin with the first observed submission

-- Adds the number of weeks in which b has the lower mean, and the median and the range of the
-- differences of the weeks' means.
local function describe_weeks(found, sums, counts)
  local means = {}
  found.lower = 0
  for i, sum in ipairs(sums) do
    means[i] = sum / counts[i]
    if means[i] < 0 then found.lower = found.lower + 1 end
  end
  found.differences = means
  found.least, found.median, found.most =
    table.unpack(statistics.quantiles(means, { 0, 0.5, 1 }))
end

local MEANS = { wait_mean = "wait", flow_mean = "flow", bsld_mean = "bsld" }

-- The difference b - a of a mean over the jobs of one scenario, and its interval over weeks, since
-- jobs of one week depend on each other, and a week depends on earlier ones. `metric` is bsld_mean,
-- wait_mean or flow_mean. A table { count = weeks, mean, lower = weeks in which b has the lower
-- mean, least, median, most = of the weeks' differences, significant }, with 8 weeks or more sd,
-- and where the weeks can tell low and high (orrery.series_mean); options: level, jobs (only these
-- of the counted ones, by number).
function Result:weekly(a, b, metric, options)
  if not self.kind.jobs then caller_error("this result is of tasks and has no jobs") end
  local what = MEANS[metric or "bsld_mean"]
  caller_error.checked(checks.expect, what, "weekly", "bsld_mean, wait_mean or flow_mean",
    "'" .. tostring(metric) .. "'")
  caller_error.checked(checks.fields, "weekly", options or {}, "results.WeeklyOptions")
  a, b = self:index(a), self:index(b)
  local sums, counts = {}, {}
  for _, set in ipairs(self.sets) do
    local one = set.metrics
    local of_set, jobs = one:block_sums(a, one, b, what, WEEK, options and options.jobs)
    table.move(of_set, 1, #of_set, #sums + 1, sums)
    table.move(jobs, 1, #jobs, #counts + 1, counts)
  end
  if #sums == 0 then -- none of the jobs is counted
    return { count = 0, lower = 0, mean = 0 / 0, significant = false, differences = {} }
  end
  local found = caller_error.call(function()
    return statistics.series_mean(sums, counts, options and options.level)
  end)
  describe_weeks(found, sums, counts)
  if found.low ~= found.low then found.low, found.high = nil, nil end
  if found.sd ~= found.sd then found.sd = nil end
  return has_recorded(self, a, b) and without_chance(found) or found
end

-- Result:weekly for every policy against the first one; significant is as in Result:differences.
function Result:weekly_differences(metric)
  local list = {}
  for i in ipairs(self.policies) do list[i] = self:weekly(1, i, metric) end
  return family.correct(list, function(_, level, i)
    return self:weekly(1, i, metric, { level = level }).significant
  end)
end

local function kept(self, list)
  if not self.spec.metrics then return list end
  local named = lists.set(lists.joined({ self.kind.metric }, self.spec.metrics))
  return lists.those(list, function(name) return named[name] end)
end

-- --- as text ------------------------------------------------------------------------------------

-- The name of a policy, given by index or name, with the priority that it was given.
function Result:label(i)
  local policy = self.policies[self:index(i)]
  return policy.priority and policy.name .. " + " .. policy.priority or policy.name
end

local function difference_cell(d)
  if d.count < 2 then return formatted("%+.4f", d.mean) end
  if d.sd == 0 then return ("%+.4f (the same every time)"):format(d.mean) end
  if d.half_width ~= d.half_width then return formatted("%+.4f", d.mean) end
  if d.low then
    return ("%+.4f [%+.4f, %+.4f]%s"):format(d.mean, d.low, d.high, d.significant and " *" or "")
  end
  return ("%+.4f ± %s%s"):format(d.mean, numbers.half_width("%.4f", d.half_width),
    d.significant and " *" or "")
end

-- A table of one row per policy; `first` is the head of their names.
local function rows_of(self, columns_of, first)
  local rows = { { first } }
  for i in ipairs(self.policies) do rows[i + 1] = { self:label(i) } end
  for _, column in ipairs(columns_of) do
    table.insert(rows[1], column[1])
    for i in ipairs(self.policies) do table.insert(rows[i + 1], column[2](self, i)) end
  end
  return rows
end

function Result:rows()
  local columns_of = self.kind.columns(self)
  if #self.policies > 1 then
    local differences = self:differences()
    table.insert(columns_of, { self.kind.difference, function(_, i)
      return i > 1 and difference_cell(differences[i]) or ""
    end })
  end
  return rows_of(self, columns_of, "policy")
end

-- "240 processors", or of several machines "240 and 264 processors".
local function machines_text(self)
  local sizes, seen = {}, {}
  for _, procs in ipairs(self.all_procs or { self.procs }) do
    if not seen[procs] then seen[procs], sizes[#sizes + 1] = true, procs end
  end
  local last = table.remove(sizes)
  return (sizes[1] and table.concat(sizes, ", ") .. " and " or "")
    .. ("%d processor%s"):format(last, last == 1 and not sizes[1] and "" or "s")
end

function Result:title()
  local all = 0
  for _, set in ipairs(self.sets) do all = all + set.count end
  local sets = #self.sets > 1 and (" in %d sets"):format(#self.sets) or ""
  local function count(n, what) return ("%d %s%s"):format(n, what, n == 1 and "" or "s") end
  return ("%s%s on %s%s, %s each, seed %d"):format(count(all, self.kind.unit), sets,
    machines_text(self), self.kind.limits and self.kind.limits(self) or "",
    count(self.runs, self.kind.run), self.seed)
end

local function is_one(self) return self.kind.jobs and self.runs == 1 and #self.sets == 1 end

-- One scenario as sentences and tables (account.lua), several scenarios as a table.
local function table_of(self, width)
  if is_one(self) then return require("orrery.run.account").lines(self, width) end
  return columns(self:rows(), width)
end

-- The whole result; in lines of `width` letters where there is one.
local function text_of(self, width)
  local lines = table_of(self, width)
  table.insert(lines, 1, self:title())
  if #self.policies > 1 and self.runs * #self.sets > 1 then
    local correction, about = family.correction(self), parts.about(self)
    lines[#lines + 1] = about:find "^[±%[]" and about:gsub("interval", "%0 of a mean", 1)
      .. "; * marks paired differences " .. (correction
      and "that are significant after " .. correction or "whose interval excludes 0")
      .. parts.unseen(self) or about
  end
  local resources = not is_one(self) and self:resource_rows()
  for _, line in ipairs(resources and columns(resources, width) or {}) do
    lines[#lines + 1] = line
  end
  for _, line in ipairs(self.kind.more and self.kind.more(self, width) or {}) do
    lines[#lines + 1] = line
  end
  for _, note in ipairs(self.notes) do lines[#lines + 1] = "note: " .. note end
  return table.concat(lines, "\n")
end

function Result:__tostring() return text_of(self) end

Result.__text = text_of -- what the prompt shows

-- --- CSV and JSON -------------------------------------------------------------------------------

-- One row per run and policy. With a path it is written there, complete or not at all; without,
-- the text is returned.
function Result:csv(path)
  need_values(self)
  local csv = self.kind.csv
  local last = csv.last and csv.last(self)
  local of_runs = kept(self, csv.metrics)
  local lines = { table.concat({ csv.head, table.concat(of_runs, ","), last }, ",") }
  for i, policy in ipairs(self.policies) do
    for _, set in ipairs(self.sets) do
      local values = {}
      for c, metric in ipairs(of_runs) do values[c] = set.metrics:column(i, metric) end
      for run = 1, #values[1] do
        local cells = csv.row(policy, set, run)
        for _, column in ipairs(values) do cells[#cells + 1] = number(column[run]) end
        if last then cells[#cells + 1] = number(run) end
        lines[#lines + 1] = table.concat(cells, ",")
      end
    end
  end
  return text_or_file(lines, path)
end

local function check_ends(self)
  if self.kind.ends then return end
  caller_error(("this result is of %s and has no ends of tasks"):format(
    self.k and "packs" or "jobs"))
end

-- When the tasks ended in a run, s: a list in the order of the tasks.
function Result:ends(policy, run)
  check_ends(self)
  local of_set = self.sets[1].metrics
  return of_kernel(of_set.ends, of_set, self:index(policy), run)
end

-- One row per policy, run and task: when it ended. path as for csv.
function Result:ends_csv(path)
  check_ends(self)
  local set = self.sets[1]
  local ids, lines = {}, { "policy,run,task,end" }
  for t = 1, set.count do ids[t] = set.tasks and field(set.tasks[t].id) or tostring(t) end
  for i, policy in ipairs(self.policies) do
    local name = field(policy.name)
    for run = 1, set.runs do
      for t, time in ipairs(set.metrics:ends(i, run)) do
        lines[#lines + 1] = ("%s,%d,%s,%s"):format(name, run, ids[t], number(time))
      end
    end
  end
  return text_or_file(lines, path)
end

local TABLES = { errors = true, options = true, faults = true, costs = true, limit = true,
  pools = true, machine = true }

-- The fields of the call that are plain values: errors, batch, walltimes, verification, by, ...
local function plain_fields(spec, json)
  local copy = {}
  for key, value in pairs(spec) do
    if (TABLES[key] or key == "tasks") and type(value) == "table" then
      copy[key] = json.exact(value)
    elseif type(value) == "string" or type(value) == "number" or type(value) == "boolean" then
      copy[key] = value
    end
  end
  return copy
end

-- The call's fields and, per policy, the summary of every metric. path as for csv.
function Result:json(path)
  local json = require "orrery.support.json"
  local out = {
    version = core.version, procs = self.procs, runs = self.runs, seed = self.seed,
    run = plain_fields(self.spec, json), sets = {}, policies = {},
    fidelity = self:fidelity() and json.exact(self:fidelity()),
    notes = json.list { table.unpack(self.notes) },
  }
  local kind = self.kind
  for i, set in ipairs(self.sets) do
    out.sets[i] = { name = set.name, [kind.unit .. "s"] = set.count }
  end
  local differences = self:differences()
  for i, policy in ipairs(self.policies) do
    local one = { policy = policy.name, metrics = {},
      priority = kind.jobs and (policy.priority or "fcfs") or nil }
    for _, metric in ipairs(kind.summaries(self)) do
      one.metrics[metric] = json.exact(self:summary(i, metric))
    end
    local resources = self:resources(i)
    if resources[1] then one.resources = json.exact(resources) end
    for name, value in pairs(policy.variant or {}) do one[name] = value end
    if i > 1 then one[kind.metric .. "_against_first"] = json.exact(differences[i]) end
    out.policies[i] = one
  end
  return text_or_file(json.text(out), path)
end

-- --- the kinds ----------------------------------------------------------------------------------

local function listed(result, of, names_of_columns)
  return lists.map(names_of_columns or of.columns, function(name)
    local one = metrics.among_means(of.by_name[name], result)
    return { one.head or one.title, function(self, i)
      return metrics.cell(one, self:summary(i, name))
    end }
  end)
end

-- Processor-seconds as a share of all there were, in %: the mean over the runs' shares.
local function share(one)
  return { one.head or one.title, function(self, i)
    local spent, makespan, shares = self:values(i, one.name), self:values(i, "makespan"), {}
    for run, seconds in ipairs(spent) do shares[run] = seconds / (self.procs * makespan[run]) end
    return formatted("%.2f", 100 * statistics.summary(shares).mean)
  end }
end

local JOBS = {
  metric = "ratio", unit = "job", run = "scenario", difference = "ratio against the first",
  jobs = true,
}

function JOBS.columns(self)
  local list = listed(self, metrics.jobs, kept(self, metrics.jobs.columns))
  if not self.sets[1].metrics:has_quantiles() then return list end
  return lists.joined(list, listed(self, metrics.jobs, metrics.jobs.quantiles))
end

JOBS.csv = {
  head = "policy,priority,set,scenario",
  metrics = metrics.jobs.csv,
  row = function(policy, set, run)
    return { field(policy.name), field(policy.priority or "fcfs"), field(set.name), run }
  end,
}

function JOBS.summaries(self)
  return lists.joined(kept(self, metrics.jobs.all),
    self.sets[1].metrics:has_quantiles() and lists.fields(metrics.jobs.more, 1) or {})
end

local TASKS = {
  metric = "normalised", unit = "task", run = "run", difference = "against the first", ends = true,
}

function TASKS.columns(self)
  local list = listed(self, metrics.tasks)
  if not self.spec.fault_free then table.remove(list, 3) end
  return list
end

local SPENT = {}
for i, name in ipairs(metrics.tasks.spent) do SPENT[i] = share(metrics.tasks.by_name[name]) end

function TASKS.more(self, width)
  local lines = columns(rows_of(self, SPENT, "% of processors' time"), width)
  table.insert(lines, 1, "")
  return lines
end

TASKS.csv = {
  head = "policy,run", metrics = metrics.tasks.csv,
  row = function(policy, _, run) return { field(policy.name), run } end,
}

function TASKS.summaries(self)
  return lists.joined(metrics.tasks.all, self.spec.fault_free and metrics.tasks.fault_free or {})
end

-- --- packs --------------------------------------------------------------------------------------

local PACKS = {
  metric = "relative_cost", unit = "task", run = "run", difference = "against the first",
}

function PACKS.limits(self) return (", at most %d in a pack"):format(self.k) end

function PACKS.columns(self) return listed(self, metrics.packs) end

-- The lower bound that cost is divided by.
function PACKS.more(self)
  if self.runs > 1 then return {} end
  local bounds = self.sets[1].bounds[1]
  local part = bounds.fractional > 0 and (", parts of packs %.6g"):format(bounds.fractional) or ""
  return { ("no co-schedule costs less than %.6g s (longest task %.6g, work %.6g, layers %.6g, "
    .. "work and tasks together %.6g%s)"):format(bounds.best, bounds.longest, bounds.work,
    bounds.layers, bounds.mixed, part) }
end

PACKS.csv = {
  head = "policy", metrics = metrics.packs.csv,
  row = function(policy) return { field(policy.name) } end,
  last = function(self) return self.runs > 1 and "run" or nil end,
}

function PACKS.summaries() return metrics.packs.all end

-- The co-schedule that a policy made in a run. Default: the first policy, the first run.
function Result:coschedule(policy, run)
  if self.kind ~= PACKS then caller_error("this result is not of packs") end
  local found = self.sets[1].coschedules[self:index(policy or 1)][run or 1]
  return found or caller_error(("there is no run %s in this result"):format(tostring(run)))
end

-- The packs in the order in which they run: { tasks = ids, positions =, procs =, cost =, idle =,
-- start = } each; times in s.
function Result:packs(policy, run)
  local coschedule, list, clock = self:coschedule(policy, run), {}, 0
  local all = coschedule.problem.tasks
  for at, b in ipairs(coschedule:order()) do
    local pack, ids = coschedule[b], {}
    for x, position in ipairs(pack.tasks) do ids[x] = all[position].id end
    list[at] = { tasks = ids, positions = pack.tasks, procs = pack.procs, cost = pack.cost,
      idle = pack.idle, start = clock }
    clock = clock + pack.cost
  end
  return list
end

-- When every task runs, in the order of packs: { id =, position =, pack =, procs =, start =,
-- finish = } each; the pack is its place in the order in which packs run.
function Result:schedule(policy, run)
  local list, problem = {}, self:coschedule(policy, run).problem
  for b, pack in ipairs(self:packs(policy, run)) do
    for x, position in ipairs(pack.positions) do
      list[#list + 1] = { id = pack.tasks[x], position = position, pack = b, procs = pack.procs[x],
        start = pack.start, finish = pack.start + problem:time(position, pack.procs[x]) }
    end
  end
  return list
end

-- The schedule as CSV: task,pack,procs,start,end. Complete or not at all; without a path the text.
function Result:write_schedule(path, policy, run)
  local lines = { "task,pack,procs,start,end" }
  for _, task in ipairs(self:schedule(policy, run)) do
    lines[#lines + 1] = ("%s,%d,%d,%s,%s"):format(field(task.id), task.pack, task.procs,
      number(task.start), number(task.finish))
  end
  return text_or_file(lines, path)
end

local function make(kind)
  return function(fields)
    fields.kind = kind
    return setmetatable(fields, Result)
  end
end

return {
  of_jobs = make(JOBS), of_tasks = make(TASKS), of_packs = make(PACKS),
  class = Result, need_values = need_values, with_fidelity = with_fidelity,
  add_note = add_note, machines_text = machines_text,
}
