-- Policies that misbehave: they are refused with a message, and after every misdeed a good run
-- gives the right result.
local assert = require "luassert"
local merge = require "spec.support.merge"
local orrery = require "orrery"

local refused = {}

refused.JOBS = orrery.jobs {
  { id = "first", procs = 2, time = 10 }, { id = "second", procs = 2, time = 5 },
  { id = "late", procs = 1, time = 1, submit = 100 },
}

function refused.start_all(sim)
  for job in sim:waiting() do
    if job.procs <= sim.free then sim:start(job) end
  end
end

-- In a session and on threads.
function refused.assert_all_is_well()
  assert.equal(101, orrery.session { jobs = refused.JOBS, procs = 2 }:finish().makespan)
  local good = orrery.compare {
    jobs = refused.JOBS, procs = 2, runs = 3, threads = 2,
    policy = { dispatch = refused.start_all },
  }
  assert.same({ 101, 101, 101 }, good:values(1, "makespan"))
end

-- A message: a call that took too long names its processor time, however busy the machine is.
function refused.of_processor(message)
  return (message:gsub("took more than %S+ s by the clock %(10 times limits%.seconds%), of which "
    .. "it had the processor for less than (%S+) s; is the machine too busy%?",
    "took more than %1 s of processor time (limits.seconds); does a loop never end?"))
end

-- Runs fail with a text that holds every one of `expected`.
function refused.attempt(run, expected)
  local ok, message = pcall(run)
  assert.is_false(ok)
  assert.equal("string", type(message))
  message = refused.of_processor(message)
  for _, text in ipairs(type(expected) == "table" and expected or { expected }) do
    if not message:find(text, 1, true) then
      error(("expected '%s' in: %s"):format(text, message), 3)
    end
  end
  return message
end

-- A policy as a table, or hooks of one; `more` are fields of the run. The whole message must hold
-- every text of `expected`, in a session and in a Monte Carlo run on two threads.
function refused.policy(policy, expected, more)
  policy = merge({ name = "bad" }, policy)
  local spec = merge({ jobs = refused.JOBS, procs = 2 }, more)
  if not policy.dispatch then
    spec.policy, spec.priority = "dispatch/easy", policy -- "policy dispatch/easy + bad: "
  else
    spec.policy = policy
  end
  refused.attempt(function() orrery.session(spec):finish() end, expected)
  refused.attempt(function()
    orrery.compare(merge(spec, { runs = 4, threads = 2 }))
  end, expected)
  refused.assert_all_is_well()
end

-- The line of the caller's file on which it stands, as it appears in messages.
function refused.here(offset)
  local where = debug.getinfo(2, "Sl")
  return ("%s:%d: "):format(where.short_src:match "[^/]+$", where.currentline + (offset or 0))
end

return refused
