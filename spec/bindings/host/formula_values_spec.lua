-- Formulas of priorities: every value is Lua's to the last bit, and where a decision is left out
-- because the formula is known to give a number, it does. Small functions, many of them; whole runs
-- are in formulas_spec.lua.
local orrery = require "orrery"
local rounds = require "spec.support.rounds"

local function pick(rng, list) return list[rng:integer(1, #list)] end

local function made(source)
  return assert(load("return " .. source, "=case", "t", { math = math }))()
end

-- --- values -------------------------------------------------------------------------------------

local LEAVES = { "x", "x", "y", "p", "p", "3", "2", "-1", "0.5", "1e300", "-2.5", "2 ^ 53",
  "math.maxinteger", "math.mininteger", "7" }
local OPERATORS = { "%s + %s", "%s - %s", "%s * %s", "%s / %s", "%s // %s", "%s % %s", "%s ^ %s",
  "%s ^ 3", "%s ^ 2", "- %s", "math.floor(%s)", "math.ceil(%s)", "math.abs(%s)", "math.max(%s, %s)",
  "math.min(%s, %s)", "math.sqrt(%s)", "math.log(%s)", "math.log(%s, 2)", "math.log(%s, 10)",
  "math.exp(%s)", "math.sin(%s)", "math.cos(%s)", "math.tan(%s)" }
local CONDITIONS = { "<", "<=", "==", "~=", ">", ">=" }

local function expression(rng, depth)
  if depth == 0 or rng:integer(1, 6) == 1 then return pick(rng, LEAVES) end
  local function part() return expression(rng, depth - 1) end
  if rng:integer(1, 6) == 1 then
    return ("(%s %s %s and %s or %s)"):format(part(), pick(rng, CONDITIONS), part(), part(), part())
  end
  return ("(%s)"):format((pick(rng, OPERATORS):gsub("%%s", part)))
end

-- Jobs start one after the other, by their positions as long as every value is the wanted one; else
-- the job of another value comes first.
local function first_wrong(text, times)
  local value = made("function(x, y, p) return " .. text .. " end")
  local jobs, wanted = {}, {}
  for i, time in ipairs(times) do
    local ok, number = pcall(value, time, 2.0 * time, i)
    if not ok or number ~= number then return nil, true end
    jobs[i] = { submit = 0, time = time, procs = 2, user = "u" .. i }
    wanted["u" .. i] = number
  end
  local priority = made("function(job, view) local x, y, p = job.time, job.area, job.position "
    .. "return " .. text .. " == view.state[job.user] and 0 or 1 end")
  local policy = { per = "decision", dispatch = { discipline = "fcfs" }, priority = priority,
    init = function(sim) for user, number in pairs(wanted) do sim.state[user] = number end end }
  local s = orrery.session { jobs = orrery.jobs(jobs), procs = 2, policy = policy }
  s:finish()
  for i = 2, #times do
    if s:job(i).start < s:job(i - 1).start then return i end
  end
end

-- Some are wrong for a few numbers only, or in the last bit: each is asked for many.
it("every operation has the value that Lua gives, to the last bit", function()
  local rng = orrery.random(7)
  local operands = { "x", "-x", "y", "p", "-p", "(x / -7)", "3", "-2.5", "2" }
  for _, operator in ipairs(OPERATORS) do
    for _ = 1, rounds(12, 12, 4) do
      local text, times = operator:gsub("%%s", function() return " " .. pick(rng, operands) end), {}
      for i = 1, 60 do times[i] = rng:uniform(0.01, 1) * pick(rng, { 1, 30, 1000 }) end
      local wrong = first_wrong(text, times)
      if wrong then error(("%s: another value than Lua's for job %d"):format(text, wrong)) end
    end
  end
end)

it("random expressions have the value that Lua gives, to the last bit", function()
  local rng = orrery.random(31)
  local failed, count = 0, rounds(2400)
  for _ = 1, count do
    local text, times = expression(rng, rng:integer(1, 3)), {}
    for i = 1, rng:integer(1, 40) == 1 and 150 or rng:integer(2, 12) do
      times[i] = pick(rng, { 1.0, 0.1, 3.7, 1e3, 12345.678, 1e-3, 4e9 }) * rng:integer(1, 9)
    end
    local wrong, fails = first_wrong(text, times)
    failed = failed + (fails and 1 or 0)
    if wrong then
      error(("%s: another value than Lua's for time %.17g"):format(text, times[wrong]))
    end
  end
  assert.is_true(failed < count * 2 // 3, failed .. " of " .. count .. " are no number or fail")
end)

-- --- decisions that are left out ----------------------------------------------------------------

local PARTS = { "wait", "wait", "job.time", "job.procs", "job.submit", "view.now", "0", "1", "-1",
  "0.5", "1e308", "math.huge", "weight", "weight", "view.state.weight", "(job.procs - 2)",
  "view.free", "job.position" }
local SHAPES = { "(%s + %s)", "(%s - %s)", "(%s * %s)", "(%s / %s)", "(%s ^ %s)", "%s ^ 3",
  "(%s * %s)", "(%s / %s)", "(- %s)", "math.sqrt(%s)", "math.log(%s)", "math.exp(%s)",
  "(%s == 0 and 1 or %s)", "(%s == 2 and 1 or %s)", "(%s ^ -1 * %s)", "(%s / %s * 0)",
  "(%s < %s and 1 or %s)", "(%s <= 1 and 1 or %s)" }

local function shape(rng, depth)
  if depth == 0 then return pick(rng, PARTS) end
  return (pick(rng, SHAPES):gsub("%%s", function() return shape(rng, depth - 1) end))
end

-- One job has the machine; others come while nobody fits. What one of them makes of the formula is
-- an error at that moment.
it("a decision is left out only where the formula gives a number for all who wait", function()
  local rng = orrery.random(47)
  local failed, late, count = 0, 0, rounds(4000)
  for _ = 1, count do
    local text = shape(rng, rng:integer(1, 3))
    if rng:integer(1, 3) == 1 then
      text = ("(wait %s 0 and 0 or %s)"):format(pick(rng, { "==", "<=" }), text)
    end
    local source = ([[(function() local weight = 1.0 return {
      per = "decision", dispatch = { discipline = "list", reservations = 1 },
      priority = function(job, view)
        local wait = view.now - job.submit
        return %s
      end,
      init = function(sim) sim.state.weight = 1 end,
      on_submit = function(sim, job) weight, sim.state.weight = job.procs - 2.0, job.time end,
    } end)()]]):format(text)
    local jobs = { { submit = 0, time = 100, procs = 4 } }
    for i = 2, 6 do
      local time = pick(rng, { 0, 1, 2, 5.5 })
      jobs[i] = { submit = 10 * i + 0.5, time = time, procs = rng:integer(1, 4) }
    end
    local function outcome(plain)
      local ok, result = pcall(orrery.compare, { jobs = orrery.jobs(jobs), procs = 4, runs = 1,
        policy = made(source), threads = 1, plain = plain })
      return ok and ("%.17g"):format(result:values(1, "wait_mean")[1]) or tostring(result)
    end
    local called, found = outcome(true), outcome(false)
    called, found = called:gsub("plain = %a+, ", ""), found:gsub("plain = %a+, ", "")
    failed = failed + (called:find "nan" and 1 or 0)
    late = late + (called:find "nan" and not called:find "at time 0:" and 1 or 0)
    assert.equal(called, found, source)
  end
  assert.is_true(late > count // 50, late .. " are no number for jobs that come later")
  assert.is_true(failed < count * 3 // 4, failed .. " of " .. count .. " are no number")
end)
