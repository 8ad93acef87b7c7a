  it("puts tasks of about the same length together", function()
    local tasks = orrery.tasks.list {
      { id = "long", times = { 100 } }, { id = "short", times = { 10 } },
      { id = "also long", times = { 80 } }, { id = "also short", times = { 9 } },
    }
    local result = orrery.packs { tasks = tasks, procs = 4, policy = policy }
    assert.same({ { 1, 3 }, { 2, 4 } }, result:coschedule():packs())
  end)

  it("makes packs that the checker accepts", function()
    for seed = 1, 20 do
      local result = orrery.packs { tasks = { n = 20, m = { 1000, 1e5 } }, procs = 32, k = 5,
        seed = seed, policy = policy }
      assert.is_true(result:coschedule():check())
      for _, pack in ipairs(result:coschedule():packs()) do assert.is_true(#pack <= 5) end
    end
  end)
