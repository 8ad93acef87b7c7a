-- model: the contents of a Gantt chart, for all kinds of sessions and drawings.
--
--   procs, from, to      the machine and the time that are shown
--   clock                the time of second 0 (axis.lua), or nil
--   now                  of a session that is not over
--   what                 "job" or "task"
--   title, subtitle      texts; nil
--   boxes                list of { who = (position), id =, start =, finish =, ranges = list of
--                        { first, last }, look = (palette.LOOKS, or nil), title = text }; boxes of
--                        one `who` have one colour, `hue` of palette.CLASSES if there are hues
--   hues                 list of { hue, its meaning }; nil: a colour per job
--   over                 of tasks, and of jobs that write checkpoints: list of { who = box,
--                        start =, finish =, ranges =, look =, title = }, marks over the boxes
--   down                 list of { start =, finish =, ranges =, title =, why = "failure", "drained"
--                        or "added" (not there yet) }
--   bands                list of { name =, first =, procs = }: groups, where there are several
--   nodes                of a machine of nodes: the first processor of each, and one behind the
--                        last; nil
--   packs                list of { name =, start =, finish = }
--   marks                list of { time =, title = }: faults
--   steps                list of { time =, busy =, waiting = }, or nil
--
-- A light model has no boxes and steps: session (of the C part) has them, and first and last are
-- the shown processors. A session of 300,000 jobs is drawn from it without a table for each job.

local axis = require "orrery.draw.axis"
local checks = require "orrery.support.checks"
local core = require "orrery.core"
local plural = require("orrery.support.numbers").counted
local palette = require "orrery.draw.palette"
local pools = require "orrery.values.pools"
local sessions = require "orrery.session.session"
local steps = require "orrery.draw.steps"
local lists = require "orrery.support.lists"

local model = {}

local MOST_NODES = 2048 -- of more, none has a row
local MOST_TEXT = 72 -- bytes of processors in a tooltip
model.MOST_SPANS = 20000 -- of attempts; of more, none are shown

