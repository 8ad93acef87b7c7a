-- What holds against a policy that wants out: where it runs, what it may take while it is read, and
-- a watchdog that is there. What a call may take is in hostile_spec.
local lfs = require "lfs"
local orrery = require "orrery"
local refuse = require "spec.support.refused"
local program = require "spec.support.program"
local temporary = require "spec.support.temporary"

local JOBS, start_all, attempt = refuse.JOBS, refuse.start_all, refuse.attempt
local merge, assert_all_is_well = refuse.merge, refuse.assert_all_is_well

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
        { path, "this call took more than 0.1 s (limits.seconds)" })
      assert.is_true(os.clock() - before < 2)
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
    local err = replay "env --block-signal=RTMIN+3 timeout --kill-after=1 10"
    assert.is_truthy(err:find("this call took more than 0.1 s", 1, true), err)
  end)

  it("is there, or the run is an error", function()
    local err = replay "prlimit --sigpending=0 timeout 10"
    assert.is_truthy(err:find("no timer to keep limits.seconds with: ", 1, true), err)
  end)

  it("stops what is called for ever without a call", function()
    local function ring()
      local metatable = {}
      metatable.__call = setmetatable({}, metatable)
      metatable.__call()
    end
    local before, kept = os.clock(), JOBS
    for _, dispatch in ipairs { ring, function() return kept and ring() end,
      function() while true do pcall(ring) end end } do
      local policy = { name = "bad", dispatch = dispatch }
      attempt(session { policy = policy, limits = { seconds = 0.1 } },
        { "policy bad: dispatch at time 0: ", "this call took more than 0.1 s (limits.seconds)" })
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
      session { policy = { dispatch = function(sim) -- whose host may be where that one was
        seen[1], seen[2] = pcall(random)
        return box.jobs and start_all(sim)
      end } }()
      assert.same({ false, "math.random can be used only inside a hook of the policy" }, seen)
      collectgarbage()
    end
  end)
end)
