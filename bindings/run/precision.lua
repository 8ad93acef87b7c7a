-- precision: runs scenarios until their interval is as narrow as was asked for.
--
-- Scenarios run in blocks, and after each one there is a look at the interval. The sizes of blocks
-- are fixed: neither threads nor time decide when to stop, so the numbers are those of `runs = n`
-- with the n that it ended at. METRICS.md, "Means and intervals", has what stopping does to the
-- coverage of the interval; spec/bindings/run/precision_spec.lua measures it.

local checks = require "orrery.support.checks"
local names = require "orrery.support.names"
local numbers = require "orrery.support.numbers"
local statistics = require("orrery.core").values

local precision = {}

-- With fewer scenarios the interval of a skewed metric looks narrow too often where luck decides
-- when to stop.
precision.FIRST = 256

precision.MOST = 10000 -- scenarios, where `runs` does not say it

-- --- blocks -------------------------------------------------------------------------------------

-- The metrics of several blocks as those of all their scenarios.
local Blocks = {}

-- Other methods are called on the first block: their results do not depend on scenarios.
function Blocks:__index(name)
  if type(name) ~= "string" then return nil end -- the place of a block that is not there
  return Blocks[name] or function(_, ...) return self[1][name](self[1], ...) end
end

function Blocks:column(policy, metric)
  local values = {}
  for _, block in ipairs(self) do
    local column = block:column(policy, metric)
    table.move(column, 1, #column, #values + 1, values)
  end
  return values
end

local function of_run(name)
  return function(self, policy, run)
    local last = #self
    while last > 1 and run <= self.before[last] do last = last - 1 end
    return self[last][name](self[last], policy, run - self.before[last])
  end
end

Blocks.scenario, Blocks.ends = of_run "scenario", of_run "ends"
Blocks.resources = of_run "resources"

-- --- when to stop -------------------------------------------------------------------------------

-- How precise the metrics are: half the widest interval that matters, as a share of the mean of the
-- first policy. Of one policy that is the interval of its mean, of several those of the paired
-- differences from the first.
local function reached(metrics, policies, metric)
  local first = metrics:column(1, metric)
  local summary = statistics.summary(first)
  local half_width = policies == 1 and summary.half_width or 0
  for i = 2, policies do
    local differences = metrics:column(i, metric)
    for run, value in ipairs(first) do
      differences[run] = numbers.difference(value, differences[run])
    end
    half_width = math.max(half_width, statistics.summary(differences).half_width)
  end
  return half_width == 0 and 0 or half_width / math.abs(summary.mean)
end

-- Whether the first two scenarios have the same metrics under each policy.
local function are_equal(metrics, policies)
  for i = 1, policies do
    local second = metrics:scenario(i, 2)
    for name, value in pairs(metrics:scenario(i, 1)) do
      if value == value and value ~= second[name] then return false end
    end
  end
  return true
end

local function note_of(asked, n, share, what)
  local scenarios = ("%d %ss"):format(n, what)
  if n == 2 then
    return ("nothing is drawn at random, and both %ss are the same"):format(what)
  elseif share == 0 then
    return ("all %s say the same of %s, and nothing of what is rarer"):format(scenarios,
      asked.metric)
  elseif share == math.huge then
    return ("with a mean of 0 no interval is a share of %s; %s ran"):format(asked.metric, scenarios)
  end
  return ("%.4g%% %s: %s give ± %.3g%% of %s"):format(100 * asked.share,
    share <= asked.share and "reached" or "not reached with the most that runs allows", scenarios,
    100 * share, asked.metric)
end

-- --- for the comparisons ------------------------------------------------------------------------

-- The request made by spec.precision and spec.metric; nil: none. known: the names of the metrics;
-- the first one is the default.
function precision.of(spec, known)
  local share, metric = spec.precision, spec.metric
  checks.refuse(metric ~= nil and share == nil, "metric is what precision is of: give precision")
  if share == nil then return nil end
  checks.expect(type(share) == "number" and share > 0 and share < 1, "precision",
    "a share above 0 and below 1 (0.01: 1%)", checks.quoted(share))
  metric = metric == nil and known[1] or metric
  local is_known = false
  for _, name in ipairs(known) do is_known = is_known or name == metric end
  checks.refuse(not is_known, "metric: there is no '%s'%s (known: %s)", metric,
    names.suggestion(metric, known), table.concat(known, ", "))
  return { share = share, metric = metric,
    most = checks.count("runs, with precision", spec.runs, precision.FIRST, precision.MOST) }
end

-- Runs blocks until the intervals are narrow, and returns the metrics of all, how many scenarios
-- these are, and a note on them.
--   asked      of precision.of
--   policies   how many there are
--   what       a scenario is called
--   is_drawn   false: only what policies draw makes scenarios differ, so two are tried first
--   run        run(first, count) -> the metrics of scenarios first + 1 .. first + count
function precision.run(asked, policies, what, is_drawn, run)
  local blocks, n, share = setmetatable({ before = {} }, Blocks), 0
  local to = is_drawn and precision.FIRST or 2
  repeat
    blocks[#blocks + 1], blocks.before[#blocks + 1] = run(n, to - n), n
    n, share = to, reached(blocks, policies, asked.metric)
    local is_same = n == 2 and are_equal(blocks, policies)
    to = math.max(precision.FIRST, math.min(asked.most, n + n // 4))
  until is_same or n >= precision.FIRST and share <= asked.share or n >= asked.most
  return blocks, n, "precision: " .. note_of(asked, n, share, what)
end

return precision
