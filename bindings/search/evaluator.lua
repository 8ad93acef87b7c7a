-- evaluator: the metrics of candidates on samples, each simulated once. One simulation of a
-- candidate on a sample is an evaluation.
--
-- Candidates are simulated in steps, a few of them on some samples in one comparison, which shares
-- jobs and failures. Which step is which does not depend on threads or on the clock, and what comes
-- of one is plain data, so that somebody can keep it: keep(name, compute) returns what compute()
-- returns, or what it returned when it was asked for under this name before; keep_all does so for a
-- list of steps that do not depend on each other, and that several processes may share.
local checksum = require "orrery.support.checksum"
local core = require "orrery.core"
local literals = require "orrery.support.literals"
local numbers = require "orrery.support.numbers"
local policies = require "orrery.host.policies"
local registry = require "orrery.values.metrics"
local workloads = require "orrery.search.workloads"

local evaluator = {}
evaluator.__index = evaluator

local MOST_TOGETHER = 8 -- candidates of a step
local MOST_READY = 128 -- candidates whose Lua states are kept between steps
local SLOW = 20 -- s of processor time on the first sample: a stranger's slower candidate is refused

local statistics = core.values

-- spec: of the search, with its `kind` (kinds.lua); metrics: the names of those that are wanted, of
-- which the first `goals` are searched for.
function evaluator.new(spec, all, metrics, goals)
  local keep = spec.keep or function(_, compute) return compute() end
  local function keep_each(steps)
    local list = {}
    for i, step in ipairs(steps) do list[i] = keep(step.name, step.compute) end
    return list
  end
  return setmetatable({ parts = all, metrics = metrics, goals = goals, limits = spec.limits,
    kind = spec.kind,
    threads = spec.threads, keep_all = spec.keep_all or keep_each,
    count = 0, seconds = 0, failed = {}, identities = {},
    checksums = {}, memory = {}, ready = 0 }, evaluator)
end

