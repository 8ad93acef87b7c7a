-- `orrery search`: what comes out, that it goes on where it was killed, and what it counts.
local dkjson = require "dkjson"
local lfs = require "lfs"
local orrery = require "orrery"
local program = require "spec.support.program"
local rounds = require "spec.support.rounds"

local SPEC = [[
local orrery = require "orrery"
local function draws(seed, count)
  local sets = {}
  for i = 1, count do
    sets[i] = { name = i, jobs = orrery.synthetic { count = 60, procs = { 1, 8 }, seed = seed,
      set = i } }
  end
  return { sets = sets }
end
return {
  policies = { { policy = "list", vary = { reservations = { most = 40 } } } },
  priorities = { "spt", "lpt", "saf", "la", "fcfs" }, baselines = { "fcfs", "easy" },
  training = draws(1, 20), validation = draws(2, 20), testing = draws(SEED, 20),
  fixed = { procs = 8, batch = true }, metric = "flow_mean", evaluations = 1500,
}
]]

local LONGER = SPEC:gsub("SEED", "3"):gsub("evaluations = %d+",
  "formulas = { policies = { 'easy', 'list' } }, evaluations = 4000")
local WHOLE = SPEC:gsub("SEED", "3"):gsub("1500", rounds(1500, 1500, 800))
SPEC = SPEC:gsub("1500", rounds(1500, 1500, 200))

local folder

local function search(arguments) return program.run(folder, "search " .. arguments) end

local function searched(arguments)
  local status, out, err = search(arguments)
  assert.same({ 0, "" }, { status, err })
  return out
end

before_each(function()
  folder = program.folder()
  program.write(folder, "spec.lua", (SPEC:gsub("SEED", "3")))
end)

after_each(function() program.remove(folder) end)

-- What was found, but for the time it took.
local function found_in(name)
  local text = program.read(("%s/%s/search.json"):format(folder, name))
  return (text:gsub('"seconds":[^,}]*', ""))
    .. program.read(("%s/%s/winner.lua"):format(folder, name))
end

-- Whether a process with this command runs. pgrep hangs under a preloaded sanitizer.
local function runs(pattern)
  return os.execute(("env -u LD_PRELOAD pgrep -x -f '%s' >/dev/null"):format(pattern)) ~= nil
end

