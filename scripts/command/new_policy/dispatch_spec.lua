  -- When each job starts for the first time, by its id.
  local function starts(spec)
    local s = orrery.session(spec)
    s:finish()
    assert.is_true(s:check())
    local found = {}
    for _, attempt in ipairs(s:schedule()) do
      found[attempt.id] = found[attempt.id] or attempt.start
    end
    return found
  end

  local jobs = orrery.jobs {
    { id = "first", procs = 6, runtime = 100 }, { id = "wide", procs = 10, runtime = 50 },
    { id = "three", procs = 3, runtime = 20 }, { id = "one", procs = 1, runtime = 20 },
  }

  it("fills from behind, but for what it keeps", function()
    local spec = { jobs = jobs, procs = 10, policy = policy, options = { kept = 0.1 } }
    assert.same({ first = 0, wide = 100, three = 0, one = 20 }, starts(spec))
  end)

  it("is EASY when it keeps nothing", function()
    local mine = starts { jobs = jobs, procs = 10, policy = policy, options = { kept = 0 } }
    assert.equal(0, mine.one)
    assert.same(starts { jobs = jobs, procs = 10, policy = "dispatch/easy" }, mine)
  end)

  it("makes schedules that the checker accepts, and forks that go on alike", function()
    for seed = 1, 20 do
      local s = orrery.session { jobs = orrery.synthetic { count = 30, seed = seed },
        procs = 4000, errors = { mean_probability = 0.2 }, seed = seed, policy = policy }
      for _ = 1, 10 do s:step() end
      local fork = s:fork()
      assert.equal(fork:finish().makespan, s:finish().makespan)
      assert.is_true(s:check())
    end
  end)
