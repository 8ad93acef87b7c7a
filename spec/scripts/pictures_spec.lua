-- The commands' pictures: --gantt and --report of replay, compare, redistribute and pack.
local program = require "spec.support.program"
local xml = require "spec.support.xml"

describe("the commands' pictures", function()
  local folder

  before_each(function()
    folder = program.folder()
    program.write(folder, "log.csv", "id,submit,procs,time\nA,0,3,40\nB,1,2,40\nC,2,1,90\n")
    program.write(folder, "tasks.csv", "id,1,2,3,4\nx,90,50,35,30\ny,60,40,30,25\nz,20,12,10,9\n")
  end)
  after_each(function() program.remove(folder) end)

  local function good(arguments)
    local status, out, err = program.run(folder, arguments)
    assert.same({ 0, "" }, { status, err })
    return out
  end

  local function refused(status, expected, arguments)
    local found, out, err = program.run(folder, arguments)
    assert.same({ status, "" }, { found, out })
    assert.equal("orrery: " .. expected, err:match "^[^\n]*")
    assert.equal("log.csv tasks.csv", program.listing(folder))
  end

  it("are a Gantt chart of one scenario", function()
    good "replay log.csv --procs 4 --policy easy --gantt g.svg"
    local root = xml.read(program.read(folder .. "/g.svg"))
    assert.equal("easy", xml.class(root, "o0")[1].text)
    good("redistribute --n 3 --procs 12 --mtbf-years 5 --policy end-local+iterated-greedy "
      .. "--gantt t.svg")
    root = xml.read(program.read(folder .. "/t.svg"))
    assert.equal("end-local+iterated-greedy", xml.class(root, "o0")[1].text)
    good "pack --tasks tasks.csv --procs 4 --policy one-by-one --gantt p.svg"
    root = xml.read(program.read(folder .. "/p.svg"))
    assert.equal("one-by-one: 3 packs, 1.000 of the cost of one by one",
      xml.class(root, "o0")[1].text)
  end)

  it("are a page with the command that gives it again #long", function()
    for _, command in ipairs {
      "replay log.csv --procs 4 --policy easy --report r.html",
      "compare log.csv --procs 4 --policy easy --policy fcfs --q 0.1 --runs 5 --report r.html",
      "redistribute --n 3 --procs 12 --mtbf-years 5 --policy none --report r.html",
      "redistribute --n 3 --procs 12 --policy none --packs pack-by-pack --report r.html",
      "pack --tasks tasks.csv --procs 4 --policy 'pack-by-pack:runs=9' --report r.html",
    } do
      good(command)
      local text = program.read(folder .. "/r.html")
      assert.is_truthy(text:find(("<pre>orrery %s</pre>"):format(command:gsub("'", "&#39;")), 1,
        true), command)
      good(command .. " --csv r.csv")
      assert.matches("<pre>" .. program.read(folder .. "/r.csv"), text, 1, true)
      os.remove(folder .. "/r.html")
      os.remove(folder .. "/r.csv")
    end
  end)

  it("are without plots where there is no gnuplot", function()
    local status, _, err = program.run(folder, "compare log.csv --procs 4 --policy easy --policy "
      .. "fcfs --report r.html", "PATH=/nonexistent")
    assert.same({ 0, "" }, { status, err })
    local text = program.read(folder .. "/r.html")
    assert.matches("There are no plots: gnuplot is not installed.", text, 1, true)
    assert.equal(2, select(2, text:gsub('<section class="gantt">', "")))
  end)

  it("are refused as PNG where there is no rsvg-convert", function()
    assert.same({ 1, "", "orrery: --gantt: .png wants rsvg-convert, which is not installed "
      .. "(Debian: librsvg2-bin)\n" },
      { program.run(folder, "replay log.csv --procs 4 --gantt g.png", "PATH=/nonexistent") })
    assert.is_false(program.exists(folder .. "/g.png"))
  end)

  it("of several policies stand one below the other", function()
    good "replay log.csv --procs 4 --policy easy --policy fcfs --gantt g.html"
    local page = program.read(folder .. "/g.html")
    assert.matches("<title>Schedules</title>", page)
    assert.matches('<section class="gantt"><h3>easy</h3>.*<section class="gantt"><h3>fcfs</h3>',
      page)
    assert.equal(2, select(2, page:gsub('<section class="gantt">', "")))
  end)

  it("are refused before anything runs", function()
    refused(2, "--gantt: the name must end in .svg, .png or .html, not 'g.pdf'",
      "replay log.csv --procs 4 --gantt g.pdf")
    refused(2, "--report: the name must end in .html, not 'r.pdf'",
      "compare log.csv --procs 4 --policy easy --policy fcfs --report r.pdf")
    refused(2, "--report no/r.html: there is no folder no", "redistribute --report no/r.html")
    refused(2, "--gantt writes one schedule: give one policy, not 2",
      "redistribute --policy none --policy end-local --gantt g.svg")
    refused(2, "--colour is of a picture: give --gantt FILE",
      "replay log.csv --procs 4 --colour user")
    refused(2, "colour: expected job, user, queue, partition, account, qos, array, or what jobs "
      .. "need of nodes or pools, found 'gpus'",
      "replay log.csv --procs 4 --gantt g.svg --colour gpus")
    refused(2, "--gantt writes one schedule: give one --policy, not 2",
      "replay log.csv --procs 4 --policy easy --policy fcfs --gantt g.svg")
    refused(2, "--gantt writes one schedule: give one scenario (--runs 1), not 3",
      "replay log.csv --procs 4 --runs 3 --gantt g.svg")
    refused(2, "--gantt and --packs exclude each other: it is on the clock of one pack",
      "redistribute --packs pack-by-pack --gantt g.svg")
  end)

  it("of jobs that come over time compare slowdowns, too", function()
    local online = good "compare log.csv --procs 4 --policy easy --policy fcfs"
    assert.is_truthy(online:find("\npolicy +normalised makespan"))
    assert.is_truthy(online:find("\npolicy +mean bounded slowdown"))
    assert.is_nil(good("compare log.csv --procs 4 --batch --policy easy --policy fcfs")
      :find "bounded slowdown")
    assert.is_nil(good("compare log.csv --procs 4 --policy easy --policy fcfs --metric ratio")
      :find "mean bounded slowdown +diff")
  end)
end)
