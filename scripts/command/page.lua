-- page: a Markdown page, built piece by piece.
--
--   local p = page.new "Title"
--   p:text("A paragraph."):heading "Figures":picture("figure-2", "What it shows")
--   p:rows({ "head", "er" }, { { "a", 1 }, ... }):statements(list)
--   write(p:markdown())
local orrery = require "orrery"
local verdict = require "orrery.command.verdict"

local Page = {}
Page.__index = Page

local page = {}

function page.new(title)
  return setmetatable({ "# " .. title }, Page)
end

local function add(self, text)
  self[#self + 1] = text
  return self
end

function Page:text(format, ...)
  return add(self, select("#", ...) > 0 and format:format(...) or format)
end

-- What it begins with: of what it is the output, then the text.
function Page:opening(plan, format, ...)
  return self:text("Orrery %s, seed %d%s" .. format, orrery.version, plan.seed,
    plan.given.quick and ", `--quick`" or "", ...)
end

function Page:heading(text, level)
  return add(self, ("#"):rep(level or 2) .. " " .. text)
end

-- A picture that figure.write drew beside the page.
function Page:picture(base, about)
  return add(self, ("![%s](%s.png)\n\n%s. As [SVG](%s.svg), the numbers as [CSV](%s.csv).")
    :format(about, base, about, base, base))
end

local function cells(list)
  for i, cell in ipairs(list) do list[i] = tostring(cell):gsub("|", "\\|") end
  return "| " .. table.concat(list, " | ") .. " |"
end

-- A table. The first column is text, the others are numbers, or what `align` says.
function page.table(head, rows, align)
  local lines = { cells(head), "| --- |" .. (align or " ---: |"):rep(#head - 1) }
  for i, row in ipairs(rows) do lines[i + 2] = cells(row) end
  return table.concat(lines, "\n")
end

function Page:rows(...) return add(self, page.table(...)) end

-- "1.0500 ± 0.0012": with as many digits as the format says, without ± where there is none.
function page.interval(format, mean, half_width)
  local text = format:format(mean)
  if half_width and half_width == half_width then
    text = text .. " ± " .. format:gsub("%+", ""):format(half_width)
  end
  return text
end

-- "0.64 [0.44, 0.91]": of what has mean, low and high, without an interval where there is none.
function page.ratio(format, of)
  if of.low ~= of.low then return format:format(of.mean) end
  return (format .. " [" .. format .. ", " .. format .. "]"):format(of.mean, of.low, of.high)
end

local function tally(statement)
  local counts = statement.counts
  if #statement.parts == 1 then return "" end
  local words = {}
  for _, one in ipairs { verdict.HOLDS, verdict.FAILS, verdict.OPEN } do
    if counts[one] > 0 then words[#words + 1] = ("%d %s"):format(counts[one], one) end
  end
  return (" (of %d comparisons %s)"):format(#statement.parts, table.concat(words, ", "))
end

-- The verdict, of what it is the sum, and what it needs; where the bound is ours (the title says
-- "here:") how far it is from where the verdict turns.
local TURNS = {
  [verdict.HOLDS] = "also with bounds tighter by %.4f",
  [verdict.OPEN] = "holds with bounds looser by %.4f",
  [verdict.FAILS] = "not refuted with bounds looser by %.4f",
}

local function verdict_of(statement)
  local found, turns = statement.found or statement.verdict, ""
  if statement.title:find("here:", 1, true) and statement.margin then
    turns = "; " .. TURNS[found]:format(statement.margin)
  end
  if #statement.parts == 0 then return ("**%s**; it needs %s"):format(found, statement.needs) end
  if not statement.found then return ("**%s**%s%s"):format(found, tally(statement), turns) end
  return ("**%s**; it needs %s. With the data at hand: %s%s%s"):format(statement.verdict,
    statement.needs, found, tally(statement), turns)
end

-- The part that says most: the first that decided the verdict.
local function telling(statement)
  local found, decisive = nil, statement.found or statement.verdict
  for _, part in ipairs(statement.parts) do
    local better = not found
      or math.abs(part.mean - part.bound) > math.abs(found.mean - found.bound)
    if part.verdict == decisive and better then found = part end
  end
  return found or statement.parts[1]
end

local function number(value) return (("%.4f"):format(value):gsub("^%-(0%.0000)$", "%1")) end

-- The number of a part; of ratios their geometric mean with its interval.
local function measured(part)
  return part.arithmetic and page.ratio("%.4f", part)
    or page.interval("%.4f", part.mean, part.half_width)
end

local function judged(part)
  return part and ("%s: %s, stated %s %s"):format(part.label, measured(part), part.relation,
    number(part.bound)) or ""
end

-- Whether a statement's numbers are ratios.
local function has_ratios(statement)
  for _, part in ipairs(statement.parts) do
    if part.arithmetic then return true end
  end
end

-- What a paper states, in a table with the verdicts; then every statement with all its numbers.
function Page:statements(list)
  local rows = {}
  for i, s in ipairs(list) do
    rows[i] = { ("%d. %s"):format(i, s.title), s.where, verdict_of(s), judged(telling(s)) }
  end
  return self:rows({ "statement", "where", "verdict", "clearest comparison" }, rows, " --- |")
end

function Page:comparisons(list)
  for i, s in ipairs(list) do
    self:heading(("%d. %s"):format(i, s.title), 3)
    self:text("%s. %s: %s.", s.where, #s.parts == 0 and "No comparison"
      or s.mode == "any" and "One comparison is enough" or "All comparisons must hold",
      verdict_of(s))
    local rows, head = {}, { "", "measured", "stated", "samples", "verdict" }
    local ratios = has_ratios(s)
    if ratios then head[2], head[6] = "geometric mean", "mean of the ratios" end
    for r, part in ipairs(s.parts) do
      local mean = part.arithmetic
      rows[r] = { part.label, measured(part), part.relation .. " " .. number(part.bound),
        part.count, part.verdict, ratios
          and (mean and page.interval("%.4f", mean.mean, mean.half_width) or "") or nil }
    end
    if #rows > 0 then self:rows(head, rows) end
    if s.note then self:text(s.note) end
  end
  return self
end

function Page:markdown() return table.concat(self, "\n\n") .. "\n" end

return page
