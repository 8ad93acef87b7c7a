-- Charts of pages, of a model by hand: the columns of attempts, the description, and what the
-- charts of a page share.
require "orrery"
local chart = require "orrery.draw.chart"
local core = require "orrery.core"
local dkjson = require "dkjson"

-- Numbers instead of the columns' bytes, while f runs.
local function with_plain_columns(f)
  local column, packed = core.column, core.packed
  core.column = function(list) return table.concat(list, " ") end
  core.packed = function(text) return text end
  local done, problem = pcall(f)
  core.column, core.packed = column, packed
  assert(done, problem)
end

-- Two tasks: the first runs on 0-3 and 6, then on 0; the second waits for 5 s.
local function model()
  local a, b, c = { id = "a", who = 1, start = 0, finish = 10, look = "running",
    ranges = { { 0, 3 }, { 6, 6 } } }, { id = "a", who = 1, start = 12, finish = 20,
    look = "completed", ranges = { { 0, 0 } } }, { id = "b\nc", who = 3, start = 5, finish = 6,
    look = "other", ranges = { { 4, 5 } } }
  return { what = "task", procs = 8, from = 2, to = 102, title = "T <1>", said = "a & b", marks = {
    { time = 7 } }, boxes = { c, b, a }, bands = { { name = "low", from = 0, to = 4 } },
    down = { { start = 0, finish = 50, ranges = { { 7, 7 } } },
      { start = 90, finish = 200, ranges = { { 2, 3 } } } },
    over = { { who = b, start = 13, finish = 14, look = "lost" } } }
end

local function section(m, columns, options)
  local text = chart.section(m, columns, options or {})
  return dkjson.decode(text:match '<script type="application/json">(.-)</script>'), text
end

-- The bytes of base64, and the check sum that zlib puts behind a text.
local function bytes_of(base64)
  local digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
  local bits, count, out = 0, 0, {}
  for digit in base64:gmatch "[^=]" do
    bits, count = bits << 6 | digits:find(digit, 1, true) - 1, count + 6
    if count >= 8 then
      count = count - 8
      out[#out + 1], bits = string.char(bits >> count), bits & (1 << count) - 1
    end
  end
  return table.concat(out)
end

local function adler(text)
  local a, b = 1, 0
  for byte in text:gmatch "." do
    a = (a + byte:byte()) % 65521
    b = (b + a) % 65521
  end
  return (">I2I2"):pack(b, a)
end

describe("a column of a page", function()
  it("is whole to its last byte, however many there are", function()
    local seen = {}
    for length = 0, 12 do
      local text = ("aZ09!~x?"):rep(2):sub(1, length)
      local packed = core.packed(text)
      local bytes = bytes_of(packed)
      seen[#bytes % 3] = true
      assert.equal(0, #packed % 4)
      assert.equal(adler(text), bytes:sub(-4))
    end
    assert.same({ [0] = true, true, true }, seen)
    for text, list in pairs { [""] = {}, ["\0"] = { 0 }, ["\2\1"] = { 1, -1 },
      ["~\x80\1\x7f\x81\1"] = { 63, 64, -64, -65 } } do
      assert.equal(adler(text), bytes_of(core.column(list)):sub(-4))
    end
  end)
end)

describe("a chart of a page", function()
  it("has each attempt: its task, number, wait, time, outcome and processors", function()
    with_plain_columns(function()
      local columns, m = chart.columns(), model()
      local head = section(m, columns)
      local found = {}
      for name, id in pairs(head.columns) do found[name] = columns[tonumber(id:sub(2))] end
      local second = 1e6 -- ticks: 1e-6 s are 1e-8 of 100 s
      assert.same({ position = "1 2", job = "0 0 1", number = "1 2 1", outcome = "0 1 1",
        wait = ("%d %d %d"):format(0, 2 * second, 5 * second),
        time = ("%d %d %d"):format(10 * second, 8 * second, second),
        ranges = "2 1 1 0 1 0 4 3 0 0 1", id = "a\nb c\n" }, found)
      assert.same({ 2, 1, 0 }, { m.boxes[1].at, m.boxes[2].at, m.boxes[3].at })
      assert.same({ { 1, 13, 14, "lost" } }, head.over)
    end)
  end)

  it("has a description that ends in no script, cut to its time", function()
    local head, text = section(model(), chart.columns(), { height = 300 })
    assert.same({ "task", 8, 2, 102, 1e-6, "T <1>", "a & b", 300, false }, { head.what, head.procs,
      head.from, head.to, head.tick, head.title, head.said, head.height, head.strip })
    assert.same({ { 2, 50, 7, 7 }, { 90, 102, 2, 3 } }, head.down)
    assert.same({ 7 }, head.marks)
    assert.equal("low", head.bands[1].name)
    assert.is_nil(head.nodes or head.packs or head.writes)
    assert.matches("<h3>T &lt;1&gt;</h3>", text, 1, true)
    assert.matches('"title":"T \\u003C1>"', text, 1, true)
    assert.equal("Schedule", section({ what = "x", procs = 1, from = 0, to = 1, said = "",
      marks = {}, boxes = {}, down = {} }, chart.columns()).title)
  end)

  it("shares equal columns with the others, and forgets those of a chart that is left out",
    function()
      local columns = chart.columns()
      local first, size = section(model(), columns), columns.size
      local count, bytes = #columns, 0
      for _, text in ipairs(columns) do bytes = bytes + #text end
      assert.equal(bytes, size)
      assert.same(first.columns, section(model(), columns).columns)
      assert.same({ count, size }, { #columns, columns.size })
      chart.keep(columns)
      local other = model()
      other.boxes[1].finish = 9
      local second = section(other, columns)
      assert.equal(count + 1, #columns)
      assert.equal("c" .. count + 1, second.columns.time)
      assert.equal(first.columns.wait, second.columns.wait)
      local blocks = chart.blocks(columns)
      assert.equal(count + 1, select(2, blocks:gsub('<script type="text/plain" id="c%d+">', "")))
      chart.forget(columns)
      assert.same({ count, size }, { #columns, columns.size })
      assert.equal("c" .. count + 1, section(other, columns).columns.time)
    end)

  it("is in a page that is named by the only one", function()
    local function title(...) return chart.page(...):match "<title>(.-)</title>" end
    assert.equal("T &lt;1&gt;", title(model(), {}))
    assert.equal("Schedules", title({ model(), model() }, {}))
    assert.equal(2, select(2, chart.page({ model(), model() }, {}):gsub("<section", "")))
  end)
end)
