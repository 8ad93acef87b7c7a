-- program: functions that only the program has, not a plain interpreter with the module. The
-- program puts them here (commands.lua).
return {
  commands = function() return {} end, -- a list of { name =, path =, about = }
  parser = function() end,             -- of a command, by its name
  run = function() end,                -- runs the script in a file
  during = nil,                        -- where somebody looks: during(what, f) returns what
                                       -- f(show) does; show(done, total) shows the progress
  of_command = false,                  -- whether a command runs, and no script of the user's
}
