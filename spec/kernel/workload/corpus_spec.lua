-- What fuzzing has found worth keeping (spec/fuzz/corpus, see `make fuzz`): every reader comes to a
-- workload or to one message, the same however the bytes come, and gives its memory back. The
-- first two bytes of a file are the fuzzer's own: its options, and which allocation finds nothing.
local faults = require "native_faults"
local lfs = require "lfs"
local orrery = require "orrery"
local workload = require "native_workload"
local temporary = require "spec.support.temporary"

local function corpus(name)
  local folder, list = "spec/fuzz/corpus/" .. name, {}
  for file in lfs.dir(folder) do
    if file:sub(1, 1) ~= "." then list[#list + 1] = folder .. "/" .. file end
  end
  table.sort(list)
  return list
end

local function bytes_of(path)
  local file = assert(io.open(path, "rb"))
  local bytes = file:read "a"
  file:close()
  return bytes:byte(1), bytes:byte(2), bytes:sub(3)
end

local function is_message(text) return type(text) == "string" and #text > 0 end

describe("the corpus of", function()
  it("logs of jobs is read the same in pieces of any size", function()
    local read, refused = 0, 0
    for _, path in ipairs(corpus "log") do
      local _, _, bytes = bytes_of(path)
      local whole = table.pack(workload.feed(bytes, #bytes + 1))
      assert.is_true(whole[1] and true or is_message(whole[2]), path)
      if whole[1] then read = read + 1 else refused = refused + 1 end
      for _, piece in ipairs { 1, 2, 5, 13 } do
        assert.same(whole, table.pack(workload.feed(bytes, piece)), path)
      end
    end
    assert.is_true(read > 5 and refused > 20)
  end)

  it("logs of jobs gives back its memory, wherever it runs out", function()
    for _, path in ipairs(corpus "log") do
      local _, none, bytes = bytes_of(path)
      for _, n in ipairs { none, 3, 7 } do
        local message, left = temporary.file("FILE", bytes, workload.read_failing, n)
        assert.is_true(message == nil or is_message(message), path)
        assert.equal(0, left, path)
      end
    end
  end)

  it("failure counts, with its memory running out", function()
    for _, path in ipairs(corpus "failures") do
      local columns, none, bytes = bytes_of(path)
      local rows, more = temporary.file("FILE", bytes, workload.failures, columns % 8 + 1, none)
      if rows then
        for _, row in ipairs(rows) do assert.equal(columns % 8 + 1, #row) end
      else
        assert.is_true(is_message(more), path)
      end
    end
  end)

  it("logs of faults", function()
    for _, path in ipairs(corpus "faults") do
      local _, _, bytes = bytes_of(path)
      local log, message = temporary.file("FILE", bytes, faults.read, nil, 7)
      assert.is_true(log ~= nil or is_message(message), path)
      for i, fault in ipairs(log or {}) do
        assert.is_true(fault[1] >= (i > 1 and log[i - 1][1] or 0) and fault[2] < 7, path)
      end
    end
  end)

  it("tasks, whose times never grow with processors", function()
    for _, path in ipairs(corpus "tasks") do
      local _, _, bytes = bytes_of(path)
      local good, tasks = temporary.file("FILE", bytes, function(file)
        return pcall(orrery.tasks.read, file)
      end)
      assert.is_true(good or is_message(tasks), path)
      for i = 1, good and #tasks or 0 do
        for j = 1, 8 do assert.is_true(tasks:time(i, j + 1) <= tasks:time(i, j), path) end
      end
    end
  end)
end)
