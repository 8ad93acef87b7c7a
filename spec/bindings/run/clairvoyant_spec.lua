-- Rows of clairvoyant policies: the same policy again, where it knows how long each job takes.
local orrery = require "orrery"
local program = require "spec.support.program"

-- Two processors. EASY believes that A runs until 100, and lets C overtake B.
local JOBS = orrery.jobs {
  { id = "A", submit = 0, procs = 1, runtime = 10, walltime = 100 },
  { id = "B", submit = 1, procs = 2, runtime = 10, walltime = 10 },
  { id = "C", submit = 2, procs = 1, runtime = 20, walltime = 20 },
}

local function fields(change)
  local spec = { jobs = JOBS, procs = 2, policy = "dispatch/easy", walltimes = "log",
    clairvoyant = true }
  for name, value in pairs(change) do spec[name] = value end
  if spec.policies then spec.policy = nil end
  return spec
end

local function random_jobs(rng)
  local list = {}
  for i = 1, rng:integer(2, 40) do
    local runtime = rng:integer(0, 100)
    list[i] = { submit = rng:integer(0, 300), procs = rng:integer(1, 8), runtime = runtime }
    local kind = rng:uniform()
    if kind < 0.8 then list[i].walltime = math.floor(runtime * rng:uniform(0.5, 5)) end
  end
  return orrery.jobs(list)
end

describe("a clairvoyant row", function()
  it("is what the same policy does with the runtimes, worked by hand", function()
    local result = orrery.compare(fields {})
    -- as estimated: A 0-10, C 2-22, B 22-32; as known, B is reserved at 10: B 10-20, C 20-40
    assert.same({ 10, 32, 22 }, result:jobs(1, "end"))
    assert.same({ 10, 20, 40 }, result:jobs(2, "end"))
    assert.same({ 100, 10, 20 }, result:jobs(1, "time"))
    assert.same({ 10, 10, 20 }, result:jobs(2, "time"))
    assert.same({ "dispatch/easy", "dispatch/easy (clairvoyant)" },
      { result:label(1), result:label(2) })
    assert.same({ "(clairvoyant): the same policy, where it knows how long each job takes" },
      result.notes)
  end)

  it("stands behind its policy, with its priority, in tables, CSV and JSON", function()
    local result = orrery.compare(fields { priority = "spt",
      policies = { "easy", { policy = "fcfs", name = "mine" } } })
    local labels = {}
    for i in ipairs(result.policies) do labels[i] = result:label(i) end
    assert.same({ "easy + spt", "easy (clairvoyant) + spt", "mine + spt",
      "mine (clairvoyant) + spt" }, labels)
    assert.equal(4, result:index "mine (clairvoyant)")
    assert.matches("  easy %(clairvoyant%) %+ spt  mine %+ spt ", tostring(result))
    assert.matches("\neasy %(clairvoyant%),spt,all,1,", result:csv())
    assert.matches('"policy": ?"mine %(clairvoyant%)"', result:json())
    assert.matches('"clairvoyant": ?true', result:json())
  end)

  it("is the same policy with the shorter of runtime and walltime as estimate #long", function()
    local rng, differ, killed = orrery.random { seed = 1, entity = 42 }, 0, 0
    for instance = 1, os.getenv "ORRERY_ALL" and 500 or 24 do
      local jobs = random_jobs(rng)
      local spec = { jobs = jobs, procs = 8, runs = 3, seed = instance, check = true,
        errors = { mean_probability = rng:uniform(0, 0.3) }, policies = { "easy", "conservative" },
        priority = ({ "fcfs", "spt", "wfp3" })[rng:integer(1, 3)], walltimes = "log",
        overrun = ({ "kill", "extend", "cap" })[rng:integer(1, 3)] }
      local plain = orrery.compare(spec)
      spec.clairvoyant = true
      local both = orrery.compare(spec)
      spec.clairvoyant = nil
      if spec.overrun ~= "cap" then
        spec.walltimes = function(job)
          return math.min(job.runtime, job.walltime or math.huge)
        end
      else -- the jobs are those that are cut off
        local list = {}
        for i, job in jobs:each() do
          list[i] = { submit = job.submit, procs = job.procs,
            runtime = math.min(job.runtime, job.walltime or math.huge) }
        end
        spec.jobs, spec.walltimes, spec.overrun = orrery.jobs(list), nil, nil
        spec.errors = nil -- drawn by the runtimes of the log
      end
      local known = orrery.compare(spec)
      for _, metric in ipairs { "makespan", "bsld_mean", "wait_max", "killed", "starts" } do
        for i = 1, 2 do
          assert.same(plain:values(i, metric), both:values(2 * i - 1, metric))
          if spec.errors then
            assert.same(known:values(i, metric), both:values(2 * i, metric))
          end
        end
      end
      if both:values(1, "bsld_mean")[1] ~= both:values(2, "bsld_mean")[1] then
        differ = differ + 1
      end
      killed = killed + both:values(2, "killed")[1]
    end
    assert.is_true(differ > 6 and killed > 0, differ .. " " .. killed)
  end)

  it("has the estimates of a function to do without, too", function()
    local result = orrery.compare(fields { walltimes = function() return 50 end })
    assert.same({ 50, 50, 50 }, result:jobs(1, "time"))
    assert.same({ 10, 10, 20 }, result:jobs(2, "time"))
  end)

  it("is drawn in reports, and is what a clairvoyant session does", function()
    local session = orrery.session(fields {})
    assert.equal(40, session:finish().makespan)
    assert.is_true(session:check())
    local folder = program.folder()
    local result = orrery.compare(fields { policies = { "easy", "conservative" } })
    result:report(folder .. "/r.html")
    local page = program.read(folder .. "/r.html")
    program.remove(folder)
    assert.matches("easy (clairvoyant)", page, 1, true)
    assert.is_nil(page:find("not the one that was simulated", 1, true))
    -- a change of a runtime is known, too
    session = orrery.session(fields {})
    session:change { runtime = { A = 15 } }
    assert.equal(15, session:job(1).time)
  end)

  it("wants policies that do not know the runtimes", function()
    local unknown = fields {}
    unknown.walltimes = nil
    for _, spec in ipairs { fields { walltimes = "runtime" }, unknown } do
      local ok, found = pcall(orrery.compare, spec)
      assert.is_false(ok)
      assert.matches("clairvoyant: without walltimes all policies know the runtimes; give "
        .. "walltimes as well", tostring(found), 1, true)
    end
    local ok, found = pcall(orrery.compare, fields { clairvoyant = "yes" })
    assert.is_false(ok)
    assert.matches("clairvoyant", tostring(found))
    unknown.clairvoyant = true
    ok, found = pcall(orrery.session, unknown)
    assert.is_false(ok)
    assert.matches("clairvoyant: without walltimes", tostring(found))
  end)
end)

