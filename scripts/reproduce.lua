-- reproduce: runs the experiments of a paper again and judges its statements by what comes out
--
--   orrery reproduce                      what there is
--   orrery reproduce rr9296 --quick
--   orrery reproduce rr9296 --figure 2 --out results/rr9296
local argparse = require "argparse"
local command = require "lib.command"
local orrery = require "orrery"

local parser = argparse("orrery reproduce", "Runs the experiments of a paper again. Without a name "
  .. "it lists the papers; orrery reproduce NAME --help tells the options of one.")
parser:argument("name", "Which paper; what follows are its options."):args "?":argname "NAME"

-- The scripts in scripts/reproduce/, the user's own included, sorted: { name =, path =, about = }.
local function reproductions()
  local seen, list = {}, {}
  for _, root in ipairs(orrery.tools.roots()) do
    local folder = root .. "/scripts/reproduce"
    for _, file in ipairs(orrery.tools.files(folder)) do
      local name = file:match "^([%w_-]+)%.lua$"
      if name and not seen[name] then
        seen[name] = true
        local path = folder .. "/" .. file
        local first = assert(io.open(path)):read "l" or ""
        list[#list + 1] = { name = name, path = path, about = first:match "^%-%-%s*[%w_-]+:%s*(.*)$"
          or "(says nothing about itself)" }
      end
    end
  end
  table.sort(list, function(a, b) return a.name < b.name end)
  return list
end

-- Runs the script as the program runs `orrery reproduce/NAME`.
local function run(name, list)
  local names = {}
  for i, one in ipairs(list) do
    names[i] = one.name
    if one.name == name then
      local rest = table.move(arg, 2, #arg, 1, { [0] = one.path })
      arg = rest -- luacheck: ignore 121
      return assert(loadfile(one.path))(table.unpack(rest))
    end
  end
  local near = orrery.tools.nearest(name, names)
  command.misuse("there is no reproduction '%s'%s", name,
    near and (", did you mean '%s'?"):format(near) or "; `orrery reproduce` lists them")
end

local name = arg[1]
if name and name:sub(1, 1) ~= "-" then return run(name, reproductions()) end
command.run(parser, function()
  local lines = {}
  for i, one in ipairs(reproductions()) do lines[i] = { one.name, one.about } end
  local width = 0
  for _, line in ipairs(lines) do width = math.max(width, #line[1]) end
  for _, line in ipairs(lines) do
    print(line[1] .. (" "):rep(width - #line[1]) .. "  " .. line[2])
  end
end)
