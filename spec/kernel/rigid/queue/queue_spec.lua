-- The waiting queue against a linear scan.
local random = require "native_random"
local native = require "native_rigid"
local rounds = require "spec.support.rounds"

-- waiting[rank] = { job =, procs =, estimate = }
local function scan(waiting, from, last, accept)
  for rank = from, last do
    if waiting[rank] and accept(waiting[rank]) then return rank end
  end
  return -1
end

local function fits(free)
  return function(job) return job.procs <= free end
end

local function backfills(b)
  return function(job)
    return job.procs <= b.free
      and ((b.now + job.estimate) + b.verification <= b.shadow or job.procs <= b.extra)
  end
end

local function random_backfill(rng)
  local free, now = rng:integer(0, 12), rng:integer(0, 50)
  return {
    free = free, extra = rng:integer(-1, free), now = now, verification = rng:integer(0, 1) / 8,
    shadow = now + rng:integer(0, 12),
  }
end

local function compare(rng, queue, waiting, capacity, questions)
  for _ = 1, questions do
    local from = rng:integer(0, 1) == 0 and 0 or rng:integer(0, capacity)
    local free = rng:integer(0, 12)
    assert.equal(scan(waiting, from, capacity - 1, fits(free)), queue:next_fit(from, free))
    local b = random_backfill(rng)
    assert.equal(scan(waiting, from, capacity - 1, backfills(b)), queue:next_backfill(from, b))
  end
  assert.equal(scan(waiting, 0, capacity - 1, fits(2^31 - 2)), queue:next_fit(0, 2^31 - 2))
  local from, free, list = rng:integer(0, capacity), rng:integer(0, 12), {}
  for rank = from, capacity - 1 do
    if waiting[rank] and waiting[rank].procs <= free then list[#list + 1] = rank end
  end
  assert.same(list, queue:scan(from, free))
end

local function permutation(rng, n)
  local list = {}
  for i = 1, n do
    local at = rng:integer(1, i)
    list[i] = list[at]
    list[at] = i - 1
  end
  return list
end

local SIZES = { 0, 1, 2, 15, 16, 17, 31, 255, 256, 257, 4095, 4096, 4097 }

describe("the queue", function()
  for _, size in ipairs(SIZES) do
    it("answers like a linear scan, with " .. size .. " jobs", function()
      local rng = random(size + 1)
      local queue, copy = native.queue(size, true), native.queue(size, true)
      local waiting, rank_of, count = {}, {}, 0
      local order = permutation(rng, size)
      queue:order(order)
      for rank, job in ipairs(order) do rank_of[job] = rank - 1 end
      compare(rng, queue, waiting, size, 5)
      local steps = size > 0 and math.max(300, math.min(2 * size, 3000)) or 0
      for round = 1, steps do
        local job = rng:integer(0, size - 1)
        local rank = rank_of[job]
        assert.equal(job, queue:job_at(rank))
        if waiting[rank] then
          queue:remove(job)
          waiting[rank] = nil
          count = count - 1
        else
          -- rarely a narrow or short one, so that searches have to go far
          local narrow = rng:integer(1, 20) == 1
          local procs = narrow and rng:integer(1, 8) or rng:integer(8, 12)
          local estimate = rng:integer(0, 20) == 0 and rng:integer(0, 4) or rng:integer(5, 40) / 4
          queue:insert(job, procs, estimate)
          waiting[rank] = { job = job, procs = procs, estimate = estimate }
          count = count + 1
        end
        if round % math.max(1, size // 64) == 0 then compare(rng, queue, waiting, size, 2) end
        assert.equal(count, queue:count())
      end
      copy:copy(queue)
      compare(rng, copy, waiting, size, 20)
      queue:clear()
      compare(rng, queue, {}, size, 3)
      compare(rng, copy, waiting, size, 20)
    end)
  end

  it("is refilled and appended to, as orders that change need it", function()
    local rng = random(99)
    for _, size in ipairs { 1, 2, 16, 17, 40, 256, 300 } do
      local queue, procs, estimates = native.queue(size, true), {}, {}
      for i = 1, size do procs[i], estimates[i] = rng:integer(1, 12), rng:integer(0, 40) / 4 end
      local inside = {} -- job -> true
      for _ = 1, 60 do
        -- an order of the jobs that wait
        local jobs = {}
        for _, job in ipairs(permutation(rng, size)) do
          if inside[job] then jobs[#jobs + 1] = job end
        end
        queue:refill(jobs, procs, estimates)
        local waiting = {} -- in the order of ranks, without gaps
        for i, job in ipairs(jobs) do
          waiting[i] = { job = job, procs = procs[job + 1], estimate = estimates[job + 1] }
        end
        compare(rng, queue, { [0] = waiting[1], table.unpack(waiting, 2) }, size, 4)
        -- some leave, some of these and others come
        for i = #waiting, 1, -1 do
          if rng:integer(0, 2) > 0 then
            local gone = table.remove(waiting, i)
            queue:remove(gone.job)
            inside[gone.job] = nil
          end
        end
        for _, job in ipairs(permutation(rng, size)) do
          if not inside[job] and rng:integer(0, 2) > 0 then
            queue:append(job, procs[job + 1], estimates[job + 1])
            waiting[#waiting + 1] = { job = job }
            inside[job] = true
          end
        end
        local found, rank = {}, -1
        repeat
          rank = queue:next_fit(rank + 1, 2^31 - 2)
          if rank >= 0 then found[#found + 1] = queue:job_at(rank) end
        until rank < 0
        for i, job in ipairs(waiting) do assert.equal(job.job, found[i]) end
        assert.equal(#waiting, #found)
        assert.equal(#waiting, queue:count())
      end
    end
  end)

  -- Also of more processors than 16 bits can say, which the smallest of 16 numbers is found with.
  it("gives up the jobs that fit, in order", function()
    local rng = random(101)
    local wide = { 32766, 32767, 32768, 65535, 65536, 2^31 - 2 }
    for round = 1, rounds(300, 300, 40) do
      local size = round % 20 == 0 and rng:integer(4000, 5000) or rng:integer(1, 600)
      local queue, order, waiting = native.queue(size, false), permutation(rng, size), {}
      queue:order(order)
      for rank, job in ipairs(order) do
        local procs = rng:integer(1, 3) == 1 and wide[rng:integer(1, #wide)] or rng:integer(1, 12)
        if rng:integer(1, 4) > 1 then
          queue:insert(job, procs, 0)
          waiting[rank - 1] = procs
        end
      end
      for _ = 1, 40 do
        local free = rng:integer(0, 3) == 0 and rng:integer(0, 200000) or rng:integer(0, 20)
        local left, taken = free, {}
        for rank = 0, size - 1 do
          if waiting[rank] and waiting[rank] <= left then
            left, waiting[rank] = left - waiting[rank], nil
            taken[#taken + 1] = rank
          end
        end
        assert.same(taken, queue:take(free))
        local rank, fit = 0, rng:integer(0, 40000)
        while rank < size and not (waiting[rank] and waiting[rank] <= fit) do rank = rank + 1 end
        assert.equal(rank < size and rank or -1, queue:next_fit(0, fit))
        local again = order[rng:integer(1, size)]
        if not waiting[queue:rank_of(again)] then
          local procs = rng:integer(1, 2) == 1 and wide[rng:integer(1, #wide)] or rng:integer(1, 12)
          queue:insert(again, procs, 0)
          waiting[queue:rank_of(again)] = procs
        end
      end
    end
  end)

  it("is loosened from static ranks, and who searches finds the way on", function()
    local rng = random(100)
    for _ = 1, rounds(200, 200, 10) do
      local size = rng:integer(1, 60)
      local queue, order = native.queue(size, true), permutation(rng, size)
      queue:order(order)
      local expected, left = {}, {}
      for rank, job in ipairs(order) do
        if rng:integer(0, 1) == 0 then queue:insert(job, job % 5 + 1, job % 7) end
        if queue:next_fit(rank - 1, 2^31 - 2) == rank - 1 then expected[#expected + 1] = job end
      end
      -- some leave: behind them comes who came behind them before
      for i = #expected, 1, -1 do
        if rng:integer(0, 2) == 0 then
          local gone = table.remove(expected, i)
          queue:remove(gone)
          left[gone] = expected[i] or false
        end
      end
      queue:loosen()
      local found, rank = {}, -1
      repeat
        rank = queue:next_fit(rank + 1, 2^31 - 2)
        if rank >= 0 then found[#found + 1] = queue:job_at(rank) end
      until rank < 0
      assert.same(expected, found)
      assert.equal(#expected, queue:count())
      for gone, next_job in pairs(left) do
        rank = queue:next_fit(queue:rank_of(gone) + 1, 2^31 - 2)
        assert.equal(next_job, rank >= 0 and queue:job_at(rank))
      end
      for job = 0, size - 1 do -- and it takes whoever comes
        if queue:count() < size and not table.concat(expected, " "):find("%f[%d]" .. job ..
          "%f[%D]") then
          queue:append(job, 1, 1)
          expected[#expected + 1] = job
        end
      end
      assert.equal(size, queue:count())
    end
  end)
end)
