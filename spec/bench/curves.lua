-- make bench: how cost grows. Measures each family of families.lua over its sizes, each size in a
-- process of its own (point.lua), in turns with the program that it is compared to; writes a page
-- with curves, exponents and memory, and the numbers as JSON beside it.
--
--   [ORRERY_BENCH_BESIDE=COMMIT] orrery spec/bench/curves.lua FOLDER [quick] [FAMILY ...]
--
-- Beside it, Orrery of that commit is measured, or of the last release if there is one.
--
-- Sizes at which a work would take longer than LONGEST are left out, and those behind one that
-- takes ten times as long, and is ended.
local core = require "orrery.core"
local figure = require "orrery.draw.figure"
local gnuplot = require "orrery.draw.gnuplot"
local html = require "orrery.draw.html"
local json = require "orrery.support.json"
local orrery = require "orrery"

local families = dofile "spec/bench/families.lua"
local worktree = dofile "spec/bench/worktree.lua"
local program = os.getenv "ORRERY_PROGRAM" or "./orrery"

-- The commit that is measured, too, and its program.
local function find_release()
  local tag, good = worktree.capture "git describe --tags --abbrev=0"
  return good and tag:match "%S+" or nil
end
local beside = os.getenv "ORRERY_BENCH_BESIDE" or ""
beside = beside ~= "" and beside or find_release()
local other_program = beside and worktree.of(beside, "orrery") .. "/orrery"

