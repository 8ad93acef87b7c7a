-- html: the page of a report, piece by piece; the page needs no other file.

local svg = require "orrery.draw.svg"

local html = {}

local STYLE = svg.compact(require "orrery.draw.page.css")

-- The beginning of an element.
local function open(name, class)
  return ("<%s%s>"):format(name, class and (' class="%s"'):format(class) or "")
end

local Page = {}
Page.__index = Page

function html.new(title) return setmetatable({ title = title }, Page) end

function Page:raw(text)
  self[#self + 1] = text
  return self
end

-- An element with a text of no markup.
function Page:element(name, text, class)
  return self:raw(("%s%s</%s>"):format(open(name, class), svg.escape(text), name))
end

function Page:heading(text) return self:element("h2", text) end

function Page:text(text, class) return self:element("p", text, class) end

function Page:code(text) return self:element("pre", text) end

-- A closed section, for readers who open it.
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
      cells[c] = ("%s%s</%s>"):format(open(tag, class), svg.escape(text), tag)
    end
    local line = "<tr>" .. table.concat(cells) .. "</tr>"
    out[#out + 1] = r == 1 and "<thead>" .. line .. "</thead><tbody>" or line
  end
  out[#out + 1] = "</tbody></table></div>"
  return self:raw(table.concat(out, "\n"))
end

function Page:figure(picture, caption, class)
  return self:raw(open("figure", class) .. picture
    .. (caption and "<figcaption>" .. svg.escape(caption) .. "</figcaption>" or "") .. "</figure>")
end

-- The whole. style, script: added to its own; class: of the body.
function Page:html(style, script, class)
  return table.concat({
    '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width,initial-scale=1">',
    "<title>" .. svg.escape(self.title) .. "</title>",
    "<style>" .. STYLE .. (style or "") .. "</style></head>" .. open("body", class) .. "<main>",
    table.concat(self, "\n"),
    "</main>" .. (script and "<script>" .. script .. "</script>" or "") .. "</body></html>\n",
  }, "\n")
end

return html
