-- Files of faults.
local native = require "native_faults"
local temporary = require "spec.support.temporary"

local ids = { "a", "b c", "3" }

local function read(bytes, procs, fail_at)
  return temporary.file("f.csv", bytes, native.read, ids, procs or 10, fail_at)
end

describe("a fault log", function()
  it("names processors, or tasks by their id", function()
    assert.same({ { 0, 9, -1 }, { 1.5, 0, -1 }, { 1.5, 3, -1 }, { 2e3, 0, -1 } },
      (read "time,processor\n0,9\n1.5,0\n1.5,3.0\n2e3,0\n"))
    assert.same({ { 0.25, -1, 1 }, { 7, -1, 0 }, { 8, -1, 2 } },
      (read '\xEF\xBB\xBFtime,task\r\n0.25,b c\r\n\r\n7,"a"\r\n8,3'))
    assert.same({ { 7, -1, 2 } }, (read "task,time\n3,7\n"))
    assert.same({}, (read "time,task\n"))
  end)

  it("keeps every bit of a time", function()
    local lines, expected = { "time,processor" }, {}
    local rng = require "native_random"(2)
    local time = 0
    for i = 1, 3000 do
      time = time + rng:exponential(1e4)
      lines[i + 1] = ("%.17g,%d"):format(time, i % 7)
      expected[i] = { time, i % 7, -1 }
    end
    local found, left = read(table.concat(lines, "\n"))
    assert.same(expected, found)
    assert.equal(0, left)
  end)

  it("is refused with line and column", function()
    local header = "f.csv:1: a fault log has the columns time and task, or time and processor; "
      .. "the first line has: "
    for bytes, message in pairs {
      ["time,processor\n1,2\n0.5,2\n"] = "f.csv:3: column 1 (time): expected a time that is not "
        .. 'before the last one, 1, found "0.5"',
      ["time,processor\n-1,2\n"] =
        'f.csv:2: column 1 (time): expected a number of seconds >= 0, found "-1"',
      ["time,processor\ninf,2\n"] =
        'f.csv:2: column 1 (time): expected a number of seconds >= 0, found "inf"',
      ["time,processor\n1e999,2\n"] =
        'f.csv:2: column 1 (time): expected a number of seconds >= 0, found "1e999"',
      ["time,processor\n,2\n"] =
        "f.csv:2: column 1 (time): expected a number of seconds >= 0, found nothing",
      ["processor,time\n1,2\n10,2\n"] =
        'f.csv:3: column 1 (processor): expected a processor from 0 to 9, found "10"',
      ["time,processor\n1,-1\n"] =
        'f.csv:2: column 2 (processor): expected a processor from 0 to 9, found "-1"',
      ["time,processor\n1,0.5\n"] =
        'f.csv:2: column 2 (processor): expected a processor from 0 to 9, found "0.5"',
      ["time,processor\n1,a\n"] =
        'f.csv:2: column 2 (processor): expected a processor from 0 to 9, found "a"',
      ["time,task\n1,a\n\n2,d\n"] =
        'f.csv:4: column 2 (task): expected the id of a task, found "d"',
      ["time,task\n1,\n"] = "f.csv:2: column 2 (task): expected the id of a task, found nothing",
      ["time,task\n1,a\0\n"] =
        'f.csv:2: column 2 (task): expected the id of a task, found "a\\x00"',
      ["time,task\n1\n"] = "f.csv:2: expected 2 fields as in the header, found 1",
      ["time,task\n1,a,2\n"] = "f.csv:2: expected 2 fields as in the header, found 3",
      ["time,task\n1,\"a\n"] =
        "f.csv:2: a quoted field of the row that begins here is not closed",
      ["time\n1\n"] = header .. "time",
      ["1,2\n3,4\n"] = header .. "1, 2",
      ["time,time\n"] = header .. "time, time",
      ["task,processor\n"] = header .. "task, processor",
      ["time,task,processor\n"] = header .. "time, task, processor",
      ["time,node\n"] = header .. "time, node",
      [""] = "f.csv: not a fault log: the header time,task or time,processor is missing",
      ["\n\n"] = "f.csv: not a fault log: the header time,task or time,processor is missing",
      [(","):rep(100)] = "f.csv:1: not a fault log: a first line of more than 64 fields",
    } do
      assert.same({ nil, message, 3, 0 }, { read(bytes) })
    end
    assert.same({ nil, "/nonexistent: No such file or directory", 3, 0 },
      { native.read("/nonexistent", ids, 3) })
  end)

  it("is given up cleanly wherever memory ends", function()
    for _, log in ipairs {
      "time,task\n" .. ("5,a\n"):rep(100), "time,processor\n1,2\n", "time,processor\n",
    } do
      local _, _, calls = read(log)
      assert.is_true(calls > 0)
      for n = 1, calls do
        local found, message, status, left = read(log, 10, n)
        assert.same({ nil, 1, 0 }, { found, status, left })
        assert.matches("memory", message, 1, true)
      end
    end
  end)
end)
