-- log: says what is in a job log: load, widths, times, waits, users, what is left out or odd
--
--   orrery log mine.swf
--   orrery log mine.swf --report mine.html --json mine.json
local argparse = require "argparse"
local command = require "orrery.command.command"
local log_options = require "orrery.command.log_options"
local options = require "orrery.command.options"
local output = require "orrery.command.output"

local parser = argparse("orrery log", "Says what is in a job log: jobs, users, the load that was "
  .. "asked for and reached, widths, times, waits as recorded, what was left out and what is odd.")
parser:argument("log", log_options.FORMATS):argname "LOG"
options.add(parser, {
  { "module.ReadOptions: status ran count strict header columns",
    "jobs.DescribeOptions: procs tau" },
  { { "--plot FILE", "Times, widths, hours and load as a picture: .png or .svg." },
    { "--report FILE", "All of it as one page of HTML." },
    { "--csv FILE", "All numbers, one in a row." },
    { "--json FILE", "All numbers as JSON." } },
})

return command.new(parser, function(given)
  output.check { plot = given.plot, report = given.report, csv = given.csv, json = given.json }
  given.wide = "keep" -- it says which they are
  local log = log_options.log(given)
  local described = log:describe(options.fields("jobs.DescribeOptions", given))
  if given.csv then described:csv(given.csv) end
  if given.json then described:json(given.json) end
  if given.plot then log:plot(given.plot) end
  if given.report then log:report(given.report) end
  print(described)
end)
