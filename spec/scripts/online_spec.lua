-- The options of replay and compare for groups of processors and nodes that fail.
local program = require "spec.support.program"

describe("orrery compare and replay", function()
  local folder

  setup(function()
    folder = program.folder()
    program.write(folder, "log.csv", "id,submit,procs,time\na,0,2,10\nb,0,2,20\nc,1,2,5\nd,2,2,5\n")
    program.write(folder, "nodes.csv", "time,processor\n3,1\n")
  end)
  teardown(function() program.remove(folder) end)

  local function good(arguments)
    local status, out, err = program.run(folder, arguments)
    assert.same({ 0, "" }, { status, err })
    return out
  end

  local function misused(message, arguments)
    local status, out, err = program.run(folder, "compare log.csv --procs 4 " .. arguments)
    assert.same({ 2, "" }, { status, out })
    assert.is_truthy(err:find(message, 1, true), err)
  end

  it("give everybody the same processors, or not", function()
    local arguments = "compare log.csv --procs 4 --policy easy --policy redirect/threshold "
      .. "--set redirection_procs=2 --set theta=1"
    local has = "note: policy redirect/threshold has 2 processors on top of the machine's 4\n"
    local gets = "note: policy easy gets 2 more processors, as redirect/threshold has them\n"
    local out = good(arguments)
    assert.is_truthy(out:find(has, 1, true) and out:find(gets, 1, true), out)
    out = good(arguments .. " --own-procs")
    assert.is_truthy(out:find(has, 1, true) and not out:find(gets, 1, true), out)
  end)

  it("let nodes fail, by the clock or from a file", function()
    -- a is on processors 0 and 1; it starts anew at 5, when processor 1 works again
    good "replay log.csv --procs 4 --policy easy --node-failures nodes.csv --node-repair 2 \z
      --schedule out.csv"
    local schedule = program.read(folder .. "/out.csv")
    assert.is_truthy(schedule:find("\na#1,", 1, true), schedule)
    assert.matches("\na,w0,0,2,10,1,COMPLETED_SUCCESSFULLY,5,10,15,", schedule)
    local out = good "replay log.csv --procs 4 --policy easy --node-mtbf 1m --node-procs 2 --runs 3"
    assert.matches("3 scenarios each", out)
  end)

  it("say what is wrong with these options", function()
    misused("--node-repair is for nodes that fail: give --node-mtbf or --node-failures as well",
      "--node-repair 5")
    misused("--node-mtbf: expected more than 0 s", "--node-mtbf 0")
    misused("exclude each other", "--node-mtbf 5 --node-failures nodes.csv")
    misused("--node-procs", "--node-mtbf 5 --node-procs 0")
  end)
end)