describe("a sweep with clairvoyant rows", function()
  it("has both, unless an axis of policies would call them the same", function()
    local folder = program.folder()
    JOBS:to_csv("plain", folder .. "/log.csv")
    local text = 'return { axes = { %s { "procs", { 2 } } }, metrics = { "makespan" }, fixed = { '
      .. 'jobs = "log.csv", walltimes = "log", clairvoyant = true %s } }'
    program.write(folder, "good.lua", text:format("", ', policies = { "easy" }'))
    program.write(folder, "bad.lua", text:format('{ "policy", { "easy" } },', ""))
    local good = { program.run(folder, "sweep good.lua -o good") }
    local bad = { program.run(folder, "sweep bad.lua -o bad") }
    local results = program.read(folder .. "/good/results.csv")
    program.remove(folder)
    assert.same({ 0, 1 }, { good[1], bad[1] })
    assert.matches("\n1,2,easy,makespan,1,32,.*\n1,2,easy %(clairvoyant%),makespan,1,40,", results)
    assert.matches("clairvoyant: an axis of policies gives both rows of a policy the same name",
      bad[3], 1, true)
  end)
end)

describe("--clairvoyant", function()
  local folder

  setup(function()
    folder = program.folder()
    JOBS:to_csv("plain", folder .. "/log.csv")
  end)

  teardown(function() program.remove(folder) end)

  local function run(words)
    return { program.run(folder, (words:gsub("LOG", "log.csv --procs 2"))) }
  end

  it("adds the rows to replay and compare", function()
    local found = run "replay LOG --walltimes log --policy easy --clairvoyant --csv out.csv"
    assert.same({ 0, "" }, { found[1], found[3] })
    assert.matches("easy  easy %(clairvoyant%)\n", found[2])
    local csv = program.read(folder .. "/out.csv")
    assert.matches("\neasy %(clairvoyant%),fcfs,all,1,40,", csv)
    found = run "compare LOG --walltimes log --policy easy --clairvoyant --report r.html"
    assert.same({ 0, "" }, { found[1], found[3] })
    assert.matches("\neasy %(clairvoyant%) ", found[2])
    assert.matches("easy %(clairvoyant%)", program.read(folder .. "/r.html"))
  end)

  it("says what it does not go with", function()
    local function refused(words, message)
      local found = run(words)
      assert.equal(2, found[1])
      assert.matches(message, found[3], 1, true)
    end
    local want = "--clairvoyant adds policies that know the runtimes to those that know the "
      .. "walltimes: give --walltimes log as well"
    refused("replay LOG --clairvoyant", want)
    refused("compare LOG --policy easy --clairvoyant --walltimes runtime", want)
    for _, option in ipairs { "gantt", "schedule", "timeline" } do
      refused(("replay LOG --walltimes log --clairvoyant --%s x.svg"):format(option),
        ("--%s and --clairvoyant exclude each other: one is of one policy"):format(option))
    end
  end)
end)
