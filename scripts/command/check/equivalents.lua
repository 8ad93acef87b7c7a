-- Whether a shipped policy makes the same schedules as the policy under check.
local lists = require "orrery.support.lists"
local orrery = require "orrery"
local policy_kinds = require "orrery.schema.policy_kinds"
local trials = require "orrery.command.check.trials"

local equivalents = {}

-- --- candidates ----------------------------------------------------------------------------------

-- Names of the shipped policies in these folders, without the subject.
local function shipped(subject, folders)
  local names = {}
  for _, policy in ipairs(orrery.policies()) do
    local folder = policy.name:match "^(.-)/"
    local ours = policy.path:sub(1, #orrery.home) == orrery.home
    if ours and folders[folder] and policy.path ~= subject.path and not policy.problem then
      names[#names + 1] = policy.name
    end
  end
  return names
end

-- Adds a possible substitute of a policy: { name =, fields = }.
local function add(list, name, policy, priority)
  list[#list + 1] = { name = name, fields = { policy = policy, priority = priority } }
end

local PLAIN = { "dispatch/easy", "dispatch/fcfs", "dispatch/greedy", "dispatch/conservative" }

local function for_jobs(subject, list)
  local priorities = shipped(subject, { priority = true })
  if subject.kind == "priority" then
    for _, name in ipairs(priorities) do add(list, name, subject.fields.policy, name) end
    return
  end
  for _, name in ipairs(shipped(subject, { dispatch = true, redirect = true })) do
    add(list, name, name)
  end
  for _, name in ipairs(PLAIN) do
    for _, priority in ipairs(priorities) do
      if priority ~= "priority/fcfs" then -- the order without a priority
        add(list, name .. " + " .. priority, name, priority)
      end
    end
  end
end

-- The kinds of policies that the subject's engine takes.
local function alike(subject)
  return lists.set(policy_kinds.names(function(kind) return kind.of == subject.of end))
end

local function for_tasks(subject, list)
  for _, name in ipairs(shipped(subject, alike(subject))) do add(list, name, name) end
  for _, on_end in ipairs { "end-local", "end-greedy" } do
    for _, on_fault in ipairs { "iterated-greedy", "shortest-tasks-first" } do
      local name = on_end .. "+" .. on_fault
      add(list, name, name)
    end
  end
end

local SLOW = { ["pack/optimal"] = true, ["pack/random-pack"] = true, ["pack/random-proc"] = true }

local function for_packs(subject, list)
  for _, name in ipairs(shipped(subject, alike(subject))) do
    if not SLOW[name] then add(list, name, name) end
  end
end

local CANDIDATES = { jobs = for_jobs, tasks = for_tasks, packs = for_packs }

-- --- equal schedules -----------------------------------------------------------------------------

-- All ends, as a list; nil where the candidate cannot run this.
local function ends_of(of, spec)
  local ok, list = pcall(function()
    if of == "packs" then
      local one, ends = orrery.packs(spec):coschedule(1, 1), {}
      for i = 1, one.count do ends[i] = ("%d:%d"):format(one:pack_of(i), one:procs_of(i)) end
      return ends
    elseif of == "tasks" then
      local s = orrery.session(spec)
      s:finish()
      return s:ends()
    end
    return orrery.compare(lists.merged(spec, { threads = 1, runs = 1 })):jobs(1, "end")
  end)
  return ok and list or nil
end

local function same(a, b)
  if not a or not b or #a ~= #b then return false end
  for i = 1, #a do
    if a[i] ~= b[i] then return false end
  end
  return true
end

-- The names of the shipped policies that give the subject's schedules on all these workloads.
function equivalents.find(subject, list)
  local candidates, asked = {}, 0
  CANDIDATES[subject.of](subject, candidates)
  for _, workload in ipairs(list) do
    if #candidates == 0 then break end
    -- a workload on which all policies agree distinguishes none
    if #(workload.spec.jobs or workload.spec.tasks) > 1 then
      asked = asked + 1
      local mine, left = ends_of(subject.of, trials.fields(subject, workload.spec)), {}
      for _, candidate in ipairs(candidates) do
        local theirs = ends_of(subject.of, lists.merged(workload.spec, candidate.fields))
        if same(mine, theirs) then left[#left + 1] = candidate end
      end
      candidates = left
    end
  end
  local names = {}
  for i, candidate in ipairs(asked > 0 and candidates or {}) do names[i] = candidate.name end
  return names
end

return equivalents