local function ranges_of(text)
  local list = {}
  for first, last in text:gmatch "(%d+)%-?(%d*)" do
    first = math.tointeger(tonumber(first))
    list[#list + 1] = { first, last == "" and first or math.tointeger(tonumber(last)) }
  end
  return list
end

local function count_of(ranges)
  local count = 0
  for _, range in ipairs(ranges) do count = count + range[2] - range[1] + 1 end
  return count
end
model.count = count_of

-- "1024 processors: 0-511 1024-1535"
local function held(ranges, text)
  local count = count_of(ranges)
  if #text > MOST_TEXT then text = text:sub(1, MOST_TEXT):match "^(.*) " .. " …" end
  return ("%s: %s"):format(plural(count, "processor"), text)
end

-- "2019-06-14 10:00:00 to 12:30:00 (2.5 h)"
local function when(start, finish, clock)
  local first, last = axis.instant(start, clock), axis.instant(finish, clock)
  if clock and first:sub(1, 10) == last:sub(1, 10) then last = last:sub(12) end
  return ("%s to %s (%s)"):format(first, last, axis.span(finish - start))
end

-- --- jobs ---------------------------------------------------------------------------------------

-- A preempted attempt whose job goes on in another group was redirected.
local function look_of(attempt, following)
  if attempt.outcome == "completed" then return nil end
  if attempt.outcome == "preempted" and following and following.group ~= attempt.group then
    return "redirected"
  end
  return attempt.outcome
end

local SAID = { failed = "failed", killed = "killed at its walltime", preempted = "preempted",
  redirected = "redirected", cancelled = "cancelled", node_failure = "lost to a node's failure",
  running = "running, planned until then" }
local SPAN_SAID = { checkpoint = "writes a checkpoint", recovery = "recovers" }

-- The data of a job besides its attempts, made once.
local function about_jobs(session, clock)
  local known = {}
  return function(position)
    if not known[position] then
      local job = session:job(position)
      local words = {}
      for _, kind in ipairs { "user", "queue", "partition" } do
        if job[kind] then words[#words + 1] = kind .. " " .. job[kind] end
      end
      words[#words + 1] = "submitted " .. axis.instant(job.submit, clock)
      known[position] = table.concat(words, ", ")
    end
    return known[position]
  end
end

-- A field that only one kind of session has.
local function field(session, name)
  local found, value = pcall(function() return session[name] end)
  return found and value or nil
end

-- The time of second 0, where the session is on the clock of its log.
local function clock_of(session, jobs)
  if not jobs or #jobs == 0 or not jobs.origin then return nil end
  -- in a batch all jobs are at 0, except jobs submitted by a change
  for _, position in ipairs { 1, (#jobs + 1) // 2, #jobs } do
    if session:job(position).submit ~= jobs[position].submit then return nil end
  end
  return core.clock(jobs, session.now)
end

local function attempt_title(a, look, number, m, ranges, about, several)
  local what = number and ("%s, attempt %d%s"):format(a.id, a.attempt,
    look and ": " .. SAID[look] or "") or a.id
  return table.concat({ "job " .. what, when(a.start, a.finish, m.clock),
    held(ranges, a.processors), about(a.position) .. (several and ", group " .. a.group or "") },
    "\n")
end

-- Marks over attempts of jobs that write checkpoints. An attempt that lost only a part of its work
-- is marked where the work was lost, not as a whole.
local PARTLY = { node_failure = true, preempted = true, redirected = true }

local function add_spans(session, m)
  local spans = core.attempt_spans(sessions.core_of(session), -math.huge, math.huge, 0, nil,
    model.MOST_SPANS)
  for _, box in ipairs(m.boxes) do
    if PARTLY[box.look] then box.look = nil end
  end
  m.over = spans
  for _, span in ipairs(spans) do
    local box = m.boxes[span.number]
    span.who, span.ranges = box, box.ranges
    span.title = ("job %s: %s\n%s"):format(box.id, SPAN_SAID[span.look] or SAID[span.look],
      when(span.start, span.finish, m.clock))
  end
end

-- --- colours ------------------------------------------------------------------------------------

local LABELS = { "user", "queue", "partition", "account", "qos", "array" }

-- Hues of texts by position, in the order in which the last of their attempts start, and what they
-- mean; of many texts those have their own that have more attempts. Without a text: the last hue.
local function by_label(session, label, schedule)
  local list, counts, hues, texts, last = {}, {}, {}, {}, #palette.JOBS
  for i = #schedule, 1, -1 do
    local position = schedule[i].position
    local text = session:job(position)[label]
    hues[position] = text or false
    if text and not counts[text] then list[#list + 1] = text end
    if text then counts[text] = (counts[text] or 0) + 1 end
  end
  if #list >= last then
    table.sort(list, function(a, b)
      if counts[a] ~= counts[b] then return counts[a] > counts[b] end
      return a < b
    end)
  end
  local said, rest = {}, false
  for i, text in ipairs(list) do
    texts[text] = math.min(i, last)
    if i < last then said[i] = { i, text } end
  end
  for position, text in pairs(hues) do
    hues[position] = texts[text] or last
    rest = rest or hues[position] == last
  end
  if rest then said[#said + 1] = { last, #list < last and "no " .. label or "others" } end
  return hues, said, #list
end

-- Hues of amounts by position: one of each, or where there are many of those up to the half, a
-- quarter and so on of the most; and what they mean.
local function by_amount(session, name, schedule)
  local hues, seen, list, most = {}, {}, {}, #palette.AMOUNTS - 1
  for _, a in ipairs(schedule) do
    local needs = session.jobs[a.position].needs
    local amount = needs and needs[name] or 0
    if not seen[amount] and amount > 0 then list[#list + 1] = amount end
    seen[amount], hues[a.position] = true, amount
  end
  table.sort(list)
  local top, said = list[#list], {}
  local many = #list > most
  for i = 1, many and most or 0 do list[i] = math.ceil(top / 2 ^ (most - i)) end
  if seen[0] then said[1] = { #palette.JOBS + 1, pools.said(0, name) } end
  for i = 1, math.min(#list, most) do
    -- few amounts are spread over the scale
    local at = #list == 1 and most or 1 + (i - 1) * (most - 1) // (math.min(#list, most) - 1)
    said[#said + 1] = { #palette.JOBS + 1 + at, (many and "up to " or "")
      .. pools.said(list[i], name) }
  end
  local first = seen[0] and 1 or 0
  for position, amount in pairs(hues) do
    local i = 1
    while amount > (list[i] or amount) do i = i + 1 end
    hues[position] = amount == 0 and said[1][1] or said[first + i][1]
  end
  return hues, said
end

local function is_label(by) return lists.find(LABELS, function(label) return label == by end) end

-- Refuses a colour that is neither "job" nor a label nor something that these jobs may need.
function model.check_colour(jobs, by)
  if by == nil or by == "job" or is_label(by) then return end
  local needs = #jobs > 0 and jobs[1].needs
  checks.expect(type(by) == "string" and needs and needs[by], "colour", "job, " ..
    table.concat(LABELS, ", ") .. ", or what jobs need of nodes or pools", checks.quoted(by))
end

-- What a page colours jobs by at first, by its name there; nil: as it is used to.
local function page_mode(jobs, by)
  model.check_colour(jobs, by)
  return by and by ~= "job" and not is_label(by) and "needs." .. by or by
end

-- What attempts are coloured by: hues by position and what they mean; nil: a colour per job.
local function hues_of(session, by, schedule)
  if by == "job" then return nil end
  if by == nil then -- few partitions are what people look for
    local hues, said, count = by_label(session, "partition", schedule)
    if count < 2 or count > 8 then return nil end
    return hues, said
  end
  if is_label(by) then return by_label(session, by, schedule) end
  model.check_colour(session.jobs, by)
  return by_amount(session, by, schedule)
end

local function attempt_boxes(session, m, how, by)
  local about, later, schedule = about_jobs(session, m.clock), {}, session:schedule()
  local several, hues = #session.groups > 1, {}
  if not how then
    hues, m.hues = hues_of(session, by, schedule)
    hues = hues or {}
  end
  for i = #schedule, 1, -1 do
    local a = schedule[i]
    local look, ranges = look_of(a, later[a.position]), ranges_of(a.processors)
    m.boxes[i] = { hue = hues[a.position],
      who = a.position, id = a.id, start = a.start, finish = a.finish, ranges = ranges,
      look = look, group = a.group,
      title = not how and attempt_title(a, look, a.attempt > 1 or later[a.position] or look, m,
        ranges, about, several) or nil,
    }
    later[a.position] = a
  end
  if schedule[1] and schedule[1].saved then add_spans(session, m) end
end

-- The reasons why processors are out, and their names.
local OUT = { failure = "out", drained = "drained", added = "not there yet",
  window = "closed, as was known", reserved = "reserved" }
local CHANGES = { drained = true, added = true } -- the reasons that change the size of the machine

-- Where processors come back early, their outage ends there.
local function come_back(down, time, first, last)
  for i = #down, 1, -1 do
    local box = down[i]
    local low, high = box.ranges[1][1], box.ranges[1][2]
    if box.why == "drained" and box.finish > time and low <= last and high >= first then
      table.remove(down, i)
      for _, piece in ipairs { { low, math.min(high, first - 1), box.finish },
        { math.max(low, first), math.min(high, last), time },
        { math.max(low, last + 1), high, box.finish } } do
        if piece[1] <= piece[2] then
          down[#down + 1] = { why = box.why, start = box.start, finish = piece[3],
            ranges = { { piece[1], piece[2] } } }
        end
      end
    end
  end
end

-- Neighbours that are out together become one.
local function merge(down)
  table.sort(down, function(a, b)
    if a.start ~= b.start then return a.start < b.start end
    if a.finish ~= b.finish then return a.finish < b.finish end
    if a.why ~= b.why then return tostring(a.why) < tostring(b.why) end
    return a.ranges[1][1] < b.ranges[1][1]
  end)
  local kept = {}
  for _, box in ipairs(down) do
    local last = kept[#kept]
    if last and last.start == box.start and last.finish == box.finish and last.why == box.why
      and last.ranges[1][2] + 1 == box.ranges[1][1] then
      last.ranges[1][2] = box.ranges[1][2]
    else
      kept[#kept + 1] = box
    end
  end
  return kept
end

local function outages_of(session, m)
  for _, one in ipairs(session:outages()) do
    local last = one.first + one.procs - 1
    if one.what == "back" then
      come_back(m.down, one.start, one.first, last)
    else
      local added = one.what == "added"
      m.down[#m.down + 1] = { why = one.what, start = added and -math.huge or one.start,
        finish = added and one.start or one.finish, ranges = { { one.first, last } } }
    end
  end
  m.down = merge(m.down)
  for _, box in ipairs(m.down) do
    local first, last = table.unpack(box.ranges[1])
    box.title = ("%s %s\n%s"):format(first == last and ("processor %d is"):format(first)
      or ("processors %d-%d are"):format(first, last), OUT[box.why] or OUT.failure,
      box.finish == math.huge and "from " .. axis.instant(box.start, m.clock) .. " on"
      or box.start == -math.huge and "until " .. axis.instant(box.finish, m.clock)
      or when(box.start, box.finish, m.clock))
  end
end

-- Whether processors have come or left.
local function has_changed(m)
  for _, box in ipairs(m.down) do
    if CHANGES[box.why] then return true end
  end
  return false
end

-- Groups in order of their processors. Where processors came or left the groups follow from the
-- attempts; nil if a group is then not one run of processors.
local function bands_of(session, m)
  local bands, first, by_name = {}, 0, {}
  for i, group in ipairs(session.groups) do
    bands[i] = { name = group.name, first = first, procs = group.procs }
    by_name[group.name], first = bands[i], first + group.procs
  end
  if #bands < 2 or not has_changed(m) then return #bands > 1 and bands or nil end
  local found, last_of = {}, {}
  for _, box in ipairs(m.boxes) do
    local band = by_name[box.group]
    local low, high = box.ranges[1][1], box.ranges[#box.ranges][2]
    if not last_of[band] then
      found[#found + 1], band.first, last_of[band] = band, low, high
    end
    band.first, last_of[band] = math.min(band.first, low), math.max(last_of[band], high)
  end
  table.sort(found, function(a, b) return a.first < b.first end)
  for i, band in ipairs(found) do
    if found[i + 1] and found[i + 1].first <= last_of[band] then return nil end
    band.procs = last_of[band] - band.first + 1
  end
  return found
end

-- The common part of all models, still without contents.
local function empty(what, session)
  return { what = what, procs = session.procs, boxes = {}, down = {}, marks = {},
    now = not session.over and session.now or nil }
end

local function of_jobs(session, how, by)
  local m = empty("job", session)
  m.clock = clock_of(session, session.jobs)
  m.zone = m.clock and session.jobs.zone
  outages_of(session, m)
  local is_light = how == "light"
  if not is_light or #session.groups > 1 and has_changed(m) then
    attempt_boxes(session, m, how, by)
  end
  m.bands = bands_of(session, m)
  m.nodes = sessions.kind_of(session) and sessions.core_of(session):node_rows(MOST_NODES) or nil
  if is_light then
    m.session, m.boxes, m.first = sessions.core_of(session), {}, 0
  else
    m.steps = session:timeline()
  end
  return m
end

-- --- tasks --------------------------------------------------------------------------------------

local KINDS = { work = "works", checkpoint = "takes a checkpoint",
  lost = "works, and a fault undoes it", downtime = "is down", recovery = "recovers",
  redistribution = "moves" }

-- Consecutive spans of a task on the same processors are one box, with marks over it.
local function stint_boxes(session, m)
  local current = {}
  for _, span in ipairs(session:schedule()) do
    local box = current[span.position]
    if not box or box.processors ~= span.processors or box.finish ~= span.start then
      box = { who = span.position, id = span.id, start = span.start, processors = span.processors,
        ranges = ranges_of(span.processors) }
      current[span.position] = box
      m.boxes[#m.boxes + 1] = box
    end
    box.finish = span.finish
    if span.kind ~= "work" then
      m.over[#m.over + 1] = { who = box, start = span.start, finish = span.finish,
        ranges = box.ranges, look = span.kind,
        title = ("task %s %s\n%s"):format(span.id, KINDS[span.kind],
          when(span.start, span.finish)) }
    end
  end
  for _, box in ipairs(m.boxes) do
    box.title = table.concat({ "task " .. box.id, when(box.start, box.finish),
      held(box.ranges, box.processors) }, "\n")
  end
end

-- Busy processors over time, from the boxes.
local function steps_of(boxes)
  local changes = {}
  for _, box in ipairs(boxes) do
    local count = count_of(box.ranges)
    changes[#changes + 1] = { box.start, count }
    changes[#changes + 1] = { box.finish, -count }
  end
  return steps.of(changes, "busy")
end

local function of_tasks(session)
  local m = empty("task", session)
  m.over = {}
  stint_boxes(session, m)
  outages_of(session, m)
  for _, fault in ipairs(session:faults()) do
    m.marks[#m.marks + 1] = { time = fault.time, title = ("fault at %s, %s %s"):format(
      axis.instant(fault.time), fault.task and "task" or "processor",
      tostring(fault.task or fault.processor)) }
  end
  m.steps = steps_of(m.boxes)
  return m
end

-- --- packs --------------------------------------------------------------------------------------

local function of_packs(c)
  local problem = c.problem
  local m = { what = "task", procs = problem.procs, boxes = {}, down = {}, marks = {}, packs = {} }
  local clock, tasks = 0, problem.tasks
  for at, b in ipairs(c:order()) do
    local pack, first = c[b], 0
    m.packs[at] = { name = "P" .. at, start = clock, finish = clock + pack.cost }
    for x, position in ipairs(pack.tasks) do
      local procs, id = pack.procs[x], tasks[position].id
      local finish = clock + problem:time(position, procs)
      m.boxes[#m.boxes + 1] = {
        who = position, id = id, start = clock, finish = finish,
        ranges = { { first, first + procs - 1 } },
        title = ("task %s, pack %d of %d\n%s\n%s"):format(id, at, #c, when(clock, finish),
          plural(procs, "processor")),
      }
      first = first + procs
    end
    clock = clock + pack.cost
  end
  m.to = clock
  m.steps = steps_of(m.boxes)
  return m
end

-- The jobs or tasks in the picture in order, of each its first box; without those in a set.
function model.jobs(m, without)
  local seen, list = {}, {}
  for _, box in ipairs(m.boxes) do
    if not seen[box.who] and not (without and without[box.who]) then list[#list + 1] = box end
    seen[box.who] = true
  end
  table.sort(list, function(a, b) return a.who < b.who end)
  return list
end

-- --- options -------------------------------------------------------------------------------------

-- A time of the options: seconds, or a text as for sessions.
local function instant(given, name, value)
  if type(value) == "number" and value == value then return value end
  local seconds = type(value) == "string" and field(given, "seconds")
  local ok, time = pcall(seconds or error, given, value)
  if ok then return time end
  if seconds then error(name .. ": " .. time:gsub("^.-seconds: ", ""), 0) end
  error(("%s: expected seconds, found '%s'"):format(name, tostring(value)), 0)
end

-- Sums of the C part over the contents of a light model.
local function sums_of(m)
  return core.schedule_sums(m.session, m.from, m.to, m.first, m.last, m.now)
end

-- The first and the last instant of the model.
local function span(m)
  local from, to = math.huge, -math.huge
  if m.session then
    local sums = sums_of(m)
    from, to = sums.from, sums.to
  end
  for _, box in ipairs(m.boxes) do
    from, to = math.min(from, box.start), math.max(to, box.finish)
  end
  if m.now then to = math.max(to, m.now) end
  if from == math.huge then from = math.min(m.now or 0, to == -math.huge and 0 or to) end
  return from, math.max(to, from)
end

local function only(list, keep)
  return lists.those(list or {}, keep)
end

-- The part of the ranges inside of [first, last], moved so that first becomes 0; nil: none.
local function inside(ranges, first, last)
  local kept = {}
  for _, range in ipairs(ranges) do
    local low, high = math.max(range[1], first), math.min(range[2], last)
    if low <= high then kept[#kept + 1] = { low - first, high - first } end
  end
  return #kept > 0 and kept or nil
end

-- Keeps only the processors of one group.
local function only_group(m, name)
  local band
  for _, one in ipairs(m.bands or {}) do
    if one.name == name then band = one end
  end
  if not band then
    local names = lists.fields(m.bands or { { name = "main" } }, "name")
    error(("group: there is no group '%s' (known: %s)"):format(tostring(name),
      table.concat(names, ", ")), 0)
  end
  for _, list in ipairs { m.boxes, m.down } do
    for i = #list, 1, -1 do
      list[i].ranges = inside(list[i].ranges, band.first, band.first + band.procs - 1)
      if not list[i].ranges then table.remove(list, i) end
    end
  end
  m.procs, m.bands, m.nodes, m.steps = band.procs, nil, nil, m.steps and steps_of(m.boxes)
  m.first, m.last = band.first, band.first + band.procs - 1
end

-- Processors that left or joined on the way are shown as well.
local function highest(m)
  if m.session then m.procs = math.max(m.procs, sums_of(m).highest + 1) end
  for _, list in ipairs { m.boxes, m.down } do
    for _, box in ipairs(list) do
      m.procs = math.max(m.procs, box.ranges[#box.ranges][2] + 1)
    end
  end
end

local function clip(given, m, options)
  local from, to = span(m)
  m.from = options.from ~= nil and instant(given, "from", options.from) or m.from or from
  m.to = options.to ~= nil and instant(given, "to", options.to) or m.to or to
  if m.to < m.from then
    error(("to: expected a time after from, %s, found %s"):format(axis.instant(m.from, m.clock),
      axis.instant(m.to, m.clock)), 0)
  end
  if m.to == m.from then m.to = m.from + 1 end
  local function seen(one)
    return one.start <= m.to and one.finish >= m.from
  end
  m.boxes, m.down = only(m.boxes, seen), only(m.down, seen)
  m.over = m.over and only(m.over, seen)
  m.marks = only(m.marks, function(one) return one.time >= m.from and one.time <= m.to end)
end

-- "120 jobs on 49152 processors, 2019-06-14 00:00 to 2019-06-15 07:00, 31 h, 78.2% busy"
local function summary(m)
  local sums = m.session and sums_of(m) or { jobs = #model.jobs(m), busy = 0 }
  local busy, area = sums.busy, (m.to - m.from) * m.procs
  for _, box in ipairs(m.down) do -- absent processors, but not failed or closed ones
    local span_of = math.min(box.finish, m.to) - math.max(box.start, m.from)
    if CHANGES[box.why] then area = area - math.max(span_of, 0) * count_of(box.ranges) end
  end
  for _, box in ipairs(m.boxes) do
    local finish = math.min(box.finish, m.now or m.to, m.to)
    busy = busy + math.max(finish - math.max(box.start, m.from), 0) * count_of(box.ranges)
  end
  local dates = m.clock and ("%s to %s, "):format(axis.instant(m.from, m.clock):sub(1, 16),
    axis.instant(m.to, m.clock):sub(1, 16)) or ""
  return ("%s on %s, %s%s%s"):format(plural(sums.jobs, m.what), plural(m.procs, "processor"),
    dates, axis.span(m.to - m.from),
    m.now and "" or (", %.1f%% busy"):format(100 * busy / area))
end

-- The model of a session of jobs or tasks, or of a co-schedule. options: from, to, group, title.
-- how: "bare": jobs have no titles; "light": see above.
function model.of(given, options, how)
  local m = field(given, "problem") and of_packs(given)
    or field(given, "tasks") and of_tasks(given) or of_jobs(given, how, options.colour)
  highest(m)
  if options.group ~= nil then only_group(m, options.group) end
  clip(given, m, options)
  m.title, m.said = options.title, summary(m)
  m.colour = how == "light" and m.session and page_mode(given.jobs, options.colour) or nil
  m.policy = field(given, "policy")
  return m
end

return model
