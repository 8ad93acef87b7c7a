-- claims: agreement between processes and machines that share a folder about who does what.
--
-- A claim is the lock of a byte of a file. The operating system releases the locks of a process
-- that dies: they are never stale. Some file systems have no locks (NFS without lockd, Lustre
-- without flock). There a claim is a file in a folder beside, NAME.GENERATION: only one process can
-- create it, and it touches the file every BEAT seconds. A claim is stale
--
--   of a process of this machine  when that process has ended
--   of another machine            when it was not touched for STALE seconds, by the clock of the
--                                 file system, not by those of the machines
--
-- A process that finds generation g stale takes the claim by creating generation g + 1, which again
-- only one process can do. Stale files stay until the claim is given back, so no process begins at
-- 0 meanwhile. When the folder exists, processes with locks take both. A process that slept for
-- longer than STALE may share a claim with the process that took it: so work under a claim may be
-- done twice.
local command = require "orrery.command.command"
local lfs = require "lfs"
local orrery = require "orrery"

local core = orrery.tools.claims

local claims = {}
claims.__index = claims

local BEAT, STALE = 10, 120
local FORGOTTEN = 3600 -- s; then a file of another machine is abandoned

-- Claims by the locks of the file at `path`, which `handle` has opened, or by files in `folder`.
function claims.new(handle, path, folder)
  return setmetatable({ handle = handle, path = path, folder = folder, held = {} }, claims)
end

-- --- files --------------------------------------------------------------------------------------

local function has_folder(self) return lfs.attributes(self.folder, "mode") == "directory" end

local function file_of(self, name, generation)
  return ("%s/%s.%d"):format(self.folder, name, generation)
end

-- Whether the holder of a claim has stopped working; nil: the claim is gone.
local function is_stale(path)
  local text = command.read_file(path)
  if not text then return nil end
  local state = core.state(text)
  if state ~= "elsewhere" then return state == "ended" end
  local age, problem = core.age(path)
  if age then return age > STALE end
  if lfs.attributes(path) then command.fail("cannot judge the claim %s: %s", path, problem) end
end

-- The result of core.hold for a file of claims. Another process that has finished may have removed
-- the folder.
local function create(self, path)
  local hold, problem = core.hold(path, BEAT)
  if hold == nil and not has_folder(self) then
    command.make_folder(self.folder)
    hold, problem = core.hold(path, BEAT)
  end
  if hold == nil then command.fail("cannot write %s: %s", path, problem) end
  return hold
end

local function take_file(self, name)
  local generation = 0
  while true do
    local path = file_of(self, name, generation)
    local hold = create(self, path)
    if hold then
      self.held[name] = { hold = hold, generation = generation }
      return true
    end
    local stale = is_stale(path)
    if stale == false then return false end
    if stale then generation = generation + 1 end
  end
end

local function give_file_back(self, name)
  local held = self.held[name]
  self.held[name] = nil
  -- a claim that was taken over while this process slept is no longer its own
  if not held or not held.hold:release() then return end
  for generation = 0, held.generation do os.remove(file_of(self, name, generation)) end
end

-- --- claims -------------------------------------------------------------------------------------

-- Takes the claim of that byte and name; returns whether this process has it now. It ends with the
-- process, or when it is given back.
function claims:take(byte, name)
  local locked, problem, no_locks = core.lock(self.handle, byte)
  if locked == false then return false end
  if locked == nil and not no_locks then
    command.fail("cannot lock %s: %s", self.path, problem)
  end
  if locked and not has_folder(self) then return true end
  if not locked then command.make_folder(self.folder) end
  local taken = take_file(self, name)
  if not taken and locked then core.unlock(self.handle, byte) end
  return taken
end

function claims:give_back(byte, name)
  give_file_back(self, name)
  core.unlock(self.handle, byte)
end

-- All is done: no process claims anything any more.
function claims:clear()
  if has_folder(self) then command.remove_folder(self.folder) end
end

-- --- temporary files ----------------------------------------------------------------------------

-- Whether the process that wrote a temporary file has been killed.
local function is_left_over(path, process)
  local state = core.state(process)
  if state ~= "elsewhere" then return state == "ended" end
  local age = core.age(path)
  return age ~= nil and age > FORGOTTEN
end

-- Removes from a folder the temporary files of killed processes: all, or only those of the file
-- `only`.
function claims.remove_left_over(folder, only)
  if lfs.attributes(folder, "mode") ~= "directory" then return end
  local list = {}
  for name in lfs.dir(folder) do
    local file, process = name:match "^(.*)%.(%x+%-%d+%-%x+)%.tmp$"
    if file and (only or file) == file then list[#list + 1] = { folder .. "/" .. name, process } end
  end
  for _, one in ipairs(list) do
    if is_left_over(one[1], one[2]) then os.remove(one[1]) end
  end
end

return claims
