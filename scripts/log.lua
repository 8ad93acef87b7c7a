-- log: describes a job log: load, widths, times, waits, users, dropped and odd records
--
--   orrery log mine.swf
--   orrery log mine.swf --report mine.html --json mine.json
local argparse = require "argparse"
local command = require "orrery.command.command"
local counted = require "orrery.command.counted"
local log_options = require "orrery.command.log_options"
local options = require "orrery.command.options"
local output = require "orrery.command.output"
local core = require "orrery.core"
local orrery = require "orrery"

local parser = argparse("orrery log", "Says what is in a job log: jobs, users, the load that was "
  .. "asked for and reached, widths, times, waits as recorded, what was left out and what is odd. "
  .. "If the log tells when jobs started: whether EASY explains it.")
parser:argument("log", log_options.FORMATS):argname "LOG"
options.add(parser, {
  { title = "What is read",
    "module.ReadOptions: status ran count procs_of submitted strict damaged header columns "
      .. "format delimiter rows",
    "runs.JobsSpec: timezone origin",
    "jobs.DescribeOptions: procs tau", "runs.JobsSpec: machine", counted.PER },
  counted.OPTIONS,
  { title = "Output files",
    { "--plot FILE", "Times, widths, hours and load as a picture: .png or .svg." },
    { "--report FILE", "All of it as one page of HTML." },
    { "--csv FILE", "All numbers, one in a row." },
    options.TABLE, output.QUIET },
})

local MOST = 200000 -- jobs: of more the answer would take longer than all the rest

-- The fidelity of EASY; nil where the log does not tell when jobs started.
local function fidelity_of(log, procs)
  if not core.waits_known(log) or #log > MOST then return nil end
  local done, result = orrery.tools.attempt(orrery.compare, { jobs = log, policy = "recorded",
    procs = procs, walltimes = "log", overrun = "extend" })
  return done and result:fidelity()
end

-- The most that jobs used at once of what need(job) says, by the recorded starts; an end comes
-- before a start. nil: the log tells no starts.
local function peak_of(jobs, need)
  local events, waits = {}, jobs:values "wait"
  for i, job in jobs:each() do
    local start, amount = job.submit + waits[i], need(job)
    if start == start and amount > 0 and job.time > 0 then
      events[#events + 1] = { start, amount }
      events[#events + 1] = { start + job.time, -amount }
    end
  end
  table.sort(events, function(a, b)
    if a[1] ~= b[1] then return a[1] < b[1] end
    return a[2] < b[2]
  end)
  local now, most = 0, core.waits_known(jobs) and 0 or nil
  for _, event in ipairs(events) do
    now = now + event[2]
    most = most and math.max(most, now)
  end
  return most
end

-- What of a log fits a machine, as lines.
local function fit_lines(jobs, machine)
  local pools, nodes = require "orrery.values.pools", require "orrery.values.nodes"
  local has, rows, lines = require("orrery.values.machine").nodes(machine), {}, {}
  local function add(name, capacity, need, sized)
    local most = peak_of(jobs, need)
    local shown = sized and pools.text or tostring
    rows[#rows + 1] = { name, shown(capacity), most and shown(most) or "-",
      most and ("%.1f%%"):format(100 * most / capacity) or "-" }
  end
  local function needed(name)
    return function(job) return job.needs and job.needs[name] or 0 end
  end
  rows[1] = { "of the machine", "there is", "at once", "" }
  if machine.procs then add("processors", machine.procs, function(job) return job.procs end) end
  for _, name in ipairs(machine.pools and pools.names(machine.pools) or {}) do
    local amount, short = pools.amount(name, machine.pools[name]), 0
    add("pool " .. name, amount, needed(name))
    for _, job in jobs:each() do short = short + (needed(name)(job) > amount and 1 or 0) end
    if short > 0 then
      lines[#lines + 1] = ("note: %d of %d jobs can never start, for asking for more than all of "
        .. "pool %s"):format(short, #jobs, name)
    end
  end
  for _, name in ipairs(has and has.resources or {}) do
    local amount = 0
    for _, kind in ipairs(has.kinds) do
      amount = amount + kind.count * (kind.amounts[name] or 0)
    end
    add(name, amount, needed(name), has.sized[name])
  end
  local function note(f, ...)
    local ok, text = orrery.tools.attempt(f, ...) -- an error where none can start
    if text then lines[#lines + 1] = "note: " .. (ok and text or text.message) end
  end
  if has then note(nodes.allow, has.core, { { jobs = jobs } }) end
  note(require("orrery.values.limits").allow, { limit = machine.limits }, { { jobs = jobs } }, true)
  for _, one in ipairs(machine.not_modelled or {}) do
    lines[#lines + 1] = "note: not modelled of the machine: " .. one
  end
  return table.concat(orrery.tools.columns(rows), "\n") .. "\n"
    .. table.concat(lines, "\n") .. (lines[1] and "\n" or "")
end

return command.new(parser, function(given)
  output.check(given)
  if given.plot then output.check_picture("plot", given.plot) end
  output.check_report(given.report)
  given.wide = "keep" -- the description reports wide jobs
  local machine = given.machine and orrery.machine(given.machine)
  given.procs = given.procs or machine and machine.procs
  local log = log_options.log(given)
  local jobs, sentence = counted.jobs(log, given, true)
  local described = jobs:describe(options.fields("jobs.DescribeOptions", given), log)
  described.counted, described.key = sentence, given.per
  described.per = given.per and orrery.tools.per().of_log(jobs, given.per)
  if machine and machine.partitions then -- these are modelled
    local told = select(4, core.log_remarks(jobs, true))
    described.not_modelled, described.remedy = told.asked, told.remedy
  end
  local fidelity = not given.quiet and fidelity_of(counted.jobs(log, given), given.procs)
  print(described)
  if machine and not given.quiet then io.write("\n", fit_lines(jobs, machine)) end
  if fidelity then print("note: " .. tostring(fidelity)) end
  if given.quiet then log_options.note_dropped(log, given) end -- the description has its own lines
  output.write(given, {
    csv = function(path) described:csv(path) end,
    json = function(path) described:json(path) end,
    plot = function(path) jobs:plot(path) end,
    report = function(path) jobs:report(path, nil, described) end,
  })
end)
