-- text_or_file: the common end of functions with an optional path: they write their text there, or
-- return it.

local caller_error = require "orrery.support.caller_error"
local core = require "orrery.core"

-- A text, or a list of lines: written to the file, whole or not at all, or returned where path is
-- nil. An error names the caller's line.
return function(given, path)
  local text = type(given) == "table" and table.concat(given, "\n") .. "\n" or given
  if not path then return text end
  caller_error.checked(core.write_file, path, text)
end
