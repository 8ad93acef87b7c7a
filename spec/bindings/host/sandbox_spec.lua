-- What holds against a policy that wants out: where it runs, what it may take while it is read, and
-- a watchdog that is there. What a call may take is in hostile_spec.
local lfs = require "lfs"
local merge = require "spec.support.merge"
local orrery = require "orrery"
local refuse = require "spec.support.refused"
local program = require "spec.support.program"
local rounds = require "spec.support.rounds"
local temporary = require "spec.support.temporary"

local JOBS, start_all, attempt = refuse.JOBS, refuse.start_all, refuse.attempt
local assert_all_is_well = refuse.assert_all_is_well

-- A policy's file that lasts for one call.
local function with_file(text, use)
  return temporary.file("bad.lua", text, function(path)
    local link = path .. ".lua"
    assert(lfs.link(path, link))
    local results = table.pack(pcall(use, link))
    os.remove(link)
    if not results[1] then error(results[2], 0) end
    return table.unpack(results, 2, results.n)
  end)
end

local function session(fields)
  return function() orrery.session(merge({ jobs = JOBS, procs = 2 }, fields)):finish() end
end

describe("a policy from a file", function()
  local kept = JOBS -- a userdata, which no other state can have
  local function reads_kept() return #kept end
  local expected = { "reads kept, which cannot be copied (3 jobs",
    "runs only in a Lua state of its own" }

  it("never runs in the caller's state, whatever the other part reads", function()
    local file = os.tmpname()
    local code = "return { dispatch = function() sandbox_spec_run('echo out >%s') end }"
    with_file(code:format(file),
      function(path)
        _G.sandbox_spec_run = os.execute
        local ok, problem = pcall(function()
          for _, run_it in ipairs { orrery.session, orrery.compare } do
            attempt(function()
              run_it { jobs = JOBS, procs = 2, policy = path, priority = reads_kept }
            end, { path, table.unpack(expected) })
          end
        end)
        _G.sandbox_spec_run = nil
        assert(ok, problem)
      end)
    assert.equal("", io.open(file):read "a")
    os.remove(file)
  end)

  it("nor as a priority, as a group's, or as half of a redistribution", function()
    local function dispatch(sim) return kept and start_all(sim) end
    attempt(session { policy = { dispatch = dispatch }, priority = "lpt" }, expected)
    attempt(session { policy = { on_submit = reads_kept, dispatch = "easy" } }, expected)
    attempt(session { policy = { dispatch = dispatch, on_start = reads_kept,
      groups = { { name = "all", dispatch = "easy" } } } }, expected)
    attempt(function()
      orrery.session { tasks = { n = 4 }, procs = 40,
        policy = { on_end = "end-local", on_fault = reads_kept } }
    end, expected)
    assert_all_is_well()
  end)
end)

