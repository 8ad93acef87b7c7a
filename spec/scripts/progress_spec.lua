-- The line on a terminal that says how far a command is.
local program = require "spec.support.program"

local folder

-- What the command shows on a terminal.
local function seen(arguments)
  local pipe = assert(io.popen(([[cd '%s' && env -u LD_PRELOAD XDG_CONFIG_HOME=/nonexistent \
    script -qec "'%s' %s" /dev/null]]):format(folder, program.path, arguments)))
  local text = pipe:read "a"
  pipe:close()
  return text
end

describe("the progress of a command", function()
  before_each(function()
    folder = program.folder()
    program.write(folder, "log.csv", "id,submit,procs,time\na,0,1,10\nb,5,1,10\n")
  end)
  after_each(function() program.remove(folder) end)

  local line = "\r\27[K"

  it("is on a terminal from the beginning, and erased at the end", function()
    local text = seen "replay log.csv --procs 1 --schedule 's.csv'"
    local counted = line .. "0/1 simulations" .. line .. "1/1 simulations" .. line
    local _, stop = text:find(counted .. "2 jobs on", 1, true)
    assert.truthy(stop, text)
    assert.truthy(text:find(line .. "writing s.csv ..." .. line .. "wrote s.csv", stop, true), text)
    text = seen "replay log.csv --procs 1 --gantt 's.svg'"
    assert.truthy(text:find(counted .. line .. "recording the schedule ..." .. line .. "2 jobs on",
      1, true), text)
    text = seen "generate synthetic --count 5 -o new.csv"
    assert.equal(line .. "generating ..." .. line .. line .. "writing new.csv ..." .. line
      .. "wrote new.csv: 5 jobs, plain\r\n", text)
  end)

  it("says that a large log is read #long", function()
    local file = assert(io.open(folder .. "/log.csv", "a"))
    file:write("c,9,1,10", (" "):rep(1000), "\n")
    local row = ("d%d,9,1,10" .. (" "):rep(1000) .. "\n")
    for i = 1, 20000 do file:write((row:format(i))) end
    file:close()
    local text = seen "log log.csv --procs 1 --quiet"
    assert.equal("", text)
    text = seen "log log.csv --procs 1"
    assert.truthy(text:find("^\r\27%[Kreading log%.csv, 20 MB %.%.%.\r\27%[K"), text)
  end)

  it("is there before the first step of what lasts #long", function()
    local line_of = line:gsub("%[", "%%[")
    local command = "conform --case all-nodes-fail --policy fcfs --command 'exit 77'"
    assert.matches("^" .. line_of .. "all%-nodes%-fail, fcfs %.%.%." .. line_of .. "case  ",
      seen(command))
    assert.equal("", seen(command .. " --quiet | grep -v '[a-z]'"))
    assert.matches("^" .. line_of .. "simulations %.%.%." .. line_of .. "%d+/9 simulations",
      seen "redistribute --n 3 --procs 9 --runs 9 --policy none")
    assert.matches("^" .. line_of .. "preparing %.%.%." .. line_of .. line_of
      .. "0/%d+ simulations", seen "reproduce learned --quick --out out")
    assert.matches("^[^\r]+\r\n" .. line_of .. "simulations %.%.%." .. line_of .. "%d+/%d+ sim",
      seen "reproduce policies --quick --test error-aware --out tests")
  end)

  it("has no control characters of names", function()
    local text = seen "generate synthetic --count 5 -o $(printf 'a\\033[2Jb.csv')"
    assert.truthy(text:find("writing a\\x1b[2Jb.csv ...", 1, true), text)
  end)

  it("is nowhere else, and not with --quiet", function()
    assert.same({ 0, "", "" }, { program.run(folder, "replay log.csv --procs 1 --quiet "
      .. "--schedule s.csv") })
    assert.equal("", seen "replay log.csv --procs 1 --quiet --schedule s.csv")
  end)
end)
