-- Generated logs that several benchmarks simulate, on 10,000 processors.
local orrery = require "orrery"

local logs = {}

-- more: further options of orrery.lublin
function logs.of(count, more)
  local spec = { procs = 10000, count = count, load = 0.9, seed = 1 }
  for key, value in pairs(more or {}) do spec[key] = value end
  return orrery.lublin(spec)
end

-- The log of priorities.cpp: with 97 users.
function logs.with_users(count, load)
  local made, list = logs.of(count, { load = load }), {}
  for i = 1, #made do
    local job = made[i]
    list[i] = { submit = job.submit, time = job.time, procs = job.procs,
      user = "u" .. (i - 1) * 7919 % 97 }
  end
  return orrery.jobs(list)
end

function logs.nodes(count)
  return { nodes = { { count = count, procs = 64, gpu = 4, mem = 256 } } }
end

-- Jobs on nodes: a third asks for GPUs, half for memory, half for a number of nodes. Estimates are
-- up to three times the runtimes; load 0.9. Narrow jobs ask for 1 to `width` processors and nothing
-- else; load 0.95. And how many run at a time, in the mean.
function logs.on_nodes(count, nodes, width)
  local rng, rows, work, held = orrery.random(1), {}, 0, 0
  for i = 1, count do
    local procs = width and rng:integer(1, width) or 2 ^ rng:integer(0, 6)
    if not width and rng:integer(1, 20) == 1 then
      procs = 64 * rng:integer(1, math.max(1, nodes // 20))
    end
    local time = math.ceil(60 * 2 ^ (rng:integer(0, 90) / 10))
    local needs = {}
    local function some(most) return not width and rng:integer(1, most) == 1 end
    if some(3) then needs.gpu = math.max(1, procs // 16) end
    if some(2) then needs.mem = procs * rng:integer(1, 4) end
    if some(2) then needs.nodes = (procs + 63) // 64 end
    rows[i] = { id = tostring(i), procs = math.tointeger(procs), runtime = time, needs = needs,
      walltime = time * rng:integer(10, 30) // 10 }
    for name, amount in pairs(needs) do needs[name] = math.tointeger(amount) end
    work, held = work + procs * time, held + time
  end
  local span = work / ((width and 0.95 or 0.9) * nodes * 64)
  for i = 1, count do rows[i].submit = math.floor(span * i / count) end
  return orrery.jobs(rows), held / span
end

return logs
