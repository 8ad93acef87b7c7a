-- Capacity that is known beforehand, as users give it: lists and files, in comparisons, sessions
-- and on the command line.
local orrery = require "orrery"
local program = require "spec.support.program"
local rounds = require "spec.support.rounds"
local temporary = require "spec.support.temporary"

local LIST = {
  { id = "a", submit = 0, procs = 4, runtime = 8, user = "ann" },
  { id = "b", submit = 0, procs = 3, runtime = 5, user = "bob" },
  { id = "c", submit = 0, procs = 2, runtime = 30, user = "ann" },
}
local JOBS = orrery.jobs(LIST)

local function session_of(given)
  local spec = { jobs = JOBS, procs = 4, policy = "dispatch/easy" }
  for name, value in pairs(given) do spec[name] = value end
  return orrery.session(spec)
end

local function starts(given)
  local session, list = session_of(given), {}
  session:finish()
  assert(session:check())
  for _, a in ipairs(session:schedule()) do list[a.id] = a.start end
  return { list.a, list.b, list.c }
end

local function from_file(field, text)
  return temporary.file("FILE", text, function(path) return starts { [field] = path } end)
end

describe("capacity that is known beforehand", function()
  it("is given as a list or as a file", function()
    local closed = { 0, 20, 25 }
    assert.same({ 0, 8, 13 }, starts {})
    assert.same(closed, starts { maintenance = { { from = 10, to = 20, procs = 2 } } })
    assert.same(closed, starts { maintenance = { { from = 10, to = "20s", nodes = "2-3" } } })
    assert.same(closed, starts { maintenance = { { from = 10, to = 20, nodes = 1 } },
      node_failures = { log = {}, procs = 2 } })
    assert.same(closed, from_file("maintenance", "from,to,nodes\n10,20,2\n10,20,3\n"))
    local shrunk = { 0, 50, 8 } -- c fits beside the smaller machine, and b does not
    assert.same(shrunk, starts { policy = "dispatch/greedy",
      capacity = { { from = 9, procs = 2 }, { from = 50, procs = 4 } } })
    assert.same({ 0, 50, 55 }, from_file("capacity", "from,procs\n8,1\n50,4\n"))
  end)

  it("may be reserved for a user or a job", function()
    local function reserved(who)
      who.from, who.to, who.procs = 5, 60, 3
      return starts { reservations = { who } }
    end
    assert.same({ 60, 68, 73 }, starts { reservations = { { from = 0, to = 60, procs = 4,
      user = "nobody" } } })
    assert.same({ 0, 60, 8 }, reserved { user = "ann" })
    assert.same({ 60, 0, 68 }, reserved { job = "b" })
    assert.same({ 60, 0, 68 }, from_file("reservations", "from,to,procs,job\n5,60,3,b\n"))
  end)

  it("is known by dates where the log has some", function()
    local swf = "; UnixStartTime: 1560492000\n" -- 2019-06-14 06:00
      .. "1 0 -1 5400 1 -1 -1 1 -1 -1 1 1 1 1 1 1 -1 -1\n"
    local jobs = temporary.file("FILE", swf, function(path) return orrery.read(path) end)
    local function begins(maintenance)
      local session = orrery.session { jobs = jobs, procs = 1, maintenance = maintenance }
      session:finish()
      return session:schedule()[1].start
    end
    assert.equal(7200, begins { { from = "2019-06-14 07:00", to = "2019-06-14 08:00", procs = 1 } })
    assert.equal(9000, temporary.file("FILE",
      "from,to,procs\n2019-06-14 07:00,2019-06-14 08:30:00,1\n", begins))
    assert.error_matches(function() starts { maintenance = { { from = "2019-06-14", to = 9e9,
      procs = 1 } } } end, "these jobs have no calendar times")
  end)

  it("is why a job waits", function()
    local session = session_of { maintenance = { { from = 10, to = 20, procs = 2 } } }
    session:run_until(8)
    local why = session:why "b"
    assert.equal("leaving", why.reason)
    assert.equal(20, why.reserved)
  end)

  it("is seen as an outage, and drawn", function()
    local session = session_of { maintenance = { { from = 10, to = 20, procs = 2 } },
      reservations = { { from = 30, to = 40, procs = 1, user = "ann" } } }
    session:finish()
    assert.same({ { what = "window", start = 10, finish = 20, first = 2, procs = 2 },
      { what = "reserved", start = 30, finish = 40, first = 3, procs = 1 } }, session:outages())
    local svg = temporary.file("FILE", "", function(path)
      session:gantt(path .. ".svg")
      local drawn = program.read(path .. ".svg")
      os.remove(path .. ".svg")
      return drawn
    end)
    assert.matches("processors 2-3 are closed, as was known", svg, 1, true)
    assert.matches("processor 3 is reserved", svg, 1, true)
  end)
end)

