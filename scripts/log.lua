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
local orrery = require "orrery"

local parser = argparse("orrery log", "Says what is in a job log: jobs, users, the load that was "
  .. "asked for and reached, widths, times, waits as recorded, what was left out and what is odd. "
  .. "If the log tells when jobs started: whether EASY explains it.")
parser:argument("log", log_options.FORMATS):argname "LOG"
options.add(parser, {
  { title = "What is read",
    "module.ReadOptions: status ran count procs_of submitted strict damaged header columns",
    "runs.JobsSpec: timezone origin",
    "jobs.DescribeOptions: procs tau", counted.PER },
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
  if #log == 0 or #log > MOST then return nil end
  local done, result = orrery.tools.attempt(orrery.compare, { jobs = log, policy = "recorded",
    procs = procs, walltimes = "log", overrun = "extend" })
  return done and result:fidelity()
end

return command.new(parser, function(given)
  output.check(given)
  if given.plot then output.check_picture("plot", given.plot) end
  output.check_report(given.report)
  given.wide = "keep" -- the description reports wide jobs
  local log = log_options.log(given)
  local jobs, sentence = counted.jobs(log, given, true)
  local described = jobs:describe(options.fields("jobs.DescribeOptions", given), log)
  described.counted, described.key = sentence, given.per
  described.per = given.per and orrery.tools.per().of_log(jobs, given.per)
  local fidelity = not given.quiet and fidelity_of(counted.jobs(log, given), given.procs)
  print(described)
  if fidelity then print("note: " .. tostring(fidelity)) end
  if given.quiet then log_options.note_dropped(log, given) end -- the description has its own lines
  output.write(given, {
    csv = function(path) described:csv(path) end,
    json = function(path) described:json(path) end,
    plot = function(path) jobs:plot(path) end,
    report = function(path) jobs:report(path, nil, described) end,
  })
end)
