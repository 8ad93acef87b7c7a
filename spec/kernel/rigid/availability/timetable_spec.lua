-- The timetable of conservative backfilling against processors per second.
local random = require "native_random"
local native = require "native_rigid"
local more_rounds = require "spec.support.rounds"

local MOST = 400 -- jobs at once

-- free[t + 1]: processors from second t until t + 1
local function naive(procs)
  local free = setmetatable({}, { __index = function() return procs end })
  local self = {}

  function self.add(from, to, more)
    for t = from + 1, to do free[t] = free[t] + more end
  end

  function self.earliest(now, needed, length)
    local start, t = now, now
    while t < start + length do
      t = t + 1
      if free[t] < needed then start = t end
    end
    return start
  end

  function self.steps(now, last)
    local times, numbers = { now }, { free[now + 1] }
    for t = now + 1, last do
      if free[t + 1] ~= free[t] then
        times[#times + 1], numbers[#numbers + 1] = t, free[t + 1]
      end
    end
    return times, numbers
  end

  return self
end

local function compare(t, plain, now, last)
  local times, numbers, blocks = t:steps()
  local expected_times, expected_numbers = plain.steps(now, last)
  assert.same(expected_times, times)
  assert.same(expected_numbers, numbers)
  return blocks
end

-- A machine on which jobs come, wait, start, and end early; returns the most blocks, and how many
-- reservations have moved.
local function run(seed, most_length, rounds, arrivals)
  local rng = random(seed)
  local procs = rng:integer(2, 12)
  local t, plain = native.timetable(2 * MOST, 0, procs), naive(procs)
  local waiting, running, now, last, passed, blocks, moved = {}, {}, 0, 0, 0, 1, 0
  for _ = 1, rounds do
    for _ = 1, #waiting + #running < MOST - arrivals and rng:integer(0, arrivals) or 0 do
      local job = { procs = rng:integer(1, procs), length = rng:integer(1, most_length) }
      job.start = t:reserve(job.procs, job.length)
      assert.equal(plain.earliest(now, job.procs, job.length), job.start)
      plain.add(job.start, job.start + job.length, -job.procs)
      job.looked = t:changes()
      last = math.max(last, job.start + job.length)
      waiting[#waiting + 1] = job
    end
    compare(t, plain, now, last)
    now = now + rng:integer(0, 2)
    t:advance(now)
    for i = #waiting, 1, -1 do
      if waiting[i].start <= now then running[#running + 1] = table.remove(waiting, i) end
    end
    if #running > 0 and rng:integer(0, 2) > 0 then
      local job = table.remove(running, rng:integer(1, #running))
      local to = job.start + job.length
      if to > now then
        t:give(now, to, job.procs)
        plain.add(now, to, job.procs)
      end
    end
    local since = passed
    passed = t:changes()
    for _, job in ipairs(waiting) do
      local start = t:move(job.procs, job.length, job.start, job.looked, since)
      plain.add(job.start, job.start + job.length, job.procs)
      assert.equal(plain.earliest(now, job.procs, job.length), start)
      plain.add(start, start + job.length, -job.procs)
      job.looked, moved = t:changes(), moved + (start < job.start and 1 or 0)
      job.start = start
    end
    blocks = math.max(blocks, compare(t, plain, now, last))
  end
  return blocks, moved
end

describe("a timetable", function()
  it("gives and moves reservations like processors per second", function()
    local moved, seeds = 0, more_rounds(150, 150, 20)
    for seed = 1, seeds do moved = moved + select(2, run(seed, 6, 30, 3)) end
    assert.is_true(moved > 1000 / 150 * seeds)
  end)

  it("does so in many blocks, which split and merge #long", function()
    local moved, seeds = 0, more_rounds(4, 4, 1)
    for seed = 1, seeds do
      local blocks, here = run(seed, 60, 80, 8)
      assert.is_true(blocks >= 3)
      moved = moved + here
    end
    assert.is_true(moved > 250 * seeds)
  end)

  it("makes many reservations, each from where smaller ones have found their start", function()
    for seed = 1, more_rounds(3) do
      local rng = random(seed)
      local procs, now, last, made = rng:integer(64, 192), 0, 0, {}
      local t, plain = native.timetable(16 * MOST, 0, procs), naive(procs)
      for i = 1, more_rounds(2000, 2000, 1300) do
        local wide, long = rng:integer(1, 40), rng:integer(1, rng:integer(0, 1) * 290 + 10)
        local start = t:reserve(wide, long)
        assert.equal(plain.earliest(now, wide, long), start)
        plain.add(start, start + long, -wide)
        last = math.max(last, start + long)
        made[#made + 1] = { from = start, to = start + long, procs = wide }
        if i % 300 == 0 then -- from then on there may be room before
          now = now + rng:integer(0, 20)
          t:advance(now)
          local gone = table.remove(made, rng:integer(1, #made))
          local from = math.max(gone.from, now)
          if from < gone.to then
            t:give(from, gone.to, gone.procs)
            plain.add(from, gone.to, gone.procs)
          end
        end
      end
      assert.is_true(compare(t, plain, now, last) > 17)
    end
  end)
end)
