-- The reference has an entry for everything that is there, and everything that it has is there.
local orrery = require "orrery"

local markdown = require "bindings.reference.docs.markdown"
local program = require "spec.support.program"

local reference = orrery.tools.reference()

-- What a message says is known: "(known: now, free, or the methods csv, time)" as a set of names.
local function known_in(problem)
  local set, list = {}, assert(problem:match "%(known: (.*)%)", problem)
  list = list:gsub("a position, or the methods", ""):gsub("or the number of a pack", "")
  for name in list:gmatch "[%w_]+" do set[name] = true end
  set["or"] = nil -- as in "seed, set; or: state"
  return set
end

-- The names that an error says are known.
local function known_by(run, ...)
  local ok, problem = pcall(run, ...)
  assert.is_false(ok)
  return known_in(problem)
end

local function nothing(value) return value.nothing_of_this_name end

local NOTHING = { nothing_of_this_name = 1 }

-- Names and the entries of a class are the same. `hidden` are names that are nobody's business.
local function agrees(class_name, names, hidden)
  local class, has = reference.by_class[class_name], {}
  for _, entry in ipairs(class.members) do has[entry.name] = true end
  for name in pairs(names) do
    if not has[name] and not (hidden and hidden[name]) then
      error(([[%s has '%s', of which the reference knows nothing: add { "%s", "TYPE", "what it ]]
        .. [[is" } to the class %s in bindings/schema/%s.lua, then run `make docs`]]
        ):format(class.kind or class_name, name, name, class_name, class.file), 0)
    end
  end
  for _, entry in ipairs(class.members) do
    if entry.name:match "^[%a_]" and not names[entry.name] then
      error(("%s has no '%s': take it out of the class %s in bindings/schema/%s.lua, "
        .. "then run `make docs`"):format(class.kind or class_name, entry.name, class_name,
        class.file), 0)
    end
  end
end

-- A record has the fields of its class; all of those that it must have.
local function is_record(class_name, record, hidden)
  local class, names = reference.by_class[class_name], {}
  assert.is_table(record, class_name)
  for name in pairs(record) do names[name] = true end
  for _, entry in ipairs(class.members) do
    if entry.optional then names[entry.name] = true end
  end
  agrees(class_name, names, hidden)
end

local function keys(list)
  local set = {}
  for name in pairs(list) do set[name] = true end
  return set
end

local jobs = orrery.jobs {
  { procs = 2, time = 10, user = "u", walltime = 20 }, { procs = 3, time = 5, submit = 1 },
}
local tasks = orrery.tasks.synthetic { n = 4 }
local problem = orrery.pack_problem { tasks = tasks, procs = 16, k = 2 }

describe("the reference", function()
  it("says what a name that it lacks is missing", function()
    local ok, message = pcall(agrees, "Random", { invented = true })
    assert.is_false(ok)
    assert.matches("bindings/schema/random.lua", message, 1, true)
  end)

  it("has the functions of the module", function()
    agrees("orrery", keys(orrery))
    agrees("TaskMakers", keys(orrery.tasks))
  end)

  it("has the fields and methods of objects", function()
    agrees("Jobs", known_by(nothing, jobs))
    agrees("Tasks", known_by(nothing, tasks))
    agrees("Random", known_by(nothing, orrery.random(1)))
    agrees("Problem", known_by(nothing, problem))
    agrees("Coschedule", known_by(nothing, problem:one_by_one()))
    agrees("Allocation", known_by(nothing, problem:allocation()))
    agrees("Partition", known_by(nothing, problem:partition(problem:one_by_one())))
  end)

  it("has the fields and methods of descriptions", function()
    local d = jobs:describe { procs = 4 }
    local all = { csv = d.csv, json = d.json }
    for name, value in pairs(d) do all[name] = value end
    is_record("LogDescription", all)
    is_record("LogSpread", d.width)
    is_record("LogShare", d.shares.user[1])
  end)

  it("has the fields and methods of sessions", function()
    agrees("Session", known_by(nothing, orrery.session { jobs = jobs, procs = 4 }))
    agrees("TaskSession", known_by(nothing, orrery.session { tasks = { n = 2 }, procs = 8 }))
  end)

  it("has the fields and methods of results", function()
    local of_jobs = orrery.compare { jobs = jobs, procs = 4 }
    local of_tasks = orrery.compare { tasks = { n = 4 }, procs = 16, k = 2, packs = "sorted-cuts" }
    local of_packs = orrery.packs { tasks = tasks, procs = 16 }
    local names = {}
    for _, source in ipairs { of_jobs, of_tasks, of_packs, getmetatable(of_jobs) } do
      for name in pairs(source) do names[name] = not name:match "^__" or nil end
    end
    agrees("Result", names, { kind = true, spec = true, k = true, machines = true })
    is_record("ResultPolicy", of_jobs.policies[1])
    is_record("ResultSet", of_jobs.sets[1])
    is_record("UserRow", of_jobs:users(1)[1])
    is_record("ResultPack", of_packs:packs()[1])
    is_record("ResultTask", of_packs:schedule()[1])
    is_record("Difference", of_jobs:difference(1, 1))
  end)

  it("has the fields and methods of what a search finds", function()
    local function runs(seed) return { runs = 5, seed = seed } end
    local greedy, names = { policy = "greedy", options = {} }, {}
    local found = orrery.search { policies = { greedy, { dispatch = function() error "no" end } },
      baselines = { "fcfs" }, training = runs(1), validation = runs(2), testing = runs(3),
      metric = "ratio", evaluations = 10, constraints = { { metric = "makespan", most = 2 } },
      fixed = { jobs = jobs, procs = 4, errors = { mean_probability = 0.3 } } }
    for _, source in ipairs { found, getmetatable(found) } do
      for name in pairs(source) do names[name] = not name:match "^__" or nil end
    end
    names.title = true -- where there is one
    agrees("Search", names, { sentence_of = true, fitting_of = true })
    is_record("SearchWinner", found.winner, { candidate = true })
    is_record("SearchDifference", found.differences[1])
    is_record("SearchKept", found.constraints[1])
    for _, part in ipairs { "training", "validation", "testing" } do
      is_record("SearchGain", found[part])
    end
    is_record("SearchFinalist", found.finalists[1])
    is_record("SearchSample", found.samples[1])
    is_record("SearchPoint", found.curve[1])
    is_record("SearchFailure", found.failed[1])
    local known = known_by(nothing, found)
    assert.is_true(known.sentence and known.policy)
  end)

  it("has the fields and methods of what differs", function()
    local a = orrery.session { jobs = jobs, procs = 4 }
    local b = orrery.session { jobs = jobs, procs = 5 }
    a:finish()
    b:finish()
    local c = orrery.session { tasks = { n = 4 }, procs = 40 }
    local d = orrery.session { tasks = { n = 4 }, procs = 42 }
    local of_jobs, of_tasks, names = orrery.diff(a, b), orrery.diff(c, d), {}
    for _, source in ipairs { of_jobs, of_tasks, getmetatable(of_jobs) } do
      for name in pairs(source) do names[name] = not name:match "^__" or nil end
    end
    agrees("Diff", names, { a = true, b = true, top = true, groups = true, titles = true })
    is_record("DiffMetric", of_jobs.metrics[1], { format = true })
    is_record("DiffJob", of_jobs.jobs[1])
    is_record("DiffTask", of_tasks.tasks[1])
  end)

  it("has the fields of what objects of jobs show", function()
    local session = orrery.session { jobs = jobs, procs = 4 }
    session:step()
    is_record("JobRecord", jobs[1])
    is_record("Day", jobs:days()[1] or { day = 1, jobs = jobs })
    is_record("GroupState", session.groups[1])
    is_record("Counts", session.counts)
    is_record("HistoryEntry", session:fork().history[1])
    is_record("JobState", session:job(1))
    is_record("Times", session:times())
    is_record("Attempt", session:schedule()[1])
    is_record("TimelineStep", session:timeline()[1])
    local quantiles = {}
    for _, entry in ipairs(orrery.tools.metrics().jobs.more) do quantiles[entry[1]] = true end
    is_record("JobMetrics", session:finish(), quantiles)
    is_record("UserRow", session:users()[1])
    local log = orrery.read(orrery.home .. "/data/mira/sample-2019-06.csv")
    is_record("Week", (log:weeks {})[1])
    is_record("Day", log:days()[1])
  end)

  it("has the fields of what objects of tasks show", function()
    local session = orrery.session { tasks = { n = 4 }, procs = 40, faults = { mtbf_years = 1 } }
    is_record("TaskState", session:task(1))
    is_record("Counts", session.counts)
    is_record("TaskMetrics", session:finish())
    is_record("Span", session:schedule()[1])
    is_record("Moment", session:allocation()[1])
    is_record("LoggedFault", session:faults()[1])
    is_record("TaskRecord", tasks[1])
    is_record("TaskRecord", orrery.tasks.list { { times = { 2, 1 } } }[1])
    local c = problem:one_by_one()
    is_record("Pack", c[1])
    is_record("PackingMetrics", c:metrics())
    is_record("Bounds", problem:bounds())
  end)

  it("has the fields of what functions return", function()
    is_record("Summary", orrery.summary { 1, 2 })
    is_record("SeriesMean", orrery.series_mean({ 1, 2, 3 }, { 1, 1, 1 }))
    is_record("LublinMeans", orrery.lublin_means())
    is_record("PolicyDescription", orrery.describe "easy")
    is_record("PolicyDescription", orrery.describe "end-local")
    is_record("ExpectedDetails", select(2, orrery.expected { procs = 4, time = 9, mtbf = 99,
      checkpoint = 1 }))
  end)

  it("has the fields of compare and session", function()
    agrees("CompareJobs", known_by(orrery.compare, NOTHING))
    agrees("SessionJobs", known_by(orrery.session, NOTHING))
    local of_tasks = known_by(orrery.compare, { tasks = { n = 2 }, nothing_of_this_name = 1 })
    for name in pairs(known_by(orrery.compare, { tasks = { n = 2 }, packs = "optimal",
      nothing_of_this_name = 1 })) do
      of_tasks[name] = true
    end
    agrees("CompareTasks", of_tasks)
    agrees("SessionTasks", known_by(orrery.session,
      { tasks = { n = 2 }, nothing_of_this_name = 1 }))
  end)

  it("has the fields of the tables that they take", function()
    local function of_jobs(name)
      return known_by(orrery.compare, { jobs = jobs, procs = 4, [name] = NOTHING })
    end
    agrees("Errors", of_jobs "errors")
    agrees("Limits", of_jobs "limits")
    agrees("NodeFailures", of_jobs "node_failures")
    agrees("JobSet", known_by(orrery.compare, { procs = 4, sets = { NOTHING } }))
    agrees("GivenPolicy", known_by(orrery.compare, { jobs = jobs, procs = 4,
      policy = { policy = "easy", nothing_of_this_name = 1 } }))
    local function of_tasks(name)
      return known_by(orrery.compare, { tasks = { n = 2 }, procs = 4, [name] = NOTHING })
    end
    agrees("Faults", of_tasks "faults")
    agrees("Costs", of_tasks "costs")
    agrees("DrawnTasks", of_tasks "tasks")
    agrees("LoggedFault", known_by(orrery.compare, { tasks = { n = 2 }, procs = 4,
      faults = { mtbf = 1, log = { NOTHING } } }))
    local given = known_by(orrery.compare, { tasks = { n = 2 }, procs = 4,
      policy = { on_end = "end-local", nothing_of_this_name = 1 } })
    given.policy = true -- the other form of it
    agrees("GivenRedistribution", given)
  end)

  it("has the options of all other functions", function()
    for class, run in pairs {
      ReadOptions = function() orrery.read("x", NOTHING) end,
      WeekOptions = function() jobs:weeks(NOTHING) end,
      SyntheticOptions = function() orrery.synthetic(NOTHING) end,
      MiraMonthOptions = function() orrery.mira_month(NOTHING) end,
      LublinOptions = function() orrery.lublin(NOTHING) end,
      WeeklyOptions = function()
        orrery.compare({ jobs = jobs, procs = 4, policies = { "easy", "fcfs" } }):weekly(1, 2,
          "wait_mean", NOTHING)
      end,
      RandomFields = function() orrery.random(NOTHING) end,
      TaskOptions = function() orrery.tasks.synthetic(NOTHING) end,
      SequentialOption = function() orrery.tasks.read("x", NOTHING) end,
      TaskRow = function() orrery.tasks.list { NOTHING } end,
      ExpectedOptions = function() orrery.expected(NOTHING) end,
      ProblemSpec = function() orrery.pack_problem(NOTHING) end,
      PacksSpec = function() orrery.packs(NOTHING) end,
      DiffOptions = function()
        local s = orrery.session { jobs = jobs, procs = 4 }
        orrery.diff(s, s, NOTHING)
      end,
    } do
      agrees(class, known_by(run))
    end
  end)

  it("has the fields of jobs that are given", function()
    for _, entry in ipairs(reference.by_class.JobRow.entries) do
      local row = { procs = 1, time = 1 }
      row[entry.name] = { {} } -- no field is such a table
      assert.is_false(pcall(orrery.jobs, { row }), entry.name)
    end
    for name in pairs(keys(jobs[1])) do
      assert.is_truthy(name == "area" or reference.by_class.JobRow.by_name[name], name)
    end
  end)

  -- What a policy's hook raises.
  local function with_policy(policy)
    return known_by(orrery.compare, { jobs = jobs, procs = 4, policy = policy })
  end

  local function with_redistribution(policy)
    return known_by(orrery.compare, { tasks = { n = 2 }, procs = 8, policy = policy })
  end

  it("has what policies say", function()
    agrees("Policy", with_policy(NOTHING))
    agrees("RedistributionPolicy", with_redistribution(NOTHING))
    agrees("PackPolicy", known_by(orrery.packs, { tasks = tasks, procs = 4, policy = NOTHING }))
    local list = { discipline = "list" }
    agrees("PolicyOption", with_policy { dispatch = list, options = { a = NOTHING } })
    agrees("PolicyGroup", with_policy { dispatch = list, groups = { NOTHING } })
    agrees("BackfillOrder", with_policy { dispatch = list, backfill = NOTHING })
    local discipline = {}
    for _, name in ipairs { "list", "fcfs", "shelf" } do
      local given = { discipline = name, nothing_of_this_name = 1 }
      for key in pairs(with_policy { dispatch = given }) do discipline[key] = true end
    end
    agrees("Discipline", discipline)
  end)

  it("has what policies see", function()
    agrees("Sim", with_policy(function(sim) return sim.nothing end))
    agrees("Job", with_policy(function(sim) return sim:waiting()().nothing end))
    agrees("GroupView", with_policy(function(sim) return sim:look("main").nothing end))
    agrees("TaskSim", with_redistribution { on_end = function(sim) return sim.nothing end })
    agrees("Task", with_redistribution { on_end = function(_, task) return task.nothing end })
  end)

  it("has the globals of the prompt", function()
    local folder, names = program.folder(), {}
    program.write(folder, "input", [[
_, lazy = debug.getupvalue(getmetatable(_G).__index, 1)
for name in pairs(lazy) do print("global " .. name) end
lazy = nil
for name in pairs(_G) do print("global " .. name) end
]])
    local command = "env -u LD_PRELOAD HOME='%s' XDG_STATE_HOME='%s' '%s' -i <'%s/input'"
    local pipe = assert(io.popen(command:format(folder, folder, program.path, folder)))
    for line in pipe:lines() do
      local name = line:match "^global (%S+)$"
      if name then names[name] = true end
    end
    assert.is_true(pipe:close())
    program.remove(folder)
    local lua = { orrery = true, arg = true }
    for _, name in ipairs { "_G", "_VERSION", "assert", "collectgarbage", "coroutine", "debug",
      "dofile", "error", "getmetatable", "io", "ipairs", "load", "loadfile", "math", "next", "os",
      "package", "pairs", "pcall", "print", "rawequal", "rawget", "rawlen", "rawset", "require",
      "select", "setmetatable", "string", "table", "tonumber", "tostring", "type", "utf8", "warn",
      "xpcall" } do
      lua[name] = true
    end
    agrees("Prompt", names, lua)
  end)

  it("gives every number a unit", function()
    for _, class in ipairs(reference.classes) do
      for _, entry in ipairs(class.entries) do
        local given = entry.returns and (entry.returns[1] or "") or entry.type
        if given:match "^fun%(" or given:match "^table" then given = "" end
        if (given .. "|"):match "number[?|]" or (given .. "|"):match "integer[?|]" then
          assert.is_string(entry.unit, ('%s.%s: say its unit, "" if it has none'):format(class.name,
            entry.name))
        end
      end
    end
  end)

  it("names only classes that are there, and every one of them", function()
    local named = { orrery = true }
    local function name(text)
      for one in text:gmatch "%f[%w]%u[%w_]+" do
        named[one] = true
      end
    end
    for _, class in ipairs(reference.classes) do
      for _, entry in ipairs(class.entries) do
        name(entry.type:gsub('"[^"]*"', ""))
        for _, overload in ipairs(entry.overloads or {}) do name(overload) end
      end
    end
    local there = {}
    for _, alias in ipairs(reference.aliases) do
      there[alias.name] = true
      name(alias.type)
    end
    for _, class in ipairs(reference.classes) do there[class.name] = true end
    for one in pairs(named) do assert.is_true(there[one], one .. " is no class") end
    -- given by values that say so themselves
    local free = { Policy = true, RedistributionPolicy = true, PackPolicy = true, JobsSpec = true,
      TasksSpec = true, Prompt = true }
    for one in pairs(there) do
      assert.is_truthy(named[one] or free[one], "nothing takes or gives a " .. one)
    end
  end)
end)

describe("the READMEs", function()
  local texts = {}
  for _, path in ipairs { "spec/API.md", "policies/README.md", "spec/METRICS.md" } do
    texts[path] = program.read(path)
  end

  for path, text in pairs(texts) do
    it("has the tables of the reference: " .. path, function()
      assert.is_true(markdown.update(reference, text, path) == text,
        path .. " is not what the reference says: run `make docs`")
    end)
  end

  it("has every class that has a table", function()
    local all = texts["spec/API.md"] .. texts["policies/README.md"]
    local function has(what)
      assert.is_truthy(all:find(("<!-- reference: %s -->"):format(what), 1, true)
        or all:find("`look([group])`", 1, true) and what == "GroupView",
        ("no README has <!-- reference: %s --> and <!-- end -->"):format(what))
    end
    for _, class in ipairs(reference.classes) do
      local groups = {}
      for _, entry in ipairs(class.entries) do groups[entry.group or ""] = true end
      for group in pairs((class.kind or class.head) and groups or {}) do
        has(group == "" and class.name or class.name .. " " .. group)
      end
    end
  end)

  it("has fields that one class takes from another, with what it says of them itself", function()
    local included = require "orrery.schema.included"
    local entries = included.entries { { "own", "integer" },
      { include = "runs.JobsSpec", "seed", "set", of = false, about = "a text", default = "7" } }
    local names = {}
    for i, entry in ipairs(entries) do names[i] = entry[1] end
    assert.same({ "own", "seed", "set" }, names)
    local seed
    for _, entry in ipairs(included.find "runs.JobsSpec") do
      if entry[1] == "seed" then seed = entry end
    end
    assert.same({ "integer?", "a text", nil, "7", seed.flag },
      { entries[2][2], entries[2][3], entries[2].of, entries[2].default, entries[2].flag })
    assert.same({ "c s", "1" }, { seed.of, seed.default })
    assert.has_error(function()
      included.entries { { include = "runs.JobsSpec", "nothing" } }
    end, "runs.JobsSpec has no field nothing")
  end)

  it("complains about a class that is not there", function()
    assert.has_error(function()
      markdown.update(reference, "<!-- reference: Nobody -->\n<!-- end -->\n", "a file")
    end, "a file: there is no class Nobody in the reference (bindings/schema/)")
  end)
end)
