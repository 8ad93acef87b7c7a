-- Every option of a command that the schema declares is read by the function that takes its field:
-- an option that nobody reads would be accepted in silence.
local orrery = require "orrery"
local checks = require "orrery.support.checks"
local included = require "orrery.schema.included"
local program = require "spec.support.program"

-- Field by field what is read of tables, "JobsSpec.runs". A copy of all plain fields is no reading:
-- of the copy, which C gets, fields are read.
local seen, copies = {}, false

local function watched(class, given)
  return setmetatable({}, {
    __index = function(_, name)
      if not copies then seen[class .. "." .. tostring(name)] = true end
      return given[name]
    end,
    __newindex = given, __pairs = function() return next, given end,
    __len = function() return #given end,
  })
end

local plain_fields = checks.plain_fields

local function watched_plain_fields(given, path)
  copies = true
  local fields = plain_fields(given, path)
  copies = false
  return watched(path:match "^%w+%.(%w+)", fields)
end

local LOG = "data/mira/sample-2019-06.csv"

-- Calls that together read all options of their classes.
local function call_all()
  local day = orrery.read(LOG):day "2019-06-14"
  local jobs = day:between("2019-06-14 00:00", "2019-06-14 02:00")
  local function compare(fields)
    fields.jobs = jobs
    return orrery.compare(watched("JobsSpec", fields))
  end
  local errors = watched("Errors", { mean_probability = 0.1 })
  compare { errors = errors, limits = watched("Limits", {}), runs = 2, by = "day" }
  compare { errors = watched("Errors", { rate = 1e-10 }), precision = 0.9, runs = 256 }
  compare { walltimes = "log", overrun = "extend" }
  compare { checkpoint = watched("Checkpoints", { cost = 60, period = "daly", mtbf = "5y" }) }
  local folder = program.folder()
  program.write(folder, "outages.csv", "node,from,to\n1,5,9\n")
  local outages = folder .. "/outages.csv"
  for _, nodes in ipairs { { mtbf = "50y" }, { log = {} }, { outages = outages } } do
    compare { node_failures = watched("NodeFailures", nodes) }
  end
  program.remove(folder)
  local tasks = orrery.tasks.list({ { m = 1e6 }, { m = 2e6 } }, watched("SequentialOption", {}))
  for _, faults in ipairs { { mtbf_years = 50 }, { mtbf = 1e9, log = {} } } do
    orrery.compare(watched("TasksSpec", { tasks = tasks, procs = 8,
      faults = watched("Faults", faults), costs = watched("Costs", {}) }))
  end
  orrery.compare(watched("TasksSpec", { tasks = tasks, procs = 8, packs = "pack-by-pack" }))
  orrery.packs(watched("PacksSpec", { tasks = tasks, procs = 8 }))
  orrery.packs(watched("PacksSpec", { tasks = watched("DrawnTasks", { n = 3 }), procs = 8 }))
  local log = orrery.read(LOG, watched("ReadOptions", {}))
  log:describe(watched("DescribeOptions", {}))
  log:weeks(watched("WeekOptions", {}))
  local function part(seed)
    local sets = {}
    for i = 1, 5 do sets[i] = { jobs = orrery.synthetic { count = 5, set = i, seed = seed } } end
    return { sets = sets }
  end
  orrery.search(watched("SearchSpec", { evaluations = 8, baselines = { "greedy" },
    policies = { { policy = "list", vary = { reservations = { least = 0, most = 3 } } } },
    training = part(1), validation = part(2), testing = part(3), fixed = { procs = 3000 },
    metric = "wait_mean" }))
end

-- The options that the calls have not read.
local function unread()
  local list = {}
  for _, file in ipairs { "module", "jobs", "tasks", "packs", "runs", "search" } do
    for _, class in ipairs(require("orrery.schema." .. file)) do
      for _, entry in ipairs(included.entries(class)) do
        if entry.flag and not seen[class.class .. "." .. entry[1]] then
          list[#list + 1] = class.class .. "." .. entry[1]
        end
      end
    end
  end
  return list
end

describe("the options that the schema declares", function()
  it("are all read", function()
    checks.plain_fields = watched_plain_fields
    local done, problem = pcall(call_all)
    checks.plain_fields = plain_fields
    assert.is_true(done, problem)
    assert.same({}, unread())
  end)

  it("are told where nobody reads them", function()
    local class = included.find "runs.JobsSpec"
    class[#class + 1] = { "nothing_much", "boolean?", "does nothing", of = "c s",
      flag = { "--nothing-much", "Does nothing." } }
    local found = unread()
    class[#class] = nil
    assert.same({ "JobsSpec.nothing_much" }, found) -- all others are read above
  end)
end)
