-- What a session and its forks share, and that none of them sees what another one does.
local orrery = require "orrery"
local faulty = require "spec.support.faulty"
local program = require "spec.support.program"
local rounds = require "spec.support.rounds"

local PROCS = 64

local function workload(count, seed, procs)
  return orrery.lublin { procs = procs or PROCS, count = count, load = 0.8, seed = seed }
end

local function begun(jobs, more)
  local spec = { jobs = jobs, procs = PROCS, policy = "easy", errors = { rate = 1e-7 }, seed = 3 }
  for key, value in pairs(more or {}) do spec[key] = value end
  return orrery.session(spec)
end

-- All attempts up to now, numbers in full.
local function record(s)
  local lines = {}
  for i, a in ipairs(s:schedule()) do
    lines[i] = ("%s %a %a %s %s"):format(a.id, a.start, a.finish, a.outcome, a.processors)
  end
  return table.concat(lines, "\n")
end

local function finished(s)
  s:finish()
  assert.is_true(s:check())
  return record(s)
end

local function resident() -- MB
  for line in io.lines "/proc/self/status" do
    local kb = line:match "^VmRSS:%s*(%d+)"
    if kb then return tonumber(kb) / 1024 end
  end
end

describe("forks", function()
  local jobs = workload(400, 5)
  local middle = jobs[200].submit
  local straight = finished(begun(jobs))

  it("go on as the session does, a hundred from the same point", function()
    local s, forks = begun(jobs):run_until(middle), {}
    for i = 1, 100 do forks[i] = s:fork() end
    for i = 1, 100 do assert.equal(straight, finished(forks[i]), i) end
    assert.equal(straight, finished(s))
  end)

  it("stand where they were made while the session goes on, and the reverse", function()
    local s = begun(jobs):run_until(middle)
    local before, counts = record(s), s.counts
    local first, second = s:fork(), s:fork()
    s:step()
    s:change { cancel = s:waiting()[1] and s:waiting()[1].id or s:running()[1].id }
    s:run_until(2 * middle)
    assert.same({ middle, middle }, { first.now, second.now })
    assert.same(counts, first.counts)
    assert.equal(before, record(first))
    first:run_until(2 * middle)
    assert.not_equal(before, record(first))
    assert.equal(before, record(second))
    assert.equal(straight, finished(second))
    assert.equal(straight, finished(first))
    assert.not_equal(straight, finished(s))
  end)

  it("of forks, and with changes, leave the point as it is", function()
    local s = begun(jobs):run_until(middle)
    local fork = s:fork()
    local changed = fork:fork { priority = "spt" }
    local here = changed:fork()
    local of_fork = fork:fork()
    assert.not_equal(straight, finished(changed))
    assert.equal(finished(changed), finished(here))
    fork:submit { id = "more", procs = PROCS, time = 60 }
    fork:finish()
    for _, one in ipairs { of_fork:fork(), of_fork, s } do assert.equal(straight, finished(one)) end
    assert.is_nil(record(s):find("more", 1, true))
  end)

  it("live on when the session is gone, and the reverse", function()
    local s = begun(jobs):run_until(middle)
    local fork, other = s:fork(), s:fork()
    s = nil -- luacheck: ignore
    collectgarbage()
    collectgarbage()
    local last = fork:fork()
    assert.equal(straight, finished(fork))
    fork = nil -- luacheck: ignore
    collectgarbage()
    assert.equal(straight, finished(other))
    other = nil -- luacheck: ignore
    collectgarbage()
    assert.equal(straight, finished(last))
  end)

  it("have a policy's state of their own", function()
    local counting = { name = "counting", dispatch = function(sim)
      sim.state.calls = (sim.state.calls or 0) + 1
      for job in sim:waiting() do
        if job.procs <= sim.free then sim:start(job) end
      end
    end }
    local s = begun(jobs, { policy = counting }):run_until(middle)
    local calls, fork = s.state.calls, s:fork()
    assert.is_true(calls > 0)
    s:run_until(2 * middle)
    assert.equal(calls, fork.state.calls)
    assert.equal(finished(s), finished(fork))
  end)

  it("cannot be made while the policy runs", function()
    local box = setmetatable({}, { __index = {} }) -- stays in this state
    local asking = { name = "asking", dispatch = { discipline = "fcfs" }, per = "decision",
      priority = function(job)
        if box.session then box.session:fork() end
        return -job.time
      end }
    box.session = begun(jobs, { policy = asking })
    assert.error_matches(function() box.session:finish() end,
      "a simulation cannot be copied from inside its own policy")
  end)

  it("note reservations for themselves", function()
    local s = begun(jobs):run_until(middle)
    local fork, quiet = s:fork(), s:fork()
    local trace = s:trace()
    assert.is_truthy(trace:find("reserv", 1, true))
    assert.equal(trace, fork:trace())
    assert.equal(straight, finished(quiet))
  end)

  it("go on alike for tasks", function()
    local function pack()
      return orrery.session { tasks = { n = 8 }, procs = 40, faults = { mtbf_years = 5 } }
    end
    local s = pack()
    local total = pack():finish().makespan
    s:run_until(total / 2)
    local forks = { s:fork(), s:fork(), s:fork() }
    s:step()
    assert.equal(total / 2, forks[1].now)
    forks[3] = forks[1]:fork()
    for _, one in ipairs(forks) do assert.equal(total, one:finish().makespan) end
    assert.equal(total, s:finish().makespan)
  end)

  it("rank many jobs by the formula of a priority as by calls of it", function()
    local function area(job) return job.time * job.procs end
    local function mine(priority)
      return { name = "mine", priority = priority,
        dispatch = { discipline = "list", reservations = 1 } }
    end
    local formula = mine(function(job) return -job.time * job.procs end)
    local called = mine(function(job) return -tonumber(("%a"):format(area(job))) end)
    local many = workload(10000, 9)
    local here = many[3000].submit
    local expected = finished(begun(many, { policy = called }))
    assert.equal(expected, finished(begun(many, { policy = formula })))
    local s = begun(many):run_until(here)
    assert.equal(finished(s:fork { policy = called }), finished(s:fork { policy = formula }))
  end)

  -- Sessions and forks of forks do random things, each for itself; then each is as one session is
  -- that does the same things alone, of which nobody has a copy.
  it("go on as sessions without forks, whatever others do, in whatever order they go", function()
    -- their arrays are large enough to be shared by pages; each fits beside all that is drained
    local many = workload(17000, 9, 40)
    local last, of_nodes = many[#many].submit, { nodes = { { count = 8, procs = 8 } } }
    for round = 1, rounds(40, 12, 1) do
      local rng = orrery.random(round)
      local function one_of(list) return list[rng:integer(1, #list)] end
      local more = { policy = one_of { "easy", "easy", "fcfs", "conservative" },
        priority = one_of { "fcfs", "lpt", "wfp3" }, machine = round % 2 == 0 and of_nodes or nil,
        errors = round % 4 < 2 and { rate = 0 } or nil } -- then jobs are submitted in place

      local function change(s)
        local waits, row = s:waiting(), { procs = rng:integer(1, 40), time = rng:integer(1, 9e4) }
        local n = rng:integer(1, 7)
        if n == 1 then return { cancel = #waits > 0 and one_of(waits).id or {} } end
        if n == 2 then return { submit = { row, row } } end
        if n == 3 then return { policy = one_of { "easy", "fcfs", "dispatch/easy" } } end
        if n == 4 then return { priority = one_of { "spt", "lpt", "fcfs" } } end
        if n == 5 then
          local at = s.now + rng:integer(1, 1e5)
          return { drain_at = { at = at, nodes = "1-2", ["until"] = at + rng:integer(1, 1e5) } }
        end
        if not more.machine then return { procs = n == 6 and 56 or 64 } end
        return n == 6 and { drain = 3 } or { add_nodes = { count = 1, kind = 1 } }
      end

      local function act(one, name, argument)
        local done = pcall(one.s[name], one.s, argument)
        if done then one.acts[#one.acts + 1] = { name, argument } end
      end
      local function forked(one)
        local changes = rng:integer(1, 3) == 1 and change(one.s) or nil
        local fork = { s = one.s:fork(changes), acts = table.move(one.acts, 1, #one.acts, 1, {}) }
        if changes then fork.acts[#fork.acts + 1] = { "change", changes } end
        return fork
      end

      local all = { { s = begun(many, more), acts = {} } }
      for _ = 1, rng:integer(2, 6) do
        local one = one_of(all)
        act(one, "run_until", one.s.now + rng:uniform(0, last / 3))
        for _ = 1, rng:integer(1, 4) do
          all[#all + 1] = forked(one)
          local other, n = one_of(all), rng:integer(1, 5)
          if n == 1 then act(other, "change", change(other.s)) end
          if n == 2 then act(other, "submit", { procs = rng:integer(1, 40), time = 1000 }) end
          if n == 3 then act(other, "back_to", other.s.now * rng:uniform(0.5, 1)) end
          if n > 1 then act(other, "step", rng:integer(1, 50)) end
        end
        if rng:integer(0, 2) == 0 then
          table.remove(all, rng:integer(1, #all - 1)) -- often the first
          collectgarbage()
        end
      end
      while #all > 0 do
        local one = table.remove(all, rng:integer(1, #all))
        local alone = begun(many, more)
        for _, a in ipairs(one.acts) do alone[a[1]](alone, a[2]) end
        assert.equal(finished(alone), finished(one.s), round)
        if rng:integer(1, 2) == 1 then collectgarbage() end
      end
    end
  end)

  it("share what none of them has changed", function()
    local many = workload(100000, 7)
    local s, forks = begun(many):run_until(many[50000].submit), {}
    s:fork():step()
    s:fork():step()
    collectgarbage()
    local before = resident()
    for i = 1, 20 do
      forks[i] = s:fork()
      forks[i]:step()
    end
    local grown = resident() - before
    assert.is_true(grown < 60, ("%d forks take %.0f MB"):format(#forks, grown)) -- 170 alone
    for _ = 1, 2 do s:fork { policy = "fcfs" } end
    collectgarbage()
    before, forks = resident(), {}
    for i = 1, 20 do forks[i] = s:fork { policy = "fcfs" } end
    grown = resident() - before
    assert.is_true(grown < 60, ("%d other policies take %.0f MB"):format(#forks, grown)) -- 130
  end)

  -- A job that comes when all others are over makes the log another one, with which nothing is
  -- shared.
  it("with other policies take over what they would compute", function()
    local many, rng = workload(10200, 9, 40), orrery.random(7)
    for round = 1, rounds(4, 2, 1) do
      local policy = round % 2 == 1 and "easy" or "greedy"
      local s = begun(many, { policy = policy, priority = "lpt" })
      s:run_until(many[rng:integer(8000, 9900)].submit)
      for _, changes in ipairs {
        { policy = "fcfs" }, { policy = "easy" }, { policy = "easy", priority = "spt" },
      } do
        s:fork(changes)
        local fork = s:fork(changes)
        changes.submit = { id = "last", submit = 1e9, procs = 1, time = 60 }
        local expected = finished(s:fork(changes)):match "^(.*)\nlast [^\n]*$"
        assert.equal(expected, finished(fork), policy)
      end
    end
  end)

  it("are copied as a whole where the system does not share, or lack memory #long", function()
    if not faulty.works() then return pending "the kernel does not take part" end
    local folder = program.folder()
    program.write(folder, "forks.lua", [[
      local orrery = require "orrery"
      local jobs = orrery.lublin { procs = 64, count = 17000, load = 0.8, seed = 5 }
      local s = orrery.session { jobs = jobs, procs = 64, policy = "easy" }
      s:run_until(jobs[8000].submit)
      local forks = {}
      for i = 1, 3 do
        forks[i] = s:fork()
        forks[i]:step()
      end
      forks[4] = s:fork { submit = { procs = 1, time = 60 } }
      for i = 1, 4 do
        forks[i]:finish()
        assert(forks[i]:check())
        print(#forks[i]:write_schedule(), forks[i]:measure().mean_wait)
      end]])
    local _, expected, said = program.run(folder, "forks.lua")
    assert.equal("", said)
    local limited, printed = program.run(folder, "forks.lua", "",
      "sh -c 'ulimit -f 100; exec \"$@\"' -")
    assert.same({ 0, expected }, { limited, printed })
    local failures = { memory = 0, write = 0, map = 0, protect = 0 }
    for _, how in ipairs { "memory %d 24", "memory %d+ 38", "write %d 28", "write %d+ 28",
      "write %d short", "map %d 12", "map %d+ 1", "protect %d 12" } do
      local call = how:match "%a+"
      for n = 1, 1000, rounds(1, 5, 9) do
        local status, out, err, failed = faulty.run(folder, how:format(n), "forks.lua", "",
          { "/memfd:orrery" })
        if failed == "" then break end
        failures[call] = failures[call] + 1
        if call ~= "protect" or status == 0 then
          assert.same({ 0, expected, "" }, { status, out, err }, how:format(n))
        end
      end
    end
    program.remove(folder)
    for call, count in pairs(failures) do assert.is_true(count > 0, call) end
  end)

  it("know the jobs that came since the session was forked before", function()
    local many = workload(17000, 9)
    local function submitted(is_forked)
      -- where jobs fail, none is submitted in place
      local s = begun(many, { errors = { rate = 0 } }):run_until(many[8000].submit)
      s:submit { procs = 3, time = 600 } -- makes room for the next one
      local forks = { is_forked and s:fork(), is_forked and s:fork() }
      for _, fork in ipairs(is_forked and forks or {}) do fork:step() end
      forks = nil -- luacheck: ignore
      collectgarbage()
      s:submit { procs = 5, time = 700 }
      local last = s:fork()
      last:step()
      return finished(last)
    end
    assert.equal(submitted(false), submitted(true))
  end)

  it("take no memory until they go on", function()
    local many = workload(20000, 7)
    local s, forks = begun(many):run_until(many[10000].submit), {}
    s:fork()
    collectgarbage()
    local before = resident()
    for i = 1, 100 do forks[i] = s:fork() end
    local grown = resident() - before
    assert.is_true(grown < 20, ("%d forks take %.0f MB"):format(#forks, grown))
  end)
end)
