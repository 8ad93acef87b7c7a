-- Processor sets against an array of booleans.
local random = require "native_random"
local native = require "native_rigid"
local rounds = require "spec.support.rounds"

local function intervals_of(free, procs)
  local list, at = {}, 0
  while at < procs do
    if free[at] then
      local low = at
      while at + 1 < procs and free[at + 1] do at = at + 1 end
      list[#list + 1] = low
      list[#list + 1] = at
    end
    at = at + 1
  end
  return list
end

describe("a processor set", function()
  it("hands out the lowest-numbered processors and takes them back", function()
    local rng = random(71)
    for _, procs in ipairs { 1, 2, 7, 64, 300, 1000 } do
      local set, free, count, held = native.procset(procs), {}, procs, {}
      for p = 0, procs - 1 do free[p] = true end
      for _ = 1, 250 do
        if rng:integer(0, 1) == 0 or #held == 0 then
          local wanted = rng:integer(1, math.max(1, procs // rng:integer(1, 20)))
          local taken = set:take(wanted)
          if wanted > count then
            assert.is_nil(taken)
          else
            local expected, left = {}, wanted
            for p = 0, procs - 1 do
              if free[p] and left > 0 then
                free[p], expected[p], left = false, true, left - 1
              end
            end
            count = count - wanted
            assert.same(intervals_of(expected, procs), taken)
            held[#held + 1] = taken
          end
        else
          local given = table.remove(held, rng:integer(1, #held))
          set:give(given)
          for i = 1, #given, 2 do
            for p = given[i], given[i + 1] do free[p], count = true, count + 1 end
          end
        end
        assert.same(intervals_of(free, procs), set:intervals())
      end
      local copy = native.procset(procs)
      copy:copy(set)
      assert.same(set:intervals(), copy:intervals())
      set:reset(procs)
      assert.same({ 0, procs - 1 }, set:intervals())
      assert.same(intervals_of(free, procs), copy:intervals())
    end
  end)

  it("holds nothing when the machine is full", function()
    local set = native.procset(3)
    assert.same({ 0, 2 }, set:take(3))
    assert.same({}, set:intervals())
    assert.is_nil(set:take(1))
    set:give { 1, 1 }
    set:give { 0, 0 }
    set:give { 2, 2 }
    assert.same({ 0, 2 }, set:intervals())
  end)

  it("lets any run of its processors go out and come back", function()
    local rng = random(83)
    for _ = 1, rounds(300, 300, 25) do
      local procs = rng:integer(1, 30)
      local set, out, free = native.procset(procs), {}, {}
      for p = 0, procs - 1 do free[p] = true end
      for _ = 1, 40 do
        local low = rng:integer(0, procs - 1)
        local high = low
        while free[low] and free[high + 1] and rng:integer(0, 3) > 0 do high = high + 1 end
        if free[low] then
          set:remove(low, high)
          out[#out + 1] = { low, high }
          for p = low, high do free[p] = nil end
        elseif #out > 0 then
          local run = table.remove(out, rng:integer(1, #out))
          set:give(run)
          for p = run[1], run[2] do free[p] = true end
        end
        assert.same(intervals_of(free, procs), set:intervals())
      end
    end
  end)
end)
