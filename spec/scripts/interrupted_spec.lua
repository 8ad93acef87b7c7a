-- Ctrl-C in long commands: it ends them; it is no fault of a policy and no failed cell.
local program = require "spec.support.program"
local rounds = require "spec.support.rounds"

describe("Ctrl-C", function()
  local folder

  before_each(function() folder = program.folder() end)
  after_each(function() program.remove(folder) end)

  -- A command gets one, with all of its processes, as from a terminal, or what `signal` says; it
  -- says so, and nothing else that went wrong. The signal comes when so many processes of ours wait
  -- for it, and so many cells (none) are kept. (pgrep hangs under a sanitizer's runtime that is
  -- preloaded for busted.)
  local function interrupted(arguments, processes, signal, cells)
    local command = ([[cd '%s' && {
      XDG_CONFIG_HOME=/nonexistent setsid '%s' %s 2>&1 &
      trap "kill -KILL -$! 2>/dev/null" EXIT; trap exit TERM
      until [ $(pgrep -x orrery -g $! | sed "s,.*,/proc/&/status," |
          xargs grep -ls "^SigCgt:.*[2367abef]$" | wc -l) -ge %d ]; do sleep 0.05; done
      until [ $(ls out/cells 2>/dev/null | wc -l) -ge %d ]; do sleep 0.05; done
      sleep 0.1; kill %s$!; wait $!; echo $?
      for i in $(seq 200); do
        pgrep -x orrery -g $! | sed "s,.*,/proc/&/status," | xargs -r grep -ls "^State:.[^Z]" >left
        [ -s left ] || exit; sleep 0.05
      done
      cat left; }]]):format(folder, program.path, arguments, processes, cells or 0,
      signal or "-INT -")
    local pipe = assert(io.popen(("env -u LD_PRELOAD timeout 120 sh -c '%s'"):format(
      command:gsub("'", "'\\''"))))
    local text = pipe:read "a"
    pipe:close()
    assert.matches("orrery: interrupted\n", text, 1, true)
    assert.matches("%f[^\n]130\n$", text) -- and none of its processes is left
    assert.is_nil(text:find("failed", 1, true), text)
    assert.is_nil(text:find("FAILS", 1, true), text)
    return text
  end

  it("ends a sweep, with one process and with several #long", function()
    program.write(folder, "grid.lua", [[
      local orrery = require "orrery"
      return { axes = { { "seed", { 1, 2, 3, 4 } } }, fixed = { policy = "easy", runs = 5000000,
        jobs = orrery.synthetic { count = 50 }, procs = 3000 } }
    ]])
    for threads = rounds(1, 1, 2), 2 do
      interrupted("sweep grid.lua -o out --threads " .. threads, threads == 1 and 1 or threads + 1)
      os.execute(("rm -rf '%s/out'"):format(folder))
    end
  end)

  it("says once what is kept of a sweep and how it goes on, and what it found #long", function()
    local grid = [[
      local orrery = require "orrery"
      return { axes = { { "seed", { 1, 2, 3, 4 } } }, fixed = { policy = "easy", procs = 3000 },
        cell = function(point)
          local slow = point.seed >= 3 and not io.open "fast"
          return { jobs = orrery.synthetic { count = 50 }, runs = slow and 5000000 or 5 }
        end, metrics = { "ratio" } }
    ]]
    for threads = 1, rounds(2, 2, 1) do
      program.write(folder, "grid.lua", grid)
      local arguments = "sweep grid.lua -o out --threads " .. threads
      local text = interrupted(arguments, threads == 1 and 1 or threads + 1, nil, 2)
      assert.equal("orrery: interrupted\n2 of 4 cells are kept; `orrery " .. arguments
        .. "` goes on\n130\n", text)
      program.write(folder, "fast", "")
      assert.same({ 0, "2 of 4 cells are there already, 2 to compute\n4 cells: out/results.csv\n",
        "" }, { program.run(folder, arguments) })
      os.execute(("rm -rf '%s/out' '%s/fast'"):format(folder, folder))
    end
  end)

  it("leaves no part of a schedule that is written while it is made", function()
    program.write(folder, "log.csv", "id,submit,procs,time\na,0,1,5\n")
    program.write(folder, "slow.lua", "return { dispatch = function() while true do end end }\n")
    program.write(folder, "s.csv", "as it was")
    interrupted("replay log.csv --procs 1 --policy ./slow.lua --schedule s.csv", 1)
    assert.equal("left log.csv s.csv slow.lua", program.listing(folder))
    assert.equal("as it was", program.read(folder .. "/s.csv"))
  end)

  it("that comes to the first process of a sweep alone ends the others #long", function()
    program.write(folder, "grid.lua", [[
      local orrery = require "orrery"
      return { axes = { { "seed", { 1, 2, 3, 4 } } }, fixed = { policy = "easy", runs = 5000000,
        jobs = orrery.synthetic { count = 50 }, procs = 3000 } }
    ]])
    for i, signal in ipairs(rounds(3, 3, 1) == 3 and { "-INT ", "-TERM ", "-TERM -" }
      or { "-TERM " }) do
      for _, threads in ipairs(rounds(2, 2, 1) == 2 and { 1, 3 } or { i == 1 and 1 or 3 }) do
        local arguments = "sweep grid.lua -o out --threads " .. threads
        assert.equal("orrery: interrupted\n0 of 4 cells are kept; `orrery " .. arguments
          .. "` goes on\n130\n", interrupted(arguments, threads == 1 and 1 or threads + 1, signal))
      end
    end
  end)

  it("is told by the first process of a sweep alone, wherever it reaches the others", function()
    program.write(folder, "endless.lua", [[
      local process = io.open("/proc/self/stat"):read "n"
      local file = io.open("begun", "w")
      file:write(process, "\n")
      file:close()
      while true do end
    ]])
    for worker, said in pairs { [""] = "orrery: interrupted\n130\n",
      ["ORRERY_WORKER=1"] = "130\n" } do
      local pipe = assert(io.popen(([[cd '%s' && rm -f begun && {
        { env -u LD_PRELOAD %s '%s' endless.lua 2>&1; echo $?; } &
        until [ -s begun ]; do sleep 0.05; done
        kill -INT $(cat begun); wait; }]]):format(folder, worker, program.path)))
      assert.equal(said, pipe:read "a")
      pipe:close()
    end
  end)

  it("in a terminal erases the progress of a sweep, and says what is kept #long", function()
    program.write(folder, "grid.lua", [[
      local orrery = require "orrery"
      return { axes = { { "seed", { 1, 2, 3, 4 } } }, fixed = { policy = "easy", procs = 3000 },
        cell = function(point)
          return { jobs = orrery.synthetic { count = 50 },
            runs = point.seed >= 3 and 5000000 or 5 }
        end, metrics = { "ratio" } }
    ]])
    for threads = rounds(1, 1, 2), 2 do
      local arguments = "sweep grid.lua -o out --threads " .. threads
      local pipe = assert(io.popen(([[cd '%s' && rm -rf out && {
        until grep -qs 2/4 shown; do sleep 0.05; done
        printf '\003'; } | env -u LD_PRELOAD XDG_CONFIG_HOME=/nonexistent timeout 120 \
        script -qefc "'%s' %s" shown; echo $?; rm shown]]):format(folder, program.path, arguments)))
      local text = pipe:read "a"
      pipe:close()
      -- the terminal shows what was typed; each number of cells is written over the one before
      assert.equal("\r\27[K0/4 cells\r\27[K1/4 cells\r\27[K2/4 cells^C\r\27[Korrery: "
        .. "interrupted\r\n2 of 4 cells are kept; `orrery " .. arguments .. "` goes on\r\n130\n",
        (text:gsub(", about [^\r]- left", "")))
    end
  end)

  it("in a terminal ends conform, though a simulator runs in a group of its own", function()
    local pipe = assert(io.popen(([[cd '%s' && {
      until grep -qs 'fcfs ...' shown; do sleep 0.05; done
      printf '\003'; } | env -u LD_PRELOAD XDG_CONFIG_HOME=/nonexistent timeout 30 \
      script -qefc "'%s' conform --case all-nodes-fail --policy fcfs --command 'sleep 50; exit 77'"\
      shown; echo $?]]):format(folder, program.path)))
    local text = pipe:read "a"
    pipe:close()
    assert.equal("\r\27[Kall-nodes-fail, fcfs ...^C\r\27[Korrery: interrupted\r\n130\n", text)
  end)

  it("counts what is kept of a sweep to the last cell #long", function()
    program.write(folder, "grid.lua", [[
      local orrery = require "orrery"
      local seeds = {}
      for i = 1, 2000 do seeds[i] = i end
      return { axes = { { "seed", seeds } }, fixed = { policy = "easy", procs = 3000, runs = 300,
        jobs = orrery.synthetic { count = 60 }, errors = { mean_probability = 0.1 } } }
    ]])
    for _ = 1, rounds(3, 3, 1) do
      local text = interrupted("sweep grid.lua -o out --threads 2", 3)
      local _, kept = program.listing(folder .. "/out/cells"):gsub("%x+", "")
      assert.matches(("\n%d of 2000 cells are kept; "):format(kept), text)
    end
  end)

  it("ends the trials of a policy", function()
    program.write(folder, "mine.lua",
      "return { name = 'mine', priority = function(job) return job.time end }")
    interrupted("check mine.lua --runs 1000000", 1)
  end)
end)
