-- Named availability, kept from decision to decision, against a table of processors and seconds.
local random = require "native_random"
local native = require "native_rigid"
local more_rounds = require "spec.support.rounds"

-- busy[p][t]: processor p, from second t until t + 1
local function naive(procs)
  local busy = {}
  for p = 0, procs - 1 do busy[p] = {} end
  local self = {}

  function self.set(from, to, list, value)
    for _, p in ipairs(list) do
      for t = from, to - 1 do busy[p][t] = value end
    end
  end

  local function is_free(p, from, to)
    for t = from, to - 1 do
      if busy[p][t] then return false end
    end
    return true
  end

  function self.earliest(start, needed, length)
    while true do
      local list = {}
      for p = 0, procs - 1 do
        if #list < needed and is_free(p, start, start + length) then list[#list + 1] = p end
      end
      if #list == needed then return start, list end
      start = start + 1
    end
  end

  return self
end

-- Moves a waiting job to what a search from the beginning finds; returns whether it moved.
local function move(t, plain, now, job)
  local to = job.start + job.length
  plain.set(job.start, to, job.list, nil)
  local expected, processors = plain.earliest(now, job.procs, job.length)
  local start, list = t:gain(job.procs, job.length, job.start, job.list, job.looked)
  assert.same({ expected, processors }, { start or job.start, list or job.list })
  local moved = list
    and (start < job.start or table.concat(list, " ") ~= table.concat(job.list, " "))
  if moved then
    t:give(job.start, to, job.list)
    job.start, job.list = start, list
    t:take(start, start + job.length, list)
  end
  plain.set(job.start, job.start + job.length, job.list, true)
  job.looked = t:gains()
  return moved
end

-- A machine on which jobs come, wait, start, and end early; returns how many reservations move.
local function run(seed, most_length, rounds, arrivals)
  local rng = random(seed)
  local procs = rng:integer(2, rng:integer(0, 3) == 0 and 150 or 8)
  local t, plain = native.named(procs, 0), naive(procs)
  local waiting, running, now, moved = {}, {}, 0, 0
  for _ = 1, rounds do
    for _ = 1, rng:integer(0, arrivals) do
      local job = { procs = rng:integer(1, procs), length = rng:integer(1, most_length) }
      job.start, job.list = t:earliest(job.procs, job.length)
      assert.same({ plain.earliest(now, job.procs, job.length) }, { job.start, job.list })
      t:take(job.start, job.start + job.length, job.list)
      plain.set(job.start, job.start + job.length, job.list, true)
      job.looked = t:gains()
      waiting[#waiting + 1] = job
    end
    now = now + rng:integer(0, 2)
    t:advance(now)
    for i = #waiting, 1, -1 do
      if waiting[i].start <= now then running[#running + 1] = table.remove(waiting, i) end
    end
    for i = #running, 1, -1 do
      local job = running[i]
      local to = job.start + job.length
      if to <= now or rng:integer(0, 3) == 0 then
        table.remove(running, i)
        if to > now then
          t:give(now, to, job.list)
          plain.set(now, to, job.list, nil)
        end
      end
    end
    for _, job in ipairs(waiting) do moved = moved + (move(t, plain, now, job) and 1 or 0) end
  end
  return moved
end

describe("a kept profile of particular processors", function()
  it("gives and moves reservations like a table of processors and seconds", function()
    local moved, seeds = 0, more_rounds(150, 150, 20)
    for seed = 1, seeds do moved = moved + run(seed, seed % 2 * 12 + 3, 30, 4) end
    assert.is_true(moved > 10 * seeds)
  end)

  -- Of 3 processors, 1 and 2 are busy until 8, and 0 from 4 to 8. Two wishes start at 8.
  it("finds what has come back, and nothing else", function()
    local t = native.named(3, 0)
    t:take(0, 8, { 1, 2 })
    t:take(4, 8, { 0 })
    assert.same({ 8, { 0 } }, { t:earliest(1, 6) })
    t:take(8, 14, { 0 })
    assert.same({ 8, { 1, 2 } }, { t:earliest(2, 4) })
    t:take(8, 12, { 1, 2 })
    assert.same({ 1, 4 }, { t:gains() })
    assert.is_nil(t:gain(1, 6, 8, { 0 }, 1))
    t:give(4, 8, { 0, 1 })
    assert.same({ 4, { 0, 1 } }, { t:gain(2, 4, 8, { 1, 2 }, 1) })
    assert.is_nil(t:gain(3, 6, 14, { 0, 1, 2 }, 1))
    assert.is_nil(t:gain(1, 6, 8, { 0 }, 2))
    t:take(4, 8, { 1 }) -- free are the same as before 4, and yet it is news
    assert.same({ 2, 4 }, { t:gains() })
    assert.same({ 0, { 0 } }, { t:gain(1, 6, 8, { 0 }, 1) })
  end)

  -- The start stays; 0 has come back instead of 2.
  it("finds lower processors", function()
    local t = native.named(3, 0)
    t:take(0, 5, { 0, 1, 2 })
    t:take(5, 9, { 0 })
    t:take(5, 9, { 1, 2 })
    t:give(5, 9, { 0 })
    assert.same({ 5, { 0, 1 } }, { t:gain(2, 4, 5, { 1, 2 }, 1) })
  end)
end)
