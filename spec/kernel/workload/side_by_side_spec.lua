-- Large logs are read by several threads. Jobs, labels, what is left out, and errors with their
-- lines are those of one.
local orrery = require "orrery"
local rounds = require "spec.support.rounds"

local path = os.tmpname()

local function write(text)
  local file = assert(io.open(path, "wb"))
  file:write(text)
  file:close()
end

-- Lines of a log; kinds: how likely, of 1000, is each of the lines that are not plain.
local ODD = {
  comment = function() return "; a comment" end,
  machine = function(rng) return "; MaxProcs: " .. rng:integer(64, 128) end,
  part = function(rng, i) return ("%d 1 2 3 4 5 -1 4 9 -1 %d 1 1 1 1 1 -1 -1"):format(
    i - rng:integer(0, 1), rng:integer(2, 4)) end,
  unknown = function(_, i) return ("%d 5 -1 -1 4 -1 -1 4 9 -1 1 1 1 1 1 1 -1 -1"):format(i) end,
  word = function(_, i) return ("%d 5 -1 seven 4 -1 -1 4 9 -1 1 1 1 1 1 1 -1 -1"):format(i) end,
  negative = function(_, i) return ("%d -5 -1 7 4 -1 -1 4 9 -1 1 1 1 1 1 1 -1 -1"):format(i) end,
  short = function(_, i) return ("%d 5 -1 7"):format(i) end,
  more = function(_, i) return ("%d 5 3 7 4 -1 -1 4 9 -1 1 1 1 1 1 1 -1 -1 8 9"):format(i) end,
  wide = function(_, i) return ("%d 5 3 7 999 -1 -1 999 9 -1 1 1 1 1 1 1 -1 -1"):format(i) end,
  zero = function(_, i) return ("%d 5 \0 7 4"):format(i) end,
  again = function() return "17 5 -1 7 4 -1 -1 4 9 -1 1 99 1 1 77 1 -1 -1" end,
  blank = function() return "  \t" end,
}

local NAMES = {}
for name in pairs(ODD) do NAMES[#NAMES + 1] = name end
table.sort(NAMES)

local function log_of(rng, size, kinds)
  local lines, length, ending = { "; MaxProcs: 128" }, 0, rng:uniform() < 0.2 and "\r\n" or "\n"
  local text = "%d %d %d %d %d %d %d %d %d %d %d %d %d -1 %d %d -1 -1"
  local most = rng:integer(0, 1) == 0 and -1 or 5 -- kB on each processor: none of all, or some
  for i = 1, math.huge do
    local line
    for name, share in pairs(kinds) do
      if rng:integer(1, 100000) <= share then line = ODD[name](rng, i) end
    end
    local procs = rng:integer(1, 64)
    line = line or text:format(i, i * 7, i % 9 - 1, i % 977, procs, i % 13,
      rng:integer(-1, most), procs, i % 1000 + 5, rng:integer(-1, most), i % 7 == 0 and 5 or i % 2,
      rng:integer(-1, 300), i % 4, rng:integer(-1, 5), i % 3 - 1)
    lines[#lines + 1] = line
    length = length + #line + 1
    if length > size then break end
  end
  return table.concat(lines, ending) .. (rng:uniform() < 0.5 and ending or "")
end

-- All that is known of a log, or the message.
local function all_of(options, threads)
  options.threads = threads
  local ok, jobs = pcall(orrery.read, path, options)
  if not ok then return { error = tostring(jobs) } end
  return { jobs:csv(), jobs:dropped(), jobs.machine_procs, jobs:describe() }
end

local function assert_alike(options, what)
  local one = all_of(options, 1)
  for _, threads in ipairs { 2, 7 } do
    assert.same(one, all_of(options, threads), ("%s, %d threads"):format(what, threads))
  end
  return one
end

describe("a log that several threads read", function()
  after_each(function() os.remove(path) end)

  it("is what one reads, whatever stands in it", function()
    local rng = orrery.random(2302)
    for round = 1, rounds(40, 40, 4) do
      local kinds = {}
      for _ = 1, rng:integer(0, 3) do
        kinds[NAMES[rng:integer(1, #NAMES)]] = 10 ^ rng:integer(0, 3)
      end
      write(log_of(rng, rng:integer(200, 1500) * 1000, kinds))
      if rng:uniform() < 0.2 then
        assert(os.execute(("gzip -c1 %s > %s.gz && mv %s.gz %s"):format(path, path, path, path)))
      end
      assert_alike({ strict = rng:uniform() < 0.2, wide = ({ "error", "drop", "keep" })
        [rng:integer(1, 3)], status = rng:uniform() < 0.2 and "completed,unknown" or nil,
        ran = rng:uniform() < 0.2, pools = rng:uniform() < 0.5 and { mem = "1T" } or nil },
        "round " .. round)
    end
  end)

  it("by hand: the first error of the file, with its line", function()
    local line = "1 5 -1 7 4 -1 -1 4 9 -1 1 1 1 1 1 1 -1 -1\n"
    local lines = {}
    for i = 1, 20000 do lines[i] = line end
    lines[15000] = "1 5 -1 first 4 -1 -1 4 9 -1 1 1 1 1 1 1 -1 -1\n"
    lines[19000] = "1 5 -1 second 4 -1 -1 4 9 -1 1 1 1 1 1 1 -1 -1\n"
    write(table.concat(lines))
    local found = assert_alike({ strict = true }, "strict").error
    assert.equal(path .. ":15000: field 4 (run time): expected a number, found \"first\"", found)
  end)

  it("by hand: a line of 2 MiB is left out, and what follows is read", function()
    local line = "1 5 -1 7 4 -1 -1 4 9 -1 1 1 1 1 1 1 -1 -1\n"
    write(line:rep(9000) .. ("7 "):rep(2 ^ 20) .. "\n" .. line:rep(9000))
    local found = assert_alike({}, "long")
    assert.equal(1, #found[2])
    assert.equal(9001, found[2][1].line)
  end)

  it("by hand: partial executions belong to the job before them, in any part #long", function()
    local lines = {}
    for i = 1, 40000 do
      lines[i] = ("%d 5 -1 7 4 -1 -1 4 9 -1 %d 1 1 1 1 1 -1 -1\n"):format(i // 3,
        i % 3 == 0 and 1 or i % 3 + 1)
    end
    write(table.concat(lines))
    local found = assert_alike({}, "parts")
    for _, record in ipairs(found[2]) do
      assert.equal(record.line < 3 and "partial execution of a job without a record of its own"
        or "part of a job that has a record of its own", record.reason)
    end
  end)

  it("refuses a number of threads that is none", function()
    for _, threads in ipairs { 0, -1, 1.5, "two" } do
      assert.has_error(function() orrery.read(path, { threads = threads }) end)
    end
  end)
end)
