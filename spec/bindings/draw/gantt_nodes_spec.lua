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
