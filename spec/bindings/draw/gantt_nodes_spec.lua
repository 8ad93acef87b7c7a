-- Gantt charts of machines of nodes: a row for each node.
local orrery = require "orrery"

local function picture(machine, ending)
  local s = orrery.session { machine = machine, policy = "easy", jobs = orrery.jobs {
    { id = "a", submit = 0, procs = 3, time = 10, partition = "x" },
    { id = "b", submit = 0, procs = 1, time = 10, partition = "y" } } }
  s:finish()
  local path <close> = setmetatable({ os.tmpname() .. (ending or ".svg") }, {
    __close = function(self) os.remove(self[1]) end })
  s:gantt(path[1])
  local file <close> = assert(io.open(path[1]))
  return file:read "a"
end

-- The numbers and the heights of the lines at the axis on the left, from below.
local function axis(text)
  local group = text:match '<g class="oy">(.-)</g>'
  local numbers, heights = {}, {}
  for number in group:gmatch ">(%d+)</text>" do numbers[#numbers + 1] = tonumber(number) end
  for y in group:gmatch "M%d+ ([%d.]+)h" do heights[#heights + 1] = tonumber(y) end
  return numbers, heights
end

describe("a Gantt chart of a machine of nodes", function()
  it("by hand: has a row for each node, as high as its processors", function()
    local text = picture { nodes = { { count = 2, procs = 4 }, { count = 1, procs = 2 } },
      partitions = { x = { nodes = "1-2" }, y = { nodes = "3" } } }
    local numbers, heights = axis(text)
    assert.same({ 1, 2, 3 }, numbers)
    assert.equal(3, #heights)
    local each = (heights[1] - heights[3]) / 8 -- two nodes of 4 processors
    assert.near(4 * each, heights[1] - heights[2], 0.02)
    assert.matches(">Node</text>", text)
    assert.is_truthy(text:find ">x</text>" and text:find ">y</text>") -- of partitions
  end)

  local function session()
    local s = orrery.session { policy = "easy", machine = { nodes = {
      { count = 2, procs = 4, gpu = 4, mem = 1024 }, { count = 1, procs = 4, gpu = 0 } } },
      jobs = orrery.jobs {
        { id = "a", submit = 0, procs = 4, time = 10, user = "ana", needs = { gpu = 1, mem = 1 } },
        { id = "b", submit = 0, procs = 4, time = 10, user = "bo", needs = { gpu = 4 } },
        { id = "c", submit = 0, procs = 4, time = 5, needs = { gpu = 0 } } } }
    s:finish()
    return s
  end

  -- The class of each job, and the legend.
  local function coloured(s, by)
    local path <close> = setmetatable({ os.tmpname() .. ".svg" }, {
      __close = function(self) os.remove(self[1]) end })
    s:gantt(path[1], { colour = by })
    local file <close> = assert(io.open(path[1]))
    local text, classes, legend = file:read "a", {}, {}
    for class, id in text:gmatch '<path class="o(%d+)[^"]*" d="[^"]*"><title>job (%w+)' do
      classes[id] = tonumber(class)
    end
    for one in text:gmatch 'rx="1" fill="[^"]*"/><text[^>]*>([^<]*)' do
      legend[#legend + 1] = one
    end
    return classes, table.concat(legend, ", ")
  end

  -- Amounts have classes 15 (none) to 22, labels 1 to 13, and 14 without one.
  it("by hand: has a colour for what jobs need, for labels, or for each job", function()
    local s = session()
    local classes, legend = coloured(s, "gpu")
    assert.same({ a = 16, b = 22, c = 15 }, classes)
    assert.equal("no gpu, 1 gpu, 4 gpu", legend)
    classes, legend = coloured(s, "mem")
    assert.same({ a = 22, b = 15, c = 15 }, classes)
    assert.equal("no mem, 1 mem", legend)
    classes, legend = coloured(s, "user")
    assert.same({ a = 2, b = 1, c = 14 }, classes)
    assert.equal("bo, ana, no user", legend)
    assert.same({ a = 1, b = 2, c = 3 }, (coloured(s, "job")))
  end)

  it("has a colour for each doubling of many amounts, and for the most frequent users", function()
    local rows = {}
    for i = 1, 20 do
      rows[i] = { id = "j" .. i, submit = 0, procs = 1, time = i, user = "u" .. (i % 17 + 1),
        needs = { mem = 1024 * i } }
    end
    local s = orrery.session { procs = 20, pools = { mem = "1M" }, jobs = orrery.jobs(rows) }
    s:finish()
    local classes, legend = coloured(s, "mem")
    assert.equal("up to 320 mem, up to 640 mem, up to 1280 mem, up to 2560 mem, up to 5K mem, "
      .. "up to 10K mem, up to 20K mem", legend)
    assert.same({ 18, 19, 21, 22, 22 }, { classes.j1, classes.j2, classes.j10, classes.j11,
      classes.j20 })
    classes, legend = coloured(s, "user")
    assert.same({ 1, 1, 14 }, { classes.j1, classes.j18, classes.j6 })
    assert.matches("^u2, u3, u4, u1, u10.* others$", legend)
  end)

  it("has the colour of none where no job in the picture needs any", function()
    local s = orrery.session { procs = 2, pools = { gpu = 1 }, jobs = orrery.jobs {
      { id = "a", procs = 1, time = 1 },
      { id = "b", submit = 5, procs = 1, time = 1, needs = { gpu = 1 } } } }
    assert.same({ {}, "" }, { coloured(s, "gpu") })
    s:run_until(2)
    assert.same({ { a = 15 }, "no gpu" }, { coloured(s, "gpu") })
  end)

  it("says what can have colours", function()
    local s = session()
    assert.matches("found a table$", select(2, pcall(s.gantt, s, os.tmpname() .. ".svg",
      { colour = {} })))
    for _, ending in ipairs { ".svg", ".html" } do
      local ok, message = pcall(s.gantt, s, os.tmpname() .. ending, { colour = "disk" })
      assert.is_false(ok)
      assert.matches("expected job, user, queue, partition, account, qos, array, or what jobs need "
        .. "of nodes or pools, found 'disk'", message, 1, true)
    end
  end)

  it("a page is coloured at first by what is asked for", function()
    local s = session()
    for by, name in pairs { gpu = "needs.gpu", user = "user", job = "job" } do
      local path <close> = setmetatable({ os.tmpname() .. ".html" }, {
        __close = function(self) os.remove(self[1]) end })
      s:gantt(path[1], { colour = by })
      local file <close> = assert(io.open(path[1]))
      assert.equal(name, file:read("a"):match '"colour":"([^"]*)"')
    end
  end)

  it("a page has the colours of amounts that pictures have, and each once", function()
    local script = require("orrery.draw.chart").script
    for _, colour in ipairs(require("orrery.draw.palette").AMOUNTS) do
      assert.equal(1, select(2, script:gsub(colour, "")), colour)
    end
  end)

  it("a page has columns of all that jobs need, of which each may be its first colour", function()
    local s = orrery.session { policy = "easy", machine = { nodes = { { count = 4, procs = 4 } } },
      jobs = orrery.jobs { { procs = 4, time = 10, needs = { nodes = 2, exclusive = 1 } } } }
    for _, by in ipairs { "nodes", "exclusive" } do
      local path <close> = setmetatable({ os.tmpname() .. ".html" }, {
        __close = function(self) os.remove(self[1]) end })
      s:finish()
      s:gantt(path[1], { colour = by })
      local file <close> = assert(io.open(path[1]))
      local name, count = "needs." .. by, 0
      for _ in file:read("a"):gmatch('"' .. name .. '"') do count = count + 1 end
      assert.equal(2, count, name) -- in the head, and as a column
    end
  end)

  it("has the colours of the terminal there, and says that it has no others", function()
    for _, by in ipairs { "gpu", "job", "partition" } do
      assert.matches("colour: expected true or false in the terminal (s:gantt colours jobs by what "
        .. "they are), found '" .. by .. "'", select(2, pcall(function()
          session():show { colour = by, text = true }
        end)), 1, true)
    end
    assert.matches("unicode: expected true or false in the terminal, found 1",
      select(2, pcall(function() session():show { unicode = 1 } end)), 1, true)
  end)

  it("has rows for each node in the terminal, too", function()
    local text = session():show { width = 17, height = 20, colour = false, unicode = false,
      text = true }
    local rows = {}
    for one in text:gmatch "[^\n]+" do rows[#rows + 1] = one end
    assert.same({ "       CCCCC.....", "       CCCCC.....", "node 3 CCCCC.....",
      "       CCCCC....." }, table.move(rows, 2, 5, 1, {}))
    assert.same({ "node 2 BBBBBBBBBB", "       BBBBBBBBBB" }, table.move(rows, 8, 9, 1, {}))
    assert.same({ "node 1 AAAAAAAAAA", "       AAAAAAAAAA" }, table.move(rows, 12, 13, 1, {}))
  end)

  it("numbers as many of 1000 nodes as have room, and has no row for many more", function()
    local numbers = axis(picture { nodes = { { count = 1000, procs = 2 } } })
    assert.equal(1, numbers[1])
    assert.is_true(#numbers > 10 and #numbers < 50)
    for i = 2, #numbers do assert.equal(numbers[2] - 1, numbers[i] - numbers[i - 1]) end
    assert.matches(">Processors</text>", picture { nodes = { { count = 3000, procs = 2 } } })
  end)

  it("has them in pages, too", function()
    local machine = { nodes = { { count = 2, procs = 4 }, { count = 1, procs = 2 } } }
    assert.matches('"nodes":%[0,4,8,10%]', (picture(machine, ".html"):gsub("%s", "")))
    assert.not_matches('"nodes":', picture({ procs = 4 }, ".html"))
  end)

  it("has processors where they are only counted", function()
    assert.matches(">Processor</text>", picture { procs = 4 })
  end)
end)
