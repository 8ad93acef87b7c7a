-- placement: on which processors or nodes jobs of a discipline may run (`place` and `place_nodes`).
--
-- A policy sets it in its table. If the table does not, and its dispatch is a discipline of the
-- kernel, `place` is an option of the policy, without a declaration: easy:place=contiguous.
local policy_checks = require "orrery.host.policy_checks"

local contains, fail = policy_checks.contains, policy_checks.fail

local placement = {}

placement.keys = { "place", "node_procs", "place_nodes" }

local PLACES = { "any", "named", "contiguous", "nodes", "reliable", "spread", "low" }

local OPTIONS = {
  place = { default = "any", values = PLACES, common = true,
    about = "on which processors or nodes" },
  node_procs = {
    default = 0, least = 0, whole = true, unit = "processors", common = true,
    about = "of a node, for place = nodes",
  },
}

-- Adds to the options that a policy declares those that it need not declare.
function placement.add_options(value, options)
  local given = value.dispatch
  if type(given) ~= "table" or given.discipline == nil then return end
  for _, key in ipairs(placement.keys) do
    if given[key] ~= nil or options[key] then return end
  end
  for key, option in pairs(OPTIONS) do options[key] = option end
end

function placement.dispatch(value, options, values)
  if not (options.place and options.place.common) or values.place == "any" and
    values.node_procs == 0 then
    return value.dispatch
  end
  local dispatch = {}
  for key, item in pairs(value.dispatch) do dispatch[key] = item end
  dispatch.place = values.place
  if values.node_procs > 0 then dispatch.node_procs = values.node_procs end
  return dispatch
end

-- The error in the values of these options, as text; nil: none.
function placement.problem(place, node_procs)
  local size = math.type(node_procs) == "integer" and node_procs or math.tointeger(node_procs)
  if place ~= "nodes" then
    if node_procs ~= nil then
      return ("node_procs is for place 'nodes', this one is '%s'"):format(tostring(place))
    end
  elseif not (size and size >= 1) then
    return ("place 'nodes' needs node_procs, the number of processors of a node: a whole number of "
      .. "at least 1; it is %s"):format(node_procs == nil and "not given" or tostring(node_procs))
  end
end

-- The error in the values of the options that the policy did not declare itself; nil: none.
function placement.option_problem(options, values)
  if not (options.place and options.place.common) then return nil end
  return placement.problem(values.place, values.node_procs > 0 and values.node_procs or nil)
end

-- Checks what a discipline says; the fields of the checked policy.
function placement.check(part, given)
  local place = given.place == nil and "any" or given.place
  local choose = type(place) == "function" and place or nil
  if not choose and not contains(PLACES, place) then
    fail(part, "place must be one of %s, or a function(job, free); it is '%s'",
      table.concat(PLACES, ", "), tostring(place))
  end
  local problem = placement.problem(choose and "a function" or place, given.node_procs)
  if problem then fail(part, "%s", problem) end
  local of_nodes = given.place_nodes
  if of_nodes ~= nil and type(of_nodes) ~= "function" then
    fail(part, "place_nodes must be a function(job, nodes), it is a %s", type(of_nodes))
  end
  return { place = choose and "chosen" or place, choose = choose, choose_nodes = of_nodes,
    node_procs = math.tointeger(given.node_procs) }
end

return placement
