-- windows: what reservations and maintenance cost, in millions of instructions of the simulation,
-- and as a multiple of what it takes without: EASY on the bundled month, and conservative
-- backfilling of 50,000 generated jobs. About five minutes; it needs valgrind.
--
--   ./orrery spec/bench/windows.lua
local orrery = require "orrery"

local DAY = 86400

local function month() return orrery.read "data/mira/sample-2019-06.csv" end

local function generated()
  return orrery.lublin { count = 50000, seed = 1, procs = 1024, load = 0.8, walltimes = "users" }
end

-- Short windows in even steps; far: of a time that nobody reaches.
local function short(count, days, far, reserved)
  local list = {}
  for i = 1, count do
    local from = (far and 2.0 ^ 40 or 0) + (i - 1) * days * DAY / count
    list[i] = { from = from, to = from + 600, procs = 1 + i % 7 * 512,
      user = reserved and "u" .. i or nil }
  end
  return list
end

-- Ten windows of four hours on so many processors.
local function long(procs)
  local list = {}
  for i = 1, 10 do
    local from = (2 * i - 1) * 17.67e6 / 20
    list[i] = { from = from, to = from + 4 * 3600, procs = procs }
  end
  return list
end

-- What is simulated: name, jobs, policy, walltimes, reservations, maintenance.
local CASES = {
  { "easy", month, "easy", "log" },
  { "1000 reservations, far", month, "easy", "log", short(1000, 30, true, true) },
  { "1000 reservations, 3000 days", month, "easy", "log", short(1000, 3000, false, true) },
  { "1000 reservations, 30 days", month, "easy", "log", short(1000, 30, false, true) },
  { "10 windows", month, "easy", "log", nil, short(10, 30) },
  { "conservative", generated, "conservative", "runtime" },
  { "10 windows, whole machine", generated, "conservative", "runtime", nil, long(1024) },
  { "10 windows, a quarter", generated, "conservative", "runtime", nil, long(256) },
  { "conservative, walltimes", generated, "conservative", "log" },
  { "10 windows, whole machine", generated, "conservative", "log", nil, long(1024) },
  { "10 windows, a quarter", generated, "conservative", "log", nil, long(256) },
}

if arg[1] then
  local case = CASES[math.tointeger(arg[1])]
  orrery.compare { jobs = case[2](), policies = { "dispatch/" .. case[3] }, walltimes = case[4],
    reservations = case[5], maintenance = case[6], threads = 1 }
  return
end

local without
for i, case in ipairs(CASES) do
  local pipe = assert(io.popen(("valgrind --tool=callgrind --callgrind-out-file=/dev/null "
    .. "--toggle-collect=orr_rigid_finish ./orrery spec/bench/windows.lua %d 2>&1"):format(i)))
  local text = pipe:read "a"
  pipe:close()
  local count = assert(text:match "Collected : (%d+)", text) / 1e6
  local alone = not (case[5] or case[6])
  without = alone and count or without
  print(("%-30s %10.1f %6.2f"):format(case[1], count, count / without))
end
