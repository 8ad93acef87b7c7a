-- Reading a log, with the options of all commands that read one.
local command = require "orrery.command.command"
local lfs = require "lfs"
local options = require "orrery.command.options"
local orrery = require "orrery"
local progress = require "orrery.command.progress"

local log_options = {}

local LARGE = 20000000 -- bytes, of which reading takes long enough to be shown; they may be packed

log_options.FORMATS = "Job log: SWF, Mira's CSV, `sacct -P` or `sacct --json` of Slurm, Batsim's "
  .. "JSON or out_jobs.csv, a schedule, plain CSV "
  .. "(id, submit, procs, runtime, perhaps walltime, user, queue, partition, status), with "
  .. "--columns any CSV, or a format of scripts/formats (PBS, LSF, Grid Engine, HTCondor, Flux, "
  .. "OAR ...), also compressed (gzip, xz, bzip2, zstd); a file, or a name such as mira-2019 "
  .. "(orrery fetch-mira 2019 fetches that)."

-- The log, without the jobs that the options leave out. The size of the machine is --procs, else
-- the log's own.
function log_options.log(given)
  local read = options.fields("module.ReadOptions", given)
  read.pools, read.machine = given.pool, given.machine
  read.wide, read.procs = given.wide or given.procs and "keep" or nil, given.procs
  read.threads, read.timezone, read.origin = given.threads, given.timezone, given.origin
  given.origin = nil -- it is that of the log now
  local size = lfs.attributes(given.log, "size") or 0
  local ok, log
  if size > LARGE then
    ok, log = progress.doing(("reading %s, %d MB"):format(given.log, size // 1000000),
      orrery.tools.attempt, orrery.read, given.log, read)
  else
    ok, log = orrery.tools.attempt(orrery.read, given.log, read)
  end
  if ok then return log end
  if log.code == "argument" then command.misuse("%s", (log.message:gsub("^%l+: ", "--%0"))) end
  error(log.message, 0)
end

-- The number of dropped records for each reason, and the first of each: "2 x runtime unknown (the
-- first in line 9)".
local function reasons_of(records)
  local first, counts, reasons = {}, {}, {}
  for _, record in ipairs(records) do
    local reason = record.reason
    if not first[reason] then first[reason], reasons[#reasons + 1] = record, reason end
    counts[reason] = (counts[reason] or 0) + 1
  end
  for i, reason in ipairs(reasons) do
    local one = first[reason]
    local place = one.line > 0 and "in line " .. one.line or "job " .. one.id
    reasons[i] = ("%d x %s (the first %s%s)"):format(counts[reason], reason, place,
      one.detail and ": " .. one.detail or "")
  end
  return reasons
end

-- The records that cannot be read: those of a reason that comes with what is wrong.
local function unreadable(records)
  local is_bad, list = {}, {}
  for _, record in ipairs(records) do
    if record.detail then is_bad[record.reason] = true end
    if is_bad[record.reason] then list[#list + 1] = record end
  end
  return list
end

local function sentence_of(records)
  return #records > 0 and ("%d %s left out: %s"):format(#records,
    #records == 1 and "record of the log was" or "records of the log were",
    table.concat(reasons_of(records), ", ")) or nil
end

-- Prints which records of a log were left out, and why, and returns this sentence; nil: none were.
-- With --quiet only those that cannot be read are printed, to standard error.
function log_options.note_dropped(log, given)
  local all = log:dropped()
  local said = sentence_of(given.quiet and unreadable(all) or all)
  if said then (given.quiet and orrery.tools.complain or print)("note: " .. said) end
  return sentence_of(all)
end

-- Refuses a log without the size of the machine, unless the user gives it.
function log_options.check_machine(log, given)
  if not given.procs and not log.machine_procs then
    command.misuse("%s does not say how many processors the machine has: give --procs N", given.log)
  end
end

return log_options
