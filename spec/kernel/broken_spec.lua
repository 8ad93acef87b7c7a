-- Broken things that the kernel notices: a schedule that is not possible, an invariant that does
-- not hold, a file that is not what it was.
local native = require "native_broken"

local JOBS = { { procs = 2, time = 10, submit = 0 }, { procs = 1, time = 5, submit = 0 },
  { procs = 1, time = 5, submit = 20 } }

local function world() -- a copy: it will be spoilt
  local copy = { procs = 2, verification = 0 }
  for i, job in ipairs(JOBS) do
    copy[i] = { procs = job.procs, time = job.time, submit = job.submit }
  end
  return copy
end

describe("Monte Carlo runs that are checked", function()
  it("are well where nothing is broken", function()
    assert.is_true(native.montecarlo(world(), "nothing", 4, true))
  end)

  it("end with the first schedule that is not possible, and say which it was", function()
    local ok, message, place = native.montecarlo(world(), "time", 4, true)
    assert.is_nil(ok)
    assert.matches("job 1", message)
    assert.same({ policy = 1, seed = 9, set = 5, scenario = 2, now = 25.0 }, place)
    assert.is_true(native.montecarlo(world(), "time", 4, false)) -- nobody looked
  end)
end)

describe("a broken invariant", function()
  it("is reported, and an error that says where", function()
    local ok, message, place, reported = native.montecarlo(world(), "clock", 5, false)
    assert.is_nil(ok)
    assert.matches("broken invariant: instant >= shell%->now", message)
    assert.same({ policy = 1, seed = 9, set = 5, scenario = 2, now = 10.0 }, place)
    assert.equal(1, reported)
  end)
end)

describe("a log that changes while it is read", function()
  local path

  before_each(function()
    path = os.tmpname()
    local file = assert(io.open(path, "w"))
    file:write "id,submit,procs,time\n"
    for i = 1, 1000 do file:write(i, ",0,1,10\n") end
    file:close()
  end)
  after_each(function() os.remove(path) end)

  local message = ": the file was changed while it was read"

  it("is an error, whether it grows or shrinks", function()
    assert.is_true(native.read(path))
    assert.same({ n = 2, nil, path .. message }, table.pack(native.read(path, "1001,0,1,10\n")))
    assert.same({ n = 2, nil, path .. message }, table.pack(native.read(path, 200)))
    assert.same({ n = 2, nil, path .. message }, table.pack(native.read(path, 0)))
  end)
end)
