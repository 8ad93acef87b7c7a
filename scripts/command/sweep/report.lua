-- report: what is said about a sweep, and its tables.
local orrery = require "orrery"

local report = {}

-- The numbers of a sorted list in few words: "1-3, 7".
function report.ranges(list)
  local parts, from = {}, 1
  for i = 1, #list do
    if list[i + 1] ~= list[i] + 1 then
      parts[#parts + 1] = from == i and tostring(list[i]) or ("%d-%d"):format(list[from], list[i])
      from = i + 1
    end
  end
  if #parts > 12 then
    return table.concat(parts, ", ", 1, 12) .. (", and more (%d in all)"):format(#list)
  end
  return table.concat(parts, ", ")
end

-- Writes the tables of a sweep that is complete.
function report.write(sweep)
  orrery.tools.write_file(sweep.dir .. "/results.csv", sweep:summary())
  print(("%d cells: %s/results.csv"):format(sweep.manifest.cells, sweep.dir))
  if sweep.manifest.per_run then
    orrery.tools.write_file(sweep.dir .. "/runs.csv", sweep:runs())
    print(("every run: %s/runs.csv"):format(sweep.dir))
  end
end

return report
