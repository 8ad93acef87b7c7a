-- Mutants: changes one line of the product at a time in a copy of the tree, builds what depends on
-- it, and runs the specs of the file: `make mutants FILES='PATH ...' N=100 SEED=1`.
--
-- A file's spec is the one of the same path (kernel/rigid/queue/queue.c:
-- spec/kernel/rigid/queue/queue_spec.lua); specs_of.lua names others, for files that have none or
-- one of a part. A mutant is killed where one of them fails, or takes ten times as long. What does
-- not compile is no mutant. Nor is a larger reservation of memory (ORI_RESERVE, 1 turned into 2):
-- it changes no result. One whose specs all fail on the unchanged file does not count. Prints a
-- line for each, and at the end how many of them were killed.
-- With AGAIN=FILE, such a print, those that survived are tried again.
local known_specs = require "spec.support.specs_of"
local specs_of, has_mutants = known_specs.file, known_specs.has_mutants

local files_given, count, seed = arg[1], tonumber(arg[2]), tonumber(arg[3])
local again = arg[4] ~= "" and arg[4] or nil -- what this printed earlier: its survivors are tried

local function output(command)
  local pipe = assert(io.popen(command))
  local text = pipe:read "a"
  return text, (pipe:close())
end

local function read(path)
  local file = assert(io.open(path, "rb"))
  local text = file:read "a"
  file:close()
  return text
end

local function write(path, text)
  local file = assert(io.open(path, "wb"))
  assert(file:write(text))
  file:close()
end

-- --- what is changed ----------------------------------------------------------------------------

-- Pairs of a pattern and what stands in its place, by the ending of the file. %f[] keeps operators
-- of several characters whole.
local COMMON = {
  { "<=", "<" }, { ">=", ">" }, { " < ", " <= " }, { " > ", " >= " }, { " == ", " NE " },
  { " %+ ", " - " }, { " %- ", " + " }, { " %* ", " / " }, { "%f[%w_.]0%f[^%w_.]", "1" },
  { "%f[%w_.]1%f[^%w_.]", "2" }, { "%f[%w_.]([2-9]%d?)%f[^%w_.]", "1%1" },
  { "%f[%w_]true%f[^%w_]", "false" }, { "%f[%w_]false%f[^%w_]", "true" },
}
local BRACES = { { " && ", " || " }, { " || ", " && " }, { " != ", " == " },
  { "%f[%w_]if (%b())", "if (!%1)" }, { "^(%s+)[%w_.>-]+%b();$", "%1;" } }
local OF = {
  c = BRACES, js = BRACES,
  lua = { { " ~= ", " == " }, { " and ", " or " }, { " or ", " and " },
    { "%f[%w_]if (.-) then", "if not (%1) then" }, { "^(%s+)[%w_.:]+%b()$", "%1" },
    { "^(%s+return) .+$", "%1 nil" } },
}
local NOT_EQUAL = { c = " != ", js = " !== ", lua = " ~= " }

-- Whether the character at `at` stands in a text or behind the sign of a comment.
local function is_text(line, at)
  local quote
  for i = 1, at - 1 do
    local one = line:sub(i, i)
    if quote then
      if one == quote and line:sub(i - 1, i - 1) ~= "\\" then quote = nil end
    elseif one == '"' or one == "'" or one == "`" then
      quote = one
    elseif line:find("^%-%-", i) or line:find("^//", i) or line:find("^/%*", i) then
      return true
    end
  end
  return quote ~= nil
end

