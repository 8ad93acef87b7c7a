-- The same bits in every run: what policies find in Lua's libraries depends on no clock and on no
-- address.
local orrery = require "orrery"
local refuse = require "spec.support.refused"

local JOBS, refused = refuse.JOBS, refuse.policy

-- What a function returns that runs in a hook, in a session and in the state of a thread; in the
-- second as the text of an error.
local function inside(f)
  local texts = {}
  local function dispatch() error("{{" .. tostring(f()) .. "}}", 0) end
  local policy = { name = "inside", dispatch = dispatch }
  local _, message = pcall(function()
    orrery.session { jobs = JOBS, procs = 2, policy = policy }:finish()
  end)
  texts[1] = message:match "{{(.*)}}"
  _, message = pcall(orrery.compare, { jobs = JOBS, procs = 2, policy = policy, runs = 2,
    threads = 2 })
  texts[2] = message:match "{{(.*)}}"
  assert(texts[1], message)
  assert.equal(texts[1], texts[2])
  return texts[1]
end

describe("table.sort of a policy", function()
  it("keeps the order of what is equal, in lists of every length", function()
    assert.equal("nothing wrong", inside(function()
      local seed = 1
      local function random(most)
        seed = (seed * 1103515245 + 12345) % 2147483648
        return seed // 65536 % most
      end
      for _, size in ipairs { 0, 1, 2, 3, 10, 31, 32, 33, 64, 65, 100, 500, 1000, 2049 } do
        for _, different in ipairs { 1, 3, 100, 100000 } do
          local list = {}
          for i = 1, size do list[i] = { random(different), i } end
          table.sort(list, function(a, b) return a[1] < b[1] end)
          for i = 2, size do
            local a, b = list[i - 1], list[i]
            if a[1] > b[1] or a[1] == b[1] and a[2] >= b[2] then return size .. " are wrong" end
          end
        end
      end
      return "nothing wrong"
    end))
  end)

  it("sorts numbers, texts and what has __lt", function()
    assert.equal("1 2.5 3 | a b c | 1 2 3 | nothing wrong", inside(function()
      local list, texts = { 3, 1, 2.5 }, { "c", "a", "b" }
      table.sort(list)
      table.sort(texts)
      local less = { __lt = function(a, b) return a.x < b.x end }
      local others = {}
      for i = 1, 3 do others[i] = setmetatable({ x = 4 - i }, less) end
      table.sort(others)
      local long, verdict = {}, "nothing wrong"
      for i = 1, 1000 do long[i] = "x" .. (i * 7919 % 1000 + 1000) end
      table.sort(long)
      for i = 1, 1000 do if long[i] ~= "x" .. (i + 999) then verdict = "wrong" end end
      return ("%s | %s | %d %d %d | %s"):format(table.concat(list, " "),
        table.concat(texts, " "), others[1].x, others[2].x, others[3].x, verdict)
    end))
  end)

  it("refuses what is no order, in lists short and long, and leaves the list as it was", function()
    for _, size in ipairs { 5, 500 } do
      refused({ dispatch = function()
        local list = {}
        for i = 1, size do list[i] = i // 2 end
        table.sort(list, function(a, b) return a <= b end)
      end }, "invalid order function for sorting")
    end
    assert.equal("1 0 1 0 1", inside(function()
      local list = { 1, 0, 1, 0, 1 }
      pcall(table.sort, list, function() return true end)
      return table.concat(list, " ")
    end))
  end)

  it("says what Lua's own says of other arguments", function()
    refused({ dispatch = function() table.sort(5) end },
      "bad argument #1 to 'sort' (table expected, got number)")
    refused({ dispatch = function() table.sort({ 1, 2 }, 5) end },
      "bad argument #2 to 'sort' (function expected, got number)")
    refused({ dispatch = function() table.sort { 1, "x", 2 } end },
      "attempt to compare")
  end)

  it("is stopped at the limits", function()
    refused({ dispatch = function()
      local list = {}
      for i = 1, 1000 do list[i] = setmetatable({}, { __lt = function() while true do end end }) end
      table.sort(list)
    end }, "this call took more than 0.03 s", { limits = { seconds = 0.03, memory = 16 << 20 } })
    refused({ dispatch = function()
      local list = {}
      for i = 1, 500000 do list[i] = -i end
      table.sort(list)
    end }, "not enough memory", { limits = { seconds = 5, memory = 20 << 20 } })
  end)
end)

