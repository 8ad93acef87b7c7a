-- interruptible: functions of Lua's libraries, in Lua, for calls that could stay in C for too long.
--
-- Lua's patterns (the manual's section 6.4.1) match by backtracking, which can take practically for
-- ever; here the watchdog of a policy can stop it at any instruction. Lua's own string.find decides
-- which single characters match. Returns a table of functions:
-- find, match, gmatch, gsub, insert, remove, move, concat, unpack.

local find, sub, byte, char = string.find, string.sub, string.byte, string.char
local concat, unpack = table.concat, table.unpack

local slowly = {}

-- --- patterns as lists of items -----------------------------------------------------------------

local function malformed(what) error("malformed pattern (" .. what .. ")", 0) end

-- The position behind the single-character class at `at`.
local function class_end(pattern, at)
  local first = sub(pattern, at, at)
  if first == "%" then
    if at == #pattern then malformed "ends with '%'" end
    return at + 2
  end
  if first ~= "[" then return at + 1 end
  at = at + 1
  if sub(pattern, at, at) == "^" then at = at + 1 end
  repeat
    if at > #pattern then malformed "missing ']'" end
    at = at + (sub(pattern, at, at) == "%" and 2 or 1)
  until sub(pattern, at, at) == "]"
  return at + 1
end

-- A table: byte -> whether the class has it.
local function set_of(class, known)
  if not known[class] then
    local set = {}
    -- an escape keeps ^, $ and the like from meaning anything else
    local pattern = "^" .. (find(class, "^%p$") and class ~= "." and "%" .. class or class)
    for b = 0, 255 do set[b] = find(char(b), pattern) ~= nil end
    known[class] = set
  end
  return known[class]
end

local REPEATS = { ["*"] = "most", ["+"] = "most", ["-"] = "least", ["?"] = "maybe" }

local function escaped(pattern, at, known)
  local letter = sub(pattern, at + 1, at + 1)
  if letter == "b" then
    if at + 3 > #pattern then malformed "missing arguments to '%b'" end
    return { kind = "balance", byte(pattern, at + 2), byte(pattern, at + 3) }, at + 4
  elseif letter == "f" then
    if sub(pattern, at + 2, at + 2) ~= "[" then error("missing '[' after '%f' in pattern", 0) end
    local next_at = class_end(pattern, at + 2)
    return { kind = "frontier", set = set_of(sub(pattern, at + 2, next_at - 1), known) }, next_at
  elseif find(letter, "^%d") then
    return { kind = "again", capture = byte(letter) - 48 }, at + 2
  end
end

local function single(pattern, at, known)
  local next_at = class_end(pattern, at)
  local suffix = sub(pattern, next_at, next_at)
  local item = { kind = REPEATS[suffix] or "one", least = suffix == "+" and 1 or 0,
    set = set_of(sub(pattern, at, next_at - 1), known) }
  return item, REPEATS[suffix] and next_at + 1 or next_at
end

local function item_at(pattern, at, known)
  local letter = sub(pattern, at, at)
  if letter == "(" then
    if sub(pattern, at + 1, at + 1) == ")" then return { kind = "position" }, at + 2 end
    return { kind = "open" }, at + 1
  elseif letter == ")" then
    return { kind = "close" }, at + 1
  elseif letter == "$" and at == #pattern then
    return { kind = "finish" }, at + 1
  elseif letter == "%" then
    local item, next_at = escaped(pattern, at, known)
    if item then return item, next_at end
  end
  return single(pattern, at, known)
end

local function compile(pattern, from)
  local items, at, known = {}, from, {}
  while at <= #pattern do items[#items + 1], at = item_at(pattern, at, known) end
  return items
end

-- --- matching -----------------------------------------------------------------------------------

-- Of m: the subject, items, and captures: m.from[i] and m.to[i], false while open, or "position".
local MATCH = {}

local function match_items(m, at, k)
  local item = m.items[k]
  if not item then return at end
  return MATCH[item.kind](m, at, k, item)
end

local function has(m, at, set) return at <= #m.subject and set[byte(m.subject, at)] end

function MATCH.one(m, at, k, item)
  if has(m, at, item.set) then return match_items(m, at + 1, k + 1) end
end

