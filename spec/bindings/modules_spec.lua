-- The Lua files of bindings/ and scripts/command/ are modules inside the program:
-- `require "orrery.folder.name"`, wherever the program is.
local orrery = require "orrery"
local core = require "orrery.core"
local program = require "spec.support.program"

-- The names of all modules, from the files. Those of docs/ and of the playground are not built in.
local function modules()
  local pipe = assert(io.popen(
    "(find bindings -name '*.lua' -not -path '*/docs/*' -not -path '*/playground/*'; "
    .. "ls scripts/command/*.lua)"))
  local list = {}
  for path in pipe:lines() do
    local name = path:match "^%w+/(.*)%.lua$"
    if name ~= "orrery" then list[#list + 1] = "orrery." .. name:gsub("/", ".") end
  end
  assert(pipe:close())
  table.sort(list)
  return list
end

describe("a module of the bindings", function()
  it("is found by its name, under a plain interpreter", function()
    local list = modules()
    assert.is_true(#list > 60)
    for _, name in ipairs(list) do
      assert.is_true(core.embedded(name) ~= nil, name)
    end
    for _, name in ipairs(list) do -- sandbox is run, not required; the program needs its terminal
      if name ~= "orrery.host.sandbox" and name ~= "orrery.program.prompt" then
        assert.is_truthy(require(name), name)
      end
    end
  end)

  it("is found by its name in the program", function()
    local status, out, err = program.run(program.home,
      [[-e 'print(require "orrery.session.session" ~= nil, require "orrery.run.results" ~= nil)']])
    assert.same({ 0, "true\ttrue\n", "" }, { status, out, err })
  end)

  it("of pictures is an error where there is none", function()
    assert.has_error(function() return orrery.draw.nothing end, "there is no picture 'nothing'")
  end)

  it("is not reached by a policy, in its own state or in that of the caller", function()
    local jobs = orrery.jobs { { submit = 0, procs = 1, time = 1 } }
    local file = io.open -- what is read and cannot be copied keeps a policy in the caller's state
    for _, code in ipairs { "return require", "return package", "return _G.require",
      "return debug", "return load" } do
      for _, beside in ipairs { false, file } do
        local policy = load([[
          local beside = ...
          return { name = "curious", dispatch = function(sim)
            if beside then local _ = beside end
            local found = (function() ]] .. code .. [[ end)()
            error("found " .. tostring(found), 0)
          end }]])(beside)
        local ok, problem = pcall(function()
          orrery.session { jobs = jobs, procs = 1, policy = policy }:finish()
        end)
        assert.is_false(ok)
        assert.is_truthy(tostring(problem):find("a policy has no global '", 1, true), problem)
      end
    end
  end)
end)

describe("the module in a policy that runs in the caller's state", function()
  local jobs = orrery.jobs { { submit = 0, procs = 1, time = 1 } }
  local file = io.open

  -- What the policy gets when it evaluates this.
  local function found(code)
    local policy = load([[
      local orrery, file = ...
      return { name = "curious", dispatch = function(sim)
        local _ = file
        error(tostring(]] .. code .. [[), 0)
      end }]])(orrery, file)
    local _, problem = pcall(function()
      orrery.session { jobs = jobs, procs = 1, policy = policy }:finish()
    end)
    return tostring(problem)
  end

  it("computes", function()
    assert.is_truthy(found("orrery.summary({ 1, 2, 6 }).mean"):find ": 3.0$")
  end)

  it("reaches no files and loads nothing", function()
    for code, message in pairs {
      ["orrery.read 'sample-2019-06'"] = "attempt to call a nil value (field 'read')",
      ["orrery.policies()"] = "attempt to call a nil value (field 'policies')",
      ["orrery.tools.files '/'"] = "attempt to index a nil value (field 'tools')",
      ["orrery.help()"] = "attempt to call a nil value (field 'help')",
      ["orrery.draw.gnuplot"] = "attempt to index a nil value (field 'draw')",
    } do
      local text = found(code)
      assert.matches(message, text, 1, true)
    end
  end)
end)

describe("the module", function()
  it("has no field that nobody gave it, and tells the one that is near", function()
    local function read(name) return function() return orrery[name] end end
    local _, problem = pcall(read "sesion")
    assert.matches("modules_spec%.lua:%d+: orrery has no 'sesion'", problem)
    assert.error_matches(read "sesion",
      "^orrery has no 'sesion', did you mean 'session'%? %(known: compare, ")
    assert.error_matches(read "xyzzy", "orrery has no 'xyzzy' %(known: ")
    assert.error_matches(read(1), "orrery has no '1' %(known: ")
  end)

  it("is a plain table to who looks through it", function()
    local seen = {}
    for name, value in pairs(orrery) do seen[name] = value end
    assert.is_function(seen.compare)
    assert.is_table(seen.draw)
    assert.is_nil(rawget(orrery, "xyzzy"))
    assert.is_function(rawget(orrery, "session"))
  end)
end)
