-- Verdicts on made-up samples: each can come out each way.
local orrery = require "orrery"

local verdict = require "orrery.command.verdict"

local HOLDS, FAILS, OPEN = verdict.HOLDS, verdict.FAILS, verdict.OPEN

local function judge(...) return verdict.all("title", "section", { ... }) end

describe("a part of a statement", function()
  -- Mean 2, sd 1, n = 4: half width 3.1824 / 2 = 1.5912, so the interval is 0.409 .. 3.591.
  local samples = { 1, 2, 2, 3 }
  local sd = math.sqrt(2 / 3)
  local half = 3.182446305284263 * sd / 2

  it("is judged by where its interval lies", function()
    for _, case in ipairs {
      { "<", 4, HOLDS }, { "<", 0, FAILS }, { "<", 2, OPEN }, { "<", 2.1, OPEN },
      { ">", 4, FAILS }, { ">", 0, HOLDS }, { ">", 2, OPEN },
      { "<=", 4, HOLDS }, { "<=", 0, FAILS }, { ">=", 4, FAILS }, { ">=", 0, HOLDS },
      { "<", 2 + half - 1e-9, OPEN }, { "<", 2 + half + 1e-9, HOLDS },
      { "<", 2 - half - 1e-9, FAILS }, { "<", 2 - half + 1e-9, OPEN },
    } do
      local statement = judge(verdict.part("x", samples, case[1], case[2]))
      assert.equal(case[3], statement.verdict, case[1] .. case[2])
      assert.equal(2, statement.parts[1].mean)
      assert.near(half, statement.parts[1].half_width, 1e-9)
    end
  end)

  it("compares strictly or not where nothing varies", function()
    local same = { 2, 2, 2 }
    assert.equal(FAILS, judge(verdict.part("x", same, "<", 2)).verdict)
    assert.equal(HOLDS, judge(verdict.part("x", same, "<=", 2)).verdict)
    assert.equal(FAILS, judge(verdict.part("x", same, ">", 2)).verdict)
    assert.equal(HOLDS, judge(verdict.part("x", same, ">=", 2)).verdict)
  end)

  it("is not decided by one sample", function()
    assert.equal(OPEN, judge(verdict.part("x", { 1 }, "<", 100)).verdict)
  end)

  it("takes differences pair by pair", function()
    -- The sets differ by far more than the policies do.
    local a, b = { 1, 20, 300, 4000 }, { 2, 21.1, 301, 4000.9 }
    assert.equal(HOLDS, judge(verdict.less("x", a, b)).verdict)
    assert.equal(FAILS, judge(verdict.less("x", b, a)).verdict)
    assert.equal(HOLDS, judge(verdict.less("x", a, b, 0.8)).verdict)
    assert.equal(FAILS, judge(verdict.less("x", a, b, 1.5)).verdict)
    assert.near(-1, judge(verdict.less("x", a, b)).parts[1].mean, 1e-9)
    assert.equal(HOLDS, judge(verdict.no_more("x", b, a, 1.2)).verdict)
    assert.equal(FAILS, judge(verdict.no_more("x", b, a, 0.5)).verdict)
    assert.equal(HOLDS, judge(verdict.no_more("x", a, a)).verdict)
    assert.equal(FAILS, judge(verdict.less("x", a, a)).verdict)
    assert.has_error(function() verdict.less("x", { 1 }, { 1, 2 }) end)
  end)

  it("refutes with an interval that is as wide as the number of parts asks", function()
    -- Student's t with 3 degrees of freedom, 0.995: 5.8409
    local wide = 5.840909309733 * sd / 2
    local function of_five(mode, relation, bound)
      local parts = {}
      for i = 1, 5 do parts[i] = verdict.part("x", samples, relation, bound) end
      local statement = verdict[mode]("title", "section", parts)
      assert.near(half, statement.parts[5].half_width, 1e-9)
      return statement.verdict
    end
    assert.equal(HOLDS, of_five("all", "<", 2 + half + 1e-6))
    assert.equal(OPEN, of_five("all", "<", 2 - wide + 1e-6))
    assert.equal(FAILS, of_five("all", "<", 2 - wide - 1e-6))
    assert.equal(FAILS, of_five("any", ">", 2 + half + 1e-6))
    assert.equal(OPEN, of_five("any", ">", 2 - wide + 1e-6))
    assert.equal(HOLDS, of_five("any", ">", 2 - wide - 1e-6))
  end)

  it("that fails by chance is rare, whatever the number of parts", function()
    local wrong, trials, rng = 0, 2000, orrery.random(1)
    for _ = 1, trials do
      local parts = {}
      for p = 1, 20 do
        local noise = {}
        for i = 1, 10 do noise[i] = rng:normal() end
        parts[p] = verdict.part("x", noise, "<=", 0)
      end
      if judge(table.unpack(parts)).verdict == FAILS then wrong = wrong + 1 end
    end
    -- One-sided, so at most 2.5%: 50 of 2000, and four standard deviations are 28.
    assert.is_true(wrong > 10 and wrong < 78, wrong .. " wrong verdicts")
  end)
end)

