-- Whether a shipped policy makes the same schedules as the one under check.
local orrery = require "orrery"
local trials = require "orrery.command.check.trials"

local equivalents = {}

-- --- who they may be ----------------------------------------------------------------------------

-- Names of the shipped policies in these folders, the subject itself left out.
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

local PLAIN = { "dispatch/easy", "dispatch/fcfs", "dispatch/greedy", "dispatch/conservative" }

-- { name =, fields = } of whatever may stand in for a policy for jobs.
local function for_jobs(subject)
  local list = {}
  if subject.kind == "priority" then
    for _, name in ipairs(shipped(subject, { priority = true })) do
      list[#list + 1] = { name = name,
        fields = { policy = subject.fields.policy, priority = name } }
    end
    return list
  end
  local names = shipped(subject, { dispatch = true, redirect = true })
  for _, name in ipairs(names) do
    list[#list + 1] = { name = name, fields = { policy = name } }
  end
  for _, name in ipairs(PLAIN) do
    for _, priority in ipairs(shipped(subject, { priority = true })) do
      if priority ~= "priority/fcfs" then -- which is what there is without one
        list[#list + 1] = { name = name .. " + " .. priority,
          fields = { policy = name, priority = priority } }
      end
    end
  end
  return list
end

local function for_tasks(subject)
  local list, names = {}, shipped(subject, { redistribute = true })
  for _, name in ipairs(names) do
    list[#list + 1] = { name = name, fields = { policy = name } }
  end
  for _, on_end in ipairs { "end-local", "end-greedy" } do
    for _, on_fault in ipairs { "iterated-greedy", "shortest-tasks-first" } do
      local name = on_end .. "+" .. on_fault
      list[#list + 1] = { name = name, fields = { policy = name } }
    end
  end
  return list
end

local SLOW = { ["pack/optimal"] = true, ["pack/random-pack"] = true, ["pack/random-proc"] = true }

local function for_packs(subject)
  local list = {}
  for _, name in ipairs(shipped(subject, { pack = true })) do
    if not SLOW[name] then list[#list + 1] = { name = name, fields = { policy = name } } end
  end
  return list
end

-- --- the same schedules -------------------------------------------------------------------------

local function fields_of(candidate, spec)
  local all = {}
  for key, value in pairs(spec) do all[key] = value end
  for key, value in pairs(candidate.fields) do all[key] = value end
  return all
end

-- When everything ends, as a list; nil where the candidate cannot do it.
local function ends_of(kind, spec)
  local ok, list = pcall(function()
    if kind == "pack" then
      local one, ends = orrery.packs(spec):coschedule(1, 1), {}
      for i = 1, one.count do ends[i] = ("%d:%d"):format(one:pack_of(i), one:procs_of(i)) end
      return ends
    elseif kind == "redistribute" then
      local s = orrery.session(spec)
      s:finish()
      return s:ends()
    end
    return orrery.compare(fields_of({ fields = { threads = 1, runs = 1 } }, spec)):jobs(1, "end")
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

-- A workload where all policies do the same says nothing.
local function tells(workload)
  local spec = workload.spec
  return #(spec.jobs or spec.tasks) > 1
end

-- The names of the shipped policies that make what the subject makes on all these workloads.
function equivalents.find(subject, list)
  local candidates = (subject.kind == "pack" and for_packs
    or subject.kind == "redistribute" and for_tasks or for_jobs)(subject)
  local asked = 0
  for _, workload in ipairs(list) do
    if #candidates == 0 then break end
    if tells(workload) then
      asked = asked + 1
      local mine, left = ends_of(subject.kind, trials.fields(subject, workload.spec)), {}
      for _, candidate in ipairs(candidates) do
        local theirs = ends_of(subject.kind, fields_of(candidate, workload.spec))
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
