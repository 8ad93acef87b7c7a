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

-- The opening: its origin, then the text.
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

-- A table. The first column is text, the others are numbers, unless `align` is given.
function page.table(head, rows, align)
  local lines = { cells(head), "| --- |" .. (align or " ---: |"):rep(#head - 1) }
  for i, row in ipairs(rows) do lines[i + 2] = cells(row) end
  return table.concat(lines, "\n")
end

function Page:rows(...) return add(self, page.table(...)) end

-- A number in a format, and no "-0.0000".
local function formatted(format, value)
  local text = format:format(value)
  return text:find "[1-9]" and text or (text:gsub("^%-", ""))
end

-- "1.0500 ± 0.0012": with the digits of the format, and more where the interval would show as 0;
-- without ± where there is no interval, and where nothing varies.
function page.interval(format, mean, half_width)
  local text = formatted(format, mean)
  if not half_width or half_width ~= half_width then return text end
  if half_width == 0 then return text .. " (the same every time)" end
  return text .. " ± " .. orrery.tools.numbers.half_width(format, half_width)
end

-- "0.64 [0.44, 0.91]": of a value with mean, low and high; without the interval where it does not
-- exist or is open.
function page.interval_of(format, of)
  local text = formatted(format, of.mean)
  if of.high - of.low ~= of.high - of.low or of.high - of.low == math.huge then return text end
  return ("%s [%s, %s]"):format(text, formatted(format, of.low), formatted(format, of.high))
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

-- The verdict, its parts, and its needs; where the bound is ours (the title says "here:"), also its
-- distance from the bound at which the verdict changes.
local TURNS = {
  [verdict.HOLDS] = "also with bounds tighter by %s",
  [verdict.OPEN] = "holds with bounds looser by %s",
  [verdict.FAILS] = "not refuted with bounds looser by %s",
}

local function verdict_of(statement)
  local found, turns = statement.found or statement.verdict, ""
  if statement.title:find("here:", 1, true) and statement.margin then
    turns = "; " .. TURNS[found]:format(formatted("%.4f", statement.margin))
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

local function number(value) return formatted("%.4f", value) end

-- The number of a part with its interval; and its kind, if it is not a mean or a geometric mean of
-- ratios.
local function measured(part)
  if not part.arithmetic then return page.interval("%.4f", part.mean, part.half_width) end
  local text = page.interval_of("%.4f", part)
  if part.what then text = part.what .. " " .. text end
  return part.p and ("%s, p %s"):format(text, orrery.tools.metrics().p_text(part.p)) or text
end

local function judged(part)
  return part and ("%s: %s, stated %s %s"):format(part.label, measured(part), part.relation,
    number(part.bound)) or ""
end

-- The heads of a statement's numbers, and of the means that stay beside them, nil: they are means.
local function heads_of(statement)
  local found, beside = "measured", nil
  for _, part in ipairs(statement.parts) do
    if part.what then return "measured", "mean" end
    if part.arithmetic then found, beside = "geometric mean", "mean of the ratios" end
  end
  return found, beside
end

-- The statements of a paper, in a table with the verdicts; then every statement with all its
-- numbers.
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
    local measured_head, beside = heads_of(s)
    local rows, head = {}, { "", measured_head, "stated", "samples", "verdict", beside }
    for r, part in ipairs(s.parts) do
      local mean = part.arithmetic
      rows[r] = { part.label, measured(part), part.relation .. " " .. number(part.bound),
        part.count, part.verdict, beside
          and (mean and page.interval("%.4f", mean.mean, mean.half_width) or "") or nil }
    end
    if #rows > 0 then self:rows(head, rows) end
    if s.note then self:text(s.note) end
  end
  return self
end

function Page:markdown() return table.concat(self, "\n\n") .. "\n" end

return page
