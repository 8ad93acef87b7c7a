-- What a result answers to who asks for something that it has not.
local orrery = require "orrery"

describe("a result that is asked for what is not there", function()
  local result = orrery.compare { jobs = orrery.synthetic { count = 5 }, procs = 3000 }

  -- The message names the line here, however deep the method is that finds out.
  local function refused(message, ask)
    local line = debug.getinfo(ask, "S").linedefined
    local done, problem = pcall(ask)
    assert.is_false(done)
    local at, text = problem:match "results_spec%.lua:(%d+): (.*)$"
    assert.equal(line, tonumber(at), problem)
    assert.equal(message, text:sub(1, #message))
  end

  it("names the caller's line, and what there is", function()
    local known = " (known: ratio, makespan, lower_bound, wait_mean,"
    refused("there is no metric 'x'" .. known, function() local _ = result:values(1, "x") end)
    refused("there is no metric 'wait_men', did you mean 'wait_mean'?" .. known,
      function() local _ = result:summary(1, "wait_men") end)
    refused("wait_p50 was not asked for: give quantiles = true",
      function() local _ = result:set_means(1, "wait_p50") end)
    refused("there is no policy 'x' in this result", function() local _ = result:summary("x") end)
  end)
end)
