-- Progress of long work: one line on stderr, when that is a terminal.
local orrery = require "orrery"

local progress = {}

local function duration(seconds)
  if seconds < 90 then return ("%d s"):format(math.ceil(seconds)) end
  if seconds < 5400 then return ("%d min"):format(math.ceil(seconds / 60)) end
  return ("%.1f h"):format(seconds / 3600)
end

-- A function(done, total) that shows how far it is, and one that erases the line; nil and a
-- function that does nothing where nobody looks.
function progress.start(what)
  if not orrery.tools.is_terminal(2) then return nil, function() end end
  local began = os.time()
  local function show(done, total)
    local spent = os.time() - began
    local left = ""
    if spent >= 1 and done > 0 and done < total then
      left = ", about " .. duration(spent * (total - done) / done) .. " left"
    end
    io.stderr:write(("\r\27[K%d/%d %s%s"):format(done, total, what, left))
    io.stderr:flush()
  end
  return show, function() io.stderr:write("\r\27[K") end
end

return progress
