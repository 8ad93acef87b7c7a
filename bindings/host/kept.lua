-- kept: finds what a policy keeps outside of sim.state, where all simulations of a thread share it,
-- and so do a session and its forks.
--
-- watch(roots, rules) remembers the variables and tables that the functions and tables of the list
-- `roots` reach: { { name = of a variable, or path =, value = }, ... }. It returns a function,
-- which gives nil, or, where one of them is no longer what it was, a text that says which; and an
-- image of all but the caches, by which C sees quickly that nothing has changed. Rules:
--   image, altered        see layouts.h
--   is_known(value)       whether a table or function belongs to the sandbox
--   metatable_of(table)   as the policy sees it
--   policy                its name, for messages
--   caches                list of the names of variables that may be filled, each item once

local kept = {}

-- --- what there is ------------------------------------------------------------------------------

local function is_word(key)
  return type(key) == "string" and key:find "^[%a_][%w_]*$" ~= nil
end

local function item_path(path, key)
  if is_word(key) then return path .. "." .. key end
  if type(key) == "string" then return ("%s[%q]"):format(path, key) end
  local kind = type(key)
  return ("%s[%s]"):format(path, (kind == "number" or kind == "boolean") and tostring(key) or kind)
end

local function shown(value)
  local kind = type(value)
  if kind == "string" then
    return ("%q"):format(#value > 40 and value:sub(1, 40) .. "..." or value)
  end
  if kind == "table" or kind == "function" or kind == "userdata" then return "a " .. kind end
  return tostring(value)
end

-- Whether a message names key `a` before key `b`. The order does not depend on addresses.
local RANK = { number = 1, string = 2, boolean = 3 }

local function is_before(a, b)
  local first, second = RANK[type(a)] or 4, RANK[type(b)] or 4
  if first ~= second then return first < second end
  if first > 2 then return first == 3 and b and not a end
  return a < b
end

local INNER = { table = true, ["function"] = true, userdata = true } -- what is looked into

local ITERATOR = "%s holds an iterator, which goes on from one simulation to the next: results "
  .. "would depend on what ran before. Call gmatch, or waiting of sim, where its iterator is used"

-- What keeps where it stands: the function of gmatch, with its text, and a queue.
local function is_iterator(value, kind)
  if kind == "userdata" then
    local metatable = debug.getmetatable(value)
    return metatable ~= nil and metatable.__name == "orrery.queue"
  end
  if kind ~= "function" or debug.getinfo(value, "S").what ~= "C" then return false end
  local _, text = debug.getupvalue(value, 1)
  return type(text) == "string"
end

local Walk = {}
Walk.__index = Walk

-- Queues a value that is reached as `path`, by the variable `name`.
function Walk:reach(value, path, name)
  local kind = type(value)
  if not INNER[kind] or self.seen[value] or self.is_known(value) then return end
  self.seen[value] = true
  if is_iterator(value, kind) and not self.problem then
    self.problem = ITERATOR:format(name and ("the variable '%s'"):format(name) or path)
  end
  if kind == "userdata" then return end
  self.queue[#self.queue + 1] = { value = value, path = path, name = name }
end

function Walk:table(it)
  local items, inner = {}, {}
  for key, value in next, it.value do
    items[key] = value
    if INNER[type(value)] or INNER[type(key)] then inner[#inner + 1] = key end
  end
  table.sort(inner, is_before)
  for _, key in ipairs(inner) do
    self:reach(items[key], item_path(it.path, key), it.name)
    self:reach(key, it.path, it.name)
  end
  it.items, it.metatable = items, self.metatable_of(it.value)
  self:reach(it.metatable, it.path, it.name)
  self.tables[#self.tables + 1] = it
end

function Walk:upvalues(it)
  if debug.getinfo(it.value, "S").what == "C" then return end
  for i = 1, debug.getinfo(it.value, "u").nups do
    local name, value = debug.getupvalue(it.value, i)
    local id = debug.upvalueid(it.value, i)
    if not self.seen[id] then
      self.seen[id] = true
      if not is_word(name) then name = it.name or it.path end
      self.names[name] = true
      self.variables[#self.variables + 1] = { f = it.value, i = i, name = name, value = value }
      self:reach(value, name, name)
    end
  end
end

local function walk(roots, rules)
  local w = setmetatable({
    is_known = rules.is_known, metatable_of = rules.metatable_of, seen = {}, queue = {},
    tables = {}, variables = {}, names = {},
  }, Walk)
  for _, root in ipairs(roots) do
    if root.name then w.names[root.name] = true end
    w:reach(root.value, root.name or root.path, root.name)
  end
  local at = 1
  while w.queue[at] do
    local it = w.queue[at]
    if type(it.value) == "table" then w:table(it) else w:upvalues(it) end
    at = at + 1
  end
  return w
end

-- --- what has changed ---------------------------------------------------------------------------

-- To the bit: 0.0 and -0.0, 1 and 1.0 are equal, and a policy can tell them apart.
local math_type, pack = math.type, string.pack
local function same(a, b)
  local kind = math_type(a)
  if not kind then return rawequal(a, b) end
  return kind == math_type(b) and pack(kind == "float" and "n" or "j", a)
    == pack(kind == "float" and "n" or "j", b)
end

-- The first key of the table whose item has changed; nil: none. In a cache what was nil may be
-- anything; then the second result is true.
local function changed_key(it, is_cache)
  local found, is_found, grown = nil, false, false
  local function note(key, was)
    if is_cache and was == nil then
      grown = true
    elseif not is_found or is_before(key, found) then
      found, is_found = key, true
    end
  end
  for key, value in next, it.value do
    if not same(it.items[key], value) then note(key, it.items[key]) end
  end
  for key, value in next, it.items do
    if rawget(it.value, key) == nil then note(key, value) end
  end
  return found, grown
end

local MEND = "%s. It is outside of the hooks, where all simulations of a thread share it: results "
  .. "would depend on the threads and on what ran before. Keep it in sim.state, with "
  .. "init = function(sim) sim.state.%s = ... end. (If it only remembers what is the same in every "
  .. "scenario, say so in the policy's table: caches = { \"%s\" })"

local function complain(is_cache, name, path, was, is)
  local what = ("%s was %s and is %s"):format(path == name and "it" or path, shown(was), shown(is))
  if is_cache then
    return ("the cache '%s' has changed: %s; what a cache holds is filled in once and then stays")
      :format(name, what)
  end
  return ("the variable '%s' has changed: " .. MEND):format(name, what, name, name)
end

-- A text, or nil; and whether caches have grown.
local function compare(w, caches)
  local grown = false
  for _, it in ipairs(w.variables) do
    local _, value = debug.getupvalue(it.f, it.i)
    if not same(value, it.value) then
      if not caches[it.name] or it.value ~= nil then
        return complain(caches[it.name], it.name, it.name, it.value, value)
      end
      grown = true
    end
  end
  for _, it in ipairs(w.tables) do
    local is_cache, name = caches[it.name], it.name or it.path
    local key, more = changed_key(it, is_cache)
    if key ~= nil then
      return complain(is_cache, name, item_path(it.path, key), it.items[key], rawget(it.value, key))
    elseif w.metatable_of(it.value) ~= it.metatable then
      return complain(is_cache, name, "its metatable", it.metatable, w.metatable_of(it.value))
    end
    grown = grown or more
  end
  return nil, grown
end

-- --- tables that were filled and emptied again --------------------------------------------------

local REFILLED = "the variable '%s' has changed: %s was filled and emptied again. It is outside of "
  .. "the hooks, where all simulations of a thread share it, and keeps the room that it had: the "
  .. "length of a table with holes would depend on what ran before. Make it anew in each call "
  .. "(local), or in init, as sim.state.%s"

-- The image of all but the caches, nil where there is none; and a function that gives a text where
-- a table has another layout than it had.
local function take_image(w, caches, rules)
  local its, tables, functions, numbers = {}, {}, {}, {}
  for _, it in ipairs(w.tables) do
    if not caches[it.name] then its[#its + 1], tables[#tables + 1] = it, it.value end
  end
  for _, it in ipairs(w.variables) do
    if not caches[it.name] then
      functions[#functions + 1], numbers[#numbers + 1] = it.f, it.i
    end
  end
  local is_empty = #tables == 0 and #functions == 0
  local image = not is_empty and rules.image(tables, functions, numbers) or nil
  return image, function()
    local it = its[image and rules.altered(image)]
    if not it then return nil end
    local name = it.name or it.path
    return REFILLED:format(name, it.path == name and "it" or it.path, name)
  end
end

function kept.watch(roots, rules)
  local w, caches, known = walk(roots, rules), {}, {}
  if w.problem then error(("policy %s: %s"):format(rules.policy, w.problem), 0) end
  for name in next, w.names do known[#known + 1] = name end
  table.sort(known)
  for _, name in ipairs(rules.caches) do
    if not w.names[name] then
      error(("policy %s: caches: it has no variable '%s' outside of its hooks (known: %s)"):format(
        rules.policy, tostring(name), table.concat(known, ", ")), 0)
    end
    caches[name] = true
  end
  local image, refilled = take_image(w, caches, rules)
  return function()
    local problem, grown = compare(w, caches)
    if grown then w = walk(roots, rules) end
    return problem or w.problem or refilled()
  end, image
end

return kept
