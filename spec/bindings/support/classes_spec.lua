-- Values of C: what all classes have in common.
local orrery = require "orrery"
local core = require "orrery.core"

local jobs = orrery.jobs { { procs = 2, runtime = 5 }, { procs = 1, runtime = 7 } }
local tasks = orrery.tasks.synthetic { n = 5 }
local problem = orrery.pack_problem { tasks = tasks, procs = 8 }
local coschedule = problem:one_by_one()

local VALUES = { ["orrery.jobs"] = jobs, ["orrery.tasks"] = tasks,
  ["orrery.random"] = orrery.random(1), ["orrery.packs.problem"] = problem,
  ["orrery.packs.coschedule"] = coschedule, ["orrery.packs.allocation"] = problem:allocation(),
  ["orrery.packs.partition"] = problem:partition(coschedule) }

describe("values of C", function()
  for name, value in pairs(VALUES) do
    it("name all that they have where a field is unknown: " .. name, function()
      local ok, problem_of = pcall(function() return value.nothing end)
      assert.is_false(ok)
      assert.is_truthy(problem_of:find("'nothing' (known: ", 1, true), problem_of)
      local known = problem_of:match "%(known: (.*)%)$"
      local _, methods = core.class(name)
      for method in pairs(methods) do
        assert.is_function(value[method])
        assert.is_truthy((" " .. known .. ","):find("[ ]" .. method .. ","), method)
      end
    end)

    it("do not show how they are made: " .. name, function()
      assert.is_string(getmetatable(value))
    end)
  end

  it("have items from 1 to their number, and nil behind the last", function()
    for _, value in ipairs { jobs, tasks, coschedule } do
      local count = 0
      for i, item in ipairs(value) do
        assert.same(item, value[i + 0.0])
        count = i
      end
      assert.equal(#value, count)
      assert.is_nil(value[0])
      assert.is_nil(value[#value + 1])
      assert.has_error(function() return value[1.5] end)
      assert.has_error(function() return value[true] end)
    end
  end)

  it("tell how to get others where they cannot be changed", function()
    assert.has_error(function() jobs[1] = {} end,
      "jobs can't be changed; make new ones with orrery.jobs")
    assert.has_error(function() tasks.x = 1 end,
      "tasks can't be changed; make new ones with orrery.tasks.list")
  end)
end)
