-- From parsed options to the printed table each stage of `compare` calls the next with a value: it
-- passes seldom from file to file, and loads nothing that it does not use.
local program = require "spec.support.program"

describe("compare", function()
  -- The crossings, the files, and the loaded modules in one text.
  local function way_of(arguments)
    local status, out, err = program.run(program.home, "spec/support/crossings.lua compare "
      .. "--policy greedy --policy easy --day 2019-06-14 " .. arguments)
    assert.same({ 0, "" }, { status, err })
    local crossings, files, modules = out:match "\ncrossings (%d+), files (%d+)\n(.*)$"
    return tonumber(crossings), tonumber(files), modules
  end

  -- There were 43 files and 295 crossings where every call of a method went through another file,
  -- values were summarised again for each cell, and all that a comparison might need was loaded.
  -- Half of these were left; which jobs are counted, and what few runs cannot exclude, took three
  -- more.
  it("crosses few files on its way, each few times", function()
    local crossings, files = way_of "--metric ratio --q 0.05 --runs 20"
    assert.is_true(crossings <= 150, crossings .. " crossings")
    assert.is_true(files <= 33, files .. " files")
  end)

  it("loads neither pictures nor what no option asks for", function()
    local _, _, modules = way_of "--q 0.05 --runs 20"
    assert.truthy(modules:find("orrery.run.results", 1, true))
    for _, module in ipairs { "draw", "session", "search", "run%.precision", "run%.crash_report",
      "run%.account", "values%.windows", "values%.checkpoints", "values%.node_failures",
      "support%.json" } do
      assert.is_nil(modules:match("orrery%." .. module .. "[%w_.]*"))
    end
  end)

  it("loads it where an option asks for it", function()
    local _, _, modules = way_of "--node-mtbf 5y --node-repair 4h"
    assert.truthy(modules:find("orrery.values.node_failures", 1, true))
    _, _, modules = way_of "--metric ratio --precision 0.5 --runs 256 --q 0.05"
    assert.truthy(modules:find("orrery.run.precision", 1, true))
  end)
end)
