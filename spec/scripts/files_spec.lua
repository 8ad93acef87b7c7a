-- Files that cannot be written, pipes that close, names that mean something else: clear messages,
-- the right status, and nothing half-written.
local program = require "spec.support.program"
local rounds = require "spec.support.rounds"

local LOG = "id,submit,procs,time\na,0,2,10\nb,0,1,4\nc,0,3,5\n"
local REPLAY = "replay log.csv --procs 4 --runs 300 --q 0.1 "

local folder

local function fill()
  folder = program.folder()
  program.write(folder, "log.csv", LOG)
end

local function clear() program.remove(folder) end

-- The command in a shell in the folder, with "orrery" for the program; status and standard error.
local function shell(line)
  local err = os.tmpname()
  local quoted = ("'%s'"):format(program.path)
  local _, _, status = os.execute(("cd '%s' && env -u LD_PRELOAD bash -c '%s' 2>%s </dev/null")
    :format(folder, (line:gsub("orrery", function() return quoted:gsub("'", "\"") end)), err))
  local text = program.read(err)
  os.remove(err)
  return status, text
end

local function fails(line, message, expected)
  assert.same({ expected or 1, "orrery: " .. message .. "\n" }, { shell(line) })
end

describe("a full disk", function()
  before_each(fill)
  after_each(clear)

  it("is an error wherever standard output goes there #long", function()
    for _, command in ipairs { "replay log.csv --procs 4", "policies", "help", "--version",
      "compare log.csv --procs 4 --policy easy --policy fcfs" } do
      fails("orrery " .. command .. " >/dev/full", "cannot write everything to standard "
        .. "output: No space left on device")
    end
    local status, err = shell "orrery generate lublin --days 20 >/dev/full"
    assert.same({ 1, "orrery generate: No space left on device\n" }, { status, err })
  end)

  it("is an error for a file", function()
    for _, option in ipairs { "csv", "json", "table" } do
      fails("orrery " .. REPLAY .. "--" .. option .. " /dev/full >/dev/null",
        "cannot write /dev/full: No space left on device")
    end
    assert.equal("log.csv", program.listing(folder))
  end)

  it("leaves what was there, and no part of what should be", function()
    for _, case in ipairs { { REPLAY .. "--csv o.csv", "o.csv" },
      { "redistribute --n 10 --procs 100 --runs 100 --csv o.csv", "o.csv" },
    } do
      program.write(folder, case[2], "as it was\n")
      local status, err = shell(("ulimit -f 1; orrery %s >/dev/null"):format(case[1]))
      assert.equal(1, status)
      assert.equal("orrery: cannot write o.csv: File too large\n", err)
      assert.equal("log.csv " .. case[2], program.listing(folder))
      assert.equal("as it was\n", program.read(folder .. "/" .. case[2]))
      os.remove(folder .. "/" .. case[2])
    end
    local status, err = shell "ulimit -f 1; orrery generate lublin --days 20 -o o.swf"
    assert.same({ 1, "orrery generate: cannot write o.swf: File too large\n" }, { status, err })
    assert.equal("log.csv", program.listing(folder))
  end)
end)

describe("a folder that takes no file", function()
  before_each(fill)
  after_each(clear)

  it("is noticed before anything runs", function()
    local status, err = shell("orrery " .. REPLAY .. "--csv /proc/o.csv")
    assert.equal(1, status)
    assert.matches("^orrery: cannot write /proc/o%.csv: ", err)
    fails("mkdir o; orrery " .. REPLAY .. "--csv o", "--csv: 'o' is a folder, not a file",
      2)
    fails("orrery " .. REPLAY .. "--csv nosuch/o.csv",
      "--csv nosuch/o.csv: there is no folder nosuch", 2)
  end)
end)

