-- numbers: numbers as text, in files and for people, and the comparison of two numbers.
local numbers = {}

-- For files: 17 significant digits, so that the number is read back exactly; empty for nan.
function numbers.full(x)
  if math.type(x) == "integer" then return tostring(x) end
  return x == x and ("%.17g"):format(x) or ""
end

-- "1 job", "2 jobs".
function numbers.counted(n, word) return ("%d %s%s"):format(n, word, n == 1 and "" or "s") end

-- For people: 6 significant digits, but all digits before the point.
function numbers.shown(x)
  if math.type(x) == "integer" then return tostring(x) end
  if x ~= x then return "-" end
  if x == math.huge then return "inf" elseif x == -math.huge then return "-inf" end
  local size = math.abs(x)
  if size >= 1e5 and size < 1e15 then return ("%.0f"):format(x) end
  return ("%.6g"):format(x)
end

-- In a format such as "%.4f"; "-" for nan. Where only zeros remain, there is no minus.
function numbers.formatted(format, x)
  if x ~= x then return "-" end
  local text = format:format(x)
  if text:find "^%-" and not text:find "[1-9n]" then
    return (format:find("+", 1, true) and "+" or "") .. text:sub(2)
  end
  return text
end

-- A difference in percent of what it is from, with its sign; "-" where that is 0.
function numbers.relative(difference, from)
  return numbers.formatted("%+.2f", from == 0 and 0 / 0 or 100 * difference / from)
end

-- Half an interval beside a number in a format, without sign; where the format would show only
-- zeros, with as many digits as it needs.
function numbers.half_width(format, x)
  local text = format:gsub("%+", ""):format(x)
  return (x == 0 or text:find "[1-9]") and text or ("%.1e"):format(x)
end

-- b - a; 0 where only rounding tells them apart. The kernel has the same rule as orr_difference
-- (base/stats.h); a change belongs into both.
function numbers.difference(a, b)
  local difference = b - a
  if difference == 0 then return 0.0 end
  local size = math.max(a, -a, b, -b)
  return size < math.huge and math.abs(difference) <= 1e-12 * size and 0.0 or difference
end

return numbers
