-- What policies know of nodes that fail, and what a session shows of those that are out.
local orrery = require "orrery"

local JOBS = { { submit = 0, procs = 4, time = 50 }, { submit = 1, procs = 4, time = 50 },
  { submit = 90, procs = 8, time = 10 } }

-- A policy that starts what fits, and tells `look(sim)` at every decision.
local function told(look, spec)
  spec.policy = { name = "looks", dispatch = function(sim)
    sim:note { text = look(sim) }
    for job in sim:fitting() do
      if sim:can_start(job) then sim:start(job) end
    end
  end }
  spec.jobs, spec.procs = orrery.jobs(spec.rows or JOBS), spec.procs or 8
  spec.rows = nil
  local s = orrery.session(spec)
  s:finish()
  local list = {}
  for i, note in ipairs(s.notes) do list[i] = { note.time, note.text } end
  return list, s
end

local LOG = { { time = 20, processor = 3, repair = 15 }, { time = 25, processor = 2, repair = 5 },
  { time = 40, processor = 6, repair = 1e3 } }

describe("a policy", function()
  it("by hand: sees the failures of nodes so far, and which of them are down until when", function()
    local list = told(function(sim)
      local texts = { tostring(sim.node_failures) }
      for _, p in ipairs { 0, 2, 7 } do
        local n = sim:node(p)
        texts[#texts + 1] = ("%d+%d:%d%s"):format(n.first, n.procs, n.failures,
          n.down and "!" .. n.back or "")
      end
      return table.concat(texts, " ")
    end, { node_failures = { log = LOG, procs = 2 }, rows = { JOBS[1], JOBS[2] } })
    local texts = {}
    for i, note in ipairs(list) do texts[i] = ("%g %s"):format(note[1], note[2]) end
    assert.same({
      "0 0 0+2:0 2+2:0 6+2:0", "1 0 0+2:0 2+2:0 6+2:0",
      "20 1 0+2:0 2+2:1!35.0 6+2:0", -- the first job waits for processors 2 and 3
      "25 2 0+2:0 2+2:2!35.0 6+2:0", "30 2 0+2:0 2+2:2!35.0 6+2:0", -- the later repair counts
      "35 2 0+2:0 2+2:2 6+2:0",
      "40 3 0+2:0 2+2:2 6+2:1!1040.0", -- the second, too
      "85 3 0+2:0 2+2:2 6+2:1!1040.0",
    }, texts)
  end)

  it("counts what the outages of a naive reading say, at any time", function()
    local looks = 0
    for seed = 1, 25 do
      local given = { mtbf = 300, procs = 3, repair = "weibull:40,0.7", domains = "2:700",
        lemons = "0.3:4" }
      local rows, rng = {}, orrery.random { seed = seed }
      for i = 1, 30 do
        rows[i] = { submit = 9 * i, procs = rng:integer(1, 6), time = rng:integer(5, 40) }
      end
      local list, s = told(function(sim)
        local texts = { tostring(sim.node_failures) }
        for p = 0, 13 do
          local n = sim:node(p)
          texts[#texts + 1] = n.failures .. (n.down and "!" .. n.back or "")
        end
        return table.concat(texts, " ")
      end, { seed = seed, node_failures = given, rows = rows, procs = 14 })
      local outages = s:outages()
      for _, note in ipairs(list) do
        local now, rest = note[1], note[2]
        local all, failures, back = 0, {}, {}
        for _, o in ipairs(outages) do
          if o.start <= now then
            all = all + 1
            for node = o.first // 3, (o.first + o.procs - 1) // 3 do
              failures[node] = (failures[node] or 0) + 1
            end
            for p = o.first, o.first + o.procs - 1 do
              back[p] = math.max(back[p] or 0, o.finish)
            end
          end
        end
        local texts = { tostring(all) }
        for p = 0, 13 do
          local until_when = back[p] or 0
          texts[#texts + 1] = (failures[p // 3] or 0)
            .. (until_when > now and "!" .. until_when or "")
        end
        assert.equal(table.concat(texts, " "), rest)
        looks = looks + 1
      end
    end
    assert.is_true(looks > 1000)
  end)

  it("knows the probability that a node or a domain fails under a job", function()
    local function probabilities(given, rows)
      local list = told(function(sim)
        local texts = {}
        for job in sim:waiting() do
          texts[job.position] = ("%.17g"):format(job.failure_probability)
        end
        return table.concat(texts, " ")
      end, { node_failures = given, rows = rows, procs = 64 })
      local found = {}
      for text in list[1][2]:gmatch "%S+" do found[#found + 1] = tonumber(text) end
      return found
    end
    local rows = { { procs = 1, time = 100 }, { procs = 16, time = 100 },
      { procs = 17, time = 50 } }
    local found = probabilities({ mtbf = 1e5, procs = 16 }, rows)
    for i, expected in ipairs { 100, 100, 2 * 50 } do
      assert.is_true(math.abs(found[i] + math.exp(-expected / 1e5) - 1) < 1e-12)
    end
    found = probabilities({ mtbf = 1e5, procs = 4, domains = "4:10000" }, rows)
    for i, nodes in ipairs { 100, 400, 250 } do
      local expected = nodes / 1e5 + 100 / 1e4
      assert.is_true(math.abs(found[i] + math.exp(-expected) - 1) < 1e-12)
    end
    assert.same({ 0, 0, 0 }, probabilities(nil, rows))
    assert.same({ 0, 0, 0 }, probabilities({ log = LOG }, rows))
  end)

  -- Nodes 0-3 and 4-7, with and without failures; node 8-10 is added at 1, and fails at 2.
  it("sees the nodes of a machine that says them, also those that are added", function()
    for _, failures in pairs { { log = LOG }, { mtbf = 1e9, procs = 4 }, { mtbf = 1e9 }, false } do
      local s = orrery.session { machine = { nodes = { { count = 2, procs = 4 } } },
        jobs = orrery.jobs { { procs = 1, runtime = 10 }, { submit = 3, procs = 1, runtime = 1 } },
        node_failures = failures or nil,
        policy = { dispatch = function(sim)
          local texts = {}
          for p = 2, sim.procs - 1, 3 do
            local n = sim:node(p)
            texts[#texts + 1] = ("%d+%d:%d"):format(n.first, n.procs, n.failures)
          end
          sim:note { text = table.concat(texts, " ") }
          for job in sim:waiting() do
            if sim:can_start(job) then return sim:start(job) end
          end
        end } }
      s:run_until(1)
      s = s:fork { add_nodes = { count = 1, kind = { procs = 3 } } }
      s:run_until(2)
      s = s:fork { fault = { processor = 9 } }
      s:run_until(3)
      assert.equal("0+4:0 4+4:0", s.notes[1].text)
      assert.equal("0+4:0 4+4:0 8+3:1", s.notes[#s.notes].text)
    end
  end)

  it("is told which processors there are", function()
    local ok, message = pcall(told, function(sim) return tostring(sim:node(8)) end, {})
    assert.is_false(ok)
    assert.is_truthy(message:find("there is no such processor", 1, true), message)
  end)
end)

describe("a session", function()
  it("shows which processors are out because of their nodes", function()
    local s = orrery.session { jobs = orrery.jobs(JOBS), procs = 8, policy = "easy",
      node_failures = { log = LOG, procs = 2 } }
    local function line()
      return tostring(s):match "processors +([^\n]*)"
    end
    assert.equal("0 of 8 busy", line())
    s:run_until(20)
    assert.equal("4 of 8 busy, 2 out (2-3)", line())
    s:run_until(41)
    assert.equal("4 of 8 busy, 2 out (6-7)", line())
    s:change { procs = 7 }
    assert.equal("4 of 7 busy, 1 out (6)", line())
    assert.equal("6", s:out())
  end)

  it("shows the first of many", function()
    local log = {}
    for i = 1, 100 do log[i] = { time = 1, processor = 2 * i, repair = 50 } end
    local s = orrery.session { jobs = orrery.jobs { { procs = 1, time = 9 } }, procs = 300,
      policy = "easy", node_failures = { log = log } }
    s:run_until(2)
    local text = tostring(s):match "processors +([^\n]*)"
    assert.matches("^1 of 300 busy, 100 out %(2 4 6 8 10 12 [%d ]*%d %.%.%.%)$", text)
  end)

  -- A job of 9 s holds one of two processors; the other job comes at 1. The node is drained at 0
  -- and at 2.
  it("by hand: are out as long as the later of two drains says", function()
    local function start(first, second)
      local s = orrery.session { policy = "conservative",
        machine = { nodes = { { count = 1, procs = 2 } } },
        jobs = orrery.jobs { { procs = 1, runtime = 9 }, { procs = 1, runtime = 1, submit = 1 } } }
      s:run_until(0)
      s:change { drain = { nodes = "1", ["until"] = first } }
      s:run_until(2)
      s:change { drain = { nodes = "1", ["until"] = second } }
      s:finish()
      assert.is_true(s:check())
      return s:job(2).start
    end
    assert.same({ 5, 20, 5 }, { start(20, 5), start(5, 20), start(nil, 5) })
  end)
end)
