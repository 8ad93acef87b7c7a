-- Verdicts on made-up samples: each can come out each way.
local orrery = require "orrery"

local rounds = require "spec.support.rounds"
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
    assert.is_nil(judge(verdict.known("the largest", 1, "<", 2)).parts[1].half_width)
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
    local wrong, trials, rng = 0, rounds(2000, 2000, 1000), orrery.random(1)
    for _ = 1, trials do
      local parts = {}
      for p = 1, 20 do
        local noise = {}
        for i = 1, 10 do noise[i] = rng:normal() end
        parts[p] = verdict.part("x", noise, "<=", 0)
      end
      if judge(table.unpack(parts)).verdict == FAILS then wrong = wrong + 1 end
    end
    -- One-sided, so at most 2.5%: 50 of 2000, and four standard deviations are 28 (25 of 1000, 20).
    assert.is_true(wrong > 5 * trials / 1000 and wrong < (trials == 2000 and 78 or 45),
      wrong .. " wrong verdicts")
  end)
end)

describe("a ratio", function()
  local function part(ratios, relation, bound, less)
    return judge(verdict.ratio("x", ratios, relation, bound, less)).parts[1]
  end

  it("is judged on logarithms, and says the geometric mean beside the mean", function()
    -- Logarithms log 2, log 4, log 4, log 8: mean log 4, sd as above times log 2.
    local half = 3.182446305284263 * math.sqrt(2 / 3) * math.log(2) / 2
    local found = part({ 2, 4, 4, 8 }, "<", 1)
    assert.near(4, found.mean, 1e-12)
    assert.near(4 * math.exp(-half), found.low, 1e-9)
    assert.near(4 * math.exp(half), found.high, 1e-9)
    assert.same({ 4, 4.5, FAILS }, { found.count, found.arithmetic.mean, found.verdict })
    assert.is_nil(found.half_width)
    for _, case in ipairs {
      { "<", found.high + 1e-9, HOLDS }, { "<", found.high - 1e-9, OPEN },
      { "<", found.low + 1e-9, OPEN }, { "<", found.low - 1e-9, FAILS },
      { ">", found.low - 1e-9, HOLDS }, { ">=", found.high + 1e-9, FAILS },
    } do
      assert.equal(case[3], part({ 2, 4, 4, 8 }, case[1], case[2]).verdict, case[1] .. case[2])
    end
  end)

  it("may be a share above the other", function()
    local plain = part({ 1.02, 1.04, 1.03 }, "<=", 1.06)
    local found = judge(verdict.excess("x", { 1.02, 1.04, 1.03 }, "<=", 0.06)).parts[1]
    assert.same({ plain.mean - 1, plain.low - 1, plain.high - 1, HOLDS },
      { found.mean, found.low, found.high, found.verdict })
    assert.near(0.03, found.arithmetic.mean, 1e-12)
    assert.equal(0.06, found.bound)
  end)

  it("is exact where nothing varies, none where there are no samples, open with one", function()
    assert.equal(HOLDS, part({ 1.05, 1.05 }, "<=", 1.05).verdict)
    assert.equal(FAILS, part({ 1.05, 1.05 }, "<", 1.05).verdict)
    assert.is_nil(verdict.ratio("x", nil, "<", 1))
    assert.equal(OPEN, part({ 3 }, ">", 1).verdict)
  end)

  -- Either of two that could change places is the worse one in 2.5% of the cases, whatever the
  -- spread. The mean of ratios says worse in 13% of them and more.
  local repetitions = rounds(4000, 1000, 1000)
  local all = repetitions == 4000
  for _, count in ipairs { 6, 20, 30, 50, 100 } do -- weeks, runs and sets of the reproductions
    local title = "of two exchangeable policies is one-sided in 2.5%% each (%d samples)"
    it(title:format(count) .. (count > 6 and count < 100 and " #long" or ""),
      function()
        local rng = orrery.random(count)
        for _, spread in ipairs { 0.5, 1 } do
          local worse, better, worse_mean = 0, 0, 0
          for _ = 1, repetitions do
            local ratios = {}
            for i = 1, count do ratios[i] = math.exp(spread * (rng:normal() - rng:normal())) end
            local found = judge(verdict.ratio("x", ratios, "<=", 1))
            if found.verdict == FAILS then worse = worse + 1 end
            if judge(verdict.ratio("x", ratios, ">=", 1)).verdict == FAILS then
              better = better + 1
            end
            if judge(verdict.part("x", ratios, "<=", 1)).verdict == FAILS then
              worse_mean = worse_mean + 1
            end
          end
          local least, most = all and 0.015 or 0.01, all and 0.035 or 0.045
          for name, found in pairs { worse = worse, better = better } do
            assert.is_true(found >= least * repetitions and found <= most * repetitions,
              ("%s in %d of %d, spread %g"):format(name, found, repetitions, spread))
          end
          assert.is_true(worse_mean > 0.1 * repetitions or count < 20 or not all, worse_mean .. "")
        end
      end)
  end
end)

