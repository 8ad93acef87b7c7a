-- diff: the differences between two sessions: orrery.diff(a, b, options).
--
-- Jobs are matched by id and position, else by id. The comparison uses the results so far: metrics
-- if all jobs are over, else counts and waits.

local caller_error = require "orrery.support.caller_error"
local checks = require "orrery.support.checks"
local clock = require "orrery.support.clock"
local columns = require "orrery.support.columns"
local csv = require "orrery.support.csv"
local metrics = require "orrery.values.metrics"
local sessions = require "orrery.session.session"
local text_or_file = require "orrery.support.text_or_file"

local span = clock.span_text

local Diff = {}
Diff.__index = Diff
Diff.__name = "orrery.diff"

-- --- formats ------------------------------------------------------------------------------------

-- A difference too small to show is "0".
local function signed(format)
  return function(value)
    local text = format(value)
    if not text:find "[1-9]" then return "0" end
    return (value > 0 and "+" or "") .. text
  end
end

-- For a list of metrics: name, label, format, and whether the line is left out where both have 0.
local function lines_of(kind)
  local list = {}
  for i, name in ipairs(kind.difference) do
    local one = kind.by_name[name]
    list[i] = { name, one.label, function(values) return metrics.shown(one, values) end, one.rare }
  end
  return list
end

local OF_JOBS, OF_TASKS = lines_of(metrics.jobs), lines_of(metrics.tasks)

local function any_span() return span end

local function any_count()
  return function(value) return ("%d"):format(value) end
end

table.insert(OF_TASKS, 2, { "now", "clock", any_span, true })

local SO_FAR = {
  { "now", "clock", any_span }, { "over", "jobs over", any_count },
  { "running", "running", any_count }, { "waiting", "waiting", any_count },
  { "started", "started", any_count }, { "wait_mean", "wait of these, mean", any_span },
  { "wait_max", "wait of these, longest", any_span }, { "busy", "processors busy", any_count },
}

-- --- comparison ----------------------------------------------------------------------------------

-- A list of { name =, a =, b =, difference = } and how they are shown.
local function metrics_of(list, a, b)
  local found = {}
  for _, one in ipairs(list) do
    local name, label, format, optional = table.unpack(one)
    if not (optional and a[name] == 0 and b[name] == 0) then
      found[#found + 1] = { name = name, label = label, a = a[name], b = b[name],
        difference = b[name] - a[name], format = format }
    end
  end
  return found
end

-- The results of jobs that are not all over.
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

-- The number of jobs or tasks in both sessions together, and a function from a number to the
-- positions in a and in b, nil where one has none.
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
    return i, at[i] or nil -- false: no position
  end
end

local function known(value) return value == value and value or nil end

local function job_at(times, position)
  if not position then return nil end
  return { start = known(times.start[position]), finish = known(times.finish[position]),
    state = times.state[position], position = position }
end

-- Whether a job is equal in both, as most jobs are.
local function same_job(of_a, i, of_b, j)
  local function same(x, y) return x == y or x ~= x and y ~= y end
  return i and j and of_a.state[i] == of_b.state[j] and same(of_a.start[i], of_b.start[j])
    and same(of_a.finish[i], of_b.finish[j])
end

-- The difference of b from a, in one word; nil: none.
local function compare_jobs(a, b)
  if a.start and b.start then
    if b.start ~= a.start then return b.start < a.start and "earlier" or "later" end
    return "other end"
  end
  if a.start then return "started in a" end
  return b.start and "started in b" or "other state"
end

local function task_at(s, position)
  if not position then return nil end
  local task = s:task(position)
  return { finish = task["end"], procs = task.procs, state = task.state, position = position }
end

local function compare_tasks(a, b)
  if a.finish ~= b.finish then return b.finish < a.finish and "earlier" or "later" end
  return (a.procs ~= b.procs or a.state ~= b.state) and "other processors" or nil
end

