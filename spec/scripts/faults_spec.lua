-- Faults of input and output: the n-th call of the operating system fails, for growing n. Whatever
-- fails, files are complete, as they were or absent; and either all is as without the fault, or the
-- exit status says so, with a message that names the reason.
local faulty = require "spec.support.faulty"
local lfs = require "lfs"
local orrery = require "orrery"
local program = require "spec.support.program"

local ROUNDS = os.getenv "ORRERY_ROUNDS"

-- What fails and how; one that is `sticky` fails from the n-th on, as a full disk does.
local FAULTS = {
  { "open", "EACCES" }, { "open", "EIO" }, { "read", "EIO" }, { "list", "EIO" },
  { "write", "EIO" }, { "write", "ENOSPC", sticky = true }, { "write", "short" },
  { "fsync", "EIO" }, { "close", "EIO" }, { "rename", "EIO" }, { "lock", "EIO" },
  { "mkdir", "EACCES" }, { "fork", "EAGAIN" }, { "fork", "EAGAIN", sticky = true },
}
local REASONS = {
  EACCES = { "Permission denied" }, EIO = { "Input/output error" },
  ENOSPC = { "No space left on device" }, short = {},
  -- the C library says one thing or another, and so does sh
  -- all that curl says
  curl = { "cannot write mira/mira-2019.csv.gz.part (is the disk full?)",
    "curl was ended by signal" },
  EAGAIN = { "Resource temporarily unavailable", "Cannot allocate memory",
    "no process can be started", "Cannot fork" },
}

local LOG = "id,submit,procs,time,user\na,0,2,10,u\nb,0,1,4,v\nc,0,3,5,u\nd,2,1,8,v\n"
local POLICY = "return { priority = function(job) return job.time end }\n"
local GRID = [[
local orrery = require "orrery"
return {
  axes = { { "policy", { "easy", "fcfs" } }, { "seed", { 1, 2 } } },
  fixed = { jobs = orrery.synthetic { count = 10 }, procs = 3000, runs = 2 }, metrics = { "ratio" },
}
]]

local folder

-- All files in a folder and below: their contents by their paths.
local function contents(of, into, below)
  into, below = into or {}, below or ""
  for name in lfs.dir(of) do
    local path = of .. "/" .. name
    local mode = lfs.attributes(path, "mode")
    if mode == "directory" and name ~= "." and name ~= ".." then
      contents(path, into, below .. name .. "/")
    elseif mode == "file" then
      into[below .. name] = program.read(path)
    end
  end
  return into
end

local SCRATCH = "/tmp/orrery-"
local OLD = "as it was\n"

-- A folder with these files, and old ones of the names in a list.
local function fill(files, old)
  folder = program.folder()
  for name, text in pairs(files) do
    local below = name:match "^(.*)/"
    if below then assert(orrery.tools.make_folder(folder .. "/" .. below)) end
    program.write(folder, name, text)
  end
  for _, name in ipairs(old or {}) do program.write(folder, name, OLD) end
end

-- Which calls fail: the first and some others; all of them with ORRERY_ROUNDS=every.
local function is_tried(n, f)
  if ROUNDS == "every" then return true end
  return n == 1 or (n * 7 + f) % (ROUNDS == "all" and 13 or ROUNDS and 41 or 397) == 0
end

