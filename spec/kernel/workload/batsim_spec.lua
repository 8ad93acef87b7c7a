-- Batsim's workloads in JSON. What holds for every format (pieces of any size, prefixes, memory
-- that runs out) is in reader_spec.lua.
local json = require "dkjson"
local native = require "native_workload"
local orrery = require "orrery"
local temporary = require "spec.support.temporary"
local rounds = require "spec.support.rounds"

local path = "spec/fixtures/workload/batsim.json"

local function read(text, options)
  return temporary.file("F", text, orrery.read, options)
end

describe("a workload of Batsim", function()
  it("is read with its delays", function()
    local jobs = orrery.read(path)
    local found = {}
    for i, job in jobs:each() do found[i] = job end
    assert.same({
      { id = "w0!1", submit = 10, procs = 4, runtime = 20.25, time = 20.25, walltime = 100,
        area = 81, user = "ann" },
      { id = "2", submit = 0.5, procs = 16, runtime = 3600, time = 3600, area = 57600, queue = "7",
        status = "failed" },
      { id = "4", submit = 20, procs = 1, runtime = 0, time = 0, area = 0, partition = "gpu",
        status = "completed" },
    }, found)
    assert.equal(16, jobs.machine_procs)
    assert.is_nil(jobs.origin)
    assert.same({ { line = 0, id = "3", reason = "number of processors unknown" } }, jobs:dropped())
  end)

  it("is read as it was written", function()
    local rng = orrery.random(8)
    for _ = 1, rounds(40, 40, 20) do
      local given = { nb_res = 512, jobs = {}, profiles = {} }
      for p = 1, 9 do
        given.profiles["p" .. p] = { type = "delay", delay = rng:uniform(0, 1e5) }
      end
      for i = 1, 30 do
        given.jobs[i] = { id = "job " .. i, subtime = rng:uniform(0, 1e6),
          res = rng:integer(1, 512), profile = "p" .. rng:integer(1, 9),
          walltime = ({ -1, rng:integer(1, 1e6) })[rng:integer(1, 2)] }
      end
      local text = json.encode(given, { indent = rng:integer(0, 1) == 1 })
      local again = json.decode(text) -- dkjson rounds what it writes
      local jobs = read(text)
      assert.equal(30, #jobs)
      for i, job in jobs:each() do
        local from = again.jobs[i]
        assert.same({ from.id, from.subtime, from.res, again.profiles[from.profile].delay,
          from.walltime ~= -1 and from.walltime or nil },
          { job.id, job.submit, job.procs, job.time, job.walltime })
      end
      assert.equal(native.feed(text, #text), (native.feed(text, 17)))
    end
  end)

  it("may have jobs wider than the machine, if that is asked for", function()
    local wide = '{"nb_res": 4, "jobs": [{"id": 1, "subtime": 0, "res": 5, "profile": "a"},'
      .. '{"id": 2, "subtime": 0, "res": 4, "profile": "a"}],'
      .. '"profiles": {"a": {"type": "delay", "delay": 1}}}'
    local ok, problem = pcall(read, wide)
    assert.is_false(ok)
    assert.equal('F: job 1: res: expected at most the 4 resources of the workload (nb_res) '
      .. '(--wide drop leaves wider jobs out), found 5', problem)
    assert.equal(2, #read(wide, { wide = "keep" }))
    assert.equal("2", read(wide, { wide = "drop" })[1].id)
  end)
end)

describe("sequences of Batsim", function()
  it("of sequences of sequences end, and the job is left out", function()
    local profiles = { '"p0": {"type": "delay", "delay": 1}' }
    for i = 1, 15 do
      profiles[i + 1] = ('"p%d": {"type": "composed", "seq": [%s]}'):format(i,
        ('"p%d"'):format(i - 1) .. (', "p%d"'):format(i - 1):rep(9))
    end
    local jobs = read(('{"jobs": [{"id": 1, "subtime": 0, "res": 1, "profile": "p3"},'
      .. '{"id": 2, "subtime": 0, "res": 1, "profile": "p15"}], "profiles": {%s}}'):format(
      table.concat(profiles, ", ")))
    assert.same({ 1, 1000 }, { #jobs, jobs[1].runtime })
    assert.matches("expected at most 10000 profiles in a job", jobs:dropped()[1].detail)
  end)
end)

describe("a bad workload of Batsim", function()
  local function with(job, profile)
    return ('{"jobs": [%s], "profiles": {"p": %s}}'):format(job,
      profile or '{"type": "delay", "delay": 1}')
  end

  local function changed(key, value)
    local job = { id = '"a"', subtime = "1", res = "2", walltime = "3", profile = '"p"' }
    job[key] = value
    local parts = {}
    for _, name in ipairs { "id", "subtime", "res", "walltime", "profile" } do
      if job[name] ~= "" then parts[#parts + 1] = ('"%s": %s'):format(name, job[name]) end
    end
    return with("{" .. table.concat(parts, ", ") .. "}")
  end

  local job = '{"id": "a", "subtime": 1, "res": 2, "profile": "p"}'
  for what, case in pairs {
    ["cut off"] = { '\n{"jobs": [\n  {"id": 1,', ":3: column 11: not JSON: string or '}' expected "
      .. "near end of file" },
    ["with a comma too many"] = { '{"jobs": [1,]}', ":1: column 13: not JSON: unexpected token "
      .. "near ']'" },
    ["with a key twice"] = { '{"a": 1,\n "a": 2}', ":2: column 4: not JSON: duplicate object key "
      .. "near '\"a\"'" },
    ["with text behind it"] = { with(job) .. " x", ":1: column 115: not JSON: end of file expected "
      .. "near 'x'" },
    ["without jobs"] = { '{"profiles": {}}', ": not a job log: a workload of Batsim has a list of "
      .. "jobs and an object of profiles; jobs is missing" },
    ["without profiles"] = { '{"jobs": []}', ": not a job log: a workload of Batsim has a list of "
      .. "jobs and an object of profiles; profiles is missing" },
    ["with no job"] = { with "", ": there is a header, but no job" },
    ["with a machine of text"] = { '{"nb_res": "8", "jobs": [], "profiles": {}}',
      ': nb_res: expected a whole number from 1 to 2147483647, found "8"' },
    ["with a job that is none"] = { with "5", ": job number 1: jobs: expected an object, found 5" },
    ["without an id"] = { changed("id", ""), ": job number 1: id: expected a text of at most 200 "
      .. "bytes, or an integer, found nothing" },
    ["without a submission"] = { changed("subtime", ""), ": job a: subtime: expected a number of "
      .. "seconds >= 0, found nothing" },
    ["with a negative submission"] = { changed("subtime", "-0.5"), ": job a: subtime: expected a "
      .. 'number of seconds >= 0, found -0.5' },
    ["with half a resource"] = { changed("res", "1.5"), ": job a: res: expected a whole number "
      .. "from 0 to 2147483647, found 1.5" },
    ["with a walltime of 0"] = { changed("walltime", "0"), ": job a: walltime: expected a number "
      .. "of seconds > 0, or -1 for none, found 0" },
    ["with an unknown profile"] = { changed("profile", '"q"'), ": job a: profile: expected the "
      .. 'name of one of the profiles, found "q"' },
    ["without a profile"] = { changed("profile", ""), ": job a: profile: expected the name of a "
      .. "profile, found nothing" },
    ["with another type of profile"] = { with(job, '{"type": "parallel_homogeneous", "cpu": 5}'),
      ': job a: profile "p" is of type "parallel_homogeneous": only delays can be read, '
      .. "what others take depends on a platform" },
    ["with a profile without a type"] = { with(job, '{"delay": 5}'),
      ': job a: profile "p" is of type nothing: only delays can be read, what others take '
      .. "depends on a platform" },
    ["with a negative delay"] = { with(job, '{"type": "delay", "delay": -1}'),
      ': job a: profile "p": delay: expected a number of seconds >= 0, found -1' },
  } do
    it(what, function()
      local ok, problem = pcall(read, case[1], { strict = true })
      assert.is_false(ok)
      assert.equal("F" .. case[2], problem)
      for _, piece in ipairs { 1, 3, 50 } do
        assert.same({ nil, "fed" .. case[2], 3 }, { native.feed(case[1], piece, true) })
      end
    end)
  end
end)
