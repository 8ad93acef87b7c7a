-- What stands behind the sandbox of policies: a policy that has found a hole (native_hole.c is one)
-- is in a process that may ask the system for next to nothing.
local lfs = require "lfs"
require "orrery"
local program = require "spec.support.program"

local hole = require "native_hole"
local LIBRARY = assert(package.searchpath("native_hole", package.cpath))

-- Attacks that a filter of system calls sees, by name; the others have an outcome of their own.
local NUMBER, FILTERED = {}, {}
for i, name in ipairs(hole.attacks) do
  NUMBER[name] = i - 1
  if not (" read_secret eat_memory grow_output send_unknown send_much hang_up ask_pictures ")
    :find(" " .. name .. " ", 1, true) then
    FILTERED[#FILTERED + 1] = name
  end
end

-- A sanitizer's runtime wants to be loaded before all else, and asks the system for more than a
-- filter allows: there these are not tried.
local is_sanitized = os.getenv "ASAN_OPTIONS" or os.getenv "TSAN_OPTIONS"
local it_plain = is_sanitized and function() end or it

describe("a policy that is out of its sandbox", function()
  local folder

  before_each(function()
    folder = program.folder()
    program.write(folder, "log.csv", "id,procs,time\n1,2,10\n2,4,20\n")
    program.write(folder, "secret", "the secret")
  end)
  after_each(function() program.remove(folder) end)

  local function attack(name, command, before)
    program.write(folder, "bad.lua", ([[
      return { dispatch = function(sim)
        math.sin(%d)
        for job in sim:fitting() do sim:start(job) end
      end }]]):format(1e6 + NUMBER[name]))
    return program.run(folder, command, ("ORRERY_SPEC_HOLE=1 LD_PRELOAD='%s' timeout 60"):format(
      LIBRARY), before)
  end

  local REPLAY = "replay log.csv --procs 4 --policy bad.lua "
  local listing = "bad.lua log.csv secret"

  it_plain("has a hole to get out by, without --untrusted", function()
    local status = attack("make_file", REPLAY)
    assert.equal(0, status)
    assert.equal("bad.lua escaped log.csv secret", program.listing(folder))
  end)

  it_plain("can do none of these, is named, and leaves no results", function()
    for _, name in ipairs(FILTERED) do
      local before = program.read(folder .. "/log.csv")
      local status, _, err = attack(name, REPLAY .. "--untrusted --csv out.csv")
      assert.equal(1, status, name .. err)
      assert.is_truthy(err:find("orrery: the untrusted run ended: it made a system call that is "
        .. "not allowed there\n", 1, true), name .. ": " .. err)
      if name ~= "go_on" then
        assert.matches("^orrery: the system call [%w_]+ is not allowed in an untrusted run\n", err)
      end
      assert.equal(listing, program.listing(folder), name)
      assert.equal(before, program.read(folder .. "/log.csv"))
    end
  end)

  it_plain("can do nothing in the other commands either, nor on other threads #long", function()
    program.write(folder, "grid.lua", [[return { axes = { { "q", { 0, 0.1 } } }, fixed = {
      procs = 4, policy = "./bad.lua" }, cell = function()
        return { jobs = require("orrery").read "log.csv" } end }]])
    for command, code in pairs {
      ["compare log.csv --procs 4 --policy bad.lua --policy easy --runs 8 --q 0.1 --threads 2"] = 1,
      ["sweep grid.lua -o out"] = 1, ["sweep grid.lua -o out --threads 2"] = 1,
    } do
      local status, _, err = attack("make_file", command .. " --untrusted")
      assert.equal(code, status, err)
      assert.matches("the system call openat is not allowed", err, 1, true)
      assert.is_false(program.exists(folder .. "/escaped"))
    end
    local status, _, err = attack("run_program", "check bad.lua --runs 2")
    assert.equal(1, status)
    assert.matches("the system call execve is not allowed", err, 1, true)
  end)

  it_plain("can do nothing as a policy for tasks or packs", function()
    for kind, command in pairs {
      ["on_end = function() math.sin(%d) end"] = "redistribute --n 4 --procs 40 --policy bad.lua",
      ["pack = function(problem) math.sin(%d) return problem:one_by_one() end"] =
        "pack --tasks tasks.csv --procs 4 --policy bad.lua",
    } do
      program.write(folder, "tasks.csv", "id,1,2\na,10,6\nb,8,5\n")
      program.write(folder, "bad.lua", "return { " .. kind:format(1e6 + NUMBER.make_file) .. " }")
      local status, _, err = program.run(folder, command .. " --untrusted",
        ("ORRERY_SPEC_HOLE=1 LD_PRELOAD='%s'"):format(LIBRARY))
      assert.equal(1, status, err)
      assert.matches("the system call openat is not allowed", err, 1, true)
      assert.is_false(program.exists(folder .. "/escaped"))
    end
  end)

  it_plain("reads nothing that the command does not name, where the kernel has Landlock", function()
    local _, out = attack("read_secret", REPLAY)
    assert.matches("read: the secret", out, 1, true)
    local status
    status, out = attack("read_secret", REPLAY .. "--untrusted")
    assert.equal(0, status)
    local landlock = require("orrery.core").landlock() > 0
    assert.equal(not landlock, out:find("the secret", 1, true) ~= nil)
  end)

  it_plain("has no more memory, and prints no more, than its limits", function()
    local status = attack("eat_memory", REPLAY .. "--untrusted --untrusted-memory 1")
    assert.equal(0, status) -- malloc says no
    local _, _, err = attack("grow_output", REPLAY .. "--untrusted | head -c 100000 | wc -c")
    assert.equal("", err)
  end)

  it_plain("has no more time than its limit #long", function()
    program.write(folder, "bad.lua", "return { dispatch = function() while true do end end }")
    local status, _, err = program.run(folder, REPLAY
      .. "--limit-seconds 100 --untrusted --untrusted-hours 0.0001")
    assert.equal(1, status)
    assert.equal("orrery: the untrusted run ended: it took more processor time than "
      .. "--untrusted-hours allows\n", err)
  end)

  it_plain("is ended with a message, whatever it sends and prints to its parent #long", function()
    for name, why in pairs { send_unknown = "it sent a message that nobody knows",
      send_much = "it sent more than 2048 MiB", hang_up = "it was killed",
      ask_pictures = "it asked for a drawing that no option asks for" } do
      local status, _, err = attack(name, REPLAY .. "--untrusted --csv out.csv")
      assert.same({ 1, "orrery: the untrusted run ended: " .. why .. "\n" }, { status, err })
      assert.equal(listing, program.listing(folder))
    end
    attack("grow_output", REPLAY .. "--untrusted", "sh -c '\"$0\" \"$@\" 2>said | cat >/dev/null'")
    assert.equal("orrery: the untrusted run ended: it printed more than 1024 MiB\n",
      program.read(folder .. "/said"))
    local status, _, err = attack("ask_pictures", REPLAY .. "--untrusted --plot p.svg")
    assert.equal(1, status)
    assert.matches("^drawn\n.*orrery: the untrusted run ended: it asked for a drawing that no "
      .. "option asks for\n$", err)
  end)
end)

describe("--untrusted", function()
  local folder
  before_each(function() folder = program.folder() end)
  after_each(function() program.remove(folder) end)

  -- The same command with it and without.
  local function both(command, files)
    local results = {}
    for i, option in ipairs { "", " --untrusted" } do
      local status, out, err = program.run(folder, command .. option)
      results[i] = { status, (out:gsub("[%d.]+\nno co", "TIME\nno co")), err }
      for _, name in ipairs(files) do
        local text = program.read(folder .. "/" .. name)
        results[i][name] = text:gsub("<pre>orrery [^<]*</pre>", "")
        os.remove(folder .. "/" .. name)
      end
    end
    assert.same(results[1], results[2])
    assert.equal(0, results[1][1], results[1][3])
  end

  it("changes nothing of what comes out #long", function()
    both("replay --day 2019-06-14 --policy easy --priority lpt --q 0.1 --runs 4 --csv a.csv "
      .. "--json a.json --table t.csv --plot p.svg --report r.html",
      { "a.csv", "a.json", "t.csv", "p.svg", "r.html" })
    both("replay --day 2019-06-14 --schedule s.swf --timeline t.svg --gantt g.png --users u.csv",
      { "s.swf", "t.svg", "g.png", "u.csv" })
    both("redistribute --n 8 --procs 50 --policy end-local --runs 1 --csv c.csv --gantt g.svg",
      { "c.csv", "g.svg" })
    program.write(folder, "tasks.csv", "id,1,2\na,10,6\nb,8,5\n")
    both("pack --tasks tasks.csv --procs 4 --lp p.lp --schedule s.csv", { "p.lp", "s.csv" })
  end)

  it("has the same errors and exit status, and reads a pipe", function()
    program.write(folder, "wrong.csv", "id,procs,time\n1,x,10\n")
    for command, code in pairs { ["replay wrong.csv"] = 2, ["replay --policy nonsense"] = 2,
      ["compare --policy easy"] = 2 } do
      local one = { program.run(folder, command) }
      assert.same(one, { program.run(folder, command .. " --untrusted") })
      assert.equal(code, one[1])
    end
    local status, out = program.run(folder, "replay /dev/stdin --procs 4 --untrusted",
      "sh -c 'printf \"id,procs,time\\n1,2,10\\n\" | \"$0\" \"$@\"'")
    assert.equal(0, status)
    assert.matches("^1 job on 4 processors", out)
  end)

  it_plain("is refused where no filter can be set, and check goes on and says so #long", function()
    program.write(folder, "good.lua", "return { dispatch = 'easy' }")
    program.write(folder, "run.lua",
      "require('native_hole').run_without_filters(table.unpack(arg))")
    local without = ("env LUA_CPATH_5_4='%s' lua5.4 run.lua"):format(package.cpath)
    local status, out, err = program.run(folder, "replay --policy good.lua --csv a.csv --untrusted",
      without)
    assert.equal(1, status)
    assert.equal("", out)
    assert.matches("^orrery: %-%-untrusted: no filter of system calls can be set %(seccomp%): "
      .. "[%u%l ]+; nothing was run", err)
    assert.is_false(program.exists(folder .. "/a.csv"))
    status, out, err = program.run(folder, "check good.lua --runs 2", without)
    assert.equal("0 ", status .. " " .. err)
    assert.matches("^note: no filter of system calls can be set %(seccomp%): [%u%l ]+; "
      .. "the policy runs behind its sandbox alone\n", out)
    assert.equal(1, (program.run(folder, "check good.lua --runs 2 --untrusted", without)))
  end)

  it("goes before the options that say how far it goes", function()
    local status, _, err = program.run(folder, "replay --untrusted-hours 2")
    assert.equal(2, status)
    assert.equal("orrery: --untrusted-hours says how far --untrusted goes; give --untrusted, too\n",
      err)
  end)

  it_plain("says what does not hold without Landlock, and draws nothing then", function()
    program.write(folder, "good.lua", "return { dispatch = 'easy' }")
    program.write(folder, "run.lua",
      "require('native_hole').run_without_landlock(table.unpack(arg))")
    local without = ("env LUA_CPATH_5_4='%s' lua5.4 run.lua"):format(package.cpath)
    local replay = "replay --day 2019-06-14 --policy good.lua --untrusted "
    local status, _, err = program.run(folder, replay, without)
    assert.same({ 0, "note: this kernel has no Landlock: the run can read all that you can read"
      .. "\n" }, { status, err })
    status, _, err = program.run(folder, replay .. "--plot p.svg", without)
    assert.same({ 1, "orrery: --untrusted: pictures need Landlock, which this kernel has not\n" },
      { status, err })
  end)

  it_plain("shows a terminal to the run, and prints through its parent", function()
    assert(os.execute(("cd '%s' && script -qec \"'%s' compare --day 2019-06-14 --policy easy "
      .. "--policy greedy --runs 400 --q 0.1 --untrusted\" /dev/null >said"):format(folder,
      program.path)))
    assert.matches("\r\27%[K800/800", program.read(folder .. "/said"))
    for to, why in pairs { [">&-"] = "Bad file descriptor",
      [">/dev/full"] = "No space left on device" } do
      local status, _, err = program.run(folder, "replay --day 2019-06-14 --untrusted", nil,
        ("sh -c '\"$0\" \"$@\" %s'"):format(to))
      assert.same({ 1, "orrery: cannot write everything to standard output: " .. why .. "\n" },
        { status, err })
    end
  end)

  it_plain("draws in a process that runs nothing, and reads fonts #long", function()
    local confined = require "orrery.support.confined"
    local function draw(text, seconds, memory)
      return confined.run_drawing({ "gnuplot", "-" }, text .. "\n", seconds or 10,
        memory or 1 << 30)
    end
    lfs.mkdir(folder .. "/out")
    for _, line in ipairs { "system 'echo >%s/out/a'", "print system('echo >%s/out/a')",
      "set output '%s/out/a'; plot x", "set print '|cat >%s/out/a'; print 1",
      "save '%s/out/a'" } do
      draw(line:format(folder))
      assert.equal("", program.listing(folder .. "/out"), line)
    end
    local _, text = draw("set terminal dumb\nset datafile separator ':'\n"
      .. "plot [-9:9] [-9:9] '/etc/passwd' using 3:4:6 with labels")
    assert.is_nil(text:find("/bin", 1, true))
    _, text = confined.run_drawing({ "env", "id" }, "", 10, 1 << 30)
    assert.equal("", text)
    local done, bytes, _, seconds = draw "set terminal svg\nplot x"
    assert.is_true(done)
    assert.matches("</svg>%s*$", bytes)
    assert.equal(1, seconds)
    assert.is_false((draw("set terminal svg\nplot x", 10, 1 << 23)))
  end)

  it_plain("ends a drawing that takes the processor for ever #long", function()
    local done, _, _, seconds = require "orrery.support.confined".run_drawing({ "gnuplot", "-" },
      "i = 1\nwhile (i > 0) { i = i + 1 }\n", 1, 1 << 30)
    assert.is_false(done)
    assert.is_true(seconds <= 3)
  end)

  it_plain("ends a drawing that only waits, by the clock #long", function()
    local began = os.time()
    local done, _, _, seconds = require "orrery.support.confined".run_drawing({ "gnuplot", "-" },
      "pause 600\n", 1, 1 << 30)
    assert.same({ false, 1 }, { done, seconds })
    local took = os.time() - began
    assert.is_true(took >= 9 and took < 500, took) -- 10 s, or what a busy machine makes of them
  end)
end)
