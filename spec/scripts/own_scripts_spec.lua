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

  it("runs as it is, whatever it returns", function()
    for _, ending in ipairs { "", "return 5", "return { parser = 1 }", "return { run = print }" } do
      program.write(folder, "plain.lua", "print(..., arg[1], #arg) " .. ending)
      assert.same({ 0, "--q\t--q\t2\n", "" }, { program.run(folder, "plain.lua --q 7") })
    end
    program.write(folder, "broken.lua", "error 'oh'")
    assert.same({ 1, "", "orrery: broken.lua:1: oh\n" }, { program.run(folder, "broken.lua") })
    program.write(folder, "torn.lua", "print(")
    assert.same({ 1, "", "orrery: torn.lua:1: unexpected symbol near <eof>\n" },
      { program.run(folder, "torn.lua") })
  end)

  it("is a command when it returns one, as those that are shipped do", function()
    os.execute(("mkdir '%s/scripts'"):format(folder))
    program.write(folder, "scripts/double.lua", [[
      -- double: twice a number
      local command = require "orrery.command.command"
      local parser = require "argparse"("orrery double", "Doubles.")
      parser:argument("n"):convert(command.integer("n"))
      return command.new(parser, function(given)
        if given.n == 3 then command.fail("not %d", given.n) end
        print(2 * given.n)
      end)
    ]])
    local function double(arguments)
      return { program.run(folder, arguments, ("ORRERY_PATH='%s'"):format(folder)) }
    end
    assert.same({ 0, "14\n", "" }, double "double 7")
    assert.same({ 1, "", "orrery: not 3\n" }, double "double 3")
    assert.same({ 2, "", "orrery: n: expected a whole number, found 'x'\n"
      .. "`orrery double --help` lists the options\n" }, double "double x")
    assert.matches("\nDoubles.\n", double("help double")[2], 1, true)
  end)
end)

describe("the script of a command", function()
  it("returns its description, its parser and its run, and runs nothing", function()
    local folder = program.folder()
    program.write(folder, "load.lua", [[
      for _, one in ipairs(orrery.tools.commands()) do
        arg = { [0] = one.path, "--nothing-like-this" }
        local module = dofile(one.path)
        assert(module.about == module.parser._description and #module.about > 20, one.name)
        assert(type(module.run) == "function", one.name)
        assert(module.parser:get_help():find("^Usage: orrery " .. one.name:gsub("%-", "%%-")))
        print(one.name)
      end
    ]])
    local status, out, err = program.run(folder, "load.lua")
    program.remove(folder)
    assert.same({ 0, "" }, { status, err })
    assert.equal(22, select(2, out:gsub("\n", "")))
  end)
end)
