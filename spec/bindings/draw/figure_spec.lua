-- Pictures by gnuplot: panels with curves, boxes and violins.
local orrery = require "orrery"
local program = require "spec.support.program"
local xml = require "spec.support.xml"

describe("orrery.draw.figure", function()
  local folder
  before_each(function() folder = program.folder() end)
  after_each(function() program.remove(folder) end)

  -- Draws with what `change` (Lua) does to `spec`; in the program, as the sanitizers' runtime is
  -- not to be loaded into gnuplot.
  local function draw(change)
    program.write(folder, "draw.lua", [[
      local spec = {
        title = "It's a title", columns = 2, panel = { 300, 200 }, curves = { "one", "two" },
        panels = {
          { title = "left", x = "x (s)", y = "y", xrange = { 0, 2 }, yrange = { 1 },
            top = { { 1, "many" } },
            curves = { one = { { 0, 1, 0.1 }, { 2, 3 } }, two = { { 1, 2, 0 / 0 } } } },
          { title = "right", x = "x", y = "y", logx = true, xticks = { { 10, "ten" } },
            curves = { two = { { 1, 2, 0.5 }, { 10, 3, 0.5 } }, one = {} } },
        },
      }
    ]] .. change .. "\nrequire('orrery').draw.figure.write('f', spec)")
    local status, out, err = program.run(folder, "draw.lua")
    os.remove(folder .. "/draw.lua")
    assert.equal("", out)
    return status, err
  end

  local function labels(path)
    local found = {}
    for text in program.read(path):gmatch "<text>(.-)</text>" do
      found[text:gsub("<[^>]*>", ""):match "^%s*(.-)%s*$"] = true
    end
    return found
  end

  it("draws panels, labels and a legend as SVG and PNG", function()
    assert.same({ 0, "" }, { draw "" })
    assert.equal("f.png f.svg", program.listing(folder))
    assert.equal("\137PNG", program.read(folder .. "/f.png"):sub(1, 4))
    local found = labels(folder .. "/f.svg")
    for _, text in ipairs { "It's a title", "left", "right", "x (s)", "one", "two", "many",
      "ten" } do
      assert.is_true(found[text] or false, text .. " is not in the picture")
    end
  end)

  it("draws bars, points, lines, steps, and no legend #long", function()
    for _, change in ipairs { "spec.bars, spec.lines, spec.thin = true, false, true",
      "spec.marks, spec.legend, spec.panels[1].xstep = false, false, 0.5" } do
      assert.same({ 0, "" }, { draw(change) })
      assert.equal(change:find "lines" ~= nil, labels(folder .. "/f.svg").one or false)
    end
  end)

  it("gives curves a look of their own #long", function()
    local function drawn(change)
      assert.same({ 0, "" }, { draw("spec.panels[2].logy = true " .. change) })
      return program.read(folder .. "/f.svg")
    end
    local text = drawn "spec.styles = { two = { colour = '#123456', dash = 2, marks = false } }"
    assert.matches("rgb%( *18, *52, *86%)", text) -- of "two", while the first has its usual one
    assert.matches("rgb%( *0, *114, *178%)", text)
    assert.matches("stroke%-dasharray='[%d.]", text)
    text = drawn ""
    assert.is_nil(text:find "rgb%( *18, *52, *86%)")
    assert.is_nil(text:find "stroke%-dasharray='[%d.]")
  end)

  it("draws a line where a panel asks for one #long", function()
    local function drawn(change)
      assert.same({ 0, "" }, { draw(change) })
      return select(2, program.read(folder .. "/f.svg"):gsub("stroke%-dasharray='[%d.]", ""))
    end
    assert.same({ 0, 1 }, { drawn "", drawn "spec.panels[1].line = 1.5" })
  end)

  it("leaves nothing behind where it cannot draw", function()
    local status, err = draw "spec.panels[1].curves = { one = {}, two = {} }"
    assert.equal(1, status)
    assert.matches("^orrery: cannot draw f%.png: ", err)
    assert.equal("", program.listing(folder))
  end)
end)

-- What gnuplot is given, without gnuplot.
describe("a curve's points", function()
  local gnuplot = require "orrery.draw.gnuplot"

  local function rows(points)
    local whole, script = gnuplot.draw, nil
    gnuplot.draw = function(_, text) script = text end
    local ok, problem = pcall(orrery.draw.figure.draw, "f.svg", { title = "", columns = 1,
      panel = { 300, 200 }, curves = { "a" }, legend = false, panels = {
        { title = "t", x = "x", y = "y", curves = { a = points } } } })
    gnuplot.draw = whole
    assert(ok, problem)
    return script:match "<< EOD\n(.-)\nEOD"
  end

  it("have an interval, by its half or its ends, or the mean where an end is not finite", function()
    local inf, nan = math.huge, 0 / 0
    for expected, point in pairs {
      ["1 5 3 7"] = { 1, 5, 2 }, ["1 5 5 5"] = { 1, 5 }, ["2 5 4 9"] = { 2, 5, 4, 9 },
      ["3 5 5 5"] = { 3, 5, -inf, 9 }, ["4 5 5 5"] = { 4, 5, 4, inf }, ["5 5 5 5"] = { 5, 5, nan },
      ["6 5 5 5"] = { 6, 5, 4, nan }, ["7 5 5 5"] = { 7, 5, nan, 9 },
    } do
      assert.equal(expected, rows { point })
    end
    assert.equal("1 2 2 2\n3 4 4 4", rows { { 1, 2 }, { 3, 4 } })
  end)
end)

