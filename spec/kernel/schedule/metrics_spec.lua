-- Metrics of a finished run: worked out by hand, against plain loops over the recorded schedule,
-- and when memory runs out: an error, and everything given back.
local native = require "native_metrics"
local orrery = require "orrery"
local rounds = require "spec.support.rounds"

-- Metrics are near to these numbers.
local function are_near(expected, found)
  for name, value in pairs(expected) do
    assert.is_true(math.abs(value - found[name]) <= 1e-12 * math.max(1, math.abs(value)),
      ("%s: expected %.17g, found %.17g"):format(name, value, found[name]))
  end
end

-- A needs two attempts, from 0 to 12 and to 24, which end with a verification of 2 s; C runs beside
-- them, from 3 to 6, and B has to wait for both.
local ABC = orrery.jobs { { id = "A", submit = 0, procs = 2, time = 10, user = "u" },
  { id = "B", submit = 2, procs = 4, time = 5, user = "v" },
  { id = "C", submit = 3, procs = 1, time = 1, user = "v" } }

local function finished(fields)
  for name, value in pairs { jobs = ABC, procs = 4, policy = "easy", verification = 2, tau = 1,
    failures = { 1, 0, 0 } } do
    if fields[name] == nil then fields[name] = value end
  end
  return orrery.session(fields):finish()
end

describe("metrics by hand", function()
  local held = 2 * 12 * 2 + 4 * 7 + 3

  it("of jobs, attempts and the machine", function()
    are_near({
      makespan = 31, lower_bound = 20, ratio = 31 / 20, -- A alone takes 20; the area is 61 / 4
      wait_mean = (14 + 24 + 2) / 3, wait_max = 24, flow_mean = (24 + 29 + 3) / 3,
      bsld_mean = (24 / 10 + 29 / 5 + 3) / 3, bsld_max = 29 / 5,
      starts = 4, failures = 1, killed = 0, work_lost = 2 * 12, work_cut = 0,
      utilisation = held / (4 * 31), waste = 1 - 41 / held, goodput = 41 / (4 * 31),
      ettr = (10 / 24 + 5 / 29 + 1 / 3) / 3, interruptions = 0, interruptions_mean = 0,
    }, finished {})
    are_near({ bsld_mean = (24 / 10 + 29 / 8 + 1) / 3, bsld_max = 29 / 8 }, finished { tau = 8 })
    are_near({ makespan = 19, lower_bound = 41 / 4, starts = 3, failures = 0, work_lost = 0 },
      finished { failures = { 0, 0, 0 } })
  end)

  -- A is killed at 4, as no detector looks at it, B and C complete.
  it("of a job that is killed at its walltime", function()
    local jobs = orrery.jobs { { submit = 0, procs = 2, time = 10, walltime = 4 },
      { submit = 2, procs = 4, time = 5, walltime = 5 } }
    are_near({ makespan = 11, killed = 1, failures = 0, starts = 2, work_cut = 12, ettr = 5 / 9 / 2,
      lower_bound = 7, waste = 1 - 20 / (8 + 28), wait_mean = (0 + 4) / 2, work_lost = 8 },
      finished { jobs = jobs, walltimes = "log", failures = { 0, 0 } })
  end)

  -- The window is from 2 to 3: A holds 2 processors in it, and B and C are observed.
  it("in a window of observation, where processors are absent", function()
    are_near({ makespan = 31, wait_mean = (24 + 2) / 2, wait_max = 24, flow_mean = (29 + 3) / 2,
      ettr = (5 / 29 + 1 / 3) / 2, utilisation = 2 / 4, starts = 4 }, finished { warmup = 2 })
    local s = orrery.session { jobs = orrery.jobs { { submit = 0, procs = 1, time = 10 },
      { submit = 4, procs = 1, time = 10 }, { submit = 8, procs = 1, time = 10 } },
      procs = 4, policy = "easy", warmup = 4 }
    s:run_until(6)
    s:change { procs = 2 } -- two are away in half of the window from 4 to 8
    are_near({ makespan = 20, utilisation = 8 / (4 * 4 - 2 * 2) }, s:finish())
  end)

  -- Two of four processors are away from 6 to 10, and one from 12 on; the run ends at 18.
  it("of a machine some of whose processors are absent", function()
    local s = orrery.session { jobs = orrery.jobs { { submit = 0, procs = 1, time = 18 } },
      procs = 4, policy = "easy" }
    for _, change in ipairs { { 6, 2 }, { 10, 4 }, { 12, 3 } } do
      s:run_until(change[1])
      s:change { procs = change[2] }
    end
    are_near({ makespan = 18, utilisation = 18 / (4 * 18 - 2 * 4 - 6) }, s:finish())
  end)

  -- Its processor fails at 4, and is repaired at 6.
  it("of one job that a node's failure interrupts", function()
    are_near({ makespan = 16, interruptions = 1, interruptions_mean = 1, node_failures = 1,
      starts = 2, failures = 0, work_lost = 4, waste = 1 - 10 / 14, ettr = 10 / 16, wait_mean = 6 },
      finished { jobs = orrery.jobs { { procs = 1, time = 10 } }, procs = 1, verification = 0,
        failures = { 0 }, node_failures = { log = { { time = 4, processor = 0 } }, repair = 2 } })
  end)

  -- 2 processors compute for 3 s and write for 1 s, three times, and compute the last second. The
  -- fault at 6 comes 2 s after the first checkpoint; the second attempt recovers for 2 s.
  it("of a job that writes checkpoints", function()
    local s = orrery.session { jobs = orrery.jobs { { id = "a", procs = 2, time = 10 } }, procs = 3,
      policy = "easy", checkpoint = { period = 3, cost = 1, recovery = 2 } }
    s:run_until(6)
    s:change { fault = { job = "a" } }
    are_near({ makespan = 6 + 2 + 7 + 2, checkpoints = 3, checkpoint_time = 2 * 3,
      recovery_time = 2 * 2, work_lost = 2 * 2, lower_bound = 10, starts = 2, interruptions = 1,
      waste = 1 - 20 / 34, utilisation = 34 / (3 * 17) }, s:finish())
  end)

  it("of users, most work first", function()
    local result = orrery.compare { jobs = ABC, procs = 4, policy = "easy", verification = 2,
      tau = 1, failures = { { 1, 0, 0 } } }
    local v, u = table.unpack(result:users(1))
    assert.same({ "v", 2, 21, "u", 1, 20 }, { v.user, v.jobs, v.work, u.user, u.jobs, u.work })
    are_near({ wait_mean = 13, wait_max = 24, flow_mean = 16, bsld_mean = 4.4, bsld_max = 5.8 }, v)
    are_near({ wait_mean = 14, wait_max = 14, flow_mean = 24, bsld_mean = 2.4, bsld_max = 2.4 }, u)
  end)
end)

