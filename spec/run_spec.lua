-- spec/run.lua: what it counts, what it shows, and that nothing that goes wrong passes for success.
local program = require "spec.support.program"

describe("the runner of the specs", function()
  local folder, pending_file
  local limits = ""

  before_each(function() folder = program.folder() end)
  after_each(function() program.remove(folder) end)

  -- Exit status, what was printed without times, and the counts of the last line.
  local function run(arguments)
    local command = ("cd '%s' && env -u ORRERY_ROUNDS ORRERY_PENDING='%s' %s lua5.4 "
      .. "spec/run.lua %s 2>&1; echo $?"):format(program.home,
      pending_file or "", limits, arguments)
    local pipe = assert(io.popen(command))
    local text = pipe:read "a"
    pipe:close()
    local before, status = text:match "^(.-)(%d+)\n$"
    return tonumber(status), before, before:match "\n([^\n]+) : %d+ seconds\n$"
  end

  local function both(text)
    program.write(folder, "good_spec.lua", "it('works', function() assert.is_true(true) end)\n")
    program.write(folder, "other_spec.lua", text)
    return run(folder)
  end

  it("shows nothing of what passes, and names what was skipped", function()
    local status, text, counts = both [[
      it("works, too", function() end)
      it("waits", function() pending "the sky is cloudy" end)
    ]]
    assert.equal("2 successes / 0 failures / 0 errors / 1 pending", counts)
    assert.equal(0, status)
    assert.matches("^skipped 1: the sky is cloudy\nslowest: [^\n]+%(processor %d+%.%d s%)[^\n]*"
      .. "\nprocessor time: %d+ s\n", text)
  end)

  it("counts what was skipped as failed where ORRERY_PENDING says what may be", function()
    local text = [[
      it("works, too", function() end)
      it("waits", function() pending "the sky is cloudy" end)
      it("waits for a package", function() pending "tmux is not installed" end)
      it("waits for something", function() pending "" end)
      pending("waits for ever")
    ]]
    program.write(folder, "allowed", "another reason\nthe sky is \n")
    pending_file = folder .. "/allowed"
    local status, said, counts = both(text)
    assert.same({ 1, "2 successes / 3 failures / 0 errors / 1 pending" }, { status, counts })
    assert.matches("skipped 1: the sky is cloudy\n", said, 1, true)
    assert.matches("\nfailed: skipped: tmux is not installed\n", said, 1, true)
    pending_file = nil
    status, said, counts = both(text)
    assert.is_nil(said:find("failed: ", 1, true))
    assert.same({ 0, "2 successes / 0 failures / 0 errors / 4 pending" }, { status, counts })
  end)

  it("has a list of what may be skipped in the gates, and no package is on it", function()
    for line in io.lines(program.home .. "/.ci/pending") do
      assert.is_true(#line > 15, line)
      for _, word in ipairs { "installed (", "is installed", "not installed", "npm", "python",
        "needs", "neither", "locale" } do
        assert.is_nil(line:find(word, 1, true), line)
      end
    end
  end)

  it("shows the output of a file with a failure or an error, and fails", function()
    local status, text, counts = both [[
      it("is wrong", function() assert.equal(1, 2) end)
      it("breaks", function() error "oh" end)
    ]]
    assert.equal("1 successes / 1 failures / 1 errors / 0 pending", counts)
    assert.equal(1, status)
    assert.matches("other_spec.lua (exit status 1)", text, 1, true)
    assert.matches("other_spec.lua:1: Expected objects to be equal", text, 1, true)
    assert.is_nil(text:find("good_spec.lua (", 1, true))
  end)

  it("counts a process that does not come to its end, however it ends", function()
    for _, ending in ipairs { "os.exit(0)", "os.exit(3)", "os.execute 'kill -9 $PPID'" } do
      local status, _, counts = both(("it('ends', function() %s end)"):format(ending))
      assert.same({ 1, "1 successes / 0 failures / 1 errors / 0 pending" }, { status, counts })
    end
  end)

  it("ends a file that hangs, where CI is set, and what it has started", function()
    program.write(folder, "hangs_spec.lua", "it('hangs', function() os.execute 'sleep 4711' end)\n")
    limits = "CI=1 ORRERY_SPEC_SECONDS=4"
    local status, text, counts = both "it('works, too', function() end)"
    limits = ""
    assert.same({ 1, "2 successes / 0 failures / 1 errors / 0 pending" }, { status, counts })
    assert.matches("hangs_spec.lua (exit status 137, stopped after 4 s)", text, 1, true)
    assert.is_nil(os.execute "pgrep -f '^sleep 4711$' >/dev/null")
  end)

  it("counts a process that fails after its specs, as one with a leak does", function()
    local status, _, counts = both [[
      it("works, too", function() end)
      setmetatable({}, { __gc = function() io.stdout:flush() os.exit(99) end })
    ]]
    assert.same({ 1, "2 successes / 0 failures / 1 errors / 0 pending" }, { status, counts })
  end)

  it("counts a file that cannot be read, and a run without specs", function()
    local status, _, counts = both "it("
    assert.same({ 1, "1 successes / 0 failures / 1 errors / 0 pending" }, { status, counts })
    os.remove(folder .. "/other_spec.lua")
    status, _, counts = run(folder .. " --filter=nothing-like-this")
    assert.same({ 1, "0 successes / 0 failures / 0 errors / 0 pending" }, { status, counts })
  end)

  it("hands options to busted, and runs what it is told", function()
    program.write(folder, "third_spec.lua", "it('is third', function() error() end)\n")
    local status, _, counts = both "it('is second', function() end)"
    assert.same({ 1, "2 successes / 0 failures / 1 errors / 0 pending" }, { status, counts })
    status, _, counts = run(folder .. " --filter=second")
    assert.same({ 0, "1 successes / 0 failures / 0 errors / 0 pending" }, { status, counts })
  end)

  it("leaves out what is long where folders run without ORRERY_ROUNDS", function()
    local text = "it('works, too', function() end) it('takes long #long', function() end)\n"
    local _, _, counts = both(text)
    assert.equal("2 successes / 0 failures / 0 errors / 0 pending", counts)
    local _, said = run(folder .. "/other_spec.lua --output=TAP")
    assert.matches("ok 2 - takes long #long", said, 1, true)
  end)

  it("gives a single file the terminal", function()
    program.write(folder, "one_spec.lua", "it('is one', function() end)\n")
    local status, text = run(folder .. "/one_spec.lua --output=TAP")
    assert.equal(0, status)
    assert.matches("ok 1 - is one", text, 1, true)
  end)
end)
