-- svg: the pieces of an SVG picture as text.

local palette = require "orrery.draw.palette"

local svg = {}

local ESCAPED = { ["&"] = "&amp;", ["<"] = "&lt;", [">"] = "&gt;", ['"'] = "&quot;",
  ["'"] = "&#39;" }

-- A text that can be shown: every byte of invalid UTF-8 becomes U+FFFD, as do control characters.
function svg.legible(text)
  text = tostring(text)
  if not utf8.len(text) then text = text:gsub("[\x80-\xFF]", "\u{FFFD}") end
  return (text:gsub("[%z\1-\8\11\12\14-\31\127]", "\u{FFFD}"):gsub("\u{FFFE}", "\u{FFFD}")
    :gsub("\u{FFFF}", "\u{FFFD}"))
end

-- A legible text as part of XML and HTML.
function svg.escape(text) return (svg.legible(text):gsub("[&<>\"']", ESCAPED)) end

-- About how wide a text is in letters of a size, px.
function svg.width(text, size) return (utf8.len(text) or #text) * size * 0.58 end

-- "12.5": a coordinate, short.
function svg.number(x)
  return (("%.1f"):format(x):gsub("%.0$", ""))
end

function svg.text(x, y, text, more)
  return ('<text x="%s" y="%s"%s>%s</text>'):format(svg.number(x), svg.number(y),
    more and " " .. more or "", svg.escape(text))
end

-- --- patterns -----------------------------------------------------------------------------------

-- The drawings of the patterns in a square of 8 px. All are black and white, so that they are
-- visible on any colour, and thin, so that failed attempts do not dominate the picture.
local function line(d, colour, width, opacity)
  return ('<path d="%s" stroke="%s" stroke-width="%s" stroke-opacity="%s" fill="none"/>'):format(d,
    colour, width, opacity)
end

local function twice(d)
  return line(d, "#fff", 2, 0.5) .. line(d, "#000", 0.7, 0.4)
end

local TILES = {
  stripes = twice "M-2 2L2-2M0 8L8 0M6 10L10 6",
  back = twice "M-2 6L2 10M0 0L8 8M6-2L10 2",
  cross = twice "M-2 2L2-2M0 8L8 0M6 10L10 6M-2 6L2 10M0 0L8 8M6-2L10 2",
  level = twice "M0 4H8",
  upright = twice "M4 0V8",
  dots = '<circle cx="4" cy="4" r="2.3" fill="#fff"/><circle cx="4" cy="4" r="1.4"/>',
}
local PLAIN = { pale = '"#fff" fill-opacity=".65"', dark = '"#000" fill-opacity=".55"',
  black = '"#222"' }

-- The definitions of the patterns in use; `unit` units of the picture are a px.
function svg.patterns(looks, id, unit)
  local out, seen = {}, {}
  for _, name in ipairs(looks) do
    local pattern = palette.LOOKS[name][2]
    if TILES[pattern] and not seen[pattern] then
      seen[pattern] = true
      out[#out + 1] = ('<pattern id="%s-%s" class="%s-pat" width="8" height="8" patternUnits='
        .. '"userSpaceOnUse" patternTransform="scale(%g)">%s</pattern>'):format(id, pattern, "og",
        unit, TILES[pattern])
    end
  end
  return table.concat(out)
end

function svg.fill(name, id)
  local pattern = palette.LOOKS[name][2]
  return "fill=" .. (PLAIN[pattern] or ('"url(#%s-%s)"'):format(id, pattern))
end

-- A script or a style without its comments and indentation: it goes into every picture.
function svg.compact(text)
  return (text:gsub("/%*.-%*/%s*", ""):gsub("%s*\n%s*", "\n"):gsub("%f[^\n\0]//[^\n]*\n", "")
    :gsub(" +//[^\n]*", ""))
end

return svg
