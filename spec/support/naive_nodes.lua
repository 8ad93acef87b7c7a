-- A naive simulator for rigid jobs on machines of nodes and partitions (READINGS 58, 59): the
-- reference that the engine is held against. Whatever is held, of a node or of a pool, is a list of
-- holds, and every question scans all of them at every time at which one begins or ends.
--
-- naive_nodes.run { kinds =, partitions =, jobs =, discipline =, ... } returns the list of attempts
-- in order of their starts: { position =, attempt =, start =, finish =, outcome =, processors =,
-- nodes = (ascending), promised = }.
--   kinds          list of { count =, procs =, has = { name = amount } }
--   partitions     list of { name =, nodes = (list, from 0; nil: all), priority =, exclusive =,
--                  default = } (none: all jobs may use all nodes)
--   jobs           list of { procs =, time =, submit = (0), walltime = (none), failures = (0),
--                  nodes = (any), exclusive =, needs = { name = amount }, partition = }, and the
--                  labels that limits are of
--   pools          name -> amount (none)
--   discipline     "list" (with reservations = m or math.huge, reading = "blocked" or "head"),
--                  "fcfs", "shelf" (with fill = true or false), "conservative"
--   key            function(job) -> the priority, larger first (none)
--   backfill       the same for jobs without a reservation to give, of a list (none)
--   place          function(position, of_nodes, needs, nodes) -> where a job starts that needs so
--                  many nodes, or processors: a list in order of { number = }, or { number,
--                  processors }; nil: the default (none). nodes: { number =, free =, takes = }
--   predicts       "moment" or "submission": plans are by predictions of that time (READINGS 43),
--                  which key and backfill see in job.plan (none: by the walltimes)
--   limit          list of { most = { procs =, jobs =, nodes =, mem = }, per = } (READINGS 57)
--   outages        list of { time =, repaired =, first =, count = } of processors
--   windows        list of { from =, to =, nodes = (list, from 0), user = (nobody) }: all know that
--                  these are closed but to the jobs of this user
--   changes        list of { time =, drain = nodes, till = } or { back = nodes } or { fail = node,
--                  till = } or { window = } or { add = { count =, procs =, has =, partitions =
--                  (names; nil: naive_nodes.joined) } }, by time: what somebody does then
--   verification   s (0)
local naive_conservative = require "spec.support.naive_conservative"

local naive_nodes = {}

local CORRECTIONS = { 60, 300, 900, 1800 } -- s

local Run = {}
Run.__index = Run

-- --- what is held -------------------------------------------------------------------------------

-- A hold is { from =, till =, on = { node -> { procs =, amount of each resource, whole = } },
-- pools = { name -> amount } }. It takes no time for an instant (READINGS 34).
local function hold(from, till, on, pools)
  local made = naive_conservative.hold(from, till, 0)
  made.on, made.pools = on, pools
  return made
end

