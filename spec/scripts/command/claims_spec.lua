-- Claims: one process alone has one, with the locks of the file system and without; those of
-- processes that have ended are taken over.
local faulty = require "spec.support.faulty"
local lfs = require "lfs"
local orrery = require "orrery"
local program = require "spec.support.program"
local rounds = require "spec.support.rounds"

package.path = program.home .. "/scripts/?.lua;" .. package.path
local claims = require "orrery.command.claims"
local core = orrery.tools.claims

local GRID = [[
local orrery = require "orrery"
return {
  axes = { { "policy", { "easy", "fcfs" } }, { "seed", { 1, 2, 3, 4, 5, 6 } } },
  fixed = { procs = 3000, runs = 5 },
  cell = function(point)
    local calls = io.open("calls", "a")
    calls:write(require "lfs".symlinkattributes("/proc/self", "target"), " ", point.policy, " ",
      point.seed, "\n")
    calls:close()
    return { jobs = orrery.synthetic { count = 40 } }
  end,
  metrics = { "ratio" },
}
]]

local folder

before_each(function() folder = program.folder() end)
after_each(function() program.remove(folder) end)

local function write(name, text) program.write(folder, name, text) end

-- What `hold` writes, by a process that has ended: of this machine, or of another one.
local function ended()
  local path = folder .. "/who"
  core.hold(path, 10):release()
  local machine, pid = program.read(path):match "^(%x+)%-(%d+)%-"
  os.remove(path)
  return ("%s-%s-1 here\n"):format(machine, pid), ("%08x-%s-1 elsewhere\n"):format(
    tonumber(machine, 16) ~ 1, pid)
end

local function age_file(name, seconds)
  assert(lfs.touch(folder .. "/" .. name, os.time() - seconds))
end

-- Claims by files, as where the file system has no locks: the folder is there.
local function by_files()
  local handle = assert(io.open(folder .. "/lock", "a+"))
  lfs.mkdir(folder .. "/claims")
  return claims.new(handle, folder .. "/lock", folder .. "/claims")
end

describe("what claims are made of:", function()
  it("a process is known by its machine, its number and its start", function()
    local hold = core.hold(folder .. "/own", 10)
    local text = program.read(folder .. "/own")
    assert.equal("alive", core.state(text))
    assert.is_true(hold:release())
    local gone, elsewhere = ended()
    assert.equal("ended", core.state(gone)) -- the number is used again, by this very process
    assert.equal("elsewhere", core.state(elsewhere))
    for _, odd in ipairs { "", "x", "12345678", "12345678-0-0", text:gsub("%-.*", "") } do
      assert.equal("elsewhere", core.state(odd))
    end
    -- one that ended a moment ago
    local pipe = assert(io.popen(("'%s' -e 'orrery.tools.claims.hold(%q, 10)' >/dev/null; cat '%s'")
      :format(program.path, folder .. "/other", folder .. "/other")))
    assert.equal("ended", core.state(pipe:read "a"))
    pipe:close()
  end)

  it("a file is created by one alone, and touched until it is released", function()
    local path = folder .. "/one"
    local hold = core.hold(path, 0.02)
    assert.is_false(core.hold(path, 10))
    age_file("one", 500)
    for _ = 1, 200 do
      if core.age(path) < 100 then break end
      os.execute "sleep 0.02"
    end
    assert.is_true(core.age(path) < 100)
    assert.is_true(hold:release())
    age_file("one", 500)
    os.execute "sleep 0.1"
    local age = core.age(path)
    assert.is_true(age > 499 and age < 510, age)
    assert.same({ nil, "No such file or directory" }, { core.age(folder .. "/none") })
    assert.same({ nil, "No such file or directory" }, { core.hold(folder .. "/none/x", 10) })
    assert.equal("one", program.listing(folder))
  end)

  it("a file has its text from the beginning, also if its process is killed", function()
    local MANY = rounds(3000, 3000, 300)
    write("hold.lua", [[
      repeat
        orrery.tools.claims.hold("x", 10):release()
        os.remove "x"
      until io.open "stop"
      io.open("end", "w"):close()]])
    assert(os.execute(("cd '%s' && env -u LD_PRELOAD '%s' ./hold.lua &"):format(folder,
      program.path)))
    local whole, ends = 0, os.time() + 120
    repeat
      local file = io.open(folder .. "/x", "rb")
      local text = file and file:read "a"
      if file then file:close() end
      assert.not_equal("", text)
      if text then whole = whole + 1 end
      if whole == MANY then write("stop", "") end
    until lfs.attributes(folder .. "/end") or os.time() > ends
    assert.is_true(whole >= MANY)
    assert.equal("end hold.lua stop", program.listing(folder))
  end)
end)

