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

-- What is said of BY_HAND, on 4 processors from MONDAY on, without notes.
waited_log.SAID = [[
4 jobs of 3 users, submitted 2002-07-29 22:00:00 to 2002-07-30 00:00:00 (2 h), on 4 processors
load: 0.021 of the machine was asked for, 0.021 ran meanwhile
at most 5 processors were in use at once, first at 2002-07-29 22:01:50
25.0% of the jobs take one processor, 75.0% take 1, 2, 4, 8 ... of them

                               jobs  mean     5%  median   95%  most
processors                        4     3   1.15       3  4.85     5
runtime, min                      4  1.46  0.125    1.25  3.08  3.33
walltime, min                     3  2.92  0.542    1.67  6.17  6.67
runtime / walltime                3  1.17   0.55       1   1.9     2
wait, as recorded, s              4  32.5    1.5      35    60    60
bounded slowdown, as recorded     4  1.28      1    1.15  1.75  1.83
time between submissions, min     3    40  0.217   0.667   107   119

submissions by hour (UTC)
  ▃▃                                          ██
  0           6           12          18
by weekday: Mon 75.0%, Tue 25.0%, Wed 0.0%, Thu 0.0%, Fri 0.0%, Sat 0.0%, Sun 0.0%

user  jobs  of the work  waited  mean wait    95%
1        2        66.7%   50.0%       30 s   57 s
2        1        33.3%  100.0%      1 min  1 min
3        1         0.0%  100.0%       10 s   10 s
]]

return waited_log
