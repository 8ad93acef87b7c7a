-- Reports, and plots of results and sessions.
local orrery = require "orrery"
local program = require "spec.support.program"
local rounds = require "spec.support.rounds"
local xml = require "spec.support.xml"

local folder
before_each(function() folder = program.folder() end)
after_each(function() program.remove(folder) end)

-- Runs Lua in the program: the sanitizers' runtime is not to be loaded into gnuplot.
local function run(text)
  program.write(folder, "draw.lua", 'local orrery = require "orrery"\n' .. text)
  local status, out, err = program.run(folder, "draw.lua")
  os.remove(folder .. "/draw.lua")
  assert.same({ 0, "" }, { status, err })
  return out
end

local RESULT = [[
local result = orrery.compare {
  jobs = orrery.jobs { { procs = 2, time = 10, id = "<i>a" }, { procs = 3, time = 5 },
    { procs = 1, time = 20 }, { procs = 4, time = 3 } }, batch = true,
  procs = 4, runs = 12, seed = 3, errors = { mean_probability = 0.3 }, priority = "lpt",
  policies = { "greedy", { policy = "list", options = { reservations = 2 }, name = "two & more" } },
}
]]

-- A page is no XML: its void elements, and the scripts.
local function page_of(text)
  assert.matches("^<!DOCTYPE html>\n", text)
  return xml.read((text:gsub("^<!DOCTYPE html>\n", ""):gsub("<meta ([^>]*)>", "<meta %1/>")
    :gsub("<script>.-</script>", ""):gsub("<style>.-</style>", "")))
end

