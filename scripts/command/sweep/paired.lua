-- paired: how much the policies of a sweep differ from one of them, as a table: DIR/paired.csv.
--
-- Pairs are what both policies went through: the runs of a cell (their sets, where it has several),
-- or the cells along an axis, --over, which is then a sample: seeds or workloads.
local command = require "orrery.command.command"
local csv = require "orrery.command.csv"
local lists = require "orrery.command.lists"
local orrery = require "orrery"

local paired = {}

local function axis_of(of, name)
  for _, axis in ipairs(of.axes) do
    if axis.name == name then return axis end
  end
end

-- Refuses what a sweep does not have; it is described as in a manifest.
function paired.check(given, of)
  if given.over and not given.paired then command.misuse("--over goes with --paired") end
  if not given.paired then return end
  local policies = axis_of(of, "policy")
  if policies then
    command.check_one("paired", given.paired, lists.map(policies.values, function(text)
      return csv.cells(text)[1] -- as a table has it, in quotes where it must
    end))
  end
  if given.over then
    local names = lists.those(lists.fields(of.axes, "name"), function(n) return n ~= "policy" end)
    command.check_one("over", given.over, names)
  elseif not of.per_run then
    command.fail("--paired: the numbers of the runs were not kept: sweep with --per-run, or name "
      .. "an axis, --over, whose cells are the pairs")
  end
end

-- What a table of places, { names = in the order of their coming, of = by name }, has under a name.
local function place(places, name)
  if not places.of[name] then
    table.insert(places.names, name)
    places.of[name] = { names = {}, of = {} }
  end
  return places.of[name]
end

local function has_sets(rows)
  for _, row in ipairs(rows) do
    if row.set ~= rows[1].set then return true end
  end
  return false
end

-- The values by point, metric and policy. A point is a text of the cells of the axes in `columns`.
local function collect(sweep, columns, over)
  local points, rows = { names = {}, of = {} }, sweep:rows(over and "summary" or "runs")
  local id = over or has_sets(rows) and "set" or "run"
  for _, row in ipairs(rows) do
    local cells = lists.map(columns, function(name) return csv.field(row[name]) end)
    local point = place(points, table.concat(cells, ","))
    for _, metric in ipairs(over and { row.metric } or sweep.manifest.metrics) do
      local values = place(place(place(point, metric), row.policy), row[id])
      if id ~= "set" and #values > 0 then
        command.fail("--paired: cell %s has two policies %s", row.cell, row.policy)
      end
      values[#values + 1] = tonumber(over and row.mean or row[metric])
    end
  end
  return points
end

-- The differences of a policy from the base, each of the means of what has the same id; nil where
-- one of them went through something else.
local function differences(base, other)
  local a, b = {}, {}
  for i, id in ipairs(base.names) do
    if not other.of[id] then return nil end
    a[i], b[i] = orrery.summary(base.of[id]).mean, orrery.summary(other.of[id]).mean
  end
  return #a == #other.names and orrery.summary_paired(a, b) or nil
end

local HEAD = "policy,base,metric,n,mean,sd,half_width,low,high"

-- Where all differences are the same nothing is random, and there is no interval.
local function row_of(point, policy, base, metric, d)
  local half = d.sd ~= 0 and d.half_width or 0 / 0
  local cells = { csv.field(policy), csv.field(base), metric }
  if point ~= "" then table.insert(cells, 1, point) end
  for _, value in ipairs { d.count, d.mean, d.sd, half, d.mean - half, d.mean + half } do
    cells[#cells + 1] = csv.number(value)
  end
  return table.concat(cells, ",")
end

-- Writes the table of a sweep that is complete.
function paired.write(sweep, base, over)
  local columns = lists.those(sweep.manifest.columns, function(name)
    return name ~= "cell" and name ~= "policy" and name ~= over
  end)
  local lines = { table.concat(lists.joined(columns, { HEAD }), ",") }
  local points = collect(sweep, columns, over)
  for _, point in ipairs(points.names) do
    for _, metric in ipairs(points.of[point].names) do
      local policies = points.of[point].of[metric]
      command.check_one("paired", base, policies.names)
      for _, policy in ipairs(policies.names) do
        local d = differences(policies.of[base], policies.of[policy])
        if not d then
          command.fail("--paired: %s and %s did not go through the same runs", base, policy)
        elseif policy ~= base then
          lines[#lines + 1] = row_of(point, policy, base, metric, d)
        end
      end
    end
  end
  local path = sweep.dir .. "/paired.csv"
  orrery.tools.write_file(path, table.concat(lines, "\n") .. "\n")
  print(("paired differences from %s: %s"):format(base, path))
end

return paired
