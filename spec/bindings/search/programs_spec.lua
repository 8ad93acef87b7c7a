-- Programs with other numbers: that the numbers of a text are found, against the Lua that reads it,
-- and that a search among them goes on whatever they do.
local orrery = require "orrery"

local policies = require "orrery.host.policies"
local program = require "spec.support.program"
local programs = require "orrery.search.programs"
local rounds = require "spec.support.rounds"

local function code_of(text) return string.dump(assert(load(text, "=it")), true) end

local PIECES = { "x", "y1", "'7'", '"a\\"8"', "[[9 ]]", "--[[ 3 ]]", "-- 4\n", "0x1F", "e5",
  "[==[ ]] 6 ]==]" }

describe("numbers of a program", function()
  it("are found where they stand", function()
    local between, values = programs.numbers_of("return 1.5e3 + a1 * 7 -- 8\n.. '9' .. 0x10 .. 2")
    assert.same({ 1500.0, 7, 2 }, values)
    assert.same({ "return ", " + a1 * ", " -- 8\n.. '9' .. 0x10 .. ", "" }, between)
    assert.equal("return 2 + a1 * 0.25 -- 8\n.. '9' .. 0x10 .. 30",
      programs.text_with(between, { 2, 0.25, 30 }))
  end)

  it("are those that Lua reads, in shipped policies", function()
    local count = 0
    for _, policy in ipairs(policies.list()) do
      local _, text = policies.find(policy.name)
      local between, values = programs.numbers_of(text)
      count = count + #values
      assert.equal(code_of(text), code_of(programs.text_with(between, values)))
    end
    assert.is_true(count > 200, count)
  end)

  it("are those that Lua reads, in random texts", function()
    local rng = orrery.random(1)
    for _ = 1, rounds(2000) do
      local parts, expected = {}, {}
      for i = 1, rng:integer(1, 12) do
        if rng:uniform() < 0.5 then
          expected[#expected + 1] = rng:uniform() < 0.5 and rng:integer(0, 999)
            or tonumber(("%.4g"):format(rng:uniform(0, 1e6)))
          parts[i] = tostring(expected[#expected])
        else
          parts[i] = PIECES[rng:integer(1, #PIECES)]
        end
      end
      local _, values = programs.numbers_of(table.concat(parts, " , "))
      -- behind a comment to the end of the line all goes on in the next one
      assert.same(expected, values)
    end
  end)
end)

describe("a search among programs", function()
  local folder
  setup(function()
    folder = program.folder()
    program.write(folder, "tuned.lua", [[
return {
  priority = function(job)
    local steps = 0
    while steps < 3 do steps = steps + 1 end -- with other numbers endless
    local list = { job.time, job.procs }
    return -math.abs(list[1] - 90)
  end,
}
]])
  end)
  teardown(function() program.remove(folder) end)

  local function sets_of(first, count)
    local list = {}
    for i = 1, count do
      list[i] = { name = i, jobs = orrery.synthetic { count = 12, procs = { 1, 4 },
        time = { 1, 100 }, seed = first, set = i } }
    end
    return { sets = list }
  end

  it("finds better numbers, goes on where one fails, the same for all threads #long", function()
    local expected
    for _, threads in ipairs(rounds(3, 3, 2) == 3 and { 1, 2, 7 } or { 1, 7 }) do
      local found = orrery.search { programs = { files = { folder .. "/tuned.lua" },
        policies = { "greedy" } }, baselines = { "fcfs",
          { policy = "greedy", priority = folder .. "/tuned.lua", name = "tuned" } },
        training = sets_of(1, 12), validation = sets_of(2, 12), testing = sets_of(3, 30),
        fixed = { procs = 4, batch = true }, metric = "flow_mean",
        evaluations = rounds(1200, 1200, 250), threads = threads }
      assert.is_true(found.found)
      assert.matches("^greedy %+ tuned#%x+$", found.winner.name)
      assert.is_true(#found.failed > 0)
      local said = {}
      for _, one in ipairs(found.failed) do said[#said + 1] = one.problem end
      assert.matches("more than 5000000 instructions", table.concat(said, "\n"))
      local text = found:json():gsub('"seconds":[^,}]*', "") .. found:policy()
      expected = expected or text
      assert.equal(expected, text)
      found:policy(folder .. "/found.lua")
      local result = orrery.compare { sets = sets_of(3, 30).sets, procs = 4, batch = true,
        policy = folder .. "/found.lua", seed = 3 }
      assert.equal(found.testing.mean, result:summary(1, "flow_mean").mean)
    end
  end)

  it("says what is wrong with the files", function()
    for message, given in pairs {
      ["programs.files: expected a list of at least one policy"] = { files = {} },
      ["there is no policy 'aginq'"] = { files = { "aginq" } },
      ["programs.files[1]: there is no number in hpa"] = { files = { "hpa" } },
      ["programs.files[1]: sorted-cuts is a pack policy"] = { files = { "sorted-cuts" } },
      ["unknown field 'file'"] = { file = { "aging" } },
    } do
      local done, problem = pcall(orrery.search, { programs = given, baselines = { "fcfs" },
        training = sets_of(1, 3), validation = sets_of(2, 3), testing = sets_of(3, 5),
        fixed = { procs = 4, batch = true }, metric = "flow_mean" })
      assert.is_false(done)
      assert.matches(message, problem, 1, true)
    end
  end)
end)
