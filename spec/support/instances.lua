-- Random small instances for the specs of the rigid engine: many ties, exact fits, zero times.
local instances = {}

local function pick(rng, list) return list[rng:integer(1, #list)] end

local TIMES = {
  function(rng) return rng:integer(0, 3) end,
  function(rng) return rng:integer(1, 6) end,
  function(rng) return rng:integer(0, 40) end,
  function(rng) return rng:uniform(0, 10) end,
  function(rng) return rng:integer(0, 2) == 0 and 0 or rng:integer(1, 30) / 10 end,
}

local SUBMISSIONS = {
  function() return 0 end,
  function() return 0 end,
  function(rng) return rng:integer(0, 3) * 2 end,
  function(rng) return rng:integer(0, 30) end,
  function(rng) return rng:uniform(5, 25) end,
}

local function walltime(rng, time)
  local kind = rng:integer(1, 6)
  if kind == 1 then return time end
  if kind == 2 then return time * rng:integer(0, 9) / 10 end
  if kind == 3 then return nil end
  if kind == 4 then return time + rng:integer(0, 4) end
  return time * (1 + rng:integer(0, 10) / 4)
end

-- An instance as orrery.session and naive.run both read it, but for jobs: `list` is a list of
-- tables. options: n (most jobs), procs (list to choose from), batch = true, walltimes = false,
-- verification = false, positive = true (no zero times), failures = most per job.
function instances.random(rng, options)
  options = options or {}
  local procs = pick(rng, options.procs or { 1, 2, 3, 4, 5, 7, 8, 13 })
  local n = rng:integer(1, options.n or 14)
  local time, submit = pick(rng, TIMES), options.batch and SUBMISSIONS[1] or pick(rng, SUBMISSIONS)
  local narrow = rng:integer(0, 2) == 0
  local with_walltimes = options.walltimes ~= false and rng:integer(0, 1) == 1
  local fails = rng:integer(0, 2) > 0
  local list, failures = {}, {}
  for i = 1, n do
    local t = time(rng)
    if options.positive and t == 0 then t = 1 end
    list[i] = {
      procs = rng:integer(1, narrow and math.max(1, procs // 2) or procs), time = t,
      submit = submit(rng), walltime = with_walltimes and walltime(rng, t) or nil,
    }
    failures[i] = fails and math.max(0, rng:integer(-2, options.failures or 3)) or 0
  end
  return {
    list = list, procs = procs, failures = failures,
    walltimes = with_walltimes and "log" or nil,
    verification = options.verification ~= false and pick(rng, { 0, 0, 1, 0.1 }) or nil,
  }
end

-- The instance as Lua text, for the message of a failing test.
function instances.describe(instance)
  local lines = {}
  for i, job in ipairs(instance.list) do
    lines[i] = ("  { procs = %d, time = %.17g, submit = %.17g%s }, -- fails %d times"):format(
      job.procs, job.time, job.submit or 0,
      job.walltime and (", walltime = %.17g"):format(job.walltime) or "",
      instance.failures and instance.failures[i] or 0)
  end
  return ("procs = %d, walltimes = %s, verification = %s%s, jobs = {\n%s\n}"):format(instance.procs,
    tostring(instance.walltimes), tostring(instance.verification),
    instance.instant and ", instant = " .. instance.instant or "", table.concat(lines, "\n"))
end

return instances
