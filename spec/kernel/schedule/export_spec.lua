-- Files that are written the same whatever locale the program runs in.
local comma = require "spec.support.comma_locale"
local orrery = require "orrery"

local function content(path)
  local file <close> = assert(io.open(path))
  return file:read "a", os.remove(path)
end

local function attempts(ending)
  local path = os.tmpname() .. ending
  local s = orrery.session {
    jobs = orrery.jobs {
      { id = "7", procs = 1, time = 10.25, submit = 0.5, walltime = 20.1 },
      { id = "8", procs = 2, time = 4.1, submit = 1.5 },
    },
    procs = 2, policy = "dispatch/easy", failures = { 1, 0 },
  }
  s:finish()
  s:write_schedule(path)
  return (content(path))
end

local function program()
  local path = os.tmpname()
  local tasks = orrery.tasks.list { { times = { 4, 2.5 } }, { times = { 3.1 } } }
  orrery.pack_problem { tasks = tasks, procs = 2, k = 1 }:write_lp(path)
  return (content(path))
end

describe("in a locale with a decimal comma", function()
  for name, written in pairs {
    csv = function() return attempts ".csv" end, swf = function() return attempts ".swf" end,
    program = program,
  } do
    it("numbers have a decimal point: " .. name, function()
      local plain, there, lua = written(), nil, nil
      local possible, why = comma(function()
        there, lua = written(), ("%.1f"):format(0.5)
      end)
      if not possible then return pending(why) end
      assert.equal("0,5", lua)
      assert.matches("%d%.%d", plain)
      assert.equal(plain, there)
    end)
  end
end)
