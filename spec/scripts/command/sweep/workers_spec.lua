-- What the process of a sweep hears from its workers: here from a script in their place.
local orrery = require "orrery"
local temporary = require "spec.support.temporary"
local workers = require "orrery.command.sweep.workers"

-- What is reported, in any order, and why one stopped, where two workers say this in turn.
local function heard(said)
  local lines, executable = {}, orrery.tools.executable
  local stopped = temporary.file("worker", ("#!/bin/sh\n[ \"$*\" = 'sweep a b --worker' ] || exit\n"
    .. "cat <<'E'\n%s\nE\n"):format(said), function(path)
    assert(os.execute(("chmod +x '%s'"):format(path)))
    orrery.tools.executable = function() return path end
    local done, found = pcall(workers.run, {}, {}, {}, 2, { "a", "b" }, function(what, i, more)
      lines[#lines + 1] = ("%s %s %s"):format(what, i, more)
    end)
    orrery.tools.executable = executable
    assert(done, found)
    return found
  end)
  table.sort(lines)
  return lines, stopped
end

describe("the workers of a sweep", function()
  it("report cells with their seconds, and messages with their lines", function()
    local lines, stopped = heard("process\t999999999\t\ndone\t3\t0.25\n"
      .. "failed\t12\tone\\ntwo\\\\n, and \\\\\\n\tthree\nsomething else\ndone\tx\t1")
    assert.same({ "done 3 0.25", "done 3 0.25", "failed 12 one\ntwo\\n, and \\\n\tthree",
      "failed 12 one\ntwo\\n, and \\\n\tthree" }, lines)
    assert.is_nil(stopped)
  end)

  it("say why one cannot go on", function()
    local lines, stopped = heard "stopped\t0\tno room:\\nnone\nstopped\t0\tlater\ndone\t1\t2"
    assert.same({ "done 1 2", "done 1 2" }, lines)
    assert.equal("no room:\nnone", stopped)
  end)
end)
