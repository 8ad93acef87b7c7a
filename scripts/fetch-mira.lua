-- fetch-mira: fetches a year of Mira's job log, for replay by its name (mira-2019)
--
--   orrery fetch-mira 2019 && orrery replay mira-2019 --day 2019-06-14
local argparse = require "argparse"
local command = require "orrery.command.command"
local download = require "orrery.command.download"
local lfs = require "lfs"
local options = require "orrery.command.options"
local orrery = require "orrery"

local PAGE = "https://reports.alcf.anl.gov/data/mira.html"
local BASE = "https://reports.alcf.anl.gov/data/data/"

-- Mira began in April 2013 and ended in March 2020. Every year has some ten thousand jobs, the
-- last one some thousand.
local FIRST_YEAR, LAST_YEAR = 2013, 2020
local FIRST_DAY = { [2013] = "0409" }
local FIRST_MONTH, LAST_MONTH = { [2013] = "04" }, { [2020] = "02" }
local LEAST_JOBS = 1000

local parser = argparse("orrery fetch-mira", "Fetches the job log of a year of Mira (IBM Blue "
  .. "Gene/Q, 49152 nodes) from the public page of the Argonne Leadership Computing Facility, and "
  .. "checks it. Afterwards `orrery replay mira-YEAR` replays it. A download that was interrupted "
  .. "goes on where it stopped. The page: " .. PAGE)
parser:argument("year", ("The year, %d to %d."):format(FIRST_YEAR, LAST_YEAR)):argname "YEAR"
  :convert(command.integer("YEAR", FIRST_YEAR, LAST_YEAR))
options.add(parser, {
  { { "--to FOLDER", "Folder for the log (default: orrery/mira in the user's data folder, where it "
      .. "is found by name)." },
    { "--url BASE", "Where the files are (default: " .. BASE .. ")." },
    { "--from FILE", "Takes the file from here instead: one that a browser has downloaded." },
    { "--force", "Fetches the log anew even if it is there." } },
})
options.once(parser)

local function public_name(year)
  return ("ANL-ALCF-DJC-MIRA_%d%s_%d1231.csv.gz"):format(year, FIRST_DAY[year] or "0101", year)
end

-- --- checking -----------------------------------------------------------------------------------

-- The message of orrery.read without the file's name, which the user does not know.
local function without_path(problem, path)
  if problem:sub(1, #path) ~= path then return problem end
  return (problem:sub(#path + 1):gsub("^:(%d+)", "line %1"):gsub("^: ", ""))
end

local function is_gzip(path)
  local file, problem = io.open(path, "rb")
  local magic
  if file then
    magic, problem = file:read(2)
    file:close()
  end
  if problem then command.fail("cannot read %s: %s", path, (problem:gsub("^.*: ", ""))) end
  return magic == "\x1f\x8b"
end

local function count_queued(days, year)
  local count = 0
  for _, day in ipairs(days) do
    if day.day:sub(1, 4) == tostring(year) then count = count + #day.jobs end
  end
  return count
end

local function has_month(days, month)
  for _, day in ipairs(days) do
    if day.day:sub(1, 7) == month then return true end
  end
  return false
end

-- The problem of the jobs; nil: none. A year's file has the jobs that ended in it, so some of them
-- were queued the year before.
local function check_jobs(year, log, days)
  local queued = count_queued(days, year)
  if queued < 0.9 * #log then
    return ("only %d of its %d jobs were queued in %d"):format(queued, #log, year)
  elseif #log < LEAST_JOBS then
    return ("it has %d jobs, and a year has thousands"):format(#log)
  end
  for _, month in ipairs { FIRST_MONTH[year] or "01", LAST_MONTH[year] or "12" } do
    month = ("%d-%s"):format(year, month)
    if not has_month(days, month) then return "no job was queued in " .. month end
  end
end

-- The log and its days; or nil, nil and the problem of the file. The end of gzip data has a
-- checksum, so a file that can be read to its end is complete and undamaged.
local function check(year, path)
  if not is_gzip(path) then return nil, nil, "it is not compressed with gzip" end
  local ok, log = pcall(orrery.read, path)
  if not ok then
    if orrery.tools.interrupted() then error(log, 0) end
    return nil, nil, (without_path(tostring(log), path):gsub(", after %d+ .*", ""))
  elseif not log.origin or log.machine_procs ~= 49152 then
    return nil, nil, "it is a job log, but does not have the columns of Mira's"
  end
  local days = log:days()
  return log, days, check_jobs(year, log, days)
end

-- --- the command --------------------------------------------------------------------------------

local function hint(year)
  return ("If the page asks who you are, fetch %s with a browser from\n%s and then: orrery "
    .. "fetch-mira %d --from FILE"):format(public_name(year), PAGE, year)
end

local function check_arguments(given)
  for _, name in ipairs { "to", "url", "from" } do
    if given[name] == "" then command.misuse("--%s: expected a name, found nothing", name) end
  end
  options.exclude(given, "from", "url", "the file is here, or there")
end

-- The folder for the log, made if need be.
local function folder_for(given)
  local folder = given.to or orrery.tools.own_logs()
  if not folder then command.fail("there is no home folder (HOME is not set): give --to FOLDER") end
  return command.make_folder(folder)
end

local function fetch(given, path)
  if given.from then return download.copy(given.from, path), given.from end
  local url = given.url or BASE
  url = url .. (url:match "/$" and "" or "/") .. public_name(given.year)
  return download.fetch(url, path, hint(given.year)), url
end

local function say_how(got)
  if got.changed then
    print "note: another file than the one that was begun is there by now; it was fetched anew"
  elseif got.resumed and got.resumed > 0 then
    print(("note: %d bytes were there already, the download went on from them"):format(got.resumed))
  end
end

return command.new(parser, function(given)
  check_arguments(given)
  local path = ("%s/mira-%d.csv.gz"):format(folder_for(given), given.year)
  local shown = given.to and orrery.tools.quote(path) or "mira-" .. given.year
  if lfs.attributes(path) and not given.force then
    print(("%s is there already; --force fetches it anew"):format(path))
    return
  end
  local got, source = fetch(given, path)
  local log, days, problem = check(given.year, got.part)
  if problem then
    got:discard()
    command.fail("%s is not Mira's job log of %d: %s", source, given.year, problem)
  end
  got:keep()
  say_how(got)
  print(("%s: %d jobs, queued from %s to %s"):format(path, #log, days[1].day, days[#days].day))
  print(("replay it with: orrery replay %s --day %s"):format(shown, days[#days // 2].day))
end)
