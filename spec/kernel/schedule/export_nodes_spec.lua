-- Schedules of machines with resources: what jobs need and where they stand, as columns.
local orrery = require "orrery"

local MACHINE = {
  nodes = { { count = 5, procs = 4, mem = "8G" }, { count = 3, procs = 2, gpu = 4 } },
  pools = { matlab = 4 }, partitions = { a = { nodes = "1-6" }, b = { default = true } },
}

local function session(jobs, machine)
  local s = orrery.session { jobs = jobs, machine = machine, policy = "easy" }
  s:finish()
  return s
end

local function written(s)
  local path = os.tmpname() .. ".csv"
  s:write_schedule(path)
  local file <close> = assert(io.open(path))
  return file:read "a", path
end

local function random_jobs(seed)
  local rng, rows = orrery.random { seed = seed }, {}
  for i = 1, 80 do
    local gpu = rng:integer(1, 3) == 1
    rows[i] = { submit = rng:integer(0, 300), procs = gpu and 2 or rng:integer(1, 12),
      time = rng:integer(1, 40), partition = not gpu and rng:integer(1, 2) == 1
        and "a" or nil,
      account = i % 3 > 0 and "acc " .. i % 5 or nil, qos = i % 2 > 0 and "q" or nil,
      array = i % 4 > 0 and i // 9 or nil,
      needs = { gpu = gpu and rng:integer(1, 4) or 0, matlab = rng:integer(0, 2),
        mem = not gpu and rng:integer(0, 2) << 30 or 0, exclusive = rng:integer(1, 9) == 1 and 1
          or 0, nodes = rng:integer(1, 4) == 1 and 2 or 0 } }
  end
  return orrery.jobs(rows)
end

describe("a schedule of a machine with resources", function()
  it("by hand: has what jobs need, and their nodes", function()
    local s = session(orrery.jobs {
      { id = "x", submit = 0, procs = 9, time = 10, needs = { matlab = 2 } },
      { id = "y", submit = 0, procs = 4, time = 10, needs = { gpu = 6, nodes = 2 } },
      { id = "z", submit = 0, procs = 2, time = 5, needs = { exclusive = 1 } },
    }, MACHINE)
    local text = written(s)
    assert.matches(",matlab,nodes,exclusive,gpu,mem,allocated_nodes\n", text)
    assert.matches('\nx,[^\n]*,2,0,0,0,0,"1%-2,6"\n', text)
    assert.matches('\ny,[^\n]*,0,2,0,6,0,"7%-8"\n', text)
    assert.matches('\nz,[^\n]*,0,0,1,0,0,"3"\n', text)
  end)

  it("is as before where there are none, also where jobs need something", function()
    local s = session(orrery.jobs { { procs = 1, time = 1, needs = { gpu = 2 } } }, { procs = 2 })
    assert.matches("machine_procs\n", (written(s)))
  end)

  it("reads back as the same jobs, whose run is the same schedule bit by bit", function()
    for seed = 1, 6 do
      local jobs = random_jobs(seed)
      local text, path = written(session(jobs, MACHINE))
      assert.matches(",partition,account,qos,array,matlab,", text, 1, true)
      local again = orrery.read(path, { machine = MACHINE })
      assert.equal(text, (written(session(again, MACHINE))))
      for _, job in ipairs(again) do
        local was = jobs[jobs:position(job.id)]
        for _, name in ipairs { "gpu", "mem", "matlab", "nodes", "exclusive" } do
          assert.equal(was.needs[name] or 0, job.needs[name] or 0)
        end
      end
      os.remove(path)
    end
  end)

  it("has the nodes of the processors that it names", function()
    local text, count = written(session(random_jobs(9), MACHINE)), 0
    for processors, shown in text:gmatch ',([%d -]+),,,,easy,[^"]*"([%d,-]+)"\n' do
      local nodes, list = {}, {}
      for low, high in processors:gmatch "(%d+)%-?(%d*)" do
        for p = tonumber(low), tonumber(high) or tonumber(low) do
          nodes[p < 20 and p // 4 + 1 or (p - 20) // 2 + 6] = true
        end
      end
      for low, high in shown:gmatch "(%d+)%-?(%d*)" do
        for node = tonumber(low), tonumber(high) or tonumber(low) do list[node] = true end
      end
      assert.same(nodes, list)
      count = count + 1
    end
    assert.is_true(count > 20, count)
  end)
end)

describe("a column 'exclusive' of a log", function()
  local function read(cell)
    local path = os.tmpname() .. ".csv"
    local file <close> = assert(io.open(path, "w"))
    file:write("id,submit,procs,runtime,exclusive\n1,0,1,5," .. cell .. "\n")
    file:close()
    return pcall(orrery.read, path, { machine = MACHINE })
  end

  it("is yes or no, true or false, 1 or 0", function()
    for cell, value in pairs { yes = 1, no = 0, TRUE = 1, ["false"] = 0, ["1"] = 1, ["0"] = 0 } do
      local ok, jobs = read(cell)
      assert.is_true(ok)
      assert.equal(value, jobs[1].needs.exclusive or 0)
    end
    local ok, problem = read "maybe"
    assert.is_false(ok)
    assert.matches(":2: column 5 %(exclusive%): expected yes or no, true or false, 1 or 0",
      tostring(problem))
    assert.not_matches("pool", tostring(problem))
  end)
end)
