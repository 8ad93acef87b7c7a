-- orrery.packs: policies as values, what they may return, errors, and the result.
local orrery = require "orrery"

-- On 4 processors: A (12, 6, 4, 3), B and C (6, 3, 2, 1.5), D (2, 1, 2/3, 1/2).
local TASKS = orrery.tasks.list {
  { id = "A", times = { 12, 6, 4, 3 } }, { id = "B", times = { 6, 3, 2, 1.5 } },
  { id = "C", times = { 6, 3, 2, 1.5 } }, { id = "D", times = { 2, 1, 2 / 3, 0.5 } },
}

local function spec(fields)
  local copy = { tasks = TASKS, procs = 4 }
  for name, value in pairs(fields) do copy[name] = value end
  return copy
end

local function run(fields) return orrery.packs(spec(fields)) end

local function problem_with(fields)
  local ok, problem = pcall(orrery.packs, spec(fields))
  assert.is_false(ok)
  return problem
end

describe("orrery.packs", function()
  it("takes lists of packs from a function, and Algorithm 1 gives the processors", function()
    local result = run { policy = function() return { { 2, 3 }, { 1 }, { 4 } } end }
    local packs = result:packs()
    assert.same({ { "D" }, { "A" }, { "B", "C" } }, { packs[1].tasks, packs[2].tasks,
      packs[3].tasks })
    assert.same({ 2, 2 }, packs[3].procs)
    assert.same({ 0, 0.5, 3.5 }, { packs[1].start, packs[2].start, packs[3].start })
    assert.same({ 0.5, 3, 3 }, { packs[1].cost, packs[2].cost, packs[3].cost })
    assert.equal(0, packs[3].idle)
    assert.equal(6.5, result:values(1, "cost")[1])
    assert.equal(1, result:values(1, "relative_cost")[1]) -- 3 + 1.5 + 1.5 + 0.5 as well
  end)

  it("takes the processors of every task as well", function()
    local result = run { policy = function() return { { 1, 2 }, { 3, 4 } }, { 2, 1, 1, 1 } end }
    assert.same({ 2, 1, 1, 1 }, result:coschedule():procs())
    assert.equal(12, result:values(1, "cost")[1])
    assert.equal((12 + 6 + 6 + 2) / (4 * 12), result:values(1, "packing_ratio")[1])
    -- packs of equal cost run in order of their first tasks: A and B until 6, then C until 12, D
    -- until 8
    local responses = { 0.5, 2, 3.5, 6.5 }
    local base = (responses[1] + responses[2] + responses[3] + responses[4]) / 4
    assert.near((6 + 6 + 12 + 8) / 4 / base, result:values(1, "relative_response")[1], 1e-15)
    assert.same({ "A 1 2 0 6", "B 1 1 0 6", "C 2 1 6 12", "D 2 1 6 8" }, (function()
      local rows = {}
      for i, t in ipairs(result:schedule()) do
        rows[i] = ("%s %d %d %g %g"):format(t.id, t.pack, t.procs, t.start, t.finish)
      end
      return rows
    end)())
    assert.equal("task,pack,procs,start,end\nA,1,2,0,6\nB,1,1,0,6\nC,2,1,6,12\nD,2,1,6,8\n",
      result:write_schedule())
  end)

  it("checks what a policy decides, and names policy, task and numbers", function()
    local function of(packs, procs, fields)
      fields = fields or {}
      fields.policy = { policy = function() return packs, procs end, name = "mine" }
      return problem_with(fields)
    end
    assert.matches("policy mine: pack: .*task C is in no pack", of { { 1, 2 }, { 4 } })
    assert.matches("policy mine: pack: .*task B is in pack 1 and in pack 2",
      of { { 1, 2 }, { 2, 3, 4 } })
    assert.matches("policy mine: pack: .*task B is twice in pack 1", of { { 1, 2, 2 }, { 3, 4 } })
    assert.matches("position of a task must be a whole number from 1 to 4, not 5", of { { 1, 5 } })
    assert.matches("policy mine: pack: .*pack 1 has 3 tasks.* 2", of({ { 1, 2, 3 }, { 4 } }, nil,
      { k = 2 }))
    assert.matches("policy mine: pack: .*pack 2 .*5 processors.* 4", of({ { 1 }, { 2, 3, 4 } },
      { 4, 2, 2, 1 }))
    assert.matches("policy mine: pack: .*task B runs on 2 to 4 processors, not on 1",
      of({ { 1 }, { 2 }, { 3 }, { 4 } }, { 4, 1, 2, 1 }, { least = { B = 2 } }))
    assert.matches("policy mine: pack: pack must return a co%-schedule, or a list of packs .and "
      .. "the processors of every task., it returned nil", of(nil))
    assert.matches("pack 1 must be a list of positions, it is a number", of { 1, 2, 3, 4 })
  end)

  it("fences a policy in, limits it, and lends it the problem for one call", function()
    assert.matches("a policy has no global 'io'", problem_with { policy = function()
      return io.open "/etc/passwd" end })
    assert.matches("0%.2 s", problem_with { limits = { seconds = 0.2 },
      policy = function() while true do end end })
    assert.matches("not enough memory", problem_with { limits = { memory = 4 << 20 },
      policy = function()
        local list = {}
        for i = 1, 1e7 do list[i] = i end
        return list
      end })
    assert.matches("a problem that is lent to a policy has no tasks", problem_with {
      policy = function(problem) return problem.tasks end })
    assert.matches("a problem that is lent to a policy has no write_lp", problem_with {
      policy = function(problem) return problem:write_lp "x" end })
    local kept = {}
    local function keeps(problem)
      if kept[1] then
        return kept[1]:coschedule { { 1, 2, 3, 4 } }
      elseif kept[2] then
        return kept[2]
      end
      kept[1] = problem
      return problem:one_by_one()
    end
    assert.matches("this problem was lent for one call of the policy, which is over",
      problem_with { policy = { pack = keeps, caches = { "kept" } }, runs = 2 })
    local allocation
    assert.matches("its problem was lent for one call of the policy, which is over",
      problem_with { runs = 2, policy = { caches = { "allocation" }, pack = function(problem)
        allocation = allocation or problem:allocation()
        allocation:raise()
        return problem:one_by_one()
      end } })
  end)

  it("takes policies that read what cannot be copied, and refuses a foreign co-schedule", function()
    local problem = orrery.pack_problem { tasks = TASKS, procs = 4 }
    local foreign = problem:one_by_one()
    assert.matches("this co%-schedule is of another problem",
      problem_with { policy = function() return foreign end })
    local result = run { policy = function() return foreign:packs() end }
    assert.equal(6.5, result:coschedule().cost)
  end)

  it("takes policies as tables, and files with options", function()
    local path = os.tmpname()
    os.rename(path, path .. ".lua")
    path = path .. ".lua"
    finally(function() os.remove(path) end)
    local file = assert(io.open(path, "w"))
    file:write [[
      return function(options)
        return { options = { first = 1 }, pack = function(problem)
          local rest = {}
          for i = 1, #problem do
            if i ~= options.first then rest[#rest + 1] = i end
          end
          return { { options.first }, rest }
        end }
      end]]
    file:close()
    local result = run { options = { first = 4 }, policies = { path, path .. ":first=3",
      { policy = path, options = { first = 2 }, name = "second" } } }
    assert.same({ { 4 }, { 1, 2, 3 } }, result:coschedule(1):packs())
    assert.same({ { 3 }, { 1, 2, 4 } }, result:coschedule(2):packs())
    assert.same({ { 2 }, { 1, 3, 4 } }, result:coschedule "second":packs())
    assert.equal(path .. ":first=3", result.policies[2].name)
    assert.matches("policy second has no option 'last'", problem_with {
      policy = { policy = path, options = { last = 2 }, name = "second" } })
    assert.matches("no policy here has an option 'last'", problem_with { policy = path,
      options = { last = 3 } })
    local function pack(problem) return problem:one_by_one() end
    assert.equal(6.5, run { policy = { name = "mine", pack = pack } }:coschedule "mine".cost)
    assert.matches("unknown key 'init' .known: name, about, source, options, pack.", problem_with {
      policy = { pack = pack, init = pack } })
    assert.matches("it has no pack", problem_with { policy = { about = "nothing" } })
    assert.matches("it redistributes tasks .it has 'on_end'., and makes no packs", problem_with {
      policy = { on_end = pack } })
  end)

  it("is refused by what is not about packs", function()
    local policy = { pack = function(problem) return problem:one_by_one() end }
    assert.error_matches(function()
      orrery.compare { jobs = orrery.synthetic {}, procs = 4000, policy = policy }
    end, "it makes packs .it has 'pack'., and schedules no jobs")
    assert.error_matches(function()
      orrery.compare { tasks = TASKS, procs = 8, policy = policy }
    end, "it makes packs .it has 'pack'., and redistributes no tasks")
    assert.error_matches(function()
      orrery.compare { tasks = TASKS, procs = 8, policy = "pack-by-pack" }
    end, "'pack%-by%-pack' is a pack policy .pack/pack%-by%-pack.; a pack that runs wants a "
      .. "redistribution policy")
    assert.error_matches(function()
      orrery.compare { jobs = orrery.synthetic {}, procs = 4000, policy = "pack-by-pack" }
    end, "'pack%-by%-pack' is a pack policy .pack/pack%-by%-pack., for tasks; jobs want a dispatch "
      .. "policy")
    assert.matches("'easy' is a dispatch policy .dispatch/easy., and makes no packs",
      problem_with { policy = "easy" })
  end)

  it("says what is wrong with a call", function()
    assert.matches("procs: expected a whole number of at least 1, found 0",
      problem_with { procs = 0 })
    assert.matches("k: expected a whole number of at least 1, found 0", problem_with { k = 0 })
    assert.matches("bounds: expected 'quick' or 'best', found 'good'",
      problem_with { bounds = "good" })
    assert.matches("runs: expected a whole number of at least 1, found '2'",
      problem_with { runs = "2" })
    assert.matches("unknown field 'polices', did you mean 'policies'",
      problem_with { polices = {} })
    assert.matches("task A: its least number of processors must be from 1 to the 4 that there are, "
      .. "not 5", problem_with { least = 5 })
    assert.matches("least: there is no task 'X'", problem_with { least = { X = 2 } })
    assert.matches("least of task B: expected a whole number of at least 1, found 0",
      problem_with { least = { 1, 0, 1, 1 } })
    assert.matches("tasks: expected tasks .*, found number", problem_with { tasks = 3 })
    assert.matches("tasks: the function gave nil for run 1, not tasks",
      problem_with { tasks = function() end })
    assert.matches("give policy or policies, not both", problem_with { policy = "one-by-one",
      policies = { "one-by-one" } })
  end)

  it("draws tasks anew in every run, the same for all policies", function()
    local seen = {}
    local result = orrery.packs { tasks = { n = 6, m = { 1000, 9000 } }, procs = 8, runs = 3,
      seed = 5, policies = { "one-by-one", "pack-by-pack" },
      progress = function(done, total) seen[#seen + 1] = done .. "/" .. total end }
    for r = 1, 3 do
      local tasks = orrery.tasks.synthetic { n = 6, m = { 1000, 9000 }, seed = 5, run = r }
      local sum = 0
      for i = 1, 6 do sum = sum + tasks:time(i, 8) end
      assert.near(sum, result:values("one-by-one", "cost")[r], 1e-9 * sum)
    end
    assert.same({ "1/6", "2/6", "3/6", "4/6", "5/6", "6/6" }, seen)
    local same = orrery.packs { tasks = function(r)
      return orrery.tasks.synthetic { n = 6, m = { 1000, 9000 }, seed = 5, run = r }
    end, procs = 8, runs = 3, policy = "pack-by-pack" }
    assert.same(result:values("pack-by-pack", "cost"), same:values(1, "cost"))
    assert.is_true(result:difference(1, 2).mean < 0)
  end)

  it("prints, and writes CSV and JSON", function()
    local result = run { policies = { "one-by-one", "pack-by-pack" } }
    assert.matches("^4 tasks on 4 processors, at most 4 in a pack, 1 run each, seed 1\npolicy ",
      tostring(result))
    assert.matches("no co%-schedule costs less than 6%.5 s", tostring(result))
    assert.matches("together 6%.5, parts of packs 6%.5%)",
      tostring(run { bounds = "best", policy = "one-by-one" }))
    assert.equal("policy,packs,cost,relative_cost,packing_ratio,relative_response\n"
      .. "one-by-one,4,6.5,1,1,1\n", run { policy = "one-by-one" }:csv())
    local json = require "dkjson".decode(result:json())
    assert.equal("pack-by-pack", json.policies[2].policy)
    assert.equal(6.5, json.policies[1].metrics.cost.mean)
    assert.equal(4, json.run.procs)
    local twice = run { policy = "random-pack", runs = 2 }
    assert.matches("^policy,packs,cost,relative_cost,packing_ratio,relative_response,run\n"
      .. "random%-pack,[^\n]*,1\nrandom%-pack,[^\n]*,2\n$", twice:csv())
    assert.error_matches(function() result:packs(3) end, "there is no policy '3'")
    assert.error_matches(function() result:coschedule(1, 2) end, "there is no run 2")
    assert.error_matches(function() result:ends(1, 1) end, "has no ends of tasks")
  end)

  it("knows pack policies by their names", function()
    local found = orrery.describe "pack-by-pack"
    assert.equal("PACK-BY-PACK", found.title)
    assert.equal(0.5, found.options.epsilon.default)
    local names = {}
    for _, policy in ipairs(orrery.policies()) do names[policy.name] = policy.problem or true end
    for _, name in ipairs { "annealed", "one-by-one", "optimal", "pack-approx", "pack-by-pack",
      "random-pack", "random-proc", "sorted-cuts", "two-in-p" } do
      assert.is_true(names["pack/" .. name])
    end
  end)
end)
