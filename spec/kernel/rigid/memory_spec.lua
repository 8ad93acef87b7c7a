-- A simulation that runs out of memory at any allocation says so, and leaves nothing behind; and it
-- does not need much.
local native = require "native_runs"
local events = require "spec.support.events"
local starve = require("native_starve").starve

local jobs = { procs = 6, verification = 0 }
for i = 1, 30 do
  jobs[i] = { procs = i % 5 + 1, time = i % 7, submit = i % 3 }
end

describe("a simulation without memory", function()
  for _, reservations in ipairs { 0, 1, 3, 0x7fffffff } do -- the last: all
    it("fails cleanly at every allocation, m = " .. reservations, function()
      for _, record in ipairs { true, false } do
        local allowed = 0
        while true do
          local ok, message, blocks, bytes = native.starve(jobs, reservations, allowed, record)
          assert.equal(0, blocks)
          assert.equal(0, bytes)
          if ok then break end
          assert.matches("memory", message, 1, true)
          allowed = allowed + 1
        end
        assert.is_true(allowed >= 16)
      end
    end)
  end
end)

describe("a simulation with limits without memory", function()
  it("fails cleanly at every allocation", function()
    local limited = setmetatable({ all_jobs = 3 }, { __index = jobs })
    for i, job in ipairs(jobs) do limited[i] = job end
    for _, record in ipairs { true, false } do
      local allowed, ok = 0, false
      while not ok do
        local message, blocks, bytes
        ok, message, blocks, bytes = native.starve(limited, 1, allowed, record)
        assert.same({ 0, 0 }, { blocks, bytes })
        assert.is_truthy(ok or message:find("memory", 1, true))
        allowed = allowed + 1
      end
    end
  end)
end)

describe("a simulation without memory that nobody asks for a message", function()
  it("fails cleanly at every allocation", function()
    local allowed, ok = 0, false
    while not ok do
      local _, blocks, bytes
      ok, _, blocks, bytes = native.starve(jobs, 1, allowed, false, true)
      assert.same({ 0, 0 }, { blocks, bytes })
      allowed = allowed + 1
    end
    assert.is_true(allowed >= 16)
  end)
end)

-- Without the n-th allocation, n = 1, 2, ... to the last.
local function starve_all(what, law, how, threads)
  local n, succeeded = 1, 0
  while true do
    local status, message, left, policies, calls = starve(what, law, n, how, threads)
    assert.same({ 0, 0 }, { left, policies })
    if calls < n then
      assert.equal(0, status)
      return n, succeeded
    end
    if status == 0 then
      succeeded = succeeded + 1
    else
      assert.matches("memory", message, 1, true)
    end
    n = n + 1
  end
end

describe("without memory", function()
  for _, law in ipairs { "exponential", "weibull", "log" } do
    for _, how in ipairs { "one", "rest" } do
      it(("many runs fail cleanly, nodes fail by %s, %s fails"):format(law, how), function()
        for _, what in ipairs { "jobs", "once" } do
          for threads = 1, 2 do
            local n, succeeded = starve_all(what, law, how, threads)
            assert.is_true(n > 80)
            assert.equal(0, succeeded)
          end
        end
      end)

      it(("a run of everything fails cleanly, nodes fail by %s, %s fails"):format(law, how),
        function()
          local n, succeeded = starve_all("recorded", law, how, 1)
          assert.is_true(n > 50)
          assert.equal(0, succeeded)
        end)
    end

    it("changes from outside fail cleanly and leave the original alone, nodes fail by " .. law,
      function()
        for _, how in ipairs { "one", "rest" } do
          local n, succeeded = starve_all("changed", law, how, 1)
          assert.is_true(n > 100)
          assert.is_true(succeeded < 20, succeeded) -- what the original asks for after that
        end
      end)

    -- Where it succeeds the action had not begun, and the checker is content.
    it("a policy does not get away with going on, nodes fail by " .. law, function()
      local n, succeeded = starve_all("recorded", law, "careless", 1)
      assert.is_true(succeeded > 0 and succeeded < n / 10)
    end)
  end
end)

describe("a simulation of many jobs", function()
  -- At most so many bytes per job beyond the log, and none after it was created.
  local function needs(most, more)
    local spec = { procs = 64, verification = 0, record = false,
      groups = { { procs = 64, discipline = "list", reservations = 1 } } }
    for i = 1, 20000 do spec[i] = { procs = i % 32 + 1, time = i % 50 + 1, submit = i * 8 } end
    for key, value in pairs(more or {}) do spec[key] = value end
    local sim = events.simulation(spec)
    local created = select(3, sim:memory())
    sim:finish()
    local _, peak, calls = sim:memory()
    assert.equal(created, calls)
    assert.is_true(peak / #spec <= most, "bytes per job: " .. peak / #spec)
  end

  it("needs at most 110 bytes per job for EASY", function() needs(110) end)

  it("needs at most 140 where hooks may act", function()
    needs(140, { on_submit = function() end, on_end = function() end })
  end)
end)
