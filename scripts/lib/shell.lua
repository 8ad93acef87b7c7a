-- Words for the shell.
local shell = {}

-- The text as one word that means nothing else to the shell.
function shell.quote(text)
  return "'" .. text:gsub("'", "'\\''") .. "'"
end

return shell
