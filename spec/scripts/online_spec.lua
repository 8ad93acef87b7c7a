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
    good "replay log.csv --check --procs 4 --policy easy --node-mtbf 2m --lemons 0.5:4 \z
      --domains 2:10m --repair weibull:20,2 --domain-repair 1m --retire-after 2 --spares 9 \z
      --swap 5 --runs 3"
  end)

  it("take outages from a file, and say which rows they leave out", function()
    program.write(folder, "outages.csv", "node,from,to\nn1,3,5\nn2,-5,-1\n")
    local out = good "replay log.csv --procs 4 --policy easy --outages outages.csv --node-procs 2 \z
      --node-names n[1-2] --check"
    assert.is_truthy(out:find("note: 1 row of outages.csv left out: no nodes, in service, or over "
      .. "by the beginning of the log\n", 1, true), out)
    good "replay log.csv --procs 4 --policy easy --outages outages.csv --node-procs 2 \z
      --node-names n[1-2] --schedule out.csv"
    local schedule = program.read(folder .. "/out.csv")
    assert.is_truthy(schedule:find("\na#1,", 1, true), schedule)
    local status, _, err = program.run(folder,
      "replay log.csv --procs 4 --policy easy --outages outages.csv")
    assert.equal(2, status)
    assert.is_truthy(err:find('outages.csv:2: column 1 (node): expected nodes from 0 to 3, or '
      .. 'names of nodes together with node_names, found "n1"', 1, true), err)
  end)

  it("say what is wrong with these options #long", function()
    misused("--outages and --node-mtbf exclude each other", "--node-mtbf 5 --outages nodes.csv")
    misused("exclude each other", "--node-failures nodes.csv --outages nodes.csv")
    misused("--outages and --node-repair exclude each other: the file says when outages end",
      "--outages nodes.csv --repair 5")
    misused("--lemons: expected a share and a factor, as '0.02:10', found '5'",
      "--node-mtbf 5 --lemons 5")
    misused("--domains: expected nodes and an mtbf, as '32:10y', found '5'", "--domains 5")
    misused("--lemons wants --node-mtbf as well", "--lemons 0.1:5")
    misused("--spares wants --retire-after as well", "--node-mtbf 5 --spares 5")
    misused("--domain-repair wants --domains as well", "--node-mtbf 5 --domain-repair 5")
    misused("--outages and --lemons exclude each other", "--outages x --lemons 0.1:5")
    misused("--node-names is for outages from a file", "--node-mtbf 5 --node-names n[1-4]")
    misused("--node-repair is for nodes that fail: give --node-mtbf, --node-failures or --outages",
      "--repair 5")
    misused("--repair: expected seconds, a text as '4h', or a law as 'exponential:4h', \z
      'lognormal:4h,1.2' or 'weibull:4h,0.7', found 'lognormal:4h'",
      "--node-mtbf 5 --repair lognormal:4h")
    misused("--repair: expected more than 0 s, found 0", "--node-mtbf 5 --repair exponential:0")
    misused("--node-mtbf: expected more than 0 s", "--node-mtbf 0")
    misused("exclude each other", "--node-mtbf 5 --node-failures nodes.csv")
    misused("--node-procs", "--node-mtbf 5 --node-procs 0")
  end)
end)
