-- resume: results of a long computation that outlive its interruption.
--
-- A computation has parts, each with a name of its own and a result of plain data. While it runs,
-- every finished part is a record in a folder in the format of a sweep (sweep/store.lua says why
-- nothing is lost or torn). The same computation continues with these records; another one does not
-- see them. At the end they are removed.
local command = require "orrery.command.command"
local lfs = require "lfs"
local orrery = require "orrery"
local store = require "orrery.command.sweep.store"

local literals = orrery.tools.literals()

local resume = {}
resume.__index = resume

-- --- the identity of a computation ---------------------------------------------------------------

-- A named file is part of the identity, by its size and time.
local function stamp(path)
  local found = lfs.attributes(path)
  if not found or found.mode ~= "file" then return "" end
  return (" %d %d"):format(found.size, found.modification)
end

local function describe(value)
  if type(value) == "string" then
    local text = ("%q%s"):format(value, stamp(value))
    for part in value:gmatch "[^+:]+%.lua" do text = text .. stamp(part) end -- end-local+mine.lua
    return text
  end
  if type(value) ~= "table" then return tostring(value) end
  local names, parts = {}, {}
  for name in pairs(value) do names[#names + 1] = name end
  table.sort(names, function(a, b) return tostring(a) < tostring(b) end)
  for i, name in ipairs(names) do
    parts[i] = ("%s=%s"):format(tostring(name), describe(value[name]))
  end
  return "{" .. table.concat(parts, " ") .. "}"
end

-- Keeps results in a folder inside `folder`, for the computation that `what`, plain data,
-- describes; its files and the program are part of the identity.
function resume.new(folder, what)
  local executable = orrery.tools.executable() or ""
  local text = ("%s %s%s"):format(describe(what), orrery.version, stamp(executable))
  local top = folder .. "/unfinished"
  return setmetatable({ top = top, dir = top .. "/" .. store.checksum(text), text = text,
    count = 0, reused = 0, computed = 0 }, resume)
end

-- --- parts --------------------------------------------------------------------------------------

local function opened(self)
  if not self.store then
    command.make_folder(self.top)
    self.store = store.open(self.dir, { text = self.text, axes = {}, count = 0, path = "parts" })
  end
  return self.store
end

-- The result of f(...), one value of plain data, computed or read; and the seconds of f: processor
-- time, and wall-clock time. Parts must be requested in the same order every time.
function resume:part(name, f, ...)
  self.count = self.count + 1
  local place = opened(self)
  local record = place:read(self.count)
  local found = record and literals.read(record.summary)
  if found and found.name == name then
    self.reused = self.reused + 1
    return found.result, found.cpu, found.wall
  end
  local cpu, wall = os.clock(), os.time()
  local result = f(...)
  cpu, wall = os.clock() - cpu, os.difftime(os.time(), wall)
  local text = literals.exact { name = name, result = result, cpu = cpu, wall = wall }
  place:write(self.count, { summary = text .. "\n", runs = "", seconds = cpu })
  return result, cpu, wall
end

-- The kept result of part i, which has this name; nil: none.
local function kept_of(place, i, name)
  local record = place:read(i)
  local found = record and literals.read(record.summary)
  return found and found.name == name and found.result or nil
end

local FIRST_PAUSE, LONGEST_PAUSE = 0.02, 0.5 -- s, between looks at the results of other processes

local function pause(seconds)
  if not os.execute(("sleep %g"):format(seconds)) then command.interrupted() end
end

-- Takes the finished results of the parts in `left` (numbers), and computes the parts that no other
-- process computes. Returns the remaining numbers, which other processes compute now.
local function pass(self, place, parts, first, left, results)
  local still = {}
  for _, i in ipairs(left) do
    results[i] = kept_of(place, first + i, parts[i].name)
    if not results[i] and not place:claim(first + i) then
      still[#still + 1] = i
    elseif not results[i] then
      results[i] = kept_of(place, first + i, parts[i].name) -- finished since the first look
      if not results[i] then
        local began = os.clock()
        results[i] = parts[i].compute()
        place:write(first + i, { summary = literals.exact { name = parts[i].name,
          result = results[i] } .. "\n", runs = "", seconds = os.clock() - began })
        self.computed = self.computed + 1
      end
      place:release(first + i)
    end
  end
  return still
end

-- The results of a list of independent parts { name =, compute = }, which several processes, on
-- several machines, share: each computes parts that no other computes, and waits for the rest. A
-- process that dies loses its claims, and another one takes its parts.
--   shard, shards  this process begins with every shards-th part; nil: with all
function resume:parts(parts, shard, shards)
  local place, first, results, left, others = opened(self), self.count, {}, {}, {}
  self.count = first + #parts
  for i = 1, #parts do
    local list = shards and (first + i - shard) % shards ~= 0 and others or left
    results[i] = kept_of(place, first + i, parts[i].name)
    if results[i] then self.reused = self.reused + 1 else list[#list + 1] = i end
  end
  table.move(others, 1, #others, #left + 1, left)
  local wait = FIRST_PAUSE
  while true do
    local before = self.computed
    left = pass(self, place, parts, first, left, results)
    if #left == 0 then return results end
    wait = self.computed > before and FIRST_PAUSE or math.min(2 * wait, LONGEST_PAUSE)
    pause(wait)
  end
end

-- All is done: no results are kept any more, nor remains of a record of a killed process.
function resume:done()
  if not self.store then return end
  self.store.claims:clear()
  command.remove_folder(self.dir .. "/cells")
  command.remove_folder(self.dir)
  lfs.rmdir(self.top) -- stays where another computation waits
end

return resume
