-- orrery machine FILE, and --machine FILE.
local orrery = require "orrery"
local program = require "spec.support.program"

local JOBS = orrery.jobs {
  { id = "a", submit = 0, procs = 4, runtime = 10, user = "ana" },
  { id = "b", submit = 0, procs = 2, runtime = 10, user = "ana" },
}

local TEXT = 'return { procs = 8, limits = { { most = { procs = 4 }, per = "user" }, "jobs=9" } }\n'

describe("the file of a machine", function()
  it("is read, not run, and an error where it is wrong #long", function()
    local folder = program.folder()
    JOBS:to_csv("plain", folder .. "/log.csv")
    local function run(text, arguments)
      program.write(folder, "m.lua", text)
      return program.run(folder, arguments)
    end
    local status, out = run(TEXT, "machine m.lua")
    assert.same({ 0, "processors  8\nlimits      procs/user=4\n            jobs=9\n" },
      { status, out })
    status, out = run(TEXT, "replay log.csv --policy easy --machine m.lua")
    assert.is_truthy(status == 0 and out:find "makespan +20 s", out)
    -- By hand: c waits for the only GPU, which a has until 10.
    program.write(folder, "gpus.csv", "id,submit,procs,runtime,gpu\na,0,2,10,1\nb,0,2,10,0\n"
      .. "c,0,2,10,1\n")
    status, out = run("return { procs = 8, pools = { gpu = 1 } }", "machine m.lua")
    assert.same({ 0, "processors  8\npools       gpu = 1\n" }, { status, out })
    status, out = run("return { procs = 8, pools = { gpu = 1 } }",
      "replay gpus.csv --policy easy --machine m.lua")
    assert.is_truthy(status == 0 and out:find "makespan +20 s", out)
    status, out = program.run(folder, "replay gpus.csv --policy easy --machine m.lua --pool gpu=2")
    assert.is_truthy(status == 0 and out:find "makespan +10 s", out)
    -- A limit of the machine may be on a user who has no job here; one that is asked for may not.
    status = run('return { limits = "jobs/user:eve=1" }',
      "replay log.csv --procs 8 --policy easy --machine m.lua")
    assert.equal(0, status)
    local other, _, problem = program.run(folder,
      "replay log.csv --procs 8 --limit jobs/user:eve=1")
    assert.same({ 2, "orrery: limit jobs/user:eve=1: no job has user 'eve'\n" }, { other, problem })
    -- What was simulated stands in the JSON.
    status = run('return { pools = { gpu = 1 }, limits = "jobs/user=1" }',
      "replay log.csv --procs 8 --policy easy --machine m.lua --json out.json --quiet")
    assert.equal(0, status)
    local of = require("dkjson").decode(program.read(folder .. "/out.json")).run
    assert.same({ "jobs/user=1", { gpu = 1 } }, { of.limit, of.pools })
    for text, message in pairs {
      ["return { pools = { gpu = -1 } }"] = "pools.gpu: expected a whole number of at least 0",
      ["return { procs = os.exit() }"] = "m.lua:1: column 18: expected a text, a number",
      ["return { procs = 8, procs = 9 }"] = "m.lua:1: column 28: expected a key that is new",
      ["return { procs = 2147483648 }"] = "m.lua: procs: expected at most 2147483646",
      ["return { limits = 'jobs=0' }"] = "m.lua: limit[1].most.jobs: expected a whole number",
      ["return { limits = 'procs/user:=3' }"] = "expected AMOUNT/KEY=MOST",
      ["return { limits = { x = 'jobs=3' } }"] = "expected a list of limits, found a table with",
      ["return { limits = { { most = { jobs = 2 }, per = 'user', only = true } } }"] =
        "m.lua: limit[1].only: expected the text of a label, found true",
      ["return { prcs = 8 }"] = "machine: m.lua: unknown field 'prcs', did you mean 'procs'?",
      ["return { procs = 0 }"] = "machine: m.lua: procs: expected a whole number of at least 1",
      ["return { limits = { 'procs/usr=4' } }"] = "found 'usr', did you mean 'user'?",
      ["return { nodes = {} }"] = "m.lua: nodes: expected a list of kinds as {",
    } do
      local failed, _, err = run(text, "machine m.lua")
      assert.is_truthy(failed ~= 0 and err:find(message, 1, true), err)
      failed, _, err = run(text, "replay log.csv --procs 8 --policy easy --machine m.lua")
      assert.is_truthy(failed ~= 0 and err:find(message, 1, true), err)
    end
    program.remove(folder)
  end)
end)