function MATCH.maybe(m, at, k, item)
  local found = has(m, at, item.set) and match_items(m, at + 1, k + 1)
  if found then return found end
  return match_items(m, at, k + 1)
end

function MATCH.most(m, at, k, item)
  local last = at
  while has(m, last, item.set) do last = last + 1 end
  for behind = last, at + item.least, -1 do
    local found = match_items(m, behind, k + 1)
    if found then return found end
  end
end

function MATCH.least(m, at, k, item)
  while true do
    local found = match_items(m, at, k + 1)
    if found then return found end
    if not has(m, at, item.set) then return nil end
    at = at + 1
  end
end

function MATCH.finish(m, at)
  if at == #m.subject + 1 then return at end
end

local function open(m, at, k, to)
  m.count = m.count + 1
  if m.count > 32 then error("too many captures", 0) end
  m.from[m.count], m.to[m.count] = at, to
  local found = match_items(m, at, k + 1)
  if not found then m.count = m.count - 1 end
  return found
end

function MATCH.open(m, at, k) return open(m, at, k, false) end

function MATCH.position(m, at, k) return open(m, at, k, "position") end

function MATCH.close(m, at, k)
  local i = m.count
  while i > 0 and m.to[i] do i = i - 1 end
  if i == 0 then error("invalid pattern capture", 0) end
  m.to[i] = at - 1
  local found = match_items(m, at, k + 1)
  if not found then m.to[i] = false end
  return found
end

function MATCH.again(m, at, k, item)
  local from, to = m.from[item.capture], m.to[item.capture]
  if item.capture == 0 or item.capture > m.count or math.type(to) ~= "integer" then
    error(("invalid capture index %%%d in pattern"):format(item.capture), 0)
  end
  local behind = at + to - from + 1
  if sub(m.subject, from, to) == sub(m.subject, at, behind - 1) then
    return match_items(m, behind, k + 1)
  end
end

function MATCH.balance(m, at, k, item)
  if byte(m.subject, at) ~= item[1] then return nil end
  local depth = 1
  for i = at + 1, #m.subject do
    local b = byte(m.subject, i)
    if b == item[2] then
      depth = depth - 1
      if depth == 0 then return match_items(m, i + 1, k + 1) end
    elseif b == item[1] then
      depth = depth + 1
    end
  end
end

function MATCH.frontier(m, at, k, item)
  local before, here = at > 1 and byte(m.subject, at - 1) or 0, byte(m.subject, at) or 0
  if not item.set[before] and item.set[here] then return match_items(m, at, k + 1) end
end

local function new_match(subject, pattern, may_anchor)
  local anchored = may_anchor and sub(pattern, 1, 1) == "^"
  return { subject = subject, items = compile(pattern, anchored and 2 or 1), from = {}, to = {},
    count = 0, anchored = anchored }
end

-- The first match from `at` on: where it begins, and the position behind it.
local function search(m, at)
  repeat
    m.count = 0
    local behind = match_items(m, at, 1)
    if behind then return at, behind end
    at = at + 1
  until at > #m.subject + 1 or m.anchored
end

local function capture(m, i)
  if not m.to[i] then error("unfinished capture", 0) end
  if m.to[i] == "position" then return m.from[i] end
  return sub(m.subject, m.from[i], m.to[i])
end

-- All captures, or the whole match where the pattern has none.
local function captures(m, from, behind, whole)
  local list = {}
  for i = 1, m.count do list[i] = capture(m, i) end
  if m.count == 0 and whole then list[1] = sub(m.subject, from, behind - 1) end
  return list
end

-- --- the functions ------------------------------------------------------------------------------

local function beginning(subject, init)
  init = init == nil and 1 or math.tointeger(tonumber(init))
  if not init then error("the position to begin at must be a whole number", 0) end
  if init < 0 then init = #subject + init + 1 end
  return init < 1 and 1 or init
end