-- The makespan exists once both are over; before that the clock is compared.
local function measured(s, over)
  local m = s:measure()
  m.now = over and 0 or s.now
  if not over then m.makespan = 0 end
  return m
end

local function less(b, a) return a and b and b - a or nil end

local function instant(s, time) return time and s:clock(time) or "" end

local function by(value) return value and signed(span)(value) or "" end

-- The comparison of jobs and of tasks. `states` is for at(states, position), the state of one;
-- `fields` have differences; the first field decides between earlier and later.
local KINDS = {
  jobs = {
    one = "job", many = "jobs",
    fields = { "start", "finish" }, csv = { "start", "finish", "state" },
    head = { "job", "procs", "in b", "start in a", "start in b", "start by", "end by" },
    begins = "start", states = function(s) return s:times() end,
    at = job_at, same = same_job, compare = compare_jobs,
    metrics = function(a, b, of_a, of_b, over)
      if over then return metrics_of(OF_JOBS, a:finish(), b:finish()) end
      return metrics_of(SO_FAR, so_far(a, of_a), so_far(b, of_b))
    end,
    cells = function(diff, job, a, b)
      return { job.id, tostring(job.procs), job.what, instant(diff.a, a.start),
        instant(diff.b, b.start), by(job.start), by(job.finish) }
    end,
  },
  tasks = {
    one = "task", many = "tasks",
    fields = { "finish", "procs" }, csv = { "finish", "procs", "state" },
    head = { "task", "in b", "end in a", "end in b", "end by", "procs in a", "procs in b" },
    begins = "end", states = function(s) return s end,
    at = task_at, same = function() return false end, compare = compare_tasks,
    metrics = function(a, b, _, _, over)
      return metrics_of(OF_TASKS, measured(a, over), measured(b, over))
    end,
    cells = function(diff, task, a, b)
      return { task.id, task.what, instant(diff.a, a.finish), instant(diff.b, b.finish),
        by(task.finish), tostring(a.procs or ""), tostring(b.procs or "") }
    end,
  },
}

local function kind_of(diff) return KINDS[diff.jobs and "jobs" or "tasks"] end

