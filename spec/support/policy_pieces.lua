-- Policies composed of pieces that use state without content: tables that are filled and emptied,
-- lengths of tables with holes, the order of keys, metatables, random numbers. What such a policy
-- decides depends on all of it; it must be the same whatever ran before.
local orrery = require "orrery"
local temporary = require "spec.support.temporary"

local policy_pieces = {}

local jobs = orrery.synthetic { count = 16, seed = 8 }

local function generator(seed)
  local state = seed * 2654435761 % 4294967296 + 1
  return function(n) -- 1 .. n
    state = (state * 1664525 + 1013904223) % 4294967296
    return state // 65536 % n + 1
  end
end

local draw

local function pick(list) return list[draw(#list)] end

-- What fills or empties the table t; what looks at it, a number.
local WRITE = {
  function() return ("for i = 1, %d do t[i] = i end"):format(draw(40)) end,
  function() return "for i = 1, sim.waiting_count + 3 do t[i] = 1 end" end,
  function() return ("for i = %d, 1, -1 do t[i] = i end"):format(draw(20)) end,
  function() return ("for i = 1, %d, %d do t[i] = 7 end"):format(draw(40), 1 + draw(3)) end,
  function() return ("for i = %d, %d do t[i] = nil end"):format(draw(9), 4 + draw(40)) end,
  function() return ("t[%d] = sim.now"):format(draw(20)) end,
  function() return ("t[%d] = nil"):format(draw(12)) end,
  function() return ("t[%d * sim.running_count] = true"):format(draw(5)) end,
  function() return "table.insert(t, sim.free)" end,
  function() return "if #t > 0 then table.remove(t) end" end,
  function() return "if #t > 0 then t[#t] = nil end" end,
  function() return "for k in pairs(t) do t[k] = nil end" end,
  function() return ("for i = 1, %d do t['k' .. i] = i end"):format(draw(9)) end,
  function() return ("for i = %d, 9 do t['k' .. i] = nil end"):format(draw(5)) end,
  function() return ("for i = 1, 24 do t[i * %d %% 3 > 0 and i or 'k' .. i] = 1 end"):format(
    draw(5)) end,
  function() return ("table.move({ 1, 2, 3, 4, 5 }, 1, 5, %d, t)"):format(draw(9)) end,
  function()
    return "setmetatable(t, { __index = function(_, k) return math.type(k) and k < 9 or nil end })"
  end,
}
local COUNT = "(function() local n = 0 for %s end return n end)()"
local LOOK = {
  function() return "#t" end, function() return "rawlen(t)" end,
  function() return "select('#', table.unpack(t))" end,
  function() return ("(t[%d] and 1 or 0)"):format(draw(30)) end,
  function() return COUNT:format("_ in ipairs(t) do n = n + 1") end,
  function() return "(next(t) and 1 or 0)" end,
  function() return COUNT:format("k in pairs(t) do n = n * 3 + (tonumber(k) or #k)") end,
  function() return ("math.random(%d)"):format(draw(9)) end,
  function() return "#tostring(t)" end, function() return "(getmetatable(t) and 1 or 0)" end,
}

local BEGIN = { "{}", "{ 1, 2, 3 }", "{ 1, 2, nil, 4, nil, nil, 7 }", "{ nil, nil, 3 }",
  "{ 1, 2, 3, 4, 5, 6, 7, 8, 9, nil, 11, nil, nil, nil, nil, nil }", "{ [3] = 1, [6] = 2 }" }

-- A kept table gets back the contents that it had: only what cannot be seen in them is left.
local function statement()
  local lines = { "local t = " .. pick { "first", "second", "sim.state.a", "sim.state.b", "{}" } }
  local writes = draw(3) > 1
  lines[#lines + 1] = "local had = {} for k, v in pairs(t) do had[k] = v end"
  for _ = 1, draw(4) do
    if writes then lines[#lines + 1] = pick(WRITE)() end
    lines[#lines + 1] = ("signal = signal * 5 + %s"):format(pick(LOOK)())
  end
  lines[#lines + 1] = "if t == first or t == second then"
  lines[#lines + 1] = "  for k in pairs(t) do if had[k] == nil then t[k] = nil end end"
  lines[#lines + 1] = "  for k, v in pairs(had) do t[k] = v end"
  lines[#lines + 1] = "  if getmetatable(t) then setmetatable(t, nil) end"
  lines[#lines + 1] = "elseif getmetatable(t) then setmetatable(t, nil) end"
  return "    do " .. table.concat(lines, "\n      ") .. "\n    end"
end

function policy_pieces.policy(seed)
  draw = generator(seed)
  local statements = {}
  for i = 1, draw(4) do statements[i] = statement() end
  return ([[
local first, second = %s, %s
return {
  init = function(sim) sim.state.a, sim.state.b = %s, %s end,
  dispatch = function(sim)
    local signal = 0
%s
    local count = 0
    for job in sim:fitting() do
      count = count + 1
      if sim.running_count == 0 or (signal // 1 + job.position * count) %% 3 ~= 1 then
        sim:start(job)
      end
    end
  end,
}
]]):format(pick(BEGIN), pick(BEGIN), pick(BEGIN), pick(BEGIN), table.concat(statements, "\n"))
end

local function setup(path, more)
  local spec = { jobs = jobs, procs = 3000, policy = path, errors = { mean_probability = 0.3 } }
  for key, value in pairs(more) do spec[key] = value end
  return spec
end

local function compare(path, threads)
  local ok, result = pcall(orrery.compare, setup(path, { runs = 6, seed = 3, threads = threads }))
  if not ok then return "error: " .. tostring(result):match "^[^\n]*" end
  local texts = {}
  for i, value in ipairs(result:values(1, "flow_mean")) do texts[i] = ("%a"):format(value) end
  return table.concat(texts, " ")
end

-- A session, one that goes on after a fork, and the fork of it, and of that.
local function sessions(path)
  local function finish(session) return ("%a"):format(session:finish().flow_mean) end
  local session = orrery.session(setup(path, { seed = 3 }))
  local whole = finish(session:fork())
  for _ = 1, 9 do session:step() end
  local fork = session:fork()
  fork:step()
  return { whole, finish(fork:fork()), finish(fork), finish(session) }
end

-- nil, or what differed. An error that tells what is kept is one for any number of threads.
local function difference(path)
  local one = compare(path, 1)
  if one:find "^error" and not one:find "the variable '%w+' has changed" then return one end
  for _, threads in ipairs { 1, 2, 7 } do
    local other = compare(path, threads)
    if other ~= one and not (one:find "^error" and other:find "^error") then
      return ("%d threads: %s\n instead of %s"):format(threads, other, one)
    end
  end
  local ok, ends = pcall(sessions, path)
  if not ok then return not tostring(ends):find "has changed" and ends or nil end
  for i = 2, #ends do
    if ends[i] ~= ends[1] then return ("fork %d: %s instead of %s"):format(i, ends[i], ends[1]) end
  end
end

-- The text of the policy with this seed, and what it did differently: nil, nothing.
function policy_pieces.run(seed)
  local text = policy_pieces.policy(seed)
  return text, temporary.file("pieces.lua", text, difference)
end

return policy_pieces
