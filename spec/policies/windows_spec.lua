-- Windows under every shipped policy: no attempt is planned into one.
local orrery = require "orrery"
local rounds = require "spec.support.rounds"

-- The shipped policies of jobs, with every order of the queue for one of them.
local function shipped()
  local list = {}
  for _, policy in ipairs(orrery.policies()) do
    if policy.path:find(orrery.home, 1, true) == 1 then
      local kind = policy.name:match "^(%w+)/"
      if kind == "dispatch" or kind == "redirect" then
        list[#list + 1] = { name = policy.name, spec = { policy = policy.name } }
      elseif kind == "priority" then
        list[#list + 1] = { name = policy.name,
          spec = { policy = "dispatch/easy", priority = policy.name } }
      end
    end
  end
  return list
end

-- By design: where it started in the log it starts here, whatever is planned (READINGS 48).
local FREE = { ["dispatch/recorded"] = true }

local PROCS = 16

-- The windows that a run takes: without what only this file looks at.
local function given(list)
  local copies = {}
  for i, w in ipairs(list or {}) do
    copies[i] = { from = w.from, to = w.to, nodes = w.nodes, user = w.user, job = w.job }
  end
  return list and copies
end

local function random_windows(rng, span)
  local list = {}
  for i = 1, rng:integer(1, 4) do
    local from = rng:integer(0, span)
    local low = rng:integer(0, PROCS - 1)
    local high = rng:integer(low, PROCS - 1)
    list[i] = { from = from, to = from + rng:integer(1, span // 2), low = low, high = high,
      nodes = low .. "-" .. high }
  end
  return list
end

local function random_spec(rng)
  local rows, time = {}, 0
  for i = 1, rng:integer(5, 30) do
    local runtime = rng:integer(0, 200)
    time = time + rng:integer(0, 40)
    rows[i] = { id = "j" .. i, user = "u" .. rng:integer(1, 3), submit = time, runtime = runtime,
      walltime = runtime + rng:integer(0, 2) * rng:integer(0, 100), procs = rng:integer(1, PROCS),
      wait = rng:integer(0, 100) }
  end
  local spec = { procs = PROCS, walltimes = "log",
    maintenance = random_windows(rng, time + 200) }
  if rng:integer(0, 1) == 1 then
    spec.reservations = random_windows(rng, time + 200)
    for _, one in ipairs(spec.reservations) do
      one[rng:integer(0, 1) == 0 and "user" or "job"] = "u1"
      if one.job then one.job = "j" .. rng:integer(1, 5) end
    end
  end
  if rng:integer(0, 3) == 0 then
    local at = rng:integer(0, time)
    spec.capacity = { { from = at, procs = rng:integer(0, PROCS) },
      { from = at + rng:integer(1, 300), procs = PROCS } }
  end
  return spec, rows
end

-- What closes processors for a job, as { from =, to =, low =, high = }.
local function closed_to(spec, row)
  local list = table.move(spec.maintenance, 1, #spec.maintenance, 1, {})
  for _, one in ipairs(spec.reservations or {}) do
    if one.user ~= row.user and one.job ~= row.id then list[#list + 1] = one end
  end
  local steps = spec.capacity or {}
  for i, step in ipairs(steps) do
    list[#list + 1] = { from = step.from, to = steps[i + 1] and steps[i + 1].from or math.huge,
      low = step.procs, high = i == 1 and math.huge or -1 }
  end
  return list
end

local function touches(processors, w)
  for low, high in (tostring(processors) .. " "):gmatch "(%d+)%-?(%d*)" do
    if tonumber(low) <= w.high and (tonumber(high) or tonumber(low)) >= w.low then return true end
  end
  return false
end

-- An attempt that is planned to run on processors of a window, as text.
local function planned_into(spec, rows, session)
  local by_id = {}
  for _, row in ipairs(rows) do by_id[row.id] = row end
  for _, a in ipairs(session:schedule()) do
    local row, from = by_id[a.id], a.start
    local till = from + row.walltime
    for _, w in ipairs(closed_to(spec, row)) do
      local meets = w.to > from and (w.from < till or w.from <= from)
      if meets and touches(a.processors, w) then
        return ("job %s from %g, planned until %g, on %s: a window from %g to %g on %g to %g")
          :format(a.id, from, till, a.processors, w.from, w.to, w.low, w.high)
      end
    end
  end
end

-- A run to its end. Where a group of a policy's own is too narrow for a job, jobs are narrower.
local function simulate(spec, rows)
  local copy = {}
  for key, value in pairs(spec) do copy[key] = value end
  copy.jobs, copy.maintenance = orrery.jobs(rows), given(spec.maintenance)
  copy.reservations = given(spec.reservations)
  local session = orrery.session(copy)
  local fine, problem = pcall(session.finish, session)
  if fine then return session end
  local most = tostring(problem):match "and its group %w+ has (%d+)"
  if not most then error(problem, 0) end
  for _, row in ipairs(rows) do row.procs = math.min(row.procs, tonumber(most)) end
  return simulate(spec, rows)
end

describe("with windows", function()
  for _, one in ipairs(shipped()) do
    if not FREE[one.name] then
      it(one.name .. " plans no attempt into one", function()
        local rng, waited = orrery.random(11), 0
        for round = 1, rounds(150, nil, 10) do
          local spec, rows = random_spec(rng)
          for key, value in pairs(one.spec) do spec[key] = value end
          local session = simulate(spec, rows)
          local problem = planned_into(spec, rows, session)
          if problem then error(("round %d: %s"):format(round, problem)) end
          assert.is_true(session:check())
          waited = waited + session:finish().wait_mean
        end
        assert.is_true(waited > 0)
      end)
    end
  end
end)
