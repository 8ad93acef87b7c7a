-- How often a command passes from one Lua file to another, from its parsed options to its last
-- printed line, and which modules it loads. Run by the program: orrery spec/support/crossings.lua
-- COMMAND [ARGUMENT]... prints `crossings N, files N` and the loaded modules behind what the
-- command prints; with CROSSINGS=all also each pair of files, most crossings first.
local orrery = require "orrery"

local name = table.remove(arg, 1)
arg[0] = ("%s/scripts/%s.lua"):format(orrery.home, name) -- luacheck: ignore 122
local command = dofile(arg[0])
local run, before = command.run, {}
for module in pairs(package.loaded) do before[module] = true end

local crossings, files, pairs_of, last = 0, {}, {}, nil
local function called()
  local info = debug.getinfo(2, "S")
  if info.what == "C" or info.short_src == last then return end
  local pair = ("%s -> %s"):format(last, info.short_src)
  crossings, files[info.short_src], last = crossings + 1, true, info.short_src
  pairs_of[pair] = (pairs_of[pair] or 0) + 1
end

function command.run(...)
  debug.sethook(called, "c")
  run(...)
  debug.sethook()
end

require("orrery.command.command").run(command)
print(("crossings %d, files %d"):format(crossings, #orrery.tools.sorted(files)))
for _, module in ipairs(orrery.tools.sorted(package.loaded)) do
  if not before[module] then print(module) end
end
if os.getenv "CROSSINGS" == "all" then
  local list = orrery.tools.sorted(pairs_of)
  table.sort(list, function(a, b) return pairs_of[a] > pairs_of[b] end)
  for _, pair in ipairs(list) do print(pairs_of[pair], pair) end
end
