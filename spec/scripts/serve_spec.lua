-- `orrery serve --stdio`: a call from another language gives what the same call gives in Lua, and
-- nothing that it sends ends the process.
local orrery = require "orrery"
local dkjson = require "dkjson"
local index = require "orrery.reference.index"
local objects = require "orrery.reference.objects"
local program = require "spec.support.program"
local rounds = require "spec.support.rounds"
local serve = require "orrery.program.serve"

local JOBS = { count = 20, seed = 3 }
local TASKS = { n = 6, seed = 2 }

-- --- what is called -----------------------------------------------------------------------------

-- How to make a value of each kind: `o` calls, in Lua or through the server.
local MAKE = {}
function MAKE.jobs(o) return o("synthetic", JOBS) end
function MAKE.description(o) return o("describe", nil, MAKE.jobs(o)) end
function MAKE.tasks(o) return o("tasks.synthetic", TASKS) end
function MAKE.problem(o) return o("pack_problem", { tasks = MAKE.tasks(o), procs = 12, k = 3 }) end
MAKE["co-schedule"] = function(o) return o("one_by_one", nil, MAKE.problem(o)) end
function MAKE.allocation(o) return o("allocation", nil, MAKE.problem(o)) end
function MAKE.partition(o)
  local problem = MAKE.problem(o)
  return o("partition", { o("coschedule", { { { 1, 2 }, { 3, 4 }, { 5, 6 } } }, problem) }, problem)
end
function MAKE.result(o)
  return o("compare", { jobs = MAKE.jobs(o), procs = 2000, policies = { "easy", "fcfs" } })
end
MAKE["result of tasks"] = function(o)
  return o("compare", { tasks = MAKE.tasks(o), procs = 40, faults = { mtbf = 2e9 }, runs = 2 })
end
MAKE["result of packs"] = function(o)
  return o("packs", { tasks = MAKE.tasks(o), procs = 12, k = 3 })
end
function MAKE.session(o)
  local s = o("session", { jobs = MAKE.jobs(o), procs = 2000, policy = "easy" })
  return o("run_until", { 5000 }, s)
end
MAKE["session of tasks"] = function(o)
  local s = o("session", { tasks = MAKE.tasks(o), procs = 40, faults = { mtbf = 2e9 } })
  return o("run_until", { 100000 }, s)
end
function MAKE.difference(o)
  local s = MAKE.session(o)
  return o("diff", { s, o("finish", nil, o("fork", { policy = "fcfs" }, s)) and s })
end
local function search_of(o)
  return { policies = { "easy", "easy-sjf" }, baselines = { "fcfs" }, metric = "flow_mean",
    fixed = { jobs = MAKE.jobs(o), procs = 2000, errors = { mean_probability = 0.05 } },
    training = { runs = 3 }, validation = { runs = 3 }, testing = { runs = 5 } }
end
function MAKE.search(o) return o("search", search_of(o)) end
function MAKE.random(o) return o("random", { 5 }) end

