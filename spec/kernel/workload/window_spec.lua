-- Lists of windows: which processors, nodes and amounts they are of, and what is refused. What
-- comes of them in simulations is in kernel/rigid/machine/windows_spec.lua.
local orrery = require "orrery" -- first: it holds the modules

local core = require "orrery.core"

-- The second one comes when all windows here are over.
local JOBS = orrery.jobs { { id = "7", procs = 1, runtime = 1, user = "ann" },
  { id = "9", submit = 30, procs = 1, runtime = 1 } }

-- Where a window lies that maintenance gives, as { first =, procs = }, on 8 processors.
local function places(window, spec)
  spec = spec or {}
  spec.jobs, spec.policy, spec.maintenance = JOBS, "easy", { window }
  spec.procs = not spec.machine and 8 or nil
  window.from, window.to = 10, 20
  local session = orrery.session(spec)
  session:run_until(15)
  local list = {}
  for i, outage in ipairs(session:outages()) do list[i] = { outage.first, outage.procs } end
  return list
end

-- What is said of an addition to a list for 8 processors.
local function said(add, node_procs, has, ...)
  local list = core.windows(8, node_procs, has or {})
  local ok, problem = pcall(core[add], list, ...)
  return ok or (tostring(problem):gsub("^[^ ]*spec.lua:%d+: ", ""))
end

describe("a window", function()
  it("is on the highest processors", function()
    assert.same({ { 5, 3 } }, places { procs = 3 })
    assert.same({ { 0, 8 } }, places { procs = 8 })
    assert.same({ { 7, 1 } }, places { procs = 1 })
    assert.is_true(said("add_window", 1, nil, 0, 1, 8))
    for _, procs in ipairs { 0, 9, 1 << 40 } do
      assert.equal(("expected 1 to 8 processors, as many as the machine has, found %d"):format(
        math.min(procs, 2147483647)), said("add_window", 1, nil, 0, 1, procs))
    end
  end)

  it("is on nodes of a few processors, counted from 0, of which the last may have fewer", function()
    local function on(nodes)
      return places({ nodes = nodes }, { node_failures = { log = {}, procs = 3 } })
    end
    assert.same({ { 0, 3 } }, on "0")
    assert.same({ { 6, 2 } }, on "2")
    assert.same({ { 3, 5 } }, on "1-2")
    assert.same({ { 0, 6 } }, on "0-1")
    assert.same({ { 0, 8 } }, on "0-2")
    assert.same({ { 6, 2 }, { 0, 3 } }, on "2,0") -- as given
    for nodes, message in pairs {
      ["3"] = "node 3 is not among 0 to 2: the machine has 8 processors in nodes of 3",
      ["0,1-3"] = "node 3 is not among 0 to 2: the machine has 8 processors in nodes of 3",
      [""] = "expected numbers of nodes and runs of them as '3-15,32', found nothing",
    } do
      assert.equal(message, said("add_window", 3, nil, 0, 1, nil, nodes))
    end
    for _, nodes in ipairs { "1-0", "0,", "0;1", "-1", "0-1-2", "99999999999", "all" } do
      assert.equal(("expected numbers of nodes and runs of them as '3-15,32', found \"%s\"")
        :format(nodes), said("add_window", 3, nil, 0, 1, nil, nodes))
    end
    -- nodes of one processor where nothing else is known, and one node that has more than there are
    assert.equal("node 8 is not among 0 to 7: the machine has 8 processors in nodes of 1",
      said("add_window", 1, nil, 0, 1, nil, "7-8"))
    assert.is_true(said("add_window", 1, nil, 0, 1, nil, "0-7"))
    assert.equal("node 1 is not among 0 to 0: the machine has 8 processors in nodes of 9",
      said("add_window", 9, nil, 0, 1, nil, "1"))
    assert.is_true(said("add_window", 9, nil, 0, 1, nil, "0"))
  end)

  it("is on nodes of a machine, counted from 1, or on those of a partition", function()
    local machine = { nodes = { { count = 2, procs = 1 }, { count = 2, procs = 3 } },
      partitions = { a = { nodes = "1,3" }, b = { default = true } } }
    local function on(nodes) return places({ nodes = nodes }, { machine = machine }) end
    assert.same({ { 0, 1 } }, on "1")
    assert.same({ { 5, 3 } }, on "4")
    assert.same({ { 1, 4 } }, on "2-3")
    assert.same({ { 0, 1 }, { 2, 3 } }, on "a")
    assert.same({ { 0, 8 } }, on "b")
    assert.same({ { 0, 8 } }, on "all")
  end)

  it("of a drain is on the highest processors of what the machine was", function()
    assert.is_true(said("add_window", 1, nil, 0, 1, 3, nil, nil, nil, 8))
    assert.is_true(said("add_window", 1, nil, 0, 1, 3, nil, nil, nil, 3))
    assert.equal("the processors 6 to 8 are not among 0 to 7",
      said("add_window", 1, nil, 0, 1, 3, nil, nil, nil, 9))
    assert.equal("the processors -3 to 0 are not among 0 to 7",
      said("add_window", 1, nil, 0, 1, 4, nil, nil, nil, 1))
  end)

  it("begins at a finite time and ends later, or never", function()
    local inf, nan = math.huge, 0 / 0
    for _, times in ipairs { { 0, 1 }, { -5, -4 }, { 3, inf }, { 0, 5e-324 } } do
      assert.is_true(said("add_window", 1, nil, times[1], times[2], 1))
      assert.is_true(said("close_pool", 1, { pools = core.pools({ "gpu" }, { 4 }) }, times[1],
        times[2], "gpu", 1))
    end
    for _, from in ipairs { inf, -inf, nan } do
      local message = "a window begins at a finite time, not at " .. ("%.17g"):format(from)
      assert.equal(message, said("add_window", 1, nil, from, 1, 1))
      assert.equal(message, said("close_pool", 1, nil, from, 1, "gpu", 1))
    end
    assert.equal("a window ends later than it begins: from 3 to 3",
      said("add_window", 1, nil, 3, 3, 1))
    assert.equal("a window ends later than it begins: from 3 to 2.5",
      said("close_pool", 1, nil, 3, 2.5, "gpu", 1))
    assert.equal("a window ends later than it begins: from 3 to " .. ("%.17g"):format(nan),
      said("add_window", 1, nil, 3, nan, 1))
  end)

  it("needs a machine of a processor at least", function()
    for _, size in ipairs { { 0, 1 }, { 1, 0 }, { -3, 2 } } do
      local ok, problem = pcall(core.windows, size[1], size[2], {})
      assert.is_false(ok)
      assert.matches(("windows are of a machine of at least 1 processor, in nodes of at least 1, "
        .. "not %d and %d"):format(size[1], size[2]), tostring(problem), 1, true)
    end
    assert.is_true(pcall(core.windows, 1, 1, {}))
  end)

  it("for somebody is for a job or a user that is there", function()
    local list = core.windows(8, 1, {})
    for _, who in ipairs { { "ann" }, { nil, "7" }, { "bob" }, { nil, "8" }, { "7" }, { "" , "" },
      {} } do
      core.add_window(list, 0, 1, 1, nil, who[1], who[2])
    end
    assert.same({ ["user bob"] = true, ["user 7"] = true, ["job 8"] = true },
      core.strangers(list, JOBS))
  end)
end)

