-- A locale with a decimal comma, made for the specs; the system may have none.
--
-- comma(run): calls `run` in it and returns true, or false and why it cannot be made.

local native = require "native_rooms"

local NUMBERS = 'LC_NUMERIC\ndecimal_point ","\nthousands_sep "."\ngrouping 3;3\nEND LC_NUMERIC\n'

-- A locale of numbers alone is compiled at once; a whole one takes seconds.
local function make(folder)
  local source = folder .. "/numbers"
  local file <close> = assert(io.open(source, "w"))
  file:write(NUMBERS)
  file:close()
  local command = "localedef -c -i '%s' -f ANSI_X3.4-1968 '%s/comma' 2>&1"
  local pipe <close> = assert(io.popen(command:format(source, folder)))
  return (pipe:read "a")
end

return function(run)
  local folder = os.tmpname()
  os.remove(folder)
  assert(os.execute(("mkdir '%s'"):format(folder)))
  local said = make(folder)
  local entered = native.enter_locale(folder, "comma")
  local good, problem = true, nil
  if entered then good, problem = xpcall(run, debug.traceback) end
  native.leave_locale()
  os.execute(("rm -r '%s'"):format(folder))
  assert(good, problem)
  return entered, "no locale with a decimal comma: " .. said
end