describe("a statement", function()
  local yes = function() return verdict.part("x", { 1, 1 }, "<", 2) end
  local no = function() return verdict.part("x", { 3, 3 }, "<", 2) end
  local open = function() return verdict.part("x", { 0, 4 }, "<", 2) end

  it("of all parts holds when all hold, and does not when one does not", function()
    for _, case in ipairs {
      { HOLDS, yes(), yes() }, { FAILS, yes(), no() }, { OPEN, yes(), open() },
      { FAILS, open(), no(), yes() }, { FAILS, no() }, { OPEN, open() },
    } do
      assert.equal(case[1], judge(table.unpack(case, 2)).verdict)
    end
    assert.same({ [HOLDS] = 1, [FAILS] = 2, [OPEN] = 0 }, judge(yes(), no(), no()).counts)
  end)

  it("of any part holds when one holds, and does not when none does", function()
    for _, case in ipairs {
      { HOLDS, yes(), no() }, { FAILS, no(), no() }, { OPEN, no(), open() },
      { HOLDS, open(), no(), yes() },
    } do
      assert.equal(case[1], verdict.any("t", "s", { table.unpack(case, 2) }).verdict)
    end
  end)

  it("says something", function()
    assert.has_error(function() judge() end)
  end)
end)

describe("lists of statements", function()
  local low, high = { 1, 1, 1 }, { 2, 2, 2 }

  it("are judged, each by its own place and mode", function()
    local less, more = verdict.less("a less b", low, high), verdict.less("b less a", high, low)
    local judged = verdict.judge({ where = "section 1", { "one", { less, more } },
      { "two", { less, more }, any = true, where = "section 2", note = "why" } }, nil, false,
      { where = "section 3", { "none", {} }, { { "three", { less } }, {} } })
    local found = {}
    for i, one in ipairs(judged) do
      found[i] = { one.title, one.where, one.mode, one.verdict, one.note }
    end
    assert.same({ { "one", "section 1", "all", FAILS }, { "two", "section 2", "any", HOLDS, "why" },
      { "three", "section 3", "all", HOLDS } }, found)
  end)

  it("have no part about what was not simulated", function()
    assert.is_nil(verdict.part("x", nil, "<", 1))
    assert.is_nil(verdict.less("x", nil, low))
    assert.is_nil(verdict.less("x", low, nil))
    assert.is_nil(verdict.no_more("x", low, nil, 0.1))
  end)

  it("have the parts of every combination, the last list running fastest", function()
    local function part(label) return verdict.part(label, low, "<", 2) end
    local found = verdict.each({ 1, 2 }, { "a", "b", "c" }, function(number, letter)
      if letter == "b" then return nil, false, part(number .. "B") end
      if number == 1 then return part(number .. letter), { part "again", part "more" }, {} end
    end)
    local labels = {}
    for i, one in ipairs(found) do labels[i] = one.label end
    assert.same({ "1a", "again", "more", "1B", "1c", "again", "more", "2B" }, labels)
    assert.same({}, verdict.each({}, { 1 }, function() return part "never" end))
  end)
end)
