-- What the reproductions write: CSV, pages.
require "orrery"

local csv = require "orrery.command.csv"
local page = require "orrery.command.page"
local verdict = require "orrery.command.verdict"

describe("orrery.command.csv", function()
  it("writes numbers that read back, and nothing where there is nothing", function()
    assert.equal('a,b,c\n1,0.1,"x, ""y"""\n,,z\n0.33333333333333331,-1,\n',
      csv.text({ "a", "b", "c" }, { { a = 1, b = 0.1, c = 'x, "y"' }, { b = 0 / 0, c = "z" },
        { a = 1 / 3, b = -1 } }))
  end)
end)

describe("orrery.command.page", function()
  it("sets statements beside numbers", function()
    local statement = verdict.all("Less | more", "section 5", {
      verdict.part("sum", { 1, 1, 1 }, "<", 2), verdict.part("product", { 1, 1, 1 }, "<", 1.5),
    })
    local text = page.new("Title"):text("100% sure"):heading("Part")
      :statements({ statement }):comparisons({ statement }):markdown()
    local tally = "**holds** (of 2 comparisons 2 holds)"
    local expected = ([[
# Title

100% sure

## Part

| statement | where | verdict | clearest comparison |
| --- | --- | --- | --- |
| 1. Less \| more | section 5 | TALLY | sum: 1.0000 (the same every time), stated < 2.0000 |

### 1. Less | more

section 5. All comparisons must hold: TALLY.

|  | measured | stated | samples | verdict |
| --- | ---: | ---: | ---: | ---: |
| sum | 1.0000 (the same every time) | < 2.0000 | 3 | holds |
| product | 1.0000 (the same every time) | < 1.5000 | 3 | holds |
]]):gsub("TALLY", tally)
    assert.equal(expected, text)
  end)

  it("says what a statement needs, and where a verdict with a bound of ours turns", function()
    local part = verdict.known("the largest", 1.2, "<=", 1.5)
    local judged = verdict.judge { where = "5", { "Less (here: 50%)", { part } },
      { "Much less", { part } }, { "Most (here: 1)", { part }, needs = "the log" } }
    local text = page.new("Title"):statements(judged):comparisons(judged):markdown()
    for _, what in ipairs {
      "| 1. Less (here: 50%) | 5 | **holds**; also with bounds tighter by 0.3000 | the largest: "
        .. "1.2000, stated <= 1.5000 |",
      "| 2. Much less | 5 | **holds** | the largest",
      "| **cannot be tested here**; it needs the log. With the data at hand: holds; also with "
        .. "bounds tighter by 0.3000 | the largest: 1.2000, stated",
      "\n5. All comparisons must hold: **cannot be tested here**; it needs the log. With",
    } do
      assert.matches(what, text, 1, true)
    end
  end)

  it("has statements of which there is no number", function()
    local judged = verdict.judge { where = "5", { "Gains", {}, needs = "the log" } }
    local text = page.new("Title"):statements(judged):comparisons(judged):markdown()
    assert.matches("| 1. Gains | 5 | **cannot be tested here**; it needs the log |  |\n", text, 1,
      true)
    assert.equal("5. No comparison: **cannot be tested here**; it needs the log.\n",
      text:match "\n### 1%. Gains\n\n(.*)$")
  end)

  it("says the geometric mean of ratios, and beside it their mean", function()
    local statement = verdict.all("Less", "section 5", {
      verdict.ratio("often less", { 0.5, 2, 0.5, 0.5 }, "<", 1),
      verdict.ratio("one", { 2 }, ">", 1),
    })
    local text = page.new("Title"):statements({ statement }):comparisons({ statement }):markdown()
    assert.matches("| one: 2.0000, stated > 1.0000 |", text, 1, true)
    assert.matches([[
|  | geometric mean | stated | samples | verdict | mean of the ratios |
| --- | ---: | ---: | ---: | ---: | ---: |
| often less | 0.7071 [0.2347, 2.1305] | < 1.0000 | 4 | not decided | 0.8750 ± 1.1934 |
| one | 2.0000 | > 1.0000 | 1 | not decided | 2.0000 |
]], text, 1, true)
  end)

  it("says medians and ranks, and beside them means", function()
    local samples = { 1, 2, 3, 4, 5, 9 }
    local statement = verdict.all("More", "section 5", {
      verdict.median("median", samples, ">", 0), verdict.ranks("ranks", samples, ">", 0),
      verdict.quantile("most", samples, 0.9, "<", 20), verdict.part("mean", samples, ">", 0),
      verdict.ranks("many", { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15 }, ">=", 0),
    })
    local text = page.new("Title"):comparisons({ statement }):markdown()
    assert.matches([[
|  | measured | stated | samples | verdict | mean |
| --- | ---: | ---: | ---: | ---: | ---: |
| median | median 3.5000 [1.0000, 9.0000] | > 0.0000 | 6 | holds | 4.0000 ± 2.9683 |
| ranks | by ranks 3.5000 [1.0000, 9.0000], p 0.0312 | > 0.0000 | 6 | holds | 4.0000 ± 2.9683 |
| most | 90% quantile 7.0000 | < 20.0000 | 6 | not decided | 4.0000 ± 2.9683 |
| mean | 4.0000 ± 2.9683 | > 0.0000 | 6 | holds |  |
| many | by ranks 8.0000 [5.5000, 10.5000], p < 0.0001 | >= 0.0000 | 15 | holds | 8.0000 ± 2.4766 |
]], text, 1, true)
  end)

  it("has no interval of 0, and no -0", function()
    for _, case in ipairs { { "1.0500 ± 0.0012", 1.05, 0.0012 },
      { "1.0500 ± 1.2e-05", 1.05, 1.2e-5 },
      { "1.0500", 1.05, nil }, { "1.0500", 1.05, 0 / 0 }, { "0.0000 ± 3.0e-09", -1e-9, 3e-9 },
      { "-0.0100 (the same every time)", -0.01, 0 } } do
      assert.equal(case[1], page.interval("%.4f", case[2], case[3]))
    end
    assert.equal("2.00", page.interval_of("%.2f", { mean = 2, low = -math.huge, high = 4 }))
    assert.equal("0.00 [0.00, 0.01]", page.interval_of("%.2f", { mean = -1e-9, low = -0.001,
      high = 0.009 }))
    assert.equal("2.00", page.interval_of("%.2f", { mean = 2, low = 0 / 0, high = 0 / 0 }))
  end)
end)