describe("orrery.draw.boxes", function()
  local boxes = orrery.draw.boxes
  local folder
  before_each(function() folder = program.folder() end)
  after_each(function() program.remove(folder) end)

  local function draw(change)
    program.write(folder, "draw.lua", [[
      local spec = {
        title = "A title", columns = 2, panel = { 300, 200 }, kind = "box", legend = true,
        series = { { name = "light", colour = "#123456" }, { name = "dark", colour = "#654321" } },
        panels = {
          { title = "left", x = "groups", y = "values", groups = { "one", "two" }, line = 1,
            logy = true, yrange = { 0.5, 4 }, yticks = { { 0.5, "half" }, { 4, "four" } },
            samples = { { { 1, 1.1, 1.3, 1.2, 3.9 }, { 2 } }, { { 0.6, 0.7 } } } },
          { title = "right", x = "x", y = "y", groups = { "three" }, samples = { { { 0, 0 } } } },
        },
      }
    ]] .. change .. "\nrequire('orrery').draw.figure.write('f', spec)")
    local status, out, err = program.run(folder, "draw.lua")
    os.remove(folder .. "/draw.lua")
    assert.same({ 0, "", "" }, { status, out, err })
    return program.read(folder .. "/f.svg")
  end

  it("draws boxes and violins, with labels and a legend #long", function()
    for _, kind in ipairs { "box", "violin" } do
      local text = draw("spec.kind = '" .. kind .. "'")
      assert.equal("f.png f.svg", program.listing(folder))
      assert.equal("\137PNG", program.read(folder .. "/f.png"):sub(1, 4))
      local plain = text:gsub("<[^>]*>", "\n")
      for _, label in ipairs { "A title", "left", "right", "groups", "values", "one", "two",
        "three", "light", "dark", "mean", "half", "four" } do
        assert.matches("\n%s*" .. label .. "%s*\n", plain)
      end
      assert.matches("rgb%( *18, *52, *86%)", text)
      assert.matches("rgb%( *101, *67, *33%)", text)
    end
    assert.is_nil(draw("spec.legend = false"):gsub("<[^>]*>", "\n"):find "\n%s*light%s*\n")
  end)

  it("has boxes and whiskers as they are defined (by hand)", function()
    -- quartiles 2, 4 and 6, so that whiskers end within -4 .. 12
    local d = boxes.five { 9, 1, 2, 3, 4, 5, 20, 6, -9 }
    assert.same({ q1 = 2, median = 4, q3 = 6, low = 1, high = 9, beyond = { 20, -9 },
      mean = 41 / 9 }, d)
    d = boxes.five { 7 }
    assert.same({ 7, 7, 7, 7, 7, {} }, { d.low, d.q1, d.median, d.q3, d.high, d.beyond })
  end)

  it("has violins as wide as the samples are dense, from the least to the greatest", function()
    local samples = {}
    for i = 1, 100 do samples[i] = (i <= 90 and 10 or 30) + i % 10 / 100 end
    for _, log in ipairs { false, true } do
      local points = boxes.outline(samples, log)
      assert.near(10, points[1][1], 1e-9)
      assert.near(30.09, points[#points][1], 1e-9)
      local most, middle = 0, 1
      for i, point in ipairs(points) do
        most = math.max(most, point[2])
        if point[1] > 18 and point[1] < 24 then middle = math.min(middle, point[2]) end
        assert.is_true(i == 1 or point[1] > points[i - 1][1])
      end
      assert.equal(1, most)
      assert.is_true(middle < 0.01)
      -- nine times as many samples, in the same width
      if not log then assert.near(9, points[1][2] / points[#points][2], 1.5) end
    end
  end)

  it("is XML, whatever policies are called #long", function()
    program.write(folder, "draw.lua", [[
      local odd = "\27]0;x\7\xc2\x9b2J\x9b\xe9\u{202e}<b>&'\"`id`$(id)\n"
      local jobs, errors = orrery.synthetic { count = 20 }, { mean_probability = 0.2 }
      local result = orrery.compare { jobs = jobs, procs = 3000, runs = 5, errors = errors,
        policies = { { name = odd, policy = "easy" }, { name = "b", policy = "fcfs" } } }
      result:plot("o.svg", { title = odd })
      result:report("o.html", { title = odd })
    ]])
    assert.same({ 0, "", "" }, { program.run(folder, "draw.lua") })
    local text = program.read(folder .. "/o.svg")
    xml.read(text)
    for _, made in ipairs { text, program.read(folder .. "/o.html") } do
      assert.is_truthy(utf8.len(made))
      assert.is_nil(made:find "[%z\1-\8\14-\31]")
      assert.is_nil(made:find("<b>", 1, true))
    end
    assert.matches("\\x1b]0;x\\x07\\xc2\\x9b2J\\x9b\\xe9", text, 1, true)
  end)
end)
