-- Runs the specs, each file in a process of its own, half as many again at a time as there are
-- cores, for some of them wait:
--
--   lua5.4 spec/run.lua [ARGUMENT...]
--
-- ARGUMENTs that are files or folders are the specs to run (all of spec/ when there are none); the
-- other ARGUMENTs are options for busted, which is loaded once. The output of a file is shown when
-- one of its specs failed, and what failed is named again at the end. The last line is one as
-- busted prints it. A process that ends in another way than busted does (a crash, a leak that a
-- sanitizer reports) counts as an error. So does a file that takes over 20 minutes where CI is
-- set: one that hangs must not take the time of all others. Where ORRERY_PENDING names a file, a
-- spec that is pending is a failure, unless its reason contains a line of that file.
local getfenv = require "busted.compatibility".getfenv
local lfs = require "lfs"
local processes = require "native_processes"
local program = require "spec.support.program"

-- The slowest files start first, so that at the end no core waits long for another.
local SLOWEST = [[
  host/hostile scripts/search scripts/check_ scripts/sweep_ scripts/replay_errors
  scripts/serve_ scripts/artifact queue/limits misuse support/confined search/search
  state/nodes_random spec/attacks scripts/conform state/pools scripts/faults host/told
  search/tasks draw/report host/bombs generate_lublin scripts/fetch-mira rigid/montecarlo
  host/hundred host/host_ edc/ scripts/new-policy packs/exact scripts/interrupted_
  scripts/statuses host/sandbox fast/shortcuts whatif/change host/generated kernel/examples
  documents/ reproduce/]]

-- Without ORRERY_ROUNDS these are left out where folders are run: they take whole months of logs,
-- whole documents, a library that is built and installed, a browser, most of the reproductions, or
-- the rules of the house, which .ci/run tries with lint.
local LONG = [[
  kernel/examples_ rigid/logs_ run/coverage_ run/weekly_coverage_ documents/gallery_
  documents/reproductions_ documents/policies_ documents/scripts_ documents/embedding_
  draw/browser_ reproduce/checkpointing_ reproduce/redistribution_ reproduce/redirection_
  spec/instructions_ spec/deps_ spec/house_ spec/rooms_ spec/run_ reproduce/policies_
  reproduce/rr9296_spec reproduce/packs_ reproduce/failing-packs_]]

-- What busted loads for each file.
for _, name in ipairs { "busted.core", "busted.runner", "busted", "busted.execute", "luassert",
  "busted.modules.cli", "busted.modules.filter_loader", "busted.modules.helper_loader",
  "busted.modules.test_file_loader", "busted.modules.files.lua", "pl.dir",
  "busted.outputHandlers.plainTerminal" } do
  require(name)
end

-- Each time a file uses a global, busted looks for it in all blocks from the spec up to the file.
-- The names of the language, which no spec sets, are found at once.
local environment = require "busted.environment"
package.loaded["busted.environment"] = function(context)
  local made = environment(context)
  local wrap = made.wrap
  function made.wrap(call)
    local wrapped = wrap(call)
    local globals = getfenv(call)
    for _, name in ipairs { "error", "ipairs", "math", "next", "pairs", "pcall", "select",
      "setmetatable", "string", "table", "tonumber", "tostring", "type" } do
      rawset(globals, name, _G[name])
    end
    return wrapped
  end
  return made
end

