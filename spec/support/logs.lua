-- Logs of real machines, which are not part of this repository. They lie in the folder that
-- ORRERY_TRACES names (without it: ../shared/traces).
local lfs = require "lfs"

local logs = {}

-- The place of the log. `pending` is busted's function, which a spec has while it runs: where there
-- is no such log it skips the spec and says which file is missing.
function logs.path(name, pending)
  local folder = os.getenv "ORRERY_TRACES" or "../shared/traces"
  local path = ("%s/%s"):format(folder:gsub("^[^/]", lfs.currentdir() .. "/%0"), name)
  if not lfs.attributes(path) then
    pending(("the log %s is not in %s; ORRERY_TRACES names its folder"):format(name, folder))
  end
  return path
end

return logs
