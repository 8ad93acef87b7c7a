-- Lists of nodes as Slurm writes them, by hand: the names of a machine, and those of an outage.
local native = require "native_faults"
local temporary = require "spec.support.temporary"

-- The processors that the outages of a list are on, of a machine with these names, one each.
local function found(nodes, names, procs)
  local list = temporary.file("f.csv", ('node,from,to\n"%s",1,2\n'):format(nodes),
    native.read_outages, { procs = procs, node_names = names }, nil)
  for i, outage in ipairs(list or {}) do list[i] = ("%d"):format(outage[3]) end
  return list and table.concat(list, " ")
end

local LISTS = {
  ["login,nid7"] = { "login", "nid7" },
  ["n[8-10]"] = { "n8", "n9", "n10" }, ["n[08-10]"] = { "n08", "n09", "n10" },
  ["n[099-101,7,9]"] = { "n099", "n100", "n101", "n7", "n9" },
  ["r[0-1]n[8-9],x"] = { "r0n8", "r0n9", "r1n8", "r1n9", "x" },
  ["[1-2]-a[3]b"] = { "1-a3b", "2-a3b" }, ["n[999999998-999999999]"] = { "n999999998",
    "n999999999" },
}

describe("a list of nodes", function()
  it("names them in its order, the last bracket fastest, with as many digits", function()
    for list, names in pairs(LISTS) do
      local all = {}
      for i, name in ipairs(names) do
        assert.equal(tostring(i - 1), found(name, list, #names), list)
        all[i] = i - 1
      end
      assert.equal(table.concat(all, " "), found(list, table.concat(names, ","), #names), list)
      assert.is_nil(found("n00", list, #names))
    end
  end)

  it("is refused where it is none", function()
    for _, list in ipairs { "", ",", "a,", "n[1-", "n[1-2", "n]", "n[]", "n[1,]", "n[-2]", "n[2-1]",
      "n[1-2-3]", "n[a]", "n[1a]", "n[1-2a]", "n[1/2]", "n[1:2]", "n[0000000001]", "a b",
      ("n"):rep(256), ("n"):rep(255) .. "[1]" } do
      local ok, problem = pcall(function()
        local list_, message = temporary.file("f.csv", "node,from,to\na,1,2\n",
          native.read_outages, { procs = 1, node_names = list }, nil)
        return assert(list_, message)
      end)
      assert.is_false(ok)
      assert.matches("node_names: expected names of nodes", tostring(problem), 1, true)
    end
    local longest = ("n"):rep(255)
    assert.equal("0", found(longest, longest, 1))
    assert.equal("0", found(("n"):rep(253) .. "10", ("n"):rep(253) .. "[10]", 1))
  end)

  -- Without names nodes are numbers.
  it("of a machine without names has numbers", function()
    local function number(node)
      local list = temporary.file("f.csv", ("node,from,to\n%s,1,2\n"):format(node),
        native.read_outages, { procs = 10 }, nil)
      return list and list[1][3]
    end
    assert.same({ 0, 1, 9 }, { number "0", number "1", number "9" })
    for _, node in ipairs { "10", "-1", "1a", "a", "0000000001" } do
      assert.is_nil(number(node))
    end
  end)
end)