-- A command that failed says so: a message of ours, with the reason, without a place in our files.
-- Of a script that gnuplot cannot read nobody tells the reason.
local function check_message(wrong, case, fault, status, said, failed)
  local refused = fault[2] == "EACCES" -- a file that may not be read is bad input
  if status ~= 1 and not (status == 2 and refused) then wrong("status " .. tostring(status)) end
  if not said:find "%f[^%z\n]orrery" then wrong "no message of ours" end
  if said:find "%.lua:%d" or said:find "traceback" then wrong "a place in our files" end
  if failed:find(SCRATCH, 1, true) then return end
  local named = false
  local reasons = table.move(REASONS[fault[2]], 1, 9, 1, {})
  table.move(case.curl and REASONS.curl or {}, 1, 9, #reasons + 1, reasons)
  for _, reason in ipairs(reasons) do named = named or said:find(reason, 1, true) end
  if not named then wrong "no reason" end
end

-- Files are those of the command without a fault, or as they were.
local function check_files(wrong, case, status, whole)
  local now = contents(folder)
  for name, text in pairs(now) do
    if not whole[name] then
      wrong("left: " .. name)
    elseif text ~= whole[name] and (status == 0 or text ~= OLD) then
      wrong("damaged: " .. name)
    end
  end
  for name in pairs(case.files) do
    if not now[name] then wrong("gone: " .. name) end
  end
  for _, name in ipairs(case.outputs) do
    if not now[name] then wrong("gone: " .. name) end
  end
end

-- Runs a case with the fault at its n-th call: whether there was such a call.
local function try_one(case, fault, n, whole, out, found)
  fill(case.files, case.outputs)
  local how = fault[2] == "short" and "short" or tostring(faulty[fault[2]])
  local words = ("%s %d%s %s"):format(fault[1], n, fault.sticky and "+" or "", how)
  local status, said, problem, failed = faulty.run(folder, words, case.arguments,
    case.environment, { SCRATCH })
  local function wrong(text)
    found[#found + 1] = ("%s | %s (%s): %s"):format(text, words, failed:gsub("\n", "; "), problem)
  end
  if failed ~= "" then
    if status ~= 0 then
      check_message(wrong, case, fault, status, problem, failed)
    elseif said ~= out then
      wrong "other output"
    end
    (case.check or check_files)(wrong, case, status, whole)
  end
  program.remove(folder)
  return failed ~= ""
end

-- Lets every call of a command fail, one after the other.
--   files, outputs  what is in the folder before, and what the command writes there
--   check           function(wrong, case, status, whole): other looks than check_files
--   calls           what fails, nil: all kinds of FAULTS
local function try(case)
  if not faulty.works() then return pending "the kernel lets no process answer for another" end
  fill(case.files)
  local status, out, err = program.run(folder, case.arguments, case.environment)
  assert.same({ 0, "" }, { status, err })
  local whole, found = contents(folder), {}
  program.remove(folder)
  for f, fault in ipairs(FAULTS) do
    -- `make test` has a tenth of the faults for each command, which are not the same ones for all
    local n, last = 1, not ROUNDS and (f + #case.arguments) % 10 > 0
    -- a sanitizer's runtime starts processes, too, and bears no fault there
    last = last or fault[1] == "fork" and os.getenv "TSAN_OPTIONS" ~= nil
    while not last and n <= 600 do
      last = is_tried(n, f) and not try_one(case, fault, n, whole, out, found)
      n = n + 1
    end
  end
  assert.equal("", table.concat(found, "\n"))
end

describe("a fault of input or output in", function()
  it("replay, with all that it writes", function()
    try { files = { ["log.csv"] = LOG, ["p.lua"] = POLICY },
      arguments = "replay log.csv --procs 4 --runs 1 --policy easy --priority ./p.lua --csv o.csv "
        .. "--json o.json --schedule s.csv --users u.csv --timeline t.csv --gantt g.svg",
      outputs = { "o.csv", "o.json", "s.csv", "u.csv", "t.csv", "g.svg" } }
  end)

  it("replay, with pictures that other programs make #long", function()
    try { files = { ["log.csv"] = LOG }, outputs = { "o.svg", "o.csv" },
      arguments = "replay log.csv --procs 4 --runs 3 --q 0.2 --plot o.svg --table o.csv" }
    try { files = { ["log.csv"] = LOG }, outputs = { "g.png" },
      arguments = "replay log.csv --procs 4 --runs 1 --gantt g.png" }
  end)

  it("compare with a report #long", function()
    try { files = { ["log.csv"] = LOG }, outputs = { "r.html" },
      arguments = "compare log.csv --procs 4 --runs 3 --q 0.2 --policy easy --policy fcfs "
        .. "--report r.html" }
  end)

  -- What is there after a fault goes on to the same results.
  local function goes_on(results)
    return function(wrong, case, _, whole)
      local status, _, err = program.run(folder, case.arguments, case.environment)
      if status ~= 0 then wrong("does not go on: " .. err) end
      local now = contents(folder)
      for _, name in ipairs(results) do
        if now[name] ~= whole[name] then wrong("other results: " .. name) end
      end
      for name in pairs(now) do
        if not whole[name] then wrong("left: " .. name) end
      end
      for name, text in pairs(case.files) do
        if now[name] ~= text then wrong("changed: " .. name) end
      end
    end
  end

  it("a sweep #long", function()
    for threads = 1, 2 do
      try { files = { ["grid.lua"] = GRID },
        arguments = "sweep grid.lua -o out --per-run --threads " .. threads,
        check = goes_on { "out/results.csv", "out/runs.csv" } }
    end
  end)

  it("merge #long", function()
    fill { ["grid.lua"] = GRID }
    for i = 1, 2 do
      assert.equal(0, program.run(folder, ("sweep grid.lua -o part-%d --shard %d/2"):format(i, i)))
    end
    local parts = contents(folder)
    program.remove(folder)
    try { files = parts, arguments = "merge part-1 part-2 -o whole",
      check = goes_on { "whole/results.csv" } }
  end)

  -- A year of Mira's log, as gzip packs it.
  local function packed_year()
    local jobs = orrery.mira_month { seed = 1, count = 1100, days = 365, per_day = { 1, 60 },
      first_day = "2019-01-01" }
    fill { plain = jobs:csv "mira" }
    assert(os.execute(("gzip -n '%s/plain'"):format(folder)))
    local packed = program.read(folder .. "/plain.gz")
    program.remove(folder)
    return packed
  end

  it("fetch-mira from a file #long", function()
    try { files = { packed = packed_year() }, arguments = "fetch-mira 2019 --from packed --to mira",
      check = goes_on { "mira/mira-2019.csv.gz" } }
  end)

  -- The faults are those of curl, too, for the file that it writes.
  it("fetch-mira by curl #long", function()
    local served = program.folder()
    program.write(served, "file", packed_year())
    program.write(served, "how", "")
    local server = assert(io.popen(("exec env -u LD_PRELOAD lua5.4 spec/support/file_server.lua "
      .. "'%s' >'%s/port'"):format(served, served), "w"))
    local port
    for _ = 1, 500 do
      port = program.exists(served .. "/port") and program.read(served .. "/port"):match "^(%d+)\n"
      if port then break end
      os.execute "sleep 0.01"
    end
    local ok, problem = pcall(try, { files = {}, curl = true, environment = "no_proxy=127.0.0.1",
      arguments = ("fetch-mira 2019 --url http://127.0.0.1:%s --to mira"):format(port),
      check = goes_on { "mira/mira-2019.csv.gz" } })
    server:close()
    program.remove(served)
    if not ok then error(problem, 0) end
  end)

  it("generate and redistribute", function()
    try { files = {}, arguments = "generate lublin --days 1 --procs 64 -o o.swf",
      outputs = { "o.swf" } }
    try { files = {}, outputs = { "o.csv", "o.json" },
      arguments = "redistribute --n 5 --procs 20 --runs 2 --csv o.csv --json o.json" }
  end)

  it("the prompt's history, which loses no entry that was there #long", function()
    if not faulty.works() then return pending "the kernel lets no process answer for another" end
    local entries = {}
    for i = 1, 2001 do entries[i] = ("#%d\n%d\n"):format(i, i) end
    local function without_times(text) return (text:gsub("#%d+\n", "#\n")) end
    local old = table.concat(entries)
    local whole = without_times(old)
    local latest = without_times(table.concat(entries, "", 2002 - 1000))
    for _, fault in ipairs { { "open", "EACCES" }, { "read", "EIO" }, { "write", "EIO" },
      { "write", "ENOSPC", sticky = true }, { "write", "short" }, { "fsync", "EIO" },
      { "rename", "EIO" }, { "close", "EIO" }, { "mkdir", "EACCES" } } do
      for n = 1, ROUNDS and 4 or 2 do
        fill { ["state/orrery/history"] = old }
        local how = fault[2] == "short" and "short" or tostring(faulty[fault[2]])
        local words = faulty.command("report", ("%s %d%s %s"):format(fault[1], n,
          fault.sticky and "+" or "", how), { folder .. "/state" })
        assert(os.execute(("cd '%s' && printf '6 * 7\\nexit\\n' | env -u LD_PRELOAD TERM=dumb "
          .. "XDG_STATE_HOME=state script -qec \"%s '%s'\" /dev/null >said 2>&1"):format(folder,
          words, program.path)), program.read(folder .. "/said"))
        assert.matches("\n42\r?\n", program.read(folder .. "/said"))
        local now = without_times(program.read(folder .. "/state/orrery/history"))
        local kept = now:sub(1, #latest) == latest and latest or whole
        assert.equal(kept, now:sub(1, #kept), words)
        assert.is_truthy(("#\n6 * 7\n"):find(now:sub(#kept + 1), 1, true), words)
        assert.equal("history", program.listing(folder .. "/state/orrery"), words)
        program.remove(folder)
      end
    end
  end)
end)