-- The arguments of what needs some, a list; "@name" is a file of that name. A function stands for
-- arguments that are values, as in MAKE.
local NUMBERS = { 3, 1, 4, 1, 5, 9, 2, 6 }
local ARGS = {
  orrery = {
    read = { "@jobs.csv" }, weeks = { "@weeks.csv", { procs = 4000 } },
    jobs = { { { procs = 1, runtime = 5 }, { procs = 2, runtime = 3, submit = 1, id = "é" } } },
    synthetic = { JOBS }, mira_month = { { count = 343, days = 2 } },
    lublin = { { days = 1 } }, lublin_means = {},
    expected = { { time = 100, procs = 4, mtbf = 1e6, checkpoint = 1 } },
    pack_problem = function(o) return { { tasks = MAKE.tasks(o), procs = 12 } } end,
    packs = function(o) return { { tasks = MAKE.tasks(o), procs = 12 } } end,
    compare = function(o) return { { jobs = MAKE.jobs(o), procs = 2000, policy = "easy" } } end,
    session = function(o) return { { jobs = MAKE.jobs(o), procs = 2000 } } end,
    search = function(o) return { search_of(o) } end,
    diff = function(o) return { MAKE.session(o), MAKE.session(o) } end,
    describe = { "easy" }, random = { { seed = 3, entity = 2 } },
    summary = { NUMBERS }, summary_paired = { NUMBERS, { 1, 2, 3, 4, 5, 6, 7, 8 } },
    student_quantile = { 0.975, 7 }, half_width = { 7, 1, 0.5, 0.9 }, machine = { { procs = 4 } },
    quantiles = { NUMBERS, { 0.1, 0.5 } },
    quantile_interval = { NUMBERS, 0.5 }, signed_rank = { NUMBERS },
    series_mean = { NUMBERS, { 1, 1, 2, 2, 1, 1, 1, 3 } }, help = { "jobs:day" },
    ["tasks.synthetic"] = { TASKS }, ["tasks.read"] = { "@tasks.csv" },
    ["tasks.list"] = { { { m = 5 }, { id = "b", m = 7, profile = "amdahl", f = 0.1 } } },
  },
  jobs = {
    ["[]"] = { 2 }, day = { 0 }, week = { "2019-W24" }, between = { 0, 10 }, position = { "7" },
    seconds = { "2019-06-14 00:00:00" }, date = { 5 }, load = { 2 }, slices = { { days = 1 } },
    to_csv = { "swf", "@out.swf" }, plot = { "@plot.svg" }, report = { "@report.html" },
    values = { "area" }, user_estimates = { { share = 0.8 } },
  },
  tasks = { ["[]"] = { 1 }, time = { 1, 4 }, to_csv = { "@tasks-out.csv" } },
  problem = {
    time = { 1, 2 }, least = { 1 }, procs_for = { 1, 1e6 }, one_pack = { { 1, 2 } },
    cost = { { 1, 2 } }, costs = { { 1, 2 } }, make_pack = { { 2, 2, 2, 2, 2, 2 } },
    cut = { { 1, 2, 3, 4, 5, 6 } }, coschedule = { { { 1, 2, 3 }, { 4, 5, 6 } } },
    write_lp = { "@problem.lp" }, partition = function(o)
      local problem = MAKE.problem(o)
      return { o("one_by_one", nil, problem) }, problem
    end,
  },
  ["co-schedule"] = { ["[]"] = { 1 }, pack_of = { 2 }, procs_of = { 2 }, gantt = { "@c.svg" },
    show = { { text = true, width = 60, height = 9 } } },
  allocation = { procs = { 1 }, time = { 1 }, requested = { 5 }, grow = { 0.5 },
    pack_cost = { 1e12 }, take = { 1 }, take_fullest = { 1 }, rewind = { 0 } },
  partition = { pack_cost = { 1 }, pack_of = { 1 }, move_gain = { 1, 2 }, swap_gain = { 1, 3 },
    best_move = { 1 }, best_swap = { 1 }, move = { 1, 2 }, swap = { 1, 5 } },
  result = {
    values = { "fcfs", "wait_mean" }, set_means = { 1, "wait_mean" }, samples = { 1, "ratio" },
    summary = { "easy", "ratio" }, difference = { 1, 2 }, jobs = { 1, "wait" }, users = { 1 },
    resources = { 1 },
    weekly = { 1, 2 }, plot = { "@result.svg" }, report = { "@result.html" }, label = { 1 },
    index = { "fcfs" }, ends = { 1, 1 },
  },
  session = {
    step = { 2 }, run_until = { 9000 }, run_before = { 9500 }, break_at = { { time = 12000 } },
    back_to = { 4000 }, clock = { 5 }, seconds = { "6h" }, gantt = { "@s.svg" },
    show = { { text = true, width = 60, height = 9 } }, plot = { "@s-plot.svg" },
    change = { { procs = 2100 } }, submit = { { procs = 3, runtime = 8 } },
    fork = { { cancel = { "20" } } }, job = { "3" }, why = { 20 },
  },
}
local function submit_task(o)
  local s = o("change", { procs = 60 }, MAKE["session of tasks"](o))
  return { { m = 1e6 } }, s
end
ARGS["session of tasks"] = setmetatable({ submit = submit_task, fork = { { seed = 5 } },
  change = { { procs = 44 } }, back_to = { "start" }, task = { 1 }, gantt = { "@t.svg" },
  plot = { "@t-plot.svg" } }, { __index = ARGS.session })