describe("orrery search", function()
  it("writes what it found, the same for any number of threads", function()
    program.write(folder, "spec.lua", WHOLE)
    local out = searched "spec.lua -o one --threads 1 --json found.json --report found.html"
    assert.matches("^Found: ", out)
    assert.matches("\nwrote one/winner.lua: the candidate that was judged\n", out, 1, true)
    assert.equal("search.json winner.lua", program.listing(folder .. "/one"))
    local found = dkjson.decode(program.read(folder .. "/found.json"))
    assert.is_true(found.found)
    assert.matches("^list %+ spt:reservations=", found.winner.name)
    assert.is_truthy(program.read(folder .. "/found.html"):find(found.sentence, 1, true))
    for _, threads in ipairs(rounds(2, 2, 1) == 2 and { 2, 7 } or { 7 }) do
      local name = "threads-" .. threads
      searched(("spec.lua -o %s --quiet --threads %d"):format(name, threads))
      assert.equal(found_in "one", found_in(name))
    end
    local status = program.run(folder, "check one/winner.lua --runs 5")
    assert.equal(0, status)
  end)

  it("goes on where it was killed, and gives the same #long", function()
    program.write(folder, "spec.lua", LONGER)
    searched "spec.lua -o reference"
    local rng, kept = orrery.random(tonumber(os.getenv "ORRERY_SEED") or 1), 0
    local kills = tonumber(os.getenv "ORRERY_KILLS") or rounds(8, 8, 2)
    local inodes = {}
    local function look() -- no record is written again
      for unfinished in lfs.dir(folder .. "/out/unfinished") do
        local cells = ("%s/out/unfinished/%s/cells"):format(folder, unfinished)
        if unfinished:match "^%x+$" and lfs.attributes(cells) then
          for name in lfs.dir(cells) do
            local inode = name:match "^%d+$" and lfs.attributes(cells .. "/" .. name, "ino")
            assert.equal(inodes[name] or inode, inode)
            inodes[name] = inode
            kept = kept + (inode and 1 or 0)
          end
        end
      end
    end
    for _ = 1, kills do
      os.execute(("cd '%s'; env -u LD_PRELOAD '%s' search spec.lua -o out >said 2>&1 & it=$!; "
        .. "until [ -e out/unfinished/*/cells/0000001 ] || ! kill -0 $it 2>kill; do sleep 0.02; "
        .. "done; sleep %.3f; kill -9 $it 2>kill; wait"):format(folder, program.path,
        0.1 + 0.5 * rng:uniform()))
      if os.remove(folder .. "/out/search.json") then
        inodes = {} -- a fast machine was done before; the next search begins anew
      elseif lfs.attributes(folder .. "/out/unfinished") then
        look()
      end
    end
    assert.is_true(kept > 0, "nothing was kept before it was killed")
    local out = searched "spec.lua -o out"
    assert.matches("%d+ of %d+ steps were there already\n", out)
    assert.equal(found_in "reference", found_in "out")
    assert.equal("search.json winner.lua", program.listing(folder .. "/out"))
  end)

  it("searches redistribution policies, in shards too; the winner redistributes #long", function()
    program.write(folder, "spec.lua", [[
return {
  policies = { "end-greedy+shortest-tasks-first", { policy = "end-local+cautious-greedy",
    vary = { caution = { least = 0.1, most = 10, log = true } } } },
  baselines = { "none" }, training = { runs = 12 }, validation = { runs = 12 },
  testing = { runs = 30 }, metric = "makespan", evaluations = 300,
  fixed = { tasks = { n = 8 }, procs = 32, faults = { mtbf_years = 3 } },
}
]])
    assert.matches("^Found: ", searched "spec.lua -o one --threads 1 --report found.html")
    searched "spec.lua -o seven --threads 7 --quiet"
    assert.equal(found_in "one", found_in "seven")
    assert.matches("shard 1/2 is complete", searched "spec.lua -o shards --shard 1/2")
    assert.matches("steps were there already", searched "spec.lua -o shards")
    assert.equal(found_in "one", found_in "shards")
    local status, out = program.run(folder, "redistribute --n 8 --procs 32 --mtbf-years 3 "
      .. "--runs 30 --seed 3 --policy none --policy one/winner.lua --json made.json")
    assert.equal(0, status, out)
    local made = dkjson.decode(program.read(folder .. "/made.json"))
    local found = dkjson.decode(program.read(folder .. "/one/search.json"))
    assert.equal(found.testing.mean, made.policies[2].metrics.makespan.mean)
    assert.equal(0, (program.run(folder, "check one/winner.lua --runs 5")))
    program.write(folder, "spec.lua", "return { policies = { 'none' }, baselines = { 'none' }, "
      .. "metric = 'makespan', training = { tasks = { n = 3 } }, testing = { jobs = {} } }")
    local err
    status, out, err = search "spec.lua -o wrong"
    assert.same({ 2, "" }, { status, out })
    assert.matches("training has tasks and testing has jobs", err, 1, true)
  end)

  -- Starts shard i of n; the status of its shell is that of the shard.
  local function shard_line(i, n)
    return ("env -u LD_PRELOAD '%s' search spec.lua -o out --threads 1 --shard %d/%d")
      :format(program.path, i, n)
  end

  local function records()
    local inodes, count = {}, 0
    for name in lfs.dir(folder .. "/out/unfinished") do
      local cells = ("%s/out/unfinished/%s/cells"):format(folder, name)
      if name:match "^%x+$" and lfs.attributes(cells) then
        for cell in lfs.dir(cells) do
          if cell:match "^%d+$" then
            inodes[cell], count = lfs.attributes(cells .. "/" .. cell, "ino"), count + 1
          end
        end
      end
    end
    return inodes, count
  end

  it("gives the same in shards that share a folder, each step computed by one #long", function()
    searched "spec.lua -o reference --threads 1"
    for n = 2, rounds(3, 3, 2) do
      local line = ("cd '%s'; rm -rf out; "):format(folder)
      for i = 1, n do line = line .. ("%s >said-%d 2>&1 & "):format(shard_line(i, n), i) end
      os.execute(line .. "wait")
      local computed, all = 0, nil
      for i = 1, n do
        local said = program.read(("%s/said-%d"):format(folder, i))
        local one, steps = said:match(("^shard %d/%d is complete: (%%d+) of (%%d+) steps were "
          .. "computed here\n$"):format(i, n))
        assert.is_truthy(one, said)
        computed, all = computed + math.tointeger(one), math.tointeger(steps)
      end
      assert.equal(all, computed)
      assert.is_nil(lfs.attributes(folder .. "/out/search.json"))
      assert.matches(("%d of %d steps were there already\n"):format(all, all),
        searched "spec.lua -o out --threads 1")
      assert.equal(found_in "reference", found_in "out")
      assert.equal("search.json winner.lua", program.listing(folder .. "/out"))
    end
  end)

  it("gives the same however often one of two shards is killed, and keeps all #long", function()
    program.write(folder, "spec.lua", LONGER)
    searched "spec.lua -o reference"
    local rng = orrery.random(tonumber(os.getenv "ORRERY_SEED") or 1)
    local kills, known = tonumber(os.getenv "ORRERY_KILLS") or rounds(6, 6, 2), {}
    for kill = 1, kills do
      -- one is killed in the middle, then the other one, too
      os.execute(("cd '%s'; %s >said-1 2>&1 & a=$!; cd '%s'; %s >said-2 2>&1 & b=$!; "
        .. "sleep %.3f; kill -9 $%s; sleep %.3f; kill -9 $%s; wait"):format(folder,
        "exec " .. shard_line(1, 2), folder, "exec " .. shard_line(2, 2),
        0.1 + 0.4 * rng:uniform(), kill % 2 == 0 and "a" or "b", 0.2 * rng:uniform(),
        kill % 2 == 0 and "b" or "a"))
      if lfs.attributes(folder .. "/out/unfinished") then
        local inodes = records()
        for name, inode in pairs(known) do assert.equal(inode, inodes[name]) end -- none is anew
        known = inodes
      end
    end
    assert.is_true(next(known) ~= nil, "nothing was kept before it was killed")
    searched "spec.lua -o out --shard 2/2 --threads 1"
    local inodes, count = records()
    for name, inode in pairs(known) do assert.equal(inode, inodes[name]) end
    assert.matches(("^%d of %d steps were there already\n"):format(count, count),
      searched "spec.lua -o out")
    assert.equal(found_in "reference", found_in "out")
  end)

  it("writes the batch script of a job array, and says what is wrong before", function()
    local out = searched("spec.lua -o out --slurm --dry-run --array 3 --threads 2 --seed 7 "
      .. "--propose 'sh p.sh'")
    assert.matches("\n#SBATCH %-%-array=1%-3\n", out)
    assert.matches("search .*/spec%.lua %-o .*/out %-%-threads 2 .*%-%-seed=7.* "
      .. "'%-%-propose=sh p%.sh' %-%-shard \"%$SLURM_ARRAY_TASK_ID\"/3\n$", out)
    assert.is_nil(lfs.attributes(folder .. "/out"))
    for words, message in pairs {
      ["--shard 3/2"] = "%-%-shard: expected I/N with I from 1 to N, found '3/2'",
      ["--wait"] = "%-%-wait goes with %-%-slurm",
      ["--slurm --shard 1/2"] = "%-%-shard and %-%-slurm exclude each other",
    } do
      local status, _, err = search("spec.lua -o out " .. words)
      assert.equal(2, status)
      assert.matches(message, err)
    end
    program.write(folder, "spec.lua", "return { metric = 'flow_meen' }")
    local status, _, err = search "spec.lua -o out --slurm --dry-run"
    assert.equal(2, status)
    assert.matches("did you mean 'flow_mean'", err)
  end)

  it("does not count as there already what is of other jobs in a file #long", function()
    program.write(folder, "other.lua", (SPEC:gsub("SEED", "3")))
    program.write(folder, "spec.lua", "return dofile 'other.lua'")
    os.execute(("cd '%s'; env -u LD_PRELOAD '%s' search spec.lua -o out >said 2>&1 & it=$!; "
      .. "until [ -e out/unfinished/*/cells/0000004 ]; do sleep 0.01; done; kill -9 $it; "
      .. "wait"):format(folder, program.path))
    program.write(folder, "other.lua", (SPEC:gsub("SEED", "3"):gsub("draws%(1,", "draws(9,")))
    assert.is_nil(searched("spec.lua -o out"):find("there already", 1, true))
    searched "spec.lua -o reference"
    assert.equal(found_in "reference", found_in "out")
  end)

  it("says after Ctrl-C what is kept and how it goes on #long", function()
    os.execute(("cd '%s'; env -u LD_PRELOAD --default-signal=INT '%s' search spec.lua -o out "
      .. "--evaluations 100000 >said 2>err & it=$!; "
      .. "until [ -e out/unfinished/*/cells/0000003 ]; do sleep 0.02; done; "
      .. "kill -INT $it; wait $it; echo $? >status"):format(folder, program.path))
    assert.equal("130\n", program.read(folder .. "/status"))
    assert.matches("^orrery: interrupted\n%d+ steps? %l+ kept in out; `orrery search spec.lua "
      .. "%-o out %-%-evaluations 100000` goes on\n$", program.read(folder .. "/err"))
  end)

  it("counts how often testing samples were looked at #long", function()
    local LOOKED = "searches looked at these testing samples"
    local words, least = "spec.lua -o out --evaluations ", rounds(300, 300, 60)
    for _ = 1, 2 do -- the same search is no further look
      assert.is_nil(searched(words .. least):find(LOOKED, 1, true))
    end
    assert.matches("\nnote: 2 " .. LOOKED, searched(words .. least + 10 .. " --seed 2"))
    assert.matches("\nnote: 3 " .. LOOKED, searched(words .. least + 20 .. " --seed 3"))
    program.write(folder, "spec.lua", (SPEC:gsub("SEED", "4")))
    assert.is_nil(searched(words .. least):find(LOOKED, 1, true))
  end)

  it("has options before fields of the specification #long", function()
    searched "spec.lua -o out --evaluations 400 --finalists 2 --seed 9"
    local found = dkjson.decode(program.read(folder .. "/out/search.json"))
    assert.is_true(found.evaluations <= 400)
    assert.equal(2, #found.finalists)
    assert.equal(9, found.seed)
  end)

  it("says what is wrong with a specification", function()
    for text, message in pairs {
      ["return 5"] = "spec.lua: expected a file that returns a table, this one returns number",
      ["return { polices = {} }"] = "search: unknown field 'polices', did you mean 'policies'?",
      ["return {"] = "spec.lua:1: unexpected symbol near <eof>",
    } do
      program.write(folder, "spec.lua", text)
      local status, out, err = search "spec.lua -o out"
      assert.same({ 2, "" }, { status, out })
      assert.equal("orrery: " .. message, err:sub(1, #message + 8))
    end
    local status, _, err = search "spec.lua"
    assert.same({ 2, "orrery: -o: which folder? `orrery search SPEC.lua -o DIR`\n" },
      { status, err })
  end)

  local PROPOSED = [[
#!/bin/sh
# the n-th time it does the n-th thing
echo >>times
n=$(wc -l <times)
cat >asked-$n
good() {
  rule="return { priority = function(job) return -job.time - $n end }"
  echo "{ \"name\": \"good\", \"lua\": \"$rule\" }"
}
case $n in
  1) good
     echo '{ "name": "endless", "lua": "return { priority = function() while true do end end }" }'
     echo '{ "name": "reads", "lua": "return { priority = function() return #io.open(1) end }" }'
     echo '{ "name": "guesses",
       "lua": "return { priority = function(job) return job.secret end }" }' | tr -d '\n'
     echo
     echo '{ "name": "bytes", "lua": "\\u001bLua" }'
     echo '{ "name": "../../above", "lua": "return 5" }'
     echo '{ "lua": 17 }'
     echo 'thank you for asking' ;;
  2) head -c 100 /dev/urandom; seq 20 ;;
  3) sleep 60 ;;
  4) good; kill -9 $$ ;;
  5) echo 'no idea' >&2; exit 7 ;;
  6) yes '{ "lua": "return {" }' | head -n 100 ;;
  7) (sleep 41.717; good) & head -c 1000000 /dev/zero | tr '\0' '['; echo; good
     echo '{ "name": "talks", "lua": "return { priority = function() print(7) return 1 end }" }' ;;
  8) exec >&- ;;
  *) good ;;
