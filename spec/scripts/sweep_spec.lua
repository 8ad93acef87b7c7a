-- `orrery sweep`: what comes out, that it goes on where it stopped, and that nothing half-written
-- is believed.
local faulty = require "spec.support.faulty"
local lfs = require "lfs"
local orrery = require "orrery"
local program = require "spec.support.program"
local rounds = require "spec.support.rounds"
local tables = require "spec.support.tables"

package.path = program.home .. "/scripts/?.lua;" .. package.path
local store = require "orrery.command.sweep.store"

local GRID = [[
local orrery = require "orrery"
return {
  title = "a small grid",
  axes = {
    { "policy", { "easy", "list:reservations=3", "fcfs" } }, { "q", { 0, 0.2 } },
    { "seed", { 1, 2, 3, 4 } },
  },
  fixed = { jobs = orrery.synthetic { count = 40 }, procs = 3000, runs = 5 },
  metrics = { "ratio", "wait_mean" },
}
]]
local CELLS = 24

local folder

before_each(function() folder = program.folder() end)
after_each(function() program.remove(folder) end)

local function sweep(arguments) return program.run(folder, "sweep " .. arguments) end

-- Runs a sweep that must succeed.
local function swept(arguments)
  local status, out, err = sweep(arguments)
  assert.same({ 0, "" }, { status, err })
  return out
end

local function file(name) return program.read(folder .. "/" .. name) end

local function record(i) return store.look(folder .. "/out"):path(i) end

-- Which file a record is: another one after it was computed again.
local function inodes()
  local found = {}
  if not program.exists(folder .. "/out/manifest.json") then return found end
  for i = 1, CELLS do found[i] = lfs.attributes(record(i), "ino") end
  return found
end