ARGS.difference, ARGS.description = {}, {}
ARGS.search = { report = { "@search.html" } }
ARGS.random = { integer = { 1, 6 }, exponential = { 5 }, weibull = { 0.7, 3 },
  lognormal = { 1, 2 }, gamma = { 2, 3 }, geometric = { { q = 0.2 } }, advance = { 10 } }

-- --- comparing ----------------------------------------------------------------------------------

-- The path of the first difference between an answer and a value of Lua; nil: there is none.
local function difference(answer, value, at)
  if answer == dkjson.null then answer = nil end
  local kind = objects.kind_of(value)
  if type(value) == "number" and value - value ~= 0 then value = nil end
  if kind then
    return not (type(answer) == "table" and answer.kind == kind and answer.handle) and at or nil
  elseif type(value) ~= "table" then
    local lost = type(value) == "function" or type(value) == "userdata"
    return (answer ~= value or math.type(answer) ~= math.type(value)
      and not (type(value) == "number" and value % 1 == 0)) and not lost and at or nil
  elseif type(answer) ~= "table" then
    return at
  end
  for _, one in ipairs { value, answer } do
    for key in next, one do
      if type(key) == "string" or math.type(key) == "integer" and type(value[key]) ~= "nil" then
        local found = difference(answer[key], value[key], at .. "." .. key)
        if found and key ~= "dropped" then return found end
      end
    end
  end
end

