-- Ctrl-C in long commands: it ends them; it is no fault of a policy and no failed cell.
local program = require "spec.support.program"

describe("Ctrl-C", function()
  local folder

  before_each(function() folder = program.folder() end)
  after_each(function() program.remove(folder) end)

  -- A command that gets it after a second says so, and nothing else that went wrong.
  local function interrupted(arguments)
    local command = ("cd '%s' && env -u LD_PRELOAD XDG_CONFIG_HOME=/nonexistent timeout "
      .. "--preserve-status -s INT 1 '%s' %s 2>&1; echo $?"):format(folder, program.path, arguments)
    -- `timeout` signals its child and then the group: where the second signal comes too soon, it
    -- ends the program at once, as a second Ctrl-C does. Then it is tried again.
    local text
    for _ = 1, 12 do
      local pipe = assert(io.popen(command))
      text = pipe:read "a"
      pipe:close()
      if text:find("orrery: interrupted\n", 1, true) then break end
      os.execute(("rm -rf '%s/out'"):format(folder))
    end
    assert.matches("orrery: interrupted\n", text, 1, true)
    assert.matches("%f[^\n]130\n", text)
    assert.is_nil(text:find("failed", 1, true), text)
    assert.is_nil(text:find("FAILS", 1, true), text)
  end

  it("ends a sweep, with one process and with several", function()
    program.write(folder, "grid.lua", [[
      local orrery = require "orrery"
      return { axes = { { "seed", { 1, 2, 3, 4 } } }, fixed = { policy = "easy", runs = 100000000,
        jobs = orrery.synthetic { count = 50 }, procs = 3000 } }
    ]])
    for threads = 1, 2 do
      interrupted("sweep grid.lua -o out --threads " .. threads)
    end
  end)

  it("ends the trials of a policy", function()
    program.write(folder, "mine.lua",
      "return { name = 'mine', priority = function(job) return job.time end }")
    interrupted "check mine.lua --runs 1000000"
  end)
end)
