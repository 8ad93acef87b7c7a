-- Traces of sessions of jobs: what was decided at every instant, as lines of JSON.
local orrery = require "orrery"
local program = require "spec.support.program"

describe("a trace", function()
  local LIST = {
    { id = "a", procs = 6, runtime = 3600 },
    { id = "wide", procs = 10, runtime = 600, submit = 10 },
    { id = "long", procs = 4, runtime = 4310, submit = 10 },
    { id = "short", procs = 4, runtime = 20, submit = 10 },
  }

  local function noting()
    return orrery.session { jobs = orrery.jobs(LIST), procs = 10, policy = { name = "noting",
      dispatch = "easy", on_end = function(sim, job)
        sim:note { ended = job, bytes = "\xff\27", far = math.huge }
      end } }
  end

  local function parsed(text)
    local lines = {}
    for line in text:gmatch "[^\n]+" do
      lines[#lines + 1] = assert(require("dkjson").decode(line))
    end
    return lines
  end

  it("has a line of JSON for every instant", function()
    local lines = parsed(noting():trace())
    assert.same({ policy = "noting", jobs = 4, procs = 10 }, lines[1])
    assert.same({ time = 10, submitted = { "wide", "long", "short" },
      started = { { job = "short", processors = "6-9" } },
      reserved = { { job = "wide", start = 3600 } } }, lines[3])
    assert.same({ time = 30, ended = { { job = "short", outcome = "completed" } }, notes = { {
      time = 30, hook = "on_end", job = "short", ended = "short", bytes = "\\xff\\x1b" } } },
      lines[4])
    assert.equal(7, #lines)
  end)

  it("is of the same schedule, and of all of it", function()
    for _, policy in ipairs { "easy", "conservative", "fcfs", { name = "three",
      dispatch = { discipline = "list", reservations = 3 } } } do
      local spec = { jobs = orrery.read("sample-2019-06"):day "2019-06-14", policy = policy,
        errors = { mean_probability = 0.05 } }
      local traced, plain = orrery.session(spec), orrery.session(spec)
      local lines, came, ended, k = parsed(traced:trace()), 0, 0, 0
      assert.same(plain:finish(), traced:finish())
      local schedule = plain:schedule()
      for _, line in ipairs(lines) do
        came, ended = came + #(line.submitted or {}), ended + #(line.ended or {})
        for _, start in ipairs(line.started or {}) do
          k = k + 1
          assert.same({ schedule[k].id, schedule[k].processors, schedule[k].start },
            { start.job, start.processors, line.time })
        end
      end
      assert.same({ #traced.jobs, #schedule, #schedule }, { came, ended, k })
    end
  end)

  it("goes on behind jobs that come later, and tells of them as well", function()
    local s, more = noting(), {}
    local first = s:trace()
    for i = 1, 2000 do
      more[i] = { id = "later " .. i, procs = i % 2 == 1 and 6 or 10, time = 600 }
    end
    s:change { submit = more }
    s:step()
    local lines, reserved = parsed(s:trace()), {}
    for i = 2, #lines do
      for _, one in ipairs(lines[i].reserved or {}) do reserved[one.job] = true end
    end
    assert.is_true(s.over and reserved["later 2000"])
    assert.equal(noting():trace(), first)
  end)

  it("tells reservations that are those of s:step()", function()
    local s, lines, n = noting(), parsed(noting():trace()), 1
    local told, more = {}, true
    while more do
      local now
      more, now = s:step()
      n = n + 1
      for _, one in ipairs(lines[n].reserved or {}) do told[one.job] = one.start end
      for _, one in ipairs(now.reserved) do assert.equal(told[one.id], one.start) end
    end
  end)

  it("is written by orrery replay --trace, complete or not at all", function()
    local folder = program.folder()
    program.write(folder, "log.csv", "id,submit,procs,runtime\na,0,2,10\nb,1,2,10\n")
    program.write(folder, "loud.lua", [[return { dispatch = function(sim)
      for job in sim:fitting() do sim:start(job) print("start", job) sim:note "started" end
    end }]])
    program.write(folder, "bad.lua", [[return { dispatch = function(sim)
      if sim.now > 5 then error "late" end
      for job in sim:fitting() do sim:start(job) end
    end }]])
    for _, more in ipairs { "", "--untrusted" } do
      local status, _, err = program.run(folder, "replay log.csv --procs 3 --policy loud.lua "
        .. "--trace t.jsonl " .. more)
      assert.same({ 0, 2 }, { status, select(2, err:gsub("start\tjob", "")) }, err)
      local lines = parsed(program.read(folder .. "/t.jsonl"))
      assert.same({ { text = "started", hook = "dispatch", time = 10 } }, lines[4].notes)
      os.remove(folder .. "/t.jsonl")
    end
    local status = program.run(folder, "replay log.csv --procs 3 --policy bad.lua --trace t.jsonl")
    assert.equal(1, status)
    assert.is_false(program.exists(folder .. "/t.jsonl"))
    for _, wrong in ipairs { "--runs 2", "--policy easy --policy fcfs", "--q 0.1 --q 0.2" } do
      local code, _, err = program.run(folder, "replay log.csv --procs 3 --trace t.jsonl " .. wrong)
      assert.equal(2, code)
      assert.truthy(err:find("--trace writes one trace", 1, true), err)
    end
    program.remove(folder)
  end)

  it("tells of failures that are announced, each once, and not of those before it", function()
    local function traced(from)
      local s = orrery.session { procs = 4, policy = "easy", jobs = orrery.jobs {
        { id = "a", procs = 1, time = 30 }, { id = "b", procs = 1, time = 1, submit = 40 } },
        node_failures = { prediction = "lead=5", log = { { time = 12, processor = 2, repair = 2 },
          { time = 14, processor = 0, repair = 1 }, { time = 33, processor = 0, repair = 1 } } } }
      s:run_until(from)
      local list = {}
      for _, line in ipairs(parsed(s:trace())) do
        for _, one in ipairs(line.warned or {}) do
          list[#list + 1] = ("%d: %d %d %d"):format(line.time, one.time, one.at, one.first)
        end
      end
      return list
    end
    assert.same({ "12: 7 12 2", "12: 9 14 0", "33: 28 33 0" }, traced(0))
    assert.same({ "33: 28 33 0" }, traced(10))
  end)
end)
