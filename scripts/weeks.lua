-- weeks: finds the busy weeks of a job log, and writes each to a file of its own
--
--   orrery weeks log.swf --utilisation 0.7
--   orrery weeks log.swf --utilisation 0.7 -o weeks --csv weeks.csv
local argparse = require "argparse"
local command = require "orrery.command.command"
local csv = require "orrery.command.csv"
local options = require "orrery.command.options"
local orrery = require "orrery"
local output = require "orrery.command.output"
local log_options = require "orrery.command.log_options"
local parts = require "orrery.values.parts"

local parser = argparse("orrery weeks", "Cuts a job log into weeks of 168 hours from its first "
  .. "submission on, and shows those in which the machine was at least so busy on the average.")
parser:argument("log", log_options.FORMATS):argname "LOG"
options.add(parser, {
  { title = "Which weeks", "jobs.WeekOptions: utilisation hours by procs" },
  { title = "What is read",
    "module.ReadOptions: status ran wide count procs_of submitted strict damaged header columns "
      .. "format delimiter rows",
    "runs.JobsSpec: timezone origin" },
  { title = "Output files",
    { "-o --output DIR", "Folder for the weeks, each a file in the Standard Workload Format." },
    { "--csv FILE", "The table as CSV." },
    options.TABLE, output.QUIET },
})

-- log.swf.gz, week 3 of 12: log-week03.swf
local function file_name(given, week)
  local name = given.log:match "[^/]*$":gsub("%.gz$", ""):gsub("%.[^.]*$", "")
  return ("%s-week%03d.swf"):format(name == "" and "log" or name, week)
end

local COLUMNS = { "week", "date", "from", "to", "jobs", "utilisation", "file" }

local function rows_of(given, weeks)
  local rows = {}
  for i, week in ipairs(weeks) do
    rows[i] = { week = week.week, from = week.from, to = week.to, date = week.date,
      jobs = #week.jobs, utilisation = week.utilisation,
      file = given.output and ("%s/%s"):format(given.output, file_name(given, week.week)) or nil }
  end
  return rows
end

local WHAT = { ran = "work that ran in it", submitted = "work that was submitted in it" }

local function print_table(given, rows, by)
  local lines = { { "week", "begins", "jobs", "utilisation", given.output and "file" or nil } }
  for _, row in ipairs(rows) do
    lines[#lines + 1] = { tostring(row.week), row.date or ("%.6g s"):format(row.from),
      tostring(row.jobs), ("%.4f"):format(row.utilisation), row.file }
  end
  for _, line in ipairs(orrery.tools.columns(lines)) do print(line) end
  print(("a week's utilisation is that by the %s"):format(WHAT[by]))
end

-- Everything is made before anything is written.
local function write(given, rows, weeks, by)
  if given.output then
    local made, problem = orrery.tools.make_folder(given.output)
    if not made then command.fail("%s", problem) end
    for i, week in ipairs(weeks) do week.jobs:to_csv("swf", rows[i].file) end
  end
  output.write(given, {
    csv = function(path) orrery.tools.write_file(path, csv.text(COLUMNS, rows)) end,
    json = function(path) output.json(path, { by = by, weeks = rows }) end,
  })
end

return command.new(parser, function(given)
  output.check(given)
  local log = log_options.log(given)
  log_options.check_machine(log, given)
  local weeks, by, busiest = log:weeks(options.fields("jobs.WeekOptions", given))
  local partial, note = parts.partial(log, given.hours * 3600)
  if partial and weeks[1] and weeks[#weeks].week == partial then table.remove(weeks) end
  if #weeks == 0 then
    command.fail("no week of %s has a mean utilisation of %g or more: the busiest has %.4f, by the "
      .. "%s", given.log, given.utilisation, busiest, WHAT[by])
  end
  local rows = rows_of(given, weeks)
  print_table(given, rows, by)
  if note then print("note: " .. note) end
  log_options.note_dropped(log, given)
  write(given, rows, weeks, by)
end)
