-- formulas: candidates of a search that are formulas of a priority, under one of several policies.
-- It is what racing.lua asks, as space.lua.
local checks = require "orrery.support.checks"
local collect = require "orrery.search.collect"
local expressions = require "orrery.search.expressions"
local names = require "orrery.support.names"
local policies = require "orrery.host.policies"

local refuse = checks.refuse

local formulas = {}
formulas.__index = formulas

local FIELDS = { "time", "procs", "area", "submit" } -- where none are named
local SIZE = 15   -- parts of a formula
local FRESH = 0.1 -- of the candidates near the best ones are drawn anew all the same
local CROSSED = 0.1 -- of them go under another policy

-- The priorities that everybody knows, which the search begins with, too.
local KNOWN = { "submit", "time", "procs", "area", { "/", "wait", "time" } }

local function candidate_of(self, at, tree)
  tree = expressions.canonical(tree)
  local text, policy = expressions.lua(tree), self.policies[at]
  local formula = expressions.text(tree)
  local name = ("%s + %s"):format(policy, formula)
  return { name = name, key = "formula:" .. name, at = at, tree = tree,
    size = expressions.size(tree),
    policy = { policy = policy, priority = policies.text(formula, text), name = name } }
end

-- Whether all fields of a tree are among those that are searched.
local function is_allowed(self, tree)
  local allowed = true
  expressions.each_field(tree, function(name) allowed = allowed and self.allowed[name] end)
  return allowed
end

-- A formula that orders by known priorities, in both directions, or a new one.
local function drawn(self, rng)
  local at = rng:integer(1, #self.policies)
  local n = rng:integer(1, 2 * #KNOWN)
  local tree = KNOWN[(n + 1) // 2]
  if not is_allowed(self, tree) or rng:uniform() < 0.8 then
    tree = expressions.drawn(rng, self.fields)
  end
  if rng:uniform() < 0.5 then tree = { "*", -1, tree } end
  return candidate_of(self, at, tree)
end

local function near(self, rng, best, spread)
  local parent = collect.pick(rng, best)
  local other = best[rng:integer(1, #best)]
  local at = rng:uniform() < CROSSED and rng:integer(1, #self.policies) or parent.at
  return candidate_of(self, at, expressions.changed(rng, parent.tree, other.tree, self.fields,
    spread))
end

-- Different candidates that make() gives and that are small enough.
local function small_ones(self, count, make)
  return collect.different(count, self.known, make, function(candidate)
    return candidate.size <= self.most
  end)
end

function formulas:first(rng, count)
  return small_ones(self, count, function() return drawn(self, rng) end)
end

function formulas:next(rng, count, best, spread)
  return small_ones(self, count, function()
    if #best == 0 or rng:uniform() < FRESH then return drawn(self, rng) end
    return near(self, rng, best, spread)
  end)
end

-- Calls f with one candidate of every policy.
function formulas:check(f)
  for at in ipairs(self.policies) do f(candidate_of(self, at, self.fields[1])) end
end

local function check_list(what, list)
  checks.expect(type(list) == "table" and #list > 0, what, "a list of at least one name",
    type(list))
  for i, name in ipairs(list) do
    checks.expect(type(name) == "string", ("%s[%d]"):format(what, i), "a name", type(name))
  end
end

-- The space of a search from its field `formulas`.
function formulas.of(given)
  checks.expect(type(given) == "table", "formulas", "a table", type(given))
  checks.fields("formulas", given, "search.SearchFormulas")
  check_list("formulas.policies", given.policies)
  local fields = given.fields == nil and FIELDS or given.fields
  check_list("formulas.fields", fields)
  local known, allowed = names.sorted(expressions.FIELDS), {}
  for _, name in ipairs(fields) do
    refuse(not expressions.FIELDS[name], "formulas.fields: there is no field '%s'%s (known: %s)",
      name, names.suggestion(name, known), table.concat(known, ", "))
    allowed[name] = true
  end
  return setmetatable({ policies = given.policies, fields = fields, allowed = allowed,
    most = checks.count("formulas.size", given.size, 1, SIZE), size = math.huge, known = {},
    about = ("formulas over %s"):format(table.concat(fields, ", ")) }, formulas)
end

return formulas
