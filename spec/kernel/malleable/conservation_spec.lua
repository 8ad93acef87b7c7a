-- Nothing is lost and nothing comes from nowhere: processors, their time, and work.
local orrery = require "orrery"
local native = require "native_malleable"
local packs = require "spec.support.packs"
local rounds = require "spec.support.rounds"

describe("every heuristic", function()
  -- The checker knows nothing of the engine; it looks at every run on its way, and at its end.
  local function pass(law, runs)
    local sums = { 0, 0, 0, 0, 0 }
    for _, policy in ipairs(packs.policies) do
      local on_end, on_fault = policy:match "^(.*)%+(.*)$"
      for i, value in ipairs { native.many(on_end, on_fault, law, runs) } do
        sums[i] = sums[i] + value
      end
    end
    assert.equal(runs * #packs.policies, sums[1])
    local _, faults, moves, fatal, checks = table.unpack(sums)
    assert.is_true(faults > sums[1] and moves > sums[1] and checks > sums[1], "too quiet")
    assert.is_true(fatal > 0)
  end

  it("passes the checker on thousands of runs, exponential faults", function()
    pass("exponential", rounds(160, 160, 60))
  end)

  it("passes the checker on thousands of runs, Weibull faults", function()
    pass("weibull", rounds(100, 100, 40))
  end)
end)

-- Processors of a text such as "0-3 8-9".
local function each_processor(text, visit)
  for low, high in text:gmatch "(%d+)-(%d+)" do
    for processor = tonumber(low), tonumber(high) do visit(processor) end
  end
end

describe("a schedule", function()
  local function sessions(seed, count, visit)
    local rng = orrery.random(seed)
    for _ = 1, count do
      local pack = packs.random(rng)
      local session = packs.session(pack, packs.policies[rng:integer(1, #packs.policies)])
      local metrics = session:finish()
      visit(pack, session, metrics)
    end
  end

  it("does every task's work exactly once", function()
    local moved = 0
    sessions(131, 150, function(pack, session, metrics)
      local done = {}
      for _, span in ipairs(session:schedule()) do
        if span.kind == "work" then
          done[span.position] = (done[span.position] or 0)
            + (span.finish - span.start) / session.tasks:time(span.position, span.procs)
        end
      end
      for i = 1, #pack.tasks do assert.near(1, done[i], 1e-9, packs.describe(pack)) end
      moved = moved + metrics.moves
    end)
    assert.is_true(moved > 200)
  end)

  it("spends p times the makespan, and the metrics say on what", function()
    local KINDS = {
      work = "useful", checkpoint = "checkpoint", lost = "lost", downtime = "recovery",
      recovery = "recovery", redistribution = "redistribution",
    }
    sessions(132, 150, function(pack, session, metrics)
      local sums = { idle = pack.procs * metrics.makespan }
      local all = sums.idle
      for _, span in ipairs(session:schedule()) do
        local spent = span.procs * (span.finish - span.start)
        sums[KINDS[span.kind]] = (sums[KINDS[span.kind]] or 0) + spent
        sums.idle = sums.idle - spent
      end
      local total = 0
      for _, name in ipairs { "useful", "checkpoint", "lost", "recovery", "redistribution",
        "idle" } do
        assert.near(sums[name] or 0, metrics[name], 1e-9 * all)
        total = total + metrics[name]
      end
      assert.near(all, total, 1e-9 * all)
    end)
  end)

  it("gives a processor to one task at a time, in pairs, never more than there are", function()
    sessions(133, rounds(100, 100, 40), function(pack, session)
      local spans, until_ = session:schedule(), {}
      table.sort(spans, function(a, b) return a.start < b.start end)
      for _, span in ipairs(spans) do
        local count = 0
        each_processor(span.processors, function(processor)
          count = count + 1
          assert.is_true(processor < pack.procs)
          assert.is_true((until_[processor] or 0) <= span.start, packs.describe(pack))
          until_[processor] = span.finish
        end)
        assert.equal(span.procs, count)
        assert.equal(0, count % 2)
      end
    end)
  end)
end)
