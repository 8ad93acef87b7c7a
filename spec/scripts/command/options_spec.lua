-- Options of commands that the schema declares.
local orrery = require "orrery"
local argparse = require "argparse"
local options = require "orrery.command.options"
local runs = require "orrery.schema.runs"

local jobs_spec = runs[1]

-- A field more in the schema of jobs, above the one at the place, while f runs.
local function with_field(place, field, f)
  table.insert(jobs_spec, place, field)
  local ok, problem = pcall(f)
  table.remove(jobs_spec, place)
  if not ok then error(problem, 0) end
end

local function place_of(name)
  for i, field in ipairs(jobs_spec) do
    if field[1] == name then return i end
  end
end

local function parser_of(items)
  local parser = argparse("x")
  options.add(parser, { items })
  options.once(parser)
  return parser
end

local TOY = { "toy", "integer?", "a toy", of = "c",
  flag = { "--toy-size N", "A toy,\n  large or small.", least = 2, most = 4 } }

describe("options of fields", function()
  it("a new field has its option behind that of the field above it, and its value", function()
    with_field(place_of "tau" + 1, TOY, function()
      local parser = parser_of { "runs.JobsSpec: seed tau warmup ..." }
      assert.matches("%[%-%-tau T%]%s+%[%-%-toy%-size N%]", parser:get_usage())
      assert.truthy(parser:get_help():find("A toy, large or small.", 1, true))
      local given = parser:parse { "--toy-size", "3", "--tau", "5" }
      assert.same({ toy = 3, tau = 5, pools = {}, limit = {} },
        options.fields("runs.JobsSpec.c", given))
      assert.same({ tau = 5, pools = {}, limit = {} }, options.fields("runs.JobsSpec.s", given))
      local ok, problem = parser:pparse { "--toy-size", "5" }
      assert.is_false(ok)
      assert.equal("--toy-size: expected a whole number from 2 to 4, found '5'", problem)
      assert.is_nil(parser_of { "runs.JobsSpec: tau" }:get_usage():find("toy", 1, true))
    end)
  end)

  it("stand in the help under the title of their group, each once", function()
    local parser = argparse("x")
    options.add(parser, { { title = "First", "runs.JobsSpec: tau warmup" },
      { title = "Second", "runs.JobsSpec: load" } })
    local help = parser:get_help()
    local first, second = help:match "\nFirst:\n(.*)\nSecond:\n(.*)$"
    for name, part in pairs { ["--tau"] = first or "", ["--warmup"] = first or "",
      ["--load"] = second or "" } do
      assert.matches("\n   " .. name .. " ", "\n" .. part, 1, true)
      assert.equal(1, select(2, help:gsub("\n   " .. name:gsub("%-", "%%-") .. " ", "")))
    end
  end)

  it("compare and replay have all that the schema declares", function()
    local usage = dofile(orrery.home .. "/scripts/replay.lua").parser:get_usage()
    for _, class in ipairs(runs) do
      local jobs = class.class == "JobsSpec" or class.class == "Errors"
        or class.class == "NodeFailures" or class.class == "Limits"
      for _, field in ipairs(jobs and class or {}) do
        if field.flag then
          local name = field.flag[1]:match "%S+"
          assert.truthy(usage:find("[" .. name, 1, true), name)
        end
      end
    end
  end)

  it("all spans of time may have a unit", function()
    local seen = 0
    for _, class in ipairs(runs) do
      for _, field in ipairs(class.class and class or {}) do
        if field.flag and field.unit == "s" and field[2] == "number?" then
          local option, path = field.flag[1]:match "%S+", "runs." .. class.class
          local parser = parser_of { path .. ": " .. field[1] }
          for text, seconds in pairs { ["90"] = 90, [".5s"] = 0.5, ["2m"] = 120, ["1.5h"] = 5400,
            ["3d"] = 259200, ["1w"] = 604800, ["5y"] = 5 * 365 * 86400, ["1e3m"] = 60000 } do
            local fields = options.fields(path, parser:parse { option, text })
            assert.equal(seconds, fields[field[1]], option .. " " .. text)
          end
          seen = seen + 1
        end
      end
    end
    assert.is_true(seen >= 10, seen)
  end)

  it("flags, choices, factors, several values", function()
    local parser = parser_of { "runs.JobsSpec: batch overrun options", "runs.Limits",
      { "-p --pair MIN MAX", "Two.", kind = "number" } }
    local given = parser:parse { "--batch", "--overrun", "kill", "--limit-memory", "2", "--set",
      "a=1", "--set", "b=", "--pair", "1", "2.5" }
    assert.is_true(given.batch)
    assert.same({ memory = 2 << 20 }, options.limits(given))
    assert.same({ a = "1", b = "" }, options.assignments(given.set))
    assert.same({ 1, 2.5 }, given.pair)
    assert.is_false((parser:pparse { "--overrun", "no" }))
    assert.is_false((parser:pparse { "--batch", "--batch" }))
  end)
end)

describe("the kinds of options", function()
  local function parsed(flag, text)
    local parser = parser_of { flag }
    parser:option("--other")
    return parser:pparse { "--it=" .. text }
  end

  local function says(message, flag, text)
    local ok, problem = parsed(flag, text)
    assert.is_false(ok)
    assert.matches(message, problem, 1, true)
  end

  it("take numbers above 0, and spans of time", function()
    local positive = { "--it F", "It.", kind = "positive" }
    local _, given = parsed(positive, "0.5")
    assert.equal(0.5, given.it)
    says("expected a number above 0, found '0'", positive, "0")
    says("expected a number above 0, found '-2'", positive, "-2")
    says("expected a number, found 'x'", positive, "x")
    local span = { "--it T", "It.", kind = "duration" }
    for text, seconds in pairs { ["0"] = 0, ["90"] = 90, ["5m"] = 300, ["2h"] = 7200 } do
      _, given = parsed(span, text)
      assert.equal(seconds, given.it)
    end
    says("expected seconds, or a number with s, m, h, d, w or y behind it, found 'x'", span, "x")
    says("expected more than 0 seconds, or a number",
      { "--it T", "It.", kind = "duration", positive = true }, "0")
    local whole = { "--it N", "It.", kind = "integer", least = 2, most = 4 }
    _, given = parsed(whole, "4")
    assert.equal(4, given.it)
    says("expected a whole number from 2 to 4, found '5'", whole, "5")
  end)

  it("that exclude each other are refused together, and so is one for several of what it writes",
    function()
      options.exclude({ a_b = 1 }, "a-b", "c", "why")
      options.exclude({ c = 1 }, "a-b", "c", "why")
      local _, problem = pcall(options.exclude, { a_b = 1, c = 2 }, "a-b", "c", "why")
      assert.equal("--a-b and --c exclude each other: why", problem.message)
      options.only("gantt", "writes one schedule", "policy", 1)
      _, problem = pcall(options.only, "gantt", "writes one schedule", "policy", 2)
      assert.equal("--gantt writes one schedule: give one policy, not 2", problem.message)
    end)
end)
