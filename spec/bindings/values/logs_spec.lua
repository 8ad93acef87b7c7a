-- Logs that have a name: orrery.read and the commands find them without a path.
local orrery = require "orrery"
local program = require "spec.support.program"

describe("a log's name", function()
  local folder

  before_each(function() folder = program.folder() end)
  after_each(function() program.remove(folder) end)

  -- A log that is recognised by its number of jobs.
  local function write(path, jobs)
    assert(os.execute(("mkdir -p '%s/%s'"):format(folder, path:match "^(.*)/" or ".")))
    program.write(folder, path, "id,procs,time\n" .. ("a,1,1\n"):rep(jobs))
  end

  -- How many jobs the log has that is given by this name.
  local function count(name, environment)
    program.write(folder, "count.lua", ("print(#orrery.read '%s')"):format(name))
    local status, out, err = program.run(folder, "count.lua", environment)
    return status == 0 and tonumber(out) or err
  end

  it("is that of the bundled month", function()
    assert.equal(4699, count "sample-2019-06")
    assert.equal(#orrery.read(orrery.home .. "/data/mira/sample-2019-06.csv"),
      #orrery.read "sample-2019-06")
  end)

  it("is looked for in the user's data folder, then beside policies and scripts", function()
    local all = "XDG_DATA_HOME=data ORRERY_PATH=one:two"
    write("two/data/mira/mine.csv", 2)
    assert.equal(2, count("mine", all))
    write("one/data/mira/mine.csv", 1)
    assert.equal(1, count("mine", all))
    write("data/orrery/mira/mine.csv", 3)
    assert.equal(3, count("mine", all))
    assert.equal(2, count("mine", "ORRERY_PATH=two"))
    write("home/.local/share/orrery/mira/mine.csv", 4)
    assert.equal(4, count("mine", "XDG_DATA_HOME= HOME=home"))
    write("data/orrery/mira/mine.csv.gz", 5)
    assert.equal(5, count("mine", all))
    write("mine", 6)
    assert.equal(6, count("mine", all))
    assert.equal(6, count("./mine", all))
  end)

  it("does not stand in for a path", function()
    write("data/orrery/mira/mine.csv", 3)
    for _, path in ipairs { "mine.csv", "./mine", "", "mi ne", "sample-2019-06.csv" } do
      assert.equal(("orrery: %s: No such file or directory\n"):format(path),
        count(path, "XDG_DATA_HOME=data"))
    end
  end)

  it("may be that of a pipe, which is opened by who reads it alone", function()
    assert(os.execute(("mkfifo '%s/pipe'"):format(folder)))
    assert.same({ 0, "pipe\n", "" }, { program.run(folder, -- nobody writes: to open it is to wait
      [[-e 'print(require("orrery.values.logs").find "pipe")']], "timeout 120") })
    assert(os.execute(("printf 'id,procs,time\\na,1,1\\n' >'%s/pipe' &"):format(folder)))
    assert.equal(1, count "pipe")
  end)

  it("says how a year of Mira comes here", function()
    assert.equal("orrery: mira-2018: there is no file of this name, and no log: "
      .. "`orrery fetch-mira 2018` fetches it\n", count "mira-2018")
    assert.equal("orrery: mira-18: No such file or directory\n", count "mira-18")
  end)

  it("is text", function()
    assert.has_error(function() orrery.read() end,
      "read: expected the path or the name of a log, found nil")
    assert.has_error(function() orrery.read(12) end,
      "read: expected the path or the name of a log, found number")
  end)
end)