esac
]]

  it("ends soon after a proposer that floods #long", function()
    program.write(folder, "spec.lua", (SPEC:gsub("SEED", "3"):gsub("  policies = .-\n", "")
      :gsub("priorities = .-}, ", "")))
    local floods = {
      { "yes", "it wrote more than 1000 lines; the others are not read" },
      { "yes >&2", "it ended with status 1: y" },
      { "tr '\\''\\0'\\'' '\\''['\\'' </dev/zero", "it has more than 1048576 bytes" },
    }
    for i = 1, rounds(3, 3, 1) do
      local flood, expected = table.unpack(floods[i])
      local status, out, err = program.run(folder, ("search spec.lua -o out --propose '%s' "
        .. "--propose-seconds 5 --rounds 2"):format(flood), nil, "timeout 120")
      assert.same({ 0, "" }, { status, err }, flood .. out)
      assert.is_truthy(out:find("failed: the proposer: " .. expected, 1, true)
        or out:find(expected, 1, true), out)
      os.execute(("rm -rf '%s/out'"):format(folder))
    end
  end)

  it("goes on whatever a proposer does, and says what happened #long", function()
    program.write(folder, "propose.sh", PROPOSED)
    program.write(folder, "spec.lua", (SPEC:gsub("SEED", "3"):gsub("  policies = .-\n", "")
      :gsub("priorities = .-}, ", "")))
    local out = searched("spec.lua -o out --propose 'sh propose.sh' --propose-seconds 3 --rounds 9 "
      .. "--evaluations " .. rounds(600, 600, 120))
    local found = dkjson.decode(program.read(folder .. "/out/search.json"))
    assert.matches("^easy %+ good%-%x+$", found.winner.name)
    assert.is_true(found.found)
    local said = {}
    for _, one in ipairs(found.failed) do said[#said + 1] = one.name .. ": " .. one.problem end
    said = table.concat(said, "\n")
    for _, part in ipairs { "easy %+ endless.-more than 5000000 instructions",
      "easy %+ reads.-has no global 'io'", "easy %+ guesses.-has no field 'secret'",
      "bytes.-attempt to load a binary chunk", "out/proposals/proposal%-%x+.lua: .-number",
      'the proposer: line 7: expected an object of JSON with "lua"',
      "the proposer: line 8: expected an object of JSON",
      "it took more than 3 s and was ended", "it ended with s%l+ %d+",
      "the proposer: %d+ more lines like these",
      "it ended with status 7: no idea", "unexpected symbol near <eof>",
      "the proposer: line 1: expected an object of JSON", "easy %+ talks.-print: nobody looks on",
      "the proposer: it proposed nothing in round 8" } do
      assert.matches(part, said)
    end
    assert.matches("\nfailed: %d+ more, which %-%-json lists\n", out)
    -- it was told, too
    local asked = program.read(folder .. "/asked-2")
    assert.matches('^{"better":"less","count":%d+,"metric":"flow_mean","round":2}\n{"best":"easy '
      .. "%+ good", asked)
    assert.matches('{"failed":"easy %+ endless%-%x+","problem":"[^\n]*instructions', asked)
    assert.matches('{"checked":"endless%-%x+","remarks":"FAILS: every job is served[^\n]*'
      .. "limits%.instructions", asked)
    assert.matches('{"checked":"good%-%x+","remarks":"Remarks:[^\n]*It does nothing here that is '
      .. "not shipped[^\n]*priority/spt", asked)
    assert.is_nil(lfs.attributes(folder .. "/above.lua"))
    assert.is_false(runs "sleep 41.717") -- what it left behind is ended
  end)

  it("ends a proposer with Ctrl-C, and asks it again when it goes on #long", function()
    program.write(folder, "propose.sh",
      "echo x >>times; [ $(wc -l <times) -gt 1 ] || sleep 42.717\n"
      .. "echo '" .. [[{ "lua": "return { priority = function(job) return -job.time end }" }]]
      .. "'")
    local words = "spec.lua -o out --propose 'sh propose.sh' --rounds 1"
    for _, signal in ipairs { "INT", "TERM" } do
      os.execute(("cd '%s'; rm -f times; env -u LD_PRELOAD --default-signal=INT '%s' search %s "
        .. ">said 2>err & it=$!; until [ -e times ]; do sleep 0.02; done; sleep 0.2; "
        .. "kill -%s $it; wait $it; echo $? >status"):format(folder, program.path, words, signal))
      assert.equal("130\n", program.read(folder .. "/status"))
      assert.matches("^orrery: interrupted\n%d+ steps? %l+ kept in out; `orrery search ",
        program.read(folder .. "/err"))
      assert.is_false(runs "sleep 42.717")
    end
    searched(words)
    assert.equal("x\nx\n", program.read(folder .. "/times"))
  end)

  it("asks a proposer nothing twice #long", function()
    program.write(folder, "propose.sh", "cat >>asked; echo x >>times; sleep 0.3\necho '"
      .. [[{ "lua": "return { priority = function(job) return -job.time end }" }]] .. "'")
    local words = "spec.lua -o out --propose 'sh propose.sh' --rounds 3"
    os.execute(("cd '%s'; env -u LD_PRELOAD '%s' search %s >said 2>&1 & it=$!; "
      .. "until [ -e out/unfinished/*/cells/0000004 ]; do sleep 0.02; done; kill -9 $it; "
      .. "wait"):format(folder, program.path, words))
    assert.equal("x\n", program.read(folder .. "/times"))
    searched(words)
    assert.equal("x\nx\nx\n", program.read(folder .. "/times"))
  end)
end)
