-- Files that somebody planted where a command runs: none is taken for a module.
local program = require "spec.support.program"
local rounds = require "spec.support.rounds"

-- All names that files of the tree require.
local function required()
  local names, seen = {}, {}
  local pipe = assert(io.popen("grep -rhoE --include='*.lua' "
    .. [['require *\(?"[A-Za-z0-9_.]+"' bindings scripts policies]]))
  for line in pipe:lines() do
    local name = line:match '"([^"]+)"'
    if not seen[name] then seen[name], names[#names + 1] = true, name end
  end
  pipe:close()
  return names
end

local PLANTED = [[io.stderr:write("PLANTED ", (...), "\n")]]

local function plant(folder)
  local paths, parents = {}, {}
  for i, name in ipairs(required()) do
    paths[i] = name:gsub("%.", "/")
    parents[#parents + 1] = paths[i]:match "^(.*)/"
  end
  assert(os.execute(("cd '%s' && mkdir -p %s"):format(folder, table.concat(parents, " "))))
  for _, path in ipairs(paths) do program.write(folder, path .. ".lua", PLANTED) end
end

-- Starts a command as where no path is set.
local OWN = "env -u LUA_PATH_5_4 -u LUA_CPATH_5_4"

local LOG = "id,submit,procs,time\n1,0,1,5\n2,0,2,9\n"

describe("a planted module", function()
  local folder

  before_each(function()
    folder = program.folder()
    plant(folder)
    program.write(folder, "log.csv", LOG)
    program.write(folder, "p.lua", "return { dispatch = 'fcfs' }")
    program.write(folder, "t.csv", "id,1,2,3,4\na,9,5,4,3\nb,8,4,3,2.5\n")
    program.write(folder, "commands.txt", "orrery replay log.csv --procs 2 --csv o.csv\n")
  end)
  after_each(function() program.remove(folder) end)

  local function run(arguments, status)
    local found, out, err = program.run(folder, arguments, nil, OWN)
    assert.not_matches("PLANTED", out .. err, arguments)
    assert.equal(status or 0, found, arguments .. ": " .. err)
  end

  it("is one of many names", function() assert.is_true(#required() > 150, #required()) end)

  it("does not run where it lies in the current folder, by any command #long", function()
    local commands = {}
    for name in program.listing(program.home .. "/scripts"):gmatch "([%w-]+)%.lua" do
      commands[#commands + 1] = name
    end
    assert.is_true(#commands > 15)
    for _, name in ipairs(commands) do run(name .. " --help") end
    for _, arguments in ipairs { "help", "policies", "log log.csv",
      "replay log.csv --procs 2 --policy ./p.lua", "check ./p.lua" .. rounds("", "", " --only 1"),
      "replay log.csv --procs 2 --policy ./p.lua --untrusted",
      "compare log.csv --procs 2 --policy easy --policy fcfs", "redistribute --n 3 --procs 12",
      "pack --tasks t.csv --procs 4", "generate synthetic -o g.csv", "-e 'print(1)'" } do
      run(arguments)
    end
  end)

  it("does not run where it lies in an artifact #long", function()
    run "artifact make commands.txt -o ./made"
    plant(folder .. "/made/inputs")
    local status, _, err = program.run(folder, "artifact verify made",
      "LUA_PATH_5_4='./?.lua;;' LUA_PATH='./?.lua;;'")
    assert.matches("PLANTED", err) -- the user's own LUA_PATH names the current folder
    assert.is_truthy(status)
    local _, out, said = program.run(folder, "artifact verify made", nil, OWN)
    assert.not_matches("PLANTED", out .. said)
  end)

  -- The folder where they lie is named on purpose.
  it("is found by LUA_PATH, which is the user's word, and by an interpreter of his own", function()
    os.execute(("cd '%s' && mkdir there && echo 'return 7' >there/mine.lua"):format(folder))
    local path = ("LUA_PATH_5_4='%s/there/?.lua;;'"):format(folder)
    assert.same({ 0, "7\n", "" }, { program.run(folder, "-e 'print((require \"mine\"))'",
      path, "env -u LUA_CPATH_5_4") })
    -- `;;` stands for the absolute folders only
    local _, out = program.run(folder, "-e 'print(package.path .. package.cpath)'", path,
      "env -u LUA_CPATH_5_4")
    assert.is_nil(out:find(";./", 1, true), out)
    assert.is_nil(out:find("^%./"), out)
    if os.getenv "LD_PRELOAD" then return end -- of a sanitizer, which this interpreter is without
    local pipe = assert(io.popen(("cd / && unset LD_PRELOAD && LUA_CPATH_5_4='%s/?.so;;' lua5.4 "
      .. "-e 'local was = package.path; require \"orrery\"; print(package.path == was)'"):format(
      (program.path:gsub("/[^/]*$", "")))))
    local same = pipe:read "a"
    pipe:close()
    assert.equal("true\n", same)
  end)

  it("is found beside a script of the user's, behind all others", function()
    program.write(folder, "mine.lua", "return { answer = 42 }")
    program.write(folder, "s.lua", 'require "lfs" print(require("mine").answer)')
    assert.same({ 0, "42\n", "" }, { program.run("/", folder .. "/s.lua", nil, OWN) })
  end)
end)
