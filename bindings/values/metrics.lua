-- metrics: what metrics are called, and in which unit people read them.

local numbers = require "orrery.support.numbers"

local metrics = {}

-- title, axis, format, scale: values are divided by it; jobs: what it is a mean of over jobs.
local known = {
  ratio = { title = "normalised makespan", axis = "Normalised makespan (makespan / lower bound)",
    format = "%.4f", scale = 1 },
  utilisation = { title = "utilisation", axis = "Utilisation", format = "%.4f", scale = 1 },
  work_lost = { title = "processor-hours lost", axis = "Processor-hours lost", format = "%.1f",
    scale = 3600 },
}

local function add(name, title, format, scale, jobs)
  known[name] = {
    title = title, axis = title:sub(1, 1):upper() .. title:sub(2), format = format, scale = scale,
    jobs = jobs,
  }
end

add("makespan", "makespan (h)", "%.2f", 3600)
for name, title in pairs { wait = "wait (h)", flow = "flow (h)", bsld = "bounded slowdown" } do
  local format, scale = "%.3f", name == "bsld" and 1 or 3600
  add(name .. "_mean", "mean " .. title, format, scale, name)
  if name ~= "flow" then add(name .. "_max", "longest " .. title, format, scale, name) end
  for _, part in ipairs { 50, 90, 95, 99 } do
    add(("%s_p%d"):format(name, part), ("%d%% of %s"):format(part, title), format, scale, name)
  end
end
known.bsld_max.title = "largest bounded slowdown"
for name, title in pairs { failures = "failed attempts", killed = "jobs killed",
  redirected = "jobs redirected", preempted = "attempts preempted",
  node_failures = "attempts lost to nodes" } do
  add(name, title, "%.2f", 1)
end

-- The names of those of jobs, in order.
metrics.names = {}
for name in pairs(known) do metrics.names[#metrics.names + 1] = name end
table.sort(metrics.names)
metrics.known = known

-- Of tasks and packs, and those that nobody names on a command line.
local others = {
  normalised = { title = "normalised makespan", format = "%.4f",
    axis = "Makespan / makespan without redistribution" },
  relative_cost = { title = "relative cost", format = "%.4f",
    axis = "Cost / cost of one task after the other" },
  lower_bound = { title = "lower bound (h)", format = "%.2f", scale = 3600 },
  cost = { title = "cost (s)", format = "%.7g" },
  response = { title = "response (s)", format = "%.7g" },
  bound = { title = "bound (s)", format = "%.7g" },
  baseline = { title = "makespan without redistribution (h)", format = "%.2f", scale = 3600 },
  expected = { title = "expected makespan (h)", format = "%.2f", scale = 3600 },
  fault_free = { title = "makespan without faults (h)", format = "%.2f", scale = 3600 },
}

for _, name in ipairs { "faults", "redistributions", "moves", "fatal", "packs", "starts" } do
  others[name] = { title = name, format = "%.2f" }
end
for _, name in ipairs { "packing_ratio", "relative_response", "over_bound", "fault_free_ratio" } do
  others[name] = { title = name:gsub("_", " "), format = "%.4f" }
end
others.over_bound.title = "cost / bound"

-- What is known of a metric by its name.
function metrics.of(name)
  if known[name] then return known[name] end
  local one = others[name] or { title = tostring(name):gsub("_", " "), format = "%.6g" }
  one.scale = one.scale or 1
  one.axis = one.axis or one.title:sub(1, 1):upper() .. one.title:sub(2)
  return one
end

-- Whether a result of jobs is of an online log: they came over time, and nothing says otherwise.
function metrics.is_online(result)
  if not result.kind.jobs or result.spec.batch then return false end
  for s in ipairs(result.sets) do
    local jobs = result.sets[s].jobs
    if #jobs > 1 and jobs[#jobs].submit > jobs[1].submit then return true end
  end
  return false
end

-- What it is called where it is of single jobs: a wait, not a mean wait.
function metrics.of_a_job(name)
  local one, copy = metrics.of(name), {}
  for key, value in pairs(one) do copy[key] = value end
  copy.title = ({ wait = "wait (h)", flow = "flow time (h)", bsld = "bounded slowdown" })[one.jobs]
    or one.title
  copy.axis = copy.title:sub(1, 1):upper() .. copy.title:sub(2)
  return copy
end

-- The mean of a metric with its interval, as text.
function metrics.text(name, mean, half_width, sign)
  local one = metrics.of(name)
  local format = sign and one.format:gsub("%%", "%%+") or one.format
  local text = numbers.formatted(format, mean / one.scale)
  if half_width and half_width == half_width and half_width > 0 then
    text = text .. " ± " .. one.format:format(half_width / one.scale)
  end
  return text
end

return metrics
