-- What scripts write as CSV reads back.
local orrery = require "orrery"

local csv = require("orrery").tools.csv()
local rounds = require "spec.support.rounds"

describe("a line of CSV", function()
  it("gives its cells back", function()
    assert.same({ "a", "", "b,c", 'say "no"', '"', "", "1.5", "" },
      csv.cells('a,,"b,c","say ""no""","""","",1.5,'))
    assert.same({ "" }, csv.cells "")
    assert.same({ "x" }, csv.cells "x")
    assert.same({ '"",' }, csv.cells '""""","')
  end)

  it("reads back whatever the fields are", function()
    local rng, letters = orrery.random(7), { "a", ",", '"', '""', "b", " " }
    for _ = 1, rounds(2000, 2000, 167) do
      local fields, written = {}, {}
      for i = 1, rng:integer(1, 5) do
        local parts = {}
        for n = 1, rng:integer(0, 5) do parts[n] = letters[rng:integer(1, #letters)] end
        fields[i] = table.concat(parts)
        written[i] = csv.field(fields[i])
      end
      assert.same(fields, csv.cells(table.concat(written, ",")))
    end
  end)
end)
