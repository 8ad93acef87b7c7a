-- Files of failure counts.
local native = require "native_workload"
local temporary = require "spec.support.temporary"

local function read(bytes, columns, fail_at)
  return temporary.file("f.txt", bytes, native.failures, columns, fail_at)
end

describe("failure counts", function()
  it("are rows of whole numbers between any blanks", function()
    assert.same({ { 1, 0, 3 }, { 0, 0, 2147483647 } }, (read("1 0\t3\r\n\n  0 0 2147483647", 3)))
    assert.same({ { 1, 20 } }, (read("\xEF\xBB\xBF1.0 2e1\n", 2)))
    assert.same({ { 5 }, { 6 } }, (read("5\n6\n", 1)))
  end)

  it("are the same wherever a block of the file ends", function()
    local rows, lines = {}, {}
    for i = 1, 3000 do
      rows[i] = {}
      for j = 1, 40 do rows[i][j] = (i * 7919 + j * 104729) % 100003 end
      lines[i] = table.concat(rows[i], " ")
    end
    local found, left = read(table.concat(lines, "\n"), 40)
    assert.same(rows, found)
    assert.equal(0, left)
  end)

  it("are refused with line and column", function()
    for bytes, message in pairs {
      ["1 2 3\n1 2\n"] = "f.txt:2: expected 3 numbers, one for each job, found 2",
      ["1 2 3\n\n1 2 3 4 5"] = "f.txt:3: expected 3 numbers, one for each job, found 5",
      ["1 2 3\n1 x 3"] =
        'f.txt:2: column 2: expected a whole number from 0 to 2147483647, found "x"',
      ["1 -2 3"] = 'f.txt:1: column 2: expected a whole number from 0 to 2147483647, found "-2"',
      ["1 2 0.5"] = 'f.txt:1: column 3: expected a whole number from 0 to 2147483647, found "0.5"',
      ["2147483648 2 5"] =
        'f.txt:1: column 1: expected a whole number from 0 to 2147483647, found "2147483648"',
      ["1,2,3"] = 'f.txt:1: column 1: expected a whole number from 0 to 2147483647, found "1,2,3"',
      ["1 2\0 3"] =
        'f.txt:1: column 2: expected a whole number from 0 to 2147483647, found "2\\x00"',
      [""] = "f.txt: no row of failure counts",
      ["\n \n"] = "f.txt: no row of failure counts",
      [("1"):rep(5000)] = 'f.txt:1: column 1: expected a whole number from 0 to 2147483647, found "'
        .. ("1"):rep(40) .. '..."',
    } do
      assert.same({ nil, message, 3, 0 }, { read(bytes, 3) })
    end
    assert.same({ nil, "/nonexistent: No such file or directory", 3, 0 },
      { native.failures("/nonexistent", 3) })
    assert.same({ nil, "failure counts need at least 1 column, not 0", 2, 0 }, { read("1", 0) })
  end)

  it("give their memory back when it runs out", function()
    local bytes = ("1 2 3\n"):rep(1000)
    for n = 1, 7 do
      local rows, message, _, left = read(bytes, 3, n)
      assert.is_nil(rows)
      assert.matches("memory", message)
      assert.equal(0, left)
    end
  end)
end)
