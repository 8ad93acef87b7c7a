-- How many files an addition touches (bindings/README.md): each is planted in a copy of the tree,
-- which is built and shows it.
local program = require "spec.support.program"

-- Per addition what stands behind which text of a file; false: it is a new file.
local ADDITIONS = {
  ["a field of `sim`"] = {
    ["bindings/host/views_jobs.c"] = { "#define SIM_FIELDS(F) ", [[ \
    F(twice, "number", "s", "two times the clock", lua_pushnumber,                                 \
      2 * orr_rigid_look(orr_host_check_running(L, host, NULL)).now) ]] },
  },
  ["a field of a job"] = {
    ["bindings/host/views_jobs.c"] = { "#define JOB_FIELDS(F) ", [[ \
    F(planted, "integer", NULL, "its position, negative", lua_pushinteger, -(lua_Integer)job) ]] },
  },
  ["a numeric column of a job"] = {
    ["kernel/workload/jobs.h"] = { "#define ORR_PAYS(PAY) ", [[ \
    PAY(fee) ]] },
    ["bindings/schema/labels.lua"] = { "  pays = {\n",
      '    { "fee", "number?", "a planted fee", unit = "s" },\n' },
  },
  ["a metric of jobs"] = {
    ["kernel/schedule/metrics.h"] = { "#define ORR_METRICS(METRIC) ", [[ \
    METRIC(double, half, "", "half of the ratio") ]] },
    ["kernel/schedule/metrics.c"] = { " ? 1 : m->makespan / m->lower_bound;\n",
      "    m->half = m->ratio / 2;\n" },
  },
  ["a log format"] = {
    ["scripts/formats/planted.lua"] = { false, [[return { about = "a planted log",
      delimiter = ";", signs = { "planted_id" }, columns = { id = "planted_id", submit = "came",
        runtime = "took", procs = "width" } }]] },
  },
  ["an option of comparisons"] = {
    ["bindings/schema/runs.lua"] = {
      '60); seconds, or 10m.]], kind = "duration", positive = true } },\n', [[
    { "detector", "number?", "more verification", of = "c s", default = "0", unit = "s",
      flag = { "--detector T", "More verification (default: 0).", kind = "duration" } },
]] },
    ["bindings/run/jobs.c"] = { "    o.instance.verification = orr_lua_number_option(L, index, "
      .. '"verification", 0);\n',
      '    o.instance.verification += orr_lua_number_option(L, index, "detector", 0);\n' },
  },
}

