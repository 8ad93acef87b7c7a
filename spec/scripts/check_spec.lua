-- `orrery check`: policies that are wrong in every way known, each found, and good ones that pass.
local program = require "spec.support.program"
local rounds = require "spec.support.rounds"

describe("orrery check", function()
  local folder

  setup(function() folder = program.folder() end)
  teardown(function() program.remove(folder) end)

  local function check(arguments) return program.run(folder, "check " .. arguments) end

  -- Writes the policy, checks it, and returns what was printed; it is found to be bad.
  local function found(code, arguments)
    program.write(folder, "bad.lua", code .. "\n")
    local status, out, err = check("bad.lua " .. (arguments or "--runs 3"))
    assert.equal(1, status)
    assert.matches("^orrery: bad%.lua: .*propert.* not hold\n$", err)
    return out
  end

  local function line_of(out, title)
    return assert(out:match("\n  " .. title .. "[^\n]-  +(%u?%l*%u*) "), title .. "\n" .. out)
  end

  local SERVED, REPEATED = "every", "the same run"
  local FORKED, ORDERED, CROWDED = "a fork has", "what ran before", "with 400"
  local CHANGED, KEPT = "it copes", "nothing is kept"

  it("finds a counter in an upvalue, and names it", function()
    local out = found [[
      local count = 0
      return { dispatch = function(sim)
        for job in sim:fitting() do
          count = count + 1
          if count % 5 > 0 or sim.running_count == 0 then sim:start(job) end
        end
      end }]]
    assert.equal("ok", line_of(out, SERVED))
    assert.equal("FAILS", line_of(out, KEPT))
    assert.matches("the variable 'count' has changed: it was 0 and is %d+%.", out)
    assert.matches("workload 1 %(all at once, with failures: %d+ jobs on %d+ processors%)\n", out)
    assert.matches("again: orrery check bad%.lua %-%-seed 1 %-%-only 1\n", out)
  end)

  it("makes a problem again by the command that it prints", function()
    local code = [[
      local seen = {}
      return { dispatch = function(sim)
        for job in sim:fitting() do
          seen[job.id] = (seen[job.id] or 0) + 1
          if seen[job.id] < 3 or sim.running_count == 0 then sim:start(job) end
        end
      end }]]
    local out = found(code, "--runs 2 --seed 5 --procs 64 --widest 0.5")
    local again = assert(out:match("again: orrery check (bad%.lua [^\n]*%-%-only %d+)\n"))
    local one = found(code, again:gsub("^bad%.lua ", ""))
    local pattern = "nothing is kept outside of sim.state, in.-\n    (.-)\n    again"
    assert.equal(assert(out:match(pattern)), one:match(pattern))
  end)

  it("finds a memory of jobs that outlives their workload #long", function()
    local out = found([[
      local procs = {}
      return { caches = { "procs" }, priority = function(job)
        procs[job.position] = procs[job.position] or job.procs
        return procs[job.position]
      end }]], "--runs 13")
    assert.equal("ok", line_of(out, FORKED))
    assert.equal("FAILS", line_of(out, ORDERED))
    assert.matches("in one comparison with others of its kind", out)
    assert.matches("again: orrery check bad%.lua %-%-seed 1 %-%-runs 13\n", out)
  end)

  it("finds nothing where the text of a table decides, which holds no address #long", function()
    program.write(folder, "text.lua", [[
      return { priority = function() return tonumber((tostring({}):gsub("%D", ""))) % 61 end }]])
    local status, out, err = check "text.lua --runs 4"
    assert.equal("0 ", status .. " " .. err, out)
    assert.equal("ok", line_of(out, REPEATED))
  end)

  it("finds a clock, with the line", function()
    local out = found("return { priority = function() return os.time() end }", "--only 1")
    assert.equal("FAILS", line_of(out, SERVED))
    assert.matches("bad%.lua:1: a policy has no global 'os'", out)
  end)

  it("finds a job that does not fit", function()
    local out = found([[
      return { dispatch = function(sim)
        for job in sim:waiting() do sim:start(job) end
      end }]], "--only 1")
    assert.matches("job %d+ cannot be started: it needs %d+ processors and %d+ are free",
      (out:gsub("%s+", " ")))
  end)

  it("finds jobs that never start", function()
    local out = found([[
      return { dispatch = function(sim)
        for job in sim:fitting() do
          if 2 * job.procs <= sim.procs then sim:start(job) end
        end
      end }]], "--only 1")
    assert.matches("nothing starts at time %d+ although %d jobs wait", out)
  end)

  it("finds a policy that wakes itself for ever #long", function()
    local out = found([[
      local function wake(sim) sim:wake_at(sim.now + 60) end
      return { dispatch = "easy", on_submit = function(sim, job)
        sim:hold(job)
        wake(sim)
      end, on_timer = wake }]], "--only 8")
    assert.matches("after 50000 instants, at %d+ s, it has not come to an end", out)
  end)

  it("finds what is wrong when the queue is empty", function()
    local out = found([[
      return { dispatch = "easy", on_end = function(sim)
        local first = sim:waiting()()
        if first.procs > 5 then sim.state.wide = true end
      end }]], "--only 8")
    assert.matches("on_end for job 1 at time %d+: bad%.lua:3: attempt to index a nil value", out)
  end)

  it("finds a priority that is not a number where a job has no length", function()
    local out = found("return { priority = function(job) return job.time / job.time end }",
      "--runs 8")
    assert.matches("nothing goes wrong +FAILS  1 of 8\n", out)
    assert.matches("workload 7 %(jobs of no length: .-\n    at time 0 the priority of job 1 is not "
      .. "a number", out)
  end)

  it("finds a state that cannot be copied", function()
    local out = found([[
      return { dispatch = "easy", init = function(sim) sim.state.f = function() end end,
        on_end = function(sim) sim.state.f() end }]], "--only 2")
    assert.equal("FAILS", line_of(out, FORKED))
    assert.matches("sim%.state: holds a function", out)
  end)

  it("finds that a job which never started ends, when it is cancelled #long", function()
    local out = found([[
      return { dispatch = "easy", on_end = function(sim, job)
        sim.state[job.position] = sim.now - job.start
      end }]], "--runs 6")
    assert.equal("ok", line_of(out, ORDERED))
    assert.equal("FAILS", line_of(out, CHANGED))
    assert.matches("bad%.lua:2: attempt to perform arithmetic on a nil value", out)
  end)

  it("finds loops within loops over the queue #long", function()
    local out = found([[
      return { dispatch = function(sim)
        local sum = 0
        for _ in sim:waiting() do
          for _ in sim:waiting() do
            for job in sim:waiting() do sum = sum + job.time end
          end
        end
        for job in sim:fitting() do sim:start(job) end
      end }]], "--runs 1 --limit-seconds " .. rounds(2, 2, 1) / 10)
    assert.equal("ok", line_of(out, SERVED))
    assert.equal("FAILS", line_of(out, CROWDED))
    assert.matches("What Lua Costs", out:gsub("\n", " "):gsub("costs", "Costs"))
  end)

  it("does not wait for a hundred endless loops", function()
    local out = found([[
      return { dispatch = function(sim) while sim.free > 0 do end end }]],
      "--limit-seconds 0.05")
    assert.matches("nothing goes wrong +FAILS  2 of 2\n", out)
    assert.matches("\nStopped after workload 2: ", out)
  end)

  it("finds hidden state of redistribution policies", function()
    local out = found([[
      local turn = 0
      return { on_end = function(sim)
        turn = turn + 1
        for i, task in ipairs(sim:tasks()) do
          if sim.free < 2 then break end
          if (i + turn) % 2 == 0 and sim:improvement(task, 2) then sim:give(task, 2) end
        end
      end }]], "--runs 8")
    assert.equal("FAILS", line_of(out, KEPT))
    assert.matches("the variable 'turn' has changed", out)
    assert.matches("task %d+ cannot have %d+ processors", (found([[
      return { on_end = function(sim)
        for _, task in ipairs(sim:tasks()) do sim:give(task, 1) end
      end }]], "--runs 2")))
  end)

  it("finds hidden state of pack policies", function()
    local out = found([[
      local calls = 0
      return { pack = function(problem)
        calls = calls + 1
        local packs = {}
        for i = 1, #problem do packs[i] = { (i + calls) % #problem + 1 } end
        return packs
      end }]])
    assert.equal("FAILS", line_of(out, KEPT))
    assert.matches("the variable 'calls' has changed", out)
    assert.matches("task", found("return { pack = function() return { { 1 } } end }"))
  end)

  it("passes a good policy of each kind, and says what calls cost", function()
    for name, kind in pairs {
      ["redirect/threshold"] = "a policy for jobs", lpt = "a priority, under dispatch/easy",
      ["end-local"] = "a redistribution policy", ["sorted-cuts"] = "a pack policy",
    } do
      local status, out, err = check(name .. " --runs " .. rounds(3, 3, 1))
      assert.same({ 0, "" }, { status, err })
      assert.equal(1, out:find(name .. ": " .. kind, 1, true))
      assert.is_nil(out:find "FAILS")
      assert.matches("\nThe longest call, of %l+[_%l]*, took ", out)
      assert.matches("\n" .. name:gsub("%-", "%%-") .. ": nothing wrong found\n$", out)
    end
  end)

  it("counts instructions exactly #long", function()
    program.write(folder, "counted.lua", [[
      return { priority = function(job)
        for _ = 1, job.procs >= 0 and 1000 or 1 do end
        return 0
      end }]])
    local _, out = check "counted.lua --runs 1"
    local mean, most = out:match "\npriority +%d+ +%S+ +%S+ +(%d+) +(%d+)\n"
    assert.equal(mean, most)
    assert.is_true(tonumber(most) > 1000 and tonumber(most) < 1020)
    local status, _, err = check(("counted.lua --runs 1 --limit-instructions %d"):format(most + 1))
    assert.same({ 0, "" }, { status, err })
    assert.equal(1, (check(("counted.lua --runs 1 --limit-instructions %d"):format(most - 1))))
  end)

  it("says who does the same #long", function()
    program.write(folder, "mine.lua", [[
      return { dispatch = function(sim)
        for job in sim:waiting() do
          if not sim:can_start(job) then break end
          sim:start(job)
        end
      end }]])
    local runs = rounds(4, 4, 2)
    local status, out = check("mine.lua --runs " .. runs)
    assert.equal(0, status)
    assert.matches(("It does nothing here that is not shipped: on all %d workloads its schedules "
      .. "are exactly those of dispatch/fcfs%%."):format(runs), (out:gsub("\n +", " ")))
    program.write(folder, "mine.lua", "return { on_end = false, on_fault = false }")
    assert.matches("exactly those of redistribute/none%.",
      (select(2, check("mine.lua --runs " .. runs)):gsub("\n +", " ")))
    assert.is_nil(select(2, check "spt --runs 2"):find "not shipped")
  end)

  it("takes options, and refuses what there is not #long", function()
    local status, out = check "list --set reservations=1 --runs 2"
    assert.equal(0, status)
    assert.matches("exactly those of dispatch/conservative, dispatch/easy", (out:gsub("\n +", " ")))
    assert.same({ 2, "", "orrery: --set x: it has no such option (known: backfill, reading, "
      .. "reservations)\n" }, { check "list --set x=1" })
    assert.same({ 2, "", "orrery: --set: option reservations: expected a whole number of at least "
      .. "0, or all, found 'x'\n" }, { check "list --set reservations=x" })
    assert.same({ 2, "", "orrery: there is no policy 'esy', did you mean 'easy'?\n" },
      { check "esy" })
    program.write(folder, "broken.lua", "return { dispach = 1 }\n")
    local _, _, err = check "broken.lua"
    assert.matches("^orrery: policy broken%.lua: unknown key 'dispach'", err)
  end)

  it("leaves wide jobs out where the machine is divided #long", function()
    local status, out = check "partitions --only 1"
    assert.equal(1, status)
    assert.matches("needs %d+ processors, and its group long has %d+ ", (out:gsub("%s+", " ")))
    assert.matches("%-%-widest 0%.7", out)
    assert.equal(0, (check "partitions --only 1 --widest 0.7"))
    out = found([[
      return { groups = {
        { name = "batch", dispatch = "easy" }, { name = "debug", procs = 2000, dispatch = "fcfs" },
      } }]], "--only 1")
    assert.matches("%-%-procs says which is tried", out)
    assert.equal(0, (check "bad.lua --only 1 --procs 5000 --widest 0.5"))
  end)
end)
