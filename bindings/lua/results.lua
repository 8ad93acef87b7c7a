-- results: what a comparison gives, as tables to read, CSV and JSON.

local core, orrery = ...

local Result = {}
Result.__index = Result
Result.__name = "orrery.result"

local function number(x)
  if math.type(x) == "integer" then return tostring(x) end
  if x ~= x then return "" end
  return ("%.17g"):format(x)
end

local function field(text)
  text = tostring(text)
  if text:find('[,"\r\n]') then return '"' .. text:gsub('"', '""') .. '"' end
  return text
end

-- The index of a policy given by index or by the name it was given with.
function Result:index(policy)
  if self.policies[policy] then return policy end
  for i, p in ipairs(self.policies) do
    if p.name == policy then return i end
  end
  error(("there is no policy '%s' in this result"):format(tostring(policy)), 3)
end

-- The values of a metric, scenario after scenario, set after set.
--   policy  index or name;  metric  "makespan", "ratio", ...;  set  index, nil: all sets
function Result:values(policy, metric, set)
  policy = self:index(policy)
  local values = {}
  for s, one in ipairs(self.sets) do
    if not set or s == set then
      for _, value in ipairs(one.metrics:column(policy, metric)) do values[#values + 1] = value end
    end
  end
  return values
end

-- The mean of a metric over each set's scenarios, set after set: what RR-9296, table 1, is about.
function Result:set_means(policy, metric)
  local means = {}
  for s in ipairs(self.sets) do
    means[s] = orrery.summary(self:values(policy, metric, s)).mean
  end
  return means
end

-- What a mean is taken over: the scenarios of one set, else the sets' means (the scenarios of one
-- day are no sample of all days).
function Result:samples(policy, metric, set)
  if set or #self.sets == 1 then return self:values(policy, metric, set) end
  return self:set_means(policy, metric)
end

-- Mean with its 95% interval over the samples: { count, mean, sd, half_width, min, max }.
function Result:summary(policy, metric, set)
  return orrery.summary(self:samples(policy, metric or "ratio", set))
end

-- The paired difference b - a over the same samples, with its 95% interval; significant says
-- whether the interval leaves out 0. Where all samples are the same (no failures, for one) nothing
-- is random, and significant is false.
function Result:difference(a, b, metric)
  local summary = orrery.summary_paired(self:samples(a, metric or "ratio"),
    self:samples(b, metric or "ratio"))
  summary.significant = summary.sd == summary.sd and summary.sd > 0
    and math.abs(summary.mean) > summary.half_width
  return summary
end

-- --- as text ------------------------------------------------------------------------------------

local function pad(text, width, right)
  local length = utf8.len(text) or #text
  local space = (" "):rep(width - length)
  return right and space .. text or text .. space
end

