-- untrusted: the option --untrusted, for policies of people who are not trusted.
--
-- A policy's sandbox has held against all known attacks; this is a second barrier. The command's
-- work is done in a child process that may read its log and compute
-- (bindings/support/confined.lua); this process writes the results.
local command = require "orrery.command.command"
local lfs = require "lfs"
local orrery = require "orrery"

local untrusted = {}

local HOURS, GIGABYTES = 24, 16

untrusted.OPTIONS = {
  { "--untrusted", "The policies are by somebody else: everything runs in a process without "
    .. "network and other programs, which writes the named files and nothing else. Where the "
    .. "system has no filter on system calls (seccomp) this is an error." },
  { "--untrusted-hours H", ("With --untrusted: processor time that the run may take, h (default: "
    .. "%d)."):format(HOURS), kind = "positive" },
  { "--untrusted-memory GB", ("With --untrusted: memory that the run may take (default: %d).")
    :format(GIGABYTES), kind = "positive" },
}

-- The paths that Lua, its libraries and the C library read.
local OF_SYSTEM = { "/usr", "/lib", "/lib64", "/etc/localtime", "/etc/ld.so.cache",
  "/sys/devices/system/cpu", "/proc/self", "/dev/null" }

-- Adds the paths that the options name.
local function add_files(list, value)
  if type(value) == "table" then
    for _, item in pairs(value) do add_files(list, item) end
  elseif type(value) == "string" then
    for _, path in ipairs { value, value:match "^(.-%.lua):" } do
      if lfs.attributes(path, "mode") then list[#list + 1] = path end
    end
  end
  return list
end

-- The paths that every command reads: those of Lua, and of Orrery in these folders.
function untrusted.paths_read(roots)
  local list = { table.unpack(OF_SYSTEM) }
  table.move(roots, 1, #roots, #list + 1, list)
  for place in (package.path .. ";" .. package.cpath):gmatch "[^;]+" do
    local folder = place:match "^(/[^?]+)/"
    if folder and lfs.attributes(folder, "mode") then list[#list + 1] = folder end
  end
  return list
end

-- Refuses options that have no effect without --untrusted.
function untrusted.check(given)
  for _, name in ipairs { "hours", "memory" } do
    if given["untrusted_" .. name] and not given.untrusted then
      command.misuse("--untrusted-%s says how far --untrusted goes; give --untrusted, too", name)
    end
  end
end

-- The options as typed words, for a command that starts another one.
function untrusted.words(given)
  local words = {}
  if given.untrusted then words[1] = "--untrusted" end
  for _, name in ipairs { "hours", "memory" } do
    local value = given["untrusted_" .. name]
    if value then
      words[#words + 1] = ("--untrusted-%s=%.17g"):format(name, value)
    end
  end
  return words
end

-- What does not hold where the system has no Landlock.
local function check_landlock(draws)
  if orrery.tools.confined().can_draw() then return end
  if (draws.gnuplot or 0) + (draws["rsvg-convert"] or 0) > 0 then
    command.fail "--untrusted: pictures need Landlock, which this kernel has not"
  end
  orrery.tools.complain "note: this kernel has no Landlock: the run can read all that you can read"
end

-- Calls f, with --untrusted in a child process; its result comes back as text. more:
--   writes     files that may be written
--   draws      see confined.run
--   reads_all  true: the files that f reads are unknown, and not limited
--   else_note  called with the reason where there is no filter, in place of an error; f then runs
--              in this process
function untrusted.run(given, more, f)
  untrusted.check(given)
  if not given.untrusted and not more.else_note then return f() end
  if given.untrusted and not more.reads_all then check_landlock(more.draws or {}) end
  local done, result = orrery.tools.confined().run({
    writes = more.writes, draws = more.draws, reads = not more.reads_all and add_files(
      untrusted.paths_read(orrery.tools.roots()), { given, "/dev/stdin" }) or nil,
    seconds = math.ceil(3600 * (given.untrusted_hours or HOURS)),
    memory = math.ceil((given.untrusted_memory or GIGABYTES) * 2 ^ 30),
  }, function() return command.call(f) end)
  if done then return result end
  if given.untrusted then
    command.fail("--untrusted: %s; nothing was run (without --untrusted the sandbox of policies "
      .. "alone stands between them and this machine)", result)
  end
  more.else_note(result)
  return f()
end

return untrusted
