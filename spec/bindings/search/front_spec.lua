-- Searches for several metrics: who is dominated against a naive reference, what is claimed of the
-- front and how often by chance, and the same for any number of threads and after interruptions.
local dkjson = require "dkjson"
local orrery = require "orrery"

local front = require "orrery.search.front"
local program = require "spec.support.program"
local rounds = require "spec.support.rounds"
local searches = require "spec.support.searches"

-- Points that are dominated by none of the others, then those of the rest, and so on.
local function naive_ranks(points)
  local ranks, rank, left = {}, 0, #points
  while left > 0 do
    rank = rank + 1
    local now = {}
    for i, a in ipairs(points) do
      local is_free = not ranks[i]
      for j, b in ipairs(points) do
        local no_worse, better = true, false
        for m in ipairs(a) do
          no_worse, better = no_worse and b[m] <= a[m], better or b[m] < a[m]
        end
        if not ranks[j] and no_worse and better then is_free = false end
      end
      if is_free then now[#now + 1] = i end
    end
    for _, i in ipairs(now) do ranks[i], left = rank, left - 1 end
  end
  return ranks
end

describe("a front", function()
  it("has the ranks of a naive reference", function()
    local rng = orrery.random(1)
    for _ = 1, rounds(500, nil, 10) do
      local points, metrics = {}, rng:integer(1, 4)
      for i = 1, rng:integer(1, 40) do
        points[i] = {}
        for m = 1, metrics do points[i][m] = rng:integer(0, 9) end
      end
      assert.same(naive_ranks(points), front.ranks(points))
    end
  end)

  it("has the crowding that is computed by hand", function()
    -- in the first metric the ranges are 4, in the second 8
    local keys = front.keys { { 0, 8 }, { 1, 4 }, { 2, 3 }, { 4, 0 }, { 4, 4 } }
    assert.same({ { 1, -math.huge }, { 1, -(2 / 4 + 5 / 8) }, { 1, -(3 / 4 + 4 / 8) },
      { 1, -math.huge }, { 2, -math.huge } }, keys)
  end)
end)

local folder
setup(function()
  folder = program.folder()
  program.write(folder, "shuffled.lua", searches.SHUFFLED)
end)
teardown(function() program.remove(folder) end)

local function sets_of(first, count)
  local list = {}
  for i = 1, count do
    list[i] = { name = i, jobs = orrery.synthetic { count = 16, procs = { 1, 4 },
      time = { 1, 100 }, seed = first, set = i } }
  end
  return { sets = list }
end

local function spec_of(n, more)
  local spec = {
    policies = { { policy = folder .. "/shuffled.lua", vary = { salt = { least = 1 } } } },
    baselines = { folder .. "/shuffled.lua" },
    training = sets_of(3 * n + 1, 12), validation = sets_of(3 * n + 2, 12),
    testing = sets_of(3 * n + 3, 20),
    fixed = { procs = 4, batch = true }, metrics = { "flow_mean", "makespan" },
    evaluations = 250, seed = n, threads = 1,
  }
  for name, value in pairs(more or {}) do spec[name] = value end
  return spec
end

local function text_of(found)
  local list = { (found:json():gsub('"seconds":[^,}]*', "")) }
  for i in ipairs(found.front) do list[i + 1] = found:policy(nil, i) end
  return table.concat(list)
end

describe("a search for several metrics", function()
  it("claims in at most 2.5% of cases that a front of alikes extends one #long", function()
    local count, said = rounds(200, nil, 10), 0
    for n = 1, count do
      local found = orrery.search(spec_of(5000 + n))
      said = said + (found.found and 1 or 0)
      assert.equal(found.found, found.sentence:find "^Found: " ~= nil)
    end
    assert.is_true(said <= 0.025 * count + 3.1 * math.sqrt(0.025 * 0.975 * count), said)
  end)

  it("finds what is best in one metric and what is best in another one", function()
    local count, right = rounds(40, 10, 4), 0
    for n = 1, count do
      local policies = {}
      for i = 1, 20 do
        policies[i] = { policy = folder .. "/shuffled.lua", options = { salt = i },
          name = "alike " .. i }
      end
      policies[21] = { policy = "greedy", priority = "spt", name = "short" }
      policies[22] = { policy = "greedy", priority = "la", name = "large" }
      local found = orrery.search(spec_of(6000 + n, { policies = policies,
        testing = sets_of(3 * n + 18003, 30) }))
      local by = {}
      for _, member in ipairs(found.front) do by[member.name] = member.extends end
      right = right + (by.short and by.large and 1 or 0)
    end
    assert.is_true(right >= 0.9 * count, right)
  end)

  it("says of its members what comparisons say of them", function()
    local given = spec_of(1, { policies = { { policy = "greedy", priority = "spt", name = "short" },
      { policy = "greedy", priority = "la", name = "large" } }, baselines = { "fcfs", "easy" } })
    local found = orrery.search(given)
    local result = orrery.compare { sets = given.testing.sets, procs = 4, batch = true, seed = 3,
      policies = { given.policies[1], given.policies[2], "fcfs", "easy" } }
    assert.equal(2, #found.front)
    for i, member in ipairs(found.front) do
      assert.equal(({ "short", "large" })[i], member.name)
      for m, metric in ipairs(given.metrics) do
        assert.equal(result:summary(i, metric).mean, member.means.testing[m].mean)
        for b, baseline in ipairs { "fcfs", "easy" } do
          local d, row = result:difference(baseline, i, metric), member.against[b].metrics[m]
          for _, field in ipairs { "mean", "sd", "count", "half_width" } do
            assert.equal(d[field], row[field], field)
          end
          assert.equal(result:summary(baseline, metric).mean, row.base)
        end
      end
      assert.is_false(member.dominated)
    end
    assert.equal("dominates it", found.front[1].against[1].verdict)
    assert.is_nil(found.winner)
    local json = dkjson.decode(found:json())
    assert.same({ "short", "large" }, { json.front[1].name, json.front[2].name })
    assert.matches("return function", found:policy(nil, 2), 1, true)
    assert.has_error(function() found:policy(nil, 3) end)
    found:report(folder .. "/page.html")
    local page = program.read(folder .. "/page.html")
    assert.matches("The front, on samples", page, 1, true)
    assert.matches("<svg", page, 1, true)
  end)

  it("gives the same for any number of threads, and after interruptions #long", function()
    local expected, steps = nil, 0
    for _, threads in ipairs(rounds(3, 3, 2) == 3 and { 1, 2, 7 } or { 1, 7 }) do
      local given = spec_of(7, { threads = threads, formulas = { policies = { "easy", "greedy" } },
        constraints = { { metric = "wait_max", most = 2 } },
        keep = function(_, compute) steps = steps + 1 return compute() end })
      expected = expected or text_of(orrery.search(given))
      assert.equal(expected, text_of(orrery.search(given)))
    end
    local kept, left = {}, 0
    local given = spec_of(7, { formulas = { policies = { "easy", "greedy" } },
      constraints = { { metric = "wait_max", most = 2 } }, keep = function(name, compute)
        if not kept[name] then
          left = left - 1
          if left < 0 then error("stopped", 0) end
          kept[name] = compute()
        end
        return kept[name]
      end })
    local done, found
    repeat
      left = 9
      done, found = pcall(orrery.search, given)
    until done
    assert.equal(expected, text_of(found))
  end)

  it("says what is wrong with its metrics", function()
    for message, more in pairs {
      ["give metric or metrics, not both"] = { metric = "flow_mean" },
      ["metrics: expected a list of two metrics or more"] = { metrics = { "flow_mean" } },
      ["metrics[2]: 'flow_mean' is there twice"] = { metrics = { "flow_mean", "flow_mean" } },
      ["metrics[2]: there is no metric 'flow_meen', did you mean 'flow_mean'?"] =
        { metrics = { "makespan", "flow_meen" } },
    } do
      local done, problem = pcall(orrery.search, spec_of(1, more))
      assert.is_false(done)
      assert.matches(message, problem, 1, true)
    end
  end)
end)
