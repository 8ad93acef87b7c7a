-- Checks of values that users give: what passes, and what the error says of what does not.
local orrery = require "orrery"
local checks = require "orrery.support.checks"
local core = require "orrery.core"

-- f raises this message, as a wrong argument.
local function refused(message, f, ...)
  local done, problem = pcall(f, ...)
  assert.is_false(done)
  local text, code = core.error_code(problem)
  assert.same({ message, "argument" }, { text, code })
end

describe("checks of tables", function()
  it("of fields name the unknown one, one that is near, and all known ones", function()
    checks.fields("f", { a = 1 }, { "b", "a" })
    checks.fields("f", {}, { "b" })
    refused("f: unknown field 'abz', did you mean 'abc'? (known: abc, x)", checks.fields, "f",
      { abz = 1 }, { "x", "abc" })
    refused("f: expected a table, found number", checks.fields, "f", 3, { "x" })
    assert.has_error(function() checks.fields("read", { stric = true }, "module.ReadOptions") end)
    checks.fields("read", { strict = true }, "module.ReadOptions")
  end)

  it("of plain fields give numbers and flags, with the defaults of flags", function()
    local fields = checks.plain_fields({ grace = 0, check = true, jobs = {} }, "runs.JobsSpec.c")
    assert.same({ 0, true, false }, { fields.grace, fields.check, fields.batch })
    assert.is_nil(fields.jobs)
    assert.is_nil(fields.tau)
    refused("grace: expected a number of seconds of at least 0, found '-1'", checks.plain_fields,
      { grace = -1 }, "runs.JobsSpec.c")
    refused("grace: expected a number of seconds of at least 0, found 'inf'", checks.plain_fields,
      { grace = math.huge }, "runs.JobsSpec.c")
    refused("grace: expected a number of seconds of at least 0, found 'x'", checks.plain_fields,
      { grace = "x" }, "runs.JobsSpec.c")
    refused("batch: expected true or false, found '1'", checks.plain_fields, { batch = 1 },
      "runs.JobsSpec.c")
  end)

  it("know lists", function()
    assert.same({ true, true, false, false }, { checks.is_list {}, checks.is_list { 1, 2 },
      checks.is_list { 1, x = 2 }, checks.is_list { x = 2 } })
  end)

  it("know the fields of a class, those of one function by their mark", function()
    local c, s = {}, {}
    for _, name in ipairs(checks.names_of "runs.JobsSpec.c") do c[name] = true end
    for _, name in ipairs(checks.names_of "runs.JobsSpec.s") do s[name] = true end
    assert.same({ true, nil, nil, true, true, true },
      { c.policies, s.policies, c.scenario, s.scenario, c.procs, s.procs }, 6)
  end)
end)

describe("checks of numbers", function()
  it("take whole ones, also as 3.0", function()
    assert.same({ 3, 3 }, { checks.whole("n", 3), checks.whole("n", 3.0) })
    assert.is_nil(checks.whole("n", nil))
    refused("n must be a whole number, it is 2.5", checks.whole, "n", 2.5)
    refused('n must be a whole number, it is "3"', checks.whole, "n", "3")
  end)

  it("count from a least one on, with a default", function()
    assert.same({ 2, 5, 7 }, { checks.count("n", 2, 2), checks.count("n", nil, 2, 5),
      checks.count("n", 7.0) })
    refused("n: expected a whole number of at least 2, found 1", checks.count, "n", 1, 2)
    refused("n: expected a whole number, found 'x'", checks.count, "n", "x")
    refused("n: expected a whole number of at least 1, found nil", checks.count, "n", nil, 1)
    refused("n: expected a whole number of at least 0, found 0.5", checks.count, "n", 0.5, 0)
  end)
end)

describe("values in messages", function()
  it("are shown as they are written, with their kind", function()
    assert.same({ '"a"', "3", "'a'", "nil" }, { checks.shown "a", checks.shown(3),
      checks.quoted "a", checks.quoted(nil) })
    local jobs = orrery.jobs { { procs = 1, time = 1 } }
    assert.same({ "orrery.jobs", "table", "number" },
      { checks.kind_of(jobs), checks.kind_of {}, checks.kind_of(1) })
  end)

  it("are refused where something is wrong, with what was expected and found", function()
    checks.refuse(false, "no")
    checks.refuse(nil, "no")
    refused("no 3", checks.refuse, true, "no %d", 3)
    checks.expect(true, "x", "y", "z")
    refused("x: expected y, found z", checks.expect, false, "x", "y", "z")
  end)
end)
