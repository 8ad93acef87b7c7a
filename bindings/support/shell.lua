-- shell: words for the shell.

local shell = {}

-- The text as one quoted word of the shell.
function shell.quote(text)
  if text:match "^[%w_./+-]+$" then return text end
  return "'" .. text:gsub("'", "'\\''") .. "'"
end

-- The contents of a file; raises errors.
function shell.contents(path)
  local file, problem = io.open(path, "rb")
  local text
  if file then
    text, problem = file:read "a"
    file:close()
  end
  if not text then error(("cannot read %s: %s"):format(path, problem:gsub("^.*: ", "")), 0) end
  return text
end

-- The output of a shell command, and whether it succeeds.
function shell.read(command)
  local pipe, problem = io.popen(command)
  local text
  if pipe then text, problem = pipe:read "a" end
  if not text then
    error(("cannot run %s: %s"):format(command:match "%S+", problem:gsub("^.*: ", "")), 0)
  end
  return text, pipe:close() == true
end

-- Whether a program is installed.
function shell.has(program)
  local found, how, status = os.execute(("command -v %s >/dev/null 2>&1 || exit 3"):format(program))
  if found or how == "exit" and status == 3 then return found == true end
  error(("cannot look for %s: no process can be started"):format(program), 0)
end

return shell