-- Plain texts are looked for in pieces, each of which is quick.
local function find_plain(subject, text, at)
  local step = 10000000 // (#text + 1) + 1
  while at + #text <= #subject + 1 do
    local from, to = find(sub(subject, at, at + step + #text - 2), text, 1, true)
    if from then return at + from - 1, at + to - 1 end
    at = at + step
  end
  return nil
end

function slowly.find(subject, pattern, init, plain)
  local at = beginning(subject, init)
  if at > #subject + 1 then return nil end
  if plain or not find(pattern, "[%^%$%*%+%?%.%(%)%[%%%-]") then
    return find_plain(subject, pattern, at)
  end
  local m = new_match(subject, pattern, true)
  local from, behind = search(m, at)
  if not from then return nil end
  return from, behind - 1, unpack(captures(m, from, behind))
end

function slowly.match(subject, pattern, init)
  local at = beginning(subject, init)
  if at > #subject + 1 then return nil end
  local m = new_match(subject, pattern, true)
  local from, behind = search(m, at)
  if not from then return nil end
  return unpack(captures(m, from, behind, true))
end

function slowly.gmatch(subject, pattern, init)
  local m, at, last = new_match(subject, pattern, false), beginning(subject, init), nil
  return function()
    while at <= #subject + 1 do
      local from, behind = search(m, at)
      if not from then break end
      at = behind
      if behind ~= last then
        last = behind
        return unpack(captures(m, from, behind, true))
      end
      at = from + 1
    end
    at = #subject + 2
  end
end

local function fill_in(replacement, m, from, behind)
  local list = captures(m, from, behind, true)
  return (string.gsub(replacement, "%%(.?)", function(which)
    if which == "%" then return "%" end
    if which == "0" then return sub(m.subject, from, behind - 1) end
    if not find(which, "^%d$") then error("invalid use of '%' in replacement string", 0) end
    local text = list[tonumber(which)]
    if text == nil then
      error(("invalid capture index %%%s in replacement string"):format(which), 0)
    end
    return tostring(text)
  end))
end

local function replaced(replacement, m, from, behind)
  local kind = type(replacement)
  if kind == "string" or kind == "number" then
    return fill_in(tostring(replacement), m, from, behind)
  end
  local list = captures(m, from, behind, true)
  local value
  if kind == "table" then value = replacement[list[1]] else value = replacement(unpack(list)) end
  if not value then return sub(m.subject, from, behind - 1) end
  if type(value) ~= "string" and type(value) ~= "number" then
    error(("invalid replacement value (a %s)"):format(type(value)), 0)
  end
  return tostring(value)
end

local REPLACEMENTS = { string = true, number = true, table = true, ["function"] = true }

function slowly.gsub(subject, pattern, replacement, most)
  if not REPLACEMENTS[type(replacement)] then
    error("gsub: string/function/table expected, got " .. type(replacement), 0)
  end
  local m, parts, at, last, count = new_match(subject, pattern, true), {}, 1, nil, 0
  most = most == nil and math.huge or most
  while count < most do
    m.count = 0
    local behind = match_items(m, at, 1)
    if behind and behind ~= last then
      count = count + 1
      parts[#parts + 1] = replaced(replacement, m, at, behind)
      at, last = behind, behind
    elseif at <= #subject then
      parts[#parts + 1] = sub(subject, at, at)
      at = at + 1
    else
      break
    end
    if m.anchored then break end
  end
  parts[#parts + 1] = sub(subject, at)
  return concat(parts), count
end

-- With a position inside the list.
function slowly.insert(list, position, value)
  for i = #list, position, -1 do list[i + 1] = list[i] end
  list[position] = value
end

function slowly.remove(list, position)
  local value, size = list[position], #list
  for i = position, size - 1 do list[i] = list[i + 1] end
  list[size] = nil
  return value
end

-- The elements that are asked for, in a table of its own, with the whole positions.
local function elements(list, first, last)
  local plain = {}
  first, last = math.tointeger(first or 1), math.tointeger(last or #list)
  for i = first, last do plain[i] = list[i] end
  return plain, first, last
end

function slowly.concat(list, separator, first, last)
  local plain
  plain, first, last = elements(list, first, last)
  return concat(plain, separator, first, last)
end

function slowly.unpack(list, first, last) return unpack(elements(list, first, last)) end

function slowly.move(from, first, last, to_first, to)
  to = to or from
  if to_first > last or to_first <= first or to ~= from then
    for i = 0, last - first do to[to_first + i] = from[first + i] end
  else
    for i = last - first, 0, -1 do to[to_first + i] = from[first + i] end
  end
  return to
end

return slowly
