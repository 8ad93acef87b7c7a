-- Gantt charts as SVG: every attempt is where it ran, whatever it is called.
local instances = require "spec.support.instances"
local orrery = require "orrery"
local program = require "spec.support.program"
local rigid = require "spec.support.rigid"
local xml = require "spec.support.xml"
local rounds = require "spec.support.rounds"

local function gantt(given, ...) return given:gantt(...) end

local folder
before_each(function() folder = program.folder() end)
after_each(function() program.remove(folder) end)

local function drawn(given, options)
  gantt(given, folder .. "/g.svg", options)
  return xml.read(program.read(folder .. "/g.svg"))
end

-- The boxes of jobs in a chart, { title =, class =, { x, y, w, h }, ... } each, in its units; and
-- its plot.
local function boxes_of(root)
  local plot = xml.class(root, "op")[1]
  local boxes = {}
  for _, node in ipairs(plot) do
    if (node.at.class or ""):match "^o%d+" then
      local box = { title = node[1].text, class = node.at.class }
      for x, y, w, h, back in node.at.d:gmatch "M(%-?%d+) (%-?%d+)h(%d+)v(%d+)h%-(%d+)z" do
        assert.equal(w, back)
        box[#box + 1] = { tonumber(x), tonumber(y), tonumber(w), tonumber(h) }
      end
      boxes[#boxes + 1] = box
    end
  end
  return boxes, plot
end

local function size_of(plot)
  return plot.at.viewBox:match "^0 0 (%d+) (%d+)$"
end

local function texts(root)
  local found = {}
  for _, node in ipairs(xml.all(root, function(n) return n.name == "text" end)) do
    found[node.text] = (found[node.text] or 0) + 1
  end
  return found
end

local function ranges(text)
  local list = {}
  for first, last in text:gmatch "(%d+)%-?(%d*)" do
    list[#list + 1] = { tonumber(first), tonumber(last == "" and first or last) }
  end
  return list
end

-- Every attempt has its box, in order, at its times and processors.
local function check(s, root)
  local boxes, plot = boxes_of(root)
  local w, h = size_of(plot)
  local from, to = tonumber(root.at["data-from"]), tonumber(root.at["data-to"])
  local schedule = s:schedule()
  assert.equal(#schedule, #boxes)
  for i, a in ipairs(schedule) do
    local held = ranges(a.processors)
    assert.equal(#held, #boxes[i])
    local id = boxes[i].title:match "^job ([^,\n]*)"
    assert.equal(a.id, id)
    for k, range in ipairs(held) do
      local x, y, wide, high = table.unpack(boxes[i][k])
      assert.near((a.start - from) / (to - from) * w, x, 1)
      assert.near((a.finish - a.start) / (to - from) * w, wide, 1)
      local procs = tonumber(root.at["data-procs"])
      assert.near((procs - range[2] - 1) / procs * h, y, 1)
      assert.near((range[2] - range[1] + 1) / procs * h, high, 1)
    end
  end
end

describe("a Gantt chart", function()
  it("has every attempt at its coordinates, in random schedules", function()
    local rng = orrery.random(17)
    for _ = 1, rounds(60, 60, 20) do
      local instance = instances.random(rng, { n = 12 })
      local s = orrery.session(rigid.spec(instance, {
        policy = rigid.pick(rng, { "dispatch/easy", "dispatch/greedy", "dispatch/shelf" }),
      }))
      if rng:integer(0, 2) == 0 then s:run_until(rng:uniform(0, 30)) else s:finish() end
      check(s, drawn(s))
    end
  end)

  it("by hand: two jobs, of which one fails once", function()
    local s = orrery.session { procs = 4, policy = "fcfs", failures = { 0, 1, 0 },
      jobs = orrery.jobs { { procs = 2, time = 10, id = "left" }, { procs = 2, time = 5, id = "x" },
        { procs = 4, time = 10, id = "all" } } }
    s:finish()
    local root = drawn(s, { title = "Two & more", width = 1086 })
    -- 1000 px of 20 s, 136 px of 4 processors; 100 units are a px
    local boxes, plot = boxes_of(root)
    assert.same({ "100000", "13600" }, { size_of(plot) })
    assert.same({ { 0, 6800, 50000, 6800 } }, { boxes[1][1] })
    assert.same({ 0, 0, 25000, 6800 }, boxes[2][1])
    assert.same({ 25000, 0, 25000, 6800 }, boxes[3][1])
    assert.same({ 50000, 0, 50000, 13600 }, boxes[4][1])
    assert.equal("job x, attempt 1: failed\n0 s to 5 s (5 s)\n2 processors: 2-3\nsubmitted 0 s",
      boxes[2].title)
    assert.equal("job x, attempt 2", boxes[3].title:match "^[^\n]*")
    assert.equal(boxes[2].class, boxes[3].class)
    assert.are_not.equal(boxes[1].class, boxes[2].class)
    -- the failed one can be told without its colour
    local over = xml.class(plot, "oo")
    assert.equal(1, #over)
    assert.equal("M0 0h25000v6800h-25000z", over[1].at.d)
    assert.equal("url(#o-stripes)", over[1].at.fill)
    local found = texts(root)
    for text, count in pairs { left = 1, x = 2, all = 1, ["failed attempt"] = 1, ["0"] = 3,
      ["20"] = 1, ["Time (s)"] = 1, Processor = 1, ["Two & more"] = 1,
      ["3 jobs on 4 processors, 20 s, 100.0% busy"] = 1 } do
      assert.equal(count, found[text], text)
    end
  end)

  it("escapes whatever names there are", function()
    local s = orrery.session { procs = 4, jobs = orrery.jobs {
      { procs = 1, time = 9, id = [[<b>&"'</b>]], user = "a]]>b", queue = "q\1\127" },
      { procs = 1, time = 9, id = "\xFF\xFE bad" }, { procs = 1, time = 9, id = "größer ✓" },
    } }
    s:finish()
    local boxes = boxes_of(drawn(s, { title = "</title><script>" }))
    assert.matches("^job <b>&\"'</b>\n", boxes[1].title)
    assert.matches("user a]]>b, queue q\u{FFFD}\u{FFFD}, ", boxes[1].title)
    assert.matches("^job \u{FFFD}\u{FFFD} bad\n", boxes[2].title)
    assert.matches("^job größer ✓\n", boxes[3].title)
  end)

  it("of nothing is an empty one", function()
    local s = orrery.session { procs = 4, jobs = orrery.jobs { { procs = 1, time = 9 } } }
    local root = drawn(s)
    assert.same({}, (boxes_of(root)))
    assert.equal(1, texts(root)["0 jobs on 4 processors, 1 s"])
  end)

  it("shows what is still to come, and now", function()
    local s = orrery.session { procs = 2, jobs = orrery.jobs { { procs = 1, time = 10 },
      { procs = 1, time = 4 } } }
    s:run_until(4)
    local root = drawn(s)
    local over = xml.class(root, "oo")
    assert.equal(1, #over)
    assert.matches("^M44560 6000h66840v", over[1].at.d) -- from 4 of 10 s on
    assert.equal(1, texts(root).now)
    assert.equal(1, texts(root)["still to come, as planned"])
  end)

  it("shows groups, redirected jobs and processors that are out", function()
    local s = orrery.session { procs = 8, policy = "redirect/threshold",
      options = { theta = 0, redirection_procs = 4 },
      node_failures = { log = { { time = 6, processor = 0, repair = 10 } }, procs = 2 },
      jobs = orrery.jobs { { procs = 4, time = 30 }, { procs = 4, time = 20, submit = 1 },
        { procs = 4, time = 10, submit = 2 }, { procs = 2, time = 10, submit = 3 } } }
    s:finish()
    local root = drawn(s)
    local found = texts(root)
    for _, group in ipairs(s.groups) do assert.equal(1, found[group.name]) end
    assert.equal(1, found["redirected to another group"])
    assert.equal(1, found["processors that are out"])
    assert.equal(1, found["lost to a node's failure"])
    local down = xml.class(root, "od")
    assert.equal(1, #down)
    assert.matches("^processors 0%-1 are out\n6 s to 16 s", down[1][1].text)
    check(s, root)
    local name = s.groups[2].name
    local only = boxes_of(drawn(s, { group = name }))
    local count = 0
    for _, a in ipairs(s:schedule()) do count = count + (a.group == name and 1 or 0) end
    assert.equal(count, #only)
    assert.is_true(count > 0)
  end)

  it("has the calendar where the log has one, and cuts out a part", function()
    local day = orrery.read("sample-2019-06"):day "2019-06-14"
    local s = orrery.session { jobs = day, procs = 49152, policy = "dispatch/easy" }
    s:finish()
    local root = drawn(s)
    check(s, root)
    local found = texts(root)
    assert.equal(1, found["15 Jun"])
    assert.equal(1, found["Time (UTC, 2019)"])
    local part = drawn(s, { from = "2019-06-14 06:00", to = "2019-06-14 07:00" })
    assert.equal(3600, part.at["data-to"] - part.at["data-from"])
    local boxes, count = boxes_of(part), 0
    for _, a in ipairs(s:schedule()) do
      local inside = a.start <= tonumber(part.at["data-to"])
        and a.finish >= tonumber(part.at["data-from"])
      count = count + (inside and 1 or 0)
    end
    assert.equal(count, #boxes)
    assert.is_true(count < 120)
    assert.equal(1, texts(part)["06:30"])
  end)

  -- b and c of one partition have one colour, a without one the last of fourteen.
  it("is coloured by 2 to 8 partitions, with a legend", function()
    local function classes(partitions)
      local list = {}
      for i, name in ipairs(partitions) do
        list[i] = { id = ("%02d"):format(i), procs = 1, runtime = 9, submit = i,
          partition = name ~= "" and name or nil }
      end
      local s = orrery.session { procs = 20, policy = "fcfs", jobs = orrery.jobs(list) }
      s:finish()
      local root = drawn(s)
      local found = {}
      for _, box in ipairs((boxes_of(root))) do
        found[tonumber(box.title:match "^job (%d+)")] = box.class:match "^o(%d+)"
      end
      return found, program.read(folder .. "/g.svg")
    end
    local found, svg = classes { "", "gpu", "gpu", "cpu" }
    assert.same({ "14", "2", "2", "1" }, found)
    assert.matches(">cpu</text>.*>gpu</text>", svg)
    local one = classes { "gpu", "gpu", "gpu", "gpu" }
    assert.same({ "1", "2", "3", "4" }, one)
    assert.equal("9", classes { "a", "b", "c", "d", "e", "f", "g", "h", "i" }[9])
  end)

  it("names jobs that have no room in the picture below it", function()
    local list = {}
    for i = 1, 10 do list[i] = { procs = 1, time = i == 1 and 1000 or 1, id = "name-" .. i } end
    local s = orrery.session { procs = 10, jobs = orrery.jobs(list) }
    s:finish()
    local found = texts(drawn(s))
    for i = 1, 10 do assert.equal(1, found["name-" .. i]) end
  end)
end)

describe("a Gantt chart of jobs that write checkpoints", function()
  local JOBS = orrery.jobs { { procs = 2, runtime = 35 } }

  local function session(more)
    local spec = { jobs = JOBS, procs = 2, checkpoint = { cost = 2, recovery = 3, period = 10 },
      node_failures = { log = { { time = 27, processor = 0 } } } }
    for key, value in pairs(more or {}) do spec[key] = value end
    local s = orrery.session(spec)
    s:finish()
    return s
  end

  local function over(s)
    local list = {}
    for i, span in ipairs(orrery.draw.model.of(s, {}).over) do
      list[i] = ("%s %g %g"):format(span.look, span.start, span.finish)
    end
    return list
  end

  it("shows checkpoints, recoveries and what is lost", function()
    local s = session()
    assert.same({ "checkpoint 10 12", "checkpoint 22 24", "node_failure 24 27", "recovery 27 30",
      "checkpoint 40 42" }, over(s))
    local root = drawn(s)
    local found = texts(root)
    for _, text in ipairs { "checkpoint", "recovery", "lost to a node's failure" } do
      assert.is_truthy(found[text], text)
    end
    assert.same({}, over(session { node_failures = { mtbf = 1e9 },
      checkpoint = { cost = 2, period = 35 } }))
    local plain = orrery.session { jobs = JOBS, procs = 2 }
    plain:finish()
    assert.is_nil(orrery.draw.model.of(plain, {}).over)
  end)

  it("has in its spans all the time that the metrics count", function()
    local rng, seen = orrery.random(8), { checkpoint = 0, recovery = 0, preempted = 0 }
    for seed = 1, rounds(60, 60, 20) do
      local list = {}
      for i = 1, rng:integer(1, 9) do
        list[i] = { procs = rng:integer(1, 4), runtime = rng:integer(0, 60),
          submit = rng:integer(0, 40) }
      end
      local s = session { jobs = orrery.jobs(list), procs = 6, seed = seed,
        node_failures = { mtbf = 90, repair = 4 }, policy = {
          dispatch = { discipline = "list", reservations = 1 },
          on_submit = function(sim)
            for _, job in ipairs(sim:running()) do
              if sim.now % 3 < 1 then sim:preempt(job) else sim:checkpoint(job) end
            end
          end,
        }, checkpoint = { cost = rng:integer(0, 3), recovery = rng:integer(0, 2),
          period = rng:uniform(1, 20) } }
      local sums = { checkpoint = 0, recovery = 0, preempted = 0, node_failure = 0 }
      for _, span in ipairs(orrery.draw.model.of(s, {}).over) do
        sums[span.look] = sums[span.look]
          + (span.finish - span.start) * list[span.who.who].procs
      end
      local metrics = s:measure()
      local function near(expected, value, what)
        assert.is_true(math.abs(value - expected) <= 1e-9 * (1 + expected), what)
      end
      near(metrics.checkpoint_time, sums.checkpoint, "checkpoints")
      near(metrics.recovery_time, sums.recovery, "recoveries")
      near(metrics.work_lost, sums.preempted + sums.node_failure, "lost")
      for name in pairs(seen) do seen[name] = seen[name] + sums[name] end
    end
    assert.is_true(seen.checkpoint > 0 and seen.recovery > 0)
  end)
end)

describe("a Gantt chart of tasks", function()
  it("has every span of every task", function()
    local rng = orrery.random(5)
    for seed = 1, 12 do
      local s = orrery.session { tasks = { n = rng:integer(1, 6) }, procs = 2 * rng:integer(6, 20),
        faults = { mtbf_years = 2, downtime = 86400 }, seed = seed,
        policy = rigid.pick(rng, { "none", "end-local+iterated-greedy" }) }
      if seed % 3 == 0 then s:run_until(60 * 86400) else s:finish() end
      local root = drawn(s)
      local boxes, plot = boxes_of(root)
      local w = size_of(plot)
      local from, to = tonumber(root.at["data-from"]), tonumber(root.at["data-to"])
      local function unit(time) return (time - from) / (to - from) * w end
      for _, node in ipairs(plot) do
        local x, _, wide = node.at.d:match "^M(%-?%d+) (%-?%d+)h(%d+)"
        assert.is_true(tonumber(x) >= 0 and tonumber(x) + tonumber(wide) <= w + 40)
      end
      local kinds = {}
      for _, span in ipairs(s:schedule()) do
        kinds[span.kind] = true
        local covered = false
        for _, box in ipairs(boxes) do
          covered = covered or box.title:match "^task (%S+)" == span.id
            and box[1][1] <= unit(span.start) + 1
            and box[1][1] + box[1][3] >= unit(span.finish) - 1
            and box.title:find(": " .. span.processors:sub(1, 60), 1, true) ~= nil
        end
        assert.is_true(covered)
      end
      local found = texts(root)
      assert.equal(kinds.lost, found["work that a fault undid"] ~= nil or nil)
      assert.equal(kinds.checkpoint, found.checkpoint ~= nil or nil)
      assert.equal(kinds.downtime, found.downtime ~= nil or nil)
      assert.equal(kinds.redistribution, found.redistribution ~= nil or nil)
      assert.equal(#s:faults(), #xml.class(root, "of") - (#s:faults() > 0 and 1 or 0))
    end
  end)
end)

describe("processors that are not in service", function()
  -- Nothing runs where and while they are out.
  local function check_free(s)
    local m = orrery.draw.model.of(s, {})
    for _, down in ipairs(m.down) do
      for _, box in ipairs(m.boxes) do
        for _, range in ipairs(box.ranges) do
          local apart = box.start >= down.finish or box.finish <= down.start
            or range[1] > down.ranges[1][2] or range[2] < down.ranges[1][1]
          assert.is_true(apart, down.title .. " but " .. box.title)
        end
      end
    end
    return #m.down
  end

  it("are where no task is", function()
    local rng, seen = orrery.random(12), 0
    for seed = 1, 12 do
      local s = orrery.session { tasks = { n = rng:integer(1, 4) }, procs = 24, seed = seed,
        faults = { mtbf_years = 5 }, policy = "end-local+iterated-greedy" }
      for i = 1, rng:integer(1, 4) do
        s:run_until(i * 30 * 86400)
        s:change { procs = 2 * rng:integer(4, 20) }
      end
      s:finish()
      seen = seen + check_free(s)
    end
    assert.is_true(seen > 12)
  end)

  it("are where no job is", function()
    local rng, seen = orrery.random(13), 0
    for _ = 1, 30 do
      local instance = instances.random(rng, { n = 14, procs = { 6 } })
      local s = orrery.session(rigid.spec(instance, { policy = "dispatch/easy" }))
      for i = 1, rng:integer(1, 3) do
        s:run_until(i * 7)
        s:change { procs = { procs = rng:integer(6, 12),
          ["until"] = rng:integer(0, 1) == 1 and s.now + rng:integer(1, 9) or nil } }
      end
      s:finish()
      seen = seen + check_free(s)
      check(s, drawn(s))
    end
    assert.is_true(seen > 20)
  end)

  it("by hand", function()
    local s = orrery.session { tasks = { n = 1 }, procs = 6, policy = "none" }
    s:run_until(10)
    s:change { procs = 10 }
    s:finish()
    assert.same({ { what = "added", start = 10, finish = 10, first = 6, procs = 2 },
      { what = "added", start = 10, finish = 10, first = 8, procs = 2 } }, s:outages())
    local root = drawn(s)
    local down = xml.class(root, "od")
    assert.equal(1, #down)
    assert.equal("processors 6-9 are not there yet\nuntil 10 s", down[1][1].text)
  end)
end)

describe("a Gantt chart of packs", function()
  it("has every task in its pack", function()
    local result = orrery.packs { tasks = orrery.tasks.synthetic { n = 12, m = { 1000, 1e5 } },
      procs = 16, k = 4, policy = "pack-by-pack" }
    local c = result:coschedule()
    c:gantt(folder .. "/c.svg", { title = "Packs" })
    local root = xml.read(program.read(folder .. "/c.svg"))
    local boxes, plot = boxes_of(root)
    local w, h = size_of(plot)
    local schedule, packs = result:schedule(), result:packs()
    local total = packs[#packs].start + packs[#packs].cost
    assert.equal(12, #boxes)
    for i, task in ipairs(schedule) do
      assert.equal(task.id, boxes[i].title:match "^task ([^,]*), pack")
      local x, _, wide, high = table.unpack(boxes[i][1])
      assert.near(task.start / total * w, x, 1)
      assert.near((task.finish - task.start) / total * w, wide, 1)
      assert.near(task.procs / 16 * h, high, 1)
    end
    local narrow = #packs
    for b, pack in ipairs(packs) do
      if pack.cost / total * w > 4000 then
        narrow = narrow - 1
        assert.equal(1, texts(root)["P" .. b])
      end
    end
    assert.is_true(narrow < #packs)
  end)
end)

describe("what cannot be drawn", function()
  local function very_many()
    local s = orrery.session { procs = 64, policy = "fcfs",
      jobs = orrery.lublin { procs = 64, count = 20001, load = 0.5 } }
    s:finish()
    return s
  end

  it("is very many jobs without zoom; a part of them can #long", function()
    local s = very_many()
    local ok, problem = pcall(gantt, s, folder .. "/g.svg")
    assert.is_false(ok)
    assert.is_truthy(problem:find("gantt: 20001 attempts are too many for a picture without zoom "
      .. "(at most 20000): write .html, or choose a part with from and to", 1, true), problem)
    assert.equal("", program.listing(folder))
    gantt(s, folder .. "/g.svg", { to = 86400 })
    assert.equal("g.svg", program.listing(folder))
  end)

  it("has no such end with zoom #long", function()
    gantt(very_many(), folder .. "/g.html")
    assert.equal("g.html", program.listing(folder))
  end)

  local s
  before_each(function()
    s = orrery.session { procs = 2, jobs = orrery.jobs { { procs = 2, time = 10 } } }
    s:finish()
  end)

  it("is said at the line that asked, and nothing is written", function()
    for _, case in ipairs {
      { { "g.pdf" },
        "gantt: expected the name of a file that ends in .svg, .png or .html, found 'g.pdf'" },
      { {}, "gantt: expected the name of a file that ends in .svg, .png or .html, found none" },
      { { "/nonexistent/g.svg" }, "cannot write /nonexistent/g.svg: No such file or directory" },
      { { folder .. "/g.svg", { widht = 3 } }, "unknown option 'widht' (known: colour, from, "
        .. "group, height, title, to, width)" },
      { { folder .. "/g.svg", { width = 3 } }, "width: expected a number from 300 to 20000, found "
        .. "'3'" },
      { { folder .. "/g.svg", { from = "2019-06-14" } },
        "from: '2019-06-14' is a date, but these jobs have no calendar times" },
      { { folder .. "/g.svg", { to = {} } }, "to: expected seconds, found 'table" },
      { { folder .. "/g.svg", { from = 5, to = 4 } },
        "to: expected a time after from, 5 s, found 4 s" },
      { { folder .. "/g.svg", { group = "x" } },
        "group: there is no group 'x' (known: main)" },
    } do
      local ok, problem = pcall(gantt, s, table.unpack(case[1]))
      assert.is_false(ok)
      assert.matches(case[2], problem, 1, true)
      assert.is_nil(problem:find("orrery/", 1, true), problem)
    end
    assert.equal("", program.listing(folder))
  end)
end)
