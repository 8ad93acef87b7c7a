-- waited_log: logs that tell waits, walltimes and users, as SWF.
local orrery = require "orrery"
local program = require "spec.support.program"

local waited_log = {}

-- The jobs of an SWF.
function waited_log.read(text)
  local folder = program.folder()
  program.write(folder, "log.swf", text)
  local log = orrery.read(folder .. "/log.swf", { wide = "keep" })
  program.remove(folder)
  return log
end

-- An SWF of these jobs: { submit, wait, runtime, procs, walltime, user }; -1: unknown.
function waited_log.swf(jobs, procs, begins)
  local lines = { ("; MaxProcs: %d"):format(procs) }
  if begins then lines[2] = "; UnixStartTime: " .. begins end
  for i, j in ipairs(jobs) do
    lines[#lines + 1] = ("%d %d %d %d %d -1 -1 %d %d -1 1 %d -1 -1 -1 -1 -1 -1"):format(i, j[1],
      j[2], j[3], j[4], j[4], j[5], j[6])
  end
  return table.concat(lines, "\n") .. "\n"
end

-- A Monday, 22:00 UTC.
waited_log.MONDAY = 1027980000

-- On 4 processors: 0 to 100 on 2, 110 to 160 on 4, 100 to 300 on 1, and one that is too wide.
waited_log.BY_HAND = { { 0, 0, 100, 2, 100, 1 }, { 50, 60, 50, 4, 25, 2 },
  { 40, 60, 200, 1, 400, 1 }, { 7200, 10, 0, 5, -1, 3 } }

return waited_log