local function text_of(node)
  local parts = { node.text }
  for _, child in ipairs(node) do parts[#parts + 1] = text_of(child) end
  return table.concat(parts, "\n")
end

describe("a report", function()
  it("names the sizes of all machines #long", function()
    program.write(folder, "log.csv", "id,submit,procs,runtime\na,0,2,10\nb,1,2,5\n")
    local status, _, err = program.run(folder,
      "compare log.csv --procs 2 --procs 4 --policy easy --report page.html")
    assert.same({ 0, "" }, { status, err })
    assert.matches(">2 jobs on 2 and 4 processors, one scenario each",
      program.read(folder .. "/page.html"))
  end)

  it("has the dates of the first and the latest submission, in any order of records", function()
    program.write(folder, "log.swf", "; UnixStartTime: 1560470400\n; MaxProcs: 4\n"
      .. "1 0 -1 10 1 -1 -1 1 10\n2 7200 -1 10 1 -1 -1 1 10\n3 3600 -1 10 1 -1 -1 1 10\n")
    run [[orrery.compare { jobs = "log.swf", policies = { "easy", "fcfs" } }:report "r.html"]]
    assert.is_truthy(program.read(folder .. "/r.html"):find(
      "submitted from 2019-06-14 00:00:00 to 2019-06-14 02:00:00 UTC", 1, true))
  end)

  it("is one page with all numbers, the policies, and the call", function()
    local csv = run(RESULT .. "result:report 'r.html' io.write(result:csv())")
    assert.equal("r.html", program.listing(folder))
    local text = program.read(folder .. "/r.html")
    local root = page_of(text)
    local said = text_of(root)
    assert.matches(csv, said, 1, true)
    for _, what in ipairs { "How do greedy + lpt and two & more + lpt differ?",
      "4 jobs on 4 processors, 12 scenarios each; all jobs are there at the start and a job fails "
        .. "with a mean probability of 0.3 and runs again.",
      "reservations = 2", "seed = 3,", "errors = { mean_probability = 0.3 },", 'priority = "lpt",',
      "orrery " .. orrery.version } do
      assert.is_truthy(said:find(what, 1, true), what)
    end
    local policies = {}
    for _, row in ipairs(xml.all(root, function(n) return n.name == "tr" end)) do
      local name = row[1].text
      if #row == 4 and (name == "greedy" or name == "list" or name == "lpt") then
        policies[#policies + 1] = { name, row[2].text, row[3].text, row[4].text }
      end
    end
    local greedy, list = orrery.describe "greedy", orrery.describe "list"
    assert.same({
      { "greedy", greedy.about, greedy.source, "" },
      { "list", list.about, list.source,
        "backfill = queue, reading = blocked, reservations = 2" },
      { "lpt", "Longest processing time first.", "RR-9296, section 5.1", "" },
    }, policies)
    assert.equal(2, #xml.class(root, "gantt")) -- a schedule of each policy
    local plots = xml.all(root, function(n) return n.name == "svg" end)
    assert.equal(4, #plots)
    assert.is_truthy(text_of(plots[1]):find("Difference from greedy", 1, true))
    -- nothing is fetched
    assert.is_nil(text:find "src=")
    assert.is_nil(text:find "href=\"http")
    assert.is_nil(text:find "@import")
    for url in text:gmatch "url%((.-)%)" do assert.equal("#", url:sub(1, 1)) end
  end)

  it("shows the scenario in the middle as it was simulated", function()
    local out = run(RESULT:gsub('"greedy",', '"shelf", "greedy",') .. [[
      local again = orrery.draw.redraw
      local set, scenario = again.middle(result, 1, "ratio")
      local values = result:values(1, "ratio")
      local sorted = table.move(values, 1, #values, 1, {})
      table.sort(sorted)
      print(set, sorted[6] == values[scenario])
      for i = 1, 2 do
        local s = again.session(result, i, 1, scenario)
        print(s:finish().makespan == result:values(i, "makespan")[scenario], s:check())
      end
    ]])
    assert.equal("1\ttrue\ntrue\ttrue\ntrue\ttrue\n", out)
  end)

  it("simulates a scenario again with every field that sessions have", function()
    local rows = {}
    for i = 1, 60 do
      rows[i] = { submit = 100 * i, procs = 1 + i % 7, time = 500 + 37 * i % 900, walltime = 900 }
    end
    for _, more in ipairs { { cooldown = 2000 }, { warmup = 1000 }, { tau = 700 }, { seed = 9 },
      { set = 4 }, { verification = 70 }, { walltimes = "log" }, { batch = true }, { load = 2 },
      { overrun = "extend", walltimes = "log" }, { overrun = "cap", walltimes = "log" },
      { grace = 50, walltimes = "log" }, { instant = "pyss" },
      { node_failures = { mtbf = 90000, repair = 50 } },
    } do
      local spec = { jobs = orrery.jobs(rows), procs = 9, policy = "easy",
        errors = { mean_probability = 0.2 } }
      for name, value in pairs(more) do spec[name] = value end
      local result = orrery.compare(spec)
      local metrics = orrery.draw.redraw.session(result, 1, 1, 1):measure()
      for _, metric in ipairs { "wait_mean", "bsld_mean", "flow_mean", "failures" } do
        assert.equal(result:values(1, metric)[1], metrics[metric], metric .. next(more))
      end
    end
  end)

  it("has a call that gives the same again #long", function()
    local csv = run [[
      local result = orrery.compare {
        tasks = { n = 4, m = { 1e5, 2.5e6 / 3 } }, procs = 20, runs = 3,
        faults = { mtbf_years = 1 / 3, downtime = 60 }, costs = { checkpoint = 0.1 }, seed = 5,
        policies = { "none", { policy = "end-local+shortest-tasks-first",
          options = { literal = true }, name = "it's \"mine\"" } } }
      result:report "r.html"
      io.write(result:csv())
    ]]
    local root = page_of(program.read(folder .. "/r.html"))
    local call = xml.all(root, function(n) return n.name == "pre" end)[1].text
    assert.matches("^local orrery = ", call)
    assert.equal(csv, run(call:gsub("print%b()", "io.write(result:csv())")))
  end)

  it("has the command instead of the call where there was one #long", function()
    run(RESULT .. "result:report('r.html', { command = 'orrery compare --q <3>', "
      .. "title = 'Q & A' })")
    local root = page_of(program.read(folder .. "/r.html"))
    local said = text_of(root)
    assert.matches("\norrery compare --q <3>\n", said, 1, true)
    assert.is_nil(said:find("orrery.compare {", 1, true))
    assert.matches("\nQ & A\n", said, 1, true)
  end)

  it("says that marks are corrected where several policies are compared #long", function()
    local corrected = RESULT:gsub('"greedy",', '"greedy", "easy",')
    for _, case in ipairs { { RESULT, "the 95% interval leaves out 0" },
      { corrected, "significant after Holm's correction for 2 comparisons; ± is the 95% interval "
        .. "of each by itself" } } do
      run(case[1] .. "result:report 'r.html'")
      local said = text_of(page_of(program.read(folder .. "/r.html")))
      assert.matches("paired over the same scenarios; * " .. case[2], said, 1, true)
    end
  end)

  it("has medians and ranks beside means and their differences #long", function()
    local out = run(RESULT:gsub('"greedy",', '"shelf", "greedy",') .. [[
      result:report "r.html"
      local metrics = require "orrery.values.metrics"
      local s, d = result:summary(2, "ratio"), result:differences()[2]
      assert(d.sd > 0)
      print(metrics.text_between("ratio", s.median, s.q1, s.q3))
      print(metrics.text_between("ratio", d.shift, d.shift_low, d.shift_high, true))
      print(metrics.p_text(d.rank_p))
    ]])
    local said = text_of(page_of(program.read(folder .. "/r.html")))
    for line in out:gmatch "[^\n]+" do assert.is_truthy(said:find(line, 1, true), line) end
    assert.matches("Medians, with the lower and the upper quartile", said, 1, true)
    assert.matches("Wilcoxon's p", said, 1, true)
  end)

  it("is also of tasks, packs, several sets and a single scenario #long", function()
    for _, result in ipairs {
      [[orrery.compare { tasks = { n = 4 }, procs = 20, runs = 4, faults = { mtbf_years = 5 },
        policies = { "none", "end-local+iterated-greedy" } }]],
      [[orrery.compare { tasks = { n = 4 }, procs = 20, runs = 3, faults = { mtbf_years = 5 },
        packs = { "pack-by-pack", "one-by-one" }, k = 2 }]],
      [[orrery.packs { tasks = orrery.tasks.synthetic { n = 6 }, procs = 8, k = 3,
        policies = { "one-by-one", "pack-by-pack" } }]],
      [[orrery.compare { sets = { { name = "x", jobs = orrery.synthetic { count = 9 } },
        { name = "y", jobs = orrery.synthetic { count = 8, set = 1 } } }, procs = 2000, runs = 3,
        errors = { mean_probability = 0.2 }, policies = { "greedy", "easy" } }]],
      [[orrery.compare { jobs = orrery.lublin { procs = 64, count = 60 }, procs = 64,
        policies = { "redirect/threshold", function(sim)
          for job in sim:fitting() do sim:start(job) end
        end } }]],
    } do
      local csv = run("local r = " .. result .. "\nr:report 'r.html' io.write(r:csv())")
      local root = page_of(program.read(folder .. "/r.html"))
      assert.is_truthy(text_of(root):find(csv, 1, true))
      local drawn = result:find("k = 2", 1, true) and 0 or 2
      assert.equal(drawn, #xml.class(root, "gantt"), result)
    end
  end)

  it("is not there where something is wrong", function()
    local result = orrery.compare { jobs = orrery.synthetic { count = 5 }, procs = 3000 }
    for _, case in ipairs {
      { { "r.txt" }, "report: expected the name of a file that ends in .html, found 'r.txt'" },
      { { folder .. "/r.html", { metric = "bsld" } }, "there is no metric 'bsld'" },
      { { folder .. "/r.html", { comand = "x" } }, "unknown option 'comand'" },
      { { folder .. "/none/r.html" }, nil },
    } do
      if case[2] then
        local ok, problem = pcall(result.report, result, table.unpack(case[1]))
        assert.is_false(ok)
        assert.matches(case[2], problem, 1, true)
        assert.is_nil(problem:find("orrery/", 1, true), problem)
      end
    end
    assert.equal("", program.listing(folder))
  end)
end)

describe("Gantt charts as PNG #long", function()
  it("are drawn of jobs, tasks and packs", function()
    run [[
      local s = orrery.session { procs = 8, policy = "redirect/threshold",
        options = { theta = 0, redirection_procs = 4 }, jobs = orrery.jobs {
          { procs = 4, time = 30, id = "it's" }, { procs = 4, time = 20, submit = 1 },
          { procs = 4, time = 10, submit = 2 }, { procs = 2, time = 10, submit = 3 } },
        node_failures = { log = { { time = 6, processor = 0, repair = 10 } }, procs = 2 } }
      s:gantt "empty.png"
      s:run_until(8)
      s:gantt "now.png"
      s:finish()
      s:gantt("jobs.png", { title = "Jobs", width = 600, height = 300, from = 1, to = 20 })
      s = orrery.session { tasks = { n = 4 }, procs = 20, faults = { mtbf_years = 2 } }
      s:finish()
      s:gantt "tasks.png"
      local result = orrery.packs { tasks = orrery.tasks.synthetic { n = 6 }, procs = 8, k = 3 }
      result:coschedule():gantt "packs.png"
    ]]
    assert.equal("empty.png jobs.png now.png packs.png tasks.png", program.listing(folder))
    for _, name in ipairs { "empty", "jobs", "now", "packs", "tasks" } do
      assert.equal("\137PNG", program.read(folder .. "/" .. name .. ".png"):sub(1, 4))
    end
    local width, height = (">I4I4"):unpack(program.read(folder .. "/jobs.png"), 17)
    assert.same({ 800, 400 }, { width, height })
  end)
end)

describe("plots", function()
  it("of results are files, or text #long", function()
    run(RESULT .. [[
      for _, kind in ipairs { "box", "violin", "differences", "ecdf", "curves" } do
        result:plot(kind .. ".svg", { kind = kind })
        result:plot(kind .. ".png", { kind = kind, metric = "wait_mean" })
      end
    ]])
    assert.equal("box.png box.svg curves.png curves.svg differences.png differences.svg ecdf.png "
      .. "ecdf.svg violin.png violin.svg", program.listing(folder))
    local differences = text_of(xml.read(program.read(folder .. "/differences.svg")))
    assert.matches("Difference from greedy, paired over 12 scenarios", differences, 1, true)
    assert.matches("two & more", differences, 1, true)
    for _, kind in ipairs { "box", "violin", "ecdf", "curves" } do
      local said = text_of(xml.read(program.read(folder .. "/" .. kind .. ".svg")))
      assert.matches("Normalised makespan over 12 scenarios", said, 1, true)
      assert.matches("greedy", said, 1, true)
      assert.matches("two & more", said, 1, true)
      assert.equal("\137PNG", program.read(folder .. "/" .. kind .. ".png"):sub(1, 4))
    end
  end)

  it("of results in the terminal are no wider than it #long", function()
    for _, kind in ipairs { "box", "violin", "differences", "ecdf", "curves" } do
      for width = 30, 120, rounds(30, 30, 90) do
        local out = run(RESULT .. ("result:plot { kind = '%s', width = %d, height = 20, colour = "
          .. "false, unicode = %s }"):format(kind, width, width % 60 == 0))
        local count = 0
        for line in out:gmatch "[^\n]+" do
          count = count + 1
          assert.is_true(utf8.len(line) <= width, line)
        end
        assert.is_true(count >= (kind == "differences" and 3 or 4))
      end
    end
  end)

  it("has boxes where the quartiles are, by hand", function()
    local result = orrery.compare { procs = 1, policy = "fcfs", runs = 5,
      jobs = orrery.jobs { { procs = 1, time = 1 } },
      failures = { { 0 }, { 1 }, { 2 }, { 3 }, { 4 } } }
    -- makespans 1 .. 5 s, in 40 columns of 0.1 s: quartiles 2, 3, 4
    assert.equal([[
Makespan (h) over 5 scenarios
fcfs  |---------==========#==========--------|]], result:plot { metric = "makespan", width = 46,
      height = 20, unicode = false, text = true }:match "^[^\n]*\n[^\n]*")
  end)

  it("of sessions have what was busy and who waited", function()
    local s = orrery.session { procs = 2, policy = "fcfs", jobs = orrery.jobs {
      { procs = 1, time = 10 }, { procs = 2, time = 10 } } }
    s:finish()
    assert.equal([[
2 jobs on 2 processors, 20 s, 75.0% busy
Busy processors
   2                     ████████████████████
     ▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄████████████████████
   0 ████████████████████████████████████████
Waiting jobs
   1 ████████████████████
     ████████████████████
   0 ████████████████████
     0         5        10        15
     Time (s)]], s:plot({ width = 45, height = 10, text = true,
      unicode = true }))
  end)
end)
