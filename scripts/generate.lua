-- generate: writes a synthetic workload (plain CSV, Mira's format or SWF)
--
--   orrery generate lublin --procs 1024 --days 90 --load 0.8 -o quarter.csv--
--   orrery generate mira --seed 1 -o month.csv
--   orrery generate synthetic --count 100 --procs 50 2000 --time 100 20000 --set 3
local argparse = require "argparse"
local common = require "orrery.command.command"
local orrery = require "orrery"

-- argparse's converters: a value, or nil and what is wrong with it.
local function integer(text)
  local value = math.tointeger(tonumber(text))
  if value then return value end
  return nil, "'" .. text .. "' is not an integer"
end

local function number(text)
  local value = tonumber(text)
  if value then return value end
  return nil, "'" .. text .. "' is not a number"
end

local parser = argparse("orrery generate", "Writes a synthetic workload: a month in the manner of "
  .. "Mira's job log, the model of Lublin and Feitelson, or the synthetic sets of RR-9296.")
parser:command_target "kind"

local function command(name, about, format)
  local c = parser:command(name, about)
  c:option("--seed", "Seed of all random numbers.", 1, integer):argname "N"
  c:option("--count", "Number of jobs.", nil, integer):argname "N"
  c:option("--format", "plain, mira or swf (default: " .. format .. ").")
    :choices { "plain", "mira", "swf" }
  c:option("-o --output", "File to write (default, and for -: standard output). A name that ends "
    .. "in .csv or .swf says the format, too."):argname "FILE"
  return c
end

local mira = command("mira", "A month like Mira's June 2019: 4699 jobs over 30 days.", "mira")
mira:option("--days", "Number of days.", nil, integer):argname "N"
mira:option("--first-day", "The first day, UTC."):argname "YYYY-MM-DD"
mira:option("--per-day", "Fewest and most jobs on a day.", nil, integer):args(2)
  :argname { "MIN", "MAX" }

-- A factor, or the name of a way.
local function walltimes(text)
  return tonumber(text) or text
end

local lublin = command("lublin", "Jobs that arrive over days and weeks, for a machine of any size: "
  .. "the model of Lublin and Feitelson (2003), with weekends.", "swf")
lublin:option("--procs", "Processors of the machine (default: 128).", nil, integer):argname "N"
lublin:option("--days", "Number of days (default: 30; with --count, as many as it takes).", nil,
  number):argname "N"
lublin:option("--load", "Offered load to aim at (default: what the model gives).", nil, number)
  :argname "SHARE"
lublin:option("--types", "both (default), batch, interactive, or whole: one set of constants for "
  .. "all jobs."):choices { "both", "batch", "interactive", "whole" }
lublin:option("--week", "Weights of Monday to Sunday (default: 1 1 1 1 1 0.9 0.65).", nil, number)
  :args(7):argname { "MON", "TUE", "WED", "THU", "FRI", "SAT", "SUN" }
lublin:option("--first-day", "The first day (default: 2024-01-01, a Monday)."):argname "YYYY-MM-DD"
lublin:option("--walltimes", "A factor on runtimes, or `users`: a factor of 1 to 5, rounded up to "
  .. "times that people ask for (default: none).", nil, walltimes):argname "FACTOR"
lublin:option("--set", "Number of the set: other sets of one seed are independent.", 0, integer)
  :argname "N"
lublin:flag("--scaled", "Larger jobs run longer by their share of the machine, instead of by their "
  .. "processors.")

local synthetic = command("synthetic", "Jobs of uniform size and time, submitted at 0.", "plain")
synthetic:option("--set", "Number of the set: other sets of one seed are independent.", 0, integer)
  :argname "N"
synthetic:option("--procs", "Fewest and most processors of a job (default: 50 2000).", nil, integer)
  :args(2):argname { "MIN", "MAX" }
synthetic:option("--time", "Shortest and longest time, seconds (default: 100 20000).", nil, number)
  :args(2):argname { "MIN", "MAX" }

local function fail(status, message)
  io.stderr:write("orrery generate: ", message, "\n")
  os.exit(status)
end

local function generate(options)
  if options.kind == "mira" then
    return orrery.mira_month {
      seed = options.seed, count = options.count, days = options.days,
      first_day = options.first_day, per_day = options.per_day,
    }
  end
  if options.kind == "lublin" then
    return orrery.lublin {
      seed = options.seed, set = options.set, count = options.count, days = options.days,
      procs = options.procs, load = options.load, types = options.types, week = options.week,
      first_day = options.first_day, walltimes = options.walltimes, scaled = options.scaled,
    }
  end
  return orrery.synthetic {
    seed = options.seed, set = options.set, count = options.count,
    procs = options.procs, time = options.time,
  }
end

local FORMATS = { mira = "mira", lublin = "swf", synthetic = "plain" }

-- The format that the name says, unless the usual one of the kind has such a name.
local function format_of(options)
  local usual, ending = FORMATS[options.kind], (options.output or ""):lower():match "%.(%w+)$"
  if ending == "swf" then return "swf" end
  return ending == "csv" and usual == "swf" and "plain" or usual
end

local function write(jobs, options)
  local format = options.format or format_of(options)
  if options.output then
    jobs:to_csv(format, options.output)
  else
    assert(io.stdout:write(jobs:csv(format)))
    assert(io.stdout:flush())
  end
end

local generator = common.new(parser, function(options)
  local done, message = pcall(function() write(generate(options), options) end)
  if not done then fail(1, tostring(common.without_position(message))) end
end)

function generator.parse()
  local parsed, options = parser:pparse(common.arguments())
  if not parsed then fail(2, options .. "\n" .. parser:get_usage()) end
  if options.output == "-" then options.output = nil end
  if options.output == "" then fail(2, "--output: expected the name of a file") end
  return options
end

return generator
