-- axis: places and names of ticks; times as text for people.
--
-- A clock is what the clocks of the log's zone show at second 0, in s since 1970, for each part of
-- the time in which they are not changed: { { from, shown }, ... } (core.clock). Times are then
-- dates. Where the log has no clock (nil), times are numbers in one unit.

local YEAR = require("orrery.support.clock").YEAR

local axis = {}

-- --- the calendar -------------------------------------------------------------------------------

local MONTHS = { "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov",
  "Dec" }

-- Days since 1970-01-01 of a date of the Gregorian calendar (by Hinnant's method).
local function days_of(year, month, day)
  if month <= 2 then year = year - 1 end
  local era = year // 400
  local of_era = year - era * 400
  local of_year = (153 * (month + (month > 2 and -3 or 9)) + 2) // 5 + day - 1
  return era * 146097 + of_era * 365 + of_era // 4 - of_era // 100 + of_year - 719468
end

-- What the clocks show at second 0, as they are set at a time.
local function shown(clock, time)
  local at = #clock
  while at > 1 and clock[at][1] > time do at = at - 1 end
  return clock[at][2]
end

-- What clocks show, in s since 1970, in one of os.date's formats.
local function date(format, time) return os.date("!" .. format, math.floor(time + 0.5)) end

-- "2019-06-14 06:00:00"; without a clock "21600 s".
function axis.instant(time, clock)
  if not clock then return ("%.10g s"):format(time) end
  return date("%Y-%m-%d %H:%M:%S", time + shown(clock, time))
end

-- --- units --------------------------------------------------------------------------------------

local UNITS = { { "d", 86400 }, { "h", 3600 }, { "min", 60 }, { "s", 1 } }

-- The largest unit of which a span has at least `least` (3): its name and its seconds.
function axis.unit(span, least)
  for _, unit in ipairs(UNITS) do
    if span >= (least or 3) * unit[2] then return unit[1], unit[2] end
  end
  return "s", 1
end

-- "2.5 h", with about three digits.
function axis.span(seconds)
  local name, unit = axis.unit(math.abs(seconds), 1)
  if seconds >= 2 * YEAR then name, unit = "years", YEAR end
  local value = seconds / unit
  return (math.abs(value) >= 100 and "%.0f %s" or "%.3g %s"):format(value, name)
end

-- --- ticks --------------------------------------------------------------------------------------

-- The round step, 1, 2 or 5 times a power of ten, of which at most `most` fit into a span.
function axis.step(span, most, whole)
  if span <= 0 then return 1 end
  local step = 10 ^ math.floor(math.log(span / most, 10))
  for _, factor in ipairs { 1, 2, 5, 10 } do
    if factor * step * most >= span * (1 - 1e-9) then
      step = factor * step
      break
    end
  end
  return whole and math.max(step, 1) or step
end

-- Round numbers in [low, high], at most about `most`: list of { at, text }.
function axis.numbers(low, high, most, whole)
  local step, list = axis.step(high - low, most, whole), {}
  for i = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9) do
    list[#list + 1] = { i * step, ("%.10g"):format(i * step) }
  end
  return list
end

local STEPS = { 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10800, 21600, 43200,
  86400, 172800, 604800 }
local MONTHLY = { 1, 2, 3, 6, 12, 24, 60, 120 }

-- The name of a tick at midnight, at an hour, at a second; the first one also has the date.
local function clock_text(at, step)
  if at % 86400 == 0 then
    local day = date("*t", at)
    return ("%d %s"):format(day.day, MONTHS[day.month]), true
  end
  return date(step < 60 and "%H:%M:%S" or "%H:%M", at), false
end

local function monthly(from, to, clock, months, list)
  local first = date("*t", from + clock)
  local at = (first.year * 12 + first.month - 1) // months * months
  while true do
    local time = days_of(at // 12, at % 12 + 1, 1) * 86400 - clock
    if time > to then return end
    if time >= from then
      local text = months >= 12 and ("%d"):format(at // 12)
        or ("%s %d"):format(MONTHS[at % 12 + 1], at // 12)
      list[#list + 1] = { time, text, at % 12 == 0 }
    end
    at = at + months
  end
end

local function steps(from, to, clock, step, list)
  for i = math.ceil((from + clock) / step), math.floor((to + clock) / step) do
    local text, major = clock_text(i * step, step)
    list[#list + 1] = { i * step - clock, text, major }
  end
end

-- The function that makes the ticks of a part of the time, and their distance.
local function ticks_of(span, most)
  for _, step in ipairs(STEPS) do
    if span / step <= most then return steps, step end
  end
  for _, months in ipairs(MONTHLY) do
    if span / (months * 30.4 * 86400) <= most then return monthly, months end
  end
end

-- An hour that the clocks show twice has its ticks twice.
local function calendar(from, to, most, clock)
  local make, distance = ticks_of(to - from, most)
  local list = {}
  for i, part in ipairs(make and clock or {}) do
    local next = clock[i + 1] and clock[i + 1][1] - 1e-3 or math.huge
    local first, last = i == 1 and from or math.max(from, part[1]), math.min(to, next)
    if first <= last then
      if make == monthly then first, part = math.floor(first), { 0, math.floor(part[2]) } end
      make(first, last, part[2], distance, list)
    end
  end
  return list
end

-- Ticks of a time axis, at most about `most`: list of { at, text, major }, and the title of the
-- axis.
function axis.times(from, to, most, clock, zone)
  if clock then
    return calendar(from, to, most, clock),
      date(("Time (%s, %%Y)"):format(zone), from + shown(clock, from))
  end
  local name, unit = axis.unit(to - from)
  local list = axis.numbers(from / unit, to / unit, most)
  for _, tick in ipairs(list) do tick[1] = tick[1] * unit end
  return list, ("Time (%s)"):format(name)
end

return axis
