-- Redirection: a case worked by hand, and a second implementation that agrees.
local orrery = require "orrery"
local instances = require "spec.support.instances"
local naive_redirect = require "spec.support.naive_redirect"
local rounds = require "spec.support.rounds"

local function schedule(list, procs, options, more)
  local spec = {
    jobs = orrery.jobs(list), procs = procs, policy = "redirect/threshold", options = options,
  }
  for key, value in pairs(more or {}) do spec[key] = value end
  local session = orrery.session(spec)
  local metrics = session:finish()
  assert.is_true(session:check())
  return session:schedule(), metrics, session
end

local function line(attempt)
  return ("%d: %g to %g in %s, %s"):format(attempt.position, attempt.start, attempt.finish,
    attempt.group, attempt.outcome)
end

local function lines(attempts)
  local list = {}
  for i, attempt in ipairs(attempts) do list[i] = line(attempt) end
  return list
end

local function as_text(list, letters)
  local text = {}
  for i, attempt in ipairs(list) do
    text[i] = ("%s %g-%g%s"):format(letters[attempt.position], attempt.start, attempt.finish,
      attempt.group == "redirection" and " r" or "")
  end
  return text
end

describe("redirect/threshold by hand", function()
  -- 10 processors and 4 for redirection, theta = 1. B is too wide to be redirected.
  local LETTERS = { "A", "B", "C", "D", "E", "F", "G", "H", "I" }
  local LIST = {
    { procs = 4, time = 100, submit = 0 },
    { procs = 5, time = 50, submit = 0 },
    -- 1 processor is free, C waits. A: 1
    { procs = 3, time = 10, submit = 1 },
    -- D has to wait, for C does, though it could start at once. A: 2, A is redirected at 2, where
    -- nobody waits, and runs from 2 to 102. C and D start.
    { procs = 1, time = 5, submit = 2 },
    -- 1 processor is free, E waits. C: 1; D is narrower than E
    { procs = 2, time = 20, submit = 3 },
    -- F has to wait. C: 2, and B: 2, with the longer walltime, but too wide. C is redirected at 4
    -- and waits for A there. E starts, F when D has ended at 7
    { procs = 3, time = 30, submit = 4 },
    -- nobody is as wide as G and can be redirected; B and F leave it 5 processors at 37
    { procs = 5, time = 4, submit = 8 },
    -- H has to wait, for G does; F: 1, for it started after the counters were reset. H starts
    -- behind G's reservation
    { procs = 2, time = 1, submit = 30 },
    -- F: 2, F is redirected at 31, behind C. G starts at once
    { procs = 3, time = 1000, submit = 31 },
  }

  it("counters, resets, who is eligible, and restarts from nothing", function()
    local found, metrics, session = schedule(LIST, 10, { alpha = 0.4, theta = 1 })
    assert.same({
      "A 0-2", "B 0-50", "A 2-102 r", "C 2-4", "D 2-7", "E 4-24", "F 7-31", "H 30-31", "G 31-35",
      "I 35-1035", "C 102-112 r", "F 112-142 r",
    }, (function()
      local text = as_text(found, LETTERS)
      table.sort(text, function(a, b)
        local x, y = tonumber(a:match " ([%d.]+)-"), tonumber(b:match " ([%d.]+)-")
        if x ~= y then return x < y end
        return a < b
      end)
      return text
    end)())
    assert.equal(3, metrics.redirected)
    assert.equal(2 * 4 + 2 * 3 + 24 * 3, metrics.work_lost)
    assert.equal(14, session.procs)
  end)

  it("theta: more than so many, not as many", function()
    local _, metrics = schedule(LIST, 10, { alpha = 0.4, theta = 2 })
    local _, one = schedule({ LIST[1], LIST[2], LIST[3], LIST[4] }, 10, { alpha = 0.4, theta = 2 })
    assert.equal(0, one.redirected)
    assert.is_true(metrics.redirected < 3)
  end)

  it("filter = walltime: a job counts against those that are at most as long", function()
    local list = {
      { procs = 2, time = 100, submit = 0 }, { procs = 2, time = 10, submit = 0 },
      { procs = 4, time = 20, submit = 1 }, -- counts against the second alone
    }
    local found = schedule(list, 4, { redirection_procs = 2, theta = 0, filter = "walltime" })
    assert.same({ "2: 1 to 11 in redirection, completed" }, { lines(found)[3] })
    -- nobody is as wide as the third job
    found = schedule(list, 4, { redirection_procs = 2, theta = 0, filter = "procs" })
    assert.equal(3, #found)
  end)

  it("conflict: who of several", function()
    local list = {
      { procs = 1, time = 40, submit = 0 }, { procs = 3, time = 20, submit = 0 },
      { procs = 1, time = 30, submit = 0 }, { procs = 1, time = 40, submit = 0 },
      { procs = 1, time = 25, submit = 1 }, -- behind: 6 of 7 are held, this takes the last
      { procs = 1, time = 50, submit = 2 }, -- counts 1 against all
    }
    local function victim(conflict, more)
      for _, attempt in ipairs(schedule(list, 7, {
        redirection_procs = 3, theta = 0, conflict = conflict,
      }, more)) do
        if attempt.outcome == "preempted" then return attempt.position end
      end
    end
    assert.equal(1, victim "walltime") -- 40, as the fourth: by position
    assert.equal(2, victim "area")     -- 60
    assert.equal(1, victim "counter")  -- all 1: by position
    local seen = {}
    for seed = 1, 60 do seen[victim("random", { seed = seed })] = true end
    assert.same({ true, true, true, true, true }, seen)
  end)

  it("counter: the largest", function()
    local list = {
      { procs = 1, time = 90, submit = 0 }, { procs = 2, time = 80, submit = 0 },
      { procs = 2, time = 9, submit = 1 }, -- counts against the second: 1
      { procs = 2, time = 9, submit = 2 }, -- 2
      { procs = 1, time = 9, submit = 3 }, -- 3, and 1 against the first
    }
    for conflict, expected in pairs { walltime = 2, counter = 2 } do
      local found = schedule(list, 3, { redirection_procs = 2, theta = 2, conflict = conflict })
      local victims = {}
      for _, attempt in ipairs(found) do
        if attempt.outcome == "preempted" then victims[#victims + 1] = attempt.position end
      end
      assert.same({ expected }, victims)
    end
  end)

  it("processors: alpha of the machine to the nearest, or outright", function()
    local list = { { procs = 1, time = 1 } }
    local function extra(procs, options)
      local _, _, session = schedule(list, procs, options)
      return session.procs - procs
    end
    assert.equal(15, extra(100, nil))
    assert.equal(2, extra(10, { alpha = 0.15 })) -- 1.5
    assert.equal(1, extra(10, { alpha = 0.1499 }))
    assert.equal(7, extra(10, { redirection_procs = 7 }))
    assert.equal(0, extra(10, { extra = false, redirection_procs = 7 }))
    assert.has_error(function() extra(10, { alpha = 0.01 }) end,
      "policy redirect/threshold: group redirection: procs must be a whole number of at least 1, "
      .. "it is 0")
  end)
end)

describe("redirect/threshold and a second implementation agree", function()
  local CONFLICTS = { "walltime", "counter", "area", "random" }

  local function random_instance(rng)
    local instance = instances.random(rng, {
      n = 25, positive = true, walltimes = false, verification = false, failures = 0,
    })
    for i, job in ipairs(instance.list) do
      if rng:integer(0, 2) > 0 then job.submit = rng:integer(0, 12) end
      if rng:integer(0, 9) == 0 then job.procs = instance.procs end
      if i % 2 == 0 then job.time = job.time + rng:integer(0, 20) end
    end
    local conflict = CONFLICTS[rng:integer(1, #CONFLICTS)]
    if conflict == "random" then -- at most one redirection per instant, or who was first?
      for i, job in ipairs(instance.list) do job.submit = job.submit + i / 64 end
    end
    return instance, {
      redirection_procs = rng:integer(1, instance.procs), theta = rng:integer(0, 3),
      filter = rng:integer(0, 1) == 0 and "procs" or "walltime", conflict = conflict,
    }
  end

  -- Of the candidates of an instant the one that was killed then.
  local function as_in(found)
    return function(candidates, now)
      for _, candidate in ipairs(candidates) do
        for _, attempt in ipairs(found) do
          if attempt.position == candidate.position and attempt.outcome == "preempted"
            and attempt.finish == now then
            return candidate
          end
        end
      end
      error(("nobody who may be redirected was, at %g"):format(now))
    end
  end

  local function hold(instance, options)
    local found, metrics = schedule(instance.list, instance.procs, options)
    local expected = naive_redirect.run {
      jobs = instance.list, procs = instance.procs, more = options.redirection_procs,
      theta = options.theta, filter = options.filter,
      conflict = options.conflict == "random" and as_in(found) or options.conflict,
    }
    local a, b = lines(found), lines(expected)
    table.sort(a)
    table.sort(b)
    if table.concat(a, "\n") ~= table.concat(b, "\n") then
      error(("%s\nfound:\n%s\nexpected:\n%s\ntheta = %d, filter = %s, conflict = %s, more = %d")
        :format(instances.describe(instance), table.concat(a, "\n"), table.concat(b, "\n"),
          options.theta, options.filter, options.conflict, options.redirection_procs))
    end
    return metrics.redirected
  end

  it("on random instances", function()
    local rng = orrery.random(2020)
    local redirected, with, count = 0, 0, rounds(200, 200, 60)
    for _ = 1, count do
      local here = hold(random_instance(rng))
      redirected = redirected + here
      if here > 0 then with = with + 1 end
    end
    assert.is_true(with > 0.3 * count and redirected > with + 0.15 * count) -- or this shows nothing
  end)
end)

describe("redirect/threshold in a comparison", function()
  it("gives the others as many processors, and says so", function()
    local jobs = orrery.jobs { { procs = 10, time = 5 }, { procs = 12, time = 5 } }
    local function compare(more)
      local spec = {
        jobs = jobs, procs = 12, policies = { "dispatch/easy", "redirect/threshold" },
        options = { redirection_procs = 10 },
      }
      for key, value in pairs(more or {}) do spec[key] = value end
      return orrery.compare(spec)
    end
    local even = compare()
    assert.same({ 5 }, even:values(1, "makespan")) -- 22 processors
    assert.same({ 10 }, even:values(2, "makespan"))
    local has = "policy redirect/threshold has 10 processors on top of the machine's 12"
    assert.same({ has, "policy dispatch/easy gets 10 more processors, as redirect/threshold has "
      .. "them" }, even.notes)
    local own = compare { equal_procs = false }
    assert.same({ 10 }, own:values(1, "makespan"))
    assert.same({ 10 }, own:values(2, "makespan"))
    assert.same({ has }, own.notes)
  end)

  it("is the same for any number of threads", function()
    local list = {}
    for i = 1, 40 do list[i] = { procs = i % 5 + 1, time = i * 7 % 23 + 1, submit = i * 2 } end
    local function values(threads)
      return orrery.compare {
        jobs = orrery.jobs(list), procs = 8, runs = 20, threads = threads, seed = 3,
        errors = { mean_probability = 0.2 }, policy = "redirect/threshold",
        options = { theta = 1, alpha = 0.5, conflict = "random" },
      }:values(1, "flow_mean")
    end
    local one = values(1)
    assert.same(one, values(2))
    assert.same(one, values(7))
    assert.is_true(one[1] ~= one[2])
  end)
end)
