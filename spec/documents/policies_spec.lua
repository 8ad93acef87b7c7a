-- Every code block of the manual of policies runs, and every policy in it.
local orrery = require "orrery"

local documents = require "spec.support.documents"
local program = require "spec.support.program"

describe("policies/README.md", function()
  documents.describe_blocks(_ENV, "policies/README.md", 20, true)
  local found = {} -- the blocks that are policies
  for _, block in ipairs(documents.blocks "policies/README.md") do
    if block.language == "lua" and not documents.is_script(block) then found[#found + 1] = block end
  end
  local jobs = orrery.synthetic { count = 30, seed = 2 }

  -- A redistribution policy, whose schedule passes the checker.
  local function redistribute(code)
    local folder = program.folder()
    program.write(folder, "policy.lua", code)
    local session = orrery.session {
      tasks = { n = 8 }, procs = 80, faults = { mtbf_years = 10 }, policy = folder .. "/policy.lua",
    }
    program.remove(folder)
    assert.is_true(session:finish().redistributions > 0)
    assert.is_true(session:check())
  end

  -- A pack policy, whose co-schedule passes the checker.
  local function pack(code)
    local folder = program.folder()
    program.write(folder, "policy.lua", code)
    local result = orrery.packs { tasks = { n = 8 }, procs = 80, k = 3,
      policy = folder .. "/policy.lua" }
    program.remove(folder)
    assert.is_true(result:coschedule():check())
  end

  local function is_for_packs(policy)
    if type(policy) == "function" then policy = policy {} end
    return policy.pack ~= nil
  end

  local function is_for_tasks(policy)
    if type(policy) == "function" then policy = policy {} end
    local for_jobs = policy.dispatch ~= nil or policy.groups ~= nil
    return not for_jobs and (policy.on_end ~= nil or policy.on_fault ~= nil)
  end

  local function simulate(policy)
    local is_policy = type(policy) == "string" or policy.dispatch or policy.groups
    local result = orrery.compare {
      jobs = jobs, procs = 4000, runs = 20, errors = { mean_probability = 0.2 },
      origin = "2019-06-14 07:04", -- for those that read the calendar
      policy = is_policy and policy or "dispatch/easy", priority = not is_policy and policy or nil,
    }
    assert.is_true(result:summary(1).mean >= 1)
  end

  -- One with options, which is a file.
  local function simulate_file(code)
    local folder = program.folder()
    program.write(folder, "policy.lua", code)
    simulate(folder .. "/policy.lua")
    program.remove(folder)
  end

  it("has examples", function() assert.is_true(#found >= 10) end)

  for i, block in ipairs(found) do
    it(("example %d runs"):format(i), function()
      local value = assert(load(block.code))()
      if is_for_packs(value) then
        pack(block.code)
      elseif is_for_tasks(value) then
        redistribute(block.code)
      elseif type(value) == "function" then
        simulate_file(block.code)
      elseif value[1] then
        for _, discipline in ipairs(value) do simulate { dispatch = discipline } end
      else
        simulate(value)
      end
    end)
  end

  -- The policy of the block with this file name.
  local function example(file)
    for _, block in ipairs(found) do
      if block.file == file then return assert(load(block.code))() end
    end
    error("there is no " .. file)
  end

  local log = orrery.read(orrery.home .. "/data/mira/sample-2019-06.csv")

  it("says how EASY is written", function()
    local policies = { "dispatch/easy", example "easy-again.lua" }
    local function same(spec)
      spec.policies = policies
      local result = orrery.compare(spec)
      for _, metric in ipairs { "makespan", "wait_mean", "starts" } do
        assert.same(result:values(1, metric), result:values(2, metric))
      end
    end
    same { jobs = log:day "2019-06-06", batch = true, priority = "lpt", runs = 20,
      errors = { mean_probability = 0.05 } }
    same { jobs = log }
  end)

  it("shows an aging that changes something", function()
    local result = orrery.compare {
      jobs = log,
      policies = { "dispatch/easy",
        { policy = "dispatch/easy", priority = example "aging.lua" } },
    }
    local function hours(i, metric) return result:values(i, metric)[1] / 3600 end
    assert.equal("2.9 2.1 33 60", ("%.1f %.1f %.0f %.0f"):format(hours(1, "wait_mean"),
      hours(2, "wait_mean"), hours(1, "wait_max"), hours(2, "wait_max")))
  end)
end)
