-- The output of `orrery check`.
local orrery = require "orrery"
local kinds = require("orrery.schema.policy_kinds").by_name
local plural = require("orrery.support.numbers").counted
local trials = require "orrery.command.check.trials"

local report = {}

-- --- text ---------------------------------------------------------------------------------------

-- Text in lines of at most 96 characters, each behind the indent.
local function wrapped(text, indent)
  local lines, line = {}, indent
  for word in text:gmatch "%S+" do
    if #line + #word > 96 and line ~= indent then
      lines[#lines + 1], line = line, indent
    end
    line = line .. (line == indent and "" or " ") .. word
  end
  lines[#lines + 1] = line
  return table.concat(lines, "\n")
end

-- A message, or a whole traceback as it stands.
local function indented(text, indent)
  if not text:find("\n", 1, true) then return wrapped(text, indent) end
  return indent .. text:gsub("\n", "\n" .. indent)
end

local function microseconds(seconds) return ("%.1f"):format(1e6 * seconds) end

-- --- the head -----------------------------------------------------------------------------------

function report.head(subject, given, count)
  local said, kind = subject.description, kinds[subject.kind]
  local under = kind.under and ", under " .. kind.under or ""
  local title = said.title and (", \"%s\""):format(said.title) or ""
  print(("%s: %s%s%s"):format(subject.given, kind.tried or kind.what, under, title))
  print(given.only and ("workload %d of seed %d"):format(given.only, given.seed)
    or ("%s of %d kinds, seed %d"):format(plural(given.runs, "random workload"), count, given.seed))
  print()
end

-- --- properties ---------------------------------------------------------------------------------

-- Problems that differ only in numbers count as one.
local function gist(problem)
  return (problem:gsub("%-?%d[%d.e+-]*", "#"):gsub("%b()", "()"))
end

-- The possible cause of these problems: a text, or nil.
local function hint_of(subject, property, found)
  for _, one in ipairs(found) do
    if one.code == "limit" and property.of_limits then return property.of_limits end
    if one.code and subject.description.groups and property.of_groups then
      return property.of_groups
    end
  end
  return property.hint
end

local function print_details(subject, given, property, title, found)
  print(wrapped(("FAILS: %s, in %s"):format(title, plural(found.count, "workload")), ""))
  local seen, shown, hint = {}, 0, hint_of(subject, property, found)
  for _, one in ipairs(found) do
    local key = gist(one.problem)
    if not seen[key] and shown < 3 then
      seen[key], shown = true, shown + 1
      local number = one.workload.number
      local which = number and "workload " .. number or "a workload of its own"
      print(wrapped(("%s (%s)"):format(which, one.workload.title), "  "))
      print(indented(one.problem, "    "))
      print(("    again: orrery check %s --seed %d%s"):format(subject.command, given.seed,
        number and not one.together and (" --only %d"):format(number)
          or (" --runs %d"):format(given.runs)))
    end
  end
  if hint then print(wrapped(hint, "  ")) end
  print()
end

-- The properties that are tried, each with its title.
local function titles_of(subject)
  local titles = {}
  for _, property in ipairs(trials.properties) do
    local title = subject.of ~= "jobs" and property.of_tasks or property.title
    if trials.has(property, subject.of) then titles[#titles + 1] = { property, title } end
  end
  return titles
end

-- found: property -> { count = workloads, { workload =, problem =, together = }, ... }
function report.properties(subject, given, found, tried)
  local titles = titles_of(subject)
  for _, one in ipairs(titles) do
    local list, title = found[one[1].name], one[2]
    local count = tried[one[1].name] or 0
    print(("  %-60s %s"):format(title, list and ("FAILS  %d of %d"):format(list.count, count)
      or count == 0 and "not tried" or ("ok     %d"):format(count)))
  end
  print()
  for _, one in ipairs(titles) do
    local list = found[one[1].name]
    local follows = found.repeated and list ~= found.repeated and one[1].follows
    if list and not follows then print_details(subject, given, one[1], one[2], list) end
  end
end

-- The whole result for --json.
function report.plain(check)
  local subject, properties = check.subject, {}
  for i, one in ipairs(titles_of(subject)) do
    local found, problems = check.found[one[1].name] or { count = 0 }, orrery.tools.list {}
    for p, each in ipairs(found) do
      problems[p] = { workload = each.workload.number, title = each.workload.title,
        problem = each.problem }
    end
    properties[i] = { name = one[1].name, title = one[2], tried = check.tried[one[1].name] or 0,
      failed = found.count, problems = problems }
  end
  return { policy = subject.given, kind = subject.kind, title = subject.description.title,
    runs = check.given.runs, seed = check.given.seed, properties = properties,
    calls = orrery.tools.list(check.calls or {}), remarks = orrery.tools.list(check.remarks) }
end

-- --- costs --------------------------------------------------------------------------------------

function report.costs(list, speed)
  if #list == 0 then
    print "No call into Lua while simulations run."
  else
    local rows = { { "calls of", "calls", "mean, us", "longest, us", "instructions", "most" } }
    for _, one in ipairs(list) do
      rows[#rows + 1] = { one.hook, tostring(one.calls), microseconds(one.seconds / one.calls),
        microseconds(one.longest), ("%.0f"):format(one.instructions / one.calls),
        tostring(one.most) }
    end
    for _, line in ipairs(orrery.tools.columns(rows)) do print(line) end
  end
  if speed then
    print(("%d jobs as they come: %.2g s, %.0f jobs/s; %.1f times what dispatch/easy takes")
      :format(speed.jobs, speed.seconds, speed.jobs / speed.seconds, speed.ratio))
  end
  print()
end

-- The distance from the limits of a call.
function report.limits(list, limits)
  local longest, memory, most, whose = -1, 0, 0, nil
  for _, one in ipairs(list) do
    if one.longest > longest then longest, whose = one.longest, one.hook end
    memory, most = math.max(memory, one.memory), math.max(most, one.most)
  end
  if not whose then return end
  print(("The longest call, of %s, took %.2g ms of the %g s that one may take."):format(whose,
    1e3 * longest, limits.seconds))
  print(("Memory: %.1f of %d MB. Instructions of a call: at most %d%s."):format(memory / 2 ^ 20,
    limits.memory // 2 ^ 20, most,
    limits.instructions and (" of %d"):format(limits.instructions) or ", no limit"))
  print()
end

-- --- remarks ------------------------------------------------------------------------------------

function report.remarks(list)
  if #list == 0 then return end
  print "Remarks:"
  for _, text in ipairs(list) do print("  - " .. wrapped(text, "    "):sub(5)) end
  print()
end

return report
