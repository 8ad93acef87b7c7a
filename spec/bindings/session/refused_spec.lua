-- Jobs that a machine refuses, and what nodes lack for those that wait: what a session says.
local orrery = require "orrery"

local MACHINE = {
  nodes = { { count = 3, procs = 4, mem = "8G" }, { count = 2, procs = 2, gpu = 4 } },
  pools = { matlab = 5 },
  partitions = { cpu = { nodes = "1-3", max_time = "1h" }, gpu = { nodes = "4-5" },
    all = { default = true } },
}

local function session(rows)
  local s = orrery.session { machine = MACHINE, policy = "easy", jobs = orrery.jobs(rows) }
  s:run_until(0)
  return s
end

local function gpus(id, count, more)
  local job = { id = id, submit = 0, procs = 1, time = 10, partition = "gpu",
    needs = { gpu = count } }
  for key, value in pairs(more or {}) do job[key] = value end
  return job
end

describe("a job that was refused", function()
  local s = session { gpus("a", 1), gpus("x", 20, { submit = 5 }),
    gpus("g", 5, { submit = 6 }), { id = "y", submit = 7, procs = 1, time = 10, partition = "zz" },
    { id = "z", submit = 8, procs = 1, time = 10, walltime = 7200, partition = "cpu" },
    { id = "n", submit = 9, procs = 2, time = 10, needs = { nodes = 3 } } }

  it("says when, what it asks for, and what there is", function()
    assert.equal("job g: it was refused at submission, at 6 s: it asks for 1 processor, 5 gpu, "
      .. "which the empty nodes of partition gpu do not hold: 2 nodes of 2 processors, 4 gpu",
      s:why("g").text)
    assert.equal("job y: it was refused at submission, at 7 s: it asks for partition zz, and the "
      .. "machine has the partitions all, cpu, gpu", tostring(s:why "y"))
    assert.equal("job z: it was refused at submission, at 8 s: it asks for 2.00 h, and partition "
      .. "cpu permits 60.0 min", s:why("z").text)
    assert.matches("2 processors, on 3 nodes", s:why("n").text)
    local one = orrery.session { jobs = orrery.jobs { { procs = 1, time = 1 },
      { id = "w", procs = 2, time = 1, needs = { nodes = 1 } } },
      machine = { nodes = { { count = 1, procs = 1 } } } }
    assert.matches("it asks for 2 processors, on 1 node, which the empty nodes of the machine do "
      .. "not hold: 1 node of 1 processor$", one:why("w").text)
  end)

  it("is shown as such, and unknown jobs are none", function()
    local job = s:job "x"
    assert.same({ "refused", "x", 5, 1, 20 },
      { job.state, job.id, job.submit, job.procs, job.needs.gpu })
    assert.equal("waiting", session({ gpus("a", 4), gpus("b", 4), gpus("c", 1) }):job("c").state)
    assert.has_error(function() s:why "q" end)
    assert.has_error(function() s:job "q" end)
  end)
end)

describe("a job that waits for nodes", function()
  it("by hand: names the nodes that have the most of what is missing", function()
    local s = session { gpus("a", 3), gpus("b", 2), gpus("c", 4) }
    local it = s:why "c"
    assert.same({ { node = 5, free = 2 }, { node = 4, free = 1 } }, it.most_free)
    assert.matches("it waits for 4 gpu: .*; free gpu: 2 on node 5, 1 on node 4$", it.text)
  end)

  it("has memory in its unit, and says where nothing is free", function()
    local function of(id, mem)
      return { id = id, submit = 0, procs = 1, time = 9, needs = { mem = mem << 30 },
        partition = "cpu" }
    end
    local s = session { of("a", 8), of("b", 8), of("c", 6), of("d", 4) }
    assert.matches("waits for 4G mem.*free mem: 2G on node 3$", s:why("d").text)
    assert.matches("free gpu: none$",
      session({ gpus("a", 4), gpus("b", 4), gpus("c", 1) }):why("c").text)
  end)

  it("by hand: of two that are missing everywhere, names one, and not the processors", function()
    local typed = { gpu = 2, ["gpu:a100"] = 2 }
    local function of(id) return { id = id, submit = 0, procs = 1, time = 9, needs = typed } end
    local s = orrery.session { policy = "easy", jobs = orrery.jobs { of "a", of "b" },
      machine = { nodes = { { count = 1, procs = 8, gpu = 3, ["gpu:a100"] = 2 } } } }
    s:run_until(0)
    assert.matches("it waits for 2 gpu: .*; free gpu: 1 on node 1$", s:why("b").text)
  end)

  it("is that of a naive scan", function()
    local compared = 0
    for seed = 1, 30 do
      local rng, rows, free = orrery.random { seed = seed }, {}, { [4] = 4, [5] = 4 }
      for i = 1, 6 do rows[i] = gpus("j" .. i, rng:integer(1, 4)) end
      local s = session(rows)
      for _, a in ipairs(s:schedule()) do
        local node = 4 + (tonumber(a.processors) - 12) // 2
        free[node] = free[node] - s.jobs[a.position].needs.gpu
      end
      for _, job in ipairs(s:waiting()) do
        local it, list = s:why(job.id), {}
        for node = 4, 5 do
          if free[node] > 0 then list[#list + 1] = { node = node, free = free[node] } end
        end
        if #list == 2 and list[2].free > list[1].free then
          list = { list[2], list[1] }
        end
        if it.lacking == "gpu" then
          assert.same(list, it.most_free)
          compared = compared + 1
        end
      end
    end
    assert.is_true(compared > 30, compared)
  end)
end)

describe("a job that comes to a session", function()
  it("is refused where it needs what the machine does not have", function()
    local s = session { gpus("a", 1) }
    local tape = { { procs = 1, time = 1, needs = { tape = 1 } } }
    for _, f in ipairs { function() s:fork { submit = tape } end, function() s:submit(tape) end } do
      local ok, problem = pcall(f)
      assert.is_false(ok)
      assert.matches("submit: job new1 needs tape, and the machine has no such pool or resource",
        tostring(problem))
    end
    s:submit { procs = 1, time = 1, needs = { tape = 0, gpu = 1, matlab = 5 } }
    for _ = 1, 3 do s:submit { procs = 1, time = 1 } end -- the last ones on the short way
    assert.equal(5, #s.jobs)
    assert.error_matches(function() s:submit(tape[1]) end, "needs tape, and the machine has no")
    s:submit { procs = 1, time = 1, needs = { tape = 0, gpu = 1, matlab = 5, nodes = 1 } }
    assert.equal(6, #s.jobs)
    local plain = orrery.session { jobs = orrery.jobs { { procs = 1, time = 1 } }, procs = 2 }
    assert.has_error(function() plain:submit(tape) end)
    assert.equal(1, #plain.jobs)
  end)
end)
