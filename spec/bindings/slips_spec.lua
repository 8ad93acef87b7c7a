-- Slips of the pen: each is an error that names the line here and says what was expected.
local orrery = require "orrery"

local JOBS = orrery.jobs {
  { submit = 0, procs = 1, time = 1 }, { submit = 5, procs = 2, time = 3 },
}

-- The message names the line of `ask`, not one of Orrery's own.
local function refused(message, ask)
  local line = debug.getinfo(ask, "S").linedefined
  local done, problem = pcall(ask)
  assert.is_false(done, message)
  local at, text = tostring(problem):match "slips_spec%.lua:(%d+): (.*)$"
  assert.equal(line, tonumber(at), problem)
  assert.equal(message, text:sub(1, #message))
end

describe("a slip of the pen", function()
  it("in a log is told", function()
    for _, given in ipairs { false, 3, {} } do
      local what = "weeks: expected the path or the name of a log, or jobs, found " .. type(given)
      refused(what, function() orrery.weeks(given) end)
    end
    refused("weeks: expected the path or the name of a log, or jobs, found nil",
      function() orrery.weeks() end)
    refused("bad argument #1 to 'weeks'", function() orrery.weeks(JOBS, 3) end)
  end)

  it("in the name of a policy is told", function()
    refused("describe: expected the name or the path of a policy, found nil",
      function() orrery.describe() end)
    refused("describe: expected the name or the path of a policy, found table",
      function() orrery.describe {} end)
  end)

  it("in the width of a text is told", function()
    refused('help: expected the width in letters, found "x"',
      function() orrery.help(orrery.read, "x") end)
  end)

  it("in a number of processors is told, and shows texts as texts", function()
    for _, run in ipairs { orrery.session, orrery.compare } do
      refused("procs must be a whole number, it is true",
        function() run { jobs = JOBS, procs = true } end)
      refused('procs must be a whole number, it is "49152"',
        function() run { jobs = JOBS, procs = "49152" } end)
      refused("procs must be a whole number, it is 1.5",
        function() run { jobs = JOBS, procs = 1.5 } end)
      refused("procs must be between 1 and 2147483646, it is 0",
        function() run { jobs = JOBS, procs = 0 } end)
    end
  end)

  it("in another number is told, and shows texts as texts", function()
    refused('seed must be a whole number, it is "7"',
      function() orrery.compare { jobs = JOBS, procs = 2, seed = "7" } end)
    refused('verification must be a number, it is "7"',
      function() orrery.compare { jobs = JOBS, procs = 2, verification = "7" } end)
  end)

  it("in the rows of a difference is told", function()
    local s = orrery.session { jobs = JOBS, procs = 2 }
    local diff = orrery.diff(s, s:fork())
    refused('rows: expected a whole number of at least 0, found "x"', function() diff:rows "x" end)
    refused("rows: expected a whole number of at least 0, found -1", function() diff:rows(-1) end)
    assert.equal(1, #diff:rows(3))
  end)
end)

describe("the clock of a session", function()
  it("shows times of any size", function()
    local s = orrery.session { jobs = JOBS, procs = 2 }
    assert.equal("-106751991167300.6 d", s:clock(math.mininteger))
    assert.equal("106751991167300.6 d", s:clock(math.maxinteger))
    assert.equal("-5 s", s:clock(-5))
    assert.equal("-0.5 s", s:clock(-0.5))
  end)
end)
