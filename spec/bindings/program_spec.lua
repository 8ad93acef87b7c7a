-- The program itself: options, scripts, and the prompt as a person types at it.

local support = require "spec.support.program"
local program = support.path

-- Runs a shell command: its output, its messages, its exit status.
local function run(command)
  local out, err = os.tmpname(), os.tmpname()
  local _, _, status = os.execute(("%s >%s 2>%s"):format(command, out, err))
  local result = { output = support.read(out), messages = support.read(err), status = status }
  os.remove(out)
  os.remove(err)
  return result
end

local function write(path, text)
  local file = assert(io.open(path, "w"))
  file:write(text)
  file:close()
end

describe("the program", function()
  it("tells its version", function()
    local r = run(program .. " --version")
    assert.is_truthy(r.output:match("^orrery %d+%.%d+%.%d+\n$"))
    assert.equal(0, r.status)
  end)

  it("runs code with -e", function()
    assert.equal("3\ttrue\n", run(program .. " -e 'print(1 + 2, orrery ~= nil)'").output)
    assert.equal(1, run(program .. " -e 'error(\"no\")'").status)
    assert.equal(2, run(program .. " -e").status)
  end)

  it("refuses options it does not know", function()
    local r = run(program .. " --verbose")
    assert.equal(2, r.status)
    assert.is_truthy(r.messages:find("unknown option '--verbose' (known: --version", 1, true))
  end)

  it("names the command that was meant", function()
    local r = run(program .. " generat")
    assert.equal(2, r.status)
    assert.equal("orrery: there is no command 'generat', did you mean 'generate'?\n", r.messages)
  end)

  it("runs a script with its arguments, from any folder", function()
    local path = os.tmpname() .. ".lua"
    write(path, "print(arg[1], ..., #require('orrery').policies() > 0)")
    local r = run(("cd / && %s %s one"):format(program, path))
    assert.equal("one\tone\ttrue\n", r.output)
    write(path, "local x = nil; x.y = 1")
    r = run(("%s %s"):format(program, path))
    assert.equal(1, r.status)
    assert.is_truthy(r.messages:find(path .. ":1: attempt to index a nil value", 1, true))
    write(path, "x = = 1")
    assert.equal(1, run(("%s %s"):format(program, path)).status)
    write(path, "error({ exit = 7, message = 'so be it' })")
    r = run(("%s %s"):format(program, path))
    assert.equal(7, r.status)
    assert.equal("orrery: so be it\n", r.messages)
    os.remove(path)
    assert.equal(1, run(("%s %s"):format(program, path)).status)
  end)

  it("runs a user's own command and policy", function()
    local folder = os.tmpname()
    os.remove(folder)
    os.execute(("mkdir -p %s/scripts %s/policies/priority"):format(folder, folder))
    write(folder .. "/scripts/hello.lua", "-- hello: greets\nprint('hello ' .. arg[1])")
    write(folder .. "/policies/priority/mine.lua",
      "return { about = 'mine', priority = function(job) return job.procs end }")
    local set = "ORRERY_PATH=" .. folder .. " " .. program
    assert.equal("hello you\n", run(set .. " hello you").output)
    local listed = run(set .. [[ -e 'for _, p in ipairs(orrery.policies()) do
      if p.name == "priority/mine" then print(p.about) end end']])
    assert.equal("mine\n", listed.output)
    os.execute("rm -r " .. folder)
  end)

  it("reads a session from a pipe with -i", function()
    local lines = "'1 + 1' 'x = 3' 'for i = 1, 2 do' 'print(i * x)' 'end' 'nil + 1' 'x'"
    local r = run(("printf '%%s\\n' %s | %s -i"):format(lines, program))
    assert.equal(0, r.status)
    local shown = r.output:gsub(">+ [^\n]*\n", "")
    assert.equal("2\n3\n6\n3\n", (shown:gsub("^> *", ""):gsub("\n> *$", "\n")))
    assert.is_truthy(r.messages:find("attempt to perform arithmetic on a nil value", 1, true))
  end)
end)

-- --- under a terminal ---------------------------------------------------------------------------

local has_tmux = os.execute("command -v tmux >/dev/null 2>&1")

describe("the prompt", function()
  local socket = "orrery-spec-" .. math.random(1 << 30)

  local function tmux(arguments)
    -- a preloaded sanitizer is not for tmux; the program brings its own
    return run(("env -u LD_PRELOAD tmux -L %s %s"):format(socket, arguments)).output
  end

  local function screen() return tmux("capture-pane -p -t spec") end

  -- Types a line; `key` other than Enter may end it.
  local function type_line(text, key)
    if text ~= "" then tmux(("send-keys -t spec -l -- '%s'"):format(text:gsub("'", "'\\''"))) end
    tmux("send-keys -t spec " .. (key or "Enter"))
  end

  -- Waits until the screen shows the text; the whole screen.
  local function wait_for(text)
    local shown
    for _ = 1, 200 do
      shown = screen()
      if shown:find(text, 1, true) then return shown end
      os.execute("sleep 0.05")
    end
    error("the screen does not show " .. text .. " but\n" .. shown)
  end

  local home

  before_each(function()
    home = os.tmpname()
    os.remove(home)
    os.execute("mkdir " .. home)
    tmux(("new-session -d -s spec -x 100 -y 40 'env HOME=%s XDG_STATE_HOME= TERM=xterm %s'"):format(
      home, program))
  end)

  after_each(function()
    tmux("kill-server")
    os.execute("rm -r " .. home)
  end)

  local function test(name, body)
    it(name, function()
      if not has_tmux then pending("tmux is not installed") return end
      wait_for("\n>")
      body()
    end)
  end

  test("evaluates, continues lines, shows errors and goes on", function()
    type_line("21 * 2")
    wait_for("\n42")
    type_line("function twice(x)")
    wait_for("\n>>")
    type_line("return 2 * x end")
    type_line("twice(111)")
    wait_for("\n222")
    type_line("nothing.at.all")
    wait_for("attempt to index a nil value (global 'nothing')")
    type_line("5 * 111")
    wait_for("\n555")
  end)

  test("drops a line and stops loops on Ctrl-C", function()
    type_line("half a li", "C-c")
    type_line("300 + 33")
    wait_for("\n333")
    type_line("while true do end")
    os.execute("sleep 0.3")
    type_line("", "C-c")
    wait_for("interrupted")
    type_line("400 + 44")
    wait_for("\n444")
  end)

  test("stops a long run of the kernel on Ctrl-C and can run again", function()
    type_line('jobs = orrery.synthetic { seed = 1 }')
    type_line('function run(n) return orrery.compare { jobs = jobs, procs = 10000, runs = n, '
      .. 'policy = "conservative", errors = { mean_probability = 0.5 } } end')
    type_line("run(10000000)")
    os.execute("sleep 0.5")
    type_line("", "C-c")
    wait_for("interrupted")
    type_line("run(3)")
    wait_for("3 scenarios each")
  end)

  test("keeps its history in the user's state folder", function()
    type_line("600 + 66")
    wait_for("\n666")
    type_line("", "C-d")
    for _ = 1, 100 do
      if os.execute(("grep -q '600 + 66' %s/.local/state/orrery/history 2>/dev/null"):format(home))
      then return end
      os.execute("sleep 0.05")
    end
    error("no history")
  end)
end)
