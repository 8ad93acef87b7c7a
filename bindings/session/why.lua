-- why: the words of s:why(job), which explains why a job waits.
local pools = require "orrery.values.pools"

local why = {}

local Why = { __name = "orrery.session.why", __tostring = function(self) return self.text end }

local MOST = 3 -- jobs that are named

-- "job 7 by 12.0 min (planned for 6.00 h, then 6.20 h), job 8 ... and 4 more"
local function delays_text(delays, at, span)
  local parts = {}
  for i = 1, math.min(#delays, MOST) do
    local one = delays[i]
    parts[i] = one.delayed == math.huge
      and ("job %s, planned for %s, without a plan"):format(one.id, at(one.planned))
      or ("job %s by %s, from %s to %s"):format(one.id, span(one.delayed - one.planned),
        at(one.planned), at(one.delayed))
  end
  if #delays > MOST then parts[#parts + 1] = ("%d more"):format(#delays - MOST) end
  return table.concat(parts, "; ")
end

-- "; 12 processors are out of service"
local function out_text(it)
  local parts = {}
  if it.failed > 0 then parts[#parts + 1] = it.failed .. " failed" end
  if it.drained > 0 then parts[#parts + 1] = it.drained .. " drained" end
  return #parts > 0 and (" (%s)"):format(table.concat(parts, ", ")) or ""
end

local function plan_text(it, at)
  if it.reserved then
    return ("; reserved for %s on %d processors"):format(at(it.reserved), it.procs)
  end
  if not it.earliest then return "" end
  if it.earliest == math.huge then return "; nothing says when it can start" end
  return ("; by plan it fits at %s at the earliest"):format(at(it.earliest))
end

local function would(it, at, span)
  if #it.delays == 0 then return "would delay nobody that has a planned start" end
  return "would delay " .. delays_text(it.delays, at, span)
end

local function whose(it)
  return it.key and ("%s %s"):format(it.per, it.key) or "the machine"
end

local TEXTS = {
  nothing = function() return "nothing hinders it: a decision starts it now" end,
  pending = function(it, at)
    if it.when then return "it is not submitted yet: that is at " .. at(it.when) end
    return "it is not submitted yet: it comes after jobs that are not over"
      .. (it.after and " (" .. it.after .. ")" or "")
  end,
  running = function() return "it does not wait, it runs" end,
  over = function() return "it does not wait, it is over" end,
  held = function() return "the policy holds it, until it is released or moved" end,
  capacity = function(it, at)
    return ("it needs %d processors, %s has %d in service%s%s"):format(it.procs, it.where,
      it.in_service, out_text(it), plan_text(it, at))
  end,
  full = function(it, at)
    return ("it needs %d processors, %d of %s are free%s%s%s"):format(it.procs, it.free, it.where,
      out_text(it), plan_text(it, at),
      it.blocker and "; nobody passes job " .. it.blocker or "")
  end,
  placement = function(it, at)
    return ("%d processors of %s are free, but its placement permits none of these sets%s"):format(
      it.free, it.where, plan_text(it, at))
  end,
  log = function(it, at) return "the log tells that it starts at " .. at(it.when) end,
  order = function(it, at, span)
    if not it.blocker then
      return "the shelf that runs must be over before it begins the next, at " .. at(it.earliest)
    end
    return ("it fits, but nobody passes job %s; starting it now %s"):format(it.blocker,
      would(it, at, span))
  end,
  delay = function(it, at, span)
    return ("it fits, but is blocked by job %s: starting it now %s%s"):format(it.blocker,
      would(it, at, span), plan_text(it, at))
  end,
  leaving = function(it, at)
    return "it fits now, but processors leave, close or are kept for others before its planned end"
      .. plan_text(it, at)
  end,
  pool = function(it, at)
    local when = it.earliest == math.huge and ", and nothing says when there is enough"
      or it.earliest and (", and it fits by plan at %s"):format(at(it.earliest)) or ""
    local closes = it.pool_free >= it.needs and " now, and closed before its planned end" or ""
    return ("it waits for %s of pool %s, of which %s are free%s%s; %d processors of %s are free%s")
      :format(pools.text(it.needs, it.pool), it.pool, pools.text(it.pool_free, it.pool), closes,
        when, it.free, it.where, it.blocker and "; nobody passes job " .. it.blocker or "")
  end,
  nodes = function(it, at)
    local when = it.earliest == math.huge and ", and nothing says when there are enough"
      or it.earliest and (", and it fits by plan at %s"):format(at(it.earliest)) or ""
    local where = ("the %s of %s"):format(it.nodes == 1 and "node" or it.nodes .. " nodes",
      it.partition ~= "" and "partition " .. it.partition or "the machine")
    local can = it.wanted_nodes > 0 and ("%d of %s have their share"):format(it.fitting, where)
      or ("%s can take %d of its %d processors"):format(where, it.fitting, it.procs)
    local free = {}
    for i, one in ipairs(it.most_free) do
      free[i] = ("%s on node %d"):format(pools.text(one.free, it.lacking or "procs"), one.node)
    end
    return ("it waits for %s: %s%s; %d processors of %s are free%s; free %s: %s"):format(
      it.lacking and pools.said(it.needs, it.lacking)
      or it.wanted_nodes > 0 and pools.said(it.wanted_nodes, "nodes") or "nodes",
      can, when, it.free, it.where,
      it.blocker and "; nobody passes job " .. it.blocker or "", it.lacking or "processors",
      free[1] and table.concat(free, ", ") or "none")
  end,
  limit = function(it)
    local most = pools.text(it.most, it.amount)
    if it.used >= it.most then
      return ("%s is at its limit of %s %s"):format(whose(it), most, it.amount)
    end
    return ("with it %s would exceed its limit of %s %s, of which %s are in use"):format(whose(it),
      most, it.amount, pools.text(it.used, it.amount))
  end,
  refused = function(it, at)
    return ("it was refused at submission, at %s: %s was at its limit of waiting jobs, %d"):format(
      at(it.when), whose(it), it.used)
  end,
  policy = function(it, at)
    return "it fits and would delay nobody that has a planned start; the policy lets it wait"
      .. plan_text(it, at)
  end,
}

-- The answer of a job that is not there because it was refused at a time, as text.
function why.of_refused(it, when)
  it.text = ("job %s: it was refused at submission, at %s: %s"):format(it.id, when, it.why)
  return setmetatable(it, Why)
end

-- Adds the words to the answer of the core.
--   groups   the number of groups of processors
--   after    the jobs that the job comes after, a text or nil
--   at, span functions of seconds: an instant and a span of time as text
function why.with_words(it, groups, after, at, span)
  local where = groups > 1 and "group " .. it.group or "the machine"
  local all = setmetatable({ where = where, after = after }, { __index = it })
  it.text = ("job %s: %s"):format(it.id, TEXTS[it.reason](all, at, span))
  return setmetatable(it, Why)
end

return why
