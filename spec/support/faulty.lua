-- Running the program where calls of the operating system fail: see faulty.c.
local program = require "spec.support.program"

local faulty = { ENOENT = 2, EIO = 5, EAGAIN = 11, EACCES = 13, ENOSPC = 28, ENOLCK = 37,
  ENOSYS = 38 }

-- The words that start a command whose calls fail: `fault` is "CALL N HOW", for files in the
-- folders of a list.
function faulty.command(report, fault, folders)
  return ("'%s' '%s' %s '%s'"):format(os.getenv "ORRERY_FAULTY" or "build/spec/faulty", report,
    fault, table.concat(folders, ","))
end

-- Whether this machine's kernel takes part; a container may refuse it.
function faulty.works()
  local report = os.tmpname()
  local _, _, status = os.execute("env -u LD_PRELOAD "
    .. faulty.command(report, "open 1000000 5", { "/nowhere" }) .. " true 2>/dev/null")
  os.remove(report)
  return status == 0
end

-- As program.run, where that fault happens to files in `folder` (and in the folders of the list
-- `more`). The fourth value has a line for each call that failed; empty: there was none.
function faulty.run(folder, fault, arguments, environment, more)
  local report = os.tmpname()
  local folders = { folder, table.unpack(more or {}) }
  local status, out, err = program.run(folder, arguments, environment,
    faulty.command(report, fault, folders))
  local failed = program.read(report)
  os.remove(report)
  return status, out, err, failed
end

return faulty
