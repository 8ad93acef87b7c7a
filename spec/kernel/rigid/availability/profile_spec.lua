-- Planned ends and plans against sorted lists and a naive step function.
local random = require "native_random"
local native = require "native_rigid"
local rounds = require "spec.support.rounds"

describe("planned ends", function()
  -- list: sorted { time, procs }, times different
  local function when(list, free, procs)
    for _, entry in ipairs(list) do
      free = free + entry[2]
      if free >= procs then return entry[1], free end
    end
  end

  local function add(list, time, procs)
    for i, entry in ipairs(list) do
      if entry[1] == time then
        entry[2] = entry[2] + procs
        return
      elseif entry[1] > time then
        table.insert(list, i, { time, procs })
        return
      end
    end
    list[#list + 1] = { time, procs }
  end

  local function remove(list, time, procs)
    for i, entry in ipairs(list) do
      if entry[1] == time then
        entry[2] = entry[2] - procs
        if entry[2] == 0 then table.remove(list, i) end
        return
      end
    end
    error "no such time"
  end

  local function compare(rng, ends, list, questions)
    local total = 0
    for _, entry in ipairs(list) do total = total + entry[2] end
    for _ = 1, total > 0 and questions or 0 do
      local free = rng:integer(0, 5)
      local procs = free + rng:integer(1, total)
      local time, available = ends:when(free, procs)
      local expected, then_free = when(list, free, procs)
      assert.equal(expected, time)
      assert.equal(then_free, available)
    end
    assert.equal(#list, (ends:count()))
  end

  -- order(live): the one of the live entries that goes next
  local function grow_and_shrink(rng, most, time_of, choose)
    local ends, list, live, blocks = native.ends(most), {}, {}, 1
    for _ = 1, 2 do
      while #live < most do
        local entry = { time_of(#live), rng:integer(1, 4) }
        ends:add(entry[1], entry[2])
        add(list, entry[1], entry[2])
        live[#live + 1] = entry
        if #live % 50 == 0 then compare(rng, ends, list, 5) end
      end
      blocks = math.max(blocks, select(2, ends:count()))
      local copy = native.ends(most)
      copy:copy(ends)
      local keep = rng:integer(0, 40)
      while #live > keep do
        local entry = table.remove(live, choose(live))
        ends:remove(entry[1], entry[2])
        remove(list, entry[1], entry[2])
        if #live % 25 == 0 then compare(rng, ends, list, 5) end
      end
      assert.is_true(copy:count() >= ends:count())
    end
    assert.equal(#list, (ends:count()))
    return blocks
  end

  it("are those of a sorted list, in random order", function()
    local rng = random(61)
    local blocks = grow_and_shrink(rng, 1500, function() return rng:integer(0, 100000) end,
      function(live) return rng:integer(1, #live) end)
    assert.is_true(blocks > 20) -- they split
    grow_and_shrink(rng, 600, function() return rng:integer(0, 200) end,
      function(live) return rng:integer(1, #live) end)
  end)

  it("are those of a sorted list, in order and against it", function()
    local rng = random(62)
    grow_and_shrink(rng, 600, function(i) return i end, function() return 1 end)
    grow_and_shrink(rng, 600, function(i) return -i end, function() return 1 end)
    grow_and_shrink(rng, 600, function(i) return i end, function(live) return #live end)
    grow_and_shrink(rng, 600, function(i) return i end, function(live) return #live // 2 + 1 end)
  end)

  it("bear a block that runs empty between two full ones", function()
    local ends = native.ends(400)
    for time = 1, 400 do ends:add(time, 1) end
    for low = 33, 321, 32 do
      for time = low, low + 31 do ends:remove(time, 1) end
      ends:add(low + 0.5, 1) -- a place in the gap
      assert.equal(low + 0.5, (ends:when(0, low)))
      ends:remove(low + 0.5, 1)
      for time = low, low + 31 do ends:add(time, 1) end
      ends:count()
    end
    ends:clear()
    assert.equal(0, (ends:count()))
  end)
end)

describe("a plan", function()
  -- Intervals { from, from_k, till, till_k, procs } over instants (t, k), see naive.lua.
  local function before(a, b)
    if a[1] ~= b[1] then return a[1] < b[1] end
    return a[2] < b[2]
  end

  local function available(procs, held, at)
    for _, h in ipairs(held) do
      if not before(at, h.from) and before(at, h.till) then procs = procs - h.procs end
    end
    return procs
  end

  local function earliest(procs, held, now, needed, length, verification)
    local instants = { { now, 0 } }
    for _, h in ipairs(held) do
      if before({ now, 0 }, h.till) then instants[#instants + 1] = h.till end
      if before({ now, 0 }, h.from) then instants[#instants + 1] = h.from end
    end
    table.sort(instants, before)
    for _, from in ipairs(instants) do
      local till = { (from[1] + length) + verification, 0 }
      if till[1] <= from[1] then till = { from[1], from[2] + 1 } end
      local fits = true
      for _, at in ipairs(instants) do
        if not before(at, from) and before(at, till) and available(procs, held, at) < needed then
          fits = false
        end
      end
      if fits then return from, till end
    end
  end

  -- most: processors; reservations: how many; times up to `longest`; endless: some never end.
  local function check(rng, most, reservations, longest, endless)
    local procs, now = rng:integer(1, most), rng:integer(0, 5)
    local ends, held, free = native.ends(procs), {}, procs
    while free > 0 and rng:integer(0, most // 3) > 0 do
      local job = rng:integer(1, math.min(free, 12))
      local till = now + rng:integer(0, longest + 2)
      ends:add(till, job)
      held[#held + 1] = { from = { now - 1, 0 }, procs = job,
        till = till > now and { till, 0 } or { now, 1 } }
      free = free - job
    end
    local plan = native.plan(procs, reservations)
    plan:make(ends, now, free)
    for _ = 1, reservations do
      local needed = rng:integer(1, procs)
      local length, verification = rng:integer(0, longest), rng:integer(0, 3) // 3 / 4
      if endless and rng:integer(0, 3) == 0 then length = math.huge end
      local from, till = earliest(procs, held, now, needed, length, verification)
      local time, step = plan:earliest(needed, length, verification)
      assert.equal(from[1], time)
      assert.equal(from[1] == now and from[2] == 0, step == 0)
      plan:reserve(step, (time + length) + verification, needed)
      held[#held + 1] = { from = from, till = till, procs = needed }
    end
    local last
    for _, step in ipairs(plan:steps()) do
      assert.is_true(not last or step[1] >= last)
      assert.is_true(step[2] >= 0 and step[2] <= procs)
      last = step[1]
    end
    return #plan:steps()
  end

  it("gives the earliest starts of a naive step function", function()
    local rng = random(63)
    for _ = 1, rounds(1500, 1500, 300) do check(rng, 12, rng:integer(0, 8), 6) end
  end)

  it("does so behind reservations that never end", function()
    local rng = random(65)
    for _ = 1, rounds(1500, 1500, 300) do check(rng, 12, rng:integer(1, 8), 6, true) end
  end)

  it("does so with many steps #long", function()
    local rng, most = random(64), 0
    for round = 1, rounds(12, 12, 6) do
      most = math.max(most, check(rng, 120, 16 * (round % 6), 1000))
    end
    assert.is_true(most > 70) -- more than are looked at together
  end)
end)
