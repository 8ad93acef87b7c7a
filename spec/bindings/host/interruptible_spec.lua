-- bindings/host/interruptible.lua gives what Lua's own functions give, in Lua.
local slowly = assert(loadfile "bindings/host/interruptible.lua")()

-- Pieces of patterns and of subjects, put together at random.
local PIECES = { "a", "b", ".", "%a", "%w", "[ab]", "[^a]", "[%a-]", "[a-c]", "%.", "%%", "-", "^",
  "$", "*", "%s", "x", "]" }
local AFTER = { "", "", "", "*", "+", "-", "?" }
local WHOLE = { "()", "%b()", "%f[%w]", "%f[%W]", "%1", "(", ")", "(a*)", "(.-)",
  "([ab]+)", "(%w)" }
local LETTERS = { "a", "b", "c", "x", " ", ".", "(", ")", "%", "-", "1", "" }

local function pick(list) return list[math.random(#list)] end

local function random_pattern()
  local parts = { math.random(5) == 1 and "^" or "" }
  for i = 2, math.random(2, 6) do
    parts[i] = math.random(3) == 1 and pick(WHOLE) or pick(PIECES) .. pick(AFTER)
  end
  if math.random(5) == 1 then parts[#parts + 1] = "$" end
  return table.concat(parts)
end

local function random_text()
  local parts = {}
  for i = 1, math.random(0, 14) do parts[i] = pick(LETTERS) end
  return table.concat(parts)
end

-- Where Lua's own raises, both do; Lua notices some mistakes only where matching comes to them.
local function same(name, pattern, ...)
  local mine, theirs = table.pack(pcall(slowly[name], ...)), table.pack(pcall(string[name], ...))
  if not mine[1] then return end
  local what = ("%s of %q"):format(name, pattern)
  assert.is_true(theirs[1], what .. " is an error: " .. tostring(theirs[2]))
  mine.n, theirs.n = nil, nil
  assert.same(theirs, mine, what)
end

local function all_of(gmatch, text, pattern)
  local found = {}
  for a, b in gmatch(text, pattern) do found[#found + 1] = { a, b } end
  return found
end

describe("patterns in Lua", function()
  it("match as Lua's own do", function()
    math.randomseed(17)
    for _ = 1, 1500 do
      local text, pattern = random_text(), random_pattern()
      same("find", pattern, text, pattern)
      same("find", pattern, text, pattern, math.random(-4, 8))
      same("find", pattern, text, pattern, 1, true)
      same("match", pattern, text, pattern, math.random(-4, 8))
      same("gsub", pattern, text, pattern, "<%0>")
      same("gsub", pattern, text, pattern, "%1", math.random(0, 3))
      same("gsub", pattern, text, pattern, { a = "z", b = false, [1] = 5 })
      same("gsub", pattern, text, pattern, function(a, b) return b or a ~= "" and "-" end)
      local ok, mine = pcall(all_of, slowly.gmatch, text, pattern)
      if ok then assert.same(all_of(string.gmatch, text, pattern), mine) end
    end
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
