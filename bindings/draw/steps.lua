-- steps: step functions over time, as s:timeline() gives them: each step holds until the next.

local steps = {}

-- Mean and largest value of a field over each of n equal parts of [from, to]: list of { mean,
-- most }. Before the first step all fields are 0; the last step has no end.
function steps.parts(list, field, from, to, n)
  local width, parts, at = (to - from) / n, {}, 0
  for part = 1, n do
    local begin, finish = from + (part - 1) * width, from + part * width
    local sum, most = 0, 0
    while list[at + 1] and list[at + 1].time <= begin do at = at + 1 end
    local i, time = at, begin
    while time < finish do
      local value = list[i] and list[i][field] or 0
      local ends = math.min(list[i + 1] and list[i + 1].time or math.huge, finish)
      sum, most = sum + value * (ends - time), math.max(most, value)
      i, time = i + 1, ends
    end
    parts[part] = { sum / width, most }
  end
  return parts
end

-- The step function of a sum that changes: `changes` is a list of { time, by }; each step has the
-- sum as `field`.
function steps.of(changes, field)
  table.sort(changes, function(a, b) return a[1] < b[1] end)
  local list, sum = {}, 0
  for _, change in ipairs(changes) do
    local last = list[#list]
    if not last or last.time < change[1] then
      last = { time = change[1] }
      list[#list + 1] = last
    end
    sum = sum + change[2]
    last[field] = sum
  end
  return list
end

return steps
