-- Random problems of packs, for the kernel and for naive_packs.lua.
local orrery = require "orrery"

local packing = {}

local function pick(rng, list) return list[rng:integer(1, #list)] end

-- Measured times that mean something or nothing, with many ties; some on fewer processors than
-- there are.
local function times_of(rng, procs)
  local kind, first = pick(rng, { "amdahl", "amdahl", "random", "flat" }), rng:integer(1, 12)
  local f, times = pick(rng, { 0, 0.1, 0.5 }), {}
  for j = 1, rng:integer(1, procs + 1) do
    if kind == "amdahl" then
      times[j] = first * 10 * (f + (1 - f) / j)
    else
      times[j] = kind == "flat" and first or rng:integer(1, 20)
    end
  end
  return times
end

-- A problem for naive_packs.lua, with the `tasks` that orrery.packs takes.
--   most_tasks, most_procs  its largest size;  with_least  whether tasks may want more than one
function packing.problem(rng, most_tasks, most_procs, with_least)
  local n, procs = rng:integer(1, most_tasks), rng:integer(1, most_procs)
  local list, least = {}, with_least and {} or nil
  for i = 1, n do
    list[i] = { times = times_of(rng, procs) }
    if least then least[i] = rng:integer(1, math.max(1, procs // 2)) end
  end
  local tasks = orrery.tasks.list(list)
  local problem = { tasks = tasks, times = {}, procs = procs, least = least,
    k = pick(rng, { procs, rng:integer(1, procs), 2 }) }
  problem.k = math.min(problem.k, procs)
  for i = 1, n do
    problem.times[i] = {}
    for j = 1, procs do problem.times[i][j] = tasks:time(i, j) end
  end
  return problem
end

-- What orrery.packs says of it; options: more of its fields.
function packing.run(problem, policies, options)
  local spec = { tasks = problem.tasks, procs = problem.procs, k = problem.k,
    least = problem.least, policies = policies }
  for name, value in pairs(options or {}) do spec[name] = value end
  return orrery.packs(spec)
end

-- The packs as text, whatever their order: "1 3 | 2".
function packing.text(packs)
  local list = {}
  for b, pack in ipairs(packs) do
    local tasks = table.move(pack, 1, #pack, 1, {})
    table.sort(tasks)
    list[b] = table.concat(tasks, " ")
  end
  table.sort(list)
  return table.concat(list, " | ")
end

-- A problem as text, for messages.
function packing.describe(problem)
  local rows = {}
  for i, row in ipairs(problem.times) do
    local cells = {}
    for j, time in ipairs(row) do cells[j] = ("%.17g"):format(time) end
    rows[i] = ("task %d, at least %d: %s"):format(i, problem.least and problem.least[i] or 1,
      table.concat(cells, " "))
  end
  return ("p = %d, k = %d\n%s"):format(problem.procs, problem.k, table.concat(rows, "\n"))
end

return packing
