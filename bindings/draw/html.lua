-- html: a page that needs nothing but itself, piece by piece.

local svg = require "orrery.draw.svg"

local html = {}

html.escape = svg.escape

local STYLE = [[
:root{--ink:#1d1f21;--soft:#5b6168;--line:#dcdfe3;--mark:#0072B2}
*{box-sizing:border-box}
body{margin:0;background:#fff;color:var(--ink);font:16px/1.55 system-ui,-apple-system,"Segoe UI",
Roboto,"Noto Sans",sans-serif;text-rendering:optimizeLegibility}
main{max-width:64rem;margin:0 auto;padding:2.2rem 1.2rem 4rem}
h1{font-size:1.7rem;line-height:1.25;margin:0 0 .6rem;letter-spacing:-.01em}
h2{font-size:1.2rem;margin:2.6rem 0 .6rem;padding-top:1.1rem;border-top:1px solid var(--line)}
h3{font-size:1rem;margin:1.6rem 0 .4rem}
p{margin:.5rem 0;max-width:46rem}
.lead{font-size:1.08rem}
.soft,figcaption,caption{color:var(--soft)}
.soft,figcaption{font-size:.9rem}
.wide{overflow-x:auto;margin:.8rem 0}
table{border-collapse:collapse;font-size:.92rem;font-variant-numeric:tabular-nums}
caption{text-align:left;padding:0 0 .3rem;font-size:.9rem}
th,td{padding:.32rem .9rem .32rem 0;text-align:right;border-bottom:1px solid var(--line);
white-space:nowrap;vertical-align:baseline}
th{font-weight:600;color:var(--soft);border-bottom-color:var(--ink)}
th:first-child,td:first-child,.text{text-align:left}
td.text{white-space:normal;min-width:12rem}
td:first-child{font-weight:600}
tr.best td:nth-child(2){font-weight:600}
.yes{color:var(--mark);font-weight:600}
figure{margin:1.2rem 0}
.plots{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(26rem,100%),1fr));
gap:0 2rem}
figure svg{display:block;max-width:100%;height:auto}
pre{background:#f6f7f8;border:1px solid var(--line);border-radius:4px;padding:.7rem .9rem;
margin:.6rem 0;overflow-x:auto;font:.82rem/1.45 ui-monospace,
"DejaVu Sans Mono",Menlo,Consolas,monospace}
details{margin:.8rem 0}summary{cursor:pointer;color:var(--soft)}
details pre{max-height:30rem;overflow:auto}
footer{margin-top:3rem;padding-top:.8rem;border-top:1px solid var(--line);color:var(--soft);
font-size:.85rem}
@media (max-width:40rem){main{padding:1.2rem .9rem 3rem}h1{font-size:1.35rem}body{font-size:15px}
.gantt{overflow-x:auto}.gantt svg{max-width:none;width:56rem}}
@media print{@page{margin:16mm}body{font-size:10.5pt}main{max-width:none;padding:0}
h2,h3{break-after:avoid}figure,tr{break-inside:avoid}.wide{overflow:visible}
details:not([open])>summary{display:none}th,td{padding-right:.6rem}}
]]

local Page = {}
Page.__index = Page

function html.new(title) return setmetatable({ title = title }, Page) end

function Page:raw(text)
  self[#self + 1] = text
  return self
end

-- An element with a text of no markup.
function Page:element(name, text, class)
  return self:raw(("<%s%s>%s</%s>"):format(name, class and (' class="%s"'):format(class) or "",
    svg.escape(text), name))
end

function Page:heading(text) return self:element("h2", text) end

function Page:text(text, class) return self:element("p", text, class) end

function Page:code(text) return self:element("pre", text) end

-- Closed, so that it is there for those who look for it.
function Page:hidden(summary, text)
  return self:raw(("<details><summary>%s</summary><pre>%s</pre></details>"):format(
    svg.escape(summary), svg.escape(text)))
end

-- The first row is the head. Cells are texts, or { text, class }.
function Page:rows(rows, caption)
  local out = { '<div class="wide"><table>' }
  if caption then out[2] = "<caption>" .. svg.escape(caption) .. "</caption>" end
  for r, row in ipairs(rows) do
    local cells = {}
    for c, cell in ipairs(row) do
      local text, class = cell, nil
      if type(cell) == "table" then text, class = cell[1], cell[2] end
      local tag = r == 1 and "th" or "td"
      cells[c] = ("<%s%s>%s</%s>"):format(tag, class and (' class="%s"'):format(class) or "",
        svg.escape(text), tag)
    end
    local line = "<tr>" .. table.concat(cells) .. "</tr>"
    out[#out + 1] = r == 1 and "<thead>" .. line .. "</thead><tbody>" or line
  end
  out[#out + 1] = "</tbody></table></div>"
  return self:raw(table.concat(out, "\n"))
end

-- A picture (SVG) with what is to be said of it.
function Page:figure(picture, caption, class)
  return self:raw(("<figure%s>%s%s</figure>"):format(class and (' class="%s"'):format(class) or "",
    picture, caption and "<figcaption>" .. svg.escape(caption) .. "</figcaption>" or ""))
end

-- The whole. style, script: added to its own.
function Page:html(style, script)
  return table.concat({
    '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width,initial-scale=1">',
    "<title>" .. svg.escape(self.title) .. "</title>",
    "<style>" .. STYLE .. (style or "") .. "</style></head><body><main>",
    table.concat(self, "\n"),
    "</main>" .. (script and "<script>" .. script .. "</script>" or "") .. "</body></html>\n",
  }, "\n")
end

return html
