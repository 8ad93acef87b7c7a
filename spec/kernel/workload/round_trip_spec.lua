-- What Orrery writes, Orrery reads: every log of the fixtures, and random ones, in every format, to
-- the bit.
local lfs = require "lfs"
local orrery = require "orrery"
local rounds = require "spec.support.rounds"
local temporary = require "spec.support.temporary"

local folder = "spec/fixtures/dumps/"

-- What each format holds of a job; the others lose it. Mira's has the status as a number.
local FIELDS = {
  plain = { "submit", "procs", "runtime", "walltime", "user", "queue", "partition", "status",
    "account", "qos", "array" },
  mira = { "submit", "procs", "runtime", "walltime", "user", "queue" },
  swf = { "submit", "procs", "runtime", "walltime", "wait", "user", "queue", "partition" },
}

local function bits(value)
  return math.type(value) == "float" and ("%a"):format(value) or tostring(value)
end

local function rows(jobs, fields)
  local list = {}
  for i, job in jobs:each() do
    local row = {}
    for k, field in ipairs(fields) do row[k] = bits(job[field]) end
    list[i] = table.concat(row, " ")
  end
  table.sort(list) -- SWF is in order of submission
  return list
end

local function without_notes(text) return (text:gsub("; Note: [^\n]*\n", "")) end

-- Writes jobs, reads them, and writes them again.
local function check(name, jobs, format)
  local ok, text = pcall(jobs.csv, jobs, format)
  if not ok then return assert.matches("no calendar times", text, name) end -- Mira's needs them
  local ending = format == "swf" and ".swf" or ".csv"
  temporary.file("log" .. ending, text, function(path)
    local again = orrery.read(path, { procs = format == "mira" and 1 << 30 or nil })
    assert.same(rows(jobs, FIELDS[format]), rows(again, FIELDS[format]), name .. format)
    assert.equal(without_notes(text), without_notes(again:csv(format)), name .. format)
    assert.equal(format ~= "mira" and jobs.machine_procs or nil,
      format ~= "mira" and again.machine_procs or nil, name .. format)
    if format ~= "plain" then assert.equal(jobs.origin, again.origin, name .. format) end
  end)
end

describe("a log that is written and read", function()
  for _, format in ipairs { "plain", "mira", "swf" } do
    it("is the same in " .. format, function()
      local read = 0
      for name in lfs.dir(folder) do
        local ok, jobs = pcall(orrery.read, folder .. name)
        if ok and name:match "%." and not name:match "^%." then
          read = read + 1
          check(name .. " ", jobs, format)
        end
      end
      assert.is_true(read > 40)
    end)
  end

  it("is the same with any doubles", function()
    local rng = orrery.random(26)
    for round = 1, rounds(60) do
      local list = {}
      for i = 1, 20 do
        list[i] = { id = "j" .. i, submit = rng:uniform() * 10 ^ rng:uniform(0, 9),
          procs = math.tointeger(rng:uniform(1, 4096) // 1),
          runtime = rng:uniform() * 10 ^ rng:uniform(-3, 6),
          walltime = rng:uniform() < 0.5 and rng:uniform() * 1e5 or nil,
          user = rng:uniform() < 0.5 and 'a "b", c' or nil }
      end
      check("round " .. round .. " ", orrery.jobs(list), "plain")
    end
  end)

  -- A schedule has the runtime as end less start: here these sums are exact.
  it("is the same as a schedule of what happened", function()
    local jobs = orrery.jobs { { id = "a", submit = 0.125, procs = 3, runtime = 0.3125,
      walltime = 7 },
      { id = "b", submit = 0.25, procs = 2, runtime = 1e5 + 1 / 64, walltime = 1e6 / 7 } }
    local session = orrery.session { jobs = jobs, procs = 4, policy = "easy", walltimes = "log" }
    session:finish()
    temporary.file("schedule.csv", "", function(path)
      session:write_schedule(path)
      local again = orrery.read(path)
      local fields = { "id", "submit", "procs", "runtime", "walltime" }
      assert.same(rows(jobs, fields), rows(again, fields))
      assert.equal(4, again.machine_procs)
      assert.equal(bits(session:job(2).start - jobs[2].submit), bits(again[2].wait))
    end)
  end)
end)