describe("orrery sweep", function()
  before_each(function() program.write(folder, "grid.lua", GRID) end)

  it("gives for every cell what compare gives", function()
    assert.equal("24 cells: out/results.csv\n", swept "grid.lua -o out --threads 2")
    local rows, columns = tables.read(folder .. "/out/results.csv")
    assert.same({ "cell", "policy", "q", "seed", "metric", "n", "mean", "sd", "half_width", "min",
      "max" }, columns)
    assert.equal(CELLS * 2, #rows)
    local cell, jobs = 0, orrery.synthetic { count = 40 }
    for _, policy in ipairs { "easy", "list:reservations=3", "fcfs" } do
      for _, q in ipairs { 0, 0.2 } do
        for seed = 1, 4 do
          cell = cell + 1
          local result = orrery.compare { jobs = jobs, procs = 3000, runs = 5, seed = seed,
            policy = policy, errors = { mean_probability = q } }
          for _, metric in ipairs { "ratio", "wait_mean" } do
            local row = tables.find(rows, { cell = cell, metric = metric })
            local summary = result:summary(1, metric)
            assert.same({ policy, q, seed, 5, summary.mean, summary.half_width, summary.max },
              { row.policy, row.q, row.seed, row.n, row.mean, row.half_width, row.max })
          end
        end
      end
    end
  end)

  it("gives the same file for any number of processes and in shards #long", function()
    swept "grid.lua -o out --threads 1"
    swept "grid.lua -o three --threads 3"
    assert.equal(file "out/results.csv", file "three/results.csv")
    for i = 1, 3 do
      local out = swept(("grid.lua -o part-%d --shard %d/3"):format(i, i))
      assert.equal(("shard %d/3 is complete: 8 of 24 cells\n"):format(i), out)
    end
    assert.same({ 0, "24 cells: whole/results.csv\n", "" },
      { program.run(folder, "merge part-1 part-2 part-3 -o whole") })
    assert.equal(file "out/results.csv", file "whole/results.csv")
  end)

  it("writes the results when the last of several shards in one folder is done #long", function()
    swept "grid.lua -o out --shard 2/2"
    assert.is_false(program.exists(folder .. "/out/results.csv"))
    assert.equal("shard 1/2 is complete: 12 of 24 cells\n24 cells: out/results.csv\n",
      swept "grid.lua -o out --shard 1/2")
  end)

  it("keeps the numbers of every run where it is asked to #long", function()
    swept "grid.lua -o out --per-run"
    local rows, columns = tables.read(folder .. "/out/runs.csv")
    assert.same({ "cell", "policy", "q", "seed", "set", "run", "ratio", "wait_mean" }, columns)
    assert.equal(CELLS * 5, #rows)
    local result = orrery.compare { jobs = orrery.synthetic { count = 40 }, procs = 3000, runs = 5,
      seed = 3, policy = "fcfs", errors = { mean_probability = 0.2 } }
    for run, ratio in ipairs(result:values(1, "ratio")) do
      local row = tables.find(rows, { policy = "fcfs", q = 0.2, seed = 3, run = run })
      assert.equal(ratio, row.ratio)
    end
  end)

  it("computes only what is not there", function()
    swept "grid.lua -o out"
    local results, before = file "out/results.csv", inodes()
    for _, i in ipairs { 1, 7, 24 } do os.remove(record(i)) end
    assert.matches("^a small grid: 21 of 24 cells\n.*not there yet: 1, 7, 24\n$",
      swept "--status out")
    swept "grid.lua -o out"
    assert.equal(results, file "out/results.csv")
    local after = inodes()
    for _, i in ipairs { 1, 7, 24 } do before[i], after[i] = nil, nil end
    assert.same(before, after)
  end)

  it("believes no record that is not whole #long", function()
    swept "grid.lua -o out"
    local results, whole = file "out/results.csv", program.read(record(5))
    for _, damaged in ipairs { "", whole:sub(1, -2), whole:sub(1, #whole // 2),
      whole:gsub("ratio,5", "ratio,6"), program.read(record(6)) } do
      program.write("", record(5), damaged)
      assert.matches("\ndamaged, to be computed again: 5\n", swept "--status out")
      local status, _, err = sweep "grid.lua -o out"
      assert.same({ 0, "orrery: the record of cell 5 is damaged and is computed again\n" },
        { status, err })
      assert.equal(results, file "out/results.csv")
    end
  end)

  -- A sweep that is killed at random moments, as `words` start it, and then is let to its end.
  local function killed(words, kills)
    program.write(folder, "grid.lua", (GRID:gsub("runs = 5", "runs = 5000")))
    swept "grid.lua -o reference --threads 1"
    local known, interrupted = {}, 0
    local function look()
      local there = 0
      for i, inode in pairs(inodes()) do
        assert.equal(known[i] or inode, inode, "computed twice: " .. i)
        known[i], there = inode, there + 1
      end
      return there
    end
    local rng = orrery.random(tonumber(os.getenv "ORRERY_SEED") or 1)
    kills = tonumber(os.getenv "ORRERY_KILLS") or kills
    for kill = 1, kills do
      -- all of its processes, or the first of them alone
      local who = kill % 2 == 0 and "-$group" or "$(cat first)"
      os.execute(("cd '%s'; env -u LD_PRELOAD setsid %s sh -c 'echo $$ >first; exec \"%s\" sweep "
        .. "grid.lua -o out --threads 2' >said 2>&1 & group=$!; sleep %.3f; kill -9 %s 2>kill; "
        .. "wait"):format(folder, words, program.path, 0.05 + 6 / kills * 0.2 * rng:uniform(), who))
      if look() < CELLS then interrupted = interrupted + 1 end
    end
    assert.is_true(interrupted > 0, "the sweep was over before it was killed")
    -- what an orphan still computes is left to it; it ends with that cell
    local status
    for _ = 1, 100 do
      local _, err
      status, _, err = program.run(folder, "sweep grid.lua -o out --threads 2", nil, words)
      if status == 0 then break end
      assert.matches("another process computes them", err)
      os.execute "sleep 0.1"
    end
    assert.equal(0, status)
    assert.equal(CELLS, look())
    assert.equal(file "reference/results.csv", file "out/results.csv")
    assert.equal("cells lock manifest.json results.csv", program.listing(folder .. "/out"))
    assert.is_nil(program.listing(folder .. "/out/cells"):find("tmp", 1, true))
  end

  it("loses nothing and computes nothing twice when it is killed at any time #long", function()
    killed("", rounds(6, 6, 2))
  end)

  it("does neither where the file system has no locks #long", function()
    if not faulty.works() then return pending "the kernel lets no process answer for another" end
    killed(faulty.command("/dev/null", "lock 1+ " .. faulty.ENOLCK, { folder }), rounds(8))
  end)

  it("mixes nothing with another specification #long", function()
    program.write(folder, "mine.lua", "return { priority = function(job) return job.procs end }")
    local own = GRID:gsub("procs = 3000", '%0, priority = "./mine.lua"')
    program.write(folder, "grid.lua", own)
    swept "grid.lua -o out"
    program.write(folder, "mine.lua", "return { priority = function(job) return -job.procs end }")
    local status, _, err = sweep "grid.lua -o out"
    assert.equal(2, status)
    assert.matches("^orrery: out: a policy's file has changed since %(%x+, now %x+%); results of "
      .. "the two are not mixed: choose another folder\n$", err)
    program.write(folder, "grid.lua", own .. "-- changed\n")
    status, _, err = sweep "grid.lua -o out"
    assert.equal(2, status)
    assert.matches("out: the specification has changed since", err)
    local manifest = file "out/manifest.json"
    program.write(folder, "grid.lua", own)
    manifest = manifest:gsub('"version":"[^"]+"', '"version":"0"')
    program.write(folder, "out/manifest.json", manifest)
    status, _, err = sweep "grid.lua -o out"
    assert.equal(2, status)
    assert.matches("out: it was begun by version 0, this is ", err)
  end)

  it("keeps the other cells when some fail, and says which #long", function()
    local bad = GRID:gsub('"fcfs"', '"./bad.lua"')
    program.write(folder, "bad.lua", 'return { dispatch = function(sim) error "no idea" end }')
    program.write(folder, "grid.lua", bad)
    for threads, found in ipairs { "", "16 of 24 cells are there already, 8 to compute\n" } do
      local status, out, err = sweep("grid.lua -o out --threads " .. threads)
      assert.same({ 1, found }, { status, out })
      assert.matches("^orrery: 8 of 24 cells failed; the others are kept\ncell 17 %(policy = "
        .. "%./bad%.lua, q = 0, seed = 1%): .*no idea", err)
      assert.matches("\nand 3 more\n$", err)
      assert.equal(16, select(2, program.listing(folder .. "/out/cells"):gsub("%x+", "")))
    end
  end)

  it("shows on a terminal how many cells are over, also those that fail", function()
    program.write(folder, "bad.lua", 'return { dispatch = function() error "no idea" end }')
    program.write(folder, "grid.lua", [[return { axes = { { "policy", { "easy", "./bad.lua" } } },
      fixed = { jobs = require("orrery").synthetic { count = 3 }, procs = 3000 } }]])
    local pipe = assert(io.popen(("cd '%s' && env -u LD_PRELOAD script -qec \"'%s' sweep grid.lua "
      .. "-o out --threads 1\" /dev/null"):format(folder, program.path)))
    local shown = {}
    for over in pipe:read "a":gmatch "(%d/2) cells" do shown[#shown + 1] = over end
    pipe:close()
    assert.same({ "0/2", "1/2", "2/2" }, shown)
  end)

  it("makes a cell of a point with a function", function()
    program.write(folder, "grid.lua", [[
local orrery = require "orrery"
return {
  axes = { { "jobs_count", { 10, 20 } }, { "patient", { true, false } } },
  fixed = { procs = 3000 },
  cell = function(point)
    return {
      jobs = orrery.synthetic { count = point.jobs_count },
      policies = { "greedy", point.patient and "fcfs" or "easy" },
    }
  end,
  cost = function(point) return point.jobs_count end,
}]])
    swept "grid.lua -o out"
    local rows = tables.read(folder .. "/out/results.csv")
    local one = tables.find(rows, { cell = 3, policy = "fcfs", metric = "makespan" })
    assert.same({ 20, "true" }, { one.jobs_count, one.patient })
    assert.equal(orrery.compare { jobs = orrery.synthetic { count = 20 }, procs = 3000,
      policy = "fcfs" }:values(1, "makespan")[1], one.mean)
  end)

  -- Refused before a folder is made; what is wrong, by the text of a specification.
  local function refused(cases, arguments)
    for text, message in pairs(cases) do
      program.write(folder, "bad.lua", 'local orrery = require "orrery"\n' .. text)
      local status, out, err = sweep("bad.lua -o out " .. (arguments or ""))
      assert.same({ 2, "orrery: bad.lua: " .. message .. "\n", "" }, { status, err, out }, text)
      assert.is_false(program.exists(folder .. "/out"))
    end
  end

  it("applies axes that are fields of compare unless cell returns these", function()
    program.write(folder, "grid.lua", [[
local orrery = require "orrery"
return {
  axes = { { "policy", { "easy", "fcfs" } }, { "priority", { "lpt", "spt" } }, { "q", { 0, 0.2 } },
    { "count", { 30, 60 } } },
  fixed = { procs = 3000, priority = "fcfs" },
  cell = function(point)
    return { jobs = orrery.synthetic { count = point.count },
      priority = point.count == 60 and "saf" or nil }
  end,
  metrics = { "makespan" },
}]])
    swept "grid.lua -o out"
    local rows = tables.read(folder .. "/out/results.csv")
    assert.equal(16, #rows)
    for _, row in ipairs(rows) do
      assert.equal(orrery.compare { jobs = orrery.synthetic { count = row.count }, procs = 3000,
        policy = row.policy, priority = row.count == 60 and "saf" or row.priority,
        errors = { mean_probability = row.q } }:values(1, "makespan")[1], row.mean)
    end
  end)

  it("refuses an axis that does nothing", function()
    local cell = "cell = function(point) return { jobs = orrery.synthetic { count = point.size }, "
      .. "procs = 3000 %s } end }"
    refused {
      ["return { axes = { { 'polcy', { 'easy', 'fcfs' } } } }"] =
        "axis polcy: it is no field of orrery.compare, did you mean 'policy'?",
      ["return { axes = { { 'size', { 5, 6 } }, { 'polcy', { 'easy' } } }, " .. cell:format ""] =
        "axis polcy: cell does not read it, and it is no field of orrery.compare, did you mean "
        .. "'policy'?",
      ["return { axes = { { 'workload', { 5, 6 } } }, cell = function(point) return { "
        .. "jobs = orrery.synthetic { count = 5, set = point.worklod } } end }"] =
        "axis workload: cell does not read it, and it is no field of orrery.compare, did you mean "
        .. "'worklod'?",
      ["return { axes = { { 'size', { 5 } }, { 'seed', { 1, 2 } } }, "
        .. cell:format ", seed = 1"] =
        "axis seed: cell returns what takes its place and does not read point.seed: all of its "
        .. "values would have the same results",
      ["return { axes = { { 'size', { 5 } }, { 'policy', { 'easy' } } }, "
        .. cell:format ", policies = { 'fcfs' }"] = "axis policy: cell returns what takes its "
        .. "place and does not read point.policy: all of its values would have the same results",
      ["return { axes = { { 'load', { 1, 2 } } }, cell = function(point) return { procs = 3000, "
        .. "jobs = orrery.synthetic { count = 5 }:load(point.load) } end }"] = "axis load: cell "
        .. "reads it and orrery.compare takes it, too: return `load = 1` where the jobs have it "
        .. "already, or do not read it",
      ["return { axes = { { 'q', { 0, 1 } } }, fixed = { tasks = orrery.tasks.synthetic { "
        .. "n = 5 } } }"] = "axis q: it is no field of orrery.compare",
    }
  end)

  it("takes an axis that only some cells read, wherever in the grid they are", function()
    program.write(folder, "grid.lua", [[
local orrery = require "orrery"
return {
  axes = { { "kind", { "a", "b" } }, { "size", { 3, 4 } } }, fixed = { procs = 3000 },
  cell = function(point)
    return { jobs = orrery.synthetic { count = point.kind == "b" and point.size or 9 } }
  end,
  metrics = { "makespan" },
}]])
    swept "grid.lua -o out"
    local rows = tables.read(folder .. "/out/results.csv")
    assert.equal(rows[1].mean, rows[2].mean)
    assert.not_equal(rows[3].mean, rows[4].mean)
  end)

  it("refuses metrics before the first cell", function()
    local text = "return { axes = { { 'seed', { 1 } } }, fixed = { procs = 3000, "
      .. "jobs = orrery.synthetic { count = 5 } %s }, metrics = { %s } }"
    refused {
      [text:format("", "'wait_p50'")] = "metrics: 'wait_p50' wants quantiles = true",
      [text:format("", "'ratio', 'ratio'")] = "metrics: 'ratio' is there twice",
    }
    program.write(folder, "bad.lua", 'local orrery = require "orrery"\n'
      .. text:format("", "'ratoi'"))
    local status, _, err = sweep "bad.lua -o out"
    assert.equal(2, status)
    assert.matches("^orrery: bad.lua: metrics: there is no metric 'ratoi', did you mean 'ratio'%? "
      .. "%(known: bsld_max, ", err)
    program.write(folder, "grid.lua", 'local orrery = require "orrery"\n'
      .. text:format(", quantiles = true", "'wait_p50'"))
    swept "grid.lua -o out"
  end)

  it("checks what is to be drawn before the first cell #long", function()
    for arguments, message in pairs {
      ["--plot a.svg --x sed --y ratio"] =
        "--x: expected one of policy, q, seed, found 'sed', did you mean 'seed'?",
      ["--plot a.svg --x q --y ratoi"] =
        "--y: expected one of ratio, wait_mean, found 'ratoi', did you mean 'ratio'?",
      ["--plot a.svg --x q --y ratio --by r"] =
        "--by: expected one of policy, q, seed, found 'r', did you mean 'q'?",
      ["--plot a.svg --x q --y ratio --by q"] = "--x and --by name the same axis, q",
      ["--x q"] = "--x goes with --plot",
      ["--plot a.svg --x q"] = "--plot wants an axis, --x, and a metric, --y",
      ["--log x"] = "--log goes with --plot",
      ["--kind heat"] = "--kind goes with --plot",
    } do
      local status, out, err = sweep("grid.lua -o out " .. arguments)
      assert.same({ 2, "orrery: " .. message .. "\n", "" }, { status, err, out })
      assert.is_false(program.exists(folder .. "/out"))
    end
  end)

  it("keeps the cells when an axis gets more values, or fewer, or another place #long", function()
    swept "grid.lua -o out"
    local before = inodes()
    local grown = GRID:gsub('"easy", "list', '"greedy", %0'):gsub("1, 2, 3, 4", "0, %0 --[[ }} ]]")
    program.write(folder, "grid.lua", grown)
    assert.equal("24 of 40 cells are there already, 16 to compute\n40 cells: out/results.csv\n",
      swept "grid.lua -o out")
    assert.equal("40 cells: new/results.csv\n", swept "grid.lua -o new")
    assert.equal(file "new/results.csv", file "out/results.csv")
    program.write(folder, "grid.lua", GRID)
    assert.equal("24 of 24 cells are there already, 0 to compute\n24 cells: out/results.csv\n",
      swept "grid.lua -o out")
    assert.same(before, inodes())
    local seeds = '    { "seed", { 1, 2, 3, 4 } },\n'
    local rest = GRID:gsub(seeds:gsub("%p", "%%%0"), "")
    program.write(folder, "grid.lua", (rest:gsub("axes = {\n", "%0" .. seeds)))
    assert.matches("^24 of 24 cells", swept "grid.lua -o out")
    assert.equal("out/results.csv: 1,1,easy,0,ratio", "out/results.csv: "
      .. file("out/results.csv"):match "\n(1,[%w,]-ratio)")
  end)

  it("refuses other axes and files once there are cells #long", function()
    local greedy = program.read(program.home .. "/policies/dispatch/greedy.lua")
    program.write(folder, "mine.lua", greedy)
    program.write(folder, "grid.lua", (GRID:gsub('"fcfs"', '"./mine.lua"')))
    swept "grid.lua -o out"
    program.write(folder, "grid.lua", GRID)
    swept "grid.lua -o out"
    program.write(folder, "mine.lua", greedy .. "-- changed")
    program.write(folder, "grid.lua", (GRID:gsub('"fcfs"', '"./mine.lua"')))
    local status, _, err = sweep "grid.lua -o out"
    assert.equal(2, status)
    assert.matches("^orrery: out: a policy's file has changed since", err)
    program.write(folder, "grid.lua", (GRID:gsub('    { "seed".-\n', "")))
    status, _, err = sweep "grid.lua -o out"
    assert.equal(2, status)
    assert.matches("^orrery: out: it was begun with the axes policy, q, seed, this has policy, q; "
      .. "results of the two are not mixed", err)
  end)

  it("begins anew where another specification has no finished cell #long", function()
    program.write(folder, "grid.lua", (GRID:gsub("procs = 3000", "procs = 1")))
    assert.equal(1, (sweep "grid.lua -o out"))
    program.write(folder, "grid.lua", GRID)
    assert.equal("out: begun anew, there was no finished cell of another specification\n"
      .. "24 cells: out/results.csv\n", swept "grid.lua -o out")
    assert.matches("^a small grid: 24 of 24 cells", swept "--status out")
  end)

  it("refuses what it does not understand, before it makes a folder #long", function()
    local axes = 'axes = { { "seed", { 1 } } }'
    for text, message in pairs {
      ["return 1"] = "expected a file that returns a table, this one returns number",
      ["return {"] = "bad%.lua:1: ",
      ['error "mine"'] = "bad%.lua:1: mine",
      ["error { 1 }"] = "bad%.lua: it ended with the error table: ",
      ["error()"] = "bad%.lua: it ended with the error nil",
      ["return {}"] = "axes: expected a list like",
      ["return { axis = {} }"] = "unknown field 'axis', did you mean 'axes'%?",
      ["return { axes = { { 'mean', { 1 } } } }"] = "axis 1: expected a name .* found mean",
      ["return { axes = { { 'a b', { 1 } } } }"] = "axis 1: expected a name of letters",
      ["return { axes = { { 'a', {} } } }"] = "axis a: expected a list of values",
      ["return { axes = { { 'a', { 1, {} } } } }"] = "axis a: value 2 is a table",
      ["return { axes = { { 'a', { 0/0 } } } }"] = "axis a: value 1 is not a number",
      ["return { axes = { { 'a', { 1, 1 } } } }"] = "axis a: 1 is there twice",
      ["return { axes = { { 'a', { 1 } }, { 'a', { 1 } } } }"] = "axis 2: .* found a",
      ["return { " .. axes .. ", fixed = 3 }"] = "fixed: expected a table, found number",
      ["return { " .. axes .. ", cell = {} }"] = "cell: expected a function, found table",
      ["return { " .. axes .. ", metrics = { 1 } }"] = "metrics: expected names, found a number",
    } do
      program.write(folder, "bad.lua", text)
      local status, out, err = sweep "bad.lua -o out"
      assert.same({ 2, "" }, { status, out }, text)
      assert.matches(message, err)
      assert.is_false(program.exists(folder .. "/out"))
    end
    for arguments, message in pairs {
      [""] = "which specification%?",
      ["grid.lua"] = "%-o: which folder%?",
      ["grid.lua -o out --shard 3/2"] = "%-%-shard: expected I/N with I from 1 to N, found '3/2'",
      ["grid.lua -o out --wait"] = "%-%-wait goes with %-%-slurm",
      ["grid.lua -o out --slurm --shard 1/2"] = "%-%-shard and %-%-slurm exclude each other",
    } do
      local status, _, err = sweep(arguments)
      assert.equal(2, status, arguments)
      assert.matches(message, err)
    end
    local status, _, err = sweep "nowhere.lua -o out"
    assert.same({ 2, "orrery: cannot read nowhere.lua: No such file or directory\n" },
      { status, err })
    status, _, err = sweep "--status nowhere"
    assert.same({ 2, "orrery: nowhere: there is no sweep here, no manifest.json\n" },
      { status, err })
  end)

  it("draws curves, colours and boxes #long", function()
    program.write(folder, "grid.lua", (GRID:gsub("1, 2, 3, 4", "%0, 5, 6, 7, 8")))
    swept "grid.lua -o out"
    -- a band per curve; a box per value and policy, and its median; more colours than cells
    for kind, polygons in pairs { curves = 3, heat = 60, boxes = 9 } do
      assert.equal(("wrote %s.svg: picture\n"):format(kind),
        swept(("-o out --plot %s.svg --x q --y ratio --by policy --kind %s"):format(kind, kind)))
      local svg = file(kind .. ".svg")
      assert.is_true(select(2, svg:gsub("<polygon", "")) >= polygons)
      for _, text in ipairs { "Normalised makespan (makespan / lower bound)", "a small grid",
        "Mean failure probability of a job", "list:reservations=3" } do
        assert.is_truthy(svg:find(text, 1, true), text)
      end
    end
    for arguments, message in pairs {
      ["--plot a.pdf --x q --y ratio"] = "the name must end in %.png or %.svg, not 'a%.pdf'",
      ["--plot a.svg --x q"] = "%-%-plot wants an axis, %-%-x, and a metric, %-%-y",
      ["--plot a.svg --x p --y ratio"] = "%-%-x: expected one of policy, q, seed, found 'p'",
      ["--plot a.svg --x q --y rat"] = "%-%-y: expected one of ratio, wait_mean, found 'rat'",
      ["--plot a.svg --x q --y ratio --kind heat"] = "%-%-kind heat wants a second axis, %-%-by",
    } do
      local status, _, err = sweep("-o out " .. arguments)
      assert.equal(2, status)
      assert.matches(message, err)
    end
    os.remove(record(3))
    local status, _, err = sweep "-o out --plot a.svg --x q --y ratio"
    assert.same({ 1, "orrery: out: 1 of 48 cells are not there yet\n" }, { status, err })
    assert.is_false(program.exists(folder .. "/a.svg"))
  end)

  -- A picture as text.
  local function drawn(arguments)
    assert.equal("", swept("-o out --quiet --plot a.svg " .. arguments))
    return file "a.svg"
  end

  local function count(text, pattern) return select(2, text:gsub(pattern, "")) end

  it("draws few cells as points, in the unit that people read #long", function()
    swept "grid.lua -o out"
    local svg = drawn "--x q --y wait_mean --by policy --kind boxes"
    assert.matches(">Mean wait %(h%)<", svg)
    assert.equal(CELLS, count(svg, "<use [^>]*#gpPt[^>]*translate") - 3) -- three are in the legend
    assert.equal(0, count(svg, "<polygon"))
    svg = drawn "--x policy --y wait_mean --kind boxes" -- eight cells each
    assert.equal(0, count(svg, "<use [^>]*#gpPt[^>]*translate"))
    assert.is_true(count(svg, "<polygon") >= 3)
  end)

  it("draws logarithmic axes, and by itself where a metric spans three decades #long", function()
    swept "grid.lua -o out"
    local few = ">%s*1%.%d+<" -- ticks between 1 and 2, which a logarithmic axis does not have
    assert.is_truthy((drawn "--x q --y ratio"):match(few))
    assert.is_nil((drawn "--x q --y ratio --log y"):match(few))
    os.execute(("rm -rf '%s/out'"):format(folder))
    program.write(folder, "grid.lua", [[
local orrery = require "orrery"
return {
  axes = { { "verification", { 1, 1e5, 1e9 } }, { "seed", { 1, 2 } } },
  fixed = { procs = 3000, jobs = orrery.synthetic { count = 20 }, policy = "easy" },
  metrics = { "makespan", "ratio", "failures" },
}]])
    swept "grid.lua -o out"
    local svg = drawn "--x verification --y makespan --log x"
    assert.matches(">verification %(s%)<", svg)
    for _, hours in ipairs { "100", "1000", "10000", "100000" } do
      assert.matches(">%s*" .. hours .. "<", svg)
    end
    local linear = drawn "--x verification --y makespan --log none"
    assert.is_nil(linear:match ">%s*100<")
    for arguments, wrong in pairs {
      ["--y ratio --x policy --log x"] = { 2, "--log x: the values of policy are not all numbers "
        .. "above 0" },
      ["--y ratio --x verification --log xy --kind boxes"] = { 2,
        "--log xy goes with curves: boxes has a place for each value" },
      ["--y failures --x seed --log y"] = { 1,
        "--log y: failures is not above 0 everywhere, its least is 0" },
    } do
      local status, out, err = sweep("-o out --plot b.svg " .. arguments)
      assert.same({ wrong[1], "orrery: " .. wrong[2] .. "\n", "" }, { status, err, out })
      assert.is_false(program.exists(folder .. "/b.svg"))
    end
    local status, _, err = sweep "-o out --plot b.svg --x seed --y ratio --log z"
    assert.equal(2, status)
    assert.matches("'%-%-log' must be one of 'x', 'y', 'xy', 'none'", err)
  end)

  it("tells more than eight curves apart by their dashes #long", function()
    for seeds, dashed in pairs { [8] = false, [9] = true } do
      local list = {}
      for i = 1, seeds do list[i] = i end
      program.write(folder, "grid.lua", (GRID:gsub("1, 2, 3, 4", table.concat(list, ", "))))
      swept "grid.lua -o out"
      local svg = drawn "--x q --y ratio --by seed"
      assert.equal(dashed, svg:find("stroke-dasharray", 1, true) ~= nil)
      assert.matches(">seed = " .. seeds .. "<", svg)
    end
  end)

  it("writes paired differences of policies, over runs and over an axis", function()
    assert.equal("24 cells: out/results.csv\nevery run: out/runs.csv\npaired differences from "
      .. "easy: out/paired.csv ('significant' is after Holm's correction for 16 comparisons of "
      .. "each metric); a loss in fewer than 60% of the pairs cannot be excluded\n",
      swept "grid.lua -o out --paired easy")
    local rows, columns = tables.read(folder .. "/out/paired.csv")
    assert.same({ "q", "seed", "policy", "base", "metric", "n", "mean", "sd", "half_width", "low",
      "high", "significant", "median", "shift", "shift_low", "shift_high", "rank_p",
      "rank_significant" }, columns)
    assert.equal(2 * 4 * 2 * 2, #rows)
    local function result(seed)
      return orrery.compare { jobs = orrery.synthetic { count = 40 }, procs = 3000, runs = 5,
        seed = seed, policies = { "easy", "fcfs" }, errors = { mean_probability = 0.2 } }
    end
    local row = tables.find(rows, { policy = "fcfs", q = 0.2, seed = 3, metric = "wait_mean" })
    local d = result(3):difference(1, 2, "wait_mean")
    assert.same({ 5, d.mean, d.sd, d.half_width, d.mean - d.half_width, d.mean + d.half_width },
      { row.n, row.mean, row.sd, row.half_width, row.low, row.high })
    assert.same({ d.median, d.shift, "", "", d.rank_p }, { row.median, row.shift, row.shift_low,
      row.shift_high, row.rank_p }) -- five runs are too few for an interval
    -- without failures all runs are the same, and nothing is random
    row = tables.find(rows, { policy = "fcfs", q = 0, seed = 3, metric = "wait_mean" })
    assert.same({ 5, 0, "", "", "", "false" }, { row.n, row.sd, row.low, row.high, row.rank_p,
      row.rank_significant })
    assert.equal("paired differences from easy: out/paired.csv ('significant' is after Holm's "
      .. "correction for 4 comparisons of each metric); a loss in fewer than 75% of the pairs "
      .. "cannot be excluded\n", swept "-o out --paired easy --over seed")
    rows, columns = tables.read(folder .. "/out/paired.csv")
    assert.equal("q policy base", table.concat(columns, " ", 1, 3))
    local a, b = {}, {}
    for seed = 1, 4 do
      local one = result(seed)
      a[seed], b[seed] = one:summary(1, "ratio").mean, one:summary(2, "ratio").mean
    end
    row = tables.find(rows, { policy = "fcfs", q = 0.2, metric = "ratio" })
    d = orrery.summary_paired(a, b)
    assert.same({ 4, d.mean, d.half_width }, { row.n, row.mean, row.half_width })
  end)

  it("corrects paired differences for all of a metric in the table", function()
    program.write(folder, "grid.lua", [[
      local orrery = require "orrery"
      local policies =
        { "easy", "conservative", "greedy", "shelf", "easy-sjf", "list:reservations=2" }
      return { axes = { { "policy", policies }, { "q", { 0.1, 0.2, 0.3 } } },
        fixed = { procs = 2048, runs = 30, jobs = orrery.synthetic { count = 30, set = 2 } },
        metrics = { "ratio", "wait_mean", "utilisation" } }
    ]])
    assert.matches("Holm's correction for 15 comparisons of each metric",
      swept "grid.lua -o out --paired easy", 1, true)
    local rows = tables.read(folder .. "/out/paired.csv")
    local alone, corrected = 0, 0
    for _, metric in ipairs { "ratio", "wait_mean", "utilisation" } do
      local list = tables.all(rows, { metric = metric })
      table.sort(list, function(a, b)
        return (a.sd == 0 and 0 or math.abs(a.mean) / a.sd)
          > (b.sd == 0 and 0 or math.abs(b.mean) / b.sd)
      end)
      local goes_on = #list == 15
      for k, row in ipairs(list) do
        local t = row.sd == 0 and 0 or math.abs(row.mean) / row.sd * math.sqrt(30)
        goes_on = goes_on and t > orrery.student_quantile(1 - 0.025 / (16 - k), 29)
        assert.equal(tostring(goes_on), row.significant)
        if row.sd ~= 0 and (row.low > 0 or row.high < 0) then alone = alone + 1 end
        corrected = corrected + (goes_on and 1 or 0)
      end
    end
    assert.is_true(corrected > 0 and corrected < alone, corrected .. " of " .. alone)
  end)

  it("has no interval over few days of one log", function()
    program.write(folder, "grid.lua", [[
      local orrery = require "orrery"
      return { axes = { { "policy", { "easy", "greedy" } }, { "days", { 9, 29 } } },
        fixed = { procs = 64, by = "day" }, metrics = { "wait_mean" }, cell = function(point)
          return { jobs = orrery.lublin { procs = 64, days = point.days, load = 0.7 } }
        end }
    ]])
    swept "grid.lua -o out --paired easy"
    local rows = tables.read(folder .. "/out/paired.csv")
    assert.same({ 9, "", "", "", "false" }, { rows[1].n, rows[1].half_width, rows[1].low,
      rows[1].rank_p, rows[1].significant })
    local d = orrery.compare { jobs = orrery.lublin { procs = 64, days = 29, load = 0.7 },
      procs = 64, by = "day", policies = { "easy", "greedy" } }:difference(1, 2, "wait_mean")
    assert.same({ d.count, d.mean, d.half_width, "" }, { rows[2].n, rows[2].mean,
      rows[2].half_width, rows[2].rank_p })
    rows = tables.read(folder .. "/out/results.csv")
    assert.same({ 9, "" }, { rows[1].n, rows[1].half_width })
  end)

  it("refuses paired differences that there cannot be, before the first cell #long", function()
    for arguments, message in pairs {
      ["--paired esy"] = "--paired: expected one of easy, list:reservations=3, fcfs, found 'esy', "
        .. "did you mean 'easy'?",
      ["--paired easy --over policy"] = "--over: expected one of q, seed, found 'policy'",
      ["--over seed"] = "--over goes with --paired",
    } do
      local status, out, err = sweep("grid.lua -o out " .. arguments)
      assert.same({ 2, "orrery: " .. message .. "\n", "" }, { status, err, out })
      assert.is_false(program.exists(folder .. "/out"))
    end
    program.write(folder, "own.lua", [[return { fixed = { procs = 3000 },
      axes = { { "policy", { "easy", "fcfs" } }, { "median", { 1, 2 } } }, cell = function(point)
        return { jobs = require "orrery".synthetic { count = 9, set = point.median } }
      end, metrics = { "ratio" } }]])
    assert.same({ 2, "", "orrery: --paired: the table has a column 'median' of its own: call the "
      .. "axis otherwise\n" }, { sweep "own.lua -o out --paired easy" })
    for policies, message in pairs {
      ["policies = { { policy = 'easy', priority = 'lpt' }, "
        .. "{ policy = 'easy', priority = 'spt' } }"] = "--paired: cell 1 has two policies easy",
      ["policy = point.policy, runs = point.policy == 'easy' and 2 or 3"] =
        "--paired: easy and fcfs did not go through the same runs",
    } do
      local axis = policies:find "point" and "{ 'policy', { 'easy', 'fcfs' } }, " or ""
      program.write(folder, "pairs.lua", ("return { axes = { %s{ 'draw', { 1 } } }, "
        .. "cell = function(point) return { jobs = require 'orrery'.synthetic { count = 9, "
        .. "set = point.draw }, procs = 3000, errors = { mean_probability = 0.2 }, %s } end, "
        .. "metrics = { 'ratio' } }"):format(axis, policies))
      local status, _, err = sweep "pairs.lua -o pairs --paired easy"
      assert.same({ 1, "orrery: " .. message .. "\n" }, { status, err })
      assert.is_false(program.exists(folder .. "/pairs/paired.csv"))
      os.execute(("rm -rf '%s/pairs'"):format(folder))
    end
    swept "grid.lua -o out"
    local status, _, err = sweep "-o out --paired easy"
    assert.same({ 2, "orrery: --paired: the numbers of the runs were not kept: sweep with "
      .. "--per-run, or name an axis, --over, whose cells are the pairs\n" }, { status, err })
  end)

  it("says once what its logs hold that is not modelled or not read #long", function()
    program.write(folder, "log.csv", "id,procs,runtime,gpus,qqq\na,1,10,2,x\nb,1,10,0,x\n")
    program.write(folder, "log.lua", [[
local log = require "orrery".read "log.csv"
return { axes = { { "policy", { "easy", "fcfs" } } }, metrics = { "ratio" },
  fixed = { jobs = log, procs = 2 } }
]])
    local notes = "note: not modelled: gpus (1 job)\nnote: columns of the log that are not read: "
      .. "qqq\n"
    for _, more in ipairs { "", "--json o.json", "--untrusted" } do
      local out = swept("log.lua -o out" .. #more .. " " .. more)
      assert.equal(("2 cells: out%d/results.csv\n%s"):format(#more, notes),
        (out:gsub("wrote.*", "")))
    end
    assert.truthy(file "o.json":find('"notes":["not modelled: gpus (1 job)",', 1, true))
  end)

  it("prints what it would submit to Slurm", function()
    local out = swept("grid.lua -o out --slurm --dry-run --array 3 --partition long --time 1:00:00 "
      .. "--sbatch=--account=physics --threads 2")
    assert.matches("#SBATCH %-%-array=1%-3\n", out)
    assert.matches("#SBATCH %-%-cpus%-per%-task=2\n", out)
    assert.matches("#SBATCH %-%-partition=long\n#SBATCH %-%-time=1:00:00\n#SBATCH "
      .. "%-%-account=physics\n", out)
    assert.matches('sweep .*/grid%.lua %-o .*/out %-%-threads 2 %-%-shard '
      .. '"$SLURM_ARRAY_TASK_ID"/3\n$', out)
  end)
end)
