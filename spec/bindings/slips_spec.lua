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

describe("a slip of the pen", function()
  it("in the name of a function is told", function()
    refused("orrery.tools has no 'quite', did you mean 'quote'? (known: account, ",
      function() return orrery.tools.quite, 1 end)
    refused("orrery has no 'nothing' (known: ", function() return orrery.nothing, 1 end)
  end)

  it("in the name of a policy or of its file is told", function()
    refused("there is no policy 'nosuch'", function() return orrery.describe "nosuch", 1 end)
    refused("cannot read the policy file /nonexistent.lua: No such file",
      function() return orrery.describe "/nonexistent.lua", 1 end)
  end)

  it("in the folder of a file that is written is told", function()
    local path = "/nonexistent/x.csv"
    local said = "cannot write /nonexistent/x.csv: No such file or directory"
    local result = orrery.compare { jobs = JOBS, procs = 2 }
    refused(said, function() return result:csv(path), 1 end)
    refused(said, function() return result:json(path), 1 end)
    local of_tasks = orrery.compare { tasks = { n = 2 }, procs = 8 }
    refused(said, function() return of_tasks:ends_csv(path), 1 end)
    refused(said, function() return JOBS:describe():csv(path), 1 end)
    local s = orrery.session { jobs = JOBS, procs = 2 }
    refused(said, function() return s:trace(path), 1 end)
    refused("trace: expected the name of a file, found 3", function() return s:trace(3), 1 end)
    refused(said, function() return orrery.diff(s, s:fork()):csv(path), 1 end)
  end)
end)

-- --- in a policy ---------------------------------------------------------------------------------

-- The error of a policy whose dispatch is this function, in a state of its own.
local function error_of(dispatch)
  local ok, problem = pcall(orrery.compare, { jobs = JOBS, procs = 2, runs = 2,
    policy = { name = "p", dispatch = dispatch } })
  assert.is_false(ok)
  return (problem:gsub("\n  version: .*", ""))
end

describe("a slip of the pen in a policy", function()
  local function told(said, dispatch)
    local line = debug.getinfo(dispatch, "S").linedefined
    local problem = error_of(dispatch)
    local at, text = problem:match "p: dispatch at time 0: .*slips_spec%.lua:(%d+): (.*)$"
    assert.equal(line, tonumber(at), problem)
    assert.equal(said, text:sub(1, #said))
  end

  it("in the name of a field is told, with the name that is near", function()
    told("sim has no field 'strat', did you mean 'start'? (known: now, ",
      function(sim) sim:strat(1) end)
    told("job has no field 'prosc', did you mean 'procs'? (known: id, ",
      function(sim) return sim:job(1).prosc end)
    told("a group has no field 'fre', did you mean 'free'? (known: ",
      function(sim) return sim:look("main").fre end)
    told("sim has no field 'xyzzy' (known: ", function(sim) return sim.xyzzy end)
    told("sim has no field 'a userdata' (known: ", function(sim) return sim[sim:look "main"] end)
  end)

  it("in a note says what it is", function()
    told("note: its field 'w' is a userdata; ", function(sim) sim:note { w = sim } end)
    told("note: its field 'w' is a table; ", function(sim) sim:note { w = {} } end)
    told("note: its field 'w' is a userdata; ", function(sim) sim:note { w = sim:waiting() } end)
  end)

  it("in a key of the waiting jobs is told", function()
    told("waiting jobs have no field 'procs', only numbers from 1",
      function(sim) return sim:waiting().procs end)
  end)

  it("that prints has a traceback without our own lines", function()
    local problem = error_of(function(sim)
      local function helper() print(sim.now) end
      helper()
      return nil
    end)
    assert.matches("slips_spec.lua:%d+: in local 'helper'", problem)
    assert.matches("print: nobody looks on", problem)
    assert.matches("stack traceback:\n\t%[C%]: ", problem)
    assert.is_nil(problem:find("orrery/", 1, true))
  end)

  it("that keeps what cannot be copied is refused as soon as the run is over", function()
    local only = "; only numbers, strings, booleans and tables of these can be copied with a "
      .. "simulation"
    local function start(sim) for job in sim:fitting() do sim:start(job) end end
    for kept, value in pairs {
      job = function(sim) return { jobs = { [sim:job(1).id] = sim:job(1) } } end,
      ["function"] = function() return { print } end,
      queue = function(sim) return sim:waiting() end,
    } do
      assert.equal("policy p: sim.state: holds a " .. kept .. only, error_of(function(sim)
        sim.state.kept = value(sim)
        start(sim)
      end))
    end
    assert.equal("policy p: sim.state: is nested more than 200 tables deep", error_of(function(sim)
      local deep = {}
      for _ = 1, 201 do deep = { deep } end
      sim.state.kept = deep
      start(sim)
    end))
  end)

  it("that kept it once is none in the next comparison, nor in a session", function()
    local policy = { name = "p", dispatch = function(sim)
      for job in sim:fitting() do
        if sim.free == 2 and job.procs == 2 then sim.state.kept = job end
        sim:start(job)
      end
    end }
    local narrow = orrery.jobs { { procs = 1, time = 5 } }
    for _ = 1, 2 do
      assert.is_false(pcall(orrery.compare, { jobs = JOBS, procs = 2, policy = policy, runs = 2 }))
      assert.is_true(pcall(orrery.compare, { jobs = narrow, procs = 2, policy = policy, runs = 2 }))
    end
    assert.equal(8, orrery.session { jobs = JOBS, procs = 2, policy = policy }:finish().makespan)
  end)
end)

-- --- the queue -----------------------------------------------------------------------------------

describe("the waiting jobs of a policy", function()
  local MANY = {}
  for i = 1, 60 do MANY[i] = { submit = i // 5, procs = 1 + i * 7 % 5, time = 1 + i * 13 % 9 } end
  MANY = orrery.jobs(MANY)

  local function starts(dispatch)
    local policy = { name = "p", dispatch = dispatch }
    local s = orrery.session { jobs = MANY, procs = 8, policy = policy }
    s:finish()
    local list = { orrery.compare { jobs = MANY, procs = 8, policy = policy }:csv() }
    for i = 1, #MANY do list[i + 1] = s:job(MANY[i].id).start end
    return table.concat(list, " ")
  end

  it("are the same in a loop over them and in one over ipairs, also while they start", function()
    local looped = starts(function(sim)
      for job in sim:waiting(sim.free) do if job.procs <= sim.free then sim:start(job) end end
    end)
    assert.equal(looped, starts(function(sim)
      for _, job in ipairs(sim:waiting(sim.free)) do
        if job.procs <= sim.free then sim:start(job) end
      end
    end))
    assert.equal(looped, starts(function(sim)
      for i, job in ipairs(sim:fitting()) do
        if i > 1000 then error "no end" end
        sim:start(job)
      end
    end))
  end)

  it("are counted, and found by their number, as in a list of them", function()
    starts(function(sim)
      local list, queue = {}, sim:waiting(3)
      for job in sim:waiting(3) do list[#list + 1] = job end
      assert(#queue == #list)
      for _, i in ipairs { 1, 2, 2, 1, #list, 0, -1, #list + 1, #list + 7, 3 } do
        assert(queue[i] == list[i])
      end
      assert(queue() == list[1] and queue() == list[2] and queue[1] == list[1])
      for job in sim:fitting() do sim:start(job) end
    end)
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
