-- The parts of a reproduction: which are computed, when, what they took, and their samples.
local lfs = require "lfs"
local orrery = require "orrery"
local program = require "spec.support.program"

local cells = require "orrery.command.cells"

describe("the parts of a reproduction", function()
  local folder, computed
  before_each(function() folder, computed = program.folder(), {} end)
  after_each(function() program.remove(folder) end)

  local Store = cells.class()

  -- Asks for the square of x; threads: an option that changes no number.
  local function square(store, figure, x, row)
    return store:ask(figure, "square " .. x, { steps = function() return x end, row = row,
      compute = function(of, part)
        assert.equal(store, of)
        computed[#computed + 1] = part.id
        return { value = x * x }
      end })
  end

  local function store_of(threads)
    local store = cells.new(Store, { given = { out = folder, threads = threads } })
    local first = square(store, "1", 2)
    square(store, "2", 3, { figure = "2", heuristic = "h", more = "kept" })
    assert.equal(first, square(store, "2", 2)) -- is of the figure that asked first
    square(store, "1", 4)
    square(store, "2", 5, { figure = "2", heuristic = "h" })
    square(store, "3", 6)
    store:begin()
    return store
  end

  it("are computed once, with the first figure that asks, and none that is not run", function()
    local store = store_of()
    assert.equal(20, store.total)
    store:run "2"
    assert.same({ "square 3", "square 5" }, computed)
    assert.equal(8, store.done)
    store:run "1"
    assert.same({ "square 3", "square 5", "square 2", "square 4" }, computed)
    assert.equal(14, store.done)
    assert.same({ 9, 25, 4, 16 }, { store:found("square 3", "value"),
      store:found("square 5", "value"), store:found("square 2", "value"),
      store:found("square 4", "value") })
    assert.same({ value = 9 }, store:found "square 3")
    assert.is_nil(store:found("square 3", "value2", "more"))
    assert.is_nil(store:found("square 6", "value"))
    assert.is_nil(store:found("square 7", "value"))
  end)

  it("have times by figure, or as their rows say", function()
    local store = store_of()
    for _, figure in ipairs { "1", "2", "3" } do store:run(figure) end
    local found = {}
    for i, time in ipairs(store.times) do
      assert.is_true(time.cpu_seconds >= 0 and math.type(time.seconds) == "integer")
      found[i] = ("%s %s %s %d"):format(time.figure, time.heuristic, time.more, time.simulations)
    end
    assert.same({ "1 nil nil 6", "2 h kept 8", "3 nil nil 6" }, found)
  end)

  it("are not computed again by the same command with other threads", function()
    store_of(1):run "1"
    local store = store_of(2)
    store:run "1"
    assert.same({ "square 2", "square 4" }, computed)
    assert.equal(16, store:found("square 4", "value"))
  end)

  it("say why one cannot be computed", function()
    local store = cells.new(Store, { given = { out = folder } })
    store:ask("1", "bad", { steps = function() return 1 end,
      compute = function() error "no idea" end })
    store:begin()
    assert.error_matches(function() store:run "1" end, "no idea")
    assert.is_nil(store:found "bad")
  end)

  it("share what is made once", function()
    local store, made = cells.new(Store, { given = {} }), 0
    local function make()
      made = made + 1
      return "made " .. made
    end
    assert.same({ "made 1", "made 1", "made 2", 2 }, { store:once("a", make),
      store:once("a", make), store:once("b", make), made })
    assert.equal("simulations", store.what)
    assert.equal("packs", cells.class("packs").what)
    assert.is_nil(lfs.attributes(folder .. "/unfinished"))
  end)
end)

describe("samples of cells", function()
  it("are divided, and subtracted, one by one", function()
    local a, b = { 6, 9, 1 }, { 2, 3, 4 }
    assert.same({ 3, 3, 0.25 }, cells.divided(a, b))
    assert.same({ 4, 6, -3 }, cells.less(a, b))
    assert.same({ 2, 2, -0.75 }, cells.excess(b, a))
    for _, of in ipairs { "divided", "less", "excess" } do
      assert.is_nil(cells[of](a, nil))
      assert.is_nil(cells[of](nil, b))
    end
  end)

  it("of the policies of a result are by metric, and by key", function()
    local result = orrery.compare { jobs = orrery.synthetic { count = 5 }, procs = 3000, runs = 3,
      policies = { "easy", "fcfs" }, errors = { mean_probability = 0.3 } }
    local metrics = { "makespan", "wait_mean" }
    local of_fcfs = cells.values(result, 2, metrics)
    assert.same({ makespan = result:values(2, "makespan"),
      wait_mean = result:values(2, "wait_mean") }, of_fcfs)
    assert.same({ e = cells.values(result, 1, metrics), f = of_fcfs },
      cells.by_key(result, { { key = "e" }, { key = "f" } }, metrics))
  end)

  -- By hand: 1, 2, 3 have the mean 2 and the deviation 1; e to the powers of -1, 0 and 1.
  it("have means, intervals, and geometric means", function()
    local point, half = cells.point(7, { 1, 2, 3 }), orrery.summary({ 1, 2, 3 }).half_width
    assert.same({ 7, 2 }, { point[1], point[2] })
    assert.equal(half, point[3])
    local geometric = cells.geometric { math.exp(-1), 1, math.exp(1) }
    assert.near(1, geometric.mean, 1e-12)
    assert.near(math.exp(-half), geometric.low, 1e-9)
    assert.near(math.exp(half), geometric.high, 1e-9)
    local row = { kept = 5 }
    assert.equal(2, cells.summarise(row, "wait_", { 1, 2, 3 }).mean)
    assert.equal(half, row.wait_half_width)
    row.wait_half_width = nil
    assert.same({ kept = 5, wait_mean = 2, wait_sd = 1, wait_min = 1, wait_max = 3 }, row)
  end)
end)
