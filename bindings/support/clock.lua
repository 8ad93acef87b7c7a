-- clock: times as people write and read them: "6h", "+90m", "2019-06-14 06:00".
local clock = {}

local UNITS = { [""] = 1, s = 1, m = 60, h = 3600, d = 86400, w = 604800 }

-- A span of time in seconds, from seconds or a number with s, m, h, d or w; nil for other texts.
function clock.span(text)
  local number, unit = text:match "^(%d[%d.]*[eE]?[+-]?%d*)([smhdw]?)$"
  local value = tonumber(number)
  if value and value < math.huge then return value * UNITS[unit] end
end

-- A span of time in the unit that suits it.
function clock.span_text(seconds)
  if seconds < 0 then return "-" .. clock.span_text(0.0 - seconds) end
  if seconds < 120 then return ("%.4g s"):format(seconds) end
  if seconds < 7200 then return ("%.1f min"):format(seconds / 60) end
  if seconds < 14 * 86400 then return ("%.2f h"):format(seconds / 3600) end
  return ("%.1f d"):format(seconds / 86400)
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
--   what   for errors: what is asked for
--   given  seconds; a span, counted from second 0; one with + or -, counted from now; a date
--   jobs   whose calendar it is; nil: there is none
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

return clock