describe("metrics of random runs", function()
  -- From the rows of the schedule alone.
  local function naive(jobs, failures, schedule, procs, tau)
    local last, first, sums = {}, jobs[1].submit, { held = 0, useful = 0, starts = 0 }
    local header, at = schedule:match "[^\n]+", {}
    local i = 0
    for name in header:gmatch "[^,]+" do i, at[name] = i + 1, i + 1 end
    for line in schedule:gmatch "\n([^\n]+)" do
      local cells = {}
      for cell in (line .. ","):gmatch "([^,]*)," do cells[#cells + 1] = cell end
      local id = cells[at.job_id]:match "^[^#]+"
      last[id] = tonumber(cells[at.finish_time])
      sums.held = sums.held + tonumber(cells[at.execution_time])
        * tonumber(cells[at.requested_number_of_resources])
      sums.starts = sums.starts + 1
    end
    local m = { makespan = 0, wait_mean = 0, wait_max = 0, flow_mean = 0, bsld_mean = 0,
      bsld_max = 0, ettr = 0, starts = sums.starts, failures = sums.starts - #jobs }
    local longest, area, n = 0, 0, #jobs
    for j, job in ipairs(jobs) do
      local flow = last[job.id] - job.submit
      local wait, bsld = flow - job.time, math.max(1, flow / math.max(job.time, tau))
      m.makespan = math.max(m.makespan, last[job.id] - first)
      m.wait_mean, m.wait_max = m.wait_mean + wait / n, math.max(m.wait_max, wait)
      m.flow_mean, m.ettr = m.flow_mean + flow / n, m.ettr + job.time / flow / n
      m.bsld_mean, m.bsld_max = m.bsld_mean + bsld / n, math.max(m.bsld_max, bsld)
      longest = math.max(longest, job.submit - first + (failures[j] + 1) * job.time)
      area = area + (failures[j] + 1) * job.time * job.procs
      sums.useful = sums.useful + job.time * job.procs
    end
    m.lower_bound = math.max(longest, area / procs)
    m.waste, m.utilisation = 1 - sums.useful / sums.held, sums.held / (procs * m.makespan)
    return m
  end

  it("are those of plain loops over the schedule", function()
    for set = 1, 20 do
      local list, failures = {}, {}
      math.randomseed(set)
      for j = 1, 1 + set do -- odd and even numbers of jobs: two are measured at a time
        list[j] = { submit = math.random(0, 50), procs = math.random(1, 8),
          time = math.random(1, 30), id = "j" .. j }
      end
      table.sort(list, function(a, b) return a.submit < b.submit end)
      local jobs = orrery.jobs(list)
      for j = 1, #jobs do failures[j] = math.random(0, 2) end
      local spec = { jobs = jobs, procs = 8, policy = "easy", tau = 3, failures = failures }
      local session = orrery.session(spec)
      local found = session:finish()
      local expected = naive(jobs, failures, session:write_schedule(), 8, 3)
      are_near(expected, found)
      spec.failures = { failures }
      local result = orrery.compare(spec)
      for name, value in pairs(expected) do
        are_near({ [name] = value }, { [name] = result:values(1, name)[1] })
      end
    end
  end)
end)

-- Sessions in which everything happens to jobs and the machine, against plain sums over what the
-- session says of its attempts and outages.
describe("metrics of changed sessions", function()
  local function draw(seed)
    math.randomseed(seed)
    local list, failures = {}, {}
    for j = 1, math.random(4, 12) do
      local time = math.random(1, 40)
      list[j] = { id = "j" .. j, submit = ({ 0, 20, 40 })[j] or math.random(0, 40),
        procs = math.random(1, 5), time = time,
        walltime = math.random() < 0.2 and math.random(1, time) or time + 20 }
      failures[j] = math.random() < 0.3 and 1 or 0
    end
    table.sort(list, function(a, b)
      if a.submit ~= b.submit then return a.submit < b.submit end
      return a.id < b.id
    end)
    local windows = { {}, { warmup = 8 }, { warmup = 4, cooldown = 6 }, {} }
    local window = windows[seed % #windows + 1]
    return list, failures, { jobs = orrery.jobs(list), procs = 6, policy = "easy", tau = 7,
      walltimes = "log", verification = seed % 2, failures = failures, warmup = window.warmup,
      cooldown = window.cooldown }
  end

  local CHANGES = {
    function(_, job, changed)
      changed.cancel[job.id] = true
      return { cancel = job.id }
    end,
    function(_, job, changed)
      local runtime = 41 + math.random(0, 9)
      changed.runtime[job.id] = runtime
      return { runtime = { [job.id] = runtime } }
    end,
    function(s)
      local running = s:running()
      return #running > 0 and { fault = { job = running[math.random(#running)].id } } or nil
    end,
    function(_, _, changed)
      local procs = math.random(5, 9) -- jobs have at most 5
      changed.largest = math.max(changed.largest, procs)
      return { procs = procs }
    end,
  }

  -- Runs a session, with a change now and then; returns it and what was changed.
  local function run(spec, list)
    local s, changed = orrery.session(spec), { cancel = {}, runtime = {}, largest = spec.procs }
    for _ = 1, math.random(2, 6) do
      s:run_until(s.now + math.random(1, 25))
      local job = list[math.random(#list)]
      local state = s:job(job.id).state
      local change = CHANGES[math.random(#CHANGES)]
      local over = state == "over" or changed.cancel[job.id] or state == "pending"
      if not (over and (change == CHANGES[1] or change == CHANGES[2])) then
        local fields = change(s, job, changed)
        if fields then s:change(fields) end
      end
    end
    return s, changed, s:finish()
  end

  local function overlap(from, to, low, high)
    return math.max(0, math.min(to, high) - math.max(from, low))
  end

  -- The sums over attempts; `of[id]`: what became of the job.
  local function add_up(s, list, verification, low, high)
    local sums, of, procs = { held = 0, useful = 0, lost = 0, inside = 0 }, {}, {}
    local counts = { starts = 0, failures = 0, interruptions = 0, last = -math.huge }
    for _, job in ipairs(list) do procs[job.id] = job.procs end
    for _, a in ipairs(s:schedule()) do
      local area = procs[a.id] * (a.finish - a.start)
      counts.starts = counts.starts + 1
      counts.last = math.max(counts.last, a.finish)
      sums.held, of[a.id] = sums.held + area, a
      sums.inside = sums.inside + procs[a.id] * overlap(a.start, a.finish, low, high)
      if a.outcome ~= "completed" then sums.lost = sums.lost + area end
      if a.outcome == "completed" then
        sums.useful = sums.useful + procs[a.id] * (a.finish - a.start - verification)
      end
      if a.outcome == "failed" then counts.failures = counts.failures + 1 end
      if a.outcome == "node_failure" or a.outcome == "cancelled" then
        counts.interruptions = counts.interruptions + 1
      end
    end
    return sums, of, counts
  end

  -- The processor-seconds that the machine lacked, of its largest size.
  local function absent(s, low, high)
    local sum = 0
    for _, outage in ipairs(s:outages()) do
      local sign = ({ drained = 1, back = -1 })[outage.what]
      if sign then sum = sum + sign * outage.procs * overlap(outage.start, math.huge, low, high) end
      if outage.what == "added" then
        sum = sum + outage.procs * overlap(-1, outage.start, low, high)
      end
    end
    return sum
  end

  local function expected(s, list, spec, changed)
    local first, last_submission = list[1].submit, list[#list].submit
    local low, high = first + (spec.warmup or 0), last_submission - (spec.cooldown or 0)
    local window = (spec.warmup or spec.cooldown) and low <= high
    local sums, of, counts = add_up(s, list, spec.verification, low, high)
    local m = { starts = counts.starts, failures = counts.failures, killed = 0,
      interruptions = counts.interruptions, work_lost = sums.lost, wait_max = 0, bsld_max = 0,
      makespan = counts.last - first, waste = sums.held > 0 and 1 - sums.useful / sums.held or 0 }
    local n, wait, flow, bsld, share = 0, 0, 0, 0, 0
    for _, job in ipairs(list) do
      local a = of[job.id]
      local completed = a and a.outcome == "completed"
      if not completed then m.killed = m.killed + 1 end
      local ran = a and (completed or a.outcome == "killed" or a.outcome == "cancelled")
      local observed = not window or job.submit >= low and job.submit <= high
      if ran and observed then
        local runtime = a.outcome == "cancelled" and a.finish - a.start
          or a.outcome == "killed" and job.walltime or changed.runtime[job.id] or job.time
        local time = a.finish - job.submit
        local slowdown = math.max(1, time / math.max(runtime, 7))
        n, wait, flow = n + 1, wait + time - runtime, flow + time
        bsld, share = bsld + slowdown, share + (completed and runtime / time or 0)
        m.wait_max = math.max(m.wait_max, time - runtime)
        m.bsld_max = math.max(m.bsld_max, slowdown)
      end
    end
    for name, sum in pairs { wait_mean = wait, flow_mean = flow, bsld_mean = bsld, ettr = share } do
      m[name] = n > 0 and sum / n or 0
    end
    if not window then low, high = first, counts.last end
    local held = window and sums.inside or sums.held
    local all = changed.largest * (high - low) - absent(s, low, high)
    m.utilisation = m.makespan > 0 and held / all or 0
    m.goodput = m.utilisation * (1 - m.waste)
    return m
  end

  it("are plain sums over attempts and outages", function()
    local seen = {}
    for seed = 1, rounds(2000, 500, 150) do
      local list, _, spec = draw(seed)
      local s, changed, found = run(spec, list)
      local m = expected(s, list, spec, changed)
      local fine, problem = pcall(are_near, m, found)
      assert(fine, ("seed %d: %s"):format(seed, tostring(problem)))
      local again = s:measure() -- from the record
      for name in pairs(m) do again[name] = again[name] or found[name] end
      are_near(m, again)
      for _, a in ipairs(s:schedule()) do seen[a.outcome] = true end
    end
    assert.same({ completed = true, failed = true, killed = true, cancelled = true,
      node_failure = true }, seen)
  end)
end)

describe("without memory", function()
  for _, name in ipairs { "quantiles", "users", "timeline" } do
    it("there is no " .. name, function()
      local problem, bytes, calls = native.measure(name, 0)
      assert.same({ nil, 0 }, { problem, bytes })
      assert.is_true(calls >= 1)
      for n = 1, calls do
        problem, bytes = native.measure(name, n)
        assert.matches("memory", problem)
        assert.equal(0, bytes)
      end
    end)
  end
end)