-- A kind of policy that packs tasks in an order of its own, each pack as full as it can be.
local A_KIND = { ["a kind of policy"] = {
  ["bindings/schema/policy_kinds.lua"] = { "local policy_kinds = {\n", [[
  { name = "order", of = "packs", stands_for = "pack", what = "an order of tasks",
    starts = "which tasks are packed first", hooks = { "rank" }, signs = { "rank" },
    keys = { "name", "about", "source", "options", "rank", "caches" },
    makes = function(hooks)
      return { pack = function(problem)
        local ranks, order, packs, used = {}, {}, {}, math.huge
        for task = 1, #problem do
          order[task], ranks[task] = task, hooks.rank(problem, task)
        end
        table.sort(order, function(a, b)
          if ranks[a] ~= ranks[b] then return ranks[a] < ranks[b] end
          return a < b
        end)
        for _, task in ipairs(order) do
          used = used + problem:least(task)
          if used > problem.procs or #packs[#packs] == problem.k then
            packs[#packs + 1], used = {}, problem:least(task)
          end
          table.insert(packs[#packs], task)
        end
        return packs
      end }
    end },
]] },
  ["scripts/command/new_policy/order.lua"] = { false, [[
-- NAME: an order of tasks.
return {
  name = "NAME",
  about = "The longest task first.",
  rank = function(problem, task) return -problem:time(task, problem:least(task)) end,
}
]] },
  ["scripts/command/new_policy/order_spec.lua"] = { false, [[
  it("packs the longest task first", function()
    local tasks = orrery.tasks.list { { times = { 10 } }, { times = { 100 } }, { times = { 80 } } }
    local result = orrery.packs { tasks = tasks, procs = 2, policy = policy }
    assert.same({ { 2, 3 }, { 1 } }, result:coschedule():packs())
  end)
]] },
} }

local LOG = "planted_id;came;took;width\na;0;10;2\nb;1;5;2\nc;2;4;1\n"

-- The text with something behind its first `place`.
local function behind(text, place, more)
  local _, last = text:find(place, 1, true)
  assert(last, place)
  return text:sub(1, last) .. more .. text:sub(last + 1)
end

describe("an addition", function()
  local folder

  before_each(function() folder = program.folder() end)
  after_each(function() program.remove(folder) end)

  -- Builds a copy of the tree with these additions, of which the page says how many files they are.
  local function build(additions)
    assert(os.execute(("cp -a kernel bindings scripts policies data Makefile .ci build orrery "
      .. "orrery.so '%s'"):format(folder)))
    local page = program.read "bindings/README.md"
    for what, files in pairs(additions) do
      local count = 0
      for path, change in pairs(files) do
        count = count + 1
        program.write(folder, path, change[1]
          and behind(program.read(folder .. "/" .. path), table.unpack(change)) or change[2])
      end
      assert.is_number(page:find(("%s %d"):format(what, count), 1, true), what)
    end
    local built = os.execute(("cd '%s' && env -u LD_PRELOAD make -j2 WERROR=-Werror ./orrery >said "
      .. "2>&1"):format(folder))
    assert.is_true(built, program.read(folder .. "/said"):sub(-3000))
  end

  local function run(words)
    local pipe = assert(io.popen(("cd '%s' && env -u LD_PRELOAD -u ORRERY_HOME ./orrery %s 2>&1")
      :format(folder, words)))
    local text = pipe:read "a"
    pipe:close()
    return text
  end

  local function is_sanitized() return os.getenv "ASAN_OPTIONS" or os.getenv "TSAN_OPTIONS" end

  it("touches as many files as the page says, is built and is there #long", function()
    if is_sanitized() then return pending "not with a sanitizer" end
    build(ADDITIONS)
    program.write(folder, "planted.csv", LOG)
    program.write(folder, "paid.csv", "id,submit,procs,runtime,fee\na,0,1,1,\nb,0,1,1,1.5\n")
    program.write(folder, "sees.lua", [[return { dispatch = function(sim)
      for job in sim:fitting() do
        assert(sim.twice == 2 * sim.now and job.planted == 1 - job.position)
        sim:start(job)
      end
    end }]])
    program.write(folder, "shows.lua", [[
      local orrery = require "orrery"
      local jobs = orrery.read "planted.csv"
      local function compared(more)
        more.jobs, more.procs, more.policy = jobs, 2, "./sees.lua"
        return orrery.compare(more)
      end
      local one, other = compared { detector = 3 }, compared { verification = 3 }
      print(#jobs, one:values(1, "half")[1] == one:values(1, "ratio")[1] / 2,
        one:values(1, "makespan")[1] == other:values(1, "makespan")[1],
        orrery.help("metrics"):find("half of the ratio", 1, true) ~= nil,
        orrery.read("paid.csv")[2].fee, orrery.jobs({ { procs = 1, runtime = 1, fee = 2 } }):csv(),
        orrery.help("JobRow"):find("a planted fee", 1, true) ~= nil,
        orrery.help("sim.twice"):find("two times the clock", 1, true) ~= nil)
    ]])
    assert.equal("3\ttrue\ttrue\ttrue\t1.5\tid,submit,procs,runtime,fee\n1,0,1,1,2\n\ttrue\t"
      .. "true\n", run "shows.lua")
    assert.matches("half", run("compare planted.csv --procs 2 --policy easy --policy fcfs "
      .. "--detector 3 --metric half"), 1, true)
  end)

  it("of a kind of policy is found, made, checked, refused, completed, searched #long", function()
    if is_sanitized() then return pending "not with a sanitizer" end
    build(A_KIND)
    assert.matches("kinds: order, priority, dispatch,", run "new-policy x y", 1, true)
    assert.equal("policies/order/mine.lua\npolicies/order/mine_spec.lua\ntry: orrery check "
      .. "policies/order/mine.lua\n", run "new-policy order mine -o policies/order")
    local checked = run "check mine --runs 16"
    assert.matches('^mine: an order of tasks, "mine"\n16 random workloads of 8 kinds', checked)
    assert.matches("\nmine: nothing wrong found\n", checked)
    assert.matches("\norder/mine +The longest task first%.\n", run "policies")
    assert.matches("mine\n", run "completion --words -- pack --policy mi", 1, true)
    program.write(folder, "counts.lua", [[
      local count = 0
      return { rank = function() count = count + 1; return count end }
    ]])
    assert.matches("FAILS: nothing is kept outside of sim.state", run "check counts.lua --runs 8",
      1, true)
    program.write(folder, "both.lua", "return { rank = math.max, pack = math.max }")
    assert.matches("unknown key 'pack' (known: name, about,", run "check both.lua", 1, true)
    program.write(folder, "none.lua", "return { rank = 3 }")
    assert.matches("rank must be a function, it is a number", run "check none.lua", 1, true)
    program.write(folder, "jobs.csv", "id,submit,procs,runtime\na,0,1,1\n")
    assert.matches("'mine' is an order of tasks (order/mine), for tasks; jobs want a dispatch "
      .. "policy", run "replay jobs.csv --procs 2 --policy mine", 1, true)
    program.write(folder, "sorts.lua", [[return function(options)
      return { options = { sign = { default = 1, least = -1, most = 1, whole = true } },
        rank = function(problem, task) return options.sign * problem:time(task, 1) end }
    end]])
    program.write(folder, "orders.lua", [[
      local orrery = require "orrery"
      local tasks = orrery.tasks.list { { times = { 9 } }, { times = { 99 } }, { times = { 80 } } }
      local function packs(policy)
        local result = orrery.packs { tasks = tasks, procs = 2, policy = policy }
        return orrery.tools.json(result:coschedule():packs())
      end
      print(packs "mine" .. packs { rank = function(_, task) return task end }
        .. orrery.describe("mine").kind)
      orrery.search({ kind = "order", metric = "cost", seed = 1, evaluations = 100,
        policies = { { policy = "./sorts.lua", vary = { sign = { least = -1, most = 1 } } } },
        baselines = { "./sorts.lua" }, fixed = { tasks = { n = 9 }, procs = 16, k = 3 },
        training = { runs = 8 }, validation = { runs = 8 }, testing = { runs = 20 },
      }):policy "found.lua"
      local found = orrery.describe "./found.lua"
      print(found.kind, found.options.sign.default)
    ]])
    assert.equal("[[2,3],[1]]\n[[1,2],[3]]\norder\norder\t-1\n", run "orders.lua")
  end)
end)