-- --- every policy -------------------------------------------------------------------------------

local function random_jobs(rng)
  local list = {}
  for i = 1, rng:integer(5, 40) do
    list[i] = { submit = rng:integer(0, 300), procs = rng:integer(1, 12),
      runtime = rng:integer(0, 60), user = "u" .. rng:integer(1, 4) }
    list[i].walltime = list[i].runtime + rng:integer(0, 30)
  end
  return orrery.jobs(list)
end

local function random_windows(rng, more)
  local list = {}
  for i = 1, rng:integer(1, 4) do
    local from = rng:integer(-10, 400)
    list[i] = { from = from, to = from + rng:integer(1, 80), procs = rng:integer(1, 16) }
    for name, value in pairs(more or {}) do list[i][name] = value end
  end
  return list
end

describe("no attempt overlaps a window", function()
  it("under any shipped policy, on 1, 2 and 7 threads", function()
    local names = {}
    for _, one in ipairs(orrery.policies()) do
      if (one.name:find "^dispatch/" or one.name:find "^redirect/")
        and one.name ~= "dispatch/recorded" then
        names[#names + 1] = one.name
      end
    end
    assert.is_true(#names >= 15)
    for seed = 1, rounds(150, 12, 2) do
      local rng = orrery.random(seed)
      local spec = { jobs = random_jobs(rng), procs = 16, policies = names, check = true, runs = 2,
        walltimes = seed % 2 == 0 and "log" or nil, maintenance = random_windows(rng),
        reservations = seed % 3 == 0 and random_windows(rng, { user = "u1" }) or nil,
        errors = { mean_probability = 0.05 },
        node_failures = seed % 4 == 0 and { mtbf = 5000, repair = 20 } or nil }
      local csv
      for _, threads in ipairs { 1, 2, 7 } do
        spec.threads = threads
        local found = orrery.compare(spec):csv()
        csv = csv or found
        assert.equal(csv, found)
      end
    end
  end)
end)

-- --- what is wrong ------------------------------------------------------------------------------

describe("an impossible window", function()
  local function refused(message, given)
    assert.error_matches(function() starts(given) end, message, 1, true)
  end

  it("is an error that says which it is", function()
    refused("maintenance[2]: give either procs or nodes", { maintenance = {
      { from = 1, to = 2, procs = 1 }, { from = 1, to = 2 } } })
    refused("maintenance[1]: a window ends later than it begins: from 3 to 2",
      { maintenance = { { from = 3, to = 2, procs = 1 } } })
    refused("maintenance[1].from: expected seconds", { maintenance = {
      { from = 0 / 0, to = 2, procs = 1 } } })
    refused("maintenance[1]: expected 1 to 4 processors, as many as the machine has, found 5",
      { maintenance = { { from = 1, to = 2, procs = 5 } } })
    refused("maintenance[1]: node 4 is not among 0 to 3", { maintenance = {
      { from = 1, to = 2, nodes = "0-4" } } })
    refused("maintenance[1]: expected numbers of nodes and runs of them as '3-15,32', found \"0-\"",
      { maintenance = { { from = 1, to = 2, nodes = "0-" } } })
    refused("capacity[2]: sizes stand in order of time, and 4 does not come after 4", { capacity = {
      { from = 4, procs = 2 }, { from = 4, procs = 1 } } })
    refused("reservations[1]: give either user or job", { reservations = {
      { from = 1, to = 2, procs = 1 } } })
    refused("'until'", { maintenance = { { from = 1, ["until"] = 2, procs = 1 } } })
    refused("maintenance: expected the name of a file or a list", { maintenance = 5 })
  end)

  -- A node that is named by its number, the first and the last: from 1 on where nodes are given,
  -- else from 0 on.
  it("is on nodes of the machine", function()
    local function closed(nodes, machine)
      local ok, result = pcall(orrery.compare, { jobs = orrery.jobs { { procs = 2, runtime = 5 } },
        procs = not machine and 8 or nil, machine = machine, policies = { "easy" }, maintenance = {
          { from = 0, to = 7, nodes = nodes } } })
      return ok and result:values(1, "makespan")[1] or tostring(result):match "maintenance.*"
    end
    local machine = { nodes = { { count = 4, procs = 2 } }, partitions = { a = { nodes = "1-3" },
      all = { default = true } } }
    for nodes, expected in pairs { ["1-4"] = 12.0, ["1,2-3"] = 5.0, ["4"] = 5.0, all = 12.0,
      a = 5.0,
      ["0"] = "node 0 is not among the nodes 1 to 4 of the machine",
      ["0-3"] = "node 0 is not among the nodes 1 to 4 of the machine",
      ["4-5"] = "node 5 is not among the nodes 1 to 4 of the machine",
      ["3-2"] = "expected numbers of nodes as '1-16,33', or the name of a partition, found \"3-2\"",
    } do
      expected = type(expected) == "string" and "maintenance[1]: " .. expected or expected
      assert.equal(expected, closed(nodes, machine), nodes)
    end
  end)

  it("so is a job that no window leaves room for", function()
    refused("nothing starts at time 8 although 2 jobs wait", {
      capacity = { { from = 8, procs = 1 } } })
  end)

  it("is refused in a file, with line and column", function()
    local folder = program.folder()
    program.write(folder, "log.csv", "id,submit,procs,runtime\na,0,2,5\n")
    local function misused(message, option, text)
      program.write(folder, "w.csv", text)
      local status, out, err = program.run(folder, ("replay log.csv --procs 4 --%s w.csv "
        .. "--schedule s.csv"):format(option))
      assert.same({ 2, "" }, { status, out }, err)
      assert.matches(message, err, 1, true)
      assert.is_nil(io.open(folder .. "/s.csv"))
    end
    misused("w.csv:2: column 1 (from): expected a number of seconds: the log has no calendar, "
      .. 'found "x"', "maintenance", "from,to,procs\nx,2,1\n")
    misused("w.csv:3: a window ends later than it begins: from 5 to 4", "maintenance",
      "from,to,procs\n1,2,1\n5,4,1\n")
    misused("w.csv:2: expected 1 to 4 processors", "maintenance", "from,to,procs\n1,2,9\n")
    misused("w.csv:2: a row has either procs or nodes, this one has both", "maintenance",
      "from,to,procs,nodes\n1,2,1,0\n")
    misused("w.csv:1: a file of maintenance has the columns from, to and procs or nodes",
      "maintenance", "from,to,procs,user\n1,2,1,x\n")
    misused("w.csv:1: a file of capacity has the columns from and procs", "capacity",
      "from,to,procs\n1,2,1\n")
    misused("w.csv:2: column 2 (procs): expected a whole number of processors >= 0", "capacity",
      "from,procs\n1,-2\n")
    misused("w.csv:2: a row has either user or job, this one has none", "reservations",
      "from,to,procs,user\n1,2,1,\n")
    misused("w.csv: not a file of reservations", "reservations", "")
    program.remove(folder)
  end)
end)
