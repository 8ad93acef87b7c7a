-- diff: what differs between two sessions: orrery.diff(a, b, options).
--
-- Jobs are the same in both where id and position are, else where the id is. What is compared is
-- what is known so far: metrics of jobs that are all over, else counts and waits.

local caller_error = require "orrery.support.caller_error"
local checks = require "orrery.support.checks"
local clock = require "orrery.support.clock"
local columns = require "orrery.support.columns"
local metrics = require "orrery.values.metrics"
local results = require "orrery.run.results"
local sessions = require "orrery.session.session"

local span = clock.span_text

local Diff = {}
Diff.__index = Diff
Diff.__name = "orrery.diff"

-- --- formats ------------------------------------------------------------------------------------

-- What is too small to show is nothing.
local function signed(format)
  return function(value)
    local text = format(value)
    if not text:find "[1-9]" then return "0" end
    return (value > 0 and "+" or "") .. text
  end
end

-- Of a list of metrics: name, label, format, whether it is left out where both have 0.
local function lines_of(kind)
  local list = {}
  for i, name in ipairs(kind.difference) do
    local one = kind.by_name[name]
    list[i] = { name, one.label, metrics.shown(one), one.rare }
  end
  return list
end

local OF_JOBS, OF_TASKS = lines_of(metrics.jobs), lines_of(metrics.tasks)
table.insert(OF_TASKS, 2, { "now", "clock", span, true })

local function count(value) return ("%d"):format(value) end

local SO_FAR = {
  { "now", "clock", span }, { "over", "jobs over", count }, { "running", "running", count },
  { "waiting", "waiting", count }, { "started", "started", count },
  { "wait_mean", "wait of these, mean", span }, { "wait_max", "wait of these, longest", span },
  { "busy", "processors busy", count },
}

-- --- what is compared ---------------------------------------------------------------------------

-- A list of { name =, a =, b =, difference = } and how they are shown.
local function metrics_of(list, a, b)
  local found = {}
  for _, one in ipairs(list) do
    local name, label, format, optional = table.unpack(one)
    if not (optional and a[name] == 0 and b[name] == 0) then
      found[#found + 1] = { name = name, label = label, format = format, a = a[name],
        b = b[name], difference = b[name] - a[name] }
    end
  end
  return found
end

-- What is known of jobs that are not all over.
local function so_far(s, times)
  local counts = s.counts
  local sum, most, started = 0, 0, 0
  for i, start in ipairs(times.start) do
    if start == start then
      local wait = start - times.submit[i]
      sum, most, started = sum + wait, math.max(most, wait), started + 1
    end
  end
  return { now = s.now, over = counts.over, running = counts.running, waiting = counts.waiting,
    started = started, wait_mean = started > 0 and sum / started or 0, wait_max = most,
    busy = s.procs + s.draining - s.free - s.down }
end

local function ids_of(all)
  local ids = {}
  for i, one in ipairs(all) do ids[i] = one.id end
  return ids
end

