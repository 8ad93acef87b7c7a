-- The common part of replay and compare, from the options to the files.
--
-- Everything is simulated before anything is printed or written, so that a failing command leaves
-- nothing behind.
local argparse = require "argparse"
local command = require "orrery.command.command"
local counted = require "orrery.command.counted"
local csv = require "orrery.command.csv"
local log_options = require "orrery.command.log_options"
local output = require "orrery.command.output"
local orrery = require "orrery"
local result_rows = require "orrery.command.result_rows"
local runs = require "orrery.command.runs"
local simulation_options = require "orrery.command.simulation_options"
local untrusted = require "orrery.command.untrusted"

local simulation_command = {}

local function write_users(path, result)
  local users = orrery.tools.metrics().of_users
  local columns = table.move(users, 1, #users, 4, { "policy", "priority", "set" })
  local list = {}
  for i, policy in ipairs(result.policies) do
    for s, set in ipairs(result.sets) do
      for _, user in ipairs(result:users(i, s)) do
        user.policy, user.priority = policy.name, policy.priority or "fcfs"
        user.set = tostring(set.name)
        list[#list + 1] = user
      end
    end
  end
  orrery.tools.write_file(path, csv.text(columns, list))
end

-- The metric of jobs that describes a single result; nil where the result has intervals of its own.
local function metric_of_jobs(given, cases)
  local result, metrics = cases[1].result, orrery.tools.metrics()
  if #cases > 1 or result.runs > 1 or #result.sets > 1 then return nil end
  if given.metric then return metrics.of(given.metric).jobs and given.metric end
  return metrics.is_online(result) and "bsld_mean" or "wait_mean"
end

local function write_plot(given, metric, cases)
  local of_jobs = metric_of_jobs(given, cases)
  if of_jobs then
    cases[1].result:plot(given.plot, { kind = "ecdf", metric = of_jobs })
  else
    require("orrery.command.result_plot").write(result_rows.of(cases, metric), metric, given.plot)
  end
end

-- Several schedules, one behind the other. write(i[, path]) writes one; without a path the text.
local function write_schedules(count, write, path)
  if count == 1 then return write(1, path) end
  local texts = {}
  for i = 1, count do
    local text = write(i)
    texts[i] = i == 1 and text or text:match "\n(.*)$"
  end
  orrery.tools.write_file(path, table.concat(texts))
end

-- One schedule, or several on one page.
local function write_gantt(sessions, path, result, colour)
  if #sessions == 1 then
    return sessions[1]:gantt(path, { title = result:label(1), colour = colour })
  end
  local titles = {}
  for i in ipairs(sessions) do titles[i] = result:label(i) end
  orrery.draw.gantt.write_all(sessions, titles, path, colour)
end

-- The title of a session's timeline: "120 jobs on 49152 processors, dispatch/easy".
local function title_of(result)
  return result:title():match "^[^,]*" .. ", " .. result:label(1)
end

local TIMELINE = { "time", "busy", "running", "waiting", "waiting_procs" }

-- The timeline of a finished session: CSV, or a picture of busy processors and waiting jobs.
local function write_timeline(session, path, title)
  if orrery.draw.gnuplot.draws(path) then return session:plot(path, { title = title }) end
  orrery.tools.write_file(path, csv.text(TIMELINE, session:timeline()))
end

local function write(given, metric, cases, sessions, trace)
  local result = cases[1].result
  output.write(given, {
    csv = function(path) result:csv(path) end,
    json = function(path) result:json(path) end,
    users = function(path) write_users(path, result) end,
    schedule = function(path)
      local metrics = not sessions and result.sets[1].metrics -- which kept the schedules
      write_schedules(#result.policies, function(i, file)
        if metrics then return metrics:write_schedule(i, file) end
        return sessions[i]:write_schedule(file)
      end, path)
    end,
    timeline = function(path) write_timeline(sessions[1], path, title_of(result)) end,
    trace = function(path) orrery.tools.write_file(path, trace) end,
    gantt = function(path) write_gantt(sessions, path, result, given.colour) end,
    table = function(path)
      orrery.tools.write_file(path, result_rows.csv(result_rows.of(cases, metric), metric))
    end,
    plot = function() write_plot(given, metric, cases) end,
    report = function(path)
      result:report(path, { metric = given.metric, per = given.per, command = command.line() })
    end,
  })
end

function simulation_command.print_notes(result)
  for _, note in ipairs(result.notes) do print("note: " .. note) end
end

local function print_per(result, key)
  local tables, about = orrery.tools.per().tables(result, key)
  for _, one in ipairs(tables) do
    print("\n" .. one[1] .. "\n" .. table.concat(orrery.tools.columns(one[2]), "\n"))
  end
  if about then print(about) end
end

-- Refuses early what would fail after the run.
local function check_files(given)
  output.check(given)
  if given.plot then
    output.check_picture("plot", given.plot)
    output.check_gnuplot()
  end
  local timeline = given.timeline
  local gnuplot = timeline and orrery.draw.gnuplot
  if timeline and gnuplot.draws(timeline) and not gnuplot.installed() then
    command.fail("--timeline %s wants gnuplot, which is not installed (Debian: gnuplot-nox); any "
      .. "name that does not end in .png or .svg is CSV", timeline)
  end
  output.check_gantt(given.gantt)
  output.check_report(given.report)
end

-- Files that are written of more metrics than are printed.
local OF_ALL = { "by", "csv", "json", "plot", "precision", "report", "table" }

-- The metrics of which every scenario is kept where there are many; nil: all of them.
local function kept(about, given)
  if (given.runs or 1) == 1 then return nil end
  for _, option in ipairs(OF_ALL) do
    if given[option] then return nil end
  end
  return about.printed(given)
end

-- A command with these options.
--   about.name, about.about             its name and description
--   about.metric                        the help of --metric
--   about.priorities, about.schedule, about.axes   see simulation_options.add
--   about.policies(given)               policies for orrery.compare, from --policy and --priority
--   about.print(given, cases, metric)   shows the results
--   about.printed(given)                the metrics that this shows of many scenarios
function simulation_command.new(about)
  local parser = argparse(about.name, about.about)
  simulation_options.add(parser, about)
  local function run_all(given, metric, policies)
    local log, jobs = runs.read(given)
    jobs = counted.jobs(jobs, given)
    if given.gantt then orrery.draw.gantt.check(given.gantt, jobs, given.colour) end
    local looks = given.timeline or given.trace or given.gantt
    local cases = runs.run(given, jobs, policies, not looks and given.schedule)
    local sessions, trace
    if looks or given.schedule and not runs.has_schedules(cases) then
      sessions, trace = runs.record(given, cases[1], policies)
    end
    about.print(given, cases, metric)
    if given.per then print_per(cases[1].result, given.per) end
    local left_out = log_options.note_dropped(log, given)
    if left_out then
      require("orrery.run.results").add_note(cases[1].result, left_out) -- of the files
    end
    write(given, metric, cases, sessions, trace)
  end
  return command.new(parser, function(given)
    if about.axes then simulation_options.split_axes(given) end
    simulation_options.check(given)
    local metric = given.metric or "ratio" -- of table and plot
    given.quantiles = given.quantiles or metric:find "_p%d" and true
    given.kept = kept(about, given)
    local policies = about.policies(given)
    check_files(given)
    untrusted.run(given, output.allowed(given), function()
      run_all(given, metric, policies)
    end)
  end)
end

return simulation_command
