-- The statements about redirection on made-up numbers: each can hold, and each can fail.
require "orrery"

local paper = require "orrery.reproduce.redirection.plan"
local statements = require "orrery.reproduce.redirection.statements"
local verdict = require "orrery.command.verdict"

-- Ratios of a pair: mean, maximum; and the share of redirected jobs.
local function of_the_paper(alpha, theta)
  local far = math.abs(math.log(theta / 10))
  local congested = theta < 5 and 2 * (0.3 - alpha) or 0
  return 0.5 + 0.1 * far + congested, 0.95 + 0.02 * far - 0.2 * alpha, 0.2 / theta ^ 1.5
end

local WORLDS = {
  of_the_paper,
  function(...) -- upside down
    local mean, max, share = of_the_paper(...)
    return 2.3 - mean, 2.2 - max, 0.1 - share
  end,
  function(alpha, theta) -- small thresholds are best, and the maximum gains more
    return 0.8 + theta / 1000 + alpha, 0.5 + alpha, 0.5
  end,
}

local function store_of(world, noise, weeks)
  local store, plan = {}, { thetas = paper.thetas, alphas = paper.alphas, systems = {} }
  for i, name in ipairs { "one", "curie", "intrepid", "ricc" } do
    plan.systems[i] = { name = name, weeks = {}, cluster = i > 1 and name or nil }
    for w = 1, weeks do plan.systems[i].weeks[w] = { jobs = {} } end
    for w = 1, weeks do
      for j = 1, 100 do plan.systems[i].weeks[w].jobs[j] = j end
    end
  end
  function store:ratios(_, alpha, theta, metric, filter) -- luacheck: no self
    local mean, max = world(alpha, theta)
    if filter then mean = world == of_the_paper and mean + 0.1 or mean end
    local list = {}
    for w = 1, weeks do
      list[w] = (metric == "bsld_mean" and mean or max) + 1e-6 * w
        + noise * math.sin(w * 7 + theta * 3 + alpha * 100)
    end
    return list
  end
  function store:get(_, alpha, theta) -- luacheck: no self
    local mean, _, share = world(alpha, theta)
    local redirected, means = {}, {}
    for w = 1, weeks do redirected[w], means[w] = 100 * share, 20 * mean + noise * math.sin(w) end
    return { redirected = redirected, bsld_mean = means }
  end
  function store:get_alone() -- luacheck: no self
    local means = {}
    for w = 1, weeks do means[w] = 20 end
    return { bsld_mean = means }
  end
  function store:worst_is_redirected() -- luacheck: no self
    local list = {}
    for w = 1, weeks do
      list[w] = (noise > 0 and w % 2 or world == of_the_paper and 1 or 0) + 1e-6 * w
    end
    return list
  end
  return store, plan
end

local function judged(world, noise)
  local store, plan = store_of(world, noise, 6)
  return statements.of(store, plan, { filter = true })
end

describe("the statements about redirection", function()
  it("hold in numbers like the paper's", function()
    for _, statement in ipairs(judged(of_the_paper, 0)) do
      assert.equal(verdict.HOLDS, statement.verdict, statement.title)
    end
  end)

  it("each hold in some numbers and fail in others", function()
    local failing, holding, titles = {}, {}, {}
    for _, world in ipairs(WORLDS) do
      for i, statement in ipairs(judged(world, 0)) do
        titles[i] = statement.title
        failing[i] = failing[i] or statement.verdict == verdict.FAILS
        holding[i] = holding[i] or statement.verdict == verdict.HOLDS
      end
    end
    assert.equal(19, #titles)
    for i, title in ipairs(titles) do
      assert.is_true(failing[i], title .. " cannot fail")
      assert.is_true(holding[i], title .. " cannot hold")
    end
  end)

  it("are not decided where the weeks differ too much", function()
    local open = 0
    for _, statement in ipairs(judged(of_the_paper, 0.9)) do
      if statement.verdict == verdict.OPEN then open = open + 1 end
    end
    assert.is_true(open >= 7, open .. " statements not decided")
  end)

  it("choose parameters for a week on the other weeks (by hand)", function()
    -- two pairs: the first is better in weeks 1 and 2, the second by far in week 3
    local numbers = { [1] = { 0.8, 0.8, 1 }, [2] = { 1, 1, 0.1 } }
    local store = {}
    function store:ratios(_, _, theta, metric) -- luacheck: no self
      if metric == "bsld_max" then return { 10 * theta, 10 * theta, 10 * theta } end
      return numbers[theta]
    end
    local plan, system = { thetas = { 1, 2 }, alphas = { 0.1 } }, { weeks = { 1, 2, 3 } }
    local means, maxima, chosen = statements.chosen_elsewhere(store, plan, system)
    -- without week 3 the first pair is better, otherwise the second
    assert.same({ 1, 1, 1 }, means)
    assert.same({ 20, 20, 10 }, maxima)
    assert.same({ 2, 2, 1 }, { chosen[1].theta, chosen[2].theta, chosen[3].theta })
  end)

  it("find the pair for both by its worse ratio (by hand)", function()
    local means = { [1] = { 0.5, 0.5 }, [2] = { 0.9, 0.8 }, [5] = { 1.1, 1.1 } }
    local maxima = { [1] = { 1.2, 1.2 }, [2] = { 0.95, 0.95 }, [5] = { 0.1, 0.1 } }
    local store = {}
    function store:ratios(_, _, theta, metric) -- luacheck: no self
      return (metric == "bsld_max" and maxima or means)[theta]
    end
    local pair = statements.best_for_both(store, { thetas = { 1, 2, 5 }, alphas = { 0.1 } }, {})
    assert.equal(2, pair.theta)
  end)
end)
