  it("moves who makes too many wait", function()
    local s = orrery.session {
      jobs = orrery.jobs {
        { id = "blocker", procs = 2, runtime = 1000 },
        { id = "a", procs = 9, runtime = 10, submit = 1 },
        { id = "b", procs = 9, runtime = 10, submit = 2 },
      },
      procs = 10, policy = policy, options = { patience = 1, share = 0.2 },
    }
    s:run_until(1)
    assert.equal("main", s:job(1).group)
    s:run_until(2) -- now it makes two of them wait
    assert.equal("spare", s:job(1).group)
    assert.equal(2, s:job(1).start)
    s:finish()
    assert.is_true(s:check())
  end)

  it("makes schedules that the checker accepts, and forks that go on alike", function()
    for seed = 1, 20 do
      local s = orrery.session { jobs = orrery.lublin { procs = 64, count = 40, seed = seed,
        load = 1.5 }, policy = policy, options = { patience = 2 } }
      for _ = 1, 20 do s:step() end
      local fork = s:fork()
      assert.equal(fork:finish().makespan, s:finish().makespan)
      assert.is_true(s:check())
    end
  end)
