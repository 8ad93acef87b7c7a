-- The exit status of every command: 2 for bad input, whoever finds it out; 1 for what fails later.
local lfs = require "lfs"
local program = require "spec.support.program"
local rounds = require "spec.support.rounds"

local J, T = "log.csv --procs 4 ", "--tasks tasks.csv --procs 8 "

local SEARCH = [[
local function draws(seed)
  local sets = {}
  for i = 1, 5 do
    sets[i] = { jobs = require("orrery").synthetic { count = 9, procs = { 1, 4 }, seed = seed,
      set = i } }
  end
  return { sets = sets }
end
return { policies = { "easy" }, baselines = { "fcfs" }, training = draws(1), validation = draws(2),
  testing = draws(3), fixed = { procs = 4 }, metric = "wait_mean" }
]]

-- The command, and what is bad about it, each by itself.
local BAD = {
  ["replay "] = { "nosuch.csv --procs 4", "folder --procs 4", "wrong.csv --procs 4",
    "secret.csv --procs 4", "mira-2014", "log.csv --procs 1", J .. "--procs x", J .. "--nosuch",
    J .. "--policy nosuch", J .. "--policy dispatch/eazy", J .. "--policy nosuch.lua",
    J .. "--policy folder", J .. "--policy secret.lua", J .. "--policy syntax.lua",
    J .. "--policy number.lua", J .. "--policy lpt", J .. "--policy list:depth=1",
    J .. "--policy list:reservations=x", J .. "--policy list --set reservations=x",
    J .. "--set nosuch=1", J .. "--priority nosuch", J .. "--metric nosuch",
    J .. "--columns nosuch=1", J .. "--failures nosuch", J .. "--failures folder",
    J .. "--from 2019-01-01", J .. "--warmup 1e9", J .. "--limit-seconds 0.0001",
    J .. "--csv folder", J .. "--csv nosuch/o.csv", J .. "--trace folder",
    J .. "--untrusted --policy nosuch", "nosuch.csv --untrusted" },
  ["compare --policy easy --policy "] = { "nosuch " .. J, "list:reservations=x " .. J,
    "easy nosuch.csv", "syntax.lua " .. J, "easy --report folder " .. J },
  ["redistribute "] = { "--tasks nosuch.csv --procs 8", "--tasks wrong.csv --procs 8",
    "--tasks folder --procs 8", T .. "--policy nosuch", T .. "--policy syntax.lua",
    T .. "--policy order.lua", T .. "--faults nosuch", T .. "--set nosuch=1",
    "--tasks tasks.csv --procs 3" },
  ["pack "] = { "--tasks nosuch.csv --procs 8", "--tasks wrong.csv --procs 8",
    T .. "--policy nosuch", T .. "--policy syntax.lua", T .. "--policy order.lua",
    T .. "--set nosuch=1", T .. "--k 0" },
  ["sweep "] = { "nosuch.lua -o out", "folder -o out", "number.lua -o out", "syntax.lua -o out",
    "log.csv -o out", "-o folder" },
  ["search "] = { "nosuch.lua -o out", "folder -o out", "number.lua -o out", "syntax.lua -o out",
    "search.lua", "search.lua -o out --evaluations 0",
    "search.lua -o out --propose-seconds 3", "search.lua -o out --rounds 0",
    "search.lua -o out --json folder",
    "nosearch.lua -o out", "search.lua -o log.csv" },
  ["artifact "] = { "", "make nosuch.txt -o out", "make log.csv -o out", "make order.lua",
    "make folder -o out", "verify nosuch", "verify folder", "verify log.csv" },
  ["merge "] = { "nosuch -o out", "folder -o out" },
  ["check "] = { "nosuch", "nosuch.lua", "folder", "syntax.lua", "number.lua",
    "list --set reservations=x", "easy --set nosuch=1" },
  ["policies "] = { "nosuch", "nosuch.lua", "folder", "syntax.lua" },
  ["log "] = { "nosuch.csv", "folder", "wrong.csv", "secret.csv", "log.csv --csv nosuch/o.csv" },
  ["weeks "] = { "nosuch.csv", "folder" },
  ["generate "] = { "nosuch", "lublin --procs 0", "lublin --format nosuch", "mira -o nosuch/o",
    "mira -o folder" },
  ["new-policy "] = { "", "nosuch mine" },
  ["reproduce "] = { "nosuch", "rr9296 --out log.csv" },
  ["fetch-mira "] = { "1999", "x" },
  ["help "] = { "nosuch" }, ["examples "] = { "nosuch" }, ["conform "] = { "nosuch" },
  [""] = { "nosuch", "nosuch.lua", "folder", "-x", "-e" },
}

local FAILS = { -- later
  J .. "--policy raises.lua", J .. "--priority order-raises.lua", J .. "--policy endless.lua "
    .. "--limit-seconds 0.2", J .. "--csv /dev/full", J .. "--policy waits.lua",
}

local STEP = rounds(1, 1, 3) -- `make test` tries every third command line

describe("the exit status", function()
  local folder
  setup(function()
    folder = program.folder()
    local files = { ["log.csv"] = "id,submit,procs,time\na,0,2,10\nb,0,1,4\n",
      ["wrong.csv"] = "id,submit,procs,time\na,0,x,10\n", ["secret.csv"] = "", ["secret.lua"] = "",
      ["tasks.csv"] = "id,m\na,1e6\nb,2e6\n", ["syntax.lua"] = "x = = 1",
      ["number.lua"] = "return 5", ["order.lua"] = "return { priority = function() return 1 end }",
      ["nosearch.lua"] = "return { metric = 'nosuch' }", ["search.lua"] = SEARCH,
      ["raises.lua"] = "return { dispatch = function() error 'oh' end }",
      ["order-raises.lua"] = "return { priority = function() error 'oh' end }",
      ["endless.lua"] = "return { dispatch = function() while true do end end }",
      ["waits.lua"] = "return { dispatch = function() end }" }
    for name, text in pairs(files) do program.write(folder, name, text) end
    assert(lfs.mkdir(folder .. "/folder"))
    assert(os.execute(("chmod 000 '%s'/secret.*"):format(folder)))
  end)
  teardown(function() program.remove(folder) end)

  for command, list in pairs(BAD) do
    it(("is 2 for bad input of orrery %s"):format(command), function()
      local before = program.listing(folder)
      for i = 1, #list, STEP do
        local arguments = list[i]
        local status, out, err = program.run(folder, command .. arguments)
        local what = command .. arguments .. ": " .. err
        assert.same({ 2, "" }, { status, out }, what)
        assert.is_truthy(err:find "^orrery", what)
        assert.is_nil(err:find "^orrery: [%w_/]+%.lua:%d+: .*%.lua:%d", what)
        assert.equal(before, program.listing(folder), what)
      end
    end)
  end

  it("is 1 for what fails while it runs, or is written", function()
    for i = 1, #FAILS, STEP do
      local arguments = FAILS[i]
      local status, _, err = program.run(folder, "replay " .. arguments)
      assert.equal(1, status, arguments .. ": " .. err)
      assert.matches("^orrery: ", err)
    end
  end)
end)
