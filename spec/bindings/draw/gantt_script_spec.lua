-- The script in Gantt charts and reports (gantt.js), run by node; it is there as it is tested.
local program = require "spec.support.program"

local has_node = os.execute "command -v node >/dev/null 2>&1"

describe("the script in a Gantt chart", function()
  local folder

  before_each(function() folder = program.folder() end)
  after_each(function() program.remove(folder) end)

  local function draw()
    program.write(folder, "draw.lua", [[
      local s = orrery.session { procs = 4, policy = "easy", failures = { 1, 0, 0 },
        jobs = orrery.jobs { { id = "b, attempt 3", procs = 2, time = 50 },
          { id = "c", procs = 1, time = 100 }, { id = "<d>", procs = 1, time = 10, submit = 90 } } }
      s:run_until(50)
      s:change { cancel = 1 }
      s:finish()
      s:gantt "g.svg"
    ]])
    assert.same({ 0, "", "" }, { program.run(folder, "draw.lua") })
    return program.read(folder .. "/g.svg")
  end

  local function node(arguments)
    local pipe = assert(io.popen(("env -u LD_PRELOAD node %s 2>&1"):format(arguments)))
    local text = pipe:read "a"
    return pipe:close() == true, text
  end

  it("zooms, moves and names", function()
    if not has_node then return pending "node is not installed (Debian: nodejs)" end
    draw()
    local ok, text = node(("'%s/spec/bindings/draw/gantt_script.js' '%s/g.svg'"):format(
      program.home, folder))
    assert.is_true(ok, text)
    assert.is_true(select(2, text:gsub("ok ", "")) >= 14)
  end)

  it("is in the chart as a script of strict JavaScript, without its comments", function()
    local script = draw():match "<script><!%[CDATA%[(.*)%]%]></script>"
    assert.is_nil(script:find "[\n ]//")
    assert.is_nil(script:find("]]>", 1, true))
    assert.is_nil(script:find("</", 1, true)) -- in a page it ends there
    if not has_node then return pending "node is not installed (Debian: nodejs)" end
    program.write(folder, "inside.js", script)
    assert.same({ true, "" }, { node(("--check '%s/inside.js'"):format(folder)) })
  end)
end)
