-- What a paper has, and what of it is reproduced (scripts/command/paper_table.lua): that the table
-- is that of the README, that all that backs its rows exists, and that no figure and no statement
-- is without a row.
local assert = require "luassert"
local program = require "spec.support.program"

local paper_table = require "orrery.command.paper_table"
local verdict = require "orrery.command.verdict"

local support = {}

-- Statements that are not of the paper say so.
local function is_ours(where)
  return where:find "^explanation" or where:find "^not in the paper" or where:find "^reading %d"
end

-- A spec may be written with its name in quotes of either kind, over two lines.
local function has_spec(path, name)
  local text = program.read(path):gsub('"%s*%.%.%s*"', "")
  return text:find('"' .. name, 1, true) or text:find("'" .. name, 1, true)
    or text:find("[[" .. name, 1, true)
end

-- Checks all of it.
--   name  of the reproduction;  page  the text of page.md of a run of all figures (--quick)
function support.check(name, page)
  local contents = require(("orrery.reproduce.%s.contents"):format(name))
  local figures = require(("orrery.reproduce.%s.figures"):format(name))
  local known, drawn, places = {}, {}, {}
  for _, one in ipairs(figures.names) do known[one[1]] = true end
  for _, row in ipairs(contents) do
    assert.is_truthy(row.figures or row.statements or row.specs, row[1] .. " is backed by nothing")
    for _, one in ipairs(row.figures or {}) do
      assert.is_true(known[one], row[1] .. ": no figure " .. one)
      drawn[one] = true
    end
    for _, spec in ipairs(row.specs or {}) do
      assert.is_truthy(has_spec(spec[1], spec[2]), ("%s: no spec '%s' in %s"):format(row[1],
        spec[2], spec[1]))
    end
    for _, where in ipairs(row.statements or {}) do places[where] = { row = row } end
  end
  for _, one in ipairs(contents.ours or {}) do
    assert.is_true(known[one] and not drawn[one], "no figure of ours: " .. one)
    drawn[one] = true
  end
  for one in pairs(known) do assert.is_true(drawn[one], "no row has figure " .. one) end
  support.check_statements(page, places)
  local path = ("scripts/reproduce/%s/README.md"):format(name)
  local readme = program.read(path)
  assert.is_true(paper_table.update(contents, readme) == readme, path
    .. " is not what `make docs` writes")
  assert.matches("\n## What of the paper is here\n", page, 1, true)
end

-- places: where -> { row = }
function support.check_statements(page, places)
  local count = 0
  for where, found in page:gmatch "\n| %d+%. [^\n]- | ([^|\n]+) | %*%*([%a ]+)%*%*" do
    count = count + 1
    local place = places[where]
    if not is_ours(where) then
      assert.is_truthy(place, "no row has the statements on " .. where)
      place.seen = true
      assert.is_true(found ~= verdict.UNTESTED or place.row.needs ~= nil
        or place.row.partly ~= nil, where .. " cannot be tested, which its row does not say")
    end
  end
  assert.is_true(count > 0, "no statement on the page")
  for where, place in pairs(places) do
    assert.is_true(place.seen, "no statement on " .. where)
  end
end

return support