-- The result of f(...), and the sorted checksums of the policies' files that it read.
local function reading(self, f, ...)
  local before, texts = policies.on_read, {}
  policies.memory = self.memory
  policies.on_read = function(path, text)
    if before then before(path, text) end
    self.checksums[text] = self.checksums[text] or checksum(text)
    texts[#texts + 1] = self.checksums[text]
  end
  local results = table.pack(pcall(f, ...))
  policies.on_read, policies.memory = before, nil
  if not results[1] then error(results[2], 0) end
  table.sort(texts)
  return results[2], texts
end

-- Prepares a candidate for all of its steps; raises its errors. Its identity includes the checksums
-- of its files, so that steps with other files get other names.
function evaluator:prepare(candidate)
  local procs = self.parts.training.fields.procs
  local prepared, texts = reading(self, self.kind.prepare, candidate.policy, self.limits, procs)
  if (prepared.extra or 0) > 0 then
    error(("policy %s has %d processors on top of the machine's %d, which no other candidate has")
      :format(candidate.name, prepared.extra, procs), 0)
  end
  candidate.prepared, candidate.kind = prepared, self.kind.name
  if self.ready >= MOST_READY then prepared.ready = nil end
  if prepared.ready then self.ready = self.ready + 1 end
  candidate.identity = checksum(table.concat(texts, " ") .. candidate.key)
end

-- Frees the Lua state of a candidate whose next step comes much later, or never.
function evaluator:release(candidate)
  if not candidate.prepared.ready then return end
  candidate.prepared.ready, self.ready = nil, self.ready - 1
end

-- --- one step -----------------------------------------------------------------------------------

-- The checksums of the files that fields name (failures, outages), so that steps with other files
-- get other names.
local function add_files(value, list)
  if type(value) == "table" then
    for _, key in ipairs(literals.keys(value)) do add_files(value[key], list) end
  elseif type(value) == "string" and not value:find "^/dev/" then
    local file = io.open(value, "rb")
    list[#list + 1] = file and checksum(file:read "a" or "")
    if file then file:close() end
  end
  return list
end

local function identity_of(self, part)
  local known = self.identities[part]
  if not known then
    local fields = literals.shown(part.fields, function() return "function" end) or ""
    local words = add_files(part.fields, { workloads.identity(part), fields })
    table.move(self.metrics, 1, #self.metrics, #words + 1, words)
    known = checksum(table.concat(words, " "))
    self.identities[part] = known
  end
  return known
end

local function compare(self, part, candidates, from, to)
  local fields = {}
  for name, value in pairs(part.fields) do fields[name] = value end
  local ready, first = {}, workloads.choose(part, fields, from, to)
  fields.policies = {}
  for i, candidate in ipairs(candidates) do
    fields.policies[i], ready[i] = candidate.policy, candidate.prepared
  end
  fields.threads, fields.limits = self.threads, self.limits
  return self.kind.compare(fields, { ready = ready, first = first })
end

local function samples_of(part, result, i, metric)
  if part.is_one_set then return result:values(i, metric, 1) end
  local values = {}
  for s in ipairs(result.sets) do
    values[s] = statistics.summary(result:values(i, metric, s)).mean
  end
  return values
end

-- A candidate's mean of each metric on each sample of a result; nil and a text if one is no number.
local function means_of(self, part, result, i)
  local all = {}
  for m, metric in ipairs(self.metrics) do
    all[m] = samples_of(part, result, i, metric)
    for s, mean in ipairs(all[m]) do
      if mean - mean ~= 0 then
        return nil, ("%s is %s on set %s"):format(metric, mean,
          tostring(result.sets[part.is_one_set and 1 or s].name))
      end
    end
  end
  return all
end

-- The first line of a message, without the place in this program where it was raised.
local function first_line(problem)
  return (tostring(problem):match "^[^\n]*":gsub("%f[%w]orrery/[%w_/]+%.lua:%d+: ", ""))
end

-- The means of each candidate, or its error as { problem = }. If one raises an error, each
-- candidate is simulated by itself.
local function simulate(self, part, candidates, from, to)
  local done, result = pcall(compare, self, part, candidates, from, to)
  if core.interrupted() then error("interrupted", 0) end
  if not done then -- whichever failed: its state may be in the middle of something
    for _, candidate in ipairs(candidates) do self:release(candidate) end
  end
  local found = {}
  if done then
    for i in ipairs(candidates) do
      local means, problem = means_of(self, part, result, i)
      found[i] = means or { problem = problem }
    end
  elseif #candidates == 1 then
    found[1] = { problem = first_line(result) }
  else
    for i, candidate in ipairs(candidates) do
      found[i] = simulate(self, part, { candidate }, from, to)[1]
    end
  end
  return found
end

local function fail(self, candidate, problem)
  candidate.problem = problem
  self.failed[#self.failed + 1] = candidate
end

-- The step that simulates candidates on the samples `from` to `to` of a part, which come behind
-- those that they were simulated on.
local function step_of(self, part, candidates, from, to)
  local words = { identity_of(self, part), from, to }
  for i, candidate in ipairs(candidates) do words[i + 3] = candidate.identity end
  return { part = part, candidates = candidates,
    name = part.name .. " " .. checksum(table.concat(words, " ")), compute = function()
      local began = os.clock()
      local found = simulate(self, part, candidates, from, to)
      return { found = found, seconds = os.clock() - began }
    end }
end

-- Stores the results of a step.
local function take(self, step, kept)
  self.seconds = self.seconds + kept.seconds
  for i, candidate in ipairs(step.candidates) do
    local found, scores = kept.found[i], candidate.scores[step.part.name]
    if found.problem then
      fail(self, candidate, found.problem)
    else
      for m in ipairs(self.metrics) do
        table.move(found[m], 1, #found[m], #scores[m] + 1, scores[m])
      end
    end
  end
end

-- Runs steps in any order, and stores their results one after the other.
local function run(self, steps)
  local kept = #steps > 0 and self.keep_all(steps) or {}
  for i, step in ipairs(steps) do take(self, step, kept[i]) end
  return kept
end

-- --- what is asked for --------------------------------------------------------------------------

-- How many samples of a part a candidate was simulated on.
function evaluator.known(_, part, candidate)
  local scores = candidate.scores and candidate.scores[part.name]
  return scores and #scores[1] or 0
end

local function make_room(self, part, candidate)
  candidate.scores = candidate.scores or {}
  if candidate.scores[part.name] then return end
  candidate.scores[part.name] = {}
  for m in ipairs(self.metrics) do candidate.scores[part.name][m] = {} end
end

-- Simulates each stranger's candidate that was not simulated yet by itself, on the first sample: an
-- error of one candidate costs the others nothing.
local function try_alone(self, part, candidates)
  local steps = {}
  for _, candidate in ipairs(candidates) do
    if candidate.alone and not candidate.problem then
      candidate.alone = nil
      make_room(self, part, candidate)
      steps[#steps + 1] = step_of(self, part, { candidate }, 1, 1)
    end
  end
  for i, kept in ipairs(run(self, steps)) do
    local candidate = steps[i].candidates[1]
    self.count = self.count + 1
    if kept.seconds > SLOW and not candidate.problem then
      fail(self, candidate, ("it takes %.3g s of processor time on one sample, at most %g are "
        .. "allowed"):format(kept.seconds, SLOW))
    end
  end
end

-- Simulates candidates on those of the first `count` samples of a part that they were not simulated
-- on yet. A candidate that fails has a `problem` afterwards.
function evaluator:reach(part, candidates, count)
  local groups, order, steps = {}, {}, {}
  try_alone(self, part, candidates)
  for _, candidate in ipairs(candidates) do
    make_room(self, part, candidate)
    local known = self:known(part, candidate)
    if known < count and not candidate.problem then
      if not groups[known] then groups[known], order[#order + 1] = {}, known end
      table.insert(groups[known], candidate)
    end
  end
  table.sort(order)
  for _, known in ipairs(order) do
    local group = groups[known]
    for first = 1, #group, MOST_TOGETHER do
      local some = table.move(group, first, math.min(first + MOST_TOGETHER - 1, #group), 1, {})
      steps[#steps + 1] = step_of(self, part, some, known + 1, count)
      if part.name == "training" then self.count = self.count + #some * (count - known) end
    end
  end
  run(self, steps)
end

-- The values of a metric (its index) on the first `count` samples; nil: on all.
function evaluator.values(_, part, candidate, m, count)
  local values = candidate.scores[part.name][m or 1]
  return table.move(values, 1, count or #values, 1, {})
end

function evaluator:mean(part, candidate, m, count)
  return statistics.summary(self:values(part, candidate, m, count)).mean
end

-- b - a, sample by sample.
function evaluator:differences(part, a, b, m, count)
  local list = self:values(part, a, m, count)
  for i, value in ipairs(self:values(part, b, m, count)) do
    list[i] = numbers.difference(list[i], value)
  end
  return list
end

-- The factor (1 or -1) for a metric after which a smaller value is better.
function evaluator:sign(m)
  return registry.of(self.metrics[m or 1]).better == "more" and -1 or 1
end

return evaluator