describe("a policy sees no address", function()
  it("in tostring and string.format, which number values by their first use in a call", function()
    assert.equal("table: 1 function: 2 table: 1 table: 3; table: 3 function: 4|00007|%|  nil",
      inside(function()
        local a, b = {}, {}
        return ("%s %s %s %s; %s %s|%05d|%%|%5s"):format(tostring(a), tostring(next), a,
          tostring(b), b, string.format("%s", pairs), 7, nil)
      end))
  end)

  it("but what __tostring and __name say", function()
    assert.equal("I am; point: 1", inside(function()
      local told = setmetatable({}, { __tostring = function() return "I am" end })
      return ("%s; %s"):format(told, setmetatable({}, { __name = "point" }))
    end))
  end)

  it("in %p, which is refused", function()
    refused({ dispatch = function() return ("%p"):format({}) end }, "a policy cannot use %p")
    refused({ dispatch = function() return ("%%%-20p"):format({}) end }, "a policy cannot use %p")
  end)

  it("in the errors that it can catch", function()
    assert.equal("nothing found", inside(function()
      for _, f in ipairs {
        function() error(tostring {}) end, function() return (("x"):rep({})) end,
        function() return {} .. "x" end, function() return {} < {} end,
        function() table.concat { {} } end, function() return ("x"):format({}) end,
        function() return ("%d"):format({}) end,
      } do
        local _, message = pcall(f)
        if tostring(message):find "0x" then return message end
      end
      return "nothing found"
    end))
    refused({ dispatch = function(sim)
      local _, message = pcall(function() return sim[{}] end)
      error(message, 0)
    end }, "sim has no field 'a table'")
    refused({ dispatch = function(sim)
      local _, message = pcall(function() sim[{}] = 1 end)
      error(message, 0)
    end }, "sim.a table cannot be set")
  end)
end)

describe("weak tables of a policy", function()
  local WHY = "a policy cannot set __mode: what is collected when would decide what it does"

  it("are refused, also where the metatable gets its __mode later", function()
    refused({ dispatch = function() setmetatable({}, { __mode = "k" }) end }, WHY)
    refused({ dispatch = function()
      local metatable = {}
      setmetatable({}, metatable)
      metatable.__mode = "k"
    end }, WHY)
    refused({ dispatch = function() rawset({}, "__mode", "v") end }, WHY)
    refused({ dispatch = function() rawset({}, "__gc", pairs) end },
      "a policy cannot set __gc")
  end)

  it("are refused where the metatable has, loses or changes a metatable of its own", function()
    refused({ dispatch = function()
      local metatable = setmetatable({}, { __newindex = function(t, k, v) rawset(t, k, v) end })
      setmetatable({}, metatable)
      metatable.__mode = "k"
    end }, WHY)
    refused({ dispatch = function()
      local metatable = {}
      setmetatable({}, metatable)
      setmetatable(metatable, nil)
      metatable.__mode = "k"
    end }, WHY)
    refused({ dispatch = function()
      local metatable = {}
      setmetatable({}, metatable)
      setmetatable(metatable, { __newindex = function(t, k, v) rawset(t, k, v) end })
      metatable.__mode = "k"
    end }, WHY)
    refused({ dispatch = function()
      local metatable = {}
      setmetatable(metatable, metatable)
      metatable.__mode = "k"
    end }, WHY)
  end)

  it("cost metatables nothing of what they can otherwise do", function()
    assert.equal("nil 17 5 true 3 9 true 8 12 nil", inside(function()
      local class, seen = {}, {}
      local object = setmetatable({}, class)
      seen[1] = tostring(getmetatable(class))
      class.__index = class
      class.x = 17
      seen[2] = object.x
      local derived = setmetatable({}, { __index = class, __newindex = function(t, k, v)
        rawset(t, k, v * 3)
      end })
      rawset(derived, "__index", derived)
      local other = setmetatable({}, derived)
      rawset(derived, "x", 5)
      seen[3] = other.x
      seen[4] = getmetatable(derived).__index == class
      derived.y = 1
      seen[5] = other.y
      derived.z = 3
      seen[6] = derived.z
      seen[7] = getmetatable(object) == class
      local own = {}
      setmetatable(own, own)
      own.__call = function() return 8 end
      seen[8] = own()
      local store = {}
      local proxy = setmetatable({}, { __newindex = store })
      setmetatable({}, proxy)
      proxy.a = 12
      seen[9], seen[10] = store.a, tostring(rawget(proxy, "a"))
      for i = 1, 10 do seen[i] = tostring(seen[i]) end
      return table.concat(seen, " ")
    end))
    refused({ dispatch = function()
      local protected = setmetatable({}, { __metatable = "mine" })
      assert(getmetatable(protected) == "mine")
      setmetatable({}, protected)
      setmetatable(protected, {})
    end }, "cannot change a protected metatable")
  end)
end)
