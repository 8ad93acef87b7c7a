-- A locale with a decimal comma, made for the specs where the system has none.
--
-- comma(run): calls `run` in it and returns true, or false and why it cannot be made.

local native = require "native_rooms"

local function make(folder)
  local command = ("localedef -i de_DE -f UTF-8 '%s/de_DE.UTF-8' 2>&1"):format(folder)
  local pipe <close> = assert(io.popen(command))
  return (pipe:read "a")
end

return function(run)
  local folder = os.tmpname()
  os.remove(folder)
  assert(os.execute(("mkdir '%s'"):format(folder)))
  local said = make(folder)
  local entered = native.enter_locale(folder, "de_DE.UTF-8")
  local good, problem = true, nil
  if entered then good, problem = xpcall(run, debug.traceback) end
  native.leave_locale()
  os.execute(("rm -r '%s'"):format(folder))
  assert(good, problem)
  return entered, "no locale with a decimal comma: " .. said
end
