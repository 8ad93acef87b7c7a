-- catalogue: lists the policies, with their descriptions of themselves.
local policies = require "orrery.host.policies"

local catalogue = {}

-- The options that a policy declares.
local function own_options(options)
  local own = {}
  for name, option in pairs(options) do
    if not option.common then own[name] = option end
  end
  return own
end

local function described(name, path, kind, description)
  return {
    name = name, path = path, kind = kind, title = description.name, about = description.about,
    source = description.source, options = own_options(description.options or {}),
    per = description.per, hooks = description.hooks, groups = description.groups,
    on_end = description.on_end, on_fault = description.on_fault,
    on_start = description.on_start, period = description.period,
  }
end

-- The folder of the policy with this name (the folder may be left out), or what a file holds.
local function kind_of(name, limits)
  for _, policy in ipairs(policies.list()) do
    if policy.name == name or policy.short == name then return policy.folder end
  end
  return policies.kind_of_file(name, limits)
end

-- The list of all policies that have a name, with what they say about themselves:
-- { name =, path =, kind =, title =, about =, source =, options =, per =, hooks =, groups =,
-- on_end =, on_fault =, on_start =, period = }, or, when the file cannot be loaded,
-- { name =, path =, problem = }.
function catalogue.list()
  local list = {}
  for i, policy in ipairs(policies.list()) do
    local ok, description, kind = pcall(policies.describe, policy.name)
    list[i] = ok and described(policy.name, policy.path, kind, description)
      or { name = policy.name, path = policy.path, problem = description }
  end
  return list
end

-- One policy, given by name (the folder may be left out) or path; raises an error if it cannot be
-- loaded. `limits` are those of a run, for loading.
function catalogue.describe(name, limits)
  local kind = kind_of(name, limits)
  local path = policies.find(name, kind)
  local description, its = policies.describe(name, kind, limits)
  return described(name, path, its, description)
end

return catalogue
