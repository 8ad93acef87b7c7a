-- What policies may know of failures to come: rates, probabilities, and how long a job is expected
-- to hold its processors, against closed forms (READINGS 36) and against many futures.
local naive = require "spec.support.naive_checkpoints"
local orrery = require "orrery"
local rounds = require "spec.support.rounds"

-- A session of one job, and what its policy sees of it at its submission and at the times given;
-- act(sim, job, time) may act there.
local function look_at(spec, times, act)
  local seen = {}
  local function look(sim, job)
    sim:note { rate = job.error_rate, of_node = sim.error_rate, expected = job.expected_remaining,
      probability = job.failure_probability, length = job.next_length, state = job.state }
  end
  local s = orrery.session { jobs = orrery.jobs(spec.rows), procs = spec.procs or 1,
    walltimes = spec.walltimes, seed = spec.seed, node_failures = spec.nodes,
    checkpoint = spec.checkpoint, max_attempts = 2147483646, policy = { dispatch = "fcfs",
      on_submit = function(sim, job)
        look(sim, job)
        for _, time in ipairs(times or {}) do sim:wake_at(time) end
      end,
      on_timer = function(sim)
        local job = sim:job(1)
        if act then act(sim, job, sim.now) end
        look(sim, job)
      end } }
  s:run_until(times and times[#times] or 0)
  for i, note in ipairs(s.notes) do seen[i] = note end
  return seen, s
end

-- The expected time that a job of work w holds its processors, of whose nodes one fails at a rate.
local function expected(rate, w, tau, cost, recovery)
  local function grow(x) return (math.exp(rate * x) - 1) / rate end
  local n = math.ceil(w / tau)
  if n == 1 then return grow(w) end
  local again = math.exp(rate * recovery)
  return grow(tau + cost) * (1 + (n - 2) * again) + again * grow(w - (n - 1) * tau)
end

-- The same, naively, of an attempt that runs or begins at a time: it is struck in one of the pieces
-- between its complete checkpoints, or not; and what follows begins with what is saved then.
local remaining

local function from_saved(pays, rate, w, saved, known)
  known = known or {}
  if not known[saved] then
    local whole, itself = remaining(naive.begin(pays, 0, saved, w), 0, rate, known)
    known[saved] = whole / (1 - itself)
  end
  return known[saved]
end

function remaining(stretch, now, rate, known)
  local pays, finish = stretch.pays, naive.end_of(stretch, stretch.work)
  local own, sum, itself, time = stretch.saved, 0, 0, now
  while time < finish do
    local till, begun = finish, stretch.from + stretch.recovery
    local k = math.floor((time - begun) / ((pays.period or math.huge) + pays.cost) + 1e-9) + 1
    if pays.period then
      till = math.min(finish, begun + math.max(k, 1) * (pays.period + pays.cost))
    end
    local fails = math.exp(-rate * (time - now)) - math.exp(-rate * (till - now))
    local saved = naive.saved(stretch, (time + till) / 2)
    sum = sum + fails / rate
    if saved == own and now == 0 and stretch.from == 0 then
      itself = itself + fails
    else
      sum = sum + fails * from_saved(pays, rate, stretch.work, saved, known)
    end
    time = till
  end
  return sum, itself
end

local function near(a, b, what)
  assert.is_true(math.abs(a - b) <= 1e-9 * (1 + math.abs(b)), ("%s: %.17g, not %.17g"):format(what,
    a, b))
end

describe("a policy", function()
  it("knows rates, probabilities and expected times of jobs that wait: closed forms", function()
    local rng = orrery.random { seed = 3 }
    for case = 1, rounds(300, 300, 30) do
      local w, procs, node = rng:uniform(10, 5000), rng:integer(1, 40), rng:integer(1, 8)
      local mtbf, domains = 10 ^ rng:uniform(4, 6), rng:integer(0, 1) == 1 -- no job is hopeless
      local tau, cost = rng:uniform(5, 3000), rng:uniform(0, 30)
      local recovery, saves = rng:uniform(0, 30), rng:integer(0, 2) > 0
      local nodes = math.ceil(procs / node)
      local rate = nodes / mtbf + (domains and math.ceil(procs / (3 * node)) / (2 * mtbf) or 0)
      local law = rng:integer(0, 1) == 1
      local seen = look_at { rows = { { submit = 0, procs = procs, time = w } }, procs = 64,
        nodes = { mtbf = mtbf, procs = node, repair = 50, lemons = "0.2:3",
          domains = domains and { nodes = 3, mtbf = 2 * mtbf } or nil,
          law = law and "weibull" or nil, shape = law and 0.7 or nil },
        checkpoint = saves and { period = tau, cost = cost, recovery = recovery } or nil }
      local one = seen[1]
      near(one.rate, rate, "rate")
      near(one.of_node, 1 / mtbf + (domains and 1 / (2 * mtbf) or 0), "rate of a node")
      local length = saves and w + (math.ceil(w / tau) - 1) * cost or w
      near(one.length, length, "length")
      near(one.probability, 1 - math.exp(-rate * length), "probability")
      near(one.expected, saves and expected(rate, w, tau, cost, recovery)
        or (math.exp(rate * w) - 1) / rate, "expected " .. case)
    end
  end)

  it("knows that nothing fails where nothing is drawn, and what is left", function()
    local rows = { { submit = 0, procs = 1, time = 100 } }
    for _, nodes in ipairs { false, { log = {} } } do
      local seen = look_at({ rows = rows, nodes = nodes or nil,
        checkpoint = { period = 30, cost = 5, recovery = 7 } }, { 20, 50, 114 })
      local list = {}
      for i, one in ipairs(seen) do
        assert.equal(0, one.rate + one.of_node + one.probability)
        list[i] = one.expected
      end
      assert.same({ 115.0, 95.0, 65.0, 1.0 }, list)
    end
    local seen = look_at({ rows = rows }, { 20, 99 })
    assert.same({ 100.0, 80.0, 1.0 }, { seen[1].expected, seen[2].expected, seen[3].expected })
  end)

  it("expects what a naive reading does, from within attempts", function()
    local compared, behind = 0, { recovery = 0, demand = 0 }
    local count = rounds(400, 400, 30)
    for seed = 1, count do
      local rng = orrery.random { seed = seed }
      local w, mtbf = rng:uniform(50, 1000), rng:uniform(100, 2000)
      local pays = { cost = rng:uniform(0, 20), recovery = rng:uniform(0, 80),
        period = rng:integer(0, 4) > 0 and rng:uniform(20, 300) or nil }
      local time, demanded = rng:uniform(1, 1200), nil
      if rng:integer(0, 1) == 1 then demanded = time * rng:uniform(0.2, 0.99) end
      local seen, s = look_at({ rows = { { submit = 0, procs = 1, time = w } }, seed = seed,
        nodes = { mtbf = mtbf, repair = 0 }, checkpoint = { cost = pays.cost,
          recovery = pays.recovery, period = pays.period or "none" } },
        demanded and { demanded, time } or { time }, function(sim, job, now)
          if now == demanded and job.state == "running" then sim:checkpoint(job) end
        end)
      local last, attempts = seen[#seen], s:schedule()
      local a = attempts[#attempts]
      if last.time == time and last.state == "running" then
        local before = #attempts > 1 and attempts[#attempts - 1].saved or 0
        local stretch = naive.begin(pays, a.start, before, w)
        if demanded and demanded > a.start and naive.end_of(stretch, w) > demanded then
          local _, next_one = naive.demand(stretch, demanded)
          stretch = next_one or stretch
        end
        if time > stretch.from then -- not while it writes on demand
          near(last.expected, (remaining(stretch, time, 1 / mtbf, {})), "expected " .. seed)
          compared = compared + 1
          behind.recovery = behind.recovery + (stretch.recovery > 0 and 1 or 0)
          behind.demand = behind.demand + (stretch.demanded and 1 or 0)
        end
      end
    end
    assert.is_true(compared > count / 4 and math.min(behind.recovery, behind.demand) > count / 40,
      compared)
  end)

  -- How long the job holds its processor from now on, in futures of other seeds.
  local function many(s, now, futures)
    local sum, squares = 0, 0
    for seed = 1, futures do
      local fork = s:fork { seed = 1000 + seed }
      fork:finish()
      local held = 0
      for _, a in ipairs(fork:schedule()) do
        held = held + math.max(a.finish - math.max(a.start, now), 0)
      end
      sum, squares = sum + held, squares + held * held
    end
    local mean = sum / futures
    return mean, math.sqrt((squares / futures - mean * mean) / (futures - 1))
  end

  it("expects what comes of many futures, in work, checkpoints and recoveries", function()
    local FUTURES = rounds(4000, 4000, 50)
    -- segments of 105 s: in the first, inside its checkpoint, in a later one, in the last; with
    -- failures before that leave recoveries; behind a checkpoint on demand
    local worst, states = 0, {}
    for seed = 1, 4 do
      for _, time in ipairs { 40, 102, 250, 470, 700 } do
        for _, kind in ipairs { "plain", "saves", "on demand" } do
          local spec = { rows = { { submit = 0, procs = 1, time = 450 } }, seed = seed,
            nodes = { mtbf = 300, repair = 0 },
            checkpoint = kind ~= "plain" and { period = 100, cost = 5, recovery = 100 } or nil }
          local seen, s = look_at(spec, kind == "on demand" and { time - 33, time } or { time },
            function(sim, job, now)
              if kind == "on demand" and now < time and job.state == "running" then
                sim:checkpoint(job)
              end
            end)
          local last = seen[#seen]
          if last.time == time then -- else the job was over before
            states[last.state] = (states[last.state] or 0) + 1
            local mean, error = many(s, time, FUTURES)
            local off = math.abs(mean - last.expected) / error
            assert.is_true(off < 4.5, ("%s at %g, seed %d: %g +- %g, expected %g"):format(kind,
              time, seed, mean, error, last.expected))
            worst = math.max(worst, off)
          end
        end
      end
    end
    assert.is_true(worst > 0.5 and states.running > 30, states.running)
  end)
end)
