-- The prompt as a person uses it: keys typed into a terminal, and what is then on the screen.

local support = require "spec.support.program"
local terminal = require "spec.support.terminal"

local has_tmux = terminal.installed

describe("the prompt", function()
  local t = terminal.new()
  local tmux, screen, keys, write_text = t.tmux, t.screen, t.keys, t.write_text
  local type_line, wait_for, wait_until_left = t.type_line, t.wait_for, t.wait_until_left
  local folder

  -- An empty screen, so that what was there before is not taken for what is to come.
  local function clear()
    keys("C-c", "C-l")
    t.wait_until("the screen is not empty", function(shown) return shown:find "^\n> *\n*$" end)
  end

  local function start(width, height, colourless)
    tmux(("new-session -d -s spec -x %d -y %d 'cd %s && env -u COLUMNS NO_COLOR=%s HOME=%s "
      .. "XDG_STATE_HOME= XDG_CONFIG_HOME= XDG_DATA_HOME= TERM=xterm INPUTRC=/dev/null "
      .. "ORRERY_TRACEBACK= %s'")
      :format(width, height, folder, colourless and "1" or "", folder, support.path))
    return wait_for "\n>"
  end

  local function leave()
    keys "C-d"
    wait_until_left()
  end

  local greeting

  setup(function()
    if not has_tmux then return end
    folder = support.folder()
    greeting = start(100, 50)
  end)

  teardown(function()
    if not has_tmux then return end
    t.close()
    support.remove(folder)
  end)

  local function test(name, body)
    it(name, function()
      if not has_tmux then pending("tmux is not installed") return end
      clear()
      body()
    end)
  end

  it("says what there is", function()
    if not has_tmux then pending("tmux is not installed") return end
    for _, word in ipairs { "Orrery ", "month ", "help()", "orrery.session {" } do
      assert.is_truthy(greeting:find(word, 1, true), word)
    end
  end)

  test("shows values, and has the last one #long", function()
    type_line "21 * 2"
    wait_for "\n42"
    type_line "_ + 6 * hour"
    wait_for "\n21642"
    type_line "{ { id = 'a', procs = 4 }, { id = 'b', procs = 16 } }"
    wait_for "\nid  procs\na       4\nb      16\n>"
    type_line "month"
    wait_for "\n... 4691 more"
    assert.is_truthy(screen():find("4699 jobs of 512 to 49152 procs", 1, true))
  end)

  test("continues lines, and has them as one entry in its history #long", function()
    type_line "function twice(x)"
    wait_for "\n>>"
    type_line "return 2 * x end"
    type_line "twice(111)"
    wait_for "\n222"
    keys("Up", "Up")
    wait_for "\n222\n> function twice(x)\nreturn 2 * x end"
    type_line " twice = twice"
    type_line "{ 1,"
    type_line "twice(50) + 5 }"
    wait_for "\n{ 1, 105 }"
  end)

  test("shows what a pasted block ends in", function()
    local function paste(text)
      support.write(folder, "pasted", text)
      tmux(("load-buffer '%s/pasted'"):format(folder))
      tmux "paste-buffer -p -t spec"
    end
    paste "local one = 500\nlocal two = 55\none + two"
    keys "Enter"
    wait_for "\n555\n>"
    paste "for i = 1, 2 do\n  print(i * 111)\nend\nstring.rep('x', 5)"
    keys "Enter"
    wait_for "\n111\n222\nxxxxx\n>"
  end)

  test("tells what is asked for #long", function()
    type_line "?bsld"
    wait_for "\nbsld (a metric of each job)\n"
    clear()
    type_line "summary?"
    wait_for "\norrery.summary(list)\n"
    type_line "mine = orrery.jobs { { procs = 1, runtime = 1 } }"
    type_line "? mine:days"
    wait_for "\njobs:days()"
    clear()
    write_text "?compar"
    keys "Tab"
    wait_for "> ?compare"
  end)

  test("has colours, which NO_COLOR takes away #long", function()
    local function painted() return tmux "capture-pane -p -e -t spec" end
    type_line "?bsld"
    wait_for "\nbsld"
    assert.is_truthy(painted():find("\27[1mbsld (a metric of each job)", 1, true))
    type_line "nothing.at"
    wait_for "set it with"
    assert.is_truthy(painted():find("\27[31mattempt to index a nil value", 1, true))
    assert.is_truthy(painted():find("\27[36m> ", 1, true))
    type_line "{ { id = 'a', procs = 4, time = 3 }, { id = 'b', procs = 3, time = 1 } }"
    wait_for "\nb "
    assert.is_truthy(painted():find("\27[1mid", 1, true))
    type_line "error '\\27[7m'" -- and nobody else has any
    wait_for "\\x1b[7m"
  end)

  test("tells what to do after an error, and goes on #long", function()
    type_line "sesion { jobs = month }"
    wait_for "\nattempt to call a nil value (global 'sesion')\ndid you mean orrery.session?\n>"
    type_line "orrery.compair { jobs = month }"
    wait_for "\norrery has no 'compair', did you mean 'compare'? (known: "
    type_line "function bad(x) return x.y.z end"
    type_line "1 + bad {}"
    wait_for "prompt:1: attempt to index a nil value (field 'y')\n  in bad, prompt:1\n"
    wait_for "\n  in what was typed, prompt:1\n>"
    type_line "orrery.compare { jobs = month policy = 'easy' }"
    wait_for(("'}' expected near 'policy'\n  orrery.compare { jobs = month policy = 'easy' }\n"
      .. "%s^\n>"):format((" "):rep(32)))
    type_line "orrery.compare { jobs = month, policy = 'eazy' }"
    wait_for "there is no policy 'eazy', did you mean 'easy'?\n>"
    type_line "5 * 111"
    wait_for "\n555"
  end)

  test("completes names, fields, policies and files", function()
    write_text "orrery.comp"
    keys "Tab"
    wait_for "\n> orrery.compare"
    write_text " { policy = \"disp"
    keys "Tab"
    wait_for "dispatch/greedy "
    wait_for "> orrery.compare { policy = \"dispatch/"
    write_text "gree"
    keys "Tab"
    wait_for "{ policy = \"dispatch/greedy\""
    keys "C-c"
    support.write(folder, "a file of mine.csv", "")
    write_text "io.open(\"a f"
    keys "Tab"
    wait_for "io.open(\"a file of mine.csv"
    write_text "\"):read 'n', 17 * 3"
    keys "Enter"
    wait_for "\n51"
    keys "C-c"
  end)

  test("drops a line and stops loops on Ctrl-C", function()
    type_line("half a li", "C-c")
    type_line "300 + 33"
    wait_for "\n333"
    type_line("function half()", "Enter")
    wait_for "\n>>"
    type_line("return 1", "C-c")
    type_line "300 + 34"
    wait_for "\n334"
    type_line "print 'loop' while true do pcall(function() while true do end end) end"
    wait_for "\nloop"
    keys "C-c"
    wait_for "\ninterrupted"
    type_line "400 + 44"
    wait_for "\n444"
  end)

  test("stops a run of the kernel on Ctrl-C and can run again", function()
    type_line 'jobs = orrery.synthetic { seed = 1 }'
    type_line('function run(n) return orrery.compare { jobs = jobs, procs = 10000, runs = n, '
      .. 'policy = "conservative", errors = { mean_probability = 0.5 } } end')
    type_line "print 'runs' run(10000000)"
    wait_for "\nruns"
    keys "C-c"
    wait_for "\ninterrupted"
    type_line "run(3)"
    wait_for "3 scenarios each"
  end)

  test("stops with a command that it started", function()
    type_line "print 'sleeps' while true do os.execute 'sleep 100' end"
    wait_for "\nsleeps"
    keys "C-c"
    wait_for "\ninterrupted"
  end)

  test("goes on with a session that Ctrl-C stopped #long", function()
    -- an upvalue that no other state can have: the policy runs in this one, as slow as it is set
    type_line "slow = setmetatable({ on = true }, {})"
    type_line("do local slow = slow; function mine(sim) for _ = 1, slow.on and 1e6 or 0 do end "
      .. "for job in sim:fitting() do sim:start(job) end end end")
    type_line("function make() return orrery.session { jobs = month:day '2019-06-14', "
      .. "policy = mine } end")
    type_line "s = make() print 'started' s:finish()"
    wait_for "\nstarted"
    keys "C-c"
    wait_for "\ninterrupted"
    type_line "slow.on = false"
    type_line "100 + 23"
    wait_for "\n123" -- the Ctrl-C of clear() drops what has not been read
    clear()
    type_line "s.over, #s:schedule() < 120"
    wait_for "\nfalse\n"
    type_line "a, b = s:finish(), make():finish()"
    type_line "a.makespan == b.makespan and a.wait_mean == b.wait_mean and s:check()"
    wait_for "\ntrue\n>"
  end)

  local RULE = "return { priority = function(job) return %s end }\n"

  test("reads the file of a policy again when it has changed #long", function()
    local function rule(text) support.write(folder, "mine.lua", RULE:format(text)) end
    rule "job.time"
    type_line "day14 = month:day '2019-06-14'"
    type_line "function ratio(r) return (' %.9f '):format(r:summary(1).mean) end"
    type_line("r = orrery.compare { jobs = day14, batch = true, priority = './mine.lua' } "
      .. "print('first', ratio(r), 'end')")
    local first = wait_for " end":match "first *( [%d.]+ )"
    rule "-job.time"
    type_line("", "Up")
    type_line ""
    wait_for "./mine.lua has changed: read again"
    local second -- what was typed has the word "first", too
    repeat second = screen():match "first *[%d.]+ .*first *( [%d.]+ )" until second
    assert.not_equal(first, second)
    rule "job.procs"
    clear()
    type_line "ratio(again())"
    wait_for "./mine.lua has changed: read again"
    wait_for "\n 1."
    -- a mistake in it: what was there before stays
    type_line "s = orrery.session { jobs = day14, priority = './mine.lua' } s:step()"
    support.write(folder, "mine.lua",
      "return {\n  priority = function(job) return job.prox end }\n")
    type_line "s = orrery.session { jobs = day14, priority = './mine.lua' }"
    wait_for "./mine.lua:2:"
    type_line "#s:schedule() >= 1"
    wait_for "\ntrue\n"
  end)

  test("has its history at the next start, in a narrow window, too #long", function()
    type_line "600 + 66"
    wait_for "\n666"
    leave()
    local file = support.read(folder .. "/.local/state/orrery/history")
    assert.matches("\n600 + 66\n", file, 1, true)
    assert.matches("\nfunction twice(x)\nreturn 2 * x end\n", file, 1, true)
    start(40, 30, true)
    type_line "?bsld"
    wait_for "\nbsld"
    assert.is_nil(tmux "capture-pane -p -e -t spec":find("\27[", 1, true))
    clear()
    keys("Up", "Up")
    wait_for "> 600 + 66"
    type_line " + 111"
    wait_for "\n777"
    clear()
    type_line "month"
    local shown = wait_for "... 4691 more"
    for line in shown:match "\nid.*":gmatch "[^\n]+" do
      assert.is_true(utf8.len(line) <= 40, line)
    end
    wait_for "not shown: "
    -- what no hook reaches: the second Ctrl-C is announced, and ends the program
    type_line "long = ('a'):rep(1 << 20); print 'spins'; long:find('.-.-.-b')"
    wait_for "\nspins"
    local pid = tmux "display-message -p -t spec '#{pane_pid}'":match "%d+" -- of a shell or its own
    pid = io.popen(("pgrep -P %s || echo %s"):format(pid, pid)):read "l"
    local function ticks() -- of the processor
      return tonumber(support.read("/proc/" .. pid .. "/stat"):match("%)" .. (" %S+"):rep(11)
        .. " (%d+)"))
    end
    local before = ticks()
    repeat os.execute "sleep 0.02" until ticks() > before + 9 -- then it is in C
    keys "C-c"
    wait_for "Ctrl-C again ends"
    keys "C-c"
    wait_until_left()
  end)
end)