-- The jobs or tasks that differ.
local function differing(diff, of, one, two)
  local all_a, all_b = one[of.many], two[of.many]
  local of_a, of_b, list = of.states(one), of.states(two), {}
  local all, at = matched(all_a, all_b)
  for n = 1, all do
    local i, j = at(n)
    local same = of.same(of_a, i, of_b, j)
    local a, b = not same and of.at(of_a, i) or nil, not same and of.at(of_b, j) or nil
    local what = not same and (not b and "only in a" or not a and "only in b" or of.compare(a, b))
    if what then
      local item = a and all_a[i] or all_b[j]
      local row = { id = item.id, position = i or j, procs = of.begins == "start" and item.procs
        or nil, what = what, a = a, b = b }
      for _, name in ipairs(of.fields) do row[name] = a and b and less(b[name], a[name]) end
      list[#list + 1] = row
    end
  end
  diff[of.many], diff.same = list, all - #list
  diff.metrics = of.metrics(one, two, of_a, of_b, one.over and two.over)
  return list
end

-- Largest difference first; entries without a difference (jobs in only one session) last.
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

-- Tasks that are over have no processors to show.
local function without_processors(rows)
  for _, row in ipairs(rows) do
    if row ~= rows[1] and ((row[6] .. row[7]):find "[1-9]") then return rows end
  end
  for _, row in ipairs(rows) do row[6], row[7] = nil, nil end
  return rows
end

-- The table of differences, largest first, as rows of texts; the first `most`.
function Diff:rows(most)
  caller_error.checked(checks.expect, most == nil or math.type(most) == "integer" and most >= 0,
    "rows", "a whole number of at least 0", checks.shown(most))
  local of = kind_of(self)
  local list, rows = self[of.many], { { table.unpack(of.head) } }
  for i = 1, math.min(most or #list, #list) do
    rows[i + 1] = of.cells(self, list[i], list[i].a or {}, list[i].b or {})
  end
  return self.jobs and rows or without_processors(rows)
end

local function metric_rows(diff)
  local rows = { { "", "a", "b", "b - a" } }
  for _, m in ipairs(diff.metrics) do
    local show = m.format { m.a, m.b }
    rows[#rows + 1] = { m.label, show(m.a), show(m.b),
      signed(m.format { m.difference })(m.difference) }
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
local function shift(diff, of, what)
  local group, field = diff.groups[what], of.fields[1]
  if not group then return nil end
  local sum, most = 0, group[1]
  for _, each in ipairs(group) do
    sum = sum + math.abs(each[field])
    if math.abs(each[field]) > math.abs(most[field]) then most = each end
  end
  return ("%d %s %s: by %s in the mean, at most %s (%s %s)"):format(#group, of.begins, what,
    span(sum / #group), span(math.abs(most[field])), of.one, most.id)
end

local OTHERS = { "other end", "other processors", "other state", "started in a", "started in b",
  "only in a", "only in b" }

local function summary(diff, lines)
  local of = kind_of(diff)
  local many, differ = of.many, #diff[of.many]
  lines[#lines + 1] = ("%d of %d %s differ"):format(differ, differ + diff.same, many)
  for _, what in ipairs { "earlier", "later" } do lines[#lines + 1] = shift(diff, of, what) end
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
  local list = self[kind_of(self).many]
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

local function csv_row(one, fields)
  local cells = { csv.field(one.id), one.position, one.what }
  for _, name in ipairs(fields) do
    for _, side in ipairs { one.a or {}, one.b or {} } do
      local value = side[name]
      cells[#cells + 1] = type(value) == "string" and value or csv.number(value)
    end
    if name ~= "state" then cells[#cells + 1] = csv.number(one[name]) end
  end
  return table.concat(cells, ",")
end

-- One row per job or task that differs. With a path the text is written there, whole or not at all;
-- without, it is returned.
function Diff:csv(path)
  local of = kind_of(self)
  local head = { of.one, "position", "what" }
  for _, name in ipairs(of.csv) do
    head[#head + 1] = ("a_%s,b_%s"):format(name, name)
    if name ~= "state" then head[#head + 1] = name .. "_difference" end
  end
  local lines = { table.concat(head, ",") }
  for _, one in ipairs(self[of.many]) do lines[#lines + 1] = csv_row(one, of.csv) end
  return text_or_file(lines, path)
end

-- --- orrery.diff --------------------------------------------------------------------------------

local function check(a, b, options)
  local kind, other = sessions.kind_of(a), sessions.kind_of(b)
  checks.expect(kind and other, "diff", "two sessions", ("%s and %s"):format(
    kind and "a session" or type(a), other and "a session" or type(b)))
  checks.refuse(kind ~= other, "diff: one session is of %s, the other of %s", kind.many,
    other.many)
  checks.fields("diff", options, "sessions.DiffOptions")
  local top = options.top
  checks.expect(top == nil or math.type(top) == "integer" and top >= 0, "diff: top",
    "a whole number of at least 0", tostring(top))
  return KINDS[kind.many]
end

local diff_module = { class = Diff }

-- The differences between two sessions, in their present state.
--   options  { top = number of printed jobs or tasks: 10 }
function diff_module.of(a, b, options)
  options = options or {}
  local of = caller_error.checked(check, a, b, options)
  local diff = { a = a, b = b, top = options.top or 10, groups = {},
    titles = { sessions.title(a, b), sessions.title(b, a) } }
  local list = differing(diff, of, a, b)
  sort(list)
  for _, one in ipairs(list) do
    local group = diff.groups[one.what] or {}
    diff.groups[one.what] = group
    group[#group + 1] = one
  end
  return setmetatable(diff, Diff)
end

return diff_module
