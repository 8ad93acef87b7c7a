-- What commands share: their words, numbers, errors with exit statuses, and lists for people.
local orrery = require "orrery"
local argparse = require "argparse"
local command = require "orrery.command.command"
local program = require "spec.support.program"

-- f ends the command with this status and message.
local function ends(status, message, f, ...)
  local done, problem = pcall(f, ...)
  assert.is_false(done)
  assert.same({ status, message }, { problem.exit, problem.message })
end

describe("a command", function()
  local words = _G.arg
  after_each(function() rawset(_G, "arg", words) end)

  local function arguments(...)
    rawset(_G, "arg", { [0] = "/x/scripts/replay.lua", ... })
    return command.arguments()
  end

  it("takes a negative number behind an option as its value", function()
    assert.same({ "--a=-1", "-b", "--c", "x" }, arguments("--a", "-1", "-b", "--c", "x"))
    assert.same({ "--a=-.5" }, arguments("--a", "-.5"))
    assert.same({ "-a", "-1", "--", "--a", "-1" }, arguments("-a", "-1", "--", "--a", "-1"))
    assert.same({ "--a=b", "-1" }, arguments("--a=b", "-1"))
  end)

  it("can be typed again", function()
    arguments("--day", "a b", "it's")
    assert.equal([[orrery replay --day 'a b' 'it'\''s']], command.line())
  end)

  it("ends with 2 where it is misused, and with 1 where it fails", function()
    ends(2, "no 3", command.misuse, "no %d", 3)
    ends(1, "no x", command.fail, "no %s", "x")
    ends(2, "--by: expected one of day, week, found 'weak', did you mean 'week'?",
      command.check_one, "by", "weak", { "day", "week" })
    command.check_one("by", "week", { "day", "week" })
    ends(2, "an input", command.call, function()
      require("orrery.core").note_code("an input", "input")
      error("an input", 0)
    end)
    ends(1, "other", command.call, error, "other", 0)
    assert.same({ 1, nil, 3 }, { command.call(function() return 1, nil, 3 end) }, 3)
  end)

  it("shows no places in its own files, but those in others", function()
    local own = orrery.home .. "/scripts/replay.lua:3: it broke"
    assert.same({ "it broke", "it broke", "policies/x.lua:3: it broke", 7 }, {
      command.without_position "orrery/run/jobs.lua:12: it broke", command.without_position(own),
      command.without_position "policies/x.lua:3: it broke", command.without_position(7) })
  end)

  it("reads files, and says which it cannot", function()
    local folder = program.folder()
    program.write(folder, "file", "text\n")
    assert.equal("text\n", command.read_file(folder .. "/file"))
    assert.is_nil(command.read_file(folder .. "/none"))
    assert.is_nil(command.read_file(folder .. "/file/below"))
    assert.is_nil(command.read_file(folder))
    assert.equal(folder .. "/a/b", command.make_folder(folder .. "/a/b"))
    assert.equal("a file", program.listing(folder))
    program.remove(folder)
  end)

  it("lists names in columns, also of those that say nothing", function()
    local lines, print_before = {}, print
    rawset(_G, "print", function(line) lines[#lines + 1] = line end)
    command.print_list({ { name = "ab", about = "first" }, { name = "ä", about = "" } }, "  ")
    command.print_list { { name = "x", about = "y" } }
    rawset(_G, "print", print_before)
    assert.same({ "  ab  first", "  ä   (says nothing about itself)", "x  y" }, lines)
  end)

  it("takes numbers in their ranges", function()
    local number, whole = command.number("-n", 2), command.integer("-n", 1, 4)
    assert.same({ 2, 2.5, 1, 4, 4 },
      { number "2", number "2.5", whole "1", whole "4", whole "4e0" })
    local function says(text, convert, given)
      local value, problem = convert(given)
      assert.is_nil(value)
      assert.equal(text, problem)
    end
    says("-n: expected a number of at least 2, found '1.9'", number, "1.9")
    says("-n: expected a number, found 'inf'", number, "inf")
    says("-n: expected a number, found 'nan'", command.number "-n", "nan")
    says("-n: expected a number, found 'x'", number, "x")
    says("-n: expected a whole number from 1 to 4, found '5'", whole, "5")
    says("-n: expected a whole number from 1 to 4, found '0'", whole, "0")
    says("-n: expected a whole number, found '1.5'", whole, "1.5")
    says("-n: expected a whole number of at least 1, found '0'", command.integer("-n", 1), "0")
    says("-n: expected a whole number, found 'x'", command.integer "-n", "x")
  end)

  it("has help with its examples first, and its usage in a line where options are many", function()
    local parser = argparse("orrery replay", "About it.")
    for i = 1, 9 do parser:option("--option-" .. i) end
    parser:argument "log"
    local text = command.new(parser, print).parser:get_help()
    assert.matches("^Usage: orrery replay %[OPTION %.%.%.%] <log>\n\nExamples:\n   orrery replay ",
      text)
    local few = argparse("orrery nothing", "About it.")
    few:option "--one"
    assert.matches("^Usage: orrery nothing %[%-h%] %[%-%-one <one>%]\n\nAbout it%.",
      command.new(few, print).parser:get_help())
  end)
end)
