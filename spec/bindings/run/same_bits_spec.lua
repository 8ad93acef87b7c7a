-- The same bits for any number of threads: every policy of the manuals, and policies that a
-- generator writes from pieces that are likely to betray a thread, a clock or an address.
local orrery = require "orrery"

local pieces = require "spec.support.policy_pieces"
local program = require "spec.support.program"
local rounds = require "spec.support.rounds"
local temporary = require "spec.support.temporary"

local JOBS = orrery.synthetic { count = 10, seed = 8 }
local THREADS, METRICS = { 2, 7 }, { "makespan", "bsld_max", "wait_mean" }

-- All numbers of a run, as text; or the error.
local function bits_of(fields, threads)
  local spec = { threads = threads }
  for key, value in pairs(fields) do spec[key] = value end
  local ok, result = pcall(orrery.compare, spec)
  if not ok then return "error: " .. tostring(result) end
  local texts = {}
  for _, metric in ipairs(fields.jobs and METRICS or { "makespan" }) do
    for i, value in ipairs(result:values(1, metric)) do
      texts[#texts + 1] = ("%s %d %a"):format(metric, i, value)
    end
  end
  return table.concat(texts, "\n")
end

local function assert_same(what, fields)
  local one = bits_of(fields, 1)
  assert.is_nil(one:find "^error", what .. ": " .. one)
  for _, threads in ipairs(THREADS) do
    assert.equal(one, bits_of(fields, threads), ("%s: %d threads"):format(what, threads))
  end
end

local function with_jobs(fields)
  fields.jobs, fields.procs, fields.runs, fields.seed = JOBS, 3000, 8, 3
  fields.errors = { mean_probability = 0.3 }
  fields.origin = "2019-06-14 07:04" -- for those that read the calendar
  return fields
end

local function with_tasks(fields)
  fields.tasks, fields.procs, fields.runs, fields.seed = { n = 6 }, 40, 14, 3
  fields.faults = { mtbf_years = 0.5 }
  return fields
end

-- --- the manuals --------------------------------------------------------------------------------

-- The policies among the blocks of a manual, but for those that say what is wrong.
local function policies_of(path)
  local list = {}
  for file, code in program.read(path):gmatch "\n```lua file=(%S+)\n(.-)\n```" do
    if not code:find('require "orrery"', 1, true) and not code:find("-- wrong", 1, true) then
      list[#list + 1] = { name = file, code = code }
    end
  end
  return list
end

describe("policies of the manuals give the same bits on 1, 2 and 7 threads:", function()
  local found = policies_of(program.home .. "/policies/README.md")

  it("there are such", function() assert.is_true(#found >= 8, #found) end)

  for _, policy in ipairs(found) do
    it(policy.name, function()
      temporary.file(policy.name, policy.code, function(path)
        os.rename(path, path .. ".lua")
        local file = path .. ".lua"
        local given = orrery.describe(file).kind
        if given == "priority" then
          assert_same(policy.name, with_jobs { policy = "easy", priority = file })
        elseif given == "dispatch" then
          assert_same(policy.name, with_jobs { policy = file })
        elseif given == "redistribute" then
          assert_same(policy.name, with_tasks { policy = file })
        end
        os.remove(file)
      end)
    end)
  end
end)

-- --- what a generator writes --------------------------------------------------------------------

-- Numbers that a policy may get for a job; each is the same in every run, or it is a mistake here.
local TERMS = {
  "job.time", "job.procs", "-job.submit", "job.position % 3", "math.random()",
  "math.random(1, 5) * job.procs", "#tostring({})", "#tostring(pairs)", "place(job)",
  "#('%s %s'):format({}, job)", "ties(job)", "root(job)", "first_key(job)", "sim.now - job.submit",
  "count(sim)", "collected(job)",
}

local HELPERS = [[
local roots, steps = {}, { 3, 1, 2 }
local function root(job)
  roots[job.procs] = roots[job.procs] or job.procs ^ 0.5
  return roots[job.procs]
end
-- The smallest stand where Lua's own sort takes its pivot from: what is left then is lopsided.
local function ties(job)
  local list = {}
  for i = 1, 401 do list[i] = { (i % 200 == 1) and 0 or i % 5 + 1, i } end
  table.sort(list, function(a, b) return a[1] < b[1] end)
  return list[job.position + 100][2]
end
local function place(job)
  local list = {}
  for i = 1, 20 do list[i] = tostring({}) .. (i * job.procs) % 11 end
  table.sort(list)
  return #list[1] + tonumber((list[1]:gsub("%D", "")))
end
local function first_key(job)
  local t = { ["a" .. job.position] = 1, ["b" .. job.procs] = 2, [job] = 3, [job.procs] = 4 }
  local sum = 0
  for key, value in pairs(t) do sum = sum * 3 + value + #tostring(key) end
  return sum
end
local function collected(job)
  local metatable = {}
  local list = setmetatable({}, metatable)
  pcall(function() metatable.__mode = "v" end)
  for i = 1, 40 do list[i] = { steps[i % 3 + 1] * job.procs } end
  local left = 0
  for i = 1, 40 do if list[i] then left = left + 1 end end
  return left
end
local function count(sim)
  local state = sim.state
  if not state then return 0 end
  state.count = (state.count or 0) + 1
  return state.count % 13
end
]]

local function pick(random, list) return list[random(1, #list)] end

local function expression(random)
  local parts = {}
  for i = 1, random(1, 4) do parts[i] = pick(random, TERMS) end
  return table.concat(parts, pick(random, { " + ", " - ", " * " }))
end

-- A policy for jobs: a priority, or a dispatch that sorts the queue, with hooks or without.
local function write_policy(random)
  local value = "local function value(job, sim) return " .. expression(random) .. " end\n"
  local hooks = ""
  if random(1, 2) == 1 then
    hooks = ", on_end = function(sim, job) sim.state.last = tostring(job) .. #tostring({}) end"
  end
  local order = random(1, 2) == 1 and "<" or ">"
  local body
  if random(1, 2) == 1 then
    local per = pick(random, { "scenario", "attempt", "decision" })
    body = ('dispatch = "%s", per = "%s", priority = value'):format(
      pick(random, { "easy", "list", "fcfs" }), per)
  else
    body = ([[dispatch = function(sim)
      local list, of = {}, {}
      for job in sim:fitting() do
        list[#list + 1] = job
        of[job] = value(job, sim)
      end
      table.sort(list, function(a, b) return of[a] %s of[b] end)
      for _, job in ipairs(list) do
        if job.procs <= sim.free then sim:start(job) end
      end
    end]]):format(order)
  end
  return HELPERS .. value .. ("return { caches = %s, %s%s }\n"):format(
    value:find "root%(" and '{ "roots" }' or "{}", body, hooks)
end

describe("policies that a generator writes", function()
  it("give the same bits on 1, 2 and 7 threads", function()
    local stream = orrery.random { seed = 17 }
    local function random(low, high) return stream:integer(low, high) end
    for i = 1, rounds(300, nil, 5) do
      local code = write_policy(random)
      temporary.file("generated.lua", code, function(path)
        assert(os.rename(path, path .. ".lua"))
        local ok, problem = pcall(assert_same, ("policy %d:\n%s"):format(i, code),
          with_jobs { policy = path .. ".lua" })
        os.remove(path .. ".lua")
        if not ok then error(problem, 0) end
      end)
    end
  end)
end)

describe("policies of pieces that use state without content", function()
  it("do the same whatever ran before, or tell what they keep", function()
    for seed = 1, rounds(240, 40, 8) do
      local text, difference = pieces.run(seed)
      assert.is_nil(difference, text)
    end
  end)
end)
