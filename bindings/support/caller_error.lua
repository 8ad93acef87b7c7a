-- caller_error: errors that name the line of who called a public function, however many of the
-- functions of these files are in between.
--
--   blame(message)            raises it
--   blame.call(f, ...)        what f returns; an error without a place of its own, or with one in
--                             these files, is the caller's
local blame = {}

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

-- What comes from the C part has a place where it is about an argument: one in here.
function blame.call(f, ...)
  local results = table.pack(pcall(function(...)
    local list = table.pack(f(...)) -- no tail call, which would hide the place
    return table.unpack(list, 1, list.n)
  end, ...))
  if results[1] then return table.unpack(results, 2, results.n) end
  local problem = results[2]
  if type(problem) == "string" then
    local message, places = problem:gsub(OWN, "")
    if places > 0 then blame(message) end
  end
  error(problem, 0)
end

return setmetatable(blame, { __call = raise })
