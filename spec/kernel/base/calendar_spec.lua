local random = require "native_random"
local native = require "native_base"
local rounds = require "spec.support.rounds"

-- The documented order: earlier time, smaller kind, inserted first.
local function before(a, b)
  if a.time ~= b.time then
    return a.time < b.time
  elseif a.kind ~= b.kind then
    return a.kind < b.kind
  end
  return a.number < b.number
end

local function pop_all(calendar)
  local popped = {}
  while calendar:count() > 0 do
    local time, kind, payload = calendar:pop()
    popped[#popped + 1] = ("%.17g/%d/%d"):format(time, kind, payload)
  end
  return popped
end

local function names(events)
  local list = {}
  for i, e in ipairs(events) do
    list[i] = ("%.17g/%d/%d"):format(e.time, e.kind, e.payload)
  end
  return list
end

-- Few distinct times and kinds, so that most events tie with another.
local function random_events(rng, n)
  local events = {}
  for i = 1, n do
    events[i] = {
      time = rng:integer(0, 3) * 0.1, kind = rng:integer(0, 2), number = i,
      payload = rng:integer(-5, 5) << 50,
    }
  end
  return events
end

describe("the calendar", function()
  it("orders by time, then kind, then insertion (by hand)", function()
    local calendar = native.calendar(8)
    calendar:push(2, 0, 10)
    calendar:push(1, 255, 11)
    calendar:push(1, 3, 12)
    calendar:push(1, 3, -13)
    calendar:push(0.5, 255, 14)
    calendar:push(1, 0, 15)
    assert.same({ 0.5, 255, 14 }, { calendar:peek() })
    assert.same({ "0.5/255/14", "1/0/15", "1/3/12", "1/3/-13", "1/255/11", "2/0/10" },
      pop_all(calendar))
  end)

  it("gives every permutation of insertion in the sorted order", function()
    local rng = random(11)
    for _ = 1, rounds(2000, 2000, 167) do
      local n = rng:integer(0, 40)
      local events, calendar = random_events(rng, n), native.calendar(n)
      for _, e in ipairs(events) do
        calendar:push(e.time, e.kind, e.payload)
      end
      assert.equal(n, calendar:count())
      table.sort(events, before)
      assert.same(names(events), pop_all(calendar))
    end
  end)

  it("stays in order when pushes, pops and replacements alternate", function()
    local rng = random(12)
    for _ = 1, rounds(300, 300, 25) do
      local calendar, pending, number = native.calendar(20), {}, 0
      for _ = 1, 200 do
        local insert = #pending < 20 and (#pending == 0 or rng:integer(0, 1) == 1)
        if insert or rng:integer(0, 1) == 1 then
          local e = random_events(rng, 1)[1]
          number = number + 1
          e.number = number
          if insert then
            calendar:push(e.time, e.kind, e.payload)
          else
            calendar:replace(e.time, e.kind, e.payload)
            table.remove(pending, 1)
          end
          table.insert(pending, e)
          table.sort(pending, before)
        else
          local first = table.remove(pending, 1)
          assert.same({ first.time, first.kind, first.payload }, { calendar:peek() })
          assert.same({ first.time, first.kind, first.payload }, { calendar:pop() })
        end
        assert.equal(#pending, calendar:count())
        assert.equal(pending[2] and pending[2].time or math.huge, calendar:second())
      end
    end
  end)

  it("gives up any event, and grows", function()
    local rng = random(12)
    for _ = 1, rounds(200, 200, 20) do
      local events = random_events(rng, rng:integer(1, 40))
      local calendar = native.calendar(1)
      for i, e in ipairs(events) do
        e.payload = i
        calendar:reserve(i)
        calendar:push(e.time, e.kind, e.payload)
      end
      for _ = 1, rng:integer(0, #events) do
        calendar:remove(table.remove(events, rng:integer(1, #events)).payload)
      end
      table.sort(events, before)
      assert.same(names(events), pop_all(calendar))
    end
  end)

  it("compares times exactly, negative and infinite ones too", function()
    local calendar = native.calendar(6)
    for i, time in ipairs { math.huge, 1 + 2 ^ -52, 1, -1, 0.0, -0.0 } do
      calendar:push(time, 0, i)
    end
    local order = {}
    while calendar:count() > 0 do
      order[#order + 1] = select(3, calendar:pop())
    end
    assert.same({ 4, 5, 6, 3, 2, 1 }, order) -- 0 and -0 tie: insertion decides
  end)

  it("copies exactly, with the numbers that later insertions get", function()
    local rng = random(13)
    for _ = 1, rounds(200, 200, 20) do
      local from, to = native.calendar(30), native.calendar(31)
      to:push(9, 9, 9)
      for _, e in ipairs(random_events(rng, 20)) do
        from:push(e.time, e.kind, e.payload)
      end
      for _ = 1, rng:integer(0, 20) do
        from:pop()
      end
      to:copy(from)
      for _, e in ipairs(random_events(rng, 10)) do
        from:push(e.time, e.kind, e.payload)
        to:push(e.time, e.kind, e.payload)
      end
      assert.same(pop_all(from), pop_all(to))
    end
  end)

  it("is empty after clear and starts again", function()
    local calendar = native.calendar(2)
    calendar:push(1, 0, 1)
    calendar:clear()
    assert.equal(0, calendar:count())
    assert.equal(0, calendar:inserted())
    assert.is_nil(calendar:peek())
    calendar:push(1, 0, 2)
    calendar:push(1, 0, 3)
    assert.same({ "1/0/2", "1/0/3" }, pop_all(calendar))
  end)

  it("refuses a negative capacity and allows none", function()
    assert.has_error(function()
      native.calendar(-1)
    end, "a calendar's capacity is at least 0, not -1")
    local none = native.calendar(0)
    assert.equal(0, none:count())
    none:copy(native.calendar(0))
  end)
end)
