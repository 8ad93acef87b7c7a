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

local LOG = "planted_id;came;took;width\na;0;10;2\nb;1;5;2\nc;2;4;1\n"

-- The text with something behind its first `place`.
local function behind(text, place, more)
  local _, last = text:find(place, 1, true)
  assert(last, place)
  return text:sub(1, last) .. more .. text:sub(last + 1)
end

describe("an addition", function()
  it("touches as many files as the page says, is built and is there #long", function()
    if os.getenv "ASAN_OPTIONS" or os.getenv "TSAN_OPTIONS" then
      return pending "not with a sanitizer"
    end
    local folder = program.folder()
    finally(function() program.remove(folder) end)
    assert(os.execute(("cp -a kernel bindings scripts policies data Makefile .ci build orrery "
      .. "orrery.so '%s'"):format(folder)))
    local page, said = program.read "bindings/README.md", 0
    for what, files in pairs(ADDITIONS) do
      local count = 0
      for path, change in pairs(files) do
        count = count + 1
        program.write(folder, path, change[1]
          and behind(program.read(folder .. "/" .. path), table.unpack(change)) or change[2])
      end
      assert.is_truthy(page:find(("%s %d"):format(what, count), 1, true), what)
      said = said + 1
    end
    assert.equal(6, said)
    local built = os.execute(("cd '%s' && env -u LD_PRELOAD make -j2 WERROR=-Werror ./orrery >said "
      .. "2>&1"):format(folder))
    assert.is_true(built, program.read(folder .. "/said"):sub(-3000))

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
    local function run(words)
      local pipe = assert(io.popen(("cd '%s' && env -u LD_PRELOAD -u ORRERY_HOME ./orrery %s 2>&1")
        :format(folder, words)))
      local text = pipe:read "a"
      pipe:close()
      return text
    end
    assert.equal("3\ttrue\ttrue\ttrue\t1.5\tid,submit,procs,runtime,fee\n1,0,1,1,2\n\ttrue\t"
      .. "true\n", run "shows.lua")
    assert.matches("half", run("compare planted.csv --procs 2 --policy easy --policy fcfs "
      .. "--detector 3 --metric half"), 1, true)
  end)
end)
