-- paper_table: the contents of a paper, and the parts of it that are reproduced.
--
-- scripts/reproduce/NAME/contents.lua returns a list of rows, in the order of the paper:
--
--   { "Figure 2", "what it shows",
--     partly = "the difference from the paper, and its reason",
--     needs = "missing data, without which it cannot be tested here",
--     given = function(plan): whether a run has these data (default: false)
--     figures = { "2" },                 the evidence: names for --figure,
--     statements = { "5.2, figure 2" },  places (`where`) of statements,
--     specs = { { "spec/a_spec.lua", "text of a spec in that file" } } }
--
-- A row with neither `partly` nor `needs` is reproduced. `make docs` writes the table to the
-- README, between <!-- contents --> and <!-- end -->; the page of a run begins with it, too, and
-- counts the verdicts of that run. spec/support/paper_table.lua checks that all named things exist,
-- and that every figure and every statement belongs to a row.
local lists = require "orrery.support.lists"
local page = require "orrery.command.page"
local verdict = require "orrery.command.verdict"

local paper_table = {}

local function state_of(row, plan)
  local needs = row.needs and not (plan and row.given and row.given(plan))
  local partly = row.partly and "**partly**: " .. row.partly
  if not needs then return partly or "**reproduced**" end
  return ("**%s**: it needs %s%s"):format(verdict.UNTESTED, row.needs,
    partly and "; otherwise " .. partly or "")
end

local function shown_by(row)
  local list = lists.map(row.figures or {}, function(name) return "`--figure " .. name .. "`" end)
  for _, where in ipairs(row.statements or {}) do list[#list + 1] = "statements on " .. where end
  for _, spec in ipairs(row.specs or {}) do
    list[#list + 1] = ("spec: [%s](../../../%s)"):format(spec[2], spec[1])
  end
  return table.concat(list, "; ")
end

-- "7 statements: 5 holds, 2 not decided", of those that belong to a row.
local function verdicts_of(row, statements)
  local count, counts, words = 0, {}, {}
  for _, where in ipairs(row.statements or {}) do
    for _, one in ipairs(statements) do
      if one.where == where then
        count, counts[one.verdict] = count + 1, (counts[one.verdict] or 0) + 1
      end
    end
  end
  for _, name in ipairs { verdict.HOLDS, verdict.FAILS, verdict.OPEN, verdict.UNTESTED } do
    if counts[name] then words[#words + 1] = ("%d %s"):format(counts[name], name) end
  end
  return count == 0 and "" or ("%d: %s"):format(count, table.concat(words, ", "))
end

function paper_table.markdown(contents)
  return page.table({ "in the paper", "what it is", "here", "shown by" },
    lists.map(contents, function(row) return { row[1], row[2], state_of(row), shown_by(row) } end),
    " --- |")
end

-- The text of a README with its table rewritten.
function paper_table.update(contents, text)
  local first, last = "<!-- contents -->\n", "<!-- end -->"
  local _, from = text:find(first, 1, true)
  local to = from and text:find(last, from, true)
  if not to then error(("there is no %s... %s"):format(first, last), 0) end
  return text:sub(1, from) .. paper_table.markdown(contents) .. "\n" .. text:sub(to)
end

-- Adds the table to the page of a run.
function paper_table.add(p, contents, plan, statements)
  p:heading "What of the paper is here"
  p:rows({ "in the paper", "what it is", "here", "statements in this run" },
    lists.map(contents, function(row)
      return { row[1], row[2], state_of(row, plan), verdicts_of(row, statements) }
    end), " --- |")
end

return paper_table
