-- Results as rows, one per q and policy: as text (replay --by) and as CSV (--table).
-- bindings/run/results.lua writes one row per scenario (--csv) and JSON.
local csv = require "orrery.command.csv"
local orrery = require "orrery"

local metrics = orrery.tools.metrics()

local result_rows = {}

-- The metrics that commands can name.
result_rows.metrics = metrics.known
result_rows.names = metrics.names

-- A list of { q =, rate =, label =, policy =, priority =, name =, over =, sets =, runs =, jobs =,
-- failures =, stats = of Result:summary } from what runs.run gives.
function result_rows.of(cases, metric)
  local list = {}
  for _, case in ipairs(cases) do
    local result = case.result
    local jobs = 0
    for _, set in ipairs(result.sets) do jobs = jobs + set.count end
    for i, policy in ipairs(result.policies) do
      local row = {
        q = case.q, rate = case.rate, label = case.label, name = result:label(i),
        policy = policy.name, priority = policy.priority or "fcfs",
        over = #result.sets > 1 and "sets" or "scenarios", sets = #result.sets, runs = result.runs,
        jobs = jobs, failures = result:summary(i, "failures").mean,
        stats = result:summary(i, metric),
      }
      for _, name in ipairs(metrics.jobs.means) do row[name] = result:summary(i, name).mean end
      list[#list + 1] = row
    end
  end
  return list
end

-- --- for people ---------------------------------------------------------------------------------

local function cell(format, value)
  return value == value and format:format(value) or "-"
end

-- The table, a group of lines per q, in the manner of RR-9296's table 1.
function result_rows.text(list, metric)
  local values = {}
  for i, row in ipairs(list) do values[i] = math.max(row.stats.mean, row.stats.max) end
  local m = metrics.among(metric, values)
  local lines = { { "policy", "mean", "sd", "max" } }
  local heads, last = {}, nil
  for _, row in ipairs(list) do
    if row.label ~= last then
      heads[#lines + 1] = ("%s: %.2f failures a %s"):format(row.label, row.failures,
        row.over == "sets" and "set" or "scenario")
      last = row.label
    end
    lines[#lines + 1] = { row.name }
    for _, name in ipairs { "mean", "sd", "max" } do
      table.insert(lines[#lines], cell(m.format, row.stats[name] / m.scale))
    end
  end
  local text = { ("%s: mean, standard deviation and maximum over %s"):format(m.title,
    list[1].over == "sets" and ("the means of the %d sets"):format(list[1].sets)
    or ("the %d scenarios"):format(list[1].runs)) }
  for i, line in ipairs(orrery.tools.columns(lines)) do
    if heads[i] then text[#text + 1] = heads[i] end
    text[#text + 1] = "  " .. line
  end
  return table.concat(text, "\n")
end

-- --- for programs -------------------------------------------------------------------------------

local STATISTICS = { "mean", "sd", "max", "half_width", "min", "q1", "median", "q3" }

-- Columns: q, rate: empty where the failures are given otherwise; over: what mean, sd, max, min,
-- quartiles and half_width (of the mean's 95% interval) are taken over; the rest are means. Times
-- are in seconds.
function result_rows.csv(list, metric)
  local columns, rows = { "q", "policy", "priority", "sets", "runs", "failures" }, {}
  for s, name in ipairs(STATISTICS) do columns[6 + s] = metric .. "_" .. name end
  table.move({ "over", "jobs", "rate", table.unpack(metrics.jobs.means) }, 1,
    3 + #metrics.jobs.means, #columns + 1, columns)
  for i, row in ipairs(list) do
    local cells = setmetatable({ failures = csv.number(row.failures) }, { __index = row })
    for _, name in ipairs(STATISTICS) do
      cells[metric .. "_" .. name] = csv.number(row.stats[name])
    end
    for _, name in ipairs(metrics.jobs.means) do cells[name] = csv.number(row[name]) end
    rows[i] = cells
  end
  return csv.text(columns, rows)
end

return result_rows
