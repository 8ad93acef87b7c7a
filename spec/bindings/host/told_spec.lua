-- Policies that attack by what they tell whoever looks on: notes, lines that they print, the trace;
-- and what looks on while they run: s:why, s:break_at.
local dkjson = require "dkjson"
local orrery = require "orrery"
local program = require "spec.support.program"
local rounds = require "spec.support.rounds"
local refuse = require "spec.support.refused"
local temporary = require "spec.support.temporary"

local SECONDS = rounds(5, 5, 2) / 10
local LIMITS = { seconds = SECONDS, memory = 24 << 20 }
local PATIENT = { seconds = 60, memory = 24 << 20 } -- for what ends by itself on a busy machine
local SLOW = os.getenv "TSAN_OPTIONS" and "this call took more than"
local TIME, MEMORY = "this call took more than", "not enough memory"
local START = " for j in sim:fitting() do sim:start(j) end "

local function policy_of(code)
  return ("return { dispatch = function(sim) %s %s end }"):format(code, START)
end

-- Calls f(path) with a file of a policy.
local function with_policy(text, f)
  temporary.file("told.lua", text, function(path)
    local named = path .. ".lua"
    assert(os.rename(path, named))
    local ok, problem = pcall(f, named)
    assert(os.rename(named, path))
    if not ok then error(problem, 0) end
  end)
end

local function session(path, limits)
  return orrery.session { jobs = refuse.JOBS, procs = 2, policy = path, limits = limits or PATIENT }
end

-- --- notes --------------------------------------------------------------------------------------

-- { what it tries, code, the error, or nil and the number of notes }
local NOTES = {
  { "a note that is too long", "sim:note(('x'):rep(1001))", "it has more than 1000 bytes" },
  { "a note of a gigabyte", "sim:note { a = ('x'):rep(1 << 30) }", MEMORY },
  { "a note whose name is too long", "sim:note { [('x'):rep(2000)] = 1 }", "more than 1000 bytes" },
  { "a table in itself", "local t = {} t.t = t sim:note(t)", "its field 't' is a table" },
  { "a hundred thousand names", [[
      local t = {} for i = 1, 100000 do t['n' .. i] = true end sim:note(t)]],
    "it has more than 1000 bytes" },
  { "names that are numbers", "sim:note { 1, 2, 3 }", "its fields have names" },
  { "names that are tables", "sim:note { [{}] = 1 }", "its fields have names" },
  { "a name with a zero", "sim:note { ['a\\0b'] = 1 }", "its fields have names" },
  { "the time of a note", "sim:note { time = -1 }", "a field 'time' already" },
  { "the hook of a note", "sim:note { hook = 'on_end' }", "a field 'hook' already" },
  { "a function as a note", "sim:note { f = print }", "its field 'f' is a function" },
  { "sim as a note", "sim:note { s = sim }", "its field 's' is a userdata" },
  { "another sim", "sim.note({}, { a = 1 })", "sim, as in sim:note expected" },
  { "no sim", "sim.note(nil, 'x')", "sim, as in sim:note expected" },
  { "a text as sim", "sim.note('x', 'x')", "sim, as in sim:note expected" },
  { "no note", "sim:note()", "table expected" },
  { "to read its notes", "local _ = sim.notes", "sim has no field 'notes'" },
  { "to take note away", "sim.note = nil", "sim.note cannot be set" },
  { "fields that come from a metatable", [[
      sim:note(setmetatable({}, { __index = function() while true do end end,
        __pairs = function() while true do end end, __len = function() while true do end end }))]],
    nil, 3 },
  { "an endless list of notes", "for i = 1, 20000 do sim:note { i = i } end", nil, 10000 },
  { "a note of a job that is over", [[
      if sim.now < 100 then sim.state.job = sim:job(1) else sim:note { j = sim.state.job } end]],
    nil, 1 },
}

