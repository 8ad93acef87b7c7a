-- shell: words for the shell.

local shell = {}

-- The text as one word that means nothing else to the shell.
function shell.quote(text)
  if text:match "^[%w_./+-]+$" then return text end
  return "'" .. text:gsub("'", "'\\''") .. "'"
end

return shell
