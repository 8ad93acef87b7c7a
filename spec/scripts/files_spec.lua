-- Files that cannot be written, pipes that close, names that mean something else: clear messages,
-- the right status, and nothing half-written.
local program = require "spec.support.program"

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

  it("is an error wherever standard output goes there", function()
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
      assert.matches("^orrery: cannot write .*/o%.csv: File too large\n$", err)
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