-- Running jobs, whose ends that are due now are still to come, and nodes with a processor down.
function Run:held()
  local list = {}
  for _, attempt in ipairs(self.running) do
    list[#list + 1] = hold(attempt.start, math.max(attempt.planned, attempt.start), attempt.on,
      attempt.job.pools)
    if list[#list].till <= self.now then list[#list].till = hold(self.now, self.now).till end
  end
  for p, repaired in pairs(self.down_until) do
    local lost = self.counted and { procs = 1 } or { whole = true }
    list[#list + 1] = hold(-math.huge, repaired, { [self.node_of[p]] = lost }, {})
  end
  for _, closing in ipairs(self.closings) do
    if closing.to > self.now then
      list[#list + 1] = hold(closing.from, closing.to, { [closing.node] = { whole = true } }, {})
      list[#list].user = closing.user
    end
  end
  return list
end

-- Per node the least that is free of everything from one time until another, `unused` where nothing
-- of it is held then; and the least of every pool. Some is held for the jobs of a user.
function Run:free_between(job, all, from, till)
  local times, held, free, pools = { from }, {}, {}, {}
  for _, h in ipairs(all) do
    if not h.user or h.user ~= job.given.user then held[#held + 1] = h end
  end
  for _, h in ipairs(held) do
    if h.from > from and h.from < till then times[#times + 1] = h.from end
  end
  for name, amount in pairs(self.pools) do pools[name] = amount end
  for k, node in ipairs(self.nodes) do
    free[k] = { unused = true }
    for name, amount in pairs(node) do free[k][name] = amount end
  end
  for _, time in ipairs(times) do
    local now = {}
    for k, node in ipairs(self.nodes) do
      now[k] = {}
      for name, amount in pairs(node) do now[k][name] = amount end
    end
    local left = {}
    for name, amount in pairs(self.pools) do left[name] = amount end
    for _, h in ipairs(held) do
      if h.from <= time and time < h.till then
        for k, use in pairs(h.on) do
          free[k].unused = false
          for name in pairs(now[k]) do
            now[k][name] = use.whole and 0 or math.max(0, now[k][name] - (use[name] or 0))
          end
        end
        for name, amount in pairs(h.pools) do left[name] = left[name] - amount end
      end
    end
    for k in ipairs(self.nodes) do
      for name, amount in pairs(now[k]) do free[k][name] = math.min(free[k][name], amount) end
    end
    for name, amount in pairs(left) do pools[name] = math.min(pools[name], amount) end
  end
  return free, pools
end

-- --- P4: on which nodes -------------------------------------------------------------------------

local function ceil_div(a, b) return (a + b - 1) // b end

-- Nodes with the fewest free processors first, ties by number.
local function tightest_first(nodes, free)
  table.sort(nodes, function(a, b)
    if free[a].procs ~= free[b].procs then return free[a].procs < free[b].procs end
    return a < b
  end)
  return nodes
end

-- The nodes of the job's partition that it may use, ascending.
local function open_to(job, free)
  local list = {}
  for _, k in ipairs(job.partition.nodes) do
    if not job.exclusive or free[k].unused then list[#list + 1] = k end
  end
  return list
end

-- What a node that is open to a job can take of it: processors, or 1 of a number of nodes.
local function could_take(job, node)
  local most = node.procs
  if job.nodes > 0 then most = most >= ceil_div(job.procs, job.nodes) and 1 or 0 end
  for name, amount in pairs(job.needs) do
    if job.nodes > 0 then
      most = node[name] >= ceil_div(amount, job.nodes) and most or 0
    elseif amount > 0 then
      most = math.min(most, node[name] * job.procs // amount)
    end
  end
  return most
end

-- The even shares of a number of nodes.
local function shared_evenly(job, taken)
  local use = {}
  table.sort(taken)
  for i, k in ipairs(taken) do
    use[k] = { procs = job.procs // job.nodes + (i <= job.procs % job.nodes and 1 or 0) }
    for name, amount in pairs(job.needs) do use[k][name] = ceil_div(amount, job.nodes) end
  end
  return use
end

-- What some of its processors take along.
local function share(job, procs)
  local use = { procs = procs }
  for name, amount in pairs(job.needs) do use[name] = ceil_div(procs * amount, job.procs) end
  return use
end

-- An even share on each of a number of nodes.
local function evenly(job, free)
  local fitting = {}
  for _, k in ipairs(open_to(job, free)) do
    if could_take(job, free[k]) > 0 then fitting[#fitting + 1] = k end
  end
  if #fitting < job.nodes then return nil end
  return shared_evenly(job, table.move(tightest_first(fitting, free), 1, job.nodes, 1, {}))
end

-- As many nodes as it needs, each with the share of its processors.
local function anywhere(job, free)
  local rest, open, use = job.procs, open_to(job, free), {}
  local function take(k, procs)
    use[k] = share(job, procs)
    rest = rest - procs
    for i, other in ipairs(open) do if other == k then table.remove(open, i) break end end
  end
  while rest > 0 do
    local whole, largest = {}, nil
    for _, k in ipairs(open) do
      local takes = could_take(job, free[k])
      if takes >= rest then whole[#whole + 1] = k end
      if not largest or takes > could_take(job, free[largest]) then largest = k end
    end
    if #whole > 0 then
      take(tightest_first(whole, free)[1], rest)
    elseif largest and could_take(job, free[largest]) > 0 then
      take(largest, could_take(job, free[largest]))
    else
      return nil
    end
  end
  return use
end

-- What the job holds of each node; nil: it finds none.
local function place(job, free, pools)
  for name, amount in pairs(job.pools) do
    if pools[name] < amount then return nil end
  end
  local use = (job.nodes > 0 and evenly or anywhere)(job, free)
  for _, own in pairs(use or {}) do own.whole = job.exclusive end
  return use
end

-- Where the policy's placement puts a job that was placed by default: it gets the nodes that can
-- take something of it, with what is free from now until the end beside what is held.
function Run:chosen(job, use, held, till)
  if not self.place or not use then return use end
  local free, offered, made, taken = self:free_between(job, held, self.now, till), {}, {}, {}
  for _, k in ipairs(open_to(job, free)) do
    local takes = math.min(could_take(job, free[k]), job.procs)
    if takes > 0 then
      offered[#offered + 1] = { number = k, free = free[k].procs, takes = takes }
    end
  end
  local rest = job.nodes > 0 and job.nodes or job.procs
  local list = self.place(job.position, job.nodes > 0, rest, offered)
  for _, one in ipairs(list or {}) do
    local k = type(one) == "table" and (one.number or one[1]) or one
    local procs = math.min(rest, type(one) == "table" and one[2] or could_take(job, free[k]))
    if procs > 0 then
      taken[#taken + 1], made[k], rest = k, share(job, procs), rest - procs
    end
  end
  if not list then return use end
  made = job.nodes > 0 and shared_evenly(job, taken) or made
  for _, own in pairs(made) do own.whole = job.exclusive end
  return made
end

function Run:over_at(job, from) return (from + job.plan) + self.verification end

-- --- predictions --------------------------------------------------------------------------------

-- The mean of the last two jobs of the user that are over; else the walltime.
function Run:predict(job)
  local times = {}
  for _, attempt in ipairs(self.over) do
    if attempt.job.given.user == job.given.user then
      times[#times + 1] = attempt.finish - attempt.start
    end
  end
  local mean = #times > 1 and (times[#times] + times[#times - 1]) / 2 or math.huge
  job.plan = math.min(mean, job.estimate)
end

-- What outlives its planned end is planned to end later.
function Run:correct()
  for _, attempt in ipairs(self.running) do
    if attempt.planned <= self.now and attempt.planned < attempt.finish then
      attempt.outlived = (attempt.outlived or 0) + 1
      attempt.planned = math.min(self.now + CORRECTIONS[attempt.outlived],
        (attempt.start + attempt.job.estimate) + self.verification)
    end
  end
end

-- --- P5: when -----------------------------------------------------------------------------------

-- The hold of the job at the first time from now on at which it finds nodes until its planned end;
-- nil: never.
function Run:earliest(job, held)
  local times = { self.now }
  for _, h in ipairs(held) do
    if h.from > self.now then times[#times + 1] = h.from end
    if h.till > self.now and h.till < math.huge then times[#times + 1] = h.till end
  end
  table.sort(times)
  for _, time in ipairs(times) do
    local wanted = hold(time, self:over_at(job, time), nil, job.pools)
    wanted.on = place(job, self:free_between(job, held, wanted.from, wanted.till))
    if wanted.on then return wanted end
  end
end

-- Where the job finds nodes now, beside what runs, and until windows come.
function Run:place_now(job)
  local till = hold(self.now, self:over_at(job, self.now)).till
  local use = place(job, self:free_between(job, self:held(), self.now, till))
  return self:chosen(job, use, self:held(), till)
end

-- --- the queue ----------------------------------------------------------------------------------

-- The waiting jobs under no limit: by the priority of the partition, then of the job.
function Run:queue(key)
  local queue, keys = {}, {}
  for _, job in ipairs(self.jobs) do
    if job.waits and not self:is_over(job) then queue[#queue + 1] = job end
    keys[job] = key and key(job) or 0
  end
  table.sort(queue, function(a, b)
    if a.partition.priority ~= b.partition.priority then
      return a.partition.priority > b.partition.priority
    end
    if keys[a] ~= keys[b] then return keys[a] > keys[b] end
    if a.submit ~= b.submit then return a.submit < b.submit end
    return a.position < b.position
  end)
  return queue
end

-- Whether the job would exceed a limit if it started now.
function Run:is_over(job)
  for _, limit in ipairs(self.limit) do
    local function key_of(other) return limit.per == "all" and "all" or other.given[limit.per] end
    for of, most in pairs(limit.most) do
      local function use_of(other)
        if of == "procs" or of == "nodes" then return other[of] end
        return of == "jobs" and 1 or (other.given.needs or {})[of] or 0
      end
      local used = use_of(job)
      for _, attempt in ipairs(self.running) do
        if key_of(attempt.job) == key_of(job) then used = used + use_of(attempt.job) end
      end
      if key_of(job) and used > most and use_of(job) > 0 then return true end
    end
  end
  return false
end

function Run:start(job, on)
  local attempt = { job = job, position = job.position, start = self.now, on = on, processors = {},
    nodes = {}, promised = job.promised }
  job.attempts, job.waits, job.promised, job.aside = job.attempts + 1, false, nil, nil
  attempt.attempt, attempt.planned = job.attempts, self:over_at(job, self.now)
  if job.time > job.estimate then
    attempt.outcome, attempt.finish = "killed", self.now + job.estimate
  else
    attempt.outcome = job.failures > 0 and "failed" or "completed"
    attempt.finish = (self.now + job.time) + self.verification
  end
  for p = 0, #self.node_of do
    local use, seen = on[self.node_of[p]], attempt.nodes[#attempt.nodes]
    local free = not self.holder[p] and not self.down_until[p]
    if use and free and (use.got or 0) < use.procs then
      use.got = (use.got or 0) + 1
      attempt.processors[#attempt.processors + 1] = p
      self.holder[p] = attempt
      if seen ~= self.node_of[p] then attempt.nodes[#attempt.nodes + 1] = self.node_of[p] end
    end
  end
  assert(#attempt.processors == job.procs)
  self.running[#self.running + 1] = attempt
  self.history[#self.history + 1] = attempt
end

-- --- who starts ---------------------------------------------------------------------------------

local decide = {}

-- Beside what runs, the same reservations in the same order; nil: one becomes later.
function Run:made_again(reserved)
  local held, made = self:held(), {}
  for i, own in ipairs(reserved) do
    local found = self:earliest(own.job, held)
    if own.hold and (not found or found.from > own.hold.from) then return nil end
    made[i] = { job = own.job, hold = found }
    held[#held + 1] = found
  end
  return made
end

function decide.list(self)
  local reserved, made, seen, tried = {}, {}, {}, {}
  -- Starts the job if nothing reserved becomes later.
  local function start_beside(job)
    local on = self:place_now(job)
    if not on then return false end
    local trial = { job = job, start = self.now, planned = self:over_at(job, self.now), on = on }
    self.running[#self.running + 1] = trial
    local again = self:made_again(reserved)
    table.remove(self.running)
    if not again then return false end
    self:start(job, on)
    reserved = again
    return true
  end
  local function reserve(job)
    local held = self:held()
    for _, own in ipairs(reserved) do held[#held + 1] = own.hold end
    reserved[#reserved + 1] = { job = job, hold = self:earliest(job, held) }
  end
  for _, job in ipairs(self:queue(self.key)) do
    local p = job.partition
    local used = self.reading == "head" and (seen[p] or 0) or (made[p] or 0)
    seen[p] = (seen[p] or 0) + (self:is_over(job) and 0 or 1)
    if used < self.reservations and not self:is_over(job) then
      tried[job] = true
      if not start_beside(job) then
        reserve(job)
        made[p] = (made[p] or 0) + 1
      end
    elseif not self.backfill and not self:is_over(job) then
      start_beside(job)
    end
  end
  for _, job in ipairs(self.backfill and self:queue(self.backfill) or {}) do
    if not tried[job] and not self:is_over(job) then start_beside(job) end
  end
end

-- A partition that shares a node with another.
local function meet(a, b)
  for _, k in ipairs(a.nodes) do
    for _, other in ipairs(b.nodes) do if k == other then return true end end
  end
  return false
end

-- A job that cannot start stops those behind it that share nodes with it.
local function strictly(self, fill)
  local stopping = {}
  for _, job in ipairs(self:queue(self.key)) do
    if not self:is_over(job) then
      local stopped = false
      for _, other in ipairs(stopping) do
        stopped = stopped or meet(job.partition, other.partition)
      end
      local on = not stopped and self:place_now(job)
      if on then
        self:start(job, on)
      elseif not fill and not stopped then
        stopping[#stopping + 1] = job
      end
    end
  end
end

function decide.fcfs(self) strictly(self, false) end

function decide.shelf(self)
  if #self.running == 0 then strictly(self, self.fill) end
end

function decide.conservative(self)
  local again, queue = false, self:queue(self.key)
  for _, job in ipairs(self.jobs) do
    job.aside = job.waits and (job.aside or self:is_over(job))
  end
  naive_conservative.decide {
    now = self.now, held = self:held(), queue = queue, kept = self.kept, freed = self.freed,
    is_new = function(job) return job.attempts == 0 or job.aside end,
    stays = true,
    -- A reservation may stay if it finds its own nodes beside the others.
    fits = function(held, own)
      if own.from < self.now then return false end
      local free, pools = self:free_between(own.job, held, own.from, own.till)
      for k, use in pairs(own.on) do
        for name, amount in pairs(use) do
          if name == "whole" and not free[k].unused then return false end
          if name ~= "whole" and free[k][name] < amount then return false end
        end
      end
      for name, amount in pairs(own.pools) do
        if pools[name] < amount then return false end
      end
      return true
    end,
    -- It holds what its nodes must have free, also where it takes a processor less.
    earliest = function(job, held)
      local own = self:earliest(job, held)
      if not own then -- too much is out without an end
        own = hold(math.huge, math.huge, {}, {})
      elseif job.nodes > 0 then
        own.exact, own.on = own.on, {}
        for k, use in pairs(own.exact) do
          own.on[k] = {}
          for name, amount in pairs(use) do own.on[k][name] = amount end
          own.on[k].procs = ceil_div(job.procs, job.nodes)
        end
      end
      own.job = job
      return own
    end,
    start = function(job, own)
      local held = self:held()
      for waiting, other in pairs(self.kept) do -- who has come to a limit has given it up
        if not self:is_over(waiting) then held[#held + 1] = other end
      end
      if not self:is_over(job) then
        return self:start(job, self:chosen(job, own.exact or own.on, held, own.till))
      end
      job.aside, again = true, true
    end,
    promise = function(job, time) job.promised = job.promised or time end,
  }
  for job in pairs(self.kept) do again = again or self:is_over(job) end
  self.freed = again
  if again then decide.conservative(self) end
end

-- --- events -------------------------------------------------------------------------------------

function Run:leave(attempt)
  for i, other in ipairs(self.running) do
    if other == attempt then table.remove(self.running, i) break end
  end
  for _, p in ipairs(attempt.processors) do self.holder[p] = nil end
  self.freed = true
end

function Run:end_attempts()
  local ended = #self.over + 1
  for i = #self.running, 1, -1 do
    local attempt = self.running[i]
    if attempt.finish == self.now then
      self:leave(attempt)
      if attempt.outcome ~= "failed" then table.insert(self.over, ended, attempt) end
      attempt.job.waits = attempt.outcome == "failed"
      attempt.job.failures = attempt.job.failures - (attempt.job.waits and 1 or 0)
    end
  end
end

function Run:interrupt(attempt)
  self:leave(attempt)
  attempt.finish, attempt.outcome, attempt.job.waits = self.now, "node_failure", true
end

-- Windows open where attempts outlive their plans.
function Run:open_windows()
  for _, closing in ipairs(self.closings) do
    for i = #self.running, 1, -1 do
      local attempt = self.running[i]
      if closing.from <= self.now and closing.to > self.now and not closing.drained
        and attempt.on[closing.node]
        and not (closing.user and closing.user == attempt.job.given.user) then
        self:interrupt(attempt)
      end
    end
  end
end

function Run:fail_nodes()
  for p, repaired in pairs(self.down_until) do
    if repaired == self.now then self.down_until[p] = nil end
  end
  self:open_windows()
  for _, outage in ipairs(self.outages) do
    for p = outage.first, outage.first + outage.count - 1 do
      local attempt = self.holder[p]
      if outage.time == self.now and attempt then
        self:interrupt(attempt)
      end
      if outage.time == self.now and outage.repaired > self.now then
        self.down_until[p] = math.max(self.down_until[p] or 0, outage.repaired)
      end
    end
  end
end

function Run:submit()
  for _, job in ipairs(self.jobs) do
    if job.submit == self.now and not job.known then job.known, job.waits = true, true end
  end
end

function Run:next_instant()
  local next_time = math.huge
  for _, attempt in ipairs(self.running) do
    next_time = math.min(next_time, attempt.finish,
      self.predicts and math.max(attempt.planned, self.now) or attempt.finish)
  end
  for _, job in ipairs(self.jobs) do
    if not job.known then next_time = math.min(next_time, job.submit) end
  end
  for _, outage in ipairs(self.outages) do
    if outage.time > self.now then next_time = math.min(next_time, outage.time) end
  end
  for _, repaired in pairs(self.down_until) do next_time = math.min(next_time, repaired) end
  for _, closing in ipairs(self.closings) do
    for _, time in ipairs { closing.from, closing.to } do
      if time > self.now then next_time = math.min(next_time, time) end
    end
  end
  return next_time
end

-- What somebody does now, between two instants.
function Run:change(what)
  for _, node in ipairs(what.drain or what.back or {}) do
    for i = #self.closings, 1, -1 do
      if self.closings[i].drained and self.closings[i].node == node + 1 then
        table.remove(self.closings, i)
        self.freed = true
      end
    end
  end
  for _, node in ipairs(what.drain or {}) do
    self.closings[#self.closings + 1] = { from = self.now, to = what.till, node = node + 1,
      drained = true }
  end
  for _, node in ipairs(what.window and what.window.nodes or {}) do
    self.closings[#self.closings + 1] = { from = what.window.from, to = what.window.to,
      node = node + 1 }
  end
  for p = 0, what.fail and #self.node_of or -1 do
    if self.node_of[p] == what.fail + 1 then
      if self.holder[p] then self:interrupt(self.holder[p]) end
      if what.till > self.now then
        self.down_until[p] = math.max(self.down_until[p] or 0, what.till)
      end
    end
  end
  if what.add then self:add_nodes(what.add) end
  self.freed = self.freed or what.back ~= nil or what.window ~= nil or what.add ~= nil
end

-- The partitions that nodes join that come later: those of a list of names, or those that have all
-- nodes like them, or, if there are none, the default one.
function naive_nodes.joined(kinds, partitions, add)
  local alike, list, k = {}, {}, -1
  for _, kind in ipairs(kinds) do
    local is_like = kind.procs == add.procs
    for name, amount in pairs(add.has) do is_like = is_like and (kind.has[name] or 0) == amount end
    for _ = 1, kind.count do
      k = k + 1
      alike[#alike + 1] = is_like and k or nil
    end
  end
  for _, one in ipairs(partitions) do
    local has, named = {}, false
    for _, node in ipairs(one.nodes or alike) do has[node] = true end
    local joins = #alike > 0 or one.default
    for _, node in ipairs(alike) do joins = joins and has[node] end
    for _, name in ipairs(add.partitions or {}) do named = named or name == one.name end
    if add.partitions and named or not add.partitions and joins then list[#list + 1] = one.name end
  end
  return list
end

function Run:add_nodes(add)
  local joined = naive_nodes.joined(self.spec.kinds, self.spec.partitions, add)
  for _ = 1, add.count do
    local node = { procs = add.procs }
    for _, kind in ipairs(self.spec.kinds) do
      for name in pairs(kind.has) do node[name] = 0 end
    end
    for name, amount in pairs(add.has) do node[name] = amount end
    self.nodes[#self.nodes + 1] = node
    for _ = 1, add.procs do self.node_of[#self.node_of + 1] = #self.nodes end
    for _, name in ipairs(joined) do
      local p = self.partitions[name]
      p.nodes = table.move(p.nodes, 1, #p.nodes, 1, {})
      p.nodes[#p.nodes + 1] = #self.nodes
    end
    if #self.spec.partitions == 0 then self.default.nodes[#self.nodes] = #self.nodes end
  end
end

-- --- the entry ----------------------------------------------------------------------------------

-- Whether the machine is nothing but as many processors, which are counted: one large node.
function naive_nodes.is_counted(spec)
  local count, one = 0, spec.partitions[1]
  for _, kind in ipairs(spec.kinds) do
    if kind.procs > 1 or next(kind.has or {}) then return false end
    count = count + kind.count
  end
  return #spec.partitions < 2 and (not one or not one.nodes or #one.nodes == count)
end

local function prepare_machine(self, spec)
  if naive_nodes.is_counted(spec) then
    local count = 0
    for _, kind in ipairs(spec.kinds) do count = count + kind.count end
    self.counted, spec.kinds = true, { { count = 1, procs = count } }
  end
  for _, kind in ipairs(spec.kinds) do
    for _ = 1, kind.count do
      local node = { procs = kind.procs }
      for name, amount in pairs(kind.has or {}) do node[name] = amount end
      self.nodes[#self.nodes + 1] = node
    end
  end
  local p = 0
  for k, node in ipairs(self.nodes) do
    for _ = 1, node.procs do
      self.node_of[p] = k
      p = p + 1
    end
  end
  local all = {}
  for k in ipairs(self.nodes) do all[k] = k end
  for _, given in ipairs(#spec.partitions > 0 and spec.partitions or { { default = true } }) do
    local nodes = {}
    for i, k in ipairs(given.nodes or {}) do nodes[i] = k + 1 end
    local made = { nodes = given.nodes and not self.counted and nodes or all,
      priority = given.priority or 0,
      exclusive = given.exclusive }
    if given.name then self.partitions[given.name] = made end
    if given.default then self.default = made end
  end
end

function naive_nodes.run(spec)
  local self = setmetatable({
    nodes = {}, node_of = {}, partitions = {}, pools = spec.pools or {}, jobs = {},
    reservations = spec.reservations, reading = spec.reading, fill = spec.fill, key = spec.key,
    backfill = spec.backfill, place = spec.place, limit = spec.limit or {},
    verification = spec.verification or 0,
    outages = {}, down_until = {}, holder = {}, running = {}, history = {}, kept = {},
    now = -math.huge, closings = {}, predicts = spec.predicts, over = {}, spec = spec,
  }, Run)
  prepare_machine(self, { kinds = spec.kinds, partitions = spec.partitions or {} })
  local origin = math.huge
  for position, given in ipairs(spec.jobs) do
    local partition = self.partitions[given.partition] or self.default
    local job = { position = position, given = given, procs = given.procs, time = given.time,
      estimate = given.walltime or given.time, submit = given.submit or 0,
      failures = given.failures or 0, nodes = not self.counted and given.nodes or 0,
      partition = partition, attempts = 0, needs = {}, pools = {},
      exclusive = not self.counted and (given.exclusive or partition.exclusive) or nil }
    for name, amount in pairs(given.needs or {}) do
      (self.pools[name] and job.pools or job.needs)[name] = amount
    end
    job.plan = job.estimate
    origin = math.min(origin, job.submit)
    self.jobs[position] = job
  end
  for i, outage in ipairs(spec.outages or {}) do -- what is out at the beginning fails then
    self.outages[i] = { time = math.max(outage.time, origin), repaired = outage.repaired,
      first = outage.first, count = outage.count }
  end
  for _, w in ipairs(spec.windows or {}) do
    for _, k in ipairs(w.nodes) do
      local from = math.max(w.from, origin)
      self.closings[#self.closings + 1] = { from = from, to = w.to, node = k + 1, user = w.user }
    end
  end
  local changes = table.move(spec.changes or {}, 1, #(spec.changes or {}), 1, {})
  while true do
    local before = self.now
    self.now = self:next_instant()
    local changed = changes[1] and changes[1].time < self.now and table.remove(changes, 1)
    if changed then
      self.now = changed.time
      self:change(changed)
    end
    local goes_on = false
    for _, job in ipairs(self.jobs) do goes_on = goes_on or not job.known or job.waits end
    if not goes_on and #self.running == 0 then return self.history end
    assert(self.now < math.huge, "nothing can happen any more")
    self:end_attempts()
    if self.now > before and not changed then
      self:fail_nodes()
      self:submit()
    end
    if self.predicts then self:correct() end
    for _, job in ipairs(self.jobs) do
      local again = self.predicts == "moment" or not job.planned
      if self.predicts and job.waits and again then
        self:predict(job)
        job.planned = true
      end
    end
    decide[spec.discipline](self)
  end
end

return naive_nodes
