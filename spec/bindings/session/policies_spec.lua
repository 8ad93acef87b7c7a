-- Every shipped policy: forks, going back and taking over on the way.
local orrery = require "orrery"
local packs = require "spec.support.packs"
local rounds = require "spec.support.rounds"

local function seen(s)
  local parts = {}
  for _, one in ipairs(s:schedule()) do
    parts[#parts + 1] = ("%d %s %a %a %s"):format(one.position, one.attempt or one.kind, one.start,
      one.finish or 0, one.processors)
  end
  return table.concat(parts, "\n")
end

local function random_jobs(rng)
  local list, clock = {}, 0
  for i = 1, rng:integer(20, 60) do
    clock = clock + rng:integer(0, 4)
    list[i] = { procs = rng:integer(1, 4), time = rng:integer(1, 40), submit = clock,
      user = "u" .. rng:integer(1, 3), queue = rng:integer(1, 5) == 1 and "urgent" or "normal" }
  end
  return orrery.jobs(list)
end

-- The same future for a session, its fork, one that went ahead and came back, and one whose policy
-- was changed to what it is.
local function holds(rng, make, policy, change)
  local s, horizon = make(), make():finish().makespan
  if rng:integer(1, 2) == 1 then s:step(rng:integer(1, 20)) else
    s:run_until(rng:uniform(s.now, horizon)) -- s.now: the first submission
  end
  if change then
    local ok, why = pcall(s.change, s, change)
    if not ok then -- groups cannot take over a job that runs in two of them, nor periods change
      assert.is_truthy(why:find "which are not of one group"
        or why:find "gives the periods of checkpoints", why)
      return
    end
  end
  local fork, ahead = s:fork(), s:fork()
  ahead:run_until(s.now + rng:uniform(0, horizon / 2))
  if not change then -- else what was changed may not have happened yet
    local then_ = seen(s)
    ahead:back_to(s.now)
    assert.equal(then_, seen(ahead), policy)
  else
    ahead:back_to(s.now)
  end
  local same = s:fork { policy = s.policy }
  for _, one in ipairs { s, fork, ahead, same } do one:finish() end
  local expected = seen(s)
  assert.equal(expected, seen(fork), policy)
  assert.equal(expected, seen(ahead), policy)
  assert.equal(expected, seen(same), policy)
  local fine, objection = s:check()
  assert.is_true(fine, policy .. ": " .. tostring(objection))
end

-- Those that take any jobs: what really happened is asked for in recorded_spec.
local function names(folder)
  local list = {}
  for _, policy in ipairs(orrery.policies()) do
    if policy.name:match("^" .. folder .. "/") and policy.name ~= "dispatch/recorded" then
      list[#list + 1] = policy.name
    end
  end
  assert(#list > 0)
  return list
end

describe("sessions under every policy", function()
  local rng = orrery.random(331)
  local jobs

  local function session(policy, priority)
    local spec = { jobs = jobs, procs = 16, policy = policy, priority = priority, seed = 7,
      errors = { mean_probability = 0.1 } }
    return function() return orrery.session(spec) end
  end

  for _, folder in ipairs { "dispatch", "redirect" } do
    for _, name in ipairs(names(folder)) do
      it("of jobs: " .. name, function()
        for _ = 1, rounds(3, 3, 1) do
          jobs = random_jobs(rng)
          holds(rng, session(name), name)
          holds(rng, session "easy", name, { policy = name })
          holds(rng, session(name), name, { policy = "greedy", priority = "spt" })
        end
      end)
    end
  end

  for _, name in ipairs(names "priority") do
    it("of jobs: " .. name, function()
      jobs = random_jobs(rng)
      holds(rng, session("conservative", name), name)
      holds(rng, session "easy", name, { priority = name })
    end)
  end

  for _, name in ipairs(names "redistribute") do
    it("of tasks: " .. name, function()
      for _ = 1, rounds(5, 5, 2) do
        local spec = packs.spec(packs.random(rng), { policy = name })
        holds(rng, function() return orrery.session(spec) end, name)
        spec.policy = "end-local+iterated-greedy"
        holds(rng, function() return orrery.session(spec) end, name, { policy = name })
      end
    end)
  end
end)
