-- programs: candidates of a search that are policies' files with other numbers: shipped ones, or
-- somebody's. Numbers move, and two candidates of one file recombine. It is what racing.lua asks,
-- as space.lua.
--
-- The purpose of a number is not known: a loop may never end and an index may be wrong. So these
-- candidates are tried like a stranger's proposals, in the sandbox with limits, each by itself on
-- its first sample. A candidate that fails is dropped.
local checks = require "orrery.support.checks"
local checksum = require "orrery.support.checksum"
local collect = require "orrery.search.collect"
local kinds = require "orrery.search.kinds"
local policies = require "orrery.host.policies"

local refuse = checks.refuse

local programs = { may_fail = true }
programs.__index = programs

local UNDER = "easy"    -- what priorities order, where no other policies are named
local MOVED = 0.3       -- so many of the numbers of a candidate move; at least one does
local FAR = 0.5         -- as far as that in the first round
local CROSSED = 0.3     -- of the children have numbers of a second parent
local OF_SMALL = 0.3    -- how often 0 and 1, which say something else in most programs, move

-- --- numbers in texts ---------------------------------------------------------------------------

-- Where the string or comment that begins at a position ends; nil: none does.
local function skipped(text, at)
  local level = text:match("^%-%-%[(=*)%[", at) or text:match("^%[(=*)%[", at)
  if level then return select(2, text:find("]" .. level .. "]", at, true)) or #text end
  if text:find("^%-%-", at) then return select(2, text:find("^[^\n]*", at)) end
  local quote = text:match("^[\"']", at)
  if not quote then return nil end
  local last = at + 1
  while last < #text and text:sub(last, last) ~= quote do
    last = last + (text:sub(last, last) == "\\" and 2 or 1)
  end
  return last
end

local DECIMALS = { "^%d+%.?%d*[eE][+-]?%d+", "^%d+%.?%d*" }

