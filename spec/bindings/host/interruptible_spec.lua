-- bindings/host/interruptible.lua gives what Lua's own functions give, in Lua.
require "orrery"

local slowly = require "orrery.host.interruptible"
local rounds = require "spec.support.rounds"

-- Pieces of patterns and of subjects, put together at random.
local PIECES = { "a", "b", ".", "%a", "%w", "[ab]", "[^a]", "[%a-]", "[a-c]", "%.", "%%", "-", "^",
  "$", "*", "%s", "x", "]" }
local AFTER = { "", "", "", "*", "+", "-", "?" }
local WHOLE = { "()", "%b()", "%f[%w]", "%f[%W]", "%1", "(", ")", "(a*)", "(.-)",
  "([ab]+)", "(%w)" }
local LETTERS = { "a", "b", "c", "x", " ", ".", "(", ")", "%", "-", "1", "" }

local function pick(list) return list[math.random(#list)] end

-- Whether the captures of a pattern, given as its parts, are in order: each ")" closes one, none is
-- left open, and "%1" comes behind the end of a first capture that is text.
local function is_sound(parts)
  local open, first = 0, nil
  for i, part in ipairs(parts) do
    if part == "(" then
      open, first = open + 1, first or "open"
    elseif part == ")" then
      if open == 0 then return false end
      open = open - 1
      if open == 0 and first == "open" then
        first = parts[i - 1] == "(" and "position" or "text"
      end
    elseif part == "()" then
      first = first or "position"
    elseif part:find "^%(" then
      first = first or "text"
    elseif part == "%1" and first ~= "text" then
      return false
    end
  end
  return open == 0
end

-- A pattern, and whether it is sound.
local function random_pattern()
  local parts = { math.random(5) == 1 and "^" or "" }
  for i = 2, math.random(2, 6) do
    parts[i] = math.random(3) == 1 and pick(WHOLE) or pick(PIECES) .. pick(AFTER)
  end
  if math.random(5) == 1 then parts[#parts + 1] = "$" end
  return table.concat(parts), is_sound(parts)
end

local function random_text()
  local parts = {}
  for i = 1, math.random(0, 14) do parts[i] = pick(LETTERS) end
  return table.concat(parts)
end

-- Both give the same, or both raise. Of a pattern that is not sound Lua notices only what matching
-- comes to: there mine may raise alone.
local function same(mine, theirs, name, pattern, sound, ...)
  mine, theirs = table.pack(pcall(mine, ...)), table.pack(pcall(theirs, ...))
  local what = ("%s of %q"):format(name, pattern)
  if mine[1] or sound then
    assert.equal(theirs[1], mine[1], what .. ": " .. tostring(theirs[1] and mine[2] or theirs[2]))
  end
  if mine[1] then assert.same(theirs, mine, what) end
end

local function all_of(gmatch, text, pattern)
  local found = {}
  for a, b in gmatch(text, pattern) do found[#found + 1] = { a, b } end
  return found
end

describe("patterns in Lua", function()
  it("match as Lua's own do", function()
    math.randomseed(17)
    local sound_ones, count = 0, rounds(1500, 1500, 400)
    for _ = 1, count do
      local text, pattern, sound = random_text(), random_pattern()
      sound_ones = sound_ones + (sound and 1 or 0)
      local function try(name, ...)
        same(slowly[name], string[name], name, pattern, sound, text, pattern, ...)
      end
      try "find"
      try("find", math.random(-4, 8))
      try("find", 1, true)
      try("match", math.random(-4, 8))
      try("gsub", "<%0>")
      try("gsub", "%1", math.random(0, 3))
      try("gsub", { a = "z", b = false, [1] = 5 })
      try("gsub", function(a, b) return b or a ~= "" and "-" end)
      same(function(...) return all_of(slowly.gmatch, ...) end, function(...)
        return all_of(string.gmatch, ...)
      end, "gmatch", pattern, sound, text, pattern)
    end
    assert.is_true(sound_ones > 0.6 * count, sound_ones)
  end)

  it("by hand", function()
    assert.same({ 3, 6, "b", "c" }, { slowly.find("xxabcd", "a(.)(.)d") })
    assert.same({ "k", "v", 4 }, { slowly.match("k=v", "^(%w)=(%w)()$") })
    assert.same({ "(a(b))", 1 }, { slowly.gsub("f(a(b))", "^f(%b())$", "%1") })
    assert.equal("THE (quick) fox",
      (slowly.gsub("THE (quick) fox", "%f[%a]%l+%f[%A]", string.upper, 0)))
    assert.same({ 5, 7 }, { slowly.find("abc a.b", "a.b", 1, true) })
  end)

  it("refuse what Lua's own refuse", function()
    for _, bad in ipairs { "%", "[a", "(a", "a)", "%1", "%b", "%fa", "[%", "(()%1" } do
      assert.is_false(pcall(string.match, "aaa", bad), bad)
      assert.is_false(pcall(slowly.match, "aaa", bad), bad)
    end
    for _, bad in ipairs { "%2", "%x", "%" } do
      assert.is_false(pcall(string.gsub, "aaa", "a", bad), bad)
      assert.is_false(pcall(slowly.gsub, "aaa", "a", bad), bad)
    end
  end)
end)

describe("table.move in Lua", function()
  it("moves as Lua's own does, also onto itself", function()
    for first = -2, 4 do
      for last = first - 1, 7 do
        for to = -3, 9 do
          local mine, theirs = { 1, 2, 3, 4, 5, 6 }, { 1, 2, 3, 4, 5, 6 }
          assert.same(table.move(theirs, first, last, to), slowly.move(mine, first, last, to))
        end
      end
    end
    assert.same({ 7, 1, 2 }, slowly.move({ 1, 2 }, 1, 2, 2, { 7 }))
  end)
end)

describe("table.insert and table.remove in Lua", function()
  it("do what Lua's own do with a position inside the list", function()
    for length = 1, 5 do
      for at = 1, length do
        local mine, theirs = {}, {}
        for i = 1, length do mine[i], theirs[i] = i, i end
        slowly.insert(mine, at, "new")
        table.insert(theirs, at, "new")
        assert.same(theirs, mine)
        assert.equal(table.remove(theirs, at), slowly.remove(mine, at))
        assert.equal(table.remove(theirs, 1), slowly.remove(mine, 1))
        assert.same(theirs, mine)
      end
    end
  end)
end)
