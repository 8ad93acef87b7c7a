-- space: the candidates of a search, and how they are drawn.
--
-- A choice is a policy, with a priority or without one, some of whose options vary. A point of the
-- space is a choice with a value of each of these options; a candidate is what is simulated. What
-- searches knows candidates by four functions, so that others can stand in for these:
--   space:first(rng, count)         so many candidates, before anything is known
--   space:next(rng, count, best, spread)  likewise, near the best ones so far (the best first);
--                                   spread: how far from them, as a share of each range
--   space.size                      how many candidates there are; math.huge: no end of them
--   space.about                     what they are, for reports
-- A candidate is { name =, key = what makes two the same, policy = as orrery.compare takes it }.
local checks = require "orrery.support.checks"
local collect = require "orrery.search.collect"
local core = require "orrery.core"
local kinds = require "orrery.search.kinds"
local lists = require "orrery.support.lists"
local literals = require "orrery.support.literals"
local policies = require "orrery.host.policies"

local refuse = checks.refuse

local space = {}
space.__index = space

local DIGITS = 4 -- of drawn numbers: enough to read; two numbers equal in these digits are one
local FRESH = 0.15 -- of the candidates near the best ones are drawn anew all the same
local MOST_LISTED = 4096 -- as many points are listed, to be drawn without repetition

-- --- ranges -------------------------------------------------------------------------------------

local function is_number(value) return type(value) == "number" and value - value == 0 end

local function check_values(what, range, declared)
  checks.expect(type(range.values) == "table" and #range.values > 0, what .. ".values",
    "a list of values", type(range.values))
  refuse(range.least ~= nil or range.most ~= nil or range.log ~= nil,
    "%s: give values, or least and most, not both", what)
  local seen = {}
  for _, value in ipairs(range.values) do
    checks.expect(type(value) == type(declared.default) or declared.values ~= nil, what,
      "values of the type of its default, a " .. type(declared.default), checks.shown(value))
    refuse(seen[value], "%s: %s is there twice", what, checks.shown(value))
    seen[value] = true
  end
  return { values = range.values }
end

-- A range of numbers lies within that which the policy declares.
local function check_numbers(what, range, declared)
  local least, most = range.least or declared.least, range.most or declared.most
  checks.expect(is_number(least), what .. ".least",
    "a number, for the policy declares no smallest value", checks.shown(least))
  checks.expect(is_number(most), what .. ".most",
    "a number, for the policy declares no largest value", checks.shown(most))
  refuse(least >= most, "%s: least must be below most, they are %s and %s", what, least, most)
  refuse(least < (declared.least or least), "%s.least: the policy allows no less than %s, found %s",
    what, declared.least, least)
  refuse(most > (declared.most or most), "%s.most: the policy allows no more than %s, found %s",
    what, declared.most, most)
  checks.expect(range.log == nil or type(range.log) == "boolean", what .. ".log", "true or false",
    checks.shown(range.log))
  refuse(range.log and least <= 0, "%s: a logarithmic range begins above 0, this one at %s", what,
    least)
  return { least = least, most = most, log = range.log or false, whole = declared.whole or false }
end

local function range_of(what, range, declared)
  refuse(declared == nil, "%s: the policy has no such option", what)
  if range == true then range = {} end
  checks.expect(type(range) == "table", what, "true, or a table with values, or least and most",
    checks.shown(range))
  checks.fields(what, range, "search.SearchRange")
  if range.values ~= nil then return check_values(what, range, declared) end
  if type(declared.default) == "boolean" then return { values = { false, true } } end
  if type(declared.default) == "number" then return check_numbers(what, range, declared) end
  refuse(not declared.values, "%s: give values, for the policy declares none", what)
  return { values = declared.values }
end

-- --- choices ------------------------------------------------------------------------------------

local function shown(value)
  return type(value) == "string" and value or (literals.shown(value) or tostring(value))
end

