-- The signal of the timers belongs to the process, which may be somebody else's.
local native = require "native_signals"
local orrery = require "orrery"

local program = require "spec.support.program"

local SIGNAL = 37 -- SIGRTMIN + 3, as timer.c has it

local function begin()
  local session = orrery.session { jobs = orrery.synthetic { count = 5, seed = 1 }, procs = 30000,
    policy = { dispatch = function(sim) for job in sim:fitting() do sim:start(job) end end } }
  session:step()
  return session
end

describe("the signal of the timers, sent by somebody else,", function()
  it("goes to the handler that was there before", function()
    assert.is_true(native.handle(SIGNAL, false))
    local session = begin()
    native.send(SIGNAL)
    assert.same({ 2, 0 }, { native.send(SIGNAL) })
    assert.is_true(native.handle(SIGNAL, true)) -- set after Orrery's own
    begin():step()
    assert.same({ 0, 1 }, { native.send(SIGNAL) })
    session:finish()
    native.leave(SIGNAL)
  end)

  it("does nothing where there was none, and Orrery's handler goes with the last policy", function()
    local folder = program.folder()
    program.write(folder, "signals.lua", [[
      local orrery = require "orrery"
      local function is_caught()
        for line in io.lines "/proc/self/status" do
          local mask = line:match "^SigCgt:%s*(%x+)"
          if mask then return tonumber(mask, 16) >> 36 & 1 == 1 end
        end
      end
      local function run()
        local session = orrery.session { jobs = orrery.synthetic { count = 5, seed = 1 },
          procs = 30000, policy = { dispatch = function(sim)
            for job in sim:fitting() do sim:start(job) end
          end } }
        session:step()
        for _ = 1, 20 do os.execute "kill -37 $PPID" end
        session:finish()
        return is_caught()
      end
      local before, during = is_caught(), run()
      collectgarbage()
      collectgarbage()
      print(before, during, is_caught())
    ]])
    assert.same({ 0, "false\ttrue\tfalse\n", "" }, { program.run(folder, "signals.lua") })
    program.remove(folder)
  end)
end)
