-- What commands write and print: `-`, --quiet, what they say that they wrote, and --json, whose
-- form is in spec/METRICS.md.
local dkjson = require "dkjson"
require "orrery"
local program = require "spec.support.program"

package.path = program.home .. "/scripts/?.lua;" .. package.path
local output = require "orrery.command.output"

local LOG = "id,submit,procs,time\na,0,2,10\nb,0,1,4\nc,0,3,5\n"
local TASKS = "id,1,2,3,4\na,10,6,5,4\nb,20,12,9,8\nc,5,3,2.5,2\n"
local GRID = [[
local orrery = require "orrery"
return { title = "small", axes = { { "policy", { "easy", "fcfs" } }, { "seed", { 1, 2 } } },
  fixed = { procs = 3000, jobs = orrery.synthetic { count = 4 } }, metrics = { "ratio" } }
]]
local SEARCH = [[
local function runs(seed) return { runs = 5, seed = seed } end
return { policies = { "easy" }, baselines = { "fcfs" }, training = runs(1), validation = runs(2),
  testing = runs(3), metric = "ratio", evaluations = 5, fixed = { procs = 3000,
    jobs = require("orrery").synthetic { count = 9 }, errors = { mean_probability = 0.1 } } }
]]
local BAD = "return { dispatch = function(sim) sim:nothing() end }\n"

local folder

local function run(arguments)
  local status, out, err = program.run(folder, arguments)
  return out, err, status
end

setup(function()
  folder = program.folder()
  program.write(folder, "log.csv", LOG)
  program.write(folder, "tasks.csv", TASKS)
  program.write(folder, "grid.lua", GRID)
  program.write(folder, "bad.lua", BAD)
  program.write(folder, "search.lua", SEARCH)
end)

teardown(function() program.remove(folder) end)

local REPLAY = "replay log.csv --procs 4"

