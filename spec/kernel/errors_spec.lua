-- Every function of the kernel that takes an orr_error works without one as with one: where it
-- succeeds, and where an allocation fails.
local native = require "native_errors"
local program = require "spec.support.program"
local rounds = require "spec.support.rounds"

describe("an orr_error that is NULL", function()
  local folder, paths
  setup(function()
    folder = program.folder()
    program.write(folder, "log.csv", "id,procs,time\na,1,2\nb,2,3\n")
    program.write(folder, "failures", "0 1\n2 0\n")
    program.write(folder, "tasks.csv", "id,m,profile\np,100,amdahl:0.05\nq,200,power\n")
    program.write(folder, "faults.csv", "time,task\n1,p\n2,q\n")
    program.write(folder, "outages.csv", "node,from,to\nn0,1,2\n\"n[1-2],x\",2,\n")
    program.write(folder, "windows.csv", 'from,to,procs,nodes,user\n1,5,2,,a\n9,12,,"0,1",b\n')
    paths = {}
    for i, name in ipairs { "log.csv", "failures", "tasks.csv", "faults.csv", "outages.csv",
      "windows.csv" } do
      paths[i] = folder .. "/" .. name
    end
  end)
  teardown(function() program.remove(folder) end)

  local function try(part, n, with)
    return native.try(part, n, with, table.unpack(paths))
  end

  for _, part in ipairs(native.parts) do
    it("is allowed in " .. part, function()
      local succeeded, _, message, lost, calls = try(part, 0, true)
      assert.is_true(succeeded, message)
      assert.equal(0, lost)
      for n = 0, calls, rounds(1, 1, math.max(1, calls // 50)) do
        local fine, status, text, left, asked = try(part, n, true)
        local without, _, _, lost_without, asked_without = try(part, n, false)
        local at = ("allocation %d of %d: %s"):format(n, calls, text)
        assert.equal(fine, without, at)
        assert.equal(asked, asked_without, at)
        assert.equal(0, left, at)
        assert.equal(0, lost_without, at)
        if not fine or part == "refusals" then assert.is_true(status ~= 0 and text ~= "", at) end
      end
    end)
  end

  -- What the headers of the kernel declares, without its comments.
  local function declared()
    local names = {}
    local pipe = assert(io.popen "find kernel -mindepth 2 -name '*.h' -exec cat {} +")
    local text = pipe:read "a":gsub("/%*.-%*/", "")
    pipe:close()
    for declaration in text:gmatch "ORR_API([^;]*);" do
      if declaration:find "orr_error %*err" and not declaration:find "%.%.%." then
        names[#names + 1] = declaration:match "(orr_[%w_]+)%("
      end
    end
    return names
  end

  it("is tried with every function that takes one", function()
    local source, missing = program.read "spec/native/native_errors.c", {}
    source = source .. program.read "spec/bench/heuristics.h"
    local names = declared()
    assert.is_true(#names > 100)
    for _, name in ipairs(names) do
      if not source:find(name .. "(", 1, true) then
        missing[#missing + 1] = name
      end
    end
    assert.equal("", table.concat(missing, " "))
  end)
end)
