-- formulas: candidates of a search that are formulas of a priority, or of an estimate, under one of
-- several policies.
-- It is what racing.lua asks, as space.lua.
local checks = require "orrery.support.checks"
local collect = require "orrery.search.collect"
local expressions = require "orrery.search.expressions"
local names = require "orrery.support.names"
local policies = require "orrery.host.policies"

local refuse = checks.refuse

local formulas = {}
formulas.__index = formulas

local SIZE = 15   -- parts of a formula
local FRESH = 0.1 -- of the candidates near the best ones are drawn anew all the same
local CROSSED = 0.1 -- of them go under another policy

-- The uses of formulas:
--   known         well-known formulas, from which the search also begins
--   fields, names the fields that a formula may use, and the default list of their names
--   turns         whether the negative of a formula is a different, useful formula
--   simpler       gives a simpler formula with the same effect
--   policy(formula, text of it, policy)  the policy for orrery.compare
local OF = {
  priority = {
    known = { "submit", "time", "procs", "area", { "/", "wait", "time" } },
    fields = expressions.FIELDS, names = { "time", "procs", "area", "submit" }, turns = true,
    simpler = expressions.canonical,
    policy = function(tree, text, policy)
      return { policy = policy, priority = policies.text(text, expressions.lua(tree)),
        name = ("%s + %s"):format(policy, text) }
    end,
  },
  estimate = {
    known = { "time", "last", "mean", { "min", "last", "mean" }, { "max", "last", "mean" } },
    fields = expressions.OF_ESTIMATES, names = { "time", "procs", "last", "mean" },
    simpler = expressions.simplified,
    policy = function(tree, text, policy)
      local name = ("%s, estimate %s"):format(policy, text)
      return { policy = policies.text(name, expressions.lua_of_estimate(tree, policy)),
        name = name }
    end,
  },
}

local function candidate_of(self, at, tree)
  tree = self.of.simpler(tree)
  local policy = self.of.policy(tree, expressions.text(tree), self.policies[at])
  return { name = policy.name, key = "formula:" .. policy.name, at = at, tree = tree,
    size = expressions.size(tree), policy = policy }
end

-- Whether all fields of a tree are among those that are searched.
local function is_allowed(self, tree)
  local allowed = true
  expressions.each_field(tree, function(name) allowed = allowed and self.allowed[name] end)
  return allowed
end

-- A formula that is known, of priorities in both directions, or a new one.
local function drawn(self, rng)
  local at, known = rng:integer(1, #self.policies), self.of.known
  local n = rng:integer(1, 2 * #known)
  local tree = known[(n + 1) // 2]
  if not is_allowed(self, tree) or rng:uniform() < 0.8 then
    tree = expressions.drawn(rng, self.fields)
  end
  if self.of.turns and rng:uniform() < 0.5 then tree = { "*", -1, tree } end
  return candidate_of(self, at, tree)
end

local function near(self, rng, best, spread)
  local parent = collect.pick(rng, best)
  local other = best[rng:integer(1, #best)]
  local at = rng:uniform() < CROSSED and rng:integer(1, #self.policies) or parent.at
  return candidate_of(self, at, expressions.changed(rng, parent.tree, other.tree, self.fields,
    spread))
end

-- Different candidates from make() that are small enough.
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

function formulas.of(given)
  checks.expect(type(given) == "table", "formulas", "a table", type(given))
  checks.fields("formulas", given, "search.SearchFormulas")
  check_list("formulas.policies", given.policies)
  local of = OF[given.of or "priority"]
  refuse(not of, "formulas.of: expected 'priority' or 'estimate', found %s",
    checks.shown(given.of))
  local fields = given.fields == nil and of.names or given.fields
  check_list("formulas.fields", fields)
  local known, allowed = names.sorted(of.fields), {}
  for _, name in ipairs(fields) do
    refuse(not of.fields[name], "formulas.fields: there is no field '%s'%s (known: %s)",
      name, names.suggestion(name, known), table.concat(known, ", "))
    allowed[name] = true
  end
  return setmetatable({ policies = given.policies, of = of, fields = fields, allowed = allowed,
    most = checks.count("formulas.size", given.size, 1, SIZE), size = math.huge, known = {},
    about = ("formulas %sover %s"):format(of == OF.estimate and "of estimates " or "",
      table.concat(fields, ", ")) }, formulas)
end

return formulas
