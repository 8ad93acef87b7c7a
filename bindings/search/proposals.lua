-- proposals: candidates that a user's function proposes, as files of policies. It is called in
-- every round, with the results of the best candidates and the errors of failed ones. This module
-- has the interface of space.lua, for racing.lua.
--
-- Proposed policies are strangers': they run in the sandbox with limits, each for itself on its
-- first sample. What raises an error, never ends or is no policy for jobs is worth nothing, and the
-- reason is told to who proposed it. An answer is kept like a step, so that a search that goes on
-- asks nothing twice.
local checks = require "orrery.support.checks"
local checksum = require "orrery.support.checksum"
local core = require "orrery.core"
local kinds = require "orrery.search.kinds"
local policy_file = require "orrery.search.policy_file"

local proposals = { may_fail = true }
proposals.__index = proposals

local UNDER = "easy" -- what a priority that is proposed orders
local TOLD = 6       -- of the best candidates, with their files

-- The candidate of the file with this path; raises an error if the file is not a suitable policy.
local function candidate_of(self, path)
  local kind, text = kinds.read_file(self.kind, path, self.limits)
  local name = path:match "([^/]*)%.lua$" or path
  local policy = kind ~= "priority" and { policy = path, name = name }
    or { policy = UNDER, priority = path, name = UNDER .. " + " .. name }
  return { name = policy.name, key = "proposal:" .. checksum(text), policy = policy, alone = true,
    text = text }
end

-- The report on the best candidates: { name =, mean =, source = (the text of its file) }.
local function told_of(self, best)
  local list = {}
  for i = 1, math.min(TOLD, #best) do
    local candidate = best[i]
    local means = {}
    for m in ipairs(self.metrics) do means[m] = self.mean_of(candidate, m) end
    list[i] = { name = candidate.name, mean = means[1], means = means,
      source = candidate.text or policy_file.of(candidate, { candidate.name }) }
  end
  return list
end

-- The problems since the last time, as { name =, problem = }.
local function take_problems(self)
  local list, failed = self.problems, self.failed()
  for i = self.seen + 1, #failed do
    list[#list + 1] = { name = failed[i].name, problem = failed[i].problem }
  end
  self.problems, self.seen = {}, #failed
  return list
end

local function object(self, name, problem)
  local one = { name = tostring(name), problem = (tostring(problem):match "^[^\n]*") }
  self.problems[#self.problems + 1] = one
  self.objections[#self.objections + 1] = one
end

-- The answer: a list of paths; { } and a remark where there is none.
local function ask(self, count, best)
  self.round = self.round + 1
  local request = { round = self.round, count = count, metric = self.metrics[1],
    metrics = self.metrics, better = self.better,
    best = told_of(self, best), failed = take_problems(self) }
  local kept = self.keep(("proposals %d"):format(self.round), function()
    local done, answer = pcall(self.propose, request)
    if core.interrupted() then error("interrupted", 0) end
    if not done then return { problem = (tostring(answer):match "^[^\n]*") } end
    if type(answer) ~= "table" then
      return { problem = "expected a list of paths, found " .. type(answer) }
    end
    local paths, problems = {}, answer.problems or {}
    for i, path in ipairs(answer) do
      if type(path) == "string" then
        paths[#paths + 1] = path
      else
        problems[#problems + 1] = ("candidate %d: expected the path of a policy's file, found %s")
          :format(i, type(path))
      end
    end
    return { paths = paths, problems = problems }
  end)
  if kept.problem then object(self, "the proposer", kept.problem) end
  for _, problem in ipairs(kept.problems or {}) do object(self, "the proposer", problem) end
  if not kept.problem and #kept.paths == 0 and #kept.problems == 0 then
    object(self, "the proposer", ("it proposed nothing in round %d"):format(self.round))
  end
  return kept.paths or {}
end

-- Adds the candidate of a file that was not proposed before, or notes its error.
local function add(self, list, path, seen)
  if seen[path] then return end
  seen[path] = true
  local done, candidate = pcall(candidate_of, self, path)
  if done then done, candidate = pcall(self.prepared, candidate) end
  if core.interrupted() then error("interrupted", 0) end
  if not done then
    object(self, path, candidate)
  elseif not self.known[candidate.key] then
    self.known[candidate.key] = true
    list[#list + 1] = candidate
  end
end

function proposals:next(_, count, best)
  local list, seen = {}, {}
  for i, path in ipairs(ask(self, count, best)) do
    if i > count then
      object(self, "the proposer", ("it proposes more than the %d that it may"):format(count))
      break
    end
    add(self, list, path, seen)
  end
  return list
end
function proposals:first(rng, count) return self:next(rng, count, {}) end

function proposals.check() end

-- The space of a search from its field `propose`. more:
--   keep, limits, kind  of the search;  metrics  what is searched for; better  values of the first
--   mean_of           function(candidate, m) -> its mean of metric m on the training samples
--   failed            function() -> the list of candidates that failed
--   prepared          function(candidate) -> the candidate; raises what is wrong with it
function proposals.of(propose, more)
  checks.expect(type(propose) == "function", "propose", "a function", type(propose))
  local self = { propose = propose, size = math.huge, known = {}, problems = {}, objections = {},
    round = 0, seen = 0, about = "policies that are proposed" }
  for name, value in pairs(more) do self[name] = value end
  return setmetatable(self, proposals)
end

return proposals