describe("a file that goes to standard output", function()
  it("is there alone, as it is in a file; tables go to standard error #long", function()
    local printed = run(REPLAY)
    for _, option in ipairs { "csv", "json", "users", "schedule", "timeline", "gantt", "table" } do
      local name = option == "gantt" and "o.svg" or "o." .. option
      local said = run(("%s --%s %s"):format(REPLAY, option, name))
      local out, err, status = run(("%s --%s -"):format(REPLAY, option))
      assert.equal(0, status)
      assert.equal(program.read(folder .. "/" .. name), out)
      assert.equal(printed, err)
      local of = said:sub(#printed + 1)
      assert.equal(said:sub(1, #printed), printed)
      assert.matches("^wrote o%.%l+: %a[%a ]+\n$", of)
      local quiet, nothing = run(("%s --quiet --%s -"):format(REPLAY, option))
      assert.same({ out, "" }, { quiet, nothing })
    end
  end)

  it("is appended to what a file has", function()
    program.write(folder, "all", "before\n")
    assert(os.execute(("cd '%s' && '%s' %s --quiet --csv - >>all"):format(folder, program.path,
      REPLAY)))
    assert.equal("before\n" .. run(REPLAY .. " --quiet --csv -"), program.read(folder .. "/all"))
  end)

  it("is so with --untrusted", function()
    local out, err, status = run(REPLAY .. " --csv - --untrusted")
    if err:find "system has no filter" then return end
    assert.equal(0, status)
    assert.equal(run(REPLAY .. " --csv - --quiet"), out)
    assert.equal(run(REPLAY), err)
  end)

  it("is written by every command", function()
    local page = run "log log.csv --quiet --report -"
    assert.matches("^<!DOCTYPE html>", page)
    assert.matches("^task,pack,procs,start,end\n",
      run "pack --tasks tasks.csv --procs 4 --schedule -")
    assert.matches("^policy,run,", run "redistribute --n 3 --procs 20 --csv -")
    assert.matches("^<svg", run "redistribute --n 3 --procs 20 --gantt -")
    assert.matches("^id,submit,", run "generate synthetic --count 3 -o -")
    assert.equal("wrote g.swf: 3 jobs, swf\n", run "generate synthetic --count 3 -o g.swf")
  end)
end)

-- The words in backquotes of the line of METRICS.md that begins so.
local function documented(first)
  local text, words = program.read "spec/METRICS.md":match "\n| command | fields |.*", {}
  local line = text:match("\n| `" .. first:gsub("%p", "%%%0") .. "`[^\n]*")
  for word in line:gmatch "`([%w_]+)`" do words[word] = true end
  return words
end

local function names_of(value, seen)
  for name, one in pairs(value) do
    if type(name) == "string" then seen[name] = true end
    if type(one) == "table" then names_of(one, seen) end
  end
  return seen
end

-- command, what is documented of it, what its JSON must have, exit status
local COMMANDS = {
  { "weeks log.csv --utilisation 0 --procs 4", "weeks", "weeks" },
  { "policies easy", "policies", "policies" },
  { "conform --case queue", "conform", "schedules" },
  { "check bad.lua --runs 2", "check", "properties", 1 },
  { "sweep grid.lua -o grid --threads 1", "sweep`, `merge", "rows" },
  { "merge grid -o whole", "sweep`, `merge", "rows" },
  { "sweep --status grid", "sweep --status", "missing" },
  { "search search.lua -o found", "search", "curve" },
  { "help", "help", "commands" },
}

describe("--json", function()
  for _, one in ipairs(COMMANDS) do
    it("of " .. one[1] .. " is as documented", function()
      local out, err, status = run(one[1] .. " --json - --quiet")
      assert.equal(one[4] or 0, status)
      if status == 0 then assert.equal("", err) end
      local value, _, problem = dkjson.decode(out)
      assert.is_nil(problem)
      assert.matches("^%d+%.%d+%.%d+$", value.version)
      assert.equal("table", type(value[one[3]]))
      local known = documented(one[2])
      known.version = true
      if one[2]:find "sweep`" then known.rows = true end
      for name in pairs(value) do assert.is_true(known[name], name) end
      local rows = value[one[3]]
      local of_csv = one[2] == "weeks" or one[2]:find "sweep`"
      for name in pairs(of_csv and {} or names_of(rows, {})) do
        assert.is_true(known[name], name)
      end
    end)
  end

  it("of replay, compare, pack, redistribute and log is read by a parser", function()
    for _, line in ipairs { REPLAY, "compare log.csv --procs 4 --policy easy --policy fcfs",
      "pack --tasks tasks.csv --procs 4", "redistribute --n 3 --procs 20", "log log.csv" } do
      local value, _, problem = dkjson.decode((run(line .. " --json - --quiet")))
      assert.is_nil(problem)
      assert.is_true(next(value) ~= nil)
    end
  end)

  it("has empty lists as lists", function()
    assert.matches('"dropped":%[%]', (run "log log.csv --json - --quiet":gsub("%s", "")))
    assert.matches('"missing":%[%]', (run "sweep --status grid --json - --quiet":gsub("%s", "")))
    assert.matches('"hooks":%[%]', (run "policies easy --json - --quiet":gsub("%s", "")))
  end)
end)

-- By hand, from README: plots and timelines as pictures are gnuplot's, Gantt charts are SVG of our
-- own, of which rsvg-convert makes PNG, and a page has eight pictures at most.
describe("an untrusted run", function()
  it("may write the named files, and draw the named pictures and no more", function()
    local function allowed(given)
      local may = output.allowed(given)
      table.sort(may.writes)
      return table.concat(may.writes, " ") .. ": " .. may.draws.gnuplot .. " "
        .. may.draws["rsvg-convert"]
    end
    assert.equal(": 0 0", allowed {})
    assert.equal("a.csv b.svg: 0 0", allowed { csv = "a.csv", gantt = "b.svg", quiet = "c.png" })
    for name, draws in pairs { plot = "1 0", timeline = "1 0", gantt = "0 1" } do
      for _, path in ipairs { "a.png", "a.b.PNG" } do
        assert.equal(path .. ": " .. draws, allowed { [name] = path })
      end
      for _, path in ipairs { "a.csv", "png", "a.html" } do
        assert.equal(path .. ": 0 0", allowed { [name] = path })
      end
      assert.equal("a.Svg: " .. (name == "gantt" and "0 0" or "1 0"), allowed { [name] = "a.Svg" })
    end
    assert.equal("p.svg r.html t.png: 10 0", allowed { report = "r.html", plot = "p.svg",
      timeline = "t.png" })
  end)
end)
