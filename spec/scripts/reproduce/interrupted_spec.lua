-- A reproduction that is killed goes on where it was with the same command.
local lfs = require "lfs"
local program = require "spec.support.program"
local rounds = require "spec.support.rounds"

local COMMAND = "reproduce redistribution --quick --figure 7 --figure 8 --figure 9 --seed 4 "
  .. "--out %s"

local function records(folder)
  local found = {}
  for sum in lfs.dir(folder) do
    if sum:match "^%x+$" then
      local cells = ("%s/%s/cells"):format(folder, sum)
      for name in lfs.dir(cells) do
        if name:match "^%d+$" then
          found[name] = lfs.attributes(cells .. "/" .. name, "ino")
        end
      end
    end
  end
  return found
end

describe("a reproduction that is killed", function()
  local top
  setup(function() top = program.folder() end)
  teardown(function() program.remove(top) end)

  -- Kills it when it has so many records; those that are there then.
  local function kill_at(count)
    local script = ([[
      cd '%s' || exit
      env -u LD_PRELOAD -u ORRERY_PATH '%s' %s >/dev/null 2>&1 &
      for i in $(seq 3000); do
        done=$(find killed/unfinished -regex '.*/cells/[0-9]+' 2>/dev/null | wc -l)
        [ "$done" -ge %d ] && break
        kill -0 $! 2>/dev/null || break
        sleep 0.01
      done
      kill -9 $! 2>/dev/null
      wait
    ]]):format(top, program.path, COMMAND:format "killed", count)
    program.write(top, "kill.sh", script)
    os.execute(("sh '%s/kill.sh' 2>/dev/null"):format(top))
    return records(top .. "/killed/unfinished")
  end

  it("computes nothing twice and gives the same files #long", function()
    assert.equal(0, (program.run(top, COMMAND:format "whole")))
    local before = {}
    for _, count in ipairs(rounds(2, 2, 1) == 2 and { 1, 3 } or { 2 }) do
      local now = kill_at(count)
      for name, inode in pairs(before) do assert.equal(inode, now[name]) end
      assert.is_truthy(next(now))
      before = now
    end
    assert.same({ 0 }, { (program.run(top, COMMAND:format "killed")) })
    assert.equal(program.listing(top .. "/whole"), program.listing(top .. "/killed"))
    for name in program.listing(top .. "/whole"):gmatch "%S+" do
      if name:match "%.csv$" and name ~= "times.csv" then
        assert.equal(program.read(top .. "/whole/" .. name),
          program.read(top .. "/killed/" .. name), name)
      end
    end
  end)
end)
