-- `orrery merge`: the parts of a sweep put together.
require "orrery"
local program = require "spec.support.program"

local GRID = [[
local orrery = require "orrery"
return {
  axes = { { "policy", { "easy", "fcfs", "greedy" } }, { "seed", { 1, 2, 3, 4, 5, 6, 7, 8 } } },
  fixed = {
    jobs = orrery.synthetic { count = 40 }, procs = 3000, runs = 5,
    errors = { mean_probability = 0.1 },
  },
  metrics = { "ratio", "wait_mean" },
}
]]

local folder

before_each(function() folder = program.folder() end)
after_each(function() program.remove(folder) end)

-- Runs a sweep that must succeed.
local function swept(arguments)
  local status, out, err = program.run(folder, "sweep " .. arguments)
  assert.same({ 0, "" }, { status, err })
  return out
end

describe("orrery merge", function()
  local function merge(arguments) return program.run(folder, "merge " .. arguments) end

  before_each(function()
    program.write(folder, "grid.lua", GRID)
    for i = 1, 3 do swept(("grid.lua -o part-%d --shard %d/3"):format(i, i)) end
  end)

  it("says what is missing and goes on when it is there", function()
    local status, out, err = merge "part-1 part-3 -o whole"
    assert.same({ 1, "" }, { status, out })
    assert.matches("^orrery: 8 of 24 cells are missing: [%d, -]+\n$", err)
    assert.is_false(program.exists(folder .. "/whole/results.csv"))
    assert.same({ 0, "24 cells: whole/results.csv\n", "" }, { merge "part-2 -o whole" })
  end)

  it("says what is double, and refuses doubles that differ", function()
    swept "grid.lua -o out"
    local status, said = merge "out part-1 part-2 part-3 -o whole"
    assert.equal(0, status)
    assert.matches("^in several parts, with the same numbers: 1%-24\n", said)
    -- another record of cell 1 that is whole in itself
    package.path = program.home .. "/scripts/?.lua;" .. package.path
    local store = require "orrery.command.sweep.store"
    local path = store.look(folder .. "/out"):path(1)
    local text = program.read(path)
    text = text:gsub("checksum %x+\n$", ""):gsub("ratio,5,", "ratio,6,")
    program.write("", path, text .. "checksum " .. store.checksum(text) .. "\n")
    local _, _, err = merge "out part-1 part-2 part-3 -o other"
    assert.matches("^orrery: cell 1 is not the same in out and in part%-%d", err)
  end)

  it("refuses parts of other sweeps #long", function()
    program.write(folder, "grid.lua", GRID .. "-- another\n")
    swept "grid.lua -o out"
    local status, _, err = merge "part-1 out -o whole"
    assert.equal(2, status)
    assert.matches("^orrery: out: the specification has changed since", err)
    assert.is_false(program.exists(folder .. "/whole"))
    assert.equal(2, (merge "part-1"))
    program.write(folder, "grid.lua", (GRID:gsub("7, 8", "7, 8, 9")))
    swept "grid.lua -o grown"
    status, _, err = merge "part-1 grown -o whole"
    assert.same({ 2, "orrery: grown: its axes have other values than those of part-1: let one "
      .. "specification sweep both folders, then merge them\n" }, { status, err })
    assert.is_false(program.exists(folder .. "/whole"))
  end)
end)
