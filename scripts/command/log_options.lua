-- Reading a log, as every command does it that reads one.
local command = require "orrery.command.command"
local options = require "orrery.command.options"
local orrery = require "orrery"

local log_options = {}

log_options.FORMATS = "Job log: SWF, Mira's CSV, `sacct -P` of Slurm, Batsim's JSON, or plain CSV "
  .. "(id,submit,procs,runtime[,walltime,user,queue,partition,status]), also gzipped; a file, or a "
  .. "name such as mira-2019 (orrery fetch-mira 2019 fetches that)."

-- The log, without what the options leave out. A machine that is given (--procs) counts instead of
-- the log's own.
function log_options.log(given)
  local read = options.fields("module.ReadOptions", given)
  read.wide = given.wide or given.procs and "keep" or nil
  local ok, log = pcall(orrery.read, given.log, read)
  if ok then return log end
  local status = given.status and ("," .. given.status .. ",")
  if status and status:find(",,", 1, true) then command.misuse("--status: %s", log) end
  error(log, 0)
end

-- Refuses a log that leaves open how large the machine is, where nobody else says it.
function log_options.check_machine(log, given)
  if not given.procs and not log.machine_procs then
    command.fail("%s does not say how many processors the machine has: give --procs N", given.log)
  end
end

return log_options
