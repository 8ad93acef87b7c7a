-- The trials of a policy by `orrery check`.
local orrery = require "orrery"

local trials = require "orrery.command.check.trials"

describe("Trials", function()
  local properties, interrupted = trials.properties, orrery.tools.interrupted

  after_each(function()
    trials.properties, orrery.tools.interrupted = properties, interrupted
  end)

  it("end with the word about it when Ctrl-C comes as one of them has gone well", function()
    trials.properties = { { name = "served", run = function() end } }
    local function run()
      return trials.run({ kind = "dispatch" }, { spec = { seed = 1 }, number = 1 }, error)
    end
    assert.is_true(select(2, run()).served)
    orrery.tools.interrupted = function() return true end
    assert.error(run, "interrupted")
  end)

  it("find that a run differs when it is repeated, and stop there", function()
    local workload = { number = 1,
      spec = { seed = 1, jobs = orrery.synthetic { count = 40 }, procs = 3000 } }
    -- What the sessions of the first trial run is one policy, what those behind run is another.
    local function problems(first, second)
      local sessions, list = 0, {}
      local subject = setmetatable({ kind = "dispatch" }, { __index = function()
        sessions = sessions + 1
        return { policy = sessions <= 3 and first or second }
      end })
      local _, tried = trials.run(subject, workload, function(name, problem)
        list[#list + 1] = name .. ": " .. problem
      end)
      return list, tried
    end
    assert.same({}, (problems("fcfs", "fcfs")))
    local list, tried = problems("fcfs", "easy")
    assert.equal(1, #list)
    assert.matches("^repeated: %d+ starts at .+ where %d+ started at ", list[1])
    assert.same({ served = true, checked = true, repeated = true, kept = true }, tried)
  end)
end)
