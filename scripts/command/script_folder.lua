-- Scripts in a folder below scripts/, such as scripts/examples/: listed and run by one command.
local command = require "orrery.command.command"
local orrery = require "orrery"

local script_folder = {}

-- The scripts in scripts/FOLDER/, the user's own included, sorted: { name =, path =, about = }.
function script_folder.list(folder)
  local seen, list = {}, {}
  for _, root in ipairs(orrery.tools.roots()) do
    local path = root .. "/scripts/" .. folder
    for _, file in ipairs(orrery.tools.files(path)) do
      local name = file:match "^([%w_-]+)%.lua$"
      if name and not seen[name] then
        seen[name] = true
        local stream = assert(io.open(path .. "/" .. file))
        local first = stream:read "l" or ""
        stream:close()
        list[#list + 1] = { name = name, path = path .. "/" .. file,
          about = first:match "^%-%-%s*[%w_-]+:%s*(.*)$" or "(says nothing about itself)" }
      end
    end
  end
  table.sort(list, function(a, b) return a.name < b.name end)
  return list
end

-- Prints them, each with what it says about itself.
local function print_list(folder)
  local list, width = script_folder.list(folder), 0
  for _, one in ipairs(list) do width = math.max(width, #one.name) end
  for _, one in ipairs(list) do
    print(one.name .. (" "):rep(width - #one.name) .. "  " .. one.about)
  end
end

-- Runs one with what was typed behind its name, as the program runs `orrery FOLDER/NAME`.
local function run(folder, name, what)
  local names = {}
  for i, one in ipairs(script_folder.list(folder)) do
    names[i] = one.name
    if one.name == name then
      local rest = table.move(arg, 2, #arg, 1, { [0] = one.path })
      arg = rest -- luacheck: ignore 121
      return orrery.tools.run(one.path, table.unpack(rest))
    end
  end
  local near = orrery.tools.nearest(name, names)
  command.misuse("there is no %s '%s'%s", what, name,
    near and (", did you mean '%s'?"):format(near) or ("; `orrery %s` lists them"):format(folder))
end

-- The command that lists them, or runs the one that is named. `what`: what they are, for messages.
function script_folder.command(parser, folder, what)
  local listing = command.new(parser, function() print_list(folder) end)
  function listing.instead()
    local name = arg[1]
    return name and name:sub(1, 1) ~= "-" and function() return run(folder, name, what) end
  end
  return listing
end

return script_folder