local function busted(arguments)
  collectgarbage("setpause", 400) -- specs end soon: time is dearer than memory
  math.randomseed(os.time(), processes.self())
  _G.arg = table.move(arguments, 1, #arguments, 1, { [0] = "busted" })
  require "busted.runner" { standalone = false }
  os.exit(0, true)
end

local rounds = os.getenv "ORRERY_ROUNDS" or ""
local options, places, all_files = {}, {}, rounds ~= ""
for _, argument in ipairs(arg) do
  local kind = lfs.attributes(argument, "mode")
  local list = kind and places or options
  list[#list + 1] = argument
  all_files = all_files or kind == "file"
end

-- Nothing stands between the user and a single file.
if #places == 1 and lfs.attributes(places[1], "mode") == "file" then
  options[#options + 1] = places[1]
  busted(options)
end
if #places == 0 then places[1] = "spec" end
if rounds == "" then options[#options + 1] = "--exclude-tags=long" end -- `#long` in names
options[#options + 1] = "--output=plainTerminal"

-- The place of the first word that is part of the name.
local function position(words, name)
  local n = 0
  for word in words:gmatch "%S+" do
    n = n + 1
    if name:find(word, 1, true) then return n end
  end
end

local files, place_of = {}, {}
local function find(path)
  if lfs.attributes(path, "mode") == "directory" then
    for entry in lfs.dir(path) do
      if entry ~= "." and entry ~= ".." then find(path .. "/" .. entry) end
    end
  elseif path:find "_spec%.lua$" and not place_of[path]
    and (all_files or not position(LONG, path)) then
    files[#files + 1] = path
    place_of[path] = position(SLOWEST, path) or math.huge
  end
end
for _, place in ipairs(places) do find((place:gsub("(.)/+$", "%1"))) end
table.sort(files, function(a, b)
  if place_of[a] ~= place_of[b] then return place_of[a] < place_of[b] end
  return a < b
end)

local limit = (os.getenv "CI" or "") ~= "" and tonumber(os.getenv "ORRERY_SPEC_SECONDS" or 1200)
  or math.huge
local results = {} -- of each file that has ended

-- Reads what a file of specs has printed, and shows it where something failed.
local function note(one, status, processor)
  local text = program.read(one.log)
  one.seconds, one.processor = processes.now() - one.from, processor
  one.reasons, one.failed = {}, {}
  one.good, one.bad, one.errors, one.pending = 0, 0, 0, 0
  local counted = false
  for line in text:gmatch "[^\n]+" do
    local good, bad, errors, pending =
      line:match "^(%d+) success%w* / (%d+) failures? / (%d+) errors? / (%d+) pending : "
    if good then
      counted = true
      one.good, one.bad, one.errors, one.pending = good + 0, bad + 0, errors + 0, pending + 0
    end
    one.failed[#one.failed + 1] = line:match "^Failure %-> (.*)" or line:match "^Error %-> (.*)"
  end
  for reason in ("\n" .. text):gmatch "\nPending %-> [^\n]*\n[^\n]*\n([^\n]+)" do
    one.reasons[#one.reasons + 1] = reason:gsub("^%S*:%d*: ", "", 1)
  end
  if not counted or status ~= 0 and one.bad + one.errors == 0 then one.errors = one.errors + 1 end
  if one.bad + one.errors > 0 then
    local late = one.late and (", stopped after %.0f s"):format(limit) or ""
    print(("\n== %s (exit status %d%s)\n%s"):format(one.file, status, late, text))
  end
  results[#results + 1] = one
end

local most = (processes.cores() * 3 + 1) // 2
local running, count = {}, 0
local folder = program.folder() -- of what files of specs print

local function stop()
  for process in pairs(running) do processes.kill(process) end
  program.remove(folder)
end

local function wait()
  local process, status, processor = processes.wait(1)
  if process == "interrupted" then
    stop()
    os.exit(130)
  end
  local ended = running[process]
  if ended then
    running[process], count = nil, count - 1
    processes.kill(process) -- what it has left behind
    note(ended, status, processor)
  end
  for other, one in pairs(running) do
    if processes.now() - one.from > limit then
      processes.kill(other)
      one.late = true
    end
  end
end

local begun = processes.now()
for i, file in ipairs(files) do
  while count >= most do wait() end
  local one = { file = file, log = ("%s/%d"):format(folder, i), from = processes.now() }
  local process = processes.start(one.log, function()
    options[#options + 1] = file
    busted(options)
  end)
  running[process], count = one, count + 1
end
while count > 0 do wait() end
stop()

-- What was skipped, by reasons. A pending spec without a reason is none of them.
local allowed
if (os.getenv "ORRERY_PENDING" or "") ~= "" then
  allowed = {}
  for line in io.lines(os.getenv "ORRERY_PENDING") do allowed[#allowed + 1] = line end
end
local function may_be_pending(reason)
  for _, part in ipairs(allowed) do
    if reason:find(part, 1, true) then return true end
  end
end

table.sort(results, function(a, b) return a.file < b.file end)
local sum = { good = 0, bad = 0, errors = 0, pending = 0, processor = 0 }
local reasons, times, well = {}, {}, 0
for _, one in ipairs(results) do
  for name, value in pairs(sum) do sum[name] = value + one[name] end
  for _, reason in ipairs(one.reasons) do
    if not times[reason] then reasons[#reasons + 1] = reason end
    times[reason] = (times[reason] or 0) + 1
  end
end
table.sort(reasons)
for _, reason in ipairs(reasons) do print(("skipped %d: %s"):format(times[reason], reason)) end
for _, reason in ipairs(allowed and reasons or {}) do
  if may_be_pending(reason) then
    well = well + times[reason]
  else
    for _ = 1, times[reason] do print("failed: skipped: " .. reason) end
  end
end
if allowed then sum.bad, sum.pending = sum.bad + sum.pending - well, well end
for _, one in ipairs(results) do
  for _, line in ipairs(one.failed) do print("failed: " .. line) end
end

table.sort(results, function(a, b) return a.processor > b.processor end)
local slowest = {}
for i = 1, math.min(5, #results) do
  local one = results[i]
  slowest[i] = ("%s %.1f s (processor %.1f s)"):format(one.file, one.seconds, one.processor)
end
print("slowest: " .. table.concat(slowest, ", "))
print(("processor time: %.0f s"):format(sum.processor))
print(("%d successes / %d failures / %d errors / %d pending : %.0f seconds"):format(sum.good,
  sum.bad, sum.errors, sum.pending, processes.now() - begun))
os.exit(sum.good > 0 and sum.bad + sum.errors == 0, true)