describe("a quantile", function()
  it("is judged by the order statistics that hold it (by hand)", function()
    -- Of ten samples the second and the ninth hold the median in 97.9%.
    local samples = { 10, 2, 9, 3, 8, 1, 7, 4, 6, 5 }
    for _, case in ipairs { { "<", 9.5, HOLDS }, { "<", 9, OPEN }, { "<=", 9, HOLDS },
      { ">", 1.5, HOLDS }, { ">", 2, OPEN }, { "<", 1.5, FAILS }, { ">=", 9.5, FAILS } } do
      local part = judge(verdict.median("x", samples, case[1], case[2])).parts[1]
      assert.same({ 5.5, 2, 9, 10, 5.5, case[3] },
        { part.mean, part.low, part.high, part.count, part.arithmetic.mean, part.verdict })
    end
    local five = {} -- a part in five is refuted by 99%: the first and the last
    for i = 1, 5 do five[i] = verdict.median("x", samples, "<", 1.5) end
    assert.equal(OPEN, judge(table.unpack(five)).verdict)
    for i = 1, 5 do five[i] = verdict.median("x", samples, "<", 0.5) end
    assert.equal(FAILS, judge(table.unpack(five)).verdict)
  end)

  it("is open where samples are few, on the side where they are", function()
    local samples = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 } -- 90%: from the seventh on
    assert.equal(OPEN, judge(verdict.quantile("x", samples, 0.9, "<", 100)).verdict)
    assert.equal(HOLDS, judge(verdict.quantile("x", samples, 0.9, ">", 6.5)).verdict)
    assert.equal(FAILS, judge(verdict.quantile("x", samples, 0.9, "<", 6.5)).verdict)
    assert.is_nil(judge(verdict.quantile("x", samples, 0.9, "<", 100)).margin)
    assert.near(0.5, judge(verdict.quantile("x", samples, 0.9, ">", 6.5)).margin, 1e-12)
    assert.equal(OPEN, judge(verdict.median("x", { 1 }, ">", 0)).verdict)
    assert.is_nil(verdict.median("x", nil, "<", 1))
  end)
end)

