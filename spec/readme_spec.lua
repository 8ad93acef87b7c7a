-- Every code block of the READMEs runs.
local orrery = require "orrery"

local program = require "spec.support.program"

-- The fenced blocks of a Markdown file: { language =, file =, code = }.
local function blocks(path)
  local list = {}
  for head, code in ("\n" .. program.read(path)):gmatch("\n```(%l[^\n]*)\n(.-)\n```") do
    list[#list + 1] = {
      language = head:match("^%l+"), file = head:match("file=(%S+)"), code = code,
    }
  end
  return list
end

local function is_script(block)
  return block.code:find('require "orrery"', 1, true) ~= nil
end

-- Those that are policies.
local function lua_blocks(path)
  local list = {}
  for _, block in ipairs(blocks(path)) do
    if block.language == "lua" and not is_script(block) then list[#list + 1] = block end
  end
  return list
end

-- What a file's blocks do, in the order of the text. of_policies: Lua without a file that does not
-- ask for the module is a policy, and tried in another way.
local function describe_blocks(path, least, of_policies)
  local folder, found = nil, blocks(path)
  local run = {}

  setup(function()
    folder = program.folder()
    -- what a user has here: the program, and the files of the project that texts name
    assert(os.execute(("ln -s '%s' '%s/orrery' && ln -s '%s/scripts' '%s/scripts'"):format(
      program.path, folder, program.home, folder)))
  end)

  teardown(function() program.remove(folder) end)

  local function shell(code)
    -- the sanitizers' runtime is for the module in stock Lua, not for gnuplot
    local command = ("cd '%s' && unset LD_PRELOAD && export LC_ALL=C.UTF-8 && { %s\n} >output 2>&1")
      :format(folder, code)
    local ok, _, status = os.execute(command)
    local output = program.read(folder .. "/output")
    assert.is_true(ok, ("status %s of\n%s\n%s"):format(status, code, output))
    assert.is_truthy(output:find("%S"), "prints nothing: " .. code)
    return output
  end

  for i, block in ipairs(found) do
    if block.language == "lua" and block.file then
      -- before the commands that name it: blocks run in the order of the text
      it(("block %d writes %s"):format(i, block.file), function()
        program.write(folder, block.file, block.code .. "\n")
        run[#run + 1] = i
      end)
    elseif block.language == "lua" and not (of_policies and not is_script(block)) then
      it(("block %d runs"):format(i), function()
        program.write(folder, "block.lua", block.code .. "\n")
        shell("./orrery block.lua")
        run[#run + 1] = i
      end)
    elseif block.language == "c" then
      it(("block %d compiles: %s"):format(i, block.file), function()
        program.write(folder, block.file, block.code .. "\n")
        local command = ("env -u LD_PRELOAD cc -std=c11 -Wall -Wextra -Werror -fsyntax-only "
          .. "-Ikernel '%s/%s' 2>&1"):format(folder, block.file)
        local pipe = assert(io.popen(command))
        assert.equal("", pipe:read "a")
        assert.is_true(pipe:close())
      end)
    elseif block.language == "sh" and not block.code:match("^make") then
      it(("block %d runs: %s"):format(i, block.code:match("^[^\n]*")), function()
        local output, shown = shell(block.code), found[i + 1]
        if shown and shown.language == "text" then assert.equal(shown.code .. "\n", output) end
        if shown and shown.language == "picture" then -- what is below it stays
          assert.equal(shown.code:match "[^\n]*$", output:match "([^\n]*)\n$")
        end
        run[#run + 1] = i
      end)
    end
  end

  it("has blocks of each kind", function() assert.is_true(#run >= least) end)
end

describe("README.md", function() describe_blocks("README.md", 6) end)

describe("spec/EMBEDDING.md", function() describe_blocks("spec/EMBEDDING.md", 0) end)

describe("policies/GALLERY.md", function() describe_blocks("policies/GALLERY.md", 4) end)

describe("spec/API.md", function() describe_blocks("spec/API.md", 5) end)

describe("scripts/reproduce/rr9296/README.md", function()
  describe_blocks("scripts/reproduce/rr9296/README.md", 1)
end)

describe("scripts/reproduce/redistribution/README.md", function()
  describe_blocks("scripts/reproduce/redistribution/README.md", 1)
end)

describe("scripts/reproduce/packs/README.md", function()
  describe_blocks("scripts/reproduce/packs/README.md", 1)
end)

describe("scripts/reproduce/failing-packs/README.md", function()
  describe_blocks("scripts/reproduce/failing-packs/README.md", 1)
end)

describe("scripts/reproduce/learned/README.md", function()
  describe_blocks("scripts/reproduce/learned/README.md", 1)
end)

describe("scripts/reproduce/checkpointing/README.md", function()
  describe_blocks("scripts/reproduce/checkpointing/README.md", 1)
end)

describe("scripts/reproduce/policies/README.md", function()
  describe_blocks("scripts/reproduce/policies/README.md", 1)
end)

describe("scripts/examples/README.md", function()
  describe_blocks("scripts/examples/README.md", 4)
end)

describe("scripts/README.md", function() describe_blocks("scripts/README.md", 5) end)

describe("policies/README.md", function()
  describe_blocks("policies/README.md", 20, true)
  local found = lua_blocks("policies/README.md")
  local jobs = orrery.synthetic { count = 30, seed = 2 }

  -- A redistribution policy, whose schedule passes the checker.
  local function redistribute(code)
    local folder = program.folder()
    program.write(folder, "policy.lua", code)
    local session = orrery.session {
      tasks = { n = 8 }, procs = 80, faults = { mtbf_years = 10 }, policy = folder .. "/policy.lua",
    }
    program.remove(folder)
    assert.is_true(session:finish().redistributions > 0)
    assert.is_true(session:check())
  end

  -- A pack policy, whose co-schedule passes the checker.
  local function pack(code)
    local folder = program.folder()
    program.write(folder, "policy.lua", code)
    local result = orrery.packs { tasks = { n = 8 }, procs = 80, k = 3,
      policy = folder .. "/policy.lua" }
    program.remove(folder)
    assert.is_true(result:coschedule():check())
  end

  local function is_for_packs(policy)
    if type(policy) == "function" then policy = policy {} end
    return policy.pack ~= nil
  end

  local function is_for_tasks(policy)
    if type(policy) == "function" then policy = policy {} end
    local for_jobs = policy.dispatch ~= nil or policy.groups ~= nil
    return not for_jobs and (policy.on_end ~= nil or policy.on_fault ~= nil)
  end

  local function simulate(policy)
    local is_policy = type(policy) == "string" or policy.dispatch or policy.groups
    local result = orrery.compare {
      jobs = jobs, procs = 4000, runs = 20, errors = { mean_probability = 0.2 },
      origin = "2019-06-14 07:04", -- for those that read the calendar
      policy = is_policy and policy or "dispatch/easy", priority = not is_policy and policy or nil,
    }
    assert.is_true(result:summary(1).mean >= 1)
  end

  -- One with options, which is a file.
  local function simulate_file(code)
    local folder = program.folder()
    program.write(folder, "policy.lua", code)
    simulate(folder .. "/policy.lua")
    program.remove(folder)
  end

  it("has examples", function() assert.is_true(#found >= 10) end)

  for i, block in ipairs(found) do
    it(("example %d runs"):format(i), function()
      local value = assert(load(block.code))()
      if is_for_packs(value) then
        pack(block.code)
      elseif is_for_tasks(value) then
        redistribute(block.code)
      elseif type(value) == "function" then
        simulate_file(block.code)
      elseif value[1] then
        for _, discipline in ipairs(value) do simulate { dispatch = discipline } end
      else
        simulate(value)
      end
    end)
  end

  -- The policy of the block with this file name.
  local function example(file)
    for _, block in ipairs(found) do
      if block.file == file then return assert(load(block.code))() end
    end
    error("there is no " .. file)
  end

  local log = orrery.read(orrery.home .. "/data/mira/sample-2019-06.csv")

  it("says how EASY is written", function()
    local policies = { "dispatch/easy", example "easy-again.lua" }
    local function same(spec)
      spec.policies = policies
      local result = orrery.compare(spec)
      for _, metric in ipairs { "makespan", "wait_mean", "starts" } do
        assert.same(result:values(1, metric), result:values(2, metric))
      end
    end
    same { jobs = log:day "2019-06-06", batch = true, priority = "lpt", runs = 20,
      errors = { mean_probability = 0.05 } }
    same { jobs = log }
  end)

  it("shows an aging that changes something", function()
    local result = orrery.compare {
      jobs = log,
      policies = { "dispatch/easy",
        { policy = "dispatch/easy", priority = example "aging.lua" } },
    }
    local function hours(i, metric) return result:values(i, metric)[1] / 3600 end
    assert.equal("2.9 2.1 33 60", ("%.1f %.1f %.0f %.0f"):format(hours(1, "wait_mean"),
      hours(2, "wait_mean"), hours(1, "wait_max"), hours(2, "wait_max")))
  end)
end)