describe("a size of the machine", function()
  it("is of up to all its processors, and follows the one before", function()
    local list = core.windows(8, 1, {})
    local function add(from, procs)
      local ok, problem = pcall(core.add_size, list, from, procs)
      return ok or (tostring(problem):gsub("^[^ ]*spec.lua:%d+: ", ""))
    end
    local order = "sizes stand in order of time, and %s does not come after %s"
    assert.equal(order:format("-inf", "-inf"), add(-math.huge, 4))
    assert.is_true(add(-5, 0))
    assert.is_true(add(-4, 8))
    assert.equal("expected 0 to 8 processors, as many as the machine has, found 9", add(3, 9))
    assert.equal("expected 0 to 8 processors, as many as the machine has, found -1", add(3, -1))
    assert.equal(order:format("-4", "-4"), add(-4, 3))
    assert.equal(order:format("-4.5", "-4"), add(-4.5, 3))
    assert.is_true(add(-3.5, 3))
  end)

  it("holds up to the next one", function()
    local session = orrery.session { jobs = JOBS, procs = 8, policy = "easy", capacity = {
      { from = 5, procs = 3 }, { from = 9, procs = 8 }, { from = 12, procs = 0 },
      { from = 13, procs = 6 } } }
    session:run_until(20)
    local list = {}
    for i, one in ipairs(session:outages()) do
      list[i] = { one.first, one.procs, one.start, one.finish }
    end
    assert.same({ { 3, 5, 5, 9 }, { 0, 8, 12, 13 }, { 6, 2, 13, math.huge } }, list)
  end)
end)

describe("what is closed of a pool", function()
  local nodes = require("orrery.values.nodes").of("machine", { { count = 2, procs = 4, mem = 9 } })
  local has = { pools = core.pools({ "gpu" }, { 4 }), nodes = nodes.core }

  it("is up to as much as there is", function()
    assert.is_true(said("close_pool", 1, has, 0, 1, "gpu", 1))
    assert.is_true(said("close_pool", 1, has, 0, 1, "gpu", 4))
    assert.equal("a window closes 5 of pool gpu: expected 1 to 4, as much as there is",
      said("close_pool", 1, has, 0, 1, "gpu", 5))
    for _, amount in ipairs { 0, -1, (1 << 53) + 1 } do
      assert.equal("expected an amount of pool gpu from 1 to 2^53, found " .. amount,
        said("close_pool", 1, has, 0, 1, "gpu", amount))
    end
    assert.equal("a window closes 9007199254740992 of pool gpu: expected 1 to 4, as much as there "
      .. "is", said("close_pool", 1, has, 0, 1, "gpu", 1 << 53))
  end)

  it("is of a pool of the machine", function()
    assert.equal("a window closes 1 of pool lic, which there is not",
      said("close_pool", 1, has, 0, 1, "lic", 1))
    assert.equal("a window closes 2 of pool mem, which is a resource of nodes: expected nodes in "
      .. "place of pool and amount", said("close_pool", 1, has, 0, 1, "mem", 2))
    for _, size in ipairs { 0, 64 } do
      assert.matches("^a pool has a name of 1 to %d+ bytes$",
        said("close_pool", 1, has, 0, 1, ("x"):rep(size), 1))
    end
  end)
end)
