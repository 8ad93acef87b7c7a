-- Parts of a long computation are computed once, whatever interrupts it.
local orrery = require "orrery"
local program = require "spec.support.program"

local resume = require "orrery.command.resume"

local function random_data(rng, depth)
  local kind = rng:integer(1, depth > 0 and 7 or 5)
  if kind == 1 then return rng:integer(-5, 5) end
  if kind == 2 then return rng:normal() * 10.0 ^ rng:integer(-300, 300) end
  if kind == 3 then return ({ math.huge, -math.huge, -0.0, 3.0, 0.1 })[rng:integer(1, 5)] end
  if kind == 4 then return ({ "", "a\nb", 'say "no"', "\\n--", "\0\xff" })[rng:integer(1, 5)] end
  if kind == 5 then return rng:integer(0, 1) == 0 end
  local data = {}
  for i = 1, rng:integer(0, 4) do data[i] = random_data(rng, depth - 1) end
  if kind == 7 then
    data[random_data(rng, 0)] = random_data(rng, depth - 1)
    data.name = random_data(rng, depth - 1)
  end
  return data
end

describe("a part that is kept", function()
  local top
  before_each(function() top = program.folder() end)
  after_each(function() program.remove(top) end)

  it("is computed once, by however many runs", function()
    local asked = 0
    local function square(x)
      asked = asked + 1
      return { x = x * x }
    end
    for round = 1, 5 do
      local parts = resume.new(top, { runs = 3 })
      for x = 1, 2 * round do
        assert.same({ x = x * x }, (parts:part("square of " .. x, square, x)))
      end
    end
    assert.equal(10, asked)
  end)

  it("comes back as it was, to the last bit and type", function()
    local rng, all = orrery.random(5), {}
    local first = resume.new(top, {})
    for i = 1, 300 do
      all[i] = { random_data(rng, 3) }
      first:part("part " .. i, function() return all[i] end)
    end
    local again = resume.new(top, {})
    for i = 1, 300 do
      local found = again:part("part " .. i, function() error "computed twice" end)
      assert.same(all[i], found)
      if type(all[i][1]) == "number" then
        assert.equal(math.type(all[i][1]), math.type(found[1]))
        assert.equal(("%a"):format(all[i][1]), ("%a"):format(found[1])) -- -0.0 as well
      end
    end
    local nan = resume.new(top, { nan = true })
    nan:part("nan", function() return { 0 / 0 } end)
    local found = resume.new(top, { nan = true }):part("nan", error)
    assert.is_true(found[1] ~= found[1])
  end)

  it("is not believed when its record is damaged", function()
    local parts = resume.new(top, {})
    parts:part("a", function() return 1 end)
    local path = parts.dir .. "/cells/0000001"
    local text = program.read(path)
    for at = 1, #text, 7 do
      local byte = text:sub(at, at) == "x" and "y" or "x"
      program.write(parts.dir .. "/cells", "0000001", text:sub(1, at - 1) .. byte
        .. text:sub(at + 1))
      assert.equal(2, (resume.new(top, {}):part("a", function() return 2 end)))
      program.write(parts.dir .. "/cells", "0000001", text:sub(1, at - 1))
      assert.equal(3, (resume.new(top, {}):part("a", function() return 3 end)))
    end
  end)

  it("is not one of another computation, or of another file", function()
    program.write(top, "a.swf", "1")
    local function of(what)
      return (resume.new(top, what):part("p", function() return what.n or "new" end))
    end
    assert.equal(1, of { n = 1, log = top .. "/a.swf", policy = "end-local+" .. top .. "/a.lua" })
    program.write(top, "a.lua", "return 1")
    assert.equal(2, of { n = 2, log = top .. "/a.swf", policy = "end-local+" .. top .. "/a.lua" })
    assert.equal("new", of { log = top .. "/a.swf" })
    program.write(top, "a.swf", "12")
    local again = resume.new(top, { log = top .. "/a.swf" })
    assert.equal("newer", (again:part("p", function() return "newer" end)))
    assert.equal(0, again.reused)
  end)

  it("is gone when all is done, and those of others stay", function()
    local one, other = resume.new(top, { 1 }), resume.new(top, { 2 })
    one:part("a", function() return 1 end)
    other:part("a", function() return 2 end)
    one:done()
    assert.equal(2, (resume.new(top, { 2 }):part("a", error)))
    other:done()
    assert.equal("", program.listing(top))
    resume.new(top, { 3 }):done()
    assert.equal("", program.listing(top))
  end)

  it("is not there when it failed", function()
    assert.has_error(function() resume.new(top, {}):part("a", error, "no") end, "no")
    assert.equal(1, (resume.new(top, {}):part("a", function() return 1 end)))
  end)
end)
