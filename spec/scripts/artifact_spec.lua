-- `orrery artifact`: what is packed, that it is verified elsewhere, and what is refused.
local dkjson = require "dkjson"
local lfs = require "lfs"
local program = require "spec.support.program"
local rounds = require "spec.support.rounds"

local LOG = "id,submit,procs,time\na,0,2,10\nb,0,1,4\nc,1,3,5\n"
local MINE = "return { name = 'mine', priority = function(job) return -job.time end }\n"
local COMMANDS = [[
# what is shown
orrery replay log.csv --procs 4 --policy easy --priority ./mine.lua --csv out/numbers.csv # why
./orrery generate synthetic --count 40 --procs 1 8 --time 10 999 -o jobs.csv

compare jobs.csv --procs 8 --batch --policy 'easy' --priority mine.lua --priority spt --json o.json
]]

local folder

local function run(arguments) return program.run(folder, "artifact " .. arguments) end

local function good(arguments)
  local status, out, err = run(arguments)
  assert.same({ 0, "" }, { status, err }, out)
  return out
end

local function refused(arguments, status, pattern)
  local before = program.listing(folder)
  local found, _, err = run(arguments)
  assert.equal(status, found, err)
  assert.is_truthy(err:find(pattern, 1, true), ("expected %s in %s"):format(pattern, err))
  assert.equal(before, program.listing(folder))
end

local function change(name, f)
  local text = program.read(folder .. "/" .. name)
  program.write(folder, name, f(text))
end

-- After files of the artifact were changed by who made it.
local function sign(dir)
  assert(os.execute(("cd '%s/%s' && find . -type f ! -name SHA256SUMS -exec sha256sum {} + | "
    .. "sed 's, \\./, ,' > SHA256SUMS"):format(folder, dir)))
end

-- A specification that tries what the command must not do, and writes what came of it.
local GRID = [[
local orrery = require "orrery"
%s
return { axes = { { "policy", { "easy", "greedy" } } }, metrics = { "wait_mean" },
  fixed = { procs = 4, jobs = orrery.read "log.csv", priority = "./mine.lua" } }
]]

