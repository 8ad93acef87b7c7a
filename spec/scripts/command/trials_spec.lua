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
end)
