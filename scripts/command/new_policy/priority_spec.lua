  local function session(spec)
    spec.policy, spec.priority = spec.policy or "dispatch/easy", policy
    return orrery.session(spec)
  end

  -- The ids of the jobs in the order in which they start.
  local function order(s)
    s:finish()
    local ids = {}
    for i, attempt in ipairs(s:schedule()) do ids[i] = attempt.id end
    return table.concat(ids, " ")
  end

  it("puts long and wide jobs first", function()
    local s = session { procs = 4, jobs = orrery.jobs {
      { id = "short", procs = 4, runtime = 10 }, { id = "long", procs = 4, runtime = 100 },
      { id = "narrow", procs = 1, runtime = 100 },
    } }
    assert.equal("long narrow short", order(s))
  end)

  it("makes schedules that the checker accepts, and forks that go on alike", function()
    for seed = 1, 20 do
      local s = session { jobs = orrery.synthetic { count = 30, seed = seed }, procs = 4000,
        errors = { mean_probability = 0.2 }, seed = seed }
      for _ = 1, 10 do s:step() end
      local fork = s:fork()
      assert.equal(fork:finish().makespan, s:finish().makespan)
      assert.is_true(s:check())
    end
  end)
