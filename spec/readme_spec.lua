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

describe("README.md", function()
  local folder, found = nil, blocks("README.md")
  local run = {}

  setup(function()
    folder = program.folder()
    assert(os.execute(("ln -s '%s' '%s/orrery'"):format(program.path, folder)))
  end)

  teardown(function() program.remove(folder) end)

  local function shell(code)
    local command = ("cd '%s' && { %s\n} >output 2>&1"):format(folder, code)
    local ok, _, status = os.execute(command)
    local output = program.read(folder .. "/output")
    assert.is_true(ok, ("status %s of\n%s\n%s"):format(status, code, output))
    assert.is_truthy(output:find("%S"), "prints nothing: " .. code)
  end

  for i, block in ipairs(found) do
    if block.language == "lua" and block.file then
      -- before the commands that name it: blocks run in the order of the text
      it(("block %d writes %s"):format(i, block.file), function()
        program.write(folder, block.file, block.code .. "\n")
        run[#run + 1] = i
      end)
    elseif block.language == "lua" then
      it(("block %d runs"):format(i), function()
        program.write(folder, "block.lua", block.code .. "\n")
        shell("./orrery block.lua")
        run[#run + 1] = i
      end)
    elseif block.language == "sh" and not block.code:match("^make") then
      it(("block %d runs: %s"):format(i, block.code:match("^[^\n]*")), function()
        shell(block.code)
        run[#run + 1] = i
      end)
    end
  end

  it("has blocks of each kind", function() assert.is_true(#run >= 6) end)
end)

describe("policies/README.md", function()
  local found = blocks("policies/README.md")
  local jobs = orrery.synthetic { count = 30, seed = 2 }

  local function simulate(policy)
    local result = orrery.compare {
      jobs = jobs, procs = 4000, runs = 20, errors = { mean_probability = 0.2 },
      policy = policy.dispatch and policy or "dispatch/easy",
      priority = not policy.dispatch and policy or nil,
    }
    assert.is_true(result:summary(1).mean >= 1)
  end

  it("has examples", function() assert.is_true(#found >= 4) end)

  for i, block in ipairs(found) do
    it(("example %d runs"):format(i), function()
      local value = assert(load(block.code))()
      if value[1] then
        for _, discipline in ipairs(value) do simulate { dispatch = discipline } end
      else
        simulate(value)
      end
    end)
  end

  it("tells every field and method of sim and job", function()
    local text = program.read("policies/README.md")
    local function known(probe)
      local ok, problem = pcall(orrery.compare, { jobs = jobs, procs = 4000, policy = probe })
      assert.is_false(ok)
      return problem:match("%(known: (.-)%)")
    end
    local lists = known({ dispatch = function(sim) return sim.nothing end })
      .. ", " .. known({ dispatch = function(sim)
        return sim:waiting()().nothing
      end })
    for name in lists:gmatch("[%w_]+") do
      assert.is_truthy(text:find("`" .. name, 1, true) or text:find("`" .. name .. "`", 1, true),
        name .. " is not documented")
    end
  end)
end)
