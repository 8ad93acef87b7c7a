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
    refused("there is no policy '99' in this result", function() local _ = result:label(99) end)
  end)

  it("names the caller's line where it is of other things", function()
    for _, name in ipairs { "coschedule", "packs", "schedule", "write_schedule" } do
      refused("this result is not of packs", function() local _ = result[name](result) end)
    end
    refused("this result is of jobs and has no ends of tasks", function() result:ends(1, 1) end)
    refused("there is no set 7", function() result:jobs(1, "wait", 7) end)
  end)

  it("has no field that nobody gave it, and tells the one that is near", function()
    refused("a result has no 'nothing' (known: coschedule, csv,",
      function() local _ = result.nothing end)
    refused("a result has no 'seeed', did you mean 'seed'? (known: ",
      function() local _ = result.seeed end)
    assert.is_nil(result.partitions) -- other results have it
    assert.is_nil(rawget(result, "nothing"))
  end)
end)
