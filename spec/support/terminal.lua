-- A terminal in which specs type and see what is on the screen: tmux.
local PATIENCE = tonumber(os.getenv "PATIENCE") or 60 -- s until a text is missing

local terminal = {}

terminal.installed = os.execute "command -v tmux >/dev/null 2>&1" ~= nil

-- A terminal of its own, closed until t.tmux "new-session ... -s spec ..." opens it.
function terminal.new()
  -- busted gives specs that start in the same second the same random numbers
  local file = os.tmpname()
  local socket = "orrery-spec-" .. file:match "[^/]*$"
  local t = {}

  function t.tmux(arguments)
    -- a preloaded sanitizer is not for tmux; the program brings its own
    local command = ("env -u LD_PRELOAD tmux -L %s %s 2>&1"):format(socket, arguments)
    local pipe = assert(io.popen(command))
    local output = pipe:read "a"
    pipe:close()
    return output
  end

  -- The lines on the screen, with those that were cut at its edge joined.
  function t.screen() return "\n" .. t.tmux "capture-pane -p -J -t spec" end

  function t.keys(...)
    t.tmux("send-keys -t spec " .. table.concat({ ... }, " "))
  end

  function t.write_text(text)
    t.tmux(("send-keys -t spec -l -- '%s'"):format(text:gsub("'", "'\\''")))
  end

  -- Types a line; a key other than Enter may end it.
  function t.type_line(text, key)
    t.write_text(text)
    t.keys(key or "Enter")
  end

  -- Waits until found(screen) is true; the whole screen. `what` is missing otherwise.
  function t.wait_until(what, found)
    local shown
    local stop = os.time() + PATIENCE
    repeat
      shown = t.screen()
      if found(shown) then return shown end
      os.execute "sleep 0.03"
    until os.time() > stop
    error(("%s, but the screen is\n%s"):format(what, shown), 2)
  end

  -- Waits until the screen shows the text; the whole screen.
  function t.wait_for(text)
    return t.wait_until(("the screen does not show %q"):format(text), function(shown)
      return shown:find(text, 1, true)
    end)
  end

  -- Waits until what runs there has ended.
  function t.wait_until_left()
    t.wait_until("the program does not end", function()
      return not t.tmux("has-session -t spec"):match "^$"
    end)
  end

  function t.close()
    t.tmux "kill-server"
    os.remove(file)
  end

  return t
end

return terminal
