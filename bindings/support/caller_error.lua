-- caller_error: errors that name the line of the caller of a public function, whatever the number
-- of our own functions in between.
--
--   caller_error(message)             raises it
--   caller_error.call(f, ...)         what f returns; an error with a place in these files becomes
--                                     the caller's, others stay as they are
--   caller_error.checked(f, ...)      what f returns; every error is the caller's
--   caller_error.public(f)            f, whose errors name the line that calls it
--   caller_error.without_place(text)  a message without a place in these files
local caller_error = {}

local OWN = "^orrery/[%w_/]+%.lua:%d+: "

local function raise(_, message)
  local level = 2
  local info = debug.getinfo(level, "S")
  while info and (info.what == "C" or info.short_src:match "^orrery/") do
    level = level + 1
    info = debug.getinfo(level, "S")
  end
  error(message, info and level or 0)
end

function caller_error.without_place(text)
  return type(text) == "string" and text:gsub(OWN, "") or text
end

-- C functions report argument errors at a line of these files; replace it by the caller's line.
function caller_error.call(f, ...)
  local results = table.pack(pcall(function(...)
    local list = table.pack(f(...)) -- no tail call, which would hide the place
    return table.unpack(list, 1, list.n)
  end, ...))
  if results[1] then return table.unpack(results, 2, results.n) end
  local problem = results[2]
  if type(problem) == "string" and problem:find(OWN) then
    raise(nil, caller_error.without_place(problem))
  end
  error(problem, 0)
end

function caller_error.checked(f, ...)
  local results = table.pack(pcall(f, ...))
  if results[1] then return table.unpack(results, 2, results.n) end
  raise(nil, caller_error.without_place(results[2]))
end

function caller_error.public(f)
  return function(...)
    local results = table.pack(pcall(f, ...))
    if results[1] then return table.unpack(results, 2, results.n) end
    error(caller_error.without_place(results[2]), 2)
  end
end

return setmetatable(caller_error, { __call = raise })