-- Lines up rows of texts; the first column to the left, all others to the right.
local function columns(rows)
  local widths = {}
  for _, row in ipairs(rows) do
    for i, cell in ipairs(row) do
      widths[i] = math.max(widths[i] or 0, utf8.len(cell) or #cell)
    end
  end
  local lines = {}
  for _, row in ipairs(rows) do
    local cells = {}
    for i, cell in ipairs(row) do cells[i] = pad(cell, widths[i], i > 1) end
    lines[#lines + 1] = (table.concat(cells, "  "):gsub("%s+$", ""))
  end
  return lines
end

local function with_interval(summary, format)
  local text = format:format(summary.mean)
  if summary.half_width == summary.half_width and summary.half_width > 0 then
    text = text .. " ± " .. format:format(summary.half_width)
  end
  return text
end

function Result:label(i)
  local policy = self.policies[i]
  return policy.priority and policy.name .. " + " .. policy.priority or policy.name
end

function Result:difference_cell(i)
  if i == 1 then return "" end
  local d = self:difference(1, i)
  if d.count < 2 then return ("%+.4f"):format(d.mean) end
  return ("%+.4f ± %.4f%s"):format(d.mean, d.half_width, d.significant and " *" or "")
end

function Result:rows()
  local head = { "policy", "ratio", "makespan (h)", "mean wait (h)", "utilisation", "failures" }
  if #self.policies > 1 then head[#head + 1] = "ratio against the first" end
  local rows = { head }
  for i in ipairs(self.policies) do
    local row = {
      self:label(i),
      with_interval(self:summary(i, "ratio"), "%.4f"),
      ("%.2f"):format(self:summary(i, "makespan").mean / 3600),
      ("%.2f"):format(self:summary(i, "wait_mean").mean / 3600),
      ("%.3f"):format(self:summary(i, "utilisation").mean),
      ("%.2f"):format(self:summary(i, "failures").mean),
    }
    if #self.policies > 1 then row[#row + 1] = self:difference_cell(i) end
    rows[#rows + 1] = row
  end
  return rows
end

function Result:title()
  local jobs = 0
  for _, set in ipairs(self.sets) do jobs = jobs + set.count end
  local sets = #self.sets > 1 and (" in %d sets"):format(#self.sets) or ""
  local function count(n, what) return ("%d %s%s"):format(n, what, n == 1 and "" or "s") end
  return ("%s%s on %s, %s each, seed %d"):format(count(jobs, "job"), sets,
    count(self.procs, "processor"), count(self.runs, "scenario"), self.seed)
end

function Result:__tostring()
  local lines = columns(self:rows())
  table.insert(lines, 1, self:title())
  if #self.policies > 1 and self.runs * #self.sets > 1 then
    lines[#lines + 1] = "± is the 95% interval of a mean; * marks paired differences whose "
      .. "interval leaves out 0"
  end
  for _, note in ipairs(self.notes) do lines[#lines + 1] = "note: " .. note end
  return table.concat(lines, "\n")
end

-- --- CSV and JSON -------------------------------------------------------------------------------

local CSV_COLUMNS = { "makespan", "lower_bound", "ratio", "failures" }

-- One row per scenario and policy. With a path it is written there, complete or not at all;
-- without, the text is returned.
function Result:csv(path)
  local lines = { "policy,priority,set,scenario,makespan,lower_bound,ratio,failures" }
  for i, policy in ipairs(self.policies) do
    for _, set in ipairs(self.sets) do
      local prefix = ("%s,%s,%s,"):format(field(policy.name), field(policy.priority or "fcfs"),
        field(set.name))
      local values = {}
      for c, metric in ipairs(CSV_COLUMNS) do values[c] = set.metrics:column(i, metric) end
      for s = 1, #values[1] do
        local cells = {}
        for c in ipairs(CSV_COLUMNS) do cells[c] = number(values[c][s]) end
        lines[#lines + 1] = prefix .. s .. "," .. table.concat(cells, ",")
      end
    end
  end
  lines[#lines + 1] = ""
  local text = table.concat(lines, "\n")
  if not path then return text end
  core.write_file(path, text)
end

local SUMMARIES = { "ratio", "makespan", "lower_bound", "wait_mean", "wait_max", "flow_mean",
  "utilisation", "failures", "starts", "killed" }

-- A number that JSON is to show in full: 17 significant digits, as in the CSV.
local Exact = { __tojson = function(self) return ("%.17g"):format(self.value) end }

-- NaN (the interval of a single scenario) and infinities have no place in JSON.
local Object = { __jsontype = "object" } -- also when it is empty

local function for_json(summary)
  local copy = setmetatable({}, Object)
  for key, value in pairs(summary) do
    if math.type(value) ~= "float" then
      copy[key] = value
    elseif value - value == 0 then
      copy[key] = setmetatable({ value = value }, Exact)
    end
  end
  return copy
end

-- The fields of the call that are plain values: errors, batch, walltimes, verification, by, ...
local function plain_fields(spec)
  local copy = {}
  for key, value in pairs(spec) do
    if key == "errors" or key == "options" then
      copy[key] = for_json(value)
    elseif type(value) == "string" or type(value) == "number" or type(value) == "boolean" then
      copy[key] = value
    end
  end
  return copy
end

-- All keys in use, sorted: the order in which JSON shows them, the same every time.
local function key_order(value, seen)
  for key, item in pairs(value) do
    if type(key) == "string" then seen[key] = true end
    if type(item) == "table" and getmetatable(item) ~= Exact then key_order(item, seen) end
  end
  return seen
end

local function sorted(set)
  local list = {}
  for key in pairs(set) do list[#list + 1] = key end
  table.sort(list)
  return list
end

-- What was run and, per policy, the summary of every metric. path as for csv.
function Result:json(path)
  local out = {
    version = orrery.version, procs = self.procs, runs = self.runs, seed = self.seed,
    run = plain_fields(self.spec), sets = {}, policies = {},
  }
  for i, set in ipairs(self.sets) do out.sets[i] = { name = set.name, jobs = set.count } end
  for i, policy in ipairs(self.policies) do
    local one = { policy = policy.name, priority = policy.priority or "fcfs", metrics = {} }
    for _, metric in ipairs(SUMMARIES) do
      one.metrics[metric] = for_json(self:summary(i, metric))
    end
    if i > 1 then one.ratio_against_first = for_json(self:difference(1, i)) end
    out.policies[i] = one
  end
  local text = require("dkjson").encode(out, {
    indent = true, keyorder = sorted(key_order(out, {})),
  }) .. "\n"
  if not path then return text end
  core.write_file(path, text)
end

return { new = function(fields) return setmetatable(fields, Result) end, columns = columns }
