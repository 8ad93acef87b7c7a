-- Jobs on particular processors (READINGS 46), as policies and users ask for them. The kernel's
-- decisions are in spec/kernel/rigid/state/placed_spec.lua.
local orrery = require "orrery"
local program = require "spec.support.program"

-- Jobs 1 and 3 end at 2, when processors 0 and 2 are free; the others run until 6.
local JOBS = orrery.jobs {
  { procs = 1, runtime = 2 }, { procs = 1, runtime = 6 }, { procs = 1, runtime = 2 },
  { procs = 1, runtime = 6 }, { procs = 2, runtime = 1 },
}

local function session(policy, more)
  local spec = { jobs = JOBS, procs = 4, policy = policy }
  for name, value in pairs(more or {}) do spec[name] = value end
  return orrery.session(spec)
end

local function lines(s)
  local list = {}
  for i, a in ipairs(s:schedule()) do
    list[i] = ("%s: %g on %s"):format(a.id, a.start, a.processors)
  end
  return list
end

-- Where and when job 5 runs.
local function last(policy, more)
  local s = session(policy, more)
  s:finish()
  assert(s:check())
  return lines(s)[5]
end

-- The highest-numbered ones, if they are neighbours.
local function highest(job, free)
  local run = free[#free]
  if run[2] - run[1] + 1 >= job.procs then return { { run[2] - job.procs + 1, run[2] } } end
end

local function with_place(place)
  return { dispatch = { discipline = "list", reservations = 1, place = place } }
end

describe("place", function()
  it("is an option of every discipline", function()
    for _, name in ipairs { "easy", "easy-sjf", "fcfs", "greedy", "conservative", "shelf",
      "list:reservations=2", "list:reservations=all" } do
      local separator = name:find ":" and "," or ":"
      local starts = name == "shelf" and 6 or 2
      assert.equal(("5: %d on %s"):format(starts, name == "shelf" and "0-1" or "0 2"),
        last(name .. separator .. "place=named"), name)
      assert.equal("5: 6 on 0-1", last(name .. separator .. "place=contiguous"), name)
    end
  end)

  it("is said in a policy's table, and in a group's", function()
    assert.equal("5: 6 on 0-1", last(with_place "contiguous"))
    assert.equal("5: 6 on 0-1", last { groups = {
      { name = "all", dispatch = { discipline = "conservative", place = "contiguous" } },
    } })
    assert.equal("5: 6 on 2-3",
      last { dispatch = { discipline = "fcfs", place = "nodes", node_procs = 2 } })
    assert.equal("5: 6 on 2-3", last("easy", { options = { place = "nodes", node_procs = 2 } }))
  end)

  it("is a function of the job and of what is free", function()
    local s = session(with_place(highest))
    s:finish()
    assert.same({ "1: 0 on 3", "2: 0 on 2", "3: 0 on 1", "4: 0 on 0", "5: 6 on 2-3" }, lines(s))
    local ok, message = pcall(last, with_place(function(job, free)
      if job.id == "3" then error(("%d runs, %d to %d"):format(#free, free[1][1], free[1][2])) end
      return highest(job, free)
    end))
    assert.is_false(ok)
    assert.matches("place for job 3: ", message, 1, true)
    assert.matches("1 runs, 0 to 1", message, 1, true)
  end)

  it("has the same future in a fork, after a change, and on several threads", function()
    local rng, list = orrery.random(3), {}
    for i = 1, 60 do
      list[i] = { procs = rng:integer(1, 7), runtime = rng:integer(1, 50),
        submit = rng:integer(0, 300) }
    end
    local jobs, failures = orrery.jobs(list), {}
    for i = 1, 60 do failures[i] = i % 3 end
    for _, place in ipairs { "named", "contiguous", highest } do
      for _, discipline in ipairs { "list", "conservative" } do
        local policy = { dispatch = { discipline = discipline, place = place,
          reservations = discipline == "list" and 2 or nil } }
        local s = orrery.session { jobs = jobs, procs = 16, policy = policy,
          failures = failures }
        s:run_until(200)
        local fork, changed = s:fork(), s:fork { procs = { procs = 12 } }
        s:finish()
        fork:finish()
        assert.same(lines(s), lines(fork))
        changed:finish()
        assert(changed:check())
        local function run(threads)
          return orrery.compare { jobs = jobs, procs = 16, policies = { policy },
            errors = { mean_probability = 0.2 }, runs = 6, threads = threads }
        end
        assert.same(run(1):rows(), run(3):rows())
      end
    end
  end)
end)

describe("a wrong placement", function()
  local function refused(message, policy, more)
    local ok, found = pcall(last, policy, more)
    assert.is_false(ok)
    if not tostring(found):find(message, 1, true) then
      error(("expected '%s' in: %s"):format(message, tostring(found)), 2)
    end
  end

  it("is refused with what was expected and found", function()
    refused("place must be one of any, named, contiguous, nodes, reliable, spread, low, or a "
      .. "function(job, free); it is 'close'", with_place "close")
    refused("option place: expected any, named, contiguous, nodes, reliable, spread, low, found "
      .. "'close'", "easy:place=close")
    refused("place_nodes must be a function(job, nodes), it is a string",
      { dispatch = { discipline = "fcfs", place_nodes = "low" } })
    refused("its placement (spread or low) is one of nodes, and the machine counts processors",
      "easy:place=low")
    refused("its placement is of processors; on a machine of nodes (--machine) it is any, spread, "
      .. "low or a function place_nodes",
      "easy:place=contiguous", { procs = 4, machine = { nodes = { { count = 2, procs = 2 } } } })
    refused("place 'nodes' needs node_procs, the number of processors of a node: a whole number of "
      .. "at least 1; it is not given", "easy:place=nodes")
    refused("at least 1; it is 1.5",
      { dispatch = { discipline = "fcfs", place = "nodes", node_procs = 1.5 } })
    refused("node_procs is for place 'nodes', this one is 'named'",
      "easy:place=named,node_procs=2")
    refused("it has no option 'place'", "knapsack:place=named")
    refused("group second begins with processor 3, which is inside a node of 2", {
      dispatch = { discipline = "fcfs", place = "nodes", node_procs = 2 },
      groups = { { name = "first", procs = 3, dispatch = { discipline = "fcfs" } },
        { name = "second" } },
    })
  end)

  it("of a function is an error that names policy and job", function()
    local function wrong(message, value)
      refused(message, { name = "mine", dispatch = {
        discipline = "fcfs", place = function() return value end,
      } })
    end
    wrong("policy mine: the processors chosen for job 1: the run from 3 to 4 is not free",
      { { 3, 4 } })
    wrong("policy mine: 2 processors were chosen for job 1, it needs 1", { { 0, 1 } })
    wrong("policy mine: place for job 1: ", "0-1")
    wrong("place must return a list of ranges of processors, or nil; it returned 0-1", "0-1")
    wrong("place must return 1 to 1 ranges, or nil; it returned 0", {})
    wrong("place must return 1 to 1 ranges, or nil; it returned 2", { { 0, 0 }, { 1, 1 } })
    wrong("place must return a list of ranges { first, last }; one of them is 0", { 0 })
    wrong("a range of processors is { first, last }, two whole numbers; found nil", { { 0 } })
    wrong("a range of processors is { first, last }, two whole numbers; found 0.5", { { 0.5, 1 } })
    wrong("policy mine: place permits job 1 none of the 4 processors although all of them are "
      .. "free: it can never start", nil)
    refused("place for job 1", with_place(function() error "no" end))
    refused("math.random can be used only", with_place(function() return math.random() end))
  end)

  it("on nodes is an error that names the job, the node and what lacks", function()
    local function wrong(message, value, job)
      local machine = { nodes = { { count = 2, procs = 4, gpu = 1 }, { count = 1, procs = 2 } },
        partitions = { a = { nodes = "1-2", default = true }, b = { nodes = "3" } } }
      local ok, found = pcall(function()
        orrery.session { jobs = orrery.jobs { { procs = 1, runtime = 9 }, job }, machine = machine,
          policy = { name = "mine", dispatch = { discipline = "fcfs",
            place_nodes = function(item) return item.id == "2" and value or nil end } } }:finish()
      end)
      assert.is_false(ok, message)
      assert.is_truthy(tostring(found):find("policy mine: place_nodes " .. message, 1, true), found)
    end
    local two, six = { procs = 2, runtime = 1, needs = { nodes = 2, gpu = 2 } },
      { procs = 6, runtime = 1 }
    wrong("puts job 2 on node 3, which is not in its partition", { 3 }, six)
    wrong("puts job 2 on node 4, which is not there", { 4 }, six)
    wrong("puts job 2 on node 1, where it needs 4 processors and 3 are free", { { 1, 4 } }, six)
    wrong("puts job 2 on node 1, where it needs 2 gpu and 1 are free", { { 1, 2 } },
      { procs = 2, runtime = 1, needs = { gpu = 2 } })
    wrong("puts job 2 on node 1, which is not empty, and the job is exclusive", { 1 },
      { procs = 1, runtime = 1, needs = { exclusive = 1 } })
    wrong("puts job 2 on node 2, which it has already", { 2, { 2, 2 } }, six)
    wrong("puts job 2 on node 2, where it needs 7 processors and 4 are free", { { 2, 7 } }, six)
    wrong("puts job 2 on node 1, with more processors than are left", { 2, { 1, 3 } }, six)
    wrong("chooses too little for job 2: 2 of 6 processors are left", { 2 }, six)
    wrong("chooses too little for job 2: 1 of 2 nodes are left", { 2 }, two)
    wrong("puts job 2 on node 2, and its share is even: no processors", { { 2, 1 } }, two)
    wrong("for job 2: place_nodes must return a list of 1 to 3 nodes, or nil; it returned 5", 5,
      six)
    wrong("for job 2: place_nodes must return a list of 1 to 3 nodes, or nil; it returned a list "
      .. "of 0", {}, six)
    wrong("for job 2: place_nodes must return nil or a list of nodes as it got them, of their "
      .. "numbers, or of { number, processors }; found x", { "x" }, six)
    wrong("for job 2: place_nodes must return nil or a list of nodes as it got them, of their "
      .. "numbers, or of { number, processors }; found a table", { { 2, {} } }, six)
    wrong("for job 2: place_nodes must return nil or a list of nodes", { { 2, 0 } }, six)
  end)

  it("ends the program with what is wrong", function()
    local folder = program.folder()
    local status, _, message = program.run(folder, "replay --policy easy:place=nodes")
    program.remove(folder)
    assert.equal(2, status)
    assert.matches("needs node_procs", message, 1, true)
  end)
end)
