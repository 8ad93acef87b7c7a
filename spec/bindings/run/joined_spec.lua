-- compare over machines and walltimes: every number is that of the comparison of its own, pairs are
-- the same scenario and set, labels say what differs.
local dkjson = require "dkjson"
local orrery = require "orrery"
local program = require "spec.support.program"

describe("orrery compare over machines and walltimes", function()
  local folder
  setup(function()
    folder = program.folder()
    orrery.lublin { procs = 64, days = 15, load = 0.8, seed = 3, walltimes = 2 }
      :to_csv("swf", folder .. "/log.swf")
  end)
  teardown(function() program.remove(folder) end)

  local function run(words)
    return program.run(folder, "compare log.swf " .. words)
  end

  local function json(words)
    local status, out, err = run(words .. " --quiet --json -")
    assert.same({ 0, "" }, { status, err })
    return (dkjson.decode(out))
  end

  -- The metrics and differences of `joined` are those of `alone`, a comparison for each variant.
  local function same(joined, alone)
    local at = 0
    for _, one in ipairs(alone) do
      for _, policy in ipairs(one.policies) do
        at = at + 1
        assert.same(policy.metrics, joined.policies[at].metrics)
      end
    end
    assert.equal(at, #joined.policies)
  end

  it("has the numbers of each alone, with failures and in weeks #long", function()
    for _, words in ipairs { "--q 0.005 --runs 12", "--by week" } do
      local both = "--policy easy --policy fcfs " .. words
      local joined = json(both .. " --procs 64 --procs 80")
      same(joined, { json(both .. " --procs 64"), json(both .. " --procs 80") })
      assert.same({ "easy, 64 processors", "fcfs, 64 processors", "easy, 80 processors",
        "fcfs, 80 processors" }, { joined.policies[1].policy, joined.policies[2].policy,
        joined.policies[3].policy, joined.policies[4].policy })
      assert.equal(80, joined.policies[3].procs)
      joined = json(both .. " --walltimes log --walltimes runtime")
      same(joined, { json(both .. " --walltimes log"), json(both .. " --walltimes runtime") })
      assert.equal("runtime", joined.policies[4].walltimes)
      assert.equal("easy, walltimes log", joined.policies[1].policy)
    end
  end)

  it("pairs the same scenarios", function()
    assert.equal(0, (run "--policy easy --q 0.005 --runs 9 --procs 64 --procs 80 --csv o.csv"))
    local values, sum, squares = { {}, {} }, 0, 0
    for size, scenario, ratio in program.read(folder .. "/o.csv"):gmatch
      '"easy, (%d+) processors",fcfs,all,(%d+),[^,]*,[^,]*,([^,]*)' do
      values[size == "64" and 1 or 2][tonumber(scenario)] = tonumber(ratio)
    end
    for s = 1, 9 do sum = sum + values[2][s] - values[1][s] end
    for s = 1, 9 do squares = squares + (values[2][s] - values[1][s] - sum / 9) ^ 2 end
    local d = json("--policy easy --q 0.005 --runs 9 --procs 64 --procs 80").policies[2]
      .ratio_against_first
    assert.near(sum / 9, d.mean, 1e-12)
    assert.near(math.sqrt(squares / 8), d.sd, 1e-12)
  end)

  it("has walltimes as users ask for them, which the scheduler then knows", function()
    local log = orrery.read(folder .. "/log.swf")
    local result = orrery.compare { jobs = log:user_estimates { seed = 1 }, walltimes = "log",
      policies = { "easy" } }
    local joined = json "--policy easy --walltimes users --walltimes runtime"
    assert.equal(result:summary(1, "wait_mean").mean, joined.policies[1].metrics.wait_mean.mean)
    assert.not_equal(joined.policies[2].metrics.wait_mean.mean,
      joined.policies[1].metrics.wait_mean.mean)
  end)

  it("says in table and report what differs #long", function()
    local _, out = run "--policy easy --procs 64 --procs 80 --walltimes log --walltimes runtime"
    assert.matches("^%d+ jobs on 64 and 80 processors, 1 scenario each", out)
    for _, label in ipairs { "64 processors, walltimes log", "64 processors, walltimes runtime",
      "80 processors, walltimes log", "80 processors, walltimes runtime" } do
      assert.matches("\neasy, " .. label .. " ", out)
    end
    assert.equal(0, (run "--policy easy --procs 64 --procs 80 --report o.html"))
    local page = program.read(folder .. "/o.html")
    assert.matches("easy, 80 processors", page)
    assert.not_matches("is not the one that was simulated", page)
  end)

  it("refuses what it does not go with", function()
    local function refused(words, message)
      assert.same({ 2, "", "orrery: " .. message .. "\n" }, { run(words) })
    end
    refused("--policy easy --procs 64", "compare wants at least two: give --policy, --priority, "
      .. "--procs, --walltimes, --pool or --machine more than once")
    refused("--procs 64 --procs 80 --precision 1%", "--precision and several --procs exclude each "
      .. "other")
    refused("--walltimes log --walltimes users --clairvoyant", "--clairvoyant and several "
      .. "--walltimes exclude each other")
  end)
end)
