-- The priorities of online scheduling: by hand, and against the formulas as published.
local orrery = require "orrery"
local instances = require "spec.support.instances"
local naive = require "spec.support.naive"
local rigid = require "spec.support.rigid"
local rounds = require "spec.support.rounds"

-- A job of the whole machine runs from `from` for 100 s; then all others start at once, in order of
-- their priority. `list` holds { letter, submission, time, processors }.
local function order(priority, list, from)
  from = from or 0
  local jobs = { { id = "*", submit = from, time = 100, procs = 100 } }
  for _, job in ipairs(list) do
    jobs[#jobs + 1] = { id = job[1], submit = from + job[2], time = job[3], procs = job[4] }
  end
  local session = orrery.session {
    jobs = orrery.jobs(jobs), procs = 100, policy = "dispatch/fcfs", priority = priority,
  }
  session:finish()
  local found = ""
  for i, attempt in ipairs(session:schedule()) do
    assert.equal(i == 1 and from or from + 100, attempt.start)
    found = found .. attempt.id
  end
  return found
end

describe("by hand:", function()
  it("wfp3: (w / r)^3 n", function()
    assert.equal("*ebacd", order("wfp3", {
      { "a", 0, 50, 4 },    -- 2^3 * 4 = 32
      { "b", 50, 10, 1 },   -- 5^3 * 1 = 125
      { "c", 20, 80, 30 },  -- 1^3 * 30
      { "d", 100, 0, 60 },  -- has not waited: 0, though it takes no time
      { "e", 90, 0, 1 },    -- has waited and takes no time: inf
    }))
  end)

  it("unicef: w / (log2(n) r)", function()
    assert.equal("*efbacd", order("unicef", {
      { "a", 0, 50, 4 },    -- 100 / (2 * 50) = 1
      { "b", 50, 10, 1 },   -- one processor: before all that are wider, with 5
      { "c", 20, 80, 32 },  -- 80 / (5 * 80) = 0.2
      { "d", 100, 0, 50 },  -- has not waited: 0
      { "e", 90, 0, 2 },    -- has waited and takes no time: inf
      { "f", 60, 4, 1 },    -- one processor, with 10
    }))
  end)

  it("saf: r n", function()
    assert.equal("*cdab", order("saf", {
      { "a", 1, 10, 11 }, { "b", 1, 30, 4 }, { "c", 2, 0, 50 }, { "d", 2, 99, 1 },
    }))
  end)

  -- Log10(s) is 0 in the first second, also before its end; u comes later, and so last: the least
  -- of the four terms of s = 2 is 870 * 0.301 = 261.9, and stands behind the 90 of t in F1.
  local LIST = {
    { "x", 1, 10000, 2 }, { "y", 1, 100, 10 }, { "z", 1, 16, 20 }, { "w", 1, 441, 4 },
    { "v", 1, 200, 1 }, { "u", 2, 1, 1 }, { "t", 1, 1000, 30 }, { "s", 0.5, 1000, 25 },
  }

  it("f1 to f4", function()
    for _, from in ipairs { 0, 1e6 } do -- s counts from the first submission
      -- 2.3, 4 * 2, 2.644 * 4, 2 * 10, 1.204 * 20, 3 * 25, 3 * 30
      assert.equal("*vxwyzstu", order("f1", LIST, from))
      -- 14.1, 4 * 20, 21 * 4, 10 * 10, 100 * 2, 31.6 * 25, 31.6 * 30
      assert.equal("*vzwyxstu", order("f2", LIST, from))
      -- 200, 16 * 20, 100 * 10, 441 * 4, 10000 * 2, 1000 * 25, 1000 * 30
      assert.equal("*vzywxstu", order("f3", LIST, from))
      -- 16 * 4.47, 200, 100 * 3.16, 441 * 2, 1000 * 5, 1000 * 5.48, 10000 * 1.41
      assert.equal("*zvywstxu", order("f4", LIST, from))
    end
  end)

  -- What one term weighs against the other: n or r at which both are 0.01 apart.
  it("the constants of f1 to f4", function()
    local function between(rule, small, large, n)
      assert.equal("*ab", order(rule, { { "a", 1, small, n or 10 }, { "b", 10, 1, 1 } }))
      assert.equal("*ba", order(rule, { { "a", 1, large, n or 10 }, { "b", 10, 1, 1 } }))
    end
    between("f1", 10 ^ 8.78, 10 ^ 8.80, 99) -- 99 log10(r) = 870
    between("f2", 2559.9 ^ 2, 2560.3 ^ 2) -- 10 sqrt(r) = 25600 + 1
    between("f3", 685999, 686001) -- 10 r = 6.86e6 + 1
    between("f4", 530000 / math.sqrt(10), 530002 / math.sqrt(10)) -- sqrt(10) r = 530000 + 1
  end)
end)

-- As published: the smaller number goes first.
local function log10(x) return math.log(math.max(x, 1), 10) end
local FITTED = {
  f1 = function(r, n, s) return log10(r) * n + 870 * log10(s) end,
  f2 = function(r, n, s) return math.sqrt(r) * n + 25600 * log10(s) end,
  f3 = function(r, n, s) return r * n + 6860000 * log10(s) end,
  f4 = function(r, n, s) return r * math.sqrt(n) + 530000 * log10(s) end,
  saf = function(r, n) return r * n end,
}
local WAITING = {
  wfp3 = function(r, n, w) return (w / r) ^ 3 * n end,
  unicef = function(r, n, w) return w / ((n > 1 and math.log(n, 2) or 2.0 ^ -40) * r) end,
}

describe("against the formula, on random instances:", function()
  local function hold(rule, make_key)
    local rng = orrery.random(#rule * 7)
    for _ = 1, rounds(120, 120, 20) do
      local instance = instances.random(rng)
      local first = math.huge
      for _, job in ipairs(instance.list) do first = math.min(first, job.submit) end
      local discipline = rigid.pick(rng, { "easy", "fcfs", "greedy", "two" })
      local session = orrery.session(rigid.spec(instance, {
        policy = { dispatch = rigid.disciplines[discipline] }, priority = rule,
      }))
      session:finish()
      local reference = rigid.reference_spec(instance, discipline)
      make_key(reference, first)
      local problem = rigid.difference(session:schedule(), naive.run(reference))
      if problem then error(problem .. "\n" .. instances.describe(instance)) end
    end
  end

  for _, rule in ipairs { "f1", "f2", "f3", "f4", "saf" } do
    it(rule, function()
      hold(rule, function(reference, first)
        reference.key = function(job)
          return -FITTED[rule](job.time, job.procs, job.submit - first)
        end
      end)
    end)
  end
  for _, rule in ipairs { "wfp3", "unicef" } do
    it(rule, function()
      hold(rule, function(reference)
        reference.key_at = function(job, _, now)
          local waited = now - job.submit
          return waited > 0 and WAITING[rule](job.time, job.procs, waited) or 0
        end
      end)
    end)
  end
end)