-- The decimal numbers of a Lua text: the texts between them, one more than there are numbers, and
-- their values.
function programs.numbers_of(text)
  local between, values, from, at = {}, {}, 1, 1
  while at <= #text do
    local last = skipped(text, at)
    if not last then
      last = select(2, text:find("^[%a_][%w_]*", at)) or select(2, text:find("^0[xX][%x.pP]+", at))
        or select(2, text:find("^%.%.+", at)) -- a name, a number in hexadecimal digits, points
    end
    for _, pattern in ipairs(DECIMALS) do
      local number = not last and text:match(pattern, at)
      if number then
        between[#between + 1], values[#values + 1] = text:sub(from, at - 1), tonumber(number)
        last = at + #number - 1
        from = last + 1
      end
    end
    at = (last or at) + 1
  end
  between[#between + 1] = text:sub(from)
  return between, values
end

local function number_text(value)
  if math.type(value) == "integer" then return ("%d"):format(value) end
  local text = ("%.4g"):format(value)
  if tonumber(text) ~= value then text = ("%.17g"):format(value) end
  return text:find "[.e]" and text or text .. ".0" -- a float stays one
end

function programs.text_with(between, values)
  local parts = { between[1] }
  for i, value in ipairs(values) do
    parts[2 * i], parts[2 * i + 1] = number_text(value), between[i + 1]
  end
  return table.concat(parts)
end

-- --- candidates ---------------------------------------------------------------------------------

local function candidate_of(base, at, values)
  local text = programs.text_with(base.between, values)
  local name = ("%s#%s"):format(base.name, checksum(text):sub(1, 8))
  local given = policies.text(name, text)
  local policy = base.kind ~= "priority" and { policy = given, name = name }
    or { policy = base.under, priority = given, name = base.under .. " + " .. name }
  return { name = policy.name, key = ("program:%d:%s"):format(at, text), policy = policy,
    alone = true, text = text, at = at, values = values }
end

-- A number somewhere near: whole numbers stay whole.
local function moved(rng, value, spread)
  if (value == 0 or value == 1) and rng:uniform() >= OF_SMALL then return value end
  if math.type(value) == "integer" then
    if math.abs(value) < 4 then return math.max(0, value + rng:integer(-1, 1)) end
    return math.floor(value * math.exp(4 * spread * rng:normal()) + 0.5)
  end
  if value == 0 then return rng:uniform() end
  return tonumber(("%.4g"):format(value * math.exp(4 * spread * rng:normal())))
end

local function changed(rng, values, spread)
  local list = table.move(values, 1, #values, 1, {})
  local one = rng:integer(1, #values)
  for i, value in ipairs(list) do
    if i == one or rng:uniform() < MOVED then list[i] = moved(rng, value, spread) end
  end
  return list
end

local function drawn(self, rng)
  local at = rng:integer(1, #self.bases)
  return candidate_of(self.bases[at], at, changed(rng, self.bases[at].values, FAR))
end

-- A child of one of the best, perhaps with numbers of another one of the same file.
local function near(self, rng, best, spread)
  local parent, other = collect.pick(rng, best), best[rng:integer(1, #best)]
  local values = table.move(parent.values, 1, #parent.values, 1, {})
  if other.at == parent.at and rng:uniform() < CROSSED then
    for i in ipairs(values) do
      if rng:uniform() < 0.5 then values[i] = other.values[i] end
    end
  end
  return candidate_of(self.bases[parent.at], parent.at, changed(rng, values, spread))
end

-- Up to `count` candidates whose texts are policies.
local function different(self, count, make)
  local fine = {}
  for _, candidate in ipairs(collect.different(count, self.known, make)) do
    if pcall(self.prepared, candidate) then fine[#fine + 1] = candidate end
  end
  return fine
end

-- The files as they are come first.
function programs:first(rng, count)
  local at = 0
  return different(self, count, function()
    at = at + 1
    if at <= #self.bases then return candidate_of(self.bases[at], at, self.bases[at].values) end
    return drawn(self, rng)
  end)
end

function programs:next(rng, count, best, spread)
  return different(self, count, function()
    if #best == 0 then return drawn(self, rng) end
    return near(self, rng, best, spread)
  end)
end

function programs:check(f)
  for at, base in ipairs(self.bases) do f(candidate_of(base, at, base.values)) end
end

-- A file, for every policy whose queue it orders.
local function add_bases(list, what, name, under, more)
  checks.expect(type(name) == "string", what, "the name or the path of a policy", type(name))
  local kind, text = kinds.read_file(more.kind, name, more.limits, what .. ": ")
  local between, values = programs.numbers_of(text)
  refuse(#values == 0, "%s: there is no number in %s that could be another one", what, name)
  for _, policy in ipairs(kind == "priority" and under or { false }) do
    list[#list + 1] = { name = name:match "([^/]*)%.lua$" or name, kind = kind, under = policy,
      between = between, values = values }
  end
end

-- The space of a search from its field `programs`. more:
--   limits, kind  of the search
--   prepared  function(candidate); raises what is wrong with it
function programs.of(given, more)
  checks.expect(type(given) == "table", "programs", "a table", type(given))
  checks.fields("programs", given, "search.SearchPrograms")
  checks.expect(type(given.files) == "table" and #given.files > 0, "programs.files",
    "a list of at least one policy", type(given.files))
  local under = given.policies == nil and { UNDER } or given.policies
  checks.expect(type(under) == "table" and #under > 0, "programs.policies",
    "a list of at least one policy", type(under))
  for i, policy in ipairs(under) do
    checks.expect(type(policy) == "string", ("programs.policies[%d]"):format(i), "a name",
      type(policy))
  end
  local bases = {}
  for i, name in ipairs(given.files) do
    add_bases(bases, ("programs.files[%d]"):format(i), name, under, more)
  end
  return setmetatable({ bases = bases, known = {}, size = math.huge, prepared = more.prepared,
    about = ("numbers of %d program%s"):format(#given.files, #given.files == 1 and "" or "s") },
    programs)
end

return programs
