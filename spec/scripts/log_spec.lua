-- `orrery log`: transcripts.
local json = require "dkjson"
local logs = require "spec.support.waited_log"
local program = require "spec.support.program"

describe("orrery log", function()
  local folder
  before_each(function()
    folder = program.folder()
    program.write(folder, "log.swf",
      logs.swf(logs.BY_HAND, 4, logs.MONDAY) .. "5 1 1 -1 1 -1 -1 1\n")
  end)
  after_each(function() program.remove(folder) end)

  it("says what is there and what is odd", function()
    local status, out, err = program.run(folder, "log log.swf")
    assert.same({ 0, "" }, { status, err })
    assert.equal(logs.SAID, (out:gsub("\nnote:.*", "")))
    for _, note in ipairs { "1 job is wider than the machine, the first is 4",
      "1 record is earlier than the record in front of it, at most by 10 s (job 3)",
      "5 processors were in use at once at 2002-07-29 22:01:50, on a machine of 4: --procs says",
      "1 job took longer than asked for", "1 job takes no time" } do
      assert.truthy(out:find(note, 1, true), note .. "\n" .. out)
    end
  end)

  it("says last whether EASY explains what happened, if the log tells when jobs started", function()
    assert.equal(0, (program.run(folder, "generate lublin --procs 64 --days 2 -o made.swf")))
    assert.equal(0, (program.run(folder, "replay made.swf --policy easy --walltimes log --quiet "
      .. "--schedule easy.swf")))
    local status, out, err = program.run(folder, "log easy.swf")
    assert.same({ 0, "" }, { status, err })
    assert.matches("^%d+ jobs, submitted ", out)
    local said = out:match "\nnote: (fidelity of easy: the simulation explains [^\n]*)\n$"
    assert.matches("100%% of the recorded waiting explained; rank correlation of waits 1.00", said)
    assert.same({ 0, "", "" }, { program.run(folder, "log easy.swf --quiet") })
    status, out = program.run(folder,
      "replay easy.swf --policy recorded --walltimes log --overrun extend")
    assert.equal(0, status)
    assert.equal(said, out:match "\nnote: (fidelity[^\n]*)\n")
    status, out = program.run(folder, "log made.swf")
    assert.equal(0, status)
    assert.is_nil(out:find("fidelity", 1, true))
  end)

  it("writes files #long", function()
    local status, _, err = program.run(folder,
      "log log.swf --csv a.csv --json a.json --plot a.png --report a.html")
    assert.same({ 0, "" }, { status, err })
    assert.truthy(json.decode(program.read(folder .. "/a.json")).shares)
    assert.truthy(program.read(folder .. "/a.html"):find("<svg", 1, true))
    assert.truthy(program.read(folder .. "/a.png"):find("PNG", 1, true))
    assert.equal("of,what,value", (program.read(folder .. "/a.csv"):match "^[^\n]*"))
  end)

  it("takes the options that say how a log is read, as weeks does", function()
    program.write(folder, "c.txt", "JobIDRaw;State;Submit;ElapsedRaw;NCPUS\n1;COMPLETED;"
      .. "2024-01-01T00:00:00;60;1\n2;FAILED;2024-01-01T00:00:00;60;1\n")
    local said = " c.txt --delimiter semicolon --rows State=COMPLETED --procs 1"
    assert.matches("^1 job,", select(2, program.run(folder, "log" .. said)))
    assert.matches("the busiest has", select(3, program.run(folder, "weeks" .. said)), 1, true)
    program.write(folder, "own.lua", program.read "spec/fixtures/dumps/format-own.lua")
    program.write(folder, "own.txt", program.read "spec/fixtures/dumps/format-own.txt")
    assert.matches("^2 jobs of 2 users", select(2, program.run(folder,
      "log own.txt --format ./own.lua")))
  end)

  it("refuses before it reads", function()
    assert.equal(2, (program.run(folder, "log log.swf --procs 0")))
    assert.equal(2, (program.run(folder, "log log.swf --csv none/a.csv")))
    assert.equal(2, (program.run(folder, "log nothing.swf")))
  end)
end)