local HARM = [[
local lfs = require "lfs"
local open = assert(package.loadlib("./native_hole.so", "luaopen_native_hole"))
local hole, list = open(), {}
local function try(name, ...) list[#list + 1] = ("%s: %s"):format(name, (... or nil) and "yes") end
local function opens(path, mode)
  local file = io.open(path, mode)
  if file then file:close() end
  return file
end
local out = "FOLDER/"
try("make", opens(out .. "made", "w"))
try("append", opens(out .. "log.csv", "a"))
try("change", opens(out .. "log.csv", "r+"))
try("remove", os.remove(out .. "log.csv"))
try("move", os.rename(out .. "log.csv", out .. "made"))
try("move in", os.rename(out .. "secret", "moved"))
try("move out", os.rename("mine.lua", out .. "made"))
try("link", lfs.link(out .. "secret", "linked"))
try("folder", lfs.mkdir(out .. "made"))
lfs.touch(out .. "log.csv", 1, 1)
try("read", opens(out .. "secret"))
try("read users", opens "/etc/passwd")
try("read a program", opens "/proc/1/environ")
try("write", opens("own.txt", "w"))
try("draw", os.execute "echo plot x | gnuplot -e 'set terminal svg' - >/dev/null")
for _, name in ipairs { "touch own2", "/usr/bin/touch own2", "env touch own2", "chmod 777 own.txt",
  "cp /usr/bin/touch t && ./t own2" } do
  try(name, os.execute(name .. " 2>/dev/null"))
end
for _, name in ipairs { "connect_local", "kill_parent", "kill_thread_of_parent", "queue_signal",
  "trace_parent", "kernel_ring", "load_kernel_program", "new_namespace", "change_root",
  "change_mode", "become_somebody" } do
  list[#list + 1] = name .. ": " .. hole.try(name)
end
os.execute("sleep 298.717 >/dev/null 2>&1 </dev/null &")
local file = assert(io.open("found.txt", "w"))
file:write(table.concat(list, "\n"), "\n")
file:close()
]]

local FOUND = [[
make: nil
append: nil
change: nil
remove: nil
move: nil
move in: nil
move out: nil
link: nil
folder: nil
read: nil
read users: nil
read a program: nil
write: yes
draw: yes
touch own2: nil
/usr/bin/touch own2: nil
env touch own2: nil
chmod 777 own.txt: nil
cp /usr/bin/touch t && ./t own2: nil
connect_local: EPERM
kill_parent: EPERM
kill_thread_of_parent: EPERM
queue_signal: EPERM
trace_parent: EPERM
kernel_ring: EPERM
load_kernel_program: EPERM
new_namespace: EPERM
change_root: EPERM
change_mode: EPERM
become_somebody: done
]]

before_each(function()
  folder = program.folder()
  program.write(folder, "log.csv", LOG)
  program.write(folder, "mine.lua", MINE)
  program.write(folder, "commands.txt", (COMMANDS:gsub("out/", "")))
end)

after_each(function() program.remove(folder) end)

describe("orrery artifact", function()
  it("packs what another folder verifies", function()
    local out = good "make commands.txt -o pack --with-logs --title 'Short first' --about 'Why.'"
    assert.equal("wrote pack: 3 commands, each run twice; `orrery artifact verify pack` runs them "
      .. "again\n", out)
    assert.equal("commands.txt log.csv mine.lua pack", program.listing(folder))
    assert.equal("README.md SHA256SUMS artifact.json expected inputs",
      program.listing(folder .. "/pack"))
    assert.equal("log.csv mine.lua", program.listing(folder .. "/pack/inputs"))
    assert.equal("jobs.csv numbers.csv o.json",
      program.listing(folder .. "/pack/expected/files"))
    -- by hand: b (4 s) starts at 0 beside a; c (3 processors) waits until a has ended, at 10
    assert.is_truthy(program.read(folder .. "/pack/expected/printed/1.txt")
      :find("makespan%s+15 s"))
    local page = program.read(folder .. "/pack/README.md")
    for _, text in ipairs { "# Artifact: Short first", "\nWhy.\n", "| `mine.lua` | ",
      "orrery replay log.csv --procs 4 --policy easy --priority ./mine.lua --csv numbers.csv" } do
      assert.is_truthy(page:find(text, 1, true), text)
    end
    assert(os.execute(("cd '%s' && rm log.csv mine.lua && mkdir away && mv pack away && "
      .. "cd away/pack && sha256sum --quiet -c SHA256SUMS"):format(folder)))
    assert.is_truthy(good("verify away/pack"):find("verified: 3 commands, 6 files, all equal\n", 1,
      true))
    assert.equal("away commands.txt", program.listing(folder))
  end)

  it("has the checksum of a log that is not packed, and asks for the file #long", function()
    good "make commands.txt -o pack"
    assert.equal("mine.lua", program.listing(folder .. "/pack/inputs"))
    refused("verify pack", 2, "log.csv is not packed, and not in pack/outside (--outside DIR); "
      .. "expected a file with SHA-256 ")
    assert.is_truthy(good("verify pack --outside ."):find("log.csv: as it was", 1, true))
    program.write(folder, "log.csv", LOG .. "d,2,1,1\n")
    refused("verify pack --outside .", 2, "./log.csv: expected a file with SHA-256 ")
  end)

  it("takes files from elsewhere by their last name #long", function()
    lfs.mkdir(folder .. "/far")
    os.rename(folder .. "/mine.lua", folder .. "/far/mine.lua")
    program.write(folder, "commands.txt", ("replay %s/log.csv --procs 4 --policy easy "
      .. "--priority=far/../far/mine.lua\n"):format(folder))
    good "make commands.txt -o pack"
    local artifact = dkjson.decode(program.read(folder .. "/pack/artifact.json"))
    assert.same({ "replay", "log.csv", "--procs", "4", "--policy", "easy", "--priority=mine.lua" },
      artifact.commands[1].words)
    good "verify pack --outside ."
  end)

  it("packs what specifications name, and has checksums of their logs #long", function()
    program.write(folder, "orrery", "the module's name is no file's")
    lfs.mkdir(folder .. "/far")
    program.write(folder, "far/jobs.csv", LOG)
    program.write(folder, "grid.lua", [[
local orrery = require "orrery"
return { axes = { { "policy", { "easy", "greedy" } } }, metrics = { "wait_mean" },
  fixed = { procs = 4, jobs = orrery.read "far/jobs.csv", priority = "./mine.lua" } }
]])
    program.write(folder, "commands.txt", "sweep grid.lua -o results\n")
    good "make commands.txt -o pack"
    assert.equal("grid.lua mine.lua", program.listing(folder .. "/pack/inputs"))
    good "verify pack --outside ."
    good "make commands.txt -o with --with far/jobs.csv"
    assert.equal("far grid.lua mine.lua", program.listing(folder .. "/with/inputs"))
    good "verify with"
    program.write(folder, "grid.lua", "return { jobs = '/etc/passwd' }")
    refused("make commands.txt -o other", 2, "grid.lua: expected files below this folder, for its "
      .. "text stays as it is; found '/etc/passwd'")
  end)

  it("does not take what a command wrote before for what one reads #long", function()
    program.write(folder, "jobs.csv", "this is no log\n")
    program.write(folder, "o.json", "{}")
    good "make commands.txt -o pack --with-logs"
    assert.equal("log.csv mine.lua", program.listing(folder .. "/pack/inputs"))
  end)

  it("says which line of an output differs, and keeps what came out #long", function()
    good "make commands.txt -o pack --with-logs"
    change("pack/inputs/mine.lua", function(text) return (text:gsub("%-job", "job")) end)
    refused("verify pack", 2,
      "pack/inputs/mine.lua: expected the file that was packed, found another")
    sign "pack"
    local status, out, err = run "verify pack --keep found"
    assert.equal(1, status)
    assert.matches("printed/3.txt: differs\n  line ", out, 1, true)
    assert.matches("of the outputs differ; what came out here is in found", err, 1, true)
    assert.equal("files printed", program.listing(folder .. "/found"))
  end)

  it("does not compare what differs between two runs, and says so #long", function()
    local check = ("check mine.lua --runs %d\n"):format(rounds(2, 2, 1))
    program.write(folder, "commands.txt", check .. "log log.csv\n")
    good "make commands.txt -o pack --with-logs"
    assert.is_truthy(program.read(folder .. "/pack/README.md"):find("| `printed/1.txt` | varies",
      1, true))
    assert.is_truthy(good("verify pack"):find("2 commands, 1 files", 1, true))
    program.write(folder, "commands.txt", check)
    refused("make commands.txt -o other", 1, "no output was equal in two runs")
  end)

  it("leaves nothing where a command fails", function()
    program.write(folder, "commands.txt", "log log.csv\nreplay log.csv --policy easy\n")
    refused("make commands.txt -o pack", 2, "commands.txt:2: orrery replay log.csv --policy easy "
      .. "ended with status 2:\n")
  end)

  for _, case in ipairs {
    { "log log.csv\nlog log.csv | head", "commands.txt:2:13: expected a plain word, or one in "
      .. "quotes, found '|', which is for a shell" },
    { "log 'log.csv", "commands.txt:1:5: expected a closing ', found the end of the line" },
    { 'log "$LOG"', "commands.txt:1:5: expected plain text in \"quotes\", found '$', which" },
    { "serve", "commands.txt:1: expected one of the commands check, compare, " },
    { "replay log.csv --nosuch", "commands.txt:1: unknown option '--nosuch'" },
    { "replay log.csv --csv ../out.csv", "expected files below this folder, or files that are "
      .. "there, found '../out.csv'" },
    { "replay log.csv --csv=/nosuch/out.csv", "found '/nosuch/out.csv'" },
    { "# nothing", "commands.txt: expected a command per line, found none" },
    { "log log.csv\0", "commands.txt:1: expected text, found a control character" },
  } do
    it("refuses " .. case[1]:gsub("%c", " "), function()
      program.write(folder, "commands.txt", case[1] .. "\n")
      refused("make commands.txt -o pack", 2, case[2])
    end)
  end

  it("refuses folders that are there, files that are not, and two of one name", function()
    refused("make commands.txt", 2, "-o: which folder?")
    refused("make commands.txt -o mine.lua", 2, "-o mine.lua: is there already")
    refused("make commands.txt -o no/pack", 2, "-o no/pack: there is no folder no")
    refused("make nosuch.txt -o pack", 2, "cannot read nosuch.txt")
    refused("make commands.txt -o pack --with nosuch", 2, "--with nosuch: there is no such file")
    refused("verify nosuch", 2, "nosuch: expected an artifact's folder")
    lfs.mkdir(folder .. "/far")
    program.write(folder, "far/mine.lua", MINE)
    program.write(folder, "commands.txt", ("replay log.csv --procs 4 --priority mine.lua\n"
      .. "replay log.csv --procs 4 --priority %s/far/mine.lua\n"):format(folder))
    refused("make commands.txt -o pack", 2, "would both be mine.lua")
  end)

  it("runs nothing of a folder that was made to do harm #long", function()
    good "make commands.txt -o pack --with-logs"
    local plain = program.read(folder .. "/pack/artifact.json")
    local function with(change_it, pattern)
      local artifact = dkjson.decode(plain)
      change_it(artifact)
      program.write(folder, "pack/artifact.json", dkjson.encode(artifact))
      sign "pack"
      refused("verify pack", 2, pattern)
    end
    with(function(a) a.commands[1].words = { "-e", "os.exit(0)" } end,
      "expected one of the commands")
    with(function(a) a.commands[1].words[2] = "/etc/passwd" end, "found '/etc/passwd'")
    with(function(a) a.commands[1].words[2] = "--users=../../x" end, "found '../../x'")
    for _, words in ipairs { { "-o/tmp/x" }, { "-o../x" }, { "-o", "/tmp/x" },
      { "--output=/tmp/x" }, { "--output", "/tmp/x" }, { "-oa/../../x" } } do
      with(function(a) a.commands[2].words = { "generate", "synthetic", table.unpack(words) } end,
        "expected files below this folder, or files that are there, found '")
    end
    with(function(a) a.commands[2].words = { "search", "spec.lua", "-o", "x", "--propose",
      "touch harm" } end, "pack runs programs that are not Orrery's:\n"
      .. "  command 2, --propose: touch harm\n--programs runs them")
    with(function(a) a.commands[1].words[2] = 5 end, "expected words, found a number")
    with(function(a) a.files[1].name = "../mine.lua" end, "expected names of files below")
    with(function(a) a.outputs[1].path = "/etc/passwd" end, "expected names of files below")
    with(function(a) a.version = "9.9" end, "was made with Orrery 9.9; this is ")
    with(function(a) a.commands = 5 end, "expected a table as commands of the artifact")
    with(function(a) a.format = 2 end, "expected an artifact of format 1")
    program.write(folder, "pack/artifact.json", plain)
    assert.is_true(os.rename(folder .. "/pack/inputs/mine.lua", folder .. "/away.lua"))
    assert(lfs.link(folder .. "/away.lua", folder .. "/pack/inputs/mine.lua", true))
    sign "pack"
    refused("verify pack", 2, "pack/inputs/mine.lua: expected a file of this folder, found none")
    program.write(folder, "pack/artifact.json", "{")
    sign "pack"
    refused("verify pack", 2, "expected an artifact of format 1")
    os.remove(folder .. "/pack/SHA256SUMS")
    program.write(folder, "pack/artifact.json", plain)
    refused("verify pack", 2, "there is no SHA256SUMS")
  end)

  local it_plain = (os.getenv "ASAN_OPTIONS" or os.getenv "TSAN_OPTIONS") and function() end or it

  -- An artifact in pack/ whose specification holds this text.
  local function pack_with(text)
    program.write(folder, "grid.lua", GRID:format "")
    program.write(folder, "commands.txt", "sweep grid.lua -o results --threads 1\n")
    assert(os.execute(("cp build/spec/native_hole.so '%s'"):format(folder)))
    good "make commands.txt -o pack --with-logs --with native_hole.so"
    change("pack/inputs/grid.lua", function() return (GRID:format(text)) end)
    sign "pack"
  end

  it_plain("keeps commands from all but their folder and what draws #long", function()
    program.write(folder, "secret", "the secret")
    pack_with((HARM:gsub("FOLDER", folder)))
    local before, log = program.listing(folder), lfs.attributes(folder .. "/log.csv")
    local status, out, err = run "verify pack --keep kept"
    assert.equal(1, status, err) -- it wrote more than before
    assert.is_truthy(out:find("files/found.txt: differs\n  it did not come out where", 1, true),
      out .. err)
    assert.equal(FOUND, program.read(folder .. "/kept/files/found.txt"))
    assert.equal("files printed", program.listing(folder .. "/kept"))
    assert(os.execute(("rm -r '%s/kept'"):format(folder)))
    assert.equal(before, program.listing(folder))
    local now = lfs.attributes(folder .. "/log.csv")
    assert.same({ log.modification, log.size, log.mode },
      { now.modification, now.size, now.mode })
    assert.is_nil(os.execute("pgrep -x -f 'sleep 298.717' >/dev/null")) -- what it left behind
  end)

  it_plain("runs nothing where it cannot be confined, unless it is told to #long", function()
    pack_with "io.open('FOLDER/ran', 'w'):close()"
    change("pack/inputs/grid.lua", function(text) return (text:gsub("FOLDER", folder)) end)
    sign "pack"
    program.write(folder, "run.lua", "local way = table.remove(arg, 1)\n"
      .. "require('native_hole')['run_without_' .. way](table.unpack(arg))")
    for way, why in pairs { landlock = "this kernel cannot confine files %(Landlock%)",
      filters = "no filter of system calls can be set %(seccomp%): [%u%l ]+" } do
      local without = ("env LUA_CPATH_5_4='%s' lua5.4 run.lua %s"):format(package.cpath, way)
      local status, out, err = program.run(folder, "artifact verify pack", without)
      assert.equal(1, status)
      assert.matches("^orrery: the commands cannot be confined: " .. why .. "; nothing was run "
        .. "%(%-%-unconfined runs them with your rights%)\n$", err)
      assert.is_nil(out:find("1 of 1", 1, true))
      assert.is_false(program.exists(folder .. "/ran"))
      status, out, err = program.run(folder, "artifact verify pack --unconfined", without)
      assert.equal(1, status) -- the specification is another one than that of the results
      assert.matches("^orrery: not verified: %d of the outputs differ", err)
      assert.matches("1 of 1", out, 1, true)
      assert.is_true(os.remove(folder .. "/ran"))
    end
  end)

  it("verifies all kinds of commands, confined #long", function()
    program.write(folder, "grid.lua", GRID:format "")
    program.write(folder, "spec.lua", [[
local orrery = require "orrery"
local function draws(seed)
  local sets = {}
  for i = 1, 5 do
    sets[i] = { name = i, jobs = orrery.synthetic { count = 20, procs = { 1, 8 }, seed = seed,
      set = i } }
  end
  return { sets = sets }
end
return { policies = { "list", "easy" }, priorities = { "spt", "lpt" }, baselines = { "fcfs" },
  training = draws(1), validation = draws(2), testing = draws(3),
  fixed = { procs = 8, batch = true }, metric = "flow_mean", evaluations = 20 }
]])
    program.write(folder, "commands.txt", [[
sweep grid.lua -o results --threads 2 --plot sweep.png --x policy --y wait_mean --kind boxes
search spec.lua -o found --threads 2
compare log.csv --procs 4 --policy easy --policy greedy --runs 20 --q 0.1 --threads 2 --plot c.svg
replay log.csv --procs 4 --policy easy --priority mine.lua --gantt g.png --report r.html
replay log.csv --procs 4 --policy easy --priority mine.lua --untrusted --plot p.svg
replay --day 2019-06-14 --policy easy
check mine.lua --runs 2
log log.csv --report log.html
generate synthetic --count 40 --procs 1 8 --time 10 999 -o made.csv
]])
    good "make commands.txt -o pack --with-logs"
    assert.is_truthy(good("verify pack"):find("verified: 9 commands, ", 1, true))
  end)

  it("runs the programs of commands where told to, confined, and names them first #long", function()
    program.write(folder, "suite.sh", "echo >FOLDER/harm; touch here; exit 77\n")
    change("suite.sh", function(text) return (text:gsub("FOLDER", folder)) end)
    program.write(folder, "commands.txt", "conform --case back-to-back --command 'sh suite.sh'\n")
    good "make commands.txt -o pack --with suite.sh"
    assert.is_true(os.remove(folder .. "/harm"))
    refused("verify pack", 2, "  command 1, --command: sh suite.sh\n--programs runs them")
    assert.matches("programs:\n  command 1, %-%-command: sh suite.sh\n.*verified: 1 commands",
      good "verify pack --programs")
    assert.is_false(program.exists(folder .. "/harm"))
  end)
end)
