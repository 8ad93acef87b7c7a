-- text_or_file: the common end of functions with an optional path: they write their text there, or
-- return it.

local core = require "orrery.core"

-- A text, or a list of lines: written to the file, whole or not at all, or returned where path is
-- nil.
return function(given, path)
  local text = type(given) == "table" and table.concat(given, "\n") .. "\n" or given
  if not path then return text end
  core.write_file(path, text)
end
