-- axis: places and names of ticks; times as text for people.
--
-- A clock is the time of second 0, in s since 1970 (UTC): times are then dates. Where the log has
-- no clock (nil), times are numbers in one unit.

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

-- A time in s since 1970 (UTC) in one of os.date's formats.
local function date(format, time) return os.date("!" .. format, math.floor(time + 0.5)) end

-- The seconds since 1970 of "YYYY-MM-DD[ HH:MM[:SS]]"; nil for other texts.
function axis.epoch(text)
  local year, month, day, rest = text:match "^(%d%d%d%d)%-(%d%d)%-(%d%d)(.*)$"
  if not year then return nil end
  local hour, minute, second = rest:match "^[ T](%d%d):(%d%d)(.*)$"
  if rest ~= "" and not hour then return nil end
  local s = second and tonumber(second:match "^:(%d%d%.?%d*)Z?$" or second == "" and 0 or nil) or 0
  local days = days_of(math.tointeger(tonumber(year)), math.tointeger(tonumber(month)),
    math.tointeger(tonumber(day)))
  return days * 86400 + (tonumber(hour) or 0) * 3600 + (tonumber(minute) or 0) * 60 + s
end

-- "2019-06-14 06:00:00"; without a clock "21600 s".
function axis.instant(time, clock)
  if not clock then return ("%.10g s"):format(time) end
  return date("%Y-%m-%d %H:%M:%S", time + clock)
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

local function monthly(from, to, clock, months)
  local first, list = date("*t", from + clock), {}
  local at = (first.year * 12 + first.month - 1) // months * months
  while true do
    local time = days_of(at // 12, at % 12 + 1, 1) * 86400 - clock
    if time > to then return list end
    if time >= from then
      local text = months >= 12 and ("%d"):format(at // 12)
        or ("%s %d"):format(MONTHS[at % 12 + 1], at // 12)
      list[#list + 1] = { time, text, at % 12 == 0 }
    end
    at = at + months
  end
end

local function calendar(from, to, most, clock)
  for _, step in ipairs(STEPS) do
    if (to - from) / step <= most then
      local list = {}
      for i = math.ceil((from + clock) / step), math.floor((to + clock) / step) do
        local text, major = clock_text(i * step, step)
        list[#list + 1] = { i * step - clock, text, major }
      end
      return list
    end
  end
  for _, months in ipairs(MONTHLY) do
    if (to - from) / (months * 30.4 * 86400) <= most then
      return monthly(math.floor(from), to, math.floor(clock), months)
    end
  end
  return {}
end

-- Ticks of a time axis, at most about `most`: list of { at, text, major }, and the title of the
-- axis.
function axis.times(from, to, most, clock, zone)
  if clock then
    return calendar(from, to, most, clock),
      date(("Time (%s, %%Y)"):format(zone or "UTC"), from + clock)
  end
  local name, unit = axis.unit(to - from)
  local list = axis.numbers(from / unit, to / unit, most)
  for _, tick in ipairs(list) do tick[1] = tick[1] * unit end
  return list, ("Time (%s)"):format(name)
end

return axis