-- Whether a policy's name says an option itself, as aging:patience=3; names of policies for tasks
-- may be two with a + between them.
local function says_option(name, option)
  for part in name:gmatch "[^+]+" do
    local _, said = policies.split_options(part)
    if said and said[option] ~= nil then return true end
  end
  return false
end

-- A choice from what is given: a policy, or a table that says which of its options vary.
local function choice_of(what, given, kind, limits)
  given = kind.choice(given)
  checks.fields(what, given, "search.SearchChoice")
  checks.expect(given.options == nil or type(given.options) == "table", what .. ".options",
    "a table", type(given.options))
  checks.expect(given.vary == nil or type(given.vary) == "table", what .. ".vary",
    "a table, option -> range", type(given.vary))
  local choice = { policy = given.policy, priority = given.priority, options = given.options or {},
    ranges = {}, names = {} }
  refuse(given.priority ~= nil and kind.name ~= "jobs",
    "%s.priority: priorities order jobs, not %s", what, kind.name)
  choice.name = given.name or kind.name_of(given.policy)
  if given.priority ~= nil and not given.name then
    choice.name = choice.name .. " + " .. kind.name_of(given.priority)
  end
  if given.vary == nil or not next(given.vary) then return choice end
  checks.expect(type(given.policy) == "string", what .. ".vary",
    "a policy with a name or a path", type(given.policy))
  local declared = kind.declared(given.policy, limits)
  for _, option in ipairs(literals.keys(given.vary)) do
    refuse(choice.options[option] ~= nil or says_option(given.policy, option),
      "%s: option %s is given and varies", what, option)
    choice.ranges[option] = range_of(("%s.vary.%s"):format(what, tostring(option)),
      given.vary[option], declared[option])
    choice.names[#choice.names + 1] = option
  end
  return choice
end

-- How many points a choice has.
local function count_of(choice)
  local count = 1
  for _, range in pairs(choice.ranges) do
    count = count * (range.values and #range.values
      or range.whole and math.floor(range.most) - math.ceil(range.least) + 1 or math.huge)
  end
  return count
end

-- --- points -------------------------------------------------------------------------------------

local function rounded(range, value)
  if range.whole then value = math.floor(value + 0.5) end
  value = tonumber(("%." .. DIGITS .. "g"):format(value))
  value = math.max(range.least, math.min(range.most, value))
  return math.tointeger(value) or value
end

-- A number as a share of its range, and back.
local function share_of(range, value)
  if range.log then return math.log(value / range.least) / math.log(range.most / range.least) end
  return (value - range.least) / (range.most - range.least)
end

local function at_share(range, share)
  if range.log then
    return rounded(range, range.least * (range.most / range.least) ^ share)
  end
  return rounded(range, range.least + share * (range.most - range.least))
end

local function drawn(rng, range)
  if range.values then return range.values[rng:integer(1, #range.values)] end
  return at_share(range, rng:uniform())
end

-- The candidate of a point: a choice with values of the options that vary.
local function candidate_of(choice, values)
  local options, parts = lists.merged(choice.options), {}
  for i, name in ipairs(choice.names) do
    options[name] = values[name]
    parts[i] = ("%s=%s"):format(name, shown(values[name]))
  end
  local name = choice.name .. (parts[1] and ":" .. table.concat(parts, ",") or "")
  return { name = name, key = choice.key .. ":" .. table.concat(parts, ","), choice = choice,
    values = values, policy = { policy = choice.policy, priority = choice.priority,
      options = next(options) and options or nil, name = name } }
end

local function draw(self, rng)
  local choice, values = self.choices[rng:integer(1, #self.choices)], {}
  for _, name in ipairs(choice.names) do values[name] = drawn(rng, choice.ranges[name]) end
  return candidate_of(choice, values)
end

-- A point near another one: numbers move by a normal distribution, cut off at the ends of their
-- range; one of a list is drawn anew now and then.
local function near(rng, candidate, spread)
  local choice, values = candidate.choice, {}
  for _, name in ipairs(choice.names) do
    local range, value = choice.ranges[name], candidate.values[name]
    if range.values then
      values[name] = rng:uniform() < spread and drawn(rng, range) or value
    else
      local share = share_of(range, value) + spread * rng:normal()
      values[name] = at_share(range, math.max(0, math.min(1, share)))
    end
  end
  return candidate_of(choice, values)
end

-- Calls f with the values of every point of a choice, all of whose ranges end.
local function each_point(choice, f, values, from)
  values, from = values or {}, from or 1
  local name = choice.names[from]
  if not name then
    return f(lists.merged(values))
  end
  local range = choice.ranges[name]
  local list = range.values
  if not list then
    list = {}
    for value = math.ceil(range.least), math.floor(range.most) do list[#list + 1] = value end
  end
  for _, value in ipairs(list) do
    values[name] = value
    each_point(choice, f, values, from + 1)
  end
end

local function all_points(self)
  local list = {}
  for _, choice in ipairs(self.choices) do
    each_point(choice, function(values) list[#list + 1] = candidate_of(choice, values) end)
  end
  return list
end

local function shuffle(rng, list)
  for i = #list, 2, -1 do
    local j = rng:integer(1, i)
    list[i], list[j] = list[j], list[i]
  end
  return list
end

-- --- what a search asks -------------------------------------------------------------------------

function space:first(rng, count)
  if self.size <= MOST_LISTED then
    local list = shuffle(rng, all_points(self))
    for i = #list, count + 1, -1 do list[i] = nil end
    for _, candidate in ipairs(list) do self.known[candidate.key] = true end
    return list
  end
  return collect.different(count, self.known, function() return draw(self, rng) end)
end

function space:next(rng, count, best, spread)
  return collect.different(count, self.known, function()
    if #best == 0 or rng:uniform() < FRESH then return draw(self, rng) end
    return near(rng, collect.pick(rng, best), spread)
  end)
end

-- All candidates, if their number is finite.
function space:all() return all_points(self) end

function space:check(f)
  local rng = core.values.random(0)
  for _, choice in ipairs(self.choices) do
    local values = {}
    for _, name in ipairs(choice.names) do values[name] = drawn(rng, choice.ranges[name]) end
    f(candidate_of(choice, values))
  end
end

-- The space of a search from its fields `policies` and `priorities`; `what` the first is called in
-- messages; kind: of kinds.lua, nil: of jobs.
function space.of(spec, what, kind)
  what, kind = what or "policies", kind or kinds.jobs
  checks.expect(type(spec.policies) == "table" and #spec.policies > 0, what,
    "a list of at least one policy", type(spec.policies))
  local priorities = spec.priorities
  checks.expect(priorities == nil or type(priorities) == "table" and #priorities > 0, "priorities",
    "a list of at least one priority", type(priorities))
  local self = setmetatable({ choices = {}, size = 0, known = {} }, space)
  local function add(i, given)
    local choice = choice_of(("%s[%d]"):format(what, i), given, kind, spec.limits)
    local at = #self.choices + 1
    choice.key = ("%d:%s"):format(at, literals.shown({ choice.policy, choice.priority or false,
      choice.options }, function() return "function" end) or choice.name)
    self.choices[at] = choice
    self.size = self.size + count_of(choice)
  end
  for i, given in ipairs(spec.policies) do
    local has_own = type(given) == "table" and given.priority ~= nil
    for _, priority in ipairs(not has_own and priorities or { false }) do
      if not priority then
        add(i, given)
      else
        local from = type(given) == "table" and given.policy ~= nil and given
          or { policy = given }
        add(i, lists.merged(from, { priority = priority }))
      end
    end
  end
  self.about = ("%d choice%s of policies%s"):format(#self.choices, #self.choices == 1 and "" or "s",
    self.size < math.huge and (", %d candidates in all"):format(self.size)
      or " with options that vary")
  return self
end

return space
