-- The pieces of a picture as text, by hand.
require "orrery"
local svg = require "orrery.draw.svg"

describe("a piece of a picture", function()
  it("is a text that can be shown, without markup", function()
    assert.equal("a&amp;&lt;b&gt;&quot;&#39;é\n", svg.escape "a&<b>\"'é\n")
    assert.equal("a\u{FFFD}\u{FFFD}\u{FFFD}z", svg.legible "a\1\127\u{FFFE}z")
    assert.equal("\u{FFFD}\u{FFFD}\u{FFFD}", svg.legible "é\xff")
    assert.equal("7", svg.legible(7))
    assert.near(0.58 * 2 * 10, svg.width("éa", 10), 1e-12)
    assert.near(0.58 * 2 * 10, svg.width("a\xff", 10), 1e-12)
  end)

  it("has short coordinates", function()
    assert.same({ "12.5", "12", "-0.1", "10" }, { svg.number(12.54), svg.number(11.99),
      svg.number(-0.12), svg.number(10) })
    assert.equal('<text x="1.5" y="2">a&lt;</text>', svg.text(1.5, 2, "a<"))
    assert.equal('<text x="0" y="2" class="b">a</text>', svg.text(0, 2, "a", 'class="b"'))
  end)

  it("is a pattern once, where it is one, and the fill of a look", function()
    local text, n = svg.patterns({ "failed", "lost", "killed", "checkpoint" }, "g", 0.5):gsub(
      '<pattern id="g%-%w+" class="og%-pat" width="8" height="8" patternUnits="userSpaceOnUse" '
      .. 'patternTransform="scale%(0%.5%)">', "")
    assert.same({ 2, 2 }, { n, select(2, text:gsub("</pattern>", "")) })
    assert.same({ 'fill="url(#g-stripes)"', 'fill="url(#g-cross)"',
      'fill="#000" fill-opacity=".55"', 'fill="#222"', 'fill="#fff" fill-opacity=".65"' }, {
      svg.fill("failed", "g"), svg.fill("killed", "g"), svg.fill "checkpoint",
      svg.fill "downtime", svg.fill "running" })
  end)

  it("is a script without comments and blanks", function()
    assert.equal("a = 1;\nb = 'x//y';\n", svg.compact
      "/* c\n d */\na = 1; // one\n  // whole\n\n  b = 'x//y';\n")
  end)
end)
