-- The examples: each runs, and its last number is what it says.
local orrery = require "orrery"
local program = require "spec.support.program"

describe("orrery examples", function()
  local folder

  setup(function() folder = program.folder() end)
  teardown(function() program.remove(folder) end)

  local function names()
    local list = {}
    for name in program.listing(program.home .. "/scripts/examples"):gmatch "([%w_-]+)%.lua" do
      list[#list + 1] = name
    end
    return list
  end

  local function text_of(name)
    return program.read(("%s/scripts/examples/%s.lua"):format(program.home, name))
  end

  it("lists them with what their first lines say", function()
    local expected = {}
    for i, name in ipairs(names()) do
      local about = text_of(name):match("^%-%- " .. name:gsub("%-", "%%-") .. ": ([^\n]+)\n")
      expected[i] = ("%-15s  %s\n"):format(name, about)
    end
    assert.is_true(#expected >= 4)
    assert.same({ 0, table.concat(expected), "" }, { program.run(folder, "examples") })
    assert.same({ 2, "", "orrery: there is no example 'burts', did you mean 'burst'?\n" },
      { program.run(folder, "examples burts") })
  end)

  -- What they print is held against the README by the spec of READMEs.
  it("say how they are run, here and in the README", function()
    local readme = program.read(program.home .. "/scripts/examples/README.md")
    for _, name in ipairs(names()) do
      assert.matches(("\n--   orrery examples %s [--quick]\n"):format(name), text_of(name), 1, true)
      assert.matches(("\n```sh\n./orrery examples %s\n```\n"):format(name), readme, 1, true)
    end
  end)

  for _, name in ipairs(names()) do
    it("runs the quick form of " .. name .. ", whose numbers have intervals #long", function()
      local status, out, err = program.run(folder, ("examples %s --quick"):format(name))
      assert.same({ 0, "" }, { status, err })
      assert.is_truthy(out:find "%d%%? ± +%d" or out:find "%d %(%d of %d, [+-]%d+%.%d+ to ")
      assert.same({ 0, out, "" }, { program.run(folder, ("examples/%s --quick"):format(name)) })
    end)
  end

  it("five-lines: the wait that it saves is the paired difference", function()
    local _, out = program.run(folder, "examples five-lines --quick")
    local result = orrery.compare {
      jobs = orrery.read("sample-2019-06"):day "2019-06-14", batch = true, runs = 30,
      errors = { mean_probability = 0.1 }, policy = "easy", priority = "lpt",
    }
    local mine = orrery.compare {
      jobs = orrery.read("sample-2019-06"):day "2019-06-14", batch = true, runs = 30,
      errors = { mean_probability = 0.1 }, policy = "easy",
      priority = function(job) return job.time < 900 and 1e9 or job.time end,
    }
    local d = orrery.summary_paired(mine:values(1, "wait_mean"), result:values(1, "wait_mean"))
    assert.matches(("makes the mean wait %.2f ± %.2f h shorter"):format(d.mean / 3600,
      d.half_width / 3600), out)
  end)

  it("maintenance: what an afternoon costs is the sum of the waits, day by day #long", function()
    local log = orrery.read "sample-2019-06"
    local function starts(session)
      session:finish()
      local list = {}
      for _, attempt in ipairs(session:schedule()) do list[attempt.position] = attempt.start end
      return list
    end
    local hours = {}
    for i = 1, 3 do
      local day = log:days()[i].day
      local session = orrery.session { jobs = log, policy = "dispatch/easy" }
      session:run_until(day .. " 12:00")
      local drained = starts(session:fork {
        procs = { procs = log.machine_procs // 2, ["until"] = day .. " 18:00" },
      })
      hours[i] = 0
      for j, start in ipairs(starts(session)) do
        hours[i] = hours[i] + (drained[j] - start) / 3600
      end
    end
    local s = orrery.summary(hours)
    local _, out = program.run(folder, "examples maintenance --quick")
    assert.matches(("\nSuch an afternoon costs %.1f ± %.1f h of waiting, over 3 days: "
      .. "from %.1f h to %.1f h.\n"):format(s.mean, s.half_width, s.min, s.max), out, 1, true)
  end)

  it("checkpoint-cost: redistribution pays where the makespans say so", function()
    local _, out = program.run(folder, "examples checkpoint-cost --quick")
    local pays, ended = {}, {}
    for _, cost in ipairs { 30, 10, 3, 1, 0.3, 0.1 } do
      local result = orrery.compare {
        tasks = { n = 20 }, procs = 200, faults = { mtbf_years = 5, downtime = 60 }, runs = 30,
        costs = { checkpoint = cost, bandwidth = 0.05 },
        policies = { "none", "end-local", "end-greedy+iterated-greedy" },
      }
      for i = 2, 3 do
        local shares, without = {}, result:values(1, "makespan")
        for k, makespan in ipairs(result:values(i, "makespan")) do
          shares[k] = makespan / without[k] - 1
        end
        local s = orrery.summary(shares)
        ended[i] = ended[i] or s.mean + s.half_width >= 0
        if not ended[i] then pays[i] = cost end
      end
    end
    assert.matches(("\n\nend-local pays from %g s per unit on\n"
      .. "end-greedy+iterated-greedy pays from %g s per unit on\n$"):format(pays[2], pays[3])
      :gsub("[+-]", "%%%0"), out)
  end)

  it("spare-nodes: redirection is better from the fewest nodes on that make it so", function()
    local log, enough = orrery.read "sample-2019-06", nil
    for _, share in ipairs { 0.2, 0.05 } do
      local weekly = orrery.compare {
        jobs = log, load = 1.2, equal_procs = false, policies = { "dispatch/easy",
          { policy = "redirect/threshold", options = { alpha = share, theta = 10 } } },
      }:weekly(1, 2, "bsld_mean")
      if weekly.lower < weekly.count then break end
      enough = math.floor(share * log.machine_procs + 0.5)
    end
    local _, out = program.run(folder, "examples spare-nodes --quick")
    local answer = "\nRedirection is better than EASY alone, in every week, from %d spare nodes on "
    assert.matches(answer:format(enough), out, 1, true)
  end)

  it("burst: a fault on a task that recovers has no effect, and is not counted", function()
    local _, out = program.run(folder, "examples burst --quick")
    local hit = tonumber(out:match "In the last run (%d+) of the 12 faults hit a task")
    assert.is_true(hit >= 1 and hit <= 12)
  end)
end)
