-- What a result answers to who asks for something that it has not.
local orrery = require "orrery"

describe("a result that is asked for what is not there", function()
  local result = orrery.compare { jobs = orrery.synthetic { count = 5 }, procs = 3000, runs = 2 }

  -- The message names the line here, however deep the method is that finds out.
  local function refused(message, ask)
    local line = debug.getinfo(ask, "S").linedefined
    local done, problem = pcall(ask)
    assert.is_false(done)
    local at, text = problem:match "results_spec%.lua:(%d+): (.*)$"
    assert.equal(line, tonumber(at), problem)
    assert.equal(message, text:sub(1, #message))
  end

  it("names the caller's line, and what there is", function()
    local known = " (known: ratio, makespan, lower_bound, wait_mean,"
    refused("there is no metric 'x'" .. known, function() local _ = result:values(1, "x") end)
    refused("there is no metric 'wait_men', did you mean 'wait_mean'?" .. known,
      function() local _ = result:summary(1, "wait_men") end)
    refused("wait_p50 was not asked for: give quantiles = true",
      function() local _ = result:set_means(1, "wait_p50") end)
    refused("there is no policy 'x' in this result", function() local _ = result:summary("x") end)
    refused("there is no policy '99' in this result", function() local _ = result:label(99) end)
  end)

  it("names the caller's line where it is of other things", function()
    for _, name in ipairs { "coschedule", "packs", "schedule", "write_schedule" } do
      refused("this result is not of packs", function() local _ = result[name](result) end)
    end
    refused("this result is of jobs and has no ends of tasks", function() result:ends(1, 1) end)
    refused("there is no set 7", function() result:jobs(1, "wait", 7) end)
  end)

  it("has no field that nobody gave it, and tells the one that is near", function()
    refused("a result has no 'nothing' (known: coschedule, csv,",
      function() local _ = result.nothing end)
    refused("a result has no 'seeed', did you mean 'seed'? (known: ",
      function() local _ = result.seeed end)
    assert.is_nil(result.partitions) -- other results have it
    assert.is_nil(rawget(result, "nothing"))
  end)
end)

describe("the differences of several policies from the first", function()
  local policies = {}
  for i = 1, 8 do
    policies[i] = { policy = "greedy", name = "p" .. i,
      priority = function(job) return job.position * (2 * i + 1) * 7919 % 101 end }
  end
  local spec = { jobs = orrery.synthetic { count = 15, set = 1 }, procs = 3000, runs = 20, seed = 1,
    errors = { mean_probability = 0.2 }, policies = policies }
  local result = orrery.compare(spec)

  -- Which are significant: by themselves, and by Holm, in the order of their size.
  local function expected(metric)
    local single, order, corrected = {}, {}, {}
    for i = 2, 8 do
      local d = result:difference(1, i, metric)
      single[i], corrected[i] = d.significant, false
      order[i - 1] = { i, math.abs(d.mean) / d.sd * math.sqrt(20) }
    end
    table.sort(order, function(a, b) return a[2] > b[2] end)
    for k, one in ipairs(order) do
      if one[2] <= orrery.student_quantile(1 - 0.025 / (8 - k), 19) then break end
      corrected[one[1]] = true
    end
    return single, corrected
  end

  it("are significant after Holm's correction", function()
    local lost = 0
    for _, metric in ipairs { "ratio", "wait_mean", "bsld_mean" } do
      local single, corrected = expected(metric)
      for i, d in ipairs(result:differences(metric)) do
        local alone = result:difference(1, i, metric)
        assert.same({ alone.mean, alone.half_width, corrected[i] or false },
          { d.mean, d.half_width, d.significant })
        lost = lost + (single[i] and not corrected[i] and 1 or 0)
      end
    end
    assert.is_true(lost > 0)
  end)

  it("have so many marks in the table and in JSON, which say so", function()
    local _, corrected = expected "ratio"
    local text, json = tostring(result), require("dkjson").decode(result:json())
    for i = 2, 8 do
      assert.equal(corrected[i], text:match("\np" .. i .. " [^\n]*"):sub(-2) == " *")
      assert.equal(corrected[i], json.policies[i].ratio_against_first.significant)
    end
    assert.matches("\n± is the 95% interval of a mean; * marks paired differences that are "
      .. "significant after Holm's correction for 7 comparisons", text, 1, true)
    spec.policies = { policies[1], policies[2] }
    assert.matches("* marks paired differences whose interval excludes 0",
      tostring(orrery.compare(spec)), 1, true)
  end)
end)

describe("what ranks say of differences", function()
  local policies = {}
  for i = 1, 8 do
    policies[i] = { policy = "easy", name = i == 2 and "easy" or "p" .. i,
      priority = function(job) return job.position * (2 * i + 1) * 7919 % 101 end }
  end
  local result = orrery.compare { jobs = orrery.synthetic { count = 15, set = 1 }, procs = 3000,
    runs = 9, seed = 1, errors = { mean_probability = 0.2 }, policies = policies }

  local function differences_of(i, metric)
    local list = {}
    for run, value in ipairs(result:values(1, metric)) do
      list[run] = result:values(i, metric)[run] - value
    end
    return list
  end

  it("is that of their signed ranks", function()
    for i = 2, 8 do
      local d, list = result:difference(1, i, "wait_mean"), differences_of(i, "wait_mean")
      local ranks = orrery.signed_rank(list)
      assert.same({ ranks.estimate, ranks.low, ranks.high, ranks.p, ranks.p <= 0.05,
        orrery.quantiles(list, { 0.5 })[1] }, { d.shift, d.shift_low, d.shift_high, d.rank_p,
        d.rank_significant, d.median })
    end
  end)

  it("is significant after Holm's correction, and in JSON", function()
    local found, lost = 0, 0
    for _, metric in ipairs { "ratio", "wait_mean", "bsld_mean", "utilisation", "failures" } do
      local order, corrected, list = {}, {}, result:differences(metric)
      for i = 2, 8 do
        order[i - 1] = i
        if list[i].sd == 0 then list[i].rank_p = 1 end
      end
      table.sort(order, function(a, b) return list[a].rank_p < list[b].rank_p end)
      for k, i in ipairs(order) do
        if list[i].rank_p > 0.05 / (8 - k) then break end
        corrected[i] = true
      end
      for i = 2, 8 do
        assert.equal(corrected[i] or false, list[i].rank_significant)
        found = found + (corrected[i] and 1 or 0)
        lost = lost + (list[i].rank_p <= 0.05 and not corrected[i] and 1 or 0)
      end
      assert.is_false(list[1].rank_significant)
    end
    assert.is_true(found > 0 and lost > 0, found .. " " .. lost)
    local json = require("dkjson").decode(result:json()).policies[2]
    local d, s = result:differences()[2], result:summary(2, "wait_mean")
    assert.same({ d.shift, d.rank_p, d.rank_significant, s.median, s.q1 },
      { json.ratio_against_first.shift, json.ratio_against_first.rank_p,
        json.ratio_against_first.rank_significant, json.metrics.wait_mean.median,
        json.metrics.wait_mean.q1 })
  end)

  it("is beside quartiles in a summary", function()
    local s, values = result:summary("easy", "wait_mean"), result:values("easy", "wait_mean")
    assert.same(orrery.quantiles(values, { 0.25, 0.5, 0.75 }), { s.q1, s.median, s.q3 })
    for name, value in pairs(orrery.summary(values)) do assert.equal(value, s[name]) end
  end)
end)

describe("a difference that is the same every time", function()
  it("is said to be so where the result is printed", function()
    local result = orrery.compare { jobs = orrery.jobs { { procs = 2, time = 10 } }, procs = 4,
      runs = 3, policies = { "greedy", "easy" } }
    assert.matches("\neasy .* %+0%.0000 %(the same every time%)\n", tostring(result))
    assert.is_false(result:difference(1, 2).significant)
  end)

  it("has no interval of 0 where it varies", function()
    local result = orrery.compare { jobs = orrery.jobs { { procs = 2, time = 10 } }, procs = 4,
      runs = 3, policies = { "greedy", "easy" } }
    local ratios = { { 1, 1, 2 }, { 1.5, 1.50001, 2.5 } }
    rawset(result, "samples", function(_, policy) return { table.unpack(ratios[policy]) } end)
    assert.matches("%+0%.5000 ± 1%.4e%-05 %*\n", tostring(result))
    assert.equal("+0.5000 ± 1.4e-05",
      require("orrery.values.metrics").text("ratio", 0.5, 1.4e-5, true))
  end)

  it("is none where only rounding tells the samples apart", function()
    local result = orrery.compare { jobs = orrery.jobs { { procs = 2, time = 10 } }, procs = 4,
      runs = 3, policies = { "greedy", "easy" } }
    local ratios = { { 0.1 + 0.2, 1, 2 }, { 0.3, 1, 2 + 1e-15 } }
    rawset(result, "samples", function(_, policy) return { table.unpack(ratios[policy]) } end)
    local d = result:difference(1, 2)
    assert.same({ 0, 0, 0, 0, 0, 0, false, false }, { d.mean, d.sd, d.min, d.max, d.median, d.shift,
      d.significant, d.rank_significant })
    assert.is_true(d.rank_p ~= d.rank_p and d.shift_high == math.huge)
    assert.equal("0%", require("orrery.values.metrics").better_share("ratio", ratios[2], ratios[1]))
  end)
end)

describe("a long comparison at the prompt", function()
  local shared = require "orrery.support.program"
  after_each(function() shared.during = nil end)

  it("says how far it is, and gives the same result", function()
    local function spec()
      return { jobs = orrery.synthetic { count = 9 }, procs = 3000, runs = 40, threads = 1,
        errors = { mean_probability = 0.1 }, policies = { "easy", "fcfs" } }
    end
    local plain, seen, given = orrery.compare(spec()):csv(), {}, spec()
    shared.during = function(what, f)
      seen[1] = what
      return f(function(done, total) seen[#seen + 1] = done .. "/" .. total end)
    end
    assert.equal(plain, orrery.compare(given):csv())
    assert.same({ "simulations", "80/80" }, { seen[1], seen[#seen] })
    assert.is_nil(given.progress)
    seen = {}
    given.progress = function() seen[1] = "own" end
    orrery.compare(given)
    assert.same({ "own" }, seen) -- who asks is told alone
  end)
end)
