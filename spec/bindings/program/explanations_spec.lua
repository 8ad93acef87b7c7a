-- What is said about mistakes at the prompt.
local orrery = require "orrery"

require("orrery.program.globals").month = { kind = "jobs", value = function() end }
local explain = require "orrery.program.explanations"

-- What the prompt prints when this is typed.
local function typed(code)
  local chunk, problem = load(code, "=prompt")
  if not chunk then return explain.syntax(problem, code) end
  local _, _, kept = coroutine.resume(coroutine.create(xpcall), chunk, explain.handler)
  return explain.error(kept, code, "prompt")
end

describe("a mistake at the prompt", function()
  setup(function()
    _G.orrery = orrery
    _G.s = orrery.session { jobs = orrery.synthetic { count = 3, seed = 1 }, procs = 4000 }
  end)
  teardown(function() _G.orrery, _G.s = nil, nil end)

  it("of syntax is marked in its line", function()
    assert.equal("unexpected symbol near '='\n  x = = 1\n      ^", typed "x = = 1")
    -- the second of two that look the same
    assert.equal("unexpected symbol near ')'\n  f(1) )\n       ^", typed "f(1) )")
    assert.equal("unexpected symbol near '*'\n  x = \"é\" .. * 2\n             ^",
      typed "x = \"é\" .. * 2")
    assert.equal("'then' expected near '='\n  if x = 1 then end\n       ^\nto compare, write ==",
      typed "if x = 1 then end")
    assert.equal("'}' expected (to close '{' at line 1) near 'b'\n    b = 2 }\n    ^",
      typed "x = { a = 1\n  b = 2 }")
  end)

  it("in a field that is a word of Lua says how it is written", function()
    assert.is_truthy(typed "x = { procs = 4, until = 9 }":find(
      '\nuntil is a word of Lua; as a field it is written ["until"] = ...', 1, true))
  end)

  it("in a name is followed by the name that is near", function()
    for code, hint in pairs {
      ["sesion.x = 1"] = "did you mean orrery.session?",
      ["session { }"] = "did you mean orrery.session?",
      ["mnth:day(1)"] = "did you mean month?",
      ["orrery.tasks.x.y = 1"] = "orrery.tasks has list, read, synthetic",
      ["xyzzy.x = 1"] = "there is nothing called xyzzy; set it with xyzzy = ...",
      ["orrery.random(1):unifrom()"] = "did you mean uniform?",
    } do
      local text = typed(code)
      assert.matches("\n" .. hint, text, 1, true)
    end
  end)

  it("in a name of the module is an error that tells the name that is near", function()
    for _, name in ipairs { "compair", "comp" } do -- the second as it begins
      local text = typed("orrery." .. name .. " { }")
      local expected = ("orrery has no '%s', did you mean 'compare'?"):format(name)
      assert.matches(expected, text, 1, true)
    end
  end)

  it("with a name that was local before is told as such", function()
    explain.note_locals "local gone, too = 1, 2 local function inner() end"
    for _, name in ipairs { "gone", "too", "inner" } do
      assert.is_truthy(typed(name .. ".x = 1"):find("\n" .. name .. " was local to its entry", 1,
        true))
    end
    assert.is_truthy(explain.nothing "gone":find "was local")
  end)

  it("in what a session has not is told once", function()
    local text = typed "s:stp()"
    assert.matches("did you mean 'step'", text)
    assert.is_nil(text:find "\n")
  end)

  it("of a point for a colon is told", function()
    assert.is_truthy(typed "s.jobs.day('2019-06-14')":find "colon: :day$")
  end)

  it("in a function comes with the way there, without Orrery's own functions", function()
    local text = typed(table.concat({
      "local function inner(job) return job.a.b end",
      "local function outer(job) local x = inner(job) return x end",
      "s.jobs:filter(function(job) return outer(job) end)",
    }, "\n"))
    assert.is_truthy(text:find "^prompt:1: attempt to index a nil value %(field 'a'%)\n  in inner, "
      .. "prompt:1\n  in outer, prompt:2\n", text)
    assert.is_nil(text:find "%[C%]")
    assert.is_nil(text:find "orrery/")
    assert.equal("attempt to index a nil value (field 'a')", (typed "x = ({}).a.b":match "^[^\n]*"))
  end)

  it("that is no text is told, too", function()
    assert.equal("an error that is a table", typed "error {}")
    assert.equal("so be it", typed "error { message = 'so be it' }")
    assert.equal("nil", typed "error()")
    assert.equal("odd",
      typed "error(setmetatable({}, { __tostring = function() return 'odd' end }))")
  end)
end)
