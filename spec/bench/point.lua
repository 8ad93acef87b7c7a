-- One point of a curve, in a process of its own: orrery spec/bench/point.lua FAMILY SIZE
--
-- Prints the seconds that the work takes once, the least of some rounds; and how much memory the
-- process had before the work and at its peak, kB.
local families = dofile "spec/bench/families.lua"

local ENOUGH, ROUNDS = 0.2, 3 -- s that a round should take; rounds, unless they take long

local name, size = arg[1], math.tointeger(tonumber(arg[2]))
local family
for _, one in ipairs(families) do family = one.name == name and one or family end

local function memory(key)
  local file = io.open "/proc/self/status"
  if not file then return 0 end
  local text = file:read "a"
  file:close()
  return tonumber(text:match(key .. ":%s*(%d+)")) or 0
end

-- s on the clock; no function of Lua's library has fractions of it.
local function clock()
  local pipe = assert(io.popen "date +%s.%N")
  local text = pipe:read "a"
  pipe:close()
  return tonumber(text)
end

local now = family.wall and clock or os.clock
local work, finish = family.work(size)
collectgarbage()
local before = memory "VmRSS"

local function round(count)
  local begin = now()
  for _ = 1, count do work() end
  return (now() - begin) / count
end

local least = round(1)
local peak = memory "VmHWM"
if least < ENOUGH * ROUNDS then
  local count = math.max(1, math.min(1000, math.ceil(ENOUGH / math.max(least, 1e-6))))
  for _ = 1, ROUNDS do least = math.min(least, round(count)) end
end
if finish then finish() end
print(("%.9g %d %d"):format(least, before, peak))