describe("a symbolic link", function()
  before_each(fill)
  after_each(clear)

  local OF_OTHERS = "it leads over a link in a folder in which others can write; name the file "
    .. "itself"
  local VICTIM = "as it was\n"

  -- A folder with that mode, and a link there to a file beside it.
  local function plant(mode, name)
    os.execute(("cd '%s' && mkdir -p shared own && ln -sf ../victim shared/%s && ln -sf ../kept "
      .. "own/%s && chmod %s shared"):format(folder, name, name, mode))
    program.write(folder, "victim", VICTIM)
    program.write(folder, "kept", VICTIM)
  end

  it("in a folder in which others can write is refused, and followed in one's own #long", function()
    for i, mode in ipairs { "1777", "0777", "0775", "0757" } do
      local name = "csv" .. i
      plant(mode, name)
      fails(("orrery %s --csv shared/%s >/dev/null"):format(REPLAY, name),
        ("cannot write shared/%s: %s"):format(name, OF_OTHERS))
      assert.equal(VICTIM, program.read(folder .. "/victim"))
      assert.same({ 0, "" }, { shell(("orrery %s --csv own/%s >/dev/null"):format(REPLAY, name)) })
      assert.matches("^policy,", program.read(folder .. "/kept"))
    end
  end)

  it("is refused for every file that is written #long", function()
    for line, option in pairs {
      [REPLAY .. "--csv"] = "csv", [REPLAY .. "--json"] = "json", [REPLAY .. "--table"] = "csv",
      [REPLAY .. "--plot"] = "svg",
      ["replay log.csv --procs 4 --users"] = "csv",
      ["replay log.csv --procs 4 --schedule"] = "csv", ["replay log.csv --procs 4 --gantt"] = "svg",
      ["replay log.csv --procs 4 --timeline"] = "csv", ["replay log.csv --procs 4 --trace"] = "csv",
      ["compare log.csv --procs 4 --policy easy --policy fcfs --report"] = "html",
      ["redistribute --n 5 --procs 20 --runs 2 --ends"] = "csv",
      ["generate lublin --days 1 -o"] = "csv", ["generate synthetic --count 9 -o"] = "csv",
      ["log log.csv --json"] = "json", ["policies --json"] = "json",
    } do
      plant("1777", "x." .. option)
      local status, err = shell(("orrery %s shared/x.%s >/dev/null"):format(line, option))
      assert.same({ 1, true }, { status, err:find(OF_OTHERS, 1, true) ~= nil }, line .. err)
      assert.equal(VICTIM, program.read(folder .. "/victim"), line)
      assert.equal("x." .. option, program.listing(folder .. "/shared"), line)
      os.remove(folder .. "/shared/x." .. option)
    end
    plant("0777", ".orrery-can-write")
    local status, err = shell "orrery reproduce rr9296 --quick --out shared/o"
    assert.same({ 1, true }, { status, err:find("others can write", 1, true) ~= nil }, err)
    assert.equal(VICTIM, program.read(folder .. "/victim"))
    plant("0777", "lock")
    program.write(folder, "grid.lua", [[return { axes = { { "seed", { 1 } } },
      metrics = { "ratio" },
      fixed = { jobs = require("orrery").synthetic { count = 2 }, procs = 3000 } }]])
    status, err = shell "orrery sweep grid.lua -o shared"
    assert.same({ 1, true }, { status, err:find("others can write", 1, true) ~= nil }, err)
  end)

  it("whose way is longer than a path can be is refused", function()
    local write = require("orrery").tools.write_file
    local long = folder .. ("/."):rep((4000 - #folder) // 2)
    assert(os.execute(("ln -s '%s' '%s/l'"):format(long, folder)))
    for _, name in ipairs { ("x"):rep(200), ("x"):rep(256) } do
      local done, problem = pcall(write, folder .. "/l/" .. name, "text\n")
      assert.is_false(done)
      assert.matches("File name too long", problem, 1, true)
    end
    assert.is_false(pcall(write, folder .. ("/"):rep(4096) .. "x", "text\n"))
    assert.is_true(pcall(write, folder .. "/l/" .. ("x"):rep(40), "text\n"))
    assert.equal("text\n", program.read(folder .. "/" .. ("x"):rep(40)))
  end)

  it("under the name of a temporary file is not followed", function()
    local orrery = require "orrery"
    local path = folder .. "/out"
    program.write(folder, "victim", VICTIM)
    os.execute(("ln -s victim '%s'"):format(orrery.tools.temporary(path)))
    for _, write in ipairs { orrery.tools.write_file, orrery.tools.check_place } do
      local done, problem = pcall(write, path, "other text\n")
      assert.same({ false, true }, { done, problem:find("File exists", 1, true) ~= nil }, problem)
      assert.equal(VICTIM, program.read(folder .. "/victim"))
      assert.is_false(program.exists(path))
    end
  end)

  it("that changes meanwhile leads nowhere", function()
    plant("1777", "x")
    local path, orrery = folder .. "/shared/x", require "orrery"
    local swaps = assert(io.popen(("cd '%s/shared' && while [ -e ../victim ]; do ln -sfn ../victim "
      .. "x; rm -f x; done"):format(folder), "w"))
    local written, refused, least = 0, 0, rounds(3000, 3000, 1)
    for i = 1, 1e6 do
      if i > least and written >= 20 and refused >= 20 then break end
      local done, problem = pcall(orrery.tools.write_file, path, "other text\n")
      if not done then assert.is_truthy(problem:find(OF_OTHERS, 1, true), problem) end
      if done then written = written + 1 else refused = refused + 1 end
      assert.equal(VICTIM, program.read(folder .. "/victim"))
    end
    os.remove(folder .. "/victim")
    swaps:close()
    assert.is_true(written >= 20 and refused >= 20, written .. " " .. refused)
  end)
end)

describe("a pipe that closes", function()
  before_each(fill)
  after_each(clear)

  it("ends the program quietly, with the status that others have then", function()
    local status, err = shell("set -o pipefail; orrery generate lublin --days 200 | head -n 1 "
      .. ">/dev/null")
    assert.same({ 141, "" }, { status, err }) -- 128 + SIGPIPE, as of cat
    status, err = shell("set -o pipefail; orrery replay log.csv --procs 4 --runs 5000 --csv "
      .. "/dev/stdout | head -n 1 >/dev/null")
    assert.same({ 141, "" }, { status, err })
  end)
end)

describe("a name", function()
  before_each(fill)
  after_each(clear)

  it("- is standard output, and no file to read", function()
    for arguments, message in pairs {
      ["replay log.csv --procs 4 --csv - --json -"] = "--json and --csv name the same file, "
        .. "standard output",
      ["replay log.csv --procs 4 --csv - --json /dev/stdout"] = "--json and --csv name the same "
        .. "file, standard output",
      ["replay log.csv --procs 4 --plot -"] = "--plot: the name must end in .png or .svg, not '-'",
      ["replay - --procs 4"] = "LOG: '-' would be a file of that name; give /dev/stdin",
      ["pack --procs 4 --tasks -"] = "--tasks: '-' would be a file of that name; give /dev/stdin",
    } do
      assert.same({ 2, "", "orrery: " .. message .. "\n" }, { program.run(folder, arguments) })
    end
    assert.equal("log.csv", program.listing(folder))
  end)

  it("says in which format a generated log is written", function()
    local function first_line(arguments, file)
      assert.equal(0, (program.run(folder, "generate " .. arguments)))
      return program.read(folder .. "/" .. file):match "^[^\n]*"
    end
    assert.matches("^id,submit,procs,runtime", first_line("lublin --days 2 -o a.csv", "a.csv"))
    assert.equal("; Version: 2.2", first_line("lublin --days 2 -o a.swf", "a.swf"))
    assert.equal("; Version: 2.2", first_line("synthetic --count 9 -o b.swf", "b.swf"))
    assert.equal("; Version: 2.2", first_line("lublin --days 2 --format swf -o c.csv", "c.csv"))
    assert.matches("QUEUED_TIMESTAMP", first_line("mira -o d.csv", "d.csv"))
    local status, out = program.run(folder, "generate lublin --days 2 -o -")
    assert.equal(0, status)
    assert.equal(program.read(folder .. "/a.swf"), out)
  end)
end)

describe("a log", function()
  before_each(fill)
  after_each(clear)

  local function notes(text, arguments)
    program.write(folder, "odd.csv", text)
    local status, out, err = program.run(folder, "replay odd.csv --procs 4 " .. (arguments or ""))
    assert.same({ 0, "" }, { status, err })
    local list = {}
    for note in out:gmatch "note: ([^\n]*)" do list[#list + 1] = note end
    return list
  end

  it("with ids that repeat, or columns that nobody reads, has notes", function()
    assert.same({}, notes(LOG))
    local odd = "id,submit,procs,time,wall_time,colour\na,0,2,10,1,red\nb,0,1,4,1,red\n"
      .. "a,5,1,4,1,red\nb,5,1,4,1,red\n"
    local expected = {
      "2 jobs of the log have the id of another one, the first a: each record is a job of its own",
      "columns of the log that are not read: wall_time (did you mean walltime?), colour",
    }
    assert.same(expected, notes(odd))
    assert.same(expected, notes(odd, "--to 3")) -- a selection is of that log
    assert.same({ "1 job of the log has the id of another one, the first a: each record is a job "
      .. "of its own" }, notes "id,procs,time\na,1,5\na,1,5\n")
  end)
end)

describe("a stream that cannot be made of an open file #long", function()
  before_each(fill)
  after_each(clear)

  -- The n-th fdopen fails: of the check before the run, and of the file itself.
  it("is an error, and no empty file", function()
    if os.getenv "LD_PRELOAD" then return pending "not with a sanitizer" end
    local library = package.searchpath("native_refused", package.cpath)
    local function run(n, arguments)
      return program.run(folder, arguments, ("LD_PRELOAD='%s' REFUSED=%d"):format(library, n))
    end
    for n = 1, 2 do
      local status, _, err = run(n, REPLAY .. "--csv o.csv")
      assert.same({ 1, "orrery: cannot write o.csv: Cannot allocate memory\n" }, { status, err })
      assert.equal("log.csv", program.listing(folder))
    end
    local status, _, err = run(1, REPLAY .. "--quiet --csv -")
    assert.same({ 1, "orrery: cannot write /dev/stdout: Cannot allocate memory\n" },
      { status, err })
    -- what gnuplot is given
    for n = 3, 4 do
      status, _, err = run(n, REPLAY .. "--plot o.svg")
      assert.same({ 1, true }, { status, err:find("Cannot allocate memory", 1, true) ~= nil }, err)
      assert.equal("log.csv", program.listing(folder))
    end
    assert.equal(0, (run(99, REPLAY .. "--csv o.csv")))
  end)
end)
