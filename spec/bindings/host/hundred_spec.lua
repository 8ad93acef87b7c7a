-- The policies of hundred_policies.lua, each from a file: what it tries fails with the message that
-- it should, in a session and on two threads, within its limits; what it may do gives the same
-- everywhere. Afterwards all is well.
local orrery = require "orrery"
local policies = require "spec.bindings.host.hundred_policies"
local refuse = require "spec.support.refused"
local rounds = require "spec.support.rounds"
local temporary = require "spec.support.temporary"

local JOBS, TIME = refuse.JOBS, "this call took more than"
local SHORT = { seconds = rounds(0.1, 0.1, 0.03), memory = 24 << 20 }
local LONG = { seconds = 5, memory = 24 << 20 } -- for what ends by itself on a busy machine

-- Under the thread sanitizer all is ten times as slow: a limit of time may come before another.
local SLOW = os.getenv "TSAN_OPTIONS" and TIME

local function code_of(text)
  if text:sub(1, 1) == "\0" then return text:sub(2) end
  return ("return { dispatch = function(sim)\n%s\nfor j in sim:fitting() do sim:start(j) end end }")
    :format(text)
end

local function session(path, limits)
  return orrery.session { jobs = JOBS, procs = 2, policy = path, limits = limits }:finish().makespan
end

local function compared(path, limits, threads)
  local result = orrery.compare { jobs = JOBS, procs = 2, policy = path, limits = limits, runs = 4,
    threads = threads }
  return result:values(1, "makespan")
end

local function outcome(run, path, ...)
  local before = os.clock()
  local ok, result = pcall(run, path, ...)
  return { ok = ok, result = result, seconds = os.clock() - before }
end

describe("a policy that tries", function()
  it("is one of a hundred or more", function() assert.is_true(#policies >= 100) end)

  for number, policy in ipairs(policies) do
    local what, text, expected = table.unpack(policy)
    local limits = expected == TIME and SHORT or LONG
    it(what .. (number % 4 ~= 1 and " #long" or ""), function()
      temporary.file("bad.lua", code_of(text), function(path)
        local link = path .. ".lua"
        assert(os.rename(path, link))
        local found = { outcome(session, link, limits) }
        if expected == nil or number % 4 < rounds(4) then
          for threads = 1, 2 do found[threads + 1] = outcome(compared, link, limits, threads) end
        end
        assert(os.rename(link, path))
        for _, one in ipairs(found) do
          assert.is_truthy(SLOW or one.seconds < 20, "it took " .. one.seconds .. " s")
          assert.equal(expected == nil, one.ok, tostring(one.result))
          if expected then
            assert.is_truthy(one.result:find(expected, 1, true)
              or SLOW and one.result:find(SLOW, 1, true), one.result)
            assert.is_truthy(one.result:find(path, 1, true), "it names no file: " .. one.result)
          end
        end
        if not expected then
          assert.same(found[2].result, found[3].result)
          assert.equal(found[1].result, found[2].result[1])
        end
      end)
    end)
  end

  it("leaves everything as it was", refuse.assert_all_is_well)
end)
