-- The pieces of a report's page, as they are written.
local orrery = require "orrery"
local html = orrery.draw.html

describe("a page", function()
  it("has tables with a head, a caption and classes, and texts without markup", function()
    local page = html.new "A <page>"
    page:rows({ { "policy", "a" }, { "x<y", { "1 *", "yes" } } }, "the & caption"):heading "H"
    page:text("soft", "soft"):code "1 > 2"
    page:hidden("more", "inside"):figure("<svg/>", "drawn"):figure("<svg/>", nil, "wide")
    assert.same({ '<div class="wide"><table>\n<caption>the &amp; caption</caption>\n<thead><tr>'
      .. "<th>policy</th><th>a</th></tr></thead><tbody>\n<tr><td>x&lt;y</td>"
      .. '<td class="yes">1 *</td></tr>\n</tbody></table></div>', "<h2>H</h2>",
      '<p class="soft">soft</p>', "<pre>1 &gt; 2</pre>",
      "<details><summary>more</summary><pre>inside</pre></details>",
      "<figure><svg/><figcaption>drawn</figcaption></figure>",
      '<figure class="wide"><svg/></figure>' }, table.move(page, 1, #page, 1, {}))
    local text = page:html("p { }", "go()", "wide")
    assert.matches("<title>A &lt;page&gt;</title>", text, 1, true)
    assert.matches("p { }</style></head><body class=\"wide\"><main>\n<div class=\"wide\">", text, 1,
      true)
    assert.matches("</figure>\n</main><script>go()</script></body></html>\n", text, 1, true)
    assert.is_nil(html.new "x":html():find("<script>", 1, true))
    assert.matches("<tbody>\n</tbody>", html.new "x":rows({ { "a" } })[1], 1, true)
  end)
end)
