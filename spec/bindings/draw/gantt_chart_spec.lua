-- What charts of pages draw (gantt_chart.js): every stroke, text and card of a few charts, drawn by
-- node with a pen that notes them. Places in gantt_chart_drawn.txt were checked against the data;
-- who changes what is drawn reads the lines that differ, and writes the file anew.
local program = require "spec.support.program"

local HERE = program.home .. "/spec/bindings/draw/"

describe("a chart", function()
  it("is drawn as before: boxes, patterns, names, groups, faults, packs and cards", function()
    if not os.execute "command -v node >/dev/null 2>&1" then
      return pending "node is not installed (Debian: nodejs)"
    end
    local pipe = assert(io.popen(("env -u LD_PRELOAD node '%sgantt_chart_script.js' 2>&1")
      :format(HERE)))
    local found, expected = {}, {}
    for line in pipe:lines() do found[#found + 1] = line end
    assert.is_true(pipe:close() == true, table.concat(found, "\n"))
    for line in io.lines(HERE .. "gantt_chart_drawn.txt") do expected[#expected + 1] = line end
    for i, line in ipairs(expected) do assert.equal(line, found[i], "line " .. i) end
    assert.equal(#expected, #found)
  end)
end)
