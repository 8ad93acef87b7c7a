-- The candidates for the last word of a command line.
require "orrery"
require "orrery.program.commands" -- finds the commands

local shell_words = require "orrery.command.shell_words"

-- The words, without what they are.
local function candidates(...)
  local list = {}
  for i, one in ipairs(shell_words.candidates { ... }) do list[i] = one.word end
  return table.concat(list, " ")
end

-- What is said of a word, where it is a candidate.
local function about(word, ...)
  for _, one in ipairs(shell_words.candidates { ... }) do
    if one.word == word then return one.about end
  end
end

describe("orrery.command.shell_words", function()
  it("knows every option of every command, and what it takes", function()
    assert.equal("--policy", candidates("replay", "x.csv", "--pol"))
    assert.equal("kill cap extend", candidates("replay", "--overrun", ""))
    assert.equal("easy easy-plus-plus easy-proactive easy-sjf :",
      candidates("replay", "--policy", "ea"))
    assert.equal("dispatch/easy-sjf :", candidates("replay", "--policy", "dispatch/easy-s"))
    assert.equal("lpt priority/lpt :", (candidates("replay", "--priority", ""):gsub(
      "^.*(lpt priority/lpt).*( :)$", "%1%2")))
    assert.equal(":", candidates("replay", "--csv", "out"))
    assert.equal("sample-2019-06 :", candidates("replay", ""))
    assert.equal("", candidates("replay", "--q", ""))
    assert.equal(":", candidates("merge", "one", "two", ""))
    assert.equal("", candidates("replay", "x.csv", ""))
    assert.equal("--wide=drop", candidates("replay", "--wide=d")) -- zsh and fish
    assert.equal("drop", candidates("replay", "--wide", "=", "d")) -- bash
    assert.equal("error drop keep", candidates("replay", "--wide", "="))
    assert.equal(":", candidates("./own.lua", "x"))
  end)

  it("knows what commands have themselves, and their options", function()
    local all = " " .. candidates "" .. " "
    for _, word in ipairs { "replay", "generate", "--version", "--help", "-e", "-i", ":" } do
      assert.equal(1, select(2, all:gsub(" " .. word:gsub("%-", "%%-") .. " ", "")), word)
    end
    assert.equal("--version :", candidates "--v")
    assert.equal("lublin", candidates("generate", "lu"))
    assert.equal("--help", candidates("generate", "--h"))
    assert.equal("", candidates("generate", "lublin", "lu"))
    assert.equal("--days", candidates("generate", "lublin", "--da"))
    assert.equal("", candidates("replay", "--nosuch=x"))
  end)

  it("knows what the first argument of a command is", function()
    assert.equal("merge metrics", candidates("help", "me"))
    assert.equal("", candidates("help", "sweep", "sw"))
    assert.equal("five-lines", candidates("examples", "five"))
    assert.equal("rr9296", candidates("reproduce", "rr"))
    assert.equal("easy-sjf :", candidates("check", "easy-s"))
    assert.equal("dispatch/easy-sjf :", candidates("policies", "dispatch/easy-s"))
    assert.equal("dispatch", candidates("new-policy", "di"))
  end)

  it("knows which policies an option takes", function()
    local function of(...)
      local kinds = {}
      for word in candidates(...):gmatch "%S+/" do kinds[word:sub(1, -2)] = true end
      return kinds
    end
    assert.same({ dispatch = true, redirect = true }, of("replay", "--policy", ""))
    assert.same({ pack = true }, of("pack", "--policy", ""))
    assert.same({ redistribute = true }, of("redistribute", "--on-fault", ""))
    assert.same({ redistribute = true }, of("redistribute", "--on-end", ""))
    assert.same({ dispatch = true, priority = true }, of("conform", "--policy", ""))
  end)

  it("counts arguments without options and their values", function()
    assert.equal("five-lines", candidates("examples", "--nosuch", "five"))
    assert.equal("sample-2019-06 :", candidates("replay", "--policy", "easy", "--quiet", "sam"))
    assert.equal("", candidates("replay", "--policy", "easy", "x.csv", "sam"))
    assert.equal(":", candidates("merge", "one", "--csv", "two", "three", ""))
  end)

  it("says what the words are, by the first sentence", function()
    assert.matches("^simulates .*[^.]$", about("replay", "repl"))
    assert.matches("^[%g ]+[^.]$", about("--seed", "replay", "--se"))
    assert.is_nil(about("--e", "--e"))
  end)
end)
