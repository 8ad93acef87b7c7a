-- What a paper has, and what of it is here; differences as a panel.
require "orrery"

local drawing = require "orrery.command.drawing"
local page = require "orrery.command.page"
local paper_table = require "orrery.command.paper_table"
local verdict = require "orrery.command.verdict"

describe("orrery.command.paper_table", function()
  local CONTENTS = {
    { "Theorem 1", "a | b", specs = { { "spec/a_spec.lua", "it holds" } } },
    { "Figure 2", "curves", partly = "other sizes", figures = { "2" },
      statements = { "5, figure 2" } },
    { "Table 3", "means", needs = "the log", given = function(plan) return plan.log end,
      partly = "30 days", figures = { "3" } },
  }
  local STATES = { "**reproduced**", "**partly**: other sizes",
    "**cannot be tested here**: it needs the log; otherwise **partly**: 30 days" }

  it("writes the table of a README between its marks, and nothing else", function()
    local expected = ([[
before
<!-- contents -->
| in the paper | what it is | here | shown by |
| --- | --- | --- | --- |
| Theorem 1 | a \| b | %s | spec: [it holds](../../../spec/a_spec.lua) |
| Figure 2 | curves | %s | `--figure 2`; statements on 5, figure 2 |
| Table 3 | means | %s | `--figure 3` |
<!-- end -->
<!-- end -->
]]):format(table.unpack(STATES))
    local text = "before\n<!-- contents -->\nold\n<!-- end -->\n<!-- end -->\n"
    assert.equal(expected, paper_table.update(CONTENTS, text))
    assert.equal(expected, paper_table.update(CONTENTS, expected))
    assert.error_matches(function() paper_table.update(CONTENTS, "none") end, "there is no <!--")
  end)

  it("says on a page what that run has, with its verdicts", function()
    local judged = verdict.judge { where = "5, figure 2",
      { "one", { verdict.known("a", 1, "<", 2) } }, { "two", { verdict.known("a", 1, "<", 2) } },
      { "three", { verdict.known("a", 1, ">", 2) } },
      { "four", { verdict.known("a", 1, ">", 2) }, where = "explanation" } }
    local p = page.new "Title"
    paper_table.add(p, CONTENTS, { log = true }, judged)
    assert.equal(([[
# Title

## What of the paper is here

| in the paper | what it is | here | statements in this run |
| --- | --- | --- | --- |
| Theorem 1 | a \| b | %s |  |
| Figure 2 | curves | %s | 3: 2 holds, 1 does not hold |
| Table 3 | means | **partly**: 30 days |  |
]]):format(STATES[1], STATES[2]), p:markdown())
    paper_table.add(p, CONTENTS, {}, judged)
    assert.matches("| Table 3 | means | " .. STATES[3] .. " |  |", p:markdown(), 1, true)
  end)
end)

describe("a panel of paired differences", function()
  it("has the differences from one curve, whose own is left out (by hand)", function()
    local values = { { a = { 1, 2, 3 }, b = { 2, 3, 4 }, c = { 1, 3, 5 } },
      { a = { 1 }, b = { 3 } } }
    local list = { { name = "a" }, { name = "b" }, { name = "c" } }
    local panel = drawing.differences({ title = "T", x = "X" }, list[1], list,
      { { x = 10 }, { x = 20 } }, function(point, one) return values[point.x / 10][one.name] end)
    assert.same({ "T", "X", "Less a, pair by pair", 0 },
      { panel.title, panel.x, panel.y, panel.line })
    assert.is_nil(panel.curves.a)
    assert.same({ { 10, 1, 0 } }, { panel.curves.b[1] })
    assert.same({ 20, 2 }, { panel.curves.b[2][1], panel.curves.b[2][2] })
    -- 0, 1, 2: deviation 1, so half of Student's interval is 4.302652730 / sqrt(3); of so few it is
    -- taken 1 + 2.5 / 5 + 15 / 25 times
    assert.equal(1, #panel.curves.c)
    assert.near(2.1 * 4.302652730 / math.sqrt(3), panel.curves.c[1][3], 1e-8)
  end)
end)
