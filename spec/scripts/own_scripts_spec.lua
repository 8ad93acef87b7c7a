-- Scripts of a user's own: they run as they are, beside what Orrery ships.
local program = require "spec.support.program"

describe("a script of one's own", function()
  local folder

  before_each(function() folder = program.folder() end)
  after_each(function() program.remove(folder) end)

  it("has its own lib/, also in a sweep", function()
    os.execute(("mkdir '%s/lib'"):format(folder))
    program.write(folder, "lib/csv.lua", "return { mine = 17 }")
    program.write(folder, "mine.lua", "print(require('lib.csv').mine)")
    assert.same({ 0, "17\n", "" }, { program.run(folder, "mine.lua") })
    program.write(folder, "grid.lua", [[
      local orrery = require "orrery"
      return { axes = { { "seed", { require("lib.csv").mine, 18 } } },
        fixed = { jobs = orrery.synthetic { count = 5 }, procs = 3000, policy = "easy" } }
    ]])
    assert.same({ 0, "2 cells: out/results.csv\n", "" },
      { program.run(folder, "sweep grid.lua -o out --threads 2") })
    assert.matches("\n1,17,", program.read(folder .. "/out/results.csv"))
  end)

  it("learns what modules of commands are called now", function()
    for old, new in pairs { csv = "csv", rows = "result_rows", ["sweep.store"] = "sweep.store" } do
      program.write(folder, "old.lua", ("require 'lib.%s'"):format(old))
      local status, out, err = program.run(folder, "old.lua")
      assert.same({ 1, "" }, { status, out })
      assert.matches(("'lib.%s' is called 'orrery.command.%s' now"):format(old, new), err, 1, true)
      program.write(folder, "new.lua", ("require 'orrery.command.%s'"):format(new))
      assert.same({ 0, "", "" }, { program.run(folder, "new.lua") })
    end
    program.write(folder, "none.lua", "require 'lib.nothing'")
    local _, _, err = program.run(folder, "none.lua")
    assert.is_nil(err:find("is called", 1, true))
  end)
end)
