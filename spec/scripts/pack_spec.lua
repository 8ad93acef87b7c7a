-- `orrery pack`: its numbers by hand, its files, and what it refuses.
local dkjson = require "dkjson"
local orrery = require "orrery"
local program = require "spec.support.program"

describe("orrery pack", function()
  local folder

  before_each(function()
    folder = program.folder()
    -- On 4 processors; D does not get faster with the fourth, and is repaired.
    program.write(folder, "tasks.csv",
      "id,1,2,3,4\nA,12,6,4,3\nB,6,3,2,1.5\nC,6,3,2,1.5\nD,2,1,0.8,0.9\n")
  end)
  after_each(function() program.remove(folder) end)

  local TASKS = "--tasks tasks.csv --procs 4 "

  local function pack(arguments)
    local status, out, err = program.run(folder, "pack " .. arguments)
    assert.same({ 0, "" }, { status, err })
    return out
  end

  local function refused(status, expected, arguments)
    local before = program.listing(folder)
    local found, out, err = program.run(folder, "pack " .. arguments)
    assert.same({ status, "", "orrery: " .. expected .. "\n" }, { found, out, err })
    assert.equal(before, program.listing(folder)) -- nothing half-written
  end

  -- One by one: D until 0.8, B until 2.3, C until 3.8, A until 6.8. In packs of two PACK-BY-PACK
  -- puts A (3 processors) and B (1) together, then C (3) and D (1); see its own spec. That is
  -- 8 / 6.8, of 4 * 8 processor-seconds 12 + 6 + 6 + 2 are used, and tasks end at 2, 2, 6 and 8.
  it("by hand: the table, the packs, the files", function()
    local out = pack(TASKS .. "--k 2 --csv o.csv --schedule s.csv --json o.json")
    assert.equal("policy,packs,cost,relative_cost,packing_ratio,relative_response\n"
      .. "pack/pack-by-pack,2,8,1.1764705882352942,0.8125,1.3138686131386863\n",
      program.read(folder .. "/o.csv"))
    assert.equal("task,pack,procs,start,end\nC,1,3,0,2\nD,1,1,0,2\nA,2,3,2,6\nB,2,1,2,8\n",
      program.read(folder .. "/s.csv"))
    out = out:gsub("( +)%d%.%d%d\n", "%1?\n") -- the time that it took
    assert.matches("\nnote: the measured times of 1 of 4 tasks were repaired: more processors are "
      .. "never slower, and never less work\n", out, 1, true)
    assert.equal([[

pack  start (s)  cost (s)   idle  tasks with processors
P1            0         2   0.0%  C:3 D:1
P2            2         6  25.0%  A:3 B:1
wrote o.csv: numbers as CSV
wrote o.json: JSON
wrote s.csv: schedule
]], (out:gsub("^.-\n(\npack )", "%1")))
    local json = dkjson.decode(program.read(folder .. "/o.json"))
    assert.equal(8, json.policies[1].metrics.cost.mean)
  end)

  it("compares policies, each with options of its own, on the same tasks", function()
    local out = pack(TASKS .. "--policy one-by-one --policy pack-by-pack:runs=9 --policy "
      .. "pack/pack-approx --policy optimal --set balance=none --csv o.csv")
    assert.matches("^4 tasks on 4 processors, at most 4 in a pack, 1 run each, seed 1\n", out)
    local names = {}
    for line in program.read(folder .. "/o.csv"):gmatch "[^\n]+" do
      names[#names + 1] = line:match "^[^,]*"
    end
    assert.same({ "policy", "one-by-one", "pack-by-pack:runs=9", "pack/pack-approx", "optimal" },
      names)
    assert.not_matches("tasks with processors", out)
  end)

  it("gives the numbers of orrery.packs, with --runs and --seed", function()
    pack(TASKS .. "--policy random-pack --policy random-proc --runs 3 --seed 7 --k 3 --csv o.csv")
    local result = orrery.packs { tasks = orrery.tasks.read(folder .. "/tasks.csv"), procs = 4,
      k = 3, runs = 3, seed = 7, policies = { "random-pack", "random-proc" } }
    assert.equal(result:csv(), program.read(folder .. "/o.csv"))
  end)

  it("takes profile families, and least numbers of processors", function()
    program.write(folder, "f.csv", "id,m,profile\na,1000,amdahl:0.1\nb,2000,power:0.9\nc,1500,\n")
    local out = pack("--tasks f.csv --procs 8 --sequential 0.2 --least 2 --least b=5")
    local procs = {}
    for id, count in out:gmatch "(%a):(%d+)" do procs[id] = tonumber(count) end
    assert.is_true(procs.a >= 2 and procs.b >= 5 and procs.c >= 2)
  end)

  it("draws the packs as SVG and PNG", function()
    pack(TASKS .. "--gantt g.svg")
    local svg = program.read(folder .. "/g.svg")
    assert.matches("</svg>%s*$", svg)
    for _, text in ipairs { "P1", "P2", "Processor", "A", "D" } do
      assert.matches(">" .. text .. "<", svg, 1, true)
    end
    pack(TASKS .. "--gantt g.png")
    assert.equal("\137PNG", program.read(folder .. "/g.png"):sub(1, 4))
  end)

  it("writes the integer linear program", function()
    pack(TASKS .. "--k 2 --lp p.lp")
    local lp = program.read(folder .. "/p.lp")
    assert.matches("^[^\n]*\n", lp)
    assert.matches("Minimize", lp)
    assert.matches("x_4_4_4", lp)
    assert.matches("End%s*$", lp)
  end)

  it("takes a policy of one's own, and says where it is wrong", function()
    program.write(folder, "mine.lua", "return { pack = function(problem)\n"
      .. "  return { { 1, 2 }, { 3, 4 } }\nend }\n")
    assert.matches("A:3 B:1", pack(TASKS .. "--policy ./mine.lua"))
    program.write(folder, "bad.lua",
      "return { pack = function(problem)\n  return { { 1 } }\nend }\n")
    local status, out, err = program.run(folder, "pack " .. TASKS
      .. "--policy ./bad.lua --csv o.csv")
    assert.same({ 1, "" }, { status, out })
    assert.matches("^orrery: policy %./bad%.lua: pack: .*task B is in no pack", err)
    program.write(folder, "odd.lua",
      "return { pack = function(problem)\n  return problem.cores\nend }\n")
    err = select(3, program.run(folder, "pack " .. TASKS .. "--policy ./odd.lua"))
    assert.matches("policy %./odd%.lua: pack: %./odd%.lua:2: a problem of packs has no field "
      .. "'cores'", err)
    assert.equal("bad.lua mine.lua odd.lua tasks.csv", program.listing(folder))
  end)

  it("refuses what cannot be, and leaves nothing behind #long", function()
    local help = "\n`orrery pack --help` lists the options"
    refused(2, "--procs is missing", "--tasks tasks.csv --csv o.csv")
    refused(2, "--tasks is missing", "--procs 4")
    refused(2, "--procs: expected a whole number from 1 to 2147483646, found '0'" .. help,
      "--tasks tasks.csv --procs 0")
    refused(2, "--k: expected a whole number from 1 to 2147483646, found '0'" .. help,
      TASKS .. "--k 0 --csv o.csv")
    refused(2, "task A: its least number of processors must be from 1 to the 4 that there are, "
      .. "not 5", TASKS .. "--least A=5 --csv o.csv")
    refused(2, "--least X=2: there is no task X", TASKS .. "--least X=2 --csv o.csv")
    refused(2, "--least: expected a whole number, found 'A'" .. help,
      TASKS .. "--least A")
    refused(2, "there is no policy 'pack-by-pak', did you mean 'pack-by-pack'?",
      TASKS .. "--policy pack-by-pak --csv o.csv")
    refused(2, "'easy' is a dispatch policy (dispatch/easy), and makes no packs",
      TASKS .. "--policy easy")
    refused(2, "--schedule is of one co-schedule: give one policy, not 2",
      TASKS .. "--policy optimal --policy one-by-one --schedule s.csv --csv o.csv")
    refused(2, "--gantt is of one co-schedule: give one run (--runs 1), not 2",
      TASKS .. "--runs 2 --gantt g.svg")
    refused(2, "--gantt: the name must end in .svg, .png or .html, not 'g.pdf'",
      TASKS .. "--gantt g.pdf")
    refused(2, "--csv no/o.csv: there is no folder no", TASKS .. "--csv no/o.csv")
    refused(2, "--lp and --csv name the same file, o", TASKS .. "--csv o --lp o")
    refused(2, "--csv and --tasks name the same file, tasks.csv", TASKS .. "--csv tasks.csv")
  end)

  it("refuses broken profiles with line and column", function()
    local columns = "tasks have the columns id,m or id,m,profile or id,1,2,3,... or id,m,1,2,3,..."
    local function broken(text, expected)
      program.write(folder, "b.csv", text)
      refused(2, "b.csv:" .. expected, "--tasks b.csv --procs 4 --csv o.csv")
    end
    broken("id,1,2,4\nA,3,2,1\n", '1: column 4: expected 3, found "4"; ' .. columns)
    broken("id,1,2\nA,3\n", "2: expected 3 fields as in the header, found 2")
    broken("id,1,2\nA,3,0\n",
      '2: column 3 (2): expected a number of seconds above 0, up to 1e290, found "0"')
    broken("id,1,2\nA,3,x\n",
      '2: column 3 (2): expected a number of seconds above 0, up to 1e290, found "x"')
  end)
end)
