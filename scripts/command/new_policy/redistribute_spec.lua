  it("gives the processors of a task that has ended to the other one", function()
    local s = orrery.session {
      tasks = orrery.tasks.list {
        { id = "short", m = 1e5, profile = "amdahl", f = 0 },
        { id = "long", m = 2e6, profile = "amdahl", f = 0 },
      },
      procs = 8, policy = policy,
    }
    while #s:running() == 2 do s:step() end
    assert.equal(8, s:task(2).procs)
    s:finish()
    assert.is_true(s:check())
  end)

  it("is faster than doing nothing, under the same faults", function()
    local result = orrery.compare { tasks = { n = 20 }, procs = 200, runs = 20,
      faults = { mtbf_years = 20 }, policies = { "none", policy } }
    local difference = result:difference(1, 2)
    assert.is_true(difference.mean < 0 and difference.significant)
  end)

  it("makes schedules that the checker accepts, and forks that go on alike", function()
    for run = 1, 20 do
      local s = orrery.session { tasks = { n = 8 }, procs = 80, faults = { mtbf_years = 5 },
        run = run, policy = policy }
      for _ = 1, 5 do s:step() end
      local fork = s:fork()
      assert.equal(fork:finish().makespan, s:finish().makespan)
      assert.is_true(s:check())
    end
  end)
