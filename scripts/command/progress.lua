-- Progress of long work: one line on stderr, when that is a terminal.
local core = require "orrery.core"
local orrery = require "orrery"

local progress = {}

progress.quiet = false -- whether nothing is shown: with --quiet

local function say(text)
  io.stderr:write("\r\27[K", text)
  io.stderr:flush()
end

-- A function(done, total) that shows the progress, and one that erases the line; without a terminal
-- nil and a function that does nothing.
function progress.start(what)
  if progress.quiet or not orrery.tools.is_terminal(2) then return nil, function() end end
  local began = os.time()
  local function show(done, total)
    local spent = os.time() - began
    local left = ""
    if spent >= 1 and done > 0 and done < total then
      left = (", about %.3g/s, %s left"):format(done / spent,
        orrery.tools.span_text(math.ceil(spent * (total - done) / done)))
    end
    say(("%d/%d %s%s"):format(done, total, what, left))
  end
  return show, function() say "" end
end

-- What a protected call gave, after the line is erased.
local function erased(erase, done, ...)
  erase()
  if not done then error((...), 0) end
  return ...
end

-- The result of f(show); show as of `start`. The line is erased afterwards, also after an error.
function progress.during(what, f)
  local show, erase = progress.start(what)
  return erased(erase, pcall(f, show))
end

-- The result of f(...), of which nobody knows how far it is: the line says what is done.
function progress.doing(what, f, ...)
  local show, erase = progress.start(what)
  if show then say(core.harmless(what):gsub("%c", " ") .. " ...") end
  return erased(erase, pcall(f, ...))
end

-- The result of run(spec), where spec.progress is called from time to time.
function progress.run(what, run, spec)
  return progress.during(what, function(show)
    spec.progress = show
    if show then say(what .. " ...") end -- nobody knows how many there are
    return run(spec)
  end)
end

return progress
