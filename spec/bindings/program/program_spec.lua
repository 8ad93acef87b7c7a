-- The program itself: options, scripts, and the prompt without a terminal.

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

  it("gives scripts the globals of the prompt", function()
    local path = os.tmpname()
    write(path, "print(#month, 6 * hour, nothing, orrery.session { jobs = month }.procs)")
    local expected = "4699\t21600\tnil\t49152\n"
    assert.equal(expected, run(("%s %s"):format(program, path)).output)
    assert.equal(expected, run(("%s < %s"):format(program, path)).output)
    assert.equal(expected, run(("%s -i < %s"):format(program, path)).output)
    os.remove(path)
  end)

  it("shows what several lines end in, and tells what is asked for #long", function()
    local function shown(code)
      local r = run(("%s -e '%s'"):format(program, code))
      return r.output .. r.messages
    end
    assert.equal("12\n", shown "x = 3\ny = 4\nx * y")
    assert.equal("5\t6\n", shown "function f()\nprint(5, 6)\nend\nf()")
    assert.equal("1\n2\n", shown "local a = 1\n-- both\na,\n2\n\n")
    assert.equal("", shown "x = 1\n-1")            -- one statement on two lines
    assert.equal("", shown "f = tostring\ny = f\n{}") -- so are the last two
    assert.equal("orrery: (command line):2: unexpected symbol near '='\n  y = = 2\n      ^\n",
      shown "x = 1\ny = = 2")
    assert.is_truthy(shown "?bsld":find("bsld (a metric of each job)\n", 1, true))
    assert.equal(shown "?compare", shown "compare?")
    assert.equal(shown "?compare", shown "help \"compare\"")
    assert.equal("orrery: (command line):1: unfinished string near <eof>\n", shown "x = \"a?")
  end)

  it("runs code with -e", function()
    assert.equal("3\ttrue\n", run(program .. " -e 'print(1 + 2, orrery ~= nil)'").output)
    assert.equal(1, run(program .. " -e 'error(\"no\")'").status)
    assert.equal(2, run(program .. " -e").status)
  end)

  it("makes control sequences harmless in all that it says, and leaves files alone", function()
    local folder = support.folder()
    -- C0 and C1; Latin-1; a longer form, half of a pair; marks of the direction of text
    local hostile = "\27]0;title\7\xc2\x9b2J\x9b\xe9\xc0\x9b\xed\xa0\x80\u{202e}\u{2066}\u{200f}"
      .. " é→𝄞"
    local shown = "\\x1b]0;title\\x07\\xc2\\x9b2J\\x9b\\xe9\\xc0\\x9b\\xed\\xa0\\x80"
      .. "\\xe2\\x80\\xae\\xe2\\x81\\xa6\\xe2\\x80\\x8f é→𝄞"
    local function tells(arguments)
      local _, output, messages = support.run(folder, arguments)
      assert.is_truthy((output .. messages):find(shown, 1, true), arguments)
      assert.is_nil((output .. messages):find "[\27\7\r]", arguments)
      assert.is_truthy(utf8.len(output .. messages), arguments)
    end
    support.write(folder, "p.lua", ("return { name = %q, about = %q, dispatch = 'easy' }")
      :format(hostile .. "\r", hostile))
    support.write(folder, "e.lua", ("error(%q)"):format(hostile))
    support.write(folder, "id.csv", ("id,submit,procs,time\n%s,0,9,1\n"):format(hostile))
    support.write(folder, "text", hostile)
    tells "policies p.lua"
    tells "replay id.csv --procs 4"
    tells "replay id.csv --procs 9 --policy e.lua"
    tells [[-e 'error(io.open("text"):read "a")']]
    tells [[-e 'io.open("text"):read "a"']]
    tells("\"$(cat text)\"")
    support.run(folder, "replay id.csv --procs 9 --schedule s.csv")
    assert.is_truthy(support.read(folder .. "/s.csv"):find(hostile, 1, true))
    support.remove(folder)
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
    assert.matches(path .. ":1: attempt to index a nil value", r.messages, 1, true)
    write(path, "x = = 1")
    assert.equal(1, run(("%s %s"):format(program, path)).status)
    write(path, "error({ exit = 7, message = 'so be it' })")
    r = run(("%s %s"):format(program, path))
    assert.equal(7, r.status)
    assert.equal("orrery: so be it\n", r.messages)
    os.remove(path)
    assert.equal(2, run(("%s %s"):format(program, path)).status)
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

  it("shows the value of an expression of -e, and runs several", function()
    local r = run(program .. " -e 'x = { 1, 2 }' -e x -e '#month' -e '6 * hour' -e '\"a\"'")
    assert.equal("{ 1, 2 }\n4699\n21600\na\n", r.output)
    assert.equal("", r.messages)
    r = run(program .. " -e 'nil + 1' -e 'print(2)'")
    assert.equal("", r.output)
    assert.equal(1, r.status)
    assert.equal(7, run(program .. " -e 'error { exit = 7, message = \"so\" }'").status)
  end)

  it("runs a script behind -e", function()
    local path = os.tmpname() .. ".lua"
    write(path, "print(x, ...)")
    assert.equal("5\tone\n", run(("%s -e 'x = 5' %s one"):format(program, path)).output)
    assert.equal("5\tone\n6\n",
      run(("echo x + 1 | %s -e 'x = 5' -i %s one"):format(program, path)).output)
    write(path, ("#!%s\nprint(arg[0] == %q, ...)"):format(program, path))
    os.execute("chmod +x " .. path)
    assert.equal("true\ttwo\n", run(path .. " two").output)
    os.remove(path)
  end)

  it("reads entries from a pipe with -i, goes on after errors, and says at the end", function()
    local lines = "'1 + 1' 'x = 3' 'for i = 1, 2 do' 'print(i * x)' 'end' 'nil + 1' 'x' 'y = = 2' "
      .. "'{ 1,' '2 }' 'if x then'"
    local r = run(("printf '%%s\\n' %s | %s -i"):format(lines, program))
    assert.equal("2\n3\n6\n3\n{ 1, 2 }\n", r.output)
    assert.equal("orrery: stdin:6: attempt to perform arithmetic on a nil value\n"
      .. "orrery: stdin:8: unexpected symbol near '='\n  y = = 2\n      ^\n"
      .. "orrery: stdin:11: the input ends in the middle of this\n", r.messages)
    assert.equal(1, r.status)
    r = run(("echo '23 x' | %s -i"):format(program))
    assert.equal("orrery: stdin:1: unexpected symbol near 'x'\n  23 x\n     ^\n", r.messages)
    r = run(("echo 'x = \"no end' | %s -i"):format(program))
    assert.equal("orrery: stdin:1: unfinished string near <eof>\n", r.messages)
    assert.equal(0, run(("echo 1 | %s -i"):format(program)).status)
    assert.equal("3\n", run(("echo 'print(3)' | %s"):format(program)).output)
  end)

  it("is stopped by the first Ctrl-C also in coroutines #long", function()
    local path = os.tmpname() .. ".lua"
    for _, code in ipairs {
      "coroutine.wrap(spin)()",
      "local co = coroutine.create(spin) while true do coroutine.resume(co) end",
      "local function f(n) if n == 0 then spin() end coroutine.wrap(f)(n - 1) end f(20)",
      "coroutine.wrap(function() while true do pcall(spin) end end)()",
      "local next = coroutine.wrap(function() while true do coroutine.yield() end end) "
        .. "print 'spins' io.stdout:flush() while true do pcall(next) end",
      "local co = coroutine.create(function() local _ <close> = setmetatable({}, "
        .. "{ __close = spin }) coroutine.yield() end) coroutine.resume(co) coroutine.close(co)",
    } do
      write(path, "local function spin() print 'spins' io.stdout:flush() while true do end end\n"
        .. code)
      os.remove(path .. ".out")
      local r = run(("sh -c '%s %s >%s.out & p=$!; until grep -qs spins %s.out; do sleep 0.02; "
        .. "done; kill -INT $p; (sleep 60; kill -KILL $p) >/dev/null 2>&1 & w=$!; wait $p; s=$?; "
        .. "kill $w; exit $s'"):format(program, path, path, path))
      assert.equal(130, r.status, code)
      assert.equal("orrery: interrupted\n", r.messages:match "orrery:.*", code)
    end
    os.remove(path)
    os.remove(path .. ".out")
  end)

  it("names the same places in errors of coroutines as Lua", function()
    local code = "f = coroutine.wrap(function(a) error('x' .. coroutine.yield(a)) end)"
    local r = run(("%s -e \"%s\" -e 'f(1)' -e 'f(5)'"):format(program, code))
    assert.equal("1\n", r.output)
    assert.equal("orrery: (command line):1: (command line):1: x5\n", r.messages)
    for name, expected in pairs { resume = "thread", close = "thread", wrap = "function" } do
      r = run(("%s -e 'coroutine.%s(5)'"):format(program, name))
      assert.is_truthy(r.messages:find(("bad argument #1 to '%s' (%s expected"):format(name,
        expected), 1, true), r.messages)
    end
  end)

  it("shows what the README has of the prompt", function()
    local text = support.read "README.md":match "\n```console\n(> .-\n)```"
    local typed = {}
    local shown = text:gsub("> ([^\n]*\n)", function(line)
      typed[#typed + 1] = line
      return ""
    end)
    local path = os.tmpname()
    write(path, table.concat(typed))
    local r = run(("env -u COLUMNS %s -i <%s"):format(program, path))
    os.remove(path)
    assert.is_true(#typed >= 5)
    assert.equal(shown, r.output)
    assert.equal("", r.messages)
  end)
end)
