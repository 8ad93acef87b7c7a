-- Amounts as text. What policies and planners do with pools: kernel/rigid/state/pools_spec.lua.
local orrery = require "orrery"
local pools = require "orrery.values.pools"

describe("an amount", function()
  -- gantt_script.js has the same ones of a page.
  it("of bytes has a unit, and a count has none", function()
    for said, given in pairs {
      ["no gpu"] = { 0, "gpu" }, ["1 gpu"] = { 1, "gpu" }, ["2048 gpu"] = { 2048, "gpu" },
      ["any nodes"] = { 0, "nodes" }, ["1 node"] = { 1, "nodes" },
      ["1024 nodes"] = { 1024, "nodes" }, ["exclusive"] = { 1, "exclusive" },
      ["not exclusive"] = { 0, "exclusive" }, ["2K mem"] = { 2048, "mem" },
      ["3 mem_per_node"] = { 3, "mem_per_node" }, ["2T bb"] = { 2 ^ 41 // 1 | 0, "bb" },
      ["1048577 bb"] = { 2 ^ 20 + 1 | 0, "bb" }, ["1048576 nodes"] = { 1 << 20, "nodes" },
      ["1048576 processors"] = { 1 << 20, "processors" },
    } do
      assert.equal(said, pools.said(table.unpack(given)))
    end
    assert.same({ "1K", "0", "1025" }, { pools.text(1024), pools.text(0), pools.text(1025) })
  end)

  it("is said so by whatever waits, and by limits", function()
    local machine = { nodes = { { count = 4096, procs = 2 } } }
    local function why(needs, more, first)
      local spec = { policy = "easy", jobs = orrery.jobs {
        { procs = first and 2 or 2048, runtime = 9, needs = first or needs, user = "ann" },
        { procs = 2048, runtime = 9, needs = needs, user = "ann" } } }
      for name, value in pairs(more) do spec[name] = value end
      local s = orrery.session(spec)
      s:step()
      return s:why("2").text
    end
    assert.matches("waits for 1024 of pool lic, of which 1023 are free",
      why({ lic = 1024 }, { procs = 4096, pools = { lic = 2047 } }), 1, true)
    assert.matches("waits for 2G of pool mem, of which 1G are free",
      why({ mem = 2 << 30 }, { procs = 4096, pools = { mem = "3G" } }), 1, true)
    assert.matches("with it user ann would exceed its limit of 2048 nodes, of which 1025 are in",
      why({ nodes = 1025 }, { machine = machine, limit = "nodes/user=2048" }), 1, true)
    assert.matches("asks for 2048 nodes; the limit of the machine is 1024",
      why({ nodes = 2048 }, { machine = machine, limit = "nodes=1024" }, { nodes = 1 }), 1, true)
  end)
end)