local out, quick, chosen = arg[1] or "results/bench", false, {}
for i = 2, #arg do
  if arg[i] == "quick" then quick = true else chosen[#chosen + 1] = arg[i] end
end

local ROUNDS = quick and 1 or 3
local LONGEST = quick and 4 or 40 -- s
local SHORT = 2 -- s: works that are repeated
local GROWN = 3 -- times the cost of the smallest size
local WORSE = 0.15 -- above the exponent of an algorithm: more than logarithms explain

local function capture(command)
  local pipe = assert(io.popen(("timeout %d %s 2>&1"):format(10 * LONGEST, command), "r"))
  local text = pipe:read "a"
  if not pipe:close() then error(("%s: %s"):format(command, text), 0) end
  return text
end

-- --- measuring -----------------------------------------------------------------------------------

-- { seconds =, peak = kB } of a family at a size.
local function ours(family, size, by)
  local text = capture(("%s spec/bench/point.lua %s %d"):format(by or program, family.name, size))
  local seconds, peak = text:match "(%S+) %S+ (%S+)"
  return { seconds = tonumber(seconds), peak = tonumber(peak) }
end

-- Seconds of the other commit; nil: it cannot do that.
local function theirs(family, size)
  local good, one = pcall(ours, family, size, other_program)
  return other_program and good and one.seconds or nil
end

local function reference(family, size)
  local one = family.reference
  if not one or size > one.most then return nil end
  return one.seconds(capture(one.command(size)))
end

local function least(a, b) return a and b and math.min(a, b) or a or b end

-- A size: rounds in turns, of which the least counts: other work on the machine only adds to it.
local function point(family, size)
  local found
  for round = 1, ROUNDS do
    local one, other, old = ours(family, size), reference(family, size), theirs(family, size)
    found = found or { size = size, seconds = one.seconds, peak = one.peak, rounds = {} }
    found.rounds[round] = one.seconds
    found.seconds = math.min(found.seconds, one.seconds)
    found.reference = least(found.reference, other)
    found.beside = least(found.beside, old)
    if round == 1 and one.seconds + (other or 0) + (old or 0) > SHORT then break end
  end
  return found
end

local function points_of(family)
  local list = {}
  for _, size in ipairs(quick and family.quick or family.sizes) do
    local last, before = list[#list], list[#list - 1]
    local next_one = last and last.seconds
    if before and not family.wall then -- as it grew before, or as it should
      local grown = math.log(last.seconds / before.seconds) / math.log(last.size / before.size)
      next_one = last.seconds * (size / last.size) ^ math.max(grown, family.exponent)
    end
    if next_one and next_one > LONGEST then break end
    local good, one = pcall(point, family, size)
    if not good then
      print(("  %s %d: left out: %s"):format(family.name, size, one))
      break
    end
    list[#list + 1] = one
    io.stdout:write(("  %s %d: %.4g s\n"):format(family.name, size, list[#list].seconds))
    io.stdout:flush()
  end
  return list
end

-- --- exponents -----------------------------------------------------------------------------------

-- The variance of the logarithm of a time, by the rounds of all sizes, and its degrees of freedom.
local function scatter(list)
  local squares, free = 0, 0
  for _, one in ipairs(list) do
    local sum = 0
    for _, seconds in ipairs(one.rounds) do sum = sum + math.log(seconds) end
    for _, seconds in ipairs(one.rounds) do
      squares = squares + (math.log(seconds) - sum / #one.rounds) ^ 2
    end
    free = free + #one.rounds - 1
  end
  return free > 0 and squares / free or nil, free
end

-- By least squares, of log seconds over log size, in the upper half of the sizes. Where cost grows,
-- without that of the smallest size, which is mostly the loading of policies. With half the width
-- of the 95% interval that noise leaves: what the rounds of the sizes differ by.
local function exponent(list, key)
  local upper = {}
  for _, one in ipairs(list) do if one[key] and one[key] > 0 then upper[#upper + 1] = one end end
  if #upper < 2 then return nil end
  local once = upper[#upper][key] > GROWN * upper[1][key] and #upper > 2 and upper[1][key] or 0
  local first = math.max(once > 0 and 2 or 1, math.min(#upper - 1, (#upper + 1) // 2))
  local n, x, y, xx, xy = 0, 0, 0, 0, 0
  for i = first, #upper do
    local a, b = math.log(upper[i].size), math.log(math.max(upper[i][key] - once, 1e-9))
    n, x, y, xx, xy = n + 1, x + a, y + b, xx + a * a, xy + a * b
  end
  if n < 2 then return nil end
  local variance, free = scatter(list)
  local half = variance
    and orrery.student_quantile(0.975, free) * math.sqrt(variance / (xx - x * x / n))
  return (n * xy - x * y) / (n * xx - x * x), half
end

-- Bytes for each of the largest sizes, beyond what smaller ones had.
local function bytes_each(list)
  local a, b = list[#list - 1], list[#list]
  if not (a and a.peak) or b.peak - a.peak < 1024 then return nil end
  return (b.peak - a.peak) * 1024 / (b.size - a.size)
end

-- --- the page ------------------------------------------------------------------------------------

local function curve(family, list)
  local names, curves = {}, {}
  local function add(name, key)
    local points = {}
    for _, one in ipairs(list) do
      if one[key] and one[key] > 0 then points[#points + 1] = { one.size, one[key] } end
    end
    if points[1] then
      names[#names + 1] = name
      curves[name] = points
    end
  end
  add("Orrery", "seconds")
  add(family.reference and family.reference.name or "", "reference")
  add(("Orrery %s"):format(beside), "beside")
  return gnuplot.svg(function(path)
    figure.draw(path, { title = "", columns = 1, panel = { 560, 300 }, curves = names,
      legend = names[2] ~= nil, panels = { { title = "", x = family.x, y = "s",
        logx = true, logy = true, curves = curves } } })
  end)
end

local function text_of(value, format) return value and format:format(value) or "" end

local function ratio_of(one)
  return one.reference and one.reference > 0 and one.reference / one.seconds or nil
end

-- 1000000 -> "1,000,000"
local function counted(number)
  local digits = ("%d"):format(number)
  local head = #digits % 3
  local text = digits:sub(head + 1):gsub("%d%d%d", ",%0")
  return head == 0 and text:sub(2) or digits:sub(1, head) .. text
end

-- The columns of a family, of which those without a cell are left out.
local function table_of(family, list)
  local columns = {
    { family.x, function(one) return counted(one.size) end },
    { "s", function(one) return ("%.4g"):format(one.seconds) end },
    { "us each", function(one)
      return family.of and ("%.4g"):format(one.seconds / one.size * 1e6)
    end },
    { "reference, s", function(one) return text_of(one.reference, "%.4g") end },
    { "reference / Orrery", function(one) return text_of(ratio_of(one), "%.2f") end },
    { ("%s, s"):format(beside), function(one) return text_of(one.beside, "%.4g") end },
    { ("%s / Orrery"):format(beside), function(one)
      return text_of(one.beside and one.beside / one.seconds, "%.2f")
    end },
    { "peak, MB", function(one) return text_of(one.peak and one.peak / 1024, "%.1f") end },
  }
  local rows = { {} }
  for _, column in ipairs(columns) do
    local cells, any = {}, false
    for i, one in ipairs(list) do
      cells[i] = column[2](one) or ""
      any = any or cells[i] ~= ""
    end
    if any then table.insert(rows[1], column[1]) end
    for i, cell in ipairs(any and cells or {}) do
      rows[i + 1] = rows[i + 1] or {}
      table.insert(rows[i + 1], cell)
    end
  end
  return rows
end

-- What is to be said of a family: exponents, whether they are the algorithm's, memory.
local function verdict(family, list)
  local found, half = exponent(list, "seconds")
  local worse = found and not family.wall and found > family.exponent + WORSE
  return { exponent = found, half = half, reference = exponent(list, "reference"), worse = worse,
    bytes = bytes_each(list) }
end

-- "1.02 +- 0.01"
local function exponent_text(one)
  return text_of(one.exponent, "%.2f") .. text_of(one.half, " +- %.2f")
end

local function sentence(family, one)
  local list = { one.exponent and ("Cost grows with exponent %s; the algorithm's is %g (%s)")
    :format(exponent_text(one), family.exponent, family.why) or "Too few sizes for an exponent" }
  if one.reference then
    list[#list + 1] = ("that of the reference is %.2f"):format(one.reference)
  end
  if one.bytes then
    list[#list + 1] = ("%.0f bytes for each %s more, at the peak"):format(one.bytes,
      family.of or family.x)
  end
  return table.concat(list, "; ") .. "." .. (one.worse and family.worse and " " .. family.worse
    or "")
end

local function machine()
  local file = io.open "/proc/cpuinfo"
  local text = file and file:read "a" or ""
  if file then file:close() end
  local _, cores = text:gsub("processor%s*:", "")
  local load = io.open "/proc/loadavg"
  local loaded = load and load:read "l" or "unknown"
  if load then load:close() end
  return ("%s, %d cores; load when it began: %s"):format(text:match "model name%s*:%s*([^\n]+)"
    or "a processor of unknown make", cores, loaded:match "%S+ %S+ %S+" or loaded)
end

local function commit()
  local found, text = pcall(capture, "git describe --always --dirty")
  return found and text:match "%S+" or "unknown commit"
end

local function page_of(results, where)
  local page = html.new "Orrery: how cost grows"
  page:element("h1", page.title)
  page:text(where, "soft")
  page:text("Times are the least of some rounds, in turns with the reference: processor time of "
    .. "one thread, unless it says otherwise. Exponents are found by least squares over the upper "
    .. "half of the sizes, without the cost of the smallest one where cost grows; their 95% "
    .. "intervals are of the noise of the rounds. Memory includes the program, its policies and "
    .. "the log.", "soft")
  local rows = { { "family", "exponent", "algorithm's", "s (size)", "ref. / Orrery",
    "bytes each" } }
  for _, r in ipairs(results) do
    local last, ratio = r.list[#r.list], nil
    for _, one in ipairs(r.list) do
      ratio = ratio_of(one) or ratio
    end
    rows[#rows + 1] = { { r.family.title, "text" }, { exponent_text(r.verdict),
      r.verdict.worse and "worse" or nil }, ("%g"):format(r.family.exponent),
      ("%.4g (%s)"):format(last.seconds, counted(last.size)), text_of(ratio, "%.2f"),
      text_of(r.verdict.bytes, "%.0f") }
  end
  page:rows(rows)
  for _, r in ipairs(results) do
    page:heading(r.family.title)
    page:text(sentence(r.family, r.verdict))
    page:figure(curve(r.family, r.list))
    page:rows(table_of(r.family, r.list))
  end
  return page:html(".worse { color: #b00; font-weight: bold }")
end

-- --- the whole -----------------------------------------------------------------------------------

local function is_chosen(family)
  for _, name in ipairs(chosen) do if name == family.name then return true end end
  return #chosen == 0
end

local where = ("%s; commit %s; %s; orrery %s"):format(os.date "%Y-%m-%d %H:%M", commit(), machine(),
  orrery.version)
local results, kept = {}, {}
print(where)
for _, family in ipairs(families) do
  local list = is_chosen(family) and (print(family.title) or points_of(family)) or {}
  if list[1] then
    local one = { family = family, list = list, verdict = verdict(family, list) }
    results[#results + 1] = one
    for _, size in ipairs(list) do size.rounds = json.list(size.rounds) end
    kept[#kept + 1] = { name = family.name, title = family.title, points = json.list(list),
      exponent = one.verdict.exponent, half = one.verdict.half, algorithm = family.exponent,
      bytes = one.verdict.bytes }
    print("  " .. sentence(family, one.verdict))
  end
end
capture(("mkdir -p '%s'"):format(out))
core.write_file(out .. "/index.html", page_of(results, where))
core.write_file(out .. "/curves.json", json.text { where = where, families = json.list(kept) }
  .. "\n")
print(("written: %s/index.html and curves.json"):format(out))
