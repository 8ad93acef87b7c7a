-- make bench-instructions: what it says of counts that changed. valgrind's double here counts what
-- the file `count` says.
local lfs = require "lfs"
local program = require "spec.support.program"

local FILE = "spec/bench/instructions.csv"

describe("the count of instructions", function()
  local folder

  local function run(count, note)
    program.write(folder, "count", count)
    local status, out, err = program.run(folder, program.home .. "/spec/bench/instructions.lua",
      ("PATH='%s':\"$PATH\" ORRERY_PROGRAM=orrery NOTE='%s'"):format(folder, note or ""))
    return status, out, err:gsub("^.-/instructions.lua: ", "")
  end

  before_each(function()
    folder = program.folder()
    lfs.mkdir(folder .. "/spec")
    lfs.mkdir(folder .. "/spec/bench")
    program.write(folder, "valgrind", ([[
#!/bin/sh
[ "$1" = --version ] && echo valgrind-3.0.1 && exit
case "$*" in *threshold*) cat '%s/count' ;; *) echo 'Collected : 5000' ;; esac
]]):format(folder))
    assert(os.execute(("chmod +x '%s/valgrind'"):format(folder)))
  end)
  after_each(function() program.remove(folder) end)

  it("is written with a note, and bears two percent", function()
    assert.equal(0, (run("Collected : 100000", "the first, one")))
    local written = program.read(folder .. "/" .. FILE)
    assert.matches('threshold,100000,"the first, one"\n', written, 1, true)
    for _, near in ipairs { "98000", "102000" } do
      assert.equal(0, (run("Collected : " .. near)))
      assert.equal(0, (run("Collected : " .. near, "no news")))
      assert.equal(written, program.read(folder .. "/" .. FILE))
    end
  end)

  it("is an error beyond, until a note says why; the other works keep theirs", function()
    run("Collected : 100000", "first")
    for _, far in ipairs { "97999", "102001" } do
      local status, out, err = run("Collected : " .. far)
      assert.equal(1, status)
      assert.matches("threshold +" .. far .. " [01]%.", out)
      assert.matches("over 2% from spec/bench/instructions.csv: threshold; ", err, 1, true)
    end
    assert.equal(0, (run("Collected : 97999", "second")))
    local written = program.read(folder .. "/" .. FILE)
    assert.matches("threshold,97999,second\n", written, 1, true)
    assert.matches("start,5000,first\n", written, 1, true)
  end)

  it("is not compared where it was counted with other tools", function()
    run("Collected : 100000", "first")
    local written = program.read(folder .. "/" .. FILE)
    program.write(folder, FILE, (written:gsub("valgrind 3.0.1", "valgrind 2.0")))
    local status, out = run("Collected : 1")
    assert.equal(0, status)
    assert.matches("^skipped: .- with .-valgrind 2%.0, and here is .-valgrind 3%.0%.1\n", out)
  end)

  it("is an error where a work fails", function()
    local status, _, err = run("orrery: no such policy", "first")
    assert.equal(1, status)
    assert.matches("orrery replay --policy redirect/threshold: orrery: no such policy", err, 1,
      true)
    assert.is_false(program.exists(folder .. "/" .. FILE))
  end)
end)