-- How many jobs or tasks there are in either, and a function from their number to the position in
-- a and in b, nil where it has none.
local function matched(a, b)
  if rawequal(a, b) then return #a, function(i) return i, i end end
  local ids, others, left = ids_of(a), ids_of(b), {}
  for i = #others, 1, -1 do
    if others[i] ~= ids[i] then left[others[i]] = i end
  end
  local at, taken, only_b = {}, {}, {}
  for i, id in ipairs(ids) do
    local there = id == others[i] and i or left[id]
    at[i] = there ~= nil and not taken[there] and there
    if at[i] then taken[there] = true end
  end
  for i in ipairs(others) do
    if not taken[i] then only_b[#only_b + 1] = i end
  end
  return #ids + #only_b, function(i)
    if i > #ids then return nil, only_b[i - #ids] end
    return i, at[i] or nil -- false: none
  end
end

local function known(value) return value == value and value or nil end

local function job_at(times, position)
  if not position then return nil end
  return { start = known(times.start[position]), finish = known(times.finish[position]),
    state = times.state[position], position = position }
end

-- How b differs from a, in one word.
local function compare_jobs(a, b)
  if not b then return "only in a" end
  if not a then return "only in b" end
  if a.start and b.start then
    if b.start ~= a.start then return b.start < a.start and "earlier" or "later" end
    return "other end"
  end
  if a.start then return "started in a" end
  return b.start and "started in b" or "other state"
end

-- Most jobs are the same in both.
local function same_job(of_a, i, of_b, j)
  local function same(x, y) return x == y or x ~= x and y ~= y end
  return i and j and of_a.state[i] == of_b.state[j] and same(of_a.start[i], of_b.start[j])
    and same(of_a.finish[i], of_b.finish[j])
end

local function less(b, a) return a and b and b - a or nil end

local function jobs_of(diff, a, b)
  local of_a, of_b = a:times(), b:times()
  local list = {}
  diff.same = 0
  local all, at = matched(a.jobs, b.jobs)
  for n = 1, all do
    local i, j = at(n)
    if same_job(of_a, i, of_b, j) then
      diff.same = diff.same + 1
    else
      local x, y = job_at(of_a, i), job_at(of_b, j)
      local job = x and a.jobs[i] or b.jobs[j]
      list[#list + 1] = { id = job.id, position = i or j, procs = job.procs,
        what = compare_jobs(x, y), a = x, b = y, start = x and y and less(y.start, x.start),
        finish = x and y and less(y.finish, x.finish) }
    end
  end
  diff.jobs = list
  if a.over and b.over then
    diff.metrics = metrics_of(OF_JOBS, a:finish(), b:finish())
  else
    diff.metrics = metrics_of(SO_FAR, so_far(a, of_a), so_far(b, of_b))
  end
  return list
end

local function task_at(s, position)
  if not position then return nil end
  local task = s:task(position)
  return { finish = task["end"], procs = task.procs, state = task.state, position = position }
end

local function compare_tasks(a, b)
  if not b then return "only in a" end
  if not a then return "only in b" end
  if a.finish ~= b.finish then return b.finish < a.finish and "earlier" or "later" end
  return (a.procs ~= b.procs or a.state ~= b.state) and "other processors" or nil
end

-- There is a makespan once both are over, before that a clock.
local function measured(s, over)
  local m = s:measure()
  m.now = over and 0 or s.now
  if not over then m.makespan = 0 end
  return m
end

local function tasks_of(diff, a, b)
  local list = {}
  diff.same = 0
  local all, at = matched(a.tasks, b.tasks)
  for n = 1, all do
    local i, j = at(n)
    local x, y = task_at(a, i), task_at(b, j)
    local what = compare_tasks(x, y)
    if what then
      list[#list + 1] = { id = (x and a.tasks[i] or b.tasks[j]).id, position = i or j, what = what,
        a = x, b = y, finish = x and y and y.finish - x.finish,
        procs = x and y and y.procs - x.procs }
    else
      diff.same = diff.same + 1
    end
  end
  diff.tasks = list
  local over = a.over and b.over
  diff.metrics = metrics_of(OF_TASKS, measured(a, over), measured(b, over))
  return list
end

-- Largest difference first; what has none, of jobs in only one, last.
local function sort(list)
  local size = {}
  for _, one in ipairs(list) do
    local known_one = one.start or one.finish
    size[one] = known_one and math.max(math.abs(one.start or 0), math.abs(one.finish or 0)) or -1
  end
  table.sort(list, function(x, y)
    if size[x] ~= size[y] then return size[x] > size[y] end
    return x.position < y.position
  end)
end

-- --- as text ------------------------------------------------------------------------------------

local function instant(s, time) return time and s:clock(time) or "" end

local function by(value) return value and signed(span)(value) or "" end

local function job_cells(diff, job)
  local a, b = job.a or {}, job.b or {}
  return { job.id, tostring(job.procs), job.what, instant(diff.a, a.start),
    instant(diff.b, b.start), by(job.start), by(job.finish) }
end

local function task_cells(diff, task)
  local a, b = task.a or {}, task.b or {}
  return { task.id, task.what, instant(diff.a, a.finish), instant(diff.b, b.finish),
    by(task.finish), tostring(a.procs or ""), tostring(b.procs or "") }
end

local JOB_HEAD = { "job", "procs", "in b", "start in a", "start in b", "start by", "end by" }
local TASK_HEAD = { "task", "in b", "end in a", "end in b", "end by", "procs in a", "procs in b" }

-- Tasks that are over have no processors to tell of.
local function without_processors(rows)
  for _, row in ipairs(rows) do
    if row ~= rows[1] and ((row[6] .. row[7]):find "[1-9]") then return rows end
  end
  for _, row in ipairs(rows) do row[6], row[7] = nil, nil end
  return rows
end

-- The table of what differs, largest difference first, as rows of texts; of the first `most`.
function Diff:rows(most)
  if most ~= nil and (math.type(most) ~= "integer" or most < 0) then
    caller_error(("rows: expected a whole number of at least 0, found %s"):format(
      checks.shown(most)))
  end
  local list = self.jobs or self.tasks
  local rows = { { table.unpack(self.jobs and JOB_HEAD or TASK_HEAD) } }
  for i = 1, math.min(most or #list, #list) do
    rows[i + 1] = (self.jobs and job_cells or task_cells)(self, list[i])
  end
  return self.jobs and rows or without_processors(rows)
end

local function metric_rows(diff)
  local rows = { { "", "a", "b", "b - a" } }
  for _, m in ipairs(diff.metrics) do
    rows[#rows + 1] = { m.label, m.format(m.a), m.format(m.b), signed(m.format)(m.difference) }
  end
  return rows
end

local NAMED = 3

local function names(group, many)
  local ids = {}
  for i = 1, math.min(NAMED, #group) do ids[i] = group[i].id end
  local more = #group > NAMED and (" and %d more"):format(#group - NAMED) or ""
  return ("%s %s%s"):format(#group == 1 and many:sub(1, -2) or many, table.concat(ids, ", "), more)
end

-- "12 earlier: 1.20 h in the mean, at most 3.10 h (job 17)"
local function shift(diff, what, one)
  local group = diff.groups[what]
  if not group then return nil end
  local field = diff.jobs and "start" or "finish"
  local sum, most = 0, group[1]
  for _, each in ipairs(group) do
    sum = sum + math.abs(each[field])
    if math.abs(each[field]) > math.abs(most[field]) then most = each end
  end
  return ("%d %s %s: by %s in the mean, at most %s (%s %s)"):format(#group,
    diff.jobs and "start" or "end", what, span(sum / #group), span(math.abs(most[field])), one,
    most.id)
end

local OTHERS = { "other end", "other processors", "other state", "started in a", "started in b",
  "only in a", "only in b" }

local function summary(diff, lines)
  local one, many = "task", "tasks"
  if diff.jobs then one, many = "job", "jobs" end
  lines[#lines + 1] = ("%d of %d %s differ"):format(#diff[many], #diff[many] + diff.same, many)
  for _, what in ipairs { "earlier", "later" } do lines[#lines + 1] = shift(diff, what, one) end
  for _, what in ipairs(OTHERS) do
    local group = diff.groups[what]
    lines[#lines + 1] = group and ("%d %s: %s"):format(#group, what, names(group, many)) or nil
  end
end

local function add_columns(lines, rows)
  lines[#lines + 1] = ""
  local list = columns(rows)
  table.move(list, 1, #list, #lines + 1, lines)
end

function Diff:__tostring()
  local list = self.jobs or self.tasks
  local lines = { "a: " .. self.titles[1], "b: " .. self.titles[2] }
  add_columns(lines, metric_rows(self))
  lines[#lines + 1] = ""
  summary(self, lines)
  if #list > 0 then
    add_columns(lines, self:rows(self.top))
    if #list > self.top then
      lines[#lines + 1] = ("... and %d more"):format(#list - self.top)
    end
  end
  return table.concat(lines, "\n")
end

-- --- CSV ----------------------------------------------------------------------------------------

local CSV = {
  jobs = { "start", "finish", "state" }, tasks = { "finish", "procs", "state" },
}

local function csv_row(one, fields)
  local cells = { results.field(one.id), one.position, one.what }
  for _, name in ipairs(fields) do
    for _, side in ipairs { one.a or {}, one.b or {} } do
      local value = side[name]
      cells[#cells + 1] = type(value) == "number" and results.number(value) or value or ""
    end
    if name ~= "state" then cells[#cells + 1] = one[name] and results.number(one[name]) or "" end
  end
  return table.concat(cells, ",")
end

-- One row per job or task that differs. With a path it is written there, complete or not at all;
-- without, the text is returned.
function Diff:csv(path)
  local fields = self.jobs and CSV.jobs or CSV.tasks
  local head = { self.jobs and "job" or "task", "position", "what" }
  for _, name in ipairs(fields) do
    head[#head + 1] = ("a_%s,b_%s"):format(name, name)
    if name ~= "state" then head[#head + 1] = name .. "_difference" end
  end
  local lines = { table.concat(head, ",") }
  for _, one in ipairs(self.jobs or self.tasks) do lines[#lines + 1] = csv_row(one, fields) end
  return results.text_or_file(lines, path)
end

-- --- orrery.diff --------------------------------------------------------------------------------

local function check(a, b, options)
  local kind, other = sessions.kind_of(a), sessions.kind_of(b)
  if not kind or not other then
    error(("diff: expected two sessions, found %s and %s"):format(kind and "a session" or type(a),
      other and "a session" or type(b)), 0)
  elseif kind ~= other then
    error(("diff: one session is of %s, the other of %s"):format(kind.many, other.many), 0)
  end
  checks.fields("diff", options, "sessions.DiffOptions")
  local top = options.top
  if top ~= nil and (math.type(top) ~= "integer" or top < 0) then
    error(("diff: top: expected a whole number of at least 0, found %s"):format(tostring(top)), 0)
  end
  return kind
end

local diff_module = { class = Diff }

-- What differs between two sessions; they are compared as they are now.
--   options  { top = how many of the jobs or tasks are printed: 10 }
function diff_module.of(a, b, options)
  options = options or {}
  local kind = caller_error.checked(check, a, b, options)
  local diff = { a = a, b = b, top = options.top or 10, groups = {},
    titles = { sessions.title(a), sessions.title(b) } }
  local list = (kind == sessions.jobs and jobs_of or tasks_of)(diff, a, b)
  sort(list)
  for _, one in ipairs(list) do
    local group = diff.groups[one.what] or {}
    diff.groups[one.what] = group
    group[#group + 1] = one
  end
  return setmetatable(diff, Diff)
end

return diff_module