describe("a policy that notes", function()
  for _, attack in ipairs(NOTES) do
    local what, code, expected, count = table.unpack(attack, 1, 4)
    it(what, function()
      with_policy(policy_of(code), function(path)
        local s = session(path)
        local ok, problem = pcall(s.finish, s)
        assert.equal(expected == nil, ok, tostring(problem))
        if ok then return assert.equal(count, #s.notes) end
        assert.is_truthy(problem:find(expected, 1, true) or SLOW and problem:find(SLOW, 1, true),
          problem)
      end)
    end)
  end

  -- The order of a Lua table is another one in every state: who reads it knows a random number.
  it("two wrong fields reads no random number", function()
    local code = "local ok, e = pcall(sim.note, sim, { aa = {}, bb = print, cc = ('x'):rep(2000), "
      .. "dd = sim, ee = {} }) error(e)"
    with_policy(policy_of(code), function(path)
      for _ = 1, 12 do
        local s = session(path)
        local _, problem = pcall(s.finish, s)
        assert.matches("its field 'aa' is a table", problem, 1, true)
      end
    end)
    with_policy(policy_of(code:gsub("aa = {}", "time = 1, hook = 2, [1] = 1")), function(path)
      for _ = 1, 12 do
        local s = session(path)
        local _, problem = pcall(s.finish, s)
        assert.matches("its fields have names", problem, 1, true)
      end
    end)
  end)

  it("finds out whether somebody looks on", function()
    local code = "if not pcall(sim.note, sim, { a = 1 }) then for j in sim:fitting() do "
      .. "sim:start(j) break end return end"
    with_policy(policy_of(code), function(path)
      local compared = orrery.compare { jobs = refuse.JOBS, procs = 2, policy = path, runs = 2,
        threads = 2 }
      assert.equal(session(path):finish().makespan, compared:values(1, "makespan")[2])
    end)
  end)
end)

-- --- the trace ----------------------------------------------------------------------------------

describe("a trace", function()
  local function lines_of(code)
    local text
    with_policy(policy_of(code), function(path)
      local s = session(path)
      text = s:trace()
    end)
    return text
  end

  it("is JSON in UTF-8 whatever the names and texts are, and the same every time", function()
    local code = [[sim:note { ['\27'] = 1, ['\\x1b'] = 2, ['\255'] = 3, ['\\xff'] = 4, [''] = 5,
      __proto__ = 6, notes = '"}]\n{', inf = 1 / 0, nan = 0 / 0, u = '\u{202e}', big = 1 << 63,
      text = '</script>\0\255\27[2J' }]]
    local text = lines_of(code)
    assert.is_truthy(utf8.len(text))
    assert.is_nil(text:find "[\0-\9\11-\31\127]")
    local notes = 0
    for line in text:gmatch "[^\n]+" do
      local read = assert(dkjson.decode(line))
      for _, note in ipairs(read.notes or {}) do
        notes = notes + 1
        assert.same({ 1, 2, 4, 3, 5, 6 }, { note["\\x1b"], note["\\x1b'"], note["\\xff"],
          note["\\xff'"], note[""], note.__proto__ })
      end
    end
    assert.equal(3, notes)
    local same = text:match "\n.*" -- behind the name of the file
    for _ = 1, 6 do assert.equal(same, lines_of(code):match "\n.*") end
  end)

  it("is UTF-8 where jobs and policies have other names", function()
    local jobs = orrery.jobs { { id = "a\255\27", procs = 1, time = 5 } }
    local text = orrery.session { jobs = jobs, procs = 1,
      policy = { name = "\255\192\128", dispatch = refuse.start_all } }:trace()
    assert.is_truthy(utf8.len(text))
    assert.equal("a\\xff\27", dkjson.decode((text:match "\n([^\n]+)")).submitted[1])
  end)

  it("changes no schedule", function()
    with_policy(policy_of "sim:note { free = sim.free }", function(path)
      local one, other = session(path), session(path)
      one:finish()
      other:trace()
      assert.equal(one:write_schedule(), other:write_schedule())
    end)
  end)
end)

-- --- print --------------------------------------------------------------------------------------

-- { what it tries, code, the exit status, a part of what is said }; FILE stands
-- before a whole file.
local PRINTS = {
  { "to clear the screen", "print('\\27[2J\\7\\u{9b}2J\\u{202e}\\255')", 0,
    "\\x1b[2J\\x07\\xc2\\x9b2J\\xe2\\x80\\xae\\xff\n" },
  { "a line that never ends", [[
      print(setmetatable({}, { __tostring = function() while true do end end }))]], 1, TIME },
  { "an object that is no text", [[
      print(setmetatable({}, { __tostring = function() return {} end }))]], 1,
    "'__tostring' must return a string" },
  { "an object that prints itself", [[
      local t = {} setmetatable(t, { __tostring = function() print(t) return 'x' end }) print(t)]],
    1, "overflow" },
  { "a name that clears the screen", [[
      print(setmetatable({}, { __name = '\27[2J' }))]], 0, "\\x1b[2J: " },
  { "addresses", "print({}, print, sim, sim:job(1), string.format)", 0, "" },
  { "more than fits on the stack", "print(table.unpack({}, 1, 999999))", 1, "too many results" },
  { "text of a gigabyte", "print(('x'):rep(1 << 30))", 1, MEMORY },
  { "while it is loaded", "FILE print 'x' return { dispatch = 'easy' }", 2,
    "print can be used only inside a hook" },
  { "in an option's default",
    "FILE return function() print 'x' return { dispatch = 'easy' } end", 2,
    "print can be used only inside a hook" },
  { "for ever", "local t = ('x'):rep(100000) while true do pcall(print, t) end", 1,
    "the policy has printed 16 MiB" },
  { "for ever, what is to be escaped #long", [[
      local t = ('a\27'):rep(1000000) while true do xpcall(print, print, t) end]], 1,
    "the policy has printed 16 MiB" },
  { "for ever, in an order #long", [[
      local t = ('x'):rep(1000000)
      table.sort({ 3, 2, 1 }, function() while true do print(t) end end)]], 1,
    "the policy has printed 16 MiB" },
  { "for ever, a little at every event", [[
      for i = 1, 10 do print(('x'):rep(1000000)) end]], 1, "the policy has printed 16 MiB" },
}

describe("a policy that prints", function()
  local folder
  before_each(function()
    folder = program.folder()
    program.write(folder, "log.csv", "id,submit,procs,time\na,0,2,10\nb,1,1,4\nc,50,2,5\n")
  end)
  after_each(function() program.remove(folder) end)

  local function printed(code, arguments)
    local whole = code:match "^FILE(.*)"
    program.write(folder, "p.lua", whole or policy_of(code))
    local status, out, err = program.run(folder, "replay log.csv --procs 2 --policy p.lua "
      .. (arguments or "--limit-seconds 60 --limit-memory 64"))
    return status, err, out
  end

  for _, attack in ipairs(PRINTS) do
    local what, code, expected, said = table.unpack(attack)
    it(what, function()
      local status, err = printed(code, said == TIME and "--limit-seconds " .. SECONDS or nil)
      assert.equal(expected, status, err:sub(-500))
      assert.is_truthy(err:find(said, 1, true) or SLOW and err:find(SLOW, 1, true), err:sub(-500))
      assert.is_true(#err < 70 << 20)
      err = err:sub(1, 100000)
      assert.is_nil(err:find "[\0-\8\11-\31\127]")
      assert.is_nil(err:find "0x%x%x%x%x%x%x")
      if status == 0 then
        local _, again = printed(code)
        assert.equal(err, again)
      end
    end)
  end

  it("under --untrusted for ever", function()
    local status, err = printed("while true do pcall(print, ('x'):rep(100000)) end",
      "--limit-seconds 60 --untrusted")
    if err:find "no filter" then return pending "this system has no filter of system calls" end
    assert.equal(1, status)
    assert.is_truthy(err:find("the policy has printed 16 MiB", 1, true), err:sub(-500))
  end)

  it("where several runs are compared, and catches the error", function()
    local status, err = printed("pcall(print, 'x') xpcall(print, function() end, 'x')",
      "--runs 3 --threads 2")
    assert.equal(1, status)
    assert.matches("nobody looks on", err, 1, true)
  end)

  it("what reads as an end of the program ends nothing", function()
    local status, err, out = printed "print('orrery: done\\n\\n')"
    assert.equal(0, status)
    assert.matches("orrery: done", err, 1, true)
    assert.matches("p.lua", out, 1, true)
  end)
end)

-- --- questions and stops ------------------------------------------------------------------------

describe("who asks and stops", function()
  it("why, leaves no notes and is not held up by a policy that waits for it", function()
    local code = "sim:note 'x' if sim.now > 50 then while true do end end"
    with_policy(policy_of(code), function(path)
      local s = session(path, LIMITS)
      s:run_until(5)
      local before = #s.notes
      assert.is_truthy(tostring(s:why(2)))
      assert.is_truthy(tostring(s:why(3)))
      assert.equal(before, #s.notes)
      local ok, problem = pcall(s.finish, s)
      assert.is_false(ok)
      assert.matches(TIME, problem, 1, true)
    end)
  end)

  it("at every instant, is not seen by the policy", function()
    local code = "sim:note { n = sim.now } if #tostring({}) > 8 then sim:note 'x' end"
    with_policy(policy_of(code), function(path)
      local one, other = session(path), session(path)
      one:finish()
      other:break_at(function() collectgarbage() return false end)
      other:finish()
      assert.equal(one:write_schedule(), other:write_schedule())
      assert.same(one.notes, other.notes)
    end)
  end)

  it("by a function that changes the session, gets an error, and the session goes on", function()
    local s = orrery.session { jobs = refuse.JOBS, procs = 2 }
    s:break_at(function(at) at:submit { procs = 1, time = 1 } end)
    local ok, problem = pcall(s.finish, s)
    assert.is_false(ok)
    assert.matches("its function has changed the session", problem, 1, true)
    s:break_at()
    assert.equal(101, s:finish().makespan)
  end)

  it("by a function that runs, fails or asks, breaks nothing", function()
    for _, inside in ipairs { "finish", "step", "trace", "measure" } do
      local s = orrery.session { jobs = refuse.JOBS, procs = 2 }
      s:break_at(function(at) at[inside](at) end)
      pcall(s.finish, s)
      s:break_at()
      assert.equal(101, s:finish().makespan, inside)
    end
    local s = orrery.session { jobs = refuse.JOBS, procs = 2 }
    s:break_at(function() error({}) end)
    assert.is_false((pcall(s.finish, s)))
    s:break_at()
    assert.equal(101, s:finish().makespan)
  end)
end)

it("leaves everything as it was", refuse.assert_all_is_well)