describe("a policy's file", function()
  it("may give a metatable fields behind its use, also by rawset", function()
    with_file([[
      local own = {}
      local metatable = setmetatable({}, own)
      local list = setmetatable({}, metatable)
      metatable.__index = { a = 1 }
      assert(rawset(metatable, "__index", { a = 5 }) == metatable and list.a == 5)
      assert(rawset(own, "__index", { b = 7 }) == own and metatable.b == 7)
      for _, field in ipairs { "__gc", "__mode" } do
        local ok, problem = pcall(rawset, metatable, field, "k")
        assert(not ok and problem:find("a policy cannot set " .. field, 1, true), problem)
      end
      return { dispatch = "easy" }]],
      function(path) session { policy = path }() end)
  end)

  local long = "return { dispatch = function() end } --" .. ("x"):rep(256 << 10)

  it("has at most 256 KiB, or as many as one says", function()
    with_file(long, function(path)
      local expected = path .. " has 262183 bytes, a policy's file may have 262144 (limits.source)"
      attempt(session { policy = path }, expected)
      attempt(function() orrery.describe(path) end, expected)
      local limits = { source = #long }
      attempt(session { policy = path, limits = limits }, "nothing starts at time 100")
      assert.equal("dispatch", orrery.describe(path, limits).kind)
    end)
  end)

  it("is read under the limit of time", function()
    local text = "local x if x then " .. ("elseif x then "):rep(100000) .. "end return {}"
    with_file(text, function(path)
      local before = os.clock()
      attempt(session { policy = path, limits = { seconds = 0.1, source = 1 << 30 } },
        { path, "this call took more than 0.1 s of processor time (limits.seconds)" })
      assert.is_true(os.clock() - before < 20)
    end)
    assert_all_is_well()
  end)

  it("is right in all its pieces", function()
    for size = 1000, 1050 do
      local text = ("return { dispatch = { discipline = 'fcfs' }, --%s\nname = 'whole' }"):format(
        ("x"):rep(size))
      with_file(text, function(path) assert.equal("whole", orrery.describe(path).title) end)
    end
  end)
end)

describe("the watchdog", function()
  local forever = "return { dispatch = function() while true do end end }"

  local function replay(before)
    local folder = program.folder()
    program.write(folder, "log.csv", "id,procs,time\n1,2,10\n")
    program.write(folder, "bad.lua", forever)
    local _, _, err = program.run(folder,
      "replay log.csv --procs 4 --policy bad.lua --limit-seconds 0.1", before)
    program.remove(folder)
    return err
  end

  it("hears its signal where who started the program has kept it back", function()
    local err = replay "env --block-signal=RTMIN+3 timeout --kill-after=1 120"
    assert.matches("this call took more than 0.1 s", refuse.of_processor(err), 1, true)
  end)

  it("is there, or the run is an error", function()
    local err = replay "prlimit --sigpending=0 timeout 120"
    assert.matches("no timer to keep limits.seconds with: ", err, 1, true)
  end)

  it("stops what is called for ever without a call #long", function()
    local function ring()
      local metatable = {}
      metatable.__call = setmetatable({}, metatable)
      metatable.__call()
    end
    local before, kept = os.clock(), JOBS
    local dispatches = { function() while true do pcall(ring) end end,
      function() return kept and ring() end, ring }
    for i = 1, rounds(3, 3, 1) do
      local dispatch = dispatches[i]
      local policy = { name = "bad", dispatch = dispatch }
      collectgarbage() -- a finaliser that is called on the full stack gets no memory, as the ring
      attempt(session { policy = policy, limits = { seconds = 0.1 } },
        { "policy bad: dispatch at time 0: ",
          "this call took more than 0.1 s of processor time (limits.seconds)" })
    end
    assert.is_true(os.clock() - before < 20)
    assert_all_is_well()
  end)
end)

describe("math.random of a policy", function()
  it("is of no use when its session is gone, nor in the hooks of another", function()
    local box = { jobs = JOBS }
    for _ = 1, 8 do
      session { policy = { dispatch = function(sim)
        box.random = math.random
        start_all(sim)
      end } }()
      collectgarbage()
      assert.is_false(pcall(box.random))
      local random, seen = box.random, {}
      box.random = nil
      local other = orrery.session { jobs = JOBS, procs = 2, policy = { dispatch = function(sim)
        seen[1], seen[2] = pcall(box.random)
        return box.jobs and start_all(sim)
      end } }
      box.random = random
      other:finish() -- its host may be where that one was
      other, box.random = nil, nil -- luacheck: ignore
      assert.same({ false, "math.random can be used only inside a hook of the policy" }, seen)
      collectgarbage()
    end
  end)
end)

-- All that a policy may have: this list is the promise.
local BASIC = "assert error getmetatable ipairs next pairs pcall print rawequal rawget rawlen "
  .. "rawset select setmetatable tonumber tostring type xpcall"
local LIBRARIES = {
  math = "abs acos asin atan ceil cos deg exp floor fmod log max min modf rad random sin sqrt tan "
    .. "tointeger type ult",
  string = "byte char find format gmatch gsub len lower match pack packsize rep reverse sub unpack "
    .. "upper",
  table = "concat insert move pack remove sort unpack",
  utf8 = "char codepoint codes len offset",
}

-- Of math, where Lua was built with what earlier versions had.
local OLD = { cosh = true, frexp = true, ldexp = true, log10 = true, pow = true, sinh = true,
  tanh = true }

local function allowed()
  local list = { ["_ENV table"] = true }
  for name in BASIC:gmatch "%w+" do list[("_ENV.%s function"):format(name)] = true end
  for library, names in pairs(LIBRARIES) do
    list[("_ENV.%s table"):format(library)] = true
    for name in names:gmatch "%w+" do
      list[("_ENV.%s.%s function"):format(library, name)] = true
    end
  end
  return list
end

-- Every name that might be one of something: all globals and what is in them.
local function candidates()
  local names, seen = {}, {}
  local function add(t)
    for name, value in next, t do
      if type(name) == "string" and not seen[name] and name:find "^[%a_]%w*$" then
        seen[name], names[#names + 1] = true, name
        if type(value) == "table" and value ~= package.loaded then add(value) end
      end
    end
  end
  add(_G)
  for _, name in ipairs { "_G", "__index", "__metatable", "env", "host" } do add { [name] = 1 } end
  table.sort(names)
  return names
end

-- The code of a policy that looks at all that it can name, and keeps in sim.state what it found.
local WALK = [[
local NAMES, ROOTS, on_found = ...
local found, seen = {}, {}
local function walk(value, path)
  local kind = type(value)
  local is_plain = value == nil or kind == "number" or kind == "string" or kind == "boolean"
  if is_plain or seen[value] then return end
  seen[value] = true
  found[#found + 1] = path .. " " .. kind
  if on_found then on_found(value, path) end
  walk(getmetatable(value), path .. "<metatable>")
  local keys = {}
  for _, name in ipairs(NAMES) do keys[#keys + 1] = name end
  local _, known = pcall(function() return value.no_such_field end)
  for name in tostring(known):gmatch "[%w_]+" do keys[#keys + 1] = name end
  local ok, first = pcall(function() return value[1] end)
  if ok then walk(first, path .. "[1]") end
  for _, name in ipairs(keys) do
    local ok, item = pcall(function() return value[name] end)
    if ok then walk(item, path .. "." .. name) else walk(item, path .. "<error>") end
  end
end
return {
  name = "walker", caches = { "found", "seen" },
  init = function(sim) sim.state.found = "" end,
  dispatch = function(sim)
    walk(_ENV, "_ENV")
    walk(sim, "sim")
    for job in sim:waiting() do walk(job, "job") end
    walk(sim:running(), "running")
    for _, raise in ipairs { error, function() error(sim) end, function() return sim + 1 end,
      function() sim:start(1) end, function() sim.x = 1 end, function() _ENV.x = 1 end,
      function() math.x = 1 end, function() for _ in pairs(sim) do end end } do
      walk(select(2, pcall(raise)), "error")
      walk(select(2, xpcall(raise, function(problem) return { problem } end)), "handled")
    end
    for name, root in pairs(ROOTS) do walk(root, name) end
    sim.state.found = table.concat(found, "\n")
    for job in sim:waiting() do
      if job.procs <= sim.free then sim:start(job) end
    end
  end,
}
]]

local function found_by(policy)
  local run = orrery.session { jobs = JOBS, procs = 2, policy = policy }
  run:finish()
  return run.state.found
end

-- Arguments of hooks have methods, which are functions, and nothing behind them.
local OF_HOOKS = { ["sim userdata"] = true, ["job userdata"] = true, ["sim.state table"] = true,
  ["sim.groups table"] = true, ["running table"] = true, ["handled table"] = true }

local function is_of_hooks(line) return OF_HOOKS[line] or line:find "^sim%.[%w_]+ function$" end

describe("what a policy sees", function()
  it("is the list and nothing else, from a file", function()
    local list, seen = allowed(), {}
    local quoted = {}
    for i, name in ipairs(candidates()) do quoted[i] = ("%q"):format(name) end
    local code = WALK:gsub("NAMES, ROOTS, on_found = %.%.%.",
      function()
        return ("NAMES, ROOTS = {%s}, {}\nlocal on_found"):format(table.concat(quoted, ","))
      end)
    local found = with_file(code, found_by)
    for line in found:gmatch "[^\n]+" do
      seen[line] = true
      local is_old = line:find "^_ENV%.math%.[%w]+ function$" and OLD[line:match "(%w+) function$"]
      assert.is_truthy(list[line] or is_of_hooks(line) or is_old, line)
    end
    for line in pairs(list) do assert.is_truthy(seen[line], "not seen: " .. line) end
  end)

  it("is what the handler of xpcall makes of an error, or what the function returns", function()
    local found = found_by { init = function(sim)
      local list = { xpcall(function(...) return select("#", ...), ... end, error, 7, 8) }
      list[#list + 1] = select("#", xpcall(error, function(m) return m .. "!", 2 end, "x", 0))
      local ok, text = xpcall(error, function(m) return m .. "!", 2 end, "x", 0)
      list[#list + 1], list[#list + 2] = tostring(ok), text
      for i, value in ipairs(list) do list[i] = tostring(value) end
      sim.state.found = table.concat(list, " ")
    end, dispatch = start_all }
    assert.equal("true 2 7 8 3 false x!", found)
  end)

  -- What somebody at the prompt may have at hand, and a policy may not.
  local function roots()
    local object = setmetatable({ run = os.execute, lib = { io.open, io.popen } },
      { __index = os, __call = os.exit })
    local ring = { open = io.open }
    ring.ring, ring[1] = ring, { ring }
    return {
      globals = _G, object = object, ring = ring, dump = string.dump,
      module = orrery, tools = orrery.tools, jobs = JOBS, loader = load, lfs = lfs,
      generator = orrery.random(1),
      made = coroutine.wrap(function() while true do coroutine.yield(os, { io.open }) end end),
      calls = function() return os.execute, _G, debug end, -- luacheck: ignore
    }
  end

  local forbidden = {}
  for _, library in ipairs { os, io, debug, package, coroutine, lfs } do
    forbidden[library] = true
    for _, value in pairs(library) do
      if type(value) == "function" or type(value) == "table" then forbidden[value] = true end
    end
  end
  for _, value in ipairs { _G, load, loadfile, dofile, require, print, collectgarbage, string,
    string.dump, math, table, rawset, setmetatable, orrery, orrery.tools, orrery.read,
    orrery.session } do
    forbidden[value] = true
  end

  -- With all that the language of the spec can see and a policy's cannot: upvalues and metatables.
  -- Functions of the fence itself are looked at from outside alone: no policy can look inside.
  local function look_into(value, path, seen)
    local kind = type(value)
    local is_plain = value == nil or kind == "number" or kind == "string" or kind == "boolean"
    if is_plain or seen[value] then return end
    seen[value] = true
    assert.is_nil(forbidden[value], path)
    local metatable = debug.getmetatable(value)
    local name = metatable and rawget(metatable, "__name")
    if kind == "userdata" then
      assert.is_truthy(name and name:find "^orrery%.", path)
    elseif kind == "function" then
      local about = debug.getinfo(value, "S")
      for i = 1, about.source == "=policy" and math.huge or 0 do
        local variable, upvalue = debug.getupvalue(value, i)
        if not variable then break end
        look_into(upvalue, path .. "^" .. variable, seen)
      end
    else
      assert.equal("table", kind, path)
      for key, item in next, value do
        look_into(key, path .. "{}", seen)
        look_into(item, path .. "." .. tostring(key), seen)
      end
      if metatable and type(rawget(metatable, "__metatable")) ~= "string" then
        look_into(metatable, path .. "<metatable>", seen)
      end
    end
  end

  it("is the same in the caller's state, whatever the policy's variables are", function()
    local list, collected, names = allowed(), {}, candidates()
    local sink = setmetatable({}, { __name = "orrery.spec", __newindex = function(_, path, value)
      collected[#collected + 1] = { path, value }
    end })
    local policy = load(WALK)(names, roots(), function(value, path) sink[path] = value end)
    local found = found_by(policy)
    assert.is_true(#collected > 100)
    for _, one in ipairs(collected) do look_into(one[2], one[1], {}) end
    for _, name in ipairs { "_G", "os", "io", "debug", "package", "require", "load" } do
      assert.is_falsy(found:find("_ENV." .. name .. " ", 1, true), name)
    end
    for line in pairs(list) do assert.is_truthy(found:find(line, 1, true), "not seen: " .. line) end
  end)

  it("is an error where a variable holds something else", function()
    local kept, out, thread = JOBS, io.stdout, coroutine.create(start_all)
    attempt(session { policy = { name = "bad", dispatch = function() return kept and out end } },
      "policy bad reads out, a FILE*, which no policy may have")
    attempt(session { policy = { name = "bad", dispatch = function() return kept and thread end } },
      "policy bad reads thread, a thread, which no policy may have")
    local nested = setmetatable({ log = { out } }, {})
    attempt(session { policy = { name = "bad", dispatch = function() return kept and nested end } },
      "policy bad reads nested.log, a FILE*, which no policy may have")
    local run = os.execute
    attempt(session { policy = { dispatch = function() return kept and run("") end } },
      "a policy cannot use 'run': it is a function of C that is none of Lua's math, string, table")
    assert_all_is_well()
  end)
end)

-- Functions typed at the prompt may hold what the prompt holds: it is theirs to read.
describe("a session or a result that a policy holds", function()
  local held = orrery.session { jobs = JOBS, procs = 2, policy = { dispatch = start_all } }
  held:finish()
  local result = orrery.compare { jobs = JOBS, procs = 2, policy = "easy", runs = 2 }
  local WRITE = {
    write_schedule = function(path) held:write_schedule(path) end,
    gantt = function(path) held:gantt(path) end,
    plot = function(path) held:plot(path) end,
    timeline = function(path) held:plot(path, { kind = "timeline" }) end,
    csv = function(path) result:csv(path) end,
    json = function(path) result:json(path) end,
    report = function(path) result:report(path) end,
    ["result's plot"] = function(path) result:plot(path) end,
  }

  it("writes nothing in a hook, and does again behind it", function()
    local folder = os.tmpname()
    os.remove(folder)
    assert(lfs.mkdir(folder))
    for name, write in pairs(WRITE) do
      local path = folder .. "/out." .. (name == "report" and "html" or "svg")
      attempt(session { policy = { name = "bad", dispatch = function() write(path) end } },
        "policy bad: dispatch at time 0")
      attempt(session { policy = { name = "bad", dispatch = function(sim)
        assert(not pcall(write, path))
        start_all(sim)
        error "done"
      end } }, "done")
      assert.is_nil(lfs.attributes(path), name)
    end
    for name in lfs.dir(folder) do assert.is_truthy(name:find "^%.", name) end
    attempt(session { policy = { name = "bad", dispatch = function() result:csv "out.csv" end } },
      "cannot write out.csv: a policy writes no files and no pictures")
    WRITE.csv(folder .. "/out.csv")
    assert.is_truthy(lfs.attributes(folder .. "/out.csv"))
    os.remove(folder .. "/out.csv")
    assert(lfs.rmdir(folder))
    assert_all_is_well()
  end)

  it("cannot be let go of, nor copied, while its policy runs", function()
    local box = {}
    local function run(use)
      box.session = orrery.session { jobs = JOBS, procs = 2, policy = { name = "bad",
        dispatch = function(sim)
          use(box.session)
          return held and start_all(sim)
        end } }
      box.session:finish()
    end
    attempt(function() run(function(s) s:close() end) end, "has no field 'close'")
    attempt(function() run(function(s) s:fork() end) end,
      "a simulation cannot be copied from inside its own policy")
    assert_all_is_well()
  end)
end)
