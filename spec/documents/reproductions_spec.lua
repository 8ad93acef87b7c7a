-- Every code block of the pages of the reproductions runs.
local describe_blocks = require("spec.support.documents").describe_blocks

describe("scripts/reproduce/rr9296/README.md", function()
  describe_blocks(_ENV, "scripts/reproduce/rr9296/README.md", 1)
end)

describe("scripts/reproduce/redistribution/README.md", function()
  describe_blocks(_ENV, "scripts/reproduce/redistribution/README.md", 1)
end)

describe("scripts/reproduce/packs/README.md", function()
  describe_blocks(_ENV, "scripts/reproduce/packs/README.md", 1)
end)

describe("scripts/reproduce/failing-packs/README.md", function()
  describe_blocks(_ENV, "scripts/reproduce/failing-packs/README.md", 1)
end)

describe("scripts/reproduce/learned/README.md", function()
  describe_blocks(_ENV, "scripts/reproduce/learned/README.md", 1)
end)

describe("scripts/reproduce/checkpointing/README.md", function()
  describe_blocks(_ENV, "scripts/reproduce/checkpointing/README.md", 1)
end)

describe("scripts/reproduce/policies/README.md", function()
  describe_blocks(_ENV, "scripts/reproduce/policies/README.md", 1)
end)

-- spec/INVENTORY.md: its specs exist, and so do the rows of the tables that its verdicts are from.
describe("spec/INVENTORY.md", function()
  local program = require "spec.support.program"
  local page = program.read "spec/INVENTORY.md"
  local OF = { ["RR-9296"] = "rr9296", Packs = "packs",
    Redistribution = "redistribution", ["Co-scheduling"] = "redistribution" }

  it("names specs that exist", function()
    local list = io.popen("find spec -name '*_spec.lua'"):read "a"
    for name in page:gmatch "[%w_]+_spec%.lua" do
      assert.is_truthy(list:find("/" .. name .. "\n", 1, true), name)
    end
  end)

  it("names rows that exist, with as many cells as their head", function()
    local sections, rows = 0, nil
    for line in page:gmatch "[^\n]+" do
      local of = OF[line:match "^## ([%w-]+)"]
      if of then
        rows, sections = 0, sections + 1
        local readme = program.read(("scripts/reproduce/%s/README.md"):format(of))
        for n in readme:gmatch "\n| (%d+)%. " do rows = math.max(rows, tonumber(n)) end
      elseif line:find "^## " then
        rows = nil
      elseif rows and line:find "^|" then
        assert.equal(5, select(2, line:gsub("|", "")), line)
        for n in (line:match "%f[%a]rows? ([%d, ando]+)" or ""):gmatch "%d+" do
          assert.is_true(tonumber(n) >= 1 and tonumber(n) <= rows, line)
        end
      end
    end
    assert.equal(4, sections)
  end)
end)
