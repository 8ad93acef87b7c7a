-- paired: the differences of a sweep's policies from one of them, as a table: DIR/paired.csv.
--
-- Pairs are runs of both policies under equal conditions: the runs of a cell (the sets, where it
-- has several), or the cells along an axis, --over, which is then a sample: seeds or workloads. All
-- differences of a metric in the table are one family: `significant` and `rank_significant` are
-- after Holm's correction; the intervals are for each difference alone.
local command = require "orrery.command.command"
local csv = require "orrery.command.csv"
local lists = require "orrery.support.lists"
local orrery = require "orrery"

local paired = {}

local function axis_of(of, name)
  return lists.find(of.axes, function(axis) return axis.name == name end)
end

local OWN = { "base", "low", "high", "significant", "median", "shift", "shift_low", "shift_high",
  "rank_p", "rank_significant" }

-- Refuses names that the sweep does not have; `of` is in the form of a manifest.
function paired.check(given, of)
  if given.over and not given.paired then command.misuse("--over goes with --paired") end
  if not given.paired then return end
  for _, name in ipairs(OWN) do
    if axis_of(of, name) then
      command.misuse("--paired: the table has a column '%s' of its own: call the axis otherwise",
        name)
    end
  end
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
    command.misuse("--paired: the numbers of the runs were not kept: sweep with --per-run, or name "
      .. "an axis, --over, whose cells are the pairs")
  end
end

-- The entry of a name in a table of places, { names = in order of occurrence, of = by name }.
local function place(places, name)
  if not places.of[name] then
    table.insert(places.names, name)
    places.of[name] = { names = {}, of = {} }
  end
  return places.of[name]
end

local function has_sets(rows)
  return lists.find(rows, function(row) return row.set ~= rows[1].set end)
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

-- Whether a difference is significant; by: the pairs are the days or weeks of one log.
local function is_significant(d, level)
  if d.by then return orrery.tools.parts().leave_out_0(d.by, d.list, level) end
  return d.sd > 0 and math.abs(d.mean) > orrery.tools.half_width(d, level)
end

-- The differences of a policy from the base, one for each id, by the means of the values with that
-- id; nil where the two have different ids.
local function difference(base, other, by)
  local list = {}
  for i, id in ipairs(base.names) do
    if not other.of[id] then return nil end
    list[i] = orrery.tools.numbers.difference(orrery.summary(base.of[id]).mean,
      orrery.summary(other.of[id]).mean)
  end
  if #list ~= #other.names then return nil end
  local d = orrery.tools.add_ranks(orrery.summary(list), list, not by)
  d.list, d.by = list, by
  if by then orrery.tools.parts().add_ends(d, by, list) end
  return d
end

local HEAD = "policy,base,metric,n,mean,sd,half_width,low,high,significant,median,shift,shift_low,"
  .. "shift_high,rank_p,rank_significant"

-- A number; none where it is the open end of an interval.
local function cell(value)
  if type(value) == "boolean" then return tostring(value) end
  return math.abs(value) < math.huge and csv.number(value) or ""
end

-- Where all differences are equal nothing is random, and there is no interval.
local function row_of(one)
  local d = one.difference
  local half = d.sd ~= 0 and d.half_width or 0 / 0
  local cells = { csv.field(one.policy), csv.field(one.base), one.metric }
  if one.point ~= "" then table.insert(cells, 1, one.point) end
  for _, value in ipairs { d.count, d.mean, d.sd, half, d.low or d.mean - half,
    d.high or d.mean + half, d.significant, d.median, d.shift, d.shift_low, d.shift_high, d.rank_p,
    d.rank_significant } do
    cells[#cells + 1] = cell(value)
  end
  return table.concat(cells, ",")
end

-- Says of all differences of a metric which are significant; their number.
local function correct(list)
  local families, most = {}, 0
  for _, one in ipairs(list) do
    families[one.metric] = families[one.metric] or { {} } -- the base's entry comes first
    table.insert(families[one.metric], one.difference)
  end
  for _, of_metric in pairs(families) do
    orrery.tools.correct(of_metric, is_significant)
    most = math.max(most, #of_metric - 1)
  end
  return most
end

-- Writes the table of a sweep that is complete.
function paired.write(sweep, base, over)
  local columns = lists.those(sweep.manifest.columns, function(name)
    return name ~= "cell" and name ~= "policy" and name ~= over
  end)
  local points, list = collect(sweep, columns, over), {}
  local by = not over and sweep.manifest.by or nil
  for _, point in ipairs(points.names) do
    for _, metric in ipairs(points.of[point].names) do
      local policies = points.of[point].of[metric]
      command.check_one("paired", base, policies.names)
      for _, policy in ipairs(policies.names) do
        local d = difference(policies.of[base], policies.of[policy], by)
        if not d then
          command.fail("--paired: %s and %s did not go through the same runs", base, policy)
        elseif policy ~= base then
          list[#list + 1] =
            { point = point, policy = policy, base = base, metric = metric, difference = d }
        end
      end
    end
  end
  local comparisons = correct(list)
  local lines = lists.joined({ table.concat(lists.joined(columns, { HEAD }), ",") },
    lists.map(list, row_of))
  local path = sweep.dir .. "/paired.csv"
  orrery.tools.write_file(path, table.concat(lines, "\n") .. "\n")
  print(("paired differences from %s: %s%s"):format(base, path, comparisons < 2 and ""
    or (" ('significant' is after Holm's correction for %d comparisons of each metric)"):format(
      comparisons)) .. (list[1] and orrery.tools.unseen(list[1].difference.count, "pairs") or ""))
end

return paired