describe("orrery serve", function()
  local folder
  setup(function()
    folder = program.folder()
    for _, side in ipairs { "lua", "json" } do
      assert(os.execute(("mkdir '%s/%s'"):format(folder, side)))
      program.write(folder, side .. "/jobs.csv", "id,procs,runtime\na,2,5\nb,1,3\n")
      program.write(folder, side .. "/weeks.csv", orrery.lublin { days = 15, procs = 64 }:csv())
      program.write(folder, side .. "/tasks.csv", "id,m\na,5\nb,7\n")
    end
  end)
  teardown(function() program.remove(folder) end)

  -- Files of one side.
  local function paths(list, side)
    local copy = {}
    for i, item in ipairs(list) do
      copy[i] = type(item) == "string" and item:gsub("^@", folder .. "/" .. side .. "/") or item
    end
    return copy
  end

  -- Calls in Lua as a request does.
  local function in_lua(call, with, on)
    local f = on ~= nil and on[call] or on == nil and (orrery.tasks[call:match "^tasks%.(.+)" or 1]
      or orrery[call])
    local list = (with == nil or next(with) == nil) and {} or with[1] == nil and { with } or with
    if on ~= nil then return f(on, table.unpack(list)) end
    return f(table.unpack(list))
  end

  local function request(server, given)
    local answer = assert(dkjson.decode(server:reply(dkjson.encode(given)), 1, dkjson.null))
    if answer.error then error(given.call .. ": " .. answer.error.message, 0) end
    return answer.result
  end

  -- The same through a server.
  local function through(server)
    return function(call, with, on)
      local result = request(server, { call = call, with = with, on = on and on.handle })
      return result.handle and { handle = result.handle } or result
    end
  end

  -- Whatever a call gives, as one value: a list where the schema has several.
  local function packed(entry, results)
    if #(entry.returns or {}) < 2 then return results[1] end
    return { table.unpack(results, 1, #entry.returns) }
  end

  local function entry_of(of, call)
    if of == "orrery" and call:find "^tasks%." then
      return index.by_class.TaskMakers.by_name[call:sub(7)]
    end
    for _, class in ipairs(index.classes) do
      for _, entry in ipairs(class.kind == of and class.members or {}) do
        if entry.name == call then return entry end
      end
    end
  end

  -- Both sides of a call. `kind` is how the value is made.
  local function compare(of, call, kind)
    local server, entry = serve.new(), entry_of(of, call)
    local make = through(server)
    local args = ARGS[of][call] or {}
    local lua_args, lua_on, json_args, json_on = args, nil, args, nil
    if type(args) == "function" then
      lua_args, lua_on = args(in_lua)
      json_args, json_on = args(make)
    end
    if of ~= "orrery" then
      lua_on, json_on = lua_on or MAKE[kind](in_lua), json_on or MAKE[kind](make)
    end
    local value
    if not entry.params then
      if call == "[]" then value = lua_on[args[1]]
      elseif call == "#" then value = #lua_on
      else value = (lua_on or orrery)[call] end
    else
      value = packed(entry, { in_lua(call, paths(lua_args, "lua"), lua_on) })
    end
    local answer = request(server, { call = call, on = json_on and json_on.handle,
      with = json_args[1] ~= nil and paths(json_args, "json") or nil })
    local where = difference(answer, value, of .. ":" .. call)
    assert.is_nil(where, where and ("%s: %s"):format(where, dkjson.encode(answer):sub(1, 300)))
    for i, path in ipairs(paths(lua_args, "lua")) do
      if type(path) == "string" and path:find(folder, 1, true) then
        assert.equal(program.read(path), program.read(paths(json_args, "json")[i]), path)
      end
    end
  end

  local SKIPPED = { -- of these jobs and results, an error that says so
    ["jobs:week"] = "calendar", ["jobs:seconds"] = "calendar", ["result:ends"] = "of jobs",
    ["result:ends_csv"] = "of jobs", ["result:coschedule"] = "not of packs",
    ["result:packs"] = "not of packs", ["result:schedule"] = "not of packs",
    ["result:write_schedule"] = "not of packs", ["jobs:weeks"] = "week",
    ["session:measure"] = "finish", ["session:users"] = "finish",
    ["session:resources"] = "finish",
    -- how long it took
    ["search:seconds"] = "seconds", ["search:json"] = "json", ["search:report"] = "seconds",
  }

  it("gives what Lua gives, for all that the schema has", function()
    local calls, kinds = request(serve.new(), { call = "calls" }), {}
    assert.is_true(#calls > 250)
    local step = rounds(1, 1, 5) -- all calls, or every fifth one
    for i, one in ipairs(calls) do
      local name = one.of .. ":" .. one.call
      kinds[one.of] = true
      if one.of ~= "serve" and i % step == 0 then
        local done, problem = pcall(compare, one.of, one.call, one.of)
        local expected = SKIPPED[name]
        if expected then
          assert.is_false(done, name)
          assert.matches(expected, tostring(problem), 1, true)
        else
          assert.is_true(done, name .. ": " .. tostring(problem))
        end
      end
    end
    for kind in pairs(ARGS) do assert.is_true(kinds[kind], kind) end
  end)

  -- What the program answers to lines, as a list; its exit status and standard error.
  local function served(text)
    program.write(folder, "requests", text)
    local _, _, status = os.execute(("cd '%s' && env -u LD_PRELOAD '%s' serve --stdio <requests "
      .. ">answers 2>problems"):format(folder, program.path))
    local answers, lines = {}, program.read(folder .. "/answers")
    for line in lines:gmatch "[^\n]*\n" do
      answers[#answers + 1] = assert(dkjson.decode(line, 1, dkjson.null), line)
    end
    assert(lines == "" or lines:sub(-1) == "\n")
    return answers, status, program.read(folder .. "/problems")
  end

  it("answers in order, with the id, and keeps values under numbers and names", function()
    local answers, status, err = served [[
{"id":"a","call":"synthetic","with":{"count":3},"as":"log"}
{"id":2,"call":"#","on":"log"}
{"id":3,"call":"session","with":{"jobs":{"handle":1},"procs":2000},"as":"s"}
{"id":4,"call":"step","with":[1]}
{"id":5,"call":"release","on":"s"}
{"id":6,"call":"now","on":"s"}
{"call":"now"}
]]
    assert.same({ 0, "" }, { status, err })
    assert.same({ id = "a", result = { handle = 1, kind = "jobs" } }, answers[1])
    assert.same({ id = 2, result = 3 }, answers[2])
    assert.same({ handle = 2, kind = "session" }, answers[3].result)
    assert.is_true(answers[4].result[1])
    assert.same({ id = 5, result = dkjson.null }, answers[5])
    assert.same({ id = 6, error = { message = "there is no handle 's'" } }, answers[6])
    assert.matches("orrery has no 'now'", answers[7].error.message, 1, true)
    assert.equal(7, #answers)
  end)

  it("carries the JSON of --json with a result, bit for bit", function()
    local answers = served [[{"call":"compare","with":{"jobs":{"handle":1},"procs":9}}
{"call":"synthetic","with":{"count":20,"seed":3}}
{"call":"compare","with":{"jobs":{"handle":1},"procs":2000,"policies":["easy","fcfs"]}}
]]
    local text = orrery.compare { jobs = orrery.synthetic(JOBS), procs = 2000,
      policies = { "easy", "fcfs" } }:json()
    assert.same(dkjson.decode(text).policies, answers[3].result.value.policies)
    assert.equal("there is no handle 1", answers[1].error.message)
  end)

  it("says what is wrong with a line, and where, and goes on #long", function()
    local deep = ("["):rep(101) .. ("]"):rep(101)
    for _, case in ipairs {
      { "nonsense", "no JSON: line 1, column 8: invalid token near 'nonsense'" },
      { '{"id":1,"call":NaN}', "no JSON: line 1, column 18: invalid token near 'NaN'" },
      { '{"a":1,"a":2}', "duplicate object key" }, { '{"id":1e999}', "column 11: real number" },
      { '{"id":99999999999999999999}', "column 26: too big integer" },
      { '{"call":"x","with":' .. deep .. "}", "more than 100 deep: line 1, column 119" },
      { ("["):rep(100000), "column 2049: maximum parsing depth" },
      { '{"call":"\xff"}', "column 9: unable to decode byte 0xff" }, { "[1]", "is an object" },
      { "", "no JSON: line 1" }, { "5", "is an object" }, { "null", "is an object" },
      { '{"call":7}', "call: expected text, found number" },
      { '{"call":"version","on":{}}', "on: expected text or a number, found table" },
      { '{"call":"version","wiht":1}', "unknown field 'wiht', did you mean 'with'?" },
      { '{"id":1}', "`call` is missing" }, { '{"call":"sumary"}', "did you mean 'summary'?" },
      { '{"call":"summary","with":{"lst":[1]}}', "no argument 'lst', did you mean 'list'?" },
      { '{"call":"summary","with":[[1],2]}', "summary takes 1 arguments, not 2" },
      { '{"call":"summary","with":[[1,null]]}', "cannot hold null, as number 2" },
      { '{"call":"version","with":[1]}', "version is a field and takes no arguments" },
      { '{"call":"filter","on":1}', "there is no handle 1" },
      { '{"call":"compare","with":{"prosc":1}}', "compare: unknown field 'prosc'" },
    } do
      local answers, status = served(case[1] .. '\n{"id":2,"call":"summary","with":[[1,2]]}\n')
      assert.equal(0, status)
      assert.is_truthy(answers[1].error.message:find(case[2], 1, true),
        case[2] .. " is not in: " .. answers[1].error.message)
      assert.equal(1.5, answers[2].result.mean)
    end
  end)

  it("takes no line above 64 MiB, and skips it #long", function()
    local answers, status = served(('{"call":"%s"}\n'):format(("x"):rep(64 << 20))
      .. '{"id":2,"call":"version"}')
    assert.equal(0, status)
    assert.equal("the line has 67108875 bytes; column 67108864 is the last that is read",
      answers[1].error.message)
    assert.equal(orrery.version, answers[2].result)
  end)

  it("is not ended by an endless policy, nor by one that prints", function()
    program.write(folder, "endless.lua",
      'return { name = "endless", dispatch = function() while true do end end }')
    program.write(folder, "prints.lua",
      'return { name = "prints", priority = function(job) print("{") return job.procs end }')
    local answers, status, err = served([[
{"call":"synthetic","with":{"count":3}}
{"call":"compare","with":{"jobs":{"handle":1},"procs":2000,"policy":"./endless.lua",]]
    .. [["limits":{"seconds":0.05}}}
{"call":"session","with":{"jobs":{"handle":1},"procs":2000,"priority":"./prints.lua"}}
{"call":"finish"}
{"call":"show"}
]])
    assert.equal(0, status)
    assert.matches("policy ./endless.lua: dispatch at time 0", answers[2].error.message, 1, true)
    assert.is_number(answers[4].result.makespan)
    assert.equal(5, #answers)
    assert.matches("{\n", err, 1, true)
    assert.matches("3 jobs on 2000 processors", err, 1, true) -- what `show` prints
  end)

  it("ends at Ctrl-C, while it waits and while it computes #long", function()
    for _, last in ipairs { '{"call":"version"}', '{"call":"synthetic","with":{"count":50}}\n'
      .. '{"call":"compare","with":{"jobs":{"handle":1},"procs":3000,"threads":1,'
      .. '"runs":5000000}}' } do
      program.write(folder, "requests", last .. "\n")
      local pipe = assert(io.popen(([[cd '%s' && env -u LD_PRELOAD timeout 120 sh -c '
        rm -f in out; mkfifo in; "%s" serve --stdio <in >out 2>problems & pid=$!
        exec 3>in; cat requests >&3
        until [ -s out ]; do sleep 0.05; done; sleep 0.3
        kill -INT $pid; wait $pid; echo $?']]):format(folder, program.path)))
      local status = pipe:read "a"
      pipe:close()
      assert.equal("130\n", status)
      assert.equal("orrery: interrupted\n", program.read(folder .. "/problems"))
    end
  end)

  it("is ended by no random line", function()
    local seeds = { '{"id":1,"call":"summary","with":[[1,2,3.5e2,-4]]}', '{"call":"version"}',
      '{"id":"x","call":"synthetic","with":{"count":3},"as":"a"}',
      '{"call":"day","on":"a","with":{"day":0}}', '{"call":"release","on":"a"}',
      '{"call":"quantiles","with":{"list":[1,2],"probabilities":[0.5]}}',
      '{"call":"session","with":{"jobs":{"handle":"a"},"procs":2000}}', '{"call":"step"}',
      '{"call":"change","with":{"cancel":["1"]}}', '{"call":"why","with":["2"]}' }
    local rng, lines = orrery.random(11), {}
    local bits = { '"', "{", "}", "[", "]", ",", ":", "\\", "null", "-", "\0", "\xff", "handle" }
    local count = rounds(10000, nil, 209)
    for i = 1, count do
      local line = seeds[rng:integer(1, #seeds)]
      for _ = 1, rng:integer(0, 4) do
        local at = rng:integer(1, #line + 1)
        local stop = at + rng:integer(0, 3) - 1
        local by = rng:integer(1, 3) > 1 and bits[rng:integer(1, #bits)]
          or string.char(rng:integer(0, 255)):gsub("[%d\n]", "")
        line = line:sub(1, at - 1) .. by .. line:sub(stop + 1)
      end
      lines[i] = (line:gsub("\n", ""))
    end
    local answers, status = served(table.concat(lines, "\n") .. "\n")
    assert.same({ 0, count }, { status, #answers })
    local fine = 0
    for _, answer in ipairs(answers) do
      assert.is_true((answer.result ~= nil) ~= (answer.error ~= nil))
      fine = fine + (answer.error and 0 or 1)
    end
    assert.is_true(fine > count / 20 and fine < count / 1.5, tostring(fine))
  end)

  it("is driven by the example in Python, with its standard library alone #long", function()
    if not os.execute "command -v python3 >/dev/null" then pending "there is no python3" end
    local pipe = assert(io.popen(("env -u LD_PRELOAD python3 '%s/scripts/examples/client.py' '%s'")
      :format(program.home, program.path)))
    local text = pipe:read "a"
    assert.is_true(pipe:close())
    local jobs = orrery.synthetic { count = 30, seed = 7 }
    local result = orrery.compare { jobs = jobs, procs = 2000, policies = { "easy", "fcfs" },
      runs = 20, errors = { mean_probability = 0.1 } }
    local s = orrery.session { jobs = jobs, procs = 2000, policy = "easy" }:run_until(20000)
    assert.equal(("%-14s %.4f\n%-14s %.4f\n%s\nend: %.0f s\n"):format(result.policies[1].name,
      result:summary(1).mean, result.policies[2].name, result:summary(2).mean,
      s:why(s:waiting()[1].id).text, s:fork({ policy = "fcfs" }):finish().makespan), text)
    local lines = 0
    for line in io.lines(program.home .. "/scripts/examples/client.py") do
      lines = lines + (line and 1 or 0)
    end
    assert.is_true(lines <= 60)
  end)

  it("wants to be told how", function()
    local status, out, err = program.run(folder, "serve")
    assert.same({ 2, "", "orrery: give --stdio: there is no other way to serve\n" },
      { status, out, err })
  end)
end)
