-- policies/GALLERY.md and the pictures of the documents, which `make pictures` makes.
local lfs = require "lfs"
local orrery = require "orrery"
local program = require "spec.support.program"

local FOLDER = "policies/pictures/"
local page = program.read "policies/GALLERY.md"

-- The rows of the page's tables: lists of the texts of ranks.
local function tables()
  local list = {}
  for part in (page .. "\n## "):gmatch "| %-%-%- | %-%-%- | %-%-%- |\n(.-)\n\n" do
    local rows = {}
    for ranks in (part .. "\n"):gmatch "| [^|\n]+ | ([^|\n]*) | [^|\n]+ |\n" do
      rows[#rows + 1] = ranks
    end
    list[#list + 1] = rows
  end
  return list
end

describe("the gallery", function()
  it("says of every shipped policy what it says itself", function()
    for _, policy in ipairs(orrery.policies()) do
      if policy.path:sub(1, #orrery.home) == orrery.home then
        local about = policy.about:gsub("%s+", " "):gsub("|", "\\|")
        assert.is_truthy(page:find("**`" .. policy.name .. "`**", 1, true),
          policy.name .. " is not in policies/GALLERY.md: run `make pictures`")
        assert.is_truthy(page:find(about, 1, true), policy.name .. " says something else")
        assert.is_truthy(page:find("*" .. policy.source .. "*", 1, true), policy.name)
      end
    end
  end)

  it("has ranks that are places: their mean is that of all places", function()
    local list = tables()
    assert.equal(4, #list)
    for _, rows in ipairs(list) do
      local sums, counts = {}, {}
      for _, ranks in ipairs(rows) do
        for what, mean in ranks:gmatch "(%l+) ([%d.]+) ± [%d.]+" do
          sums[what] = (sums[what] or 0) + tonumber(mean)
          counts[what] = (counts[what] or 0) + 1
        end
      end
      assert.is_truthy(next(sums))
      for what, sum in pairs(sums) do -- of rounded numbers
        assert.is_true(math.abs(sum / counts[what] - (counts[what] + 1) / 2) <= 0.05, what)
      end
    end
  end)

  it("has one row for policies with equal results, and for variants", function()
    for _, rows in ipairs(tables()) do
      local seen = {}
      for _, ranks in ipairs(rows) do
        assert.is_falsy(ranks ~= "" and seen[ranks], ranks)
        seen[ranks] = true
      end
    end
    local row_of = {}
    for row in page:gmatch "[^\n]+" do
      for name in row:gmatch "%*%*`([^`]+)`%*%*" do row_of[name] = row end
    end
    for one, other in pairs { ["dispatch/shelf-nofill"] = "dispatch/shelf",
      ["priority/sa"] = "priority/saf", ["dispatch/fair-share"] = "dispatch/easy",
      ["dispatch/preemptive"] = "dispatch/easy", ["dispatch/easy-proactive"] = "dispatch/easy",
      ["redistribute/shortest-tasks-first-literal"] = "redistribute/shortest-tasks-first" } do
      assert.equal(row_of[other], row_of[one])
    end
    for _, rule in ipairs { "saf", "wfp3" } do
      assert.matches("longest %d[^|]*slowdown %d[^|]*tail %d[^|]*wait %d",
        row_of["dispatch/easy + " .. rule])
    end
  end)

  it("has a day, and the version that ranked", function()
    assert.matches("the ranks are of 20%d%d%-%d%d%-%d%d, with Orrery %d+%.%d+%.%d+%.", page)
  end)

  it("has its pictures, which are small, and no others", function()
    local named, count = {}, 0
    for text, prefix in pairs { [page] = "pictures/", [program.read "README.md"] = FOLDER } do
      for name in text:gmatch("%]%(" .. prefix:gsub("%-", "%%-") .. "([%w_.-]+)%)") do
        named[name] = true
      end
    end
    for name in lfs.dir(FOLDER) do
      if not name:find "^%." then
        assert.is_true(named[name], "no document has " .. FOLDER .. name)
        assert.is_true(lfs.attributes(FOLDER .. name, "size") < 100000, name)
        assert.is_truthy(program.read(FOLDER .. name):find "^<svg .*</svg>%s*$", name)
        named[name], count = nil, count + 1
      end
    end
    assert.is_nil(next(named))
    assert.is_true(count > 40)
  end)
end)
