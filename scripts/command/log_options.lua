-- Reading a log: the options of every command that reads one.
local command = require "orrery.command.command"
local orrery = require "orrery"

local log_options = {}

log_options.FORMATS = "Job log: SWF, Mira's CSV, `sacct -P` of Slurm, Batsim's JSON, or plain CSV "
  .. "(id,submit,procs,runtime[,walltime,user,queue,partition,status]), also gzipped; a file, or a "
  .. "name such as mira-2019 (orrery fetch-mira 2019 fetches that)."

-- argparse's options, to be put into a group.
function log_options.options(parser)
  return parser:option("--status", "Only jobs that ended so: one or more of completed, failed, "
      .. "cancelled, or whatever the log says, and unknown."):argname "S,S",
    parser:flag("--ran", "Leave out jobs that were cancelled before they ran."),
    parser:option("--wide", "Jobs wider than the machine of the log: an error (default), dropped, "
      .. "or kept."):choices { "error", "drop", "keep" },
    parser:option("--count", "What is a processor in a dump of sacct (default: CPUs, if they are "
      .. "there)."):choices { "cpus", "nodes" }
end

-- The log, without what the options leave out. A machine that is given (--procs) counts instead of
-- the log's own.
function log_options.log(given)
  local wide = given.wide or given.procs and "keep" or nil
  local options = { status = given.status, ran = given.ran, wide = wide, count = given.count }
  local ok, log = pcall(orrery.read, given.log, options)
  if ok then return log end
  local status = given.status and ("," .. given.status .. ",")
  if status and status:find(",,", 1, true) then command.misuse("--status: %s", log) end
  error(log, 0)
end

return log_options