describe("a comparison by ranks", function()
  it("is judged by Wilcoxon's interval (by hand)", function()
    local samples = { 1, 2, 3, 4, 5, 9 } -- all pairs, from 1 to 9; the 11th of 21 is 3.5
    for _, case in ipairs { { "<", 9.5, HOLDS }, { "<", 9, OPEN }, { ">", 0, HOLDS },
      { ">=", 9.5, FAILS }, { "<=", 0.5, FAILS } } do
      local part = judge(verdict.ranks("x", samples, case[1], case[2])).parts[1]
      assert.same({ 3.5, 1, 9, 6, 4, case[3] },
        { part.mean, part.low, part.high, part.count, part.arithmetic.mean, part.verdict })
    end
    assert.equal(2 / 64, judge(verdict.ranks("x", samples, ">", 0)).parts[1].p)
    assert.equal(1, judge(verdict.ranks("x", samples, ">", 3.5)).parts[1].p)
    assert.is_nil(verdict.ranks("x", nil, "<", 1))
  end)

  it("is one of paired differences where it is asked for, and of those of kinds", function()
    local a, b = { 1, 2, 3, 4, 5, 6 }, { 2, 4, 6, 8, 10, 1000 }
    local mean = judge(verdict.less("x", a, b)).parts[1]
    local ranks = judge(verdict.less("x", a, b, 0.5, verdict.ranks)).parts[1]
    assert.same({ OPEN, HOLDS, -0.5 }, { mean.verdict, ranks.verdict, ranks.bound })
    assert.equal(HOLDS, judge(verdict.no_more("x", a, b, 0, verdict.median)).verdict)
    local function curve(name, samples)
      return { name = name, samples = function() return samples end }
    end
    local pairs_of, points = { { curve("a", a), curve("b", b) } }, { { at = "q = 0" } }
    local kinds = require "orrery.command.kinds"
    assert.equal(HOLDS, judge(table.unpack(kinds.less(pairs_of, points, 0, verdict.ranks))).verdict)
    assert.equal(OPEN, judge(table.unpack(kinds.less(pairs_of, points, 0))).verdict)
    assert.equal("by ranks",
      judge(table.unpack(kinds.no_more(pairs_of, points, 0, verdict.ranks))).parts[1].what)
  end)

  it("of two exchangeable policies is one-sided in 2.5% each, whatever the tails", function()
    local repetitions, rng = rounds(4000, 1000, 1000), orrery.random(1)
    for _, count in ipairs { 10, 30 } do
      local worse, better = 0, 0
      for _ = 1, repetitions do
        local a, b = {}, {}
        for i = 1, count do a[i], b[i] = math.exp(2 * rng:normal()), math.exp(2 * rng:normal()) end
        if judge(verdict.no_more("x", a, b, 0, verdict.ranks)).verdict == FAILS then
          worse = worse + 1
        end
        if judge(verdict.no_more("x", b, a, 0, verdict.ranks)).verdict == FAILS then
          better = better + 1
        end
      end
      local slack = repetitions < 4000 and 0.01 or 0
      local least, most = (0.015 - slack) * repetitions, (0.035 + slack) * repetitions
      for name, found in pairs { worse = worse, better = better } do
        assert.is_true(found >= least and found <= most,
          ("%s in %d of %d"):format(name, found, repetitions))
      end
    end
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

describe("the margin of a statement", function()
  -- Mean 2; half the interval of 95%, and that of two parts (97.5%).
  local samples = { 1, 2, 2, 3 }
  local sd = math.sqrt(2 / 3)
  local half, wide = 3.182446305284263 * sd / 2, orrery.student_quantile(0.9875, 3) * sd / 2

  local function margin(mode, ...)
    local parts = {}
    for i, case in ipairs { ... } do
      parts[i] = verdict.part("x", samples, case[1], case[2])
    end
    local statement = verdict[mode]("title", "section", parts)
    return statement.verdict, statement.margin
  end

  it("is how far all bounds are from where the verdict turns (by hand)", function()
    for _, case in ipairs {
      { HOLDS, 4 - 2 - half, "all", { "<", 5 }, { "<=", 4 } },
      { HOLDS, 2 - half - 0.1, "all", { ">", 0.1 }, { "<", 9 } },
      { OPEN, half, "all", { "<", 9 }, { "<", 2 } },
      { FAILS, 2 - wide + 3, "all", { "<", -3 }, { "<", -1 } },
      { HOLDS, 5 - 2 - wide, "any", { "<", 5 }, { "<", 4 } },
      { OPEN, wide, "any", { "<", 1 }, { "<", 2 } },
      { FAILS, 2 - half + 1, "any", { "<", -3 }, { "<", -1 } },
    } do
      local found, m = margin(table.unpack(case, 3))
      assert.equal(case[1], found)
      assert.near(case[2], m, 1e-9)
    end
    assert.is_nil(judge(verdict.part("x", { 1 }, "<", 2)).margin)
    assert.near(0.5, judge(verdict.known("x", 1.5, "<", 2)).margin, 1e-12)
  end)

  it("turns the verdict where it says", function()
    for _, bound in ipairs { 5, 2, -3 } do
      local found, m = margin("all", { "<", bound }, { "<", bound + 1 })
      local moved = bound + (found == HOLDS and -m or m)
      for _, step in ipairs { -1e-6, 1e-6 } do
        local other = margin("all", { "<", moved + step }, { "<", moved + step + 1 })
        local stays = found == HOLDS and step > 0 or found ~= HOLDS and step < 0
        assert.equal(stays, other == found)
      end
    end
  end)

  it("is one of ratios themselves", function()
    local found = judge(verdict.ratio("x", { 2, 4, 4, 8 }, "<", 1))
    local one = found.parts[1]
    assert.equal(FAILS, found.verdict)
    assert.near(one.low - 1, found.margin, 1e-12)
  end)
end)

describe("differences that rounding makes", function()
  it("are none", function()
    local a, b = { 0.1 + 0.2, 1, 7 }, { 0.3, 1, 7 }
    assert.equal(HOLDS, judge(verdict.no_more("x", a, b)).verdict)
    assert.equal(FAILS, judge(verdict.less("x", b, a)).verdict)
    assert.equal(0, judge(verdict.less("x", b, a)).parts[1].mean)
  end)

  it("are those of less than 1e-12 of the larger number", function()
    local difference = orrery.tools.numbers.difference
    for _, case in ipairs { { 1, 1 + 1e-15, 0 }, { 0, 1e-17, 1e-17 }, { 3, 5, 2 },
      { -1e9, -1e9 + 1e-5, 0 }, { 1, math.huge, math.huge }, { 1, 1 + 1e-9, 1 + 1e-9 - 1 } } do
      assert.equal(case[3], difference(case[1], case[2]))
    end
    assert.is_true(difference(0 / 0, 1) ~= difference(0 / 0, 1))
  end)
end)

describe("lists of statements", function()
  local low, high = { 1, 1, 1 }, { 2, 2, 2 }

  it("cannot be tested where they need other data, whatever comes out", function()
    local less = verdict.less("a less b", low, high)
    local judged = verdict.judge { where = "section 1", needs = "the log", { "one", { less } },
      { "two", { less }, needs = false }, { { "three", { less }, needs = "another" } } }
    local found = {}
    for i, one in ipairs(judged) do
      found[i] = { one.verdict, one.found or "", one.needs or "" }
    end
    assert.same({ { verdict.UNTESTED, HOLDS, "the log" }, { HOLDS, "", "" },
      { verdict.UNTESTED, HOLDS, "another" } }, found)
  end)

  it("are there without any number where they say themselves what they need", function()
    local judged = verdict.judge { where = "section 1", needs = "the log", { "none", {} },
      { "one", {}, needs = "another" } }
    assert.equal(1, #judged)
    assert.same({ "one", "section 1", verdict.UNTESTED, "another", 0 }, { judged[1].title,
      judged[1].where, judged[1].verdict, judged[1].needs, #judged[1].parts })
    assert.is_nil(judged[1].found)
  end)

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
