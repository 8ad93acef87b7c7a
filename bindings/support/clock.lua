-- clock: times as people write and read them: "6h", "+90m", "2019-06-14 06:00".
local clock = {}

clock.YEAR = 365 * 86400 -- s

local UNITS = { [""] = 1, s = 1, m = 60, h = 3600, d = 86400, w = 604800, y = clock.YEAR }

-- A span of time in seconds, from seconds or a number with s, m, h, d, w or y (365 days); nil for
-- other texts.
function clock.span(text)
  local number, unit = text:match "^(%.?%d[%d.]*[eE]?[+-]?%d*)([smhdwy]?)$"
  local value = tonumber(number)
  local seconds = value and value * UNITS[unit]
  if seconds and seconds < math.huge then return seconds end
end

-- A span of time in the unit that suits it.
function clock.span_text(seconds)
  if seconds < 0 then return "-" .. clock.span_text(0.0 - seconds) end
  if seconds < 120 then return ("%.4g s"):format(seconds) end
  if seconds < 7200 then return ("%.1f min"):format(seconds / 60) end
  if seconds < 14 * 86400 then return ("%.2f h"):format(seconds / 3600) end
  return ("%.1f d"):format(seconds / 86400)
end

local SCALES = { { 120, "s", 1 }, { 7200, "min", 60 }, { 14 * 86400, "h", 3600 },
  { math.huge, "d", 86400 } }

-- The unit for spans in one column, by the longest span (s; nan is ignored): its name and its
-- seconds.
function clock.unit(spans)
  local longest, i = 0, 1
  for _, span in pairs(spans) do
    if span - span == 0 then longest = math.max(longest, math.abs(span)) end
  end
  while longest >= SCALES[i][1] do i = i + 1 end
  return SCALES[i][2], SCALES[i][3]
end

local function date(what, text, jobs)
  if not jobs or not jobs.origin then
    error(("%s: '%s' is a date, but %s have no calendar times; give seconds of the clock, or a "
      .. "text as '6h'"):format(what, text, jobs and "these jobs" or "tasks"), 0)
  end
  local ok, seconds = pcall(jobs.seconds, jobs, text)
  if ok then return seconds end
  error(("%s: expected a date as '2019-06-14 06:00', found '%s'"):format(what, text), 0)
end

-- An instant in seconds of the clock.
--   what   for errors: the name of the value
--   given  seconds; a span, counted from second 0; a span with + or -, counted from now; a date
--   jobs   whose calendar is used; nil: none
function clock.instant(what, given, jobs, now)
  if type(given) == "number" and given == given then return given end
  if type(given) == "string" then
    local sign, rest = given:match "^([+-])(.*)$"
    local span = clock.span(sign and rest or given)
    if span then return sign and now + (sign == "+" and span or -span) or span end
    if given:match "^%d%d%d%d%-" then return date(what, given, jobs) end
  end
  error(("%s: expected seconds, or a text as '6h', '+90m' (from now on) or '2019-06-14 06:00', "
    .. "found %s"):format(what, type(given) == "string" and "'" .. given .. "'"
    or tostring(given)), 0)
end

-- An instant as a date, without fractions of seconds; nil where the jobs have no calendar.
function clock.date(seconds, jobs)
  local text = jobs and seconds - seconds == 0 and jobs:date(math.floor(seconds + 0.5))
  return text and text:match "^[^.]*" or nil
end

-- An instant as its date where the jobs have a calendar, else in the unit that suits it.
function clock.text(seconds, jobs)
  return clock.date(seconds, jobs) or clock.span_text(seconds)
end

return clock