describe("a claim", function()
  it("by a file is stale as the rule says", function()
    local mine = by_files()
    local gone, elsewhere = ended()
    write("claims/a.0", gone)
    assert.is_true(mine:take(1, "a"))
    assert.equal("a.0 a.1", program.listing(folder .. "/claims"))
    mine:give_back(1, "a")
    assert.equal("", program.listing(folder .. "/claims"))
    for _, text in ipairs { elsewhere, "" } do -- no text: killed before it was written
      write("claims/b.0", text)
      assert.is_false(mine:take(2, "b"))
      age_file("claims/b.0", 100)
      assert.is_false(mine:take(2, "b"))
      age_file("claims/b.0", 125)
      assert.is_true(mine:take(2, "b"))
      assert.is_false(mine:take(2, "b")) -- and is alive from then on
      mine:give_back(2, "b")
    end
    assert.equal("", program.listing(folder .. "/claims"))
  end)

  it("that another took over is not given back by who slept", function()
    local slow = by_files()
    assert.is_true(slow:take(1, "a"))
    os.remove(folder .. "/claims/a.0") -- by who took it over, and is ready
    write("claims/a.0", "somebody's")
    slow:give_back(1, "a")
    assert.equal("a.0", program.listing(folder .. "/claims"))
    slow:clear()
    assert.equal("lock", program.listing(folder))
  end)

  it("that is stale is taken over by one alone", function()
    local gone, processes, names = ended(), 6, rounds(200)
    assert(lfs.mkdir(folder .. "/claims"))
    for i = 1, names do write(("claims/%d.0"):format(i), gone) end
    -- each is alive until all have tried
    write("take.lua", ([[
      local lfs = require "lfs"
      local claims = require "orrery.command.claims"
      local mine = claims.new(io.open(arg[1] .. ".lock", "a+"), "lock", "claims")
      local got = {}
      for i = 1, %d do
        if mine:take(1, tostring(i)) then got[#got + 1] = i end
      end
      io.open(arg[1] .. ".got", "w"):write(table.concat(got, "\n"), "\n"):close()
      for other = 1, %d do
        while not lfs.attributes(other .. ".got") do os.execute "sleep 0.01" end
      end]]):format(names, processes))
    assert(os.execute(("cd '%s' && for i in $(seq %d); do env -u LD_PRELOAD timeout 60 '%s' "
      .. "./take.lua $i & done; wait"):format(folder, processes, program.path)))
    local seen, count = {}, 0
    for i = 1, processes do
      for name in program.read(("%s/%d.got"):format(folder, i)):gmatch "%d+" do
        assert.is_nil(seen[name], name)
        seen[name], count = true, count + 1
      end
    end
    assert.equal(names, count)
  end)
end)

describe("a sweep", function()
  local LOCKED = "sweep grid.lua -o out --threads 1"

  before_each(function() write("grid.lua", GRID) end)

  -- A sweep where locks fail with that errno from the first on.
  local function swept_without_locks(errno, arguments)
    return faulty.run(folder, "lock 1+ " .. errno, arguments)
  end

  it("takes EAGAIN and EACCES for another process and names everything else", function()
    if not faulty.works() then return pending "the kernel lets no process answer for another" end
    for _, errno in ipairs { faulty.EAGAIN, faulty.EACCES } do
      local status, _, err = swept_without_locks(errno, LOCKED)
      assert.equal(1, status)
      assert.matches("^orrery: not complete: 12 of 12 cells are missing, 1%-12; another process "
        .. "computes them", err)
    end
    local status, out, err = swept_without_locks(faulty.EIO, LOCKED)
    assert.same({ 1, "", "orrery: cannot lock out/lock: Input/output error\n" },
      { status, out, err })
    status, out, err = swept_without_locks(faulty.EIO, "sweep grid.lua -o out --threads 2")
    assert.same({ 1, "", "orrery: cannot lock out/lock: Input/output error\n"
      .. "12 of 12 cells are missing, 1-12; the same command goes on\n" }, { status, out, err })
    assert.equal("cells lock manifest.json", program.listing(folder .. "/out"))
  end)

  it("goes on where the file system has no locks, and computes each cell once #long", function()
    if not faulty.works() then return pending "the kernel lets no process answer for another" end
    local known = program.run(folder, "sweep grid.lua -o known --threads 1")
    assert.equal(0, known)
    for _, errno in ipairs { faulty.ENOLCK, faulty.ENOSYS } do
      os.execute(("rm -rf '%s/out' '%s/calls'"):format(folder, folder))
      -- two sweeps at once; calls of their first processes come from the check before
      local word = faulty.command("/dev/null", ("lock 1+ %d"):format(errno), { folder })
      os.execute(("cd '%s' && for i in 1 2; do env -u LD_PRELOAD %s sh -c 'echo $$ >first-'$i'; "
        .. "exec \"%s\" sweep grid.lua -o out --threads 2' >said-$i 2>&1 & done; wait"):format(
        folder, word, program.path))
      local first, seen = {}, {}
      for i = 1, 2 do first[program.read(folder .. "/first-" .. i):match "%d+"] = true end
      for pid, cell in program.read(folder .. "/calls"):gmatch "(%d+) ([^\n]+)" do
        if not first[pid] then
          assert.is_nil(seen[cell], cell)
          seen[cell] = true
        end
      end
      -- one may have found the other's last cell under way; it is done when both have ended
      assert.equal(0, (swept_without_locks(errno, LOCKED)))
      assert.equal(program.read(folder .. "/known/results.csv"),
        program.read(folder .. "/out/results.csv"))
      assert.equal("cells lock manifest.json results.csv", program.listing(folder .. "/out"))
    end
  end)

  it("removes temporary files of killed processes, and of nobody else", function()
    assert.equal(0, program.run(folder, LOCKED))
    local gone, elsewhere = ended()
    gone, elsewhere = gone:match "%S+", elsewhere:match "%S+"
    local alive = orrery.tools.temporary "x"
    local function put(to)
      for _, name in ipairs { "a." .. gone .. ".tmp", "b." .. elsewhere .. ".tmp",
        "c." .. elsewhere .. ".tmp", alive, "mine.tmp" } do
        write(to .. name, "half")
      end
      age_file(to .. "c." .. elsewhere .. ".tmp", 3700)
    end
    put "out/"
    put "out/cells/"
    assert.equal(0, program.run(folder, LOCKED))
    local left = ("b.%s.tmp mine.tmp %s"):format(elsewhere, alive)
    for _, to in ipairs { "out/cells", "out" } do
      local names = program.listing(folder .. "/" .. to)
      local found = {}
      for name in names:gmatch "%S+" do
        if name:find "%.tmp$" then found[#found + 1] = name end
      end
      assert.equal(left, table.concat(found, " "))
    end
    -- outputs of a command: those of the same name
    write("o.csv." .. gone .. ".tmp", "half")
    write("p.csv." .. gone .. ".tmp", "half")
    assert.equal(0, program.run(folder, "replay --day 2019-06-14 --csv o.csv"))
    assert.is_false(program.exists(folder .. "/o.csv." .. gone .. ".tmp"))
    assert.is_true(program.exists(folder .. "/p.csv." .. gone .. ".tmp"))
  end)
end)
