-- Another commit of the project in build/against, built with the flags of the Makefile: for
-- programs that measure it beside this tree.
local worktree = {}

-- What a command prints, and whether it ended well.
function worktree.capture(command)
  local pipe = assert(io.popen(command .. " 2>&1", "r"))
  local text = pipe:read "a"
  return text, pipe:close()
end

function worktree.must(command)
  local text, good = worktree.capture(command)
  if not good then error(("%s: %s"):format(command, text), 0) end
  return text
end

function worktree.build(folder, targets)
  print("building " .. folder)
  worktree.must(("make -C '%s' -s %s"):format(folder, targets))
end

-- The folder of a commit, which is built there.
function worktree.of(commit, targets)
  local folder = "build/against/" .. commit:gsub("[^%w.-]", "_")
  if not worktree.capture(("git -C '%s' rev-parse"):format(folder)):match "^%s*$" then
    worktree.must(("git worktree add --force --detach '%s' '%s'"):format(folder, commit))
  end
  worktree.build(folder, targets)
  return folder
end

return worktree