-- All changes of a file: a list of { line number, changed line }.
local function changes_of(path)
  local ending, list, number, inside = path:match "%.(%w+)$", {}, 0, false
  for line in (read(path) .. "\n"):gmatch "(.-)\r?\n" do
    number = number + 1
    inside = inside or line:find "^%s*/%*" or line:find "%[%[" -- a comment or a text over lines
    if not inside and not line:find "^%s*#" and not line:find "^%s*[%-/][%-/]" then
      for _, rules in ipairs { COMMON, OF[ending] } do
        for _, rule in ipairs(rules) do
          local from, to = line:find(rule[1])
          local is_room = rule[2] == "2" and line:find("ORI_RESERVE", 1, true)
          if from and not is_room and not is_text(line, from) then
            local new = line:sub(from, to):gsub(rule[1], (rule[2]:gsub(" NE ", NOT_EQUAL[ending])))
            list[#list + 1] = { number, line:sub(1, from - 1) .. new .. line:sub(to + 1) }
          end
        end
      end
    end
    if inside and (line:find "%*/" or line:find "%]%]") then inside = false end
  end
  return list
end

-- --- running ------------------------------------------------------------------------------------

-- The native modules that a spec requires, also through what it requires of spec/support.
local function natives_of(spec, seen)
  for name in read(spec):gmatch 'require[ (]*"([%w_.]+)"' do
    if name:find "^native_" then
      seen[("build/spec/%s.so"):format(name)] = true
    elseif name:find "^spec%." and not seen[name] then
      seen[name] = true
      natives_of(name:gsub("%.", "/") .. ".lua", seen)
    end
  end
  return seen
end

local scratch = output "mktemp -d /tmp/mutants.XXXXXX":match "%S+"

-- Removes the scratch copy when this process ends, by whatever signal: then its pipe closes. What
-- still builds there may write once more.
local keeper = assert(io.popen(("trap '' INT TERM HUP; cat; until rm -rf '%s'; do sleep 1; "
  .. "done"):format(scratch), "w"))

local function in_scratch(command)
  return output(("cd '%s' && { %s ; } </dev/null >log 2>&1 && echo fine"):format(scratch, command))
    == "fine\n"
end

local function build(specs)
  local targets = { "orrery", "orrery.so", "build/spec/faulty" }
  for _, spec in ipairs(specs) do
    for name in pairs(natives_of(spec, {})) do
      if name:find "%.so$" then targets[#targets + 1] = name end
      if name:find "native_edc" then targets[#targets + 1] = "build/liborrery-edc.so" end
    end
  end
  return in_scratch("env -u MAKEFLAGS -u MAKELEVEL make " .. table.concat(targets, " "))
end

local ENVIRONMENT = ("LANG=C.UTF-8 ORRERY=DIR/orrery ORRERY_BUILD=DIR/build "
  .. "ORRERY_FAULTY=DIR/build/spec/faulty LUA_PATH_5_4='DIR/?.lua;;' "
  .. "LUA_CPATH_5_4='DIR/build/spec/?.so;DIR/?.so;;'"):gsub("DIR", scratch)
local seconds = {} -- of each spec, where nothing is changed; false: it fails there

local function passes(spec, limit)
  return in_scratch(("timeout -k 2 %d env %s lua5.4 $(command -v busted) '%s'"):format(limit,
    ENVIRONMENT, spec))
end

-- The first spec that fails; nil: none.
local function killer(specs)
  for _, spec in ipairs(specs) do
    if seconds[spec] and not passes(spec, 10 * seconds[spec] + 10) then return spec end
  end
end

-- Whether any of the specs passes where nothing is changed.
local function measure(specs)
  local any = false
  for _, spec in ipairs(specs) do
    if seconds[spec] == nil then
      local began = os.time()
      seconds[spec] = passes(spec, 300) and os.time() - began + 1
      if not seconds[spec] then print("left out, it fails as it is: " .. spec) end
    end
    any = any or seconds[spec]
  end
  return any
end

-- The fate of a change: "killed", "SURVIVED" or nil where it does not compile.
local function try(path, change, specs)
  local text, number = read(path), 0
  local changed = (text .. "\n"):gsub("(.-)(\r?\n)", function(line, ending)
    number = number + 1
    return (number == change[1] and change[2] or line) .. ending
  end)
  write(scratch .. "/" .. path, changed:sub(1, -2))
  local fate, by
  if path:find "%.lua$" and not loadfile(scratch .. "/" .. path) then
    fate = nil
  elseif build(specs) then
    by = killer(specs)
    fate = by and "killed" or "SURVIVED"
  end
  write(scratch .. "/" .. path, text)
  return fate, by
end

local function described(path, change)
  return ("%s:%d: %s"):format(path, change[1], change[2]:match "^%s*(.*)$")
end

local function main()
  local all, wanted = {}, {}
  for line in io.lines(again or "/dev/null") do
    wanted[line:match "^SURVIVED (.-)%s*%[[%w_/. -]*%]$" or line] = true
  end
  for path in output("git ls-files " .. files_given):gmatch "[^\n]+" do
    for _, change in ipairs(has_mutants(path) and changes_of(path) or {}) do
      if not again or wanted[described(path, change):match "^(.-)%s*$"] then
        all[#all + 1] = { path, change }
      end
    end
  end
  assert(in_scratch "true" and os.execute(("tar c --format=posix --exclude=./.git "
    .. "--exclude=./results --exclude='./build/*san' --exclude=./build/fuzz --exclude=./build/wasm "
    .. "--exclude=./build/playground . | tar x -C '%s'"):format(scratch)))
  math.randomseed(seed)
  local killed, tried = 0, 0
  while tried < count and #all > 0 do
    local at = math.random(#all)
    local path, change = table.unpack(all[at])
    all[at] = all[#all]
    all[#all] = nil
    local specs = specs_of(path)
    build(specs)
    local fate, by
    if measure(specs) then fate, by = try(path, change, specs) end
    if fate then
      tried, killed = tried + 1, killed + (by and 1 or 0)
      print(("%-8s %s%s"):format(fate, described(path, change),
        by and "" or ("  [%s]"):format(table.concat(specs, " "))))
      io.stdout:flush()
    end
  end
  print(("%d of %d mutants were killed, seed %d"):format(killed, tried, seed))
end

main()
keeper:close() -- waits until the copy is removed
