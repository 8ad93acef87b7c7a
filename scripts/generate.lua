-- generate: writes a synthetic workload (plain CSV, Mira's format or SWF)
--
--   orrery generate lublin --procs 1024 --days 90 --load 0.8 -o quarter.csv
--   orrery generate mira --seed 1 -o month.csv
--   orrery generate synthetic --count 100 --procs 50 2000 --time 100 20000 --set 3
local argparse = require "argparse"
local common = require "orrery.command.command"
local options = require "orrery.command.options"
local orrery = require "orrery"
local output = require "orrery.command.output"
local progress = require "orrery.command.progress"

-- argparse's converters: a value, or nil and the error.
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

local function duration(text)
  local value = orrery.tools.span(text)
  if value then return value end
  return nil, "'" .. text .. "' is neither seconds nor a number with s, m, h, d, w or y behind it"
end

-- A factor, or the name of a way.
local function walltimes(text)
  return tonumber(text) or text
end

local parser = argparse("orrery generate", "Writes a synthetic workload: a month in the manner of "
  .. "Mira's job log, the model of Lublin and Feitelson, or the synthetic sets of RR-9296.")
parser:command_target "kind"

local FORMATS, MAKE, NAMES = {}, {}, {}

-- A kind of workload: its name, its description, its usual format, orrery's function that makes it,
-- and its own options. The function gets all options except those about the file.
local function kind(name, about, format, make, list)
  local command = parser:command(name, about)
  local all = {
    { "--seed N", "Seed of all random numbers.", convert = integer, default = 1 },
    { "--count N", "Number of jobs.", convert = integer },
    { "--format", "plain, mira or swf (default: " .. format .. ").",
      choices = { "plain", "mira", "swf" } },
    { "-o --output FILE", "File to write (default, and for -: standard output). A name that ends "
      .. "in .csv or .swf says the format, too." },
  }
  options.add(command, { table.move(list, 1, #list, #all + 1, all) })
  FORMATS[name], MAKE[name], NAMES[name] = format, make, { "seed", "count" }
  for _, one in ipairs(list) do
    table.insert(NAMES[name], (one[1]:match "^%-%-(%S+)":gsub("-", "_")))
  end
end

local SET = { "--set N", "Number of the set: other sets of one seed are independent.",
  convert = integer, default = 0 }

kind("mira", "A month like Mira's June 2019: 4699 jobs over 30 days.", "mira", orrery.mira_month, {
  { "--days N", "Number of days.", convert = integer },
  { "--first-day YYYY-MM-DD", "The first day, UTC." },
  { "--per-day MIN MAX", "Fewest and most jobs on a day.", convert = integer },
})

kind("lublin", "Jobs that arrive over days and weeks, for a machine of any size: the model of "
  .. "Lublin and Feitelson (2003), with weekends.", "swf", orrery.lublin, {
  { "--procs N", "Processors of the machine (default: 128).", convert = integer },
  { "--days N", "Number of days (default: 30; with --count, as many as it takes).",
    convert = number },
  { "--load SHARE", "Offered load to aim at (default: what the model gives).", convert = number },
  { "--types", "both (default), batch, interactive, or whole: one set of constants for all jobs.",
    choices = { "both", "batch", "interactive", "whole" } },
  { "--week MON TUE WED THU FRI SAT SUN", "Weights of Monday to Sunday (default: 1 1 1 1 1 0.9 "
    .. "0.65).", convert = number },
  { "--first-day YYYY-MM-DD", "The first day (default: 2024-01-01, a Monday)." },
  { "--walltimes FACTOR", "A factor on runtimes; or `users`: a factor of 1 to 5, rounded up to "
    .. "times that people ask for; or `tsafrir`: Tsafrir, Etsion and Feitelson's model of user "
    .. "estimates (default: none).", convert = walltimes },
  SET,
  { "--scaled", "Larger jobs run longer by their share of the machine, instead of by their "
    .. "processors." },
})

kind("synthetic", "Jobs of uniform size and time, submitted at 0.", "plain", orrery.synthetic, {
  SET,
  { "--procs MIN MAX", "Fewest and most processors of a job (default: 50 2000).",
    convert = integer },
  { "--time MIN MAX", "Shortest and longest time (default: 100 20000); seconds, or 90m, 12h.",
    convert = duration },
})

local function fail(status, message)
  orrery.tools.complain("orrery generate: " .. message)
  os.exit(status)
end

local function generate(given)
  local spec = {}
  for _, name in ipairs(NAMES[given.kind]) do spec[name] = given[name] end
  return progress.doing("generating", MAKE[given.kind], spec)
end

-- The format that the name says, unless the usual one of the kind has such a name.
local function format_of(given)
  local usual, ending = FORMATS[given.kind], (given.output or ""):lower():match "%.(%w+)$"
  if ending == "swf" then return "swf" end
  return ending == "csv" and usual == "swf" and "plain" or usual
end

local function write(jobs, given)
  local format = given.format or format_of(given)
  if given.output then
    progress.doing("writing " .. given.output, jobs.to_csv, jobs, format, given.output)
    print(("wrote %s: %d jobs, %s"):format(given.output, #jobs, format))
  else
    assert(io.stdout:write(jobs:csv(format)))
    assert(io.stdout:flush())
  end
end

-- The result of f; an error of f ends the program with this status.
local function attempt(status, f, ...)
  local done, result = pcall(f, ...)
  if not done then fail(status, tostring(common.without_position(result))) end
  return result
end

-- All that generate looks at was typed.
local generator = common.new(parser, function(given)
  attempt(1, write, attempt(2, generate, given), given)
end)

function generator.parse()
  local parsed, given = parser:pparse(common.arguments())
  if not parsed then fail(2, given .. "\n" .. parser:get_usage()) end
  if given.output == "-" then given.output = nil end
  if given.output == "" then fail(2, "--output: expected the name of a file") end
  if given.output then output.check_folder("output", given.output) end
  return given
end

return generator
