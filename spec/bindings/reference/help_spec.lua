-- orrery.help: what the reference says, as text.
local orrery = require "orrery"

local program = require "spec.support.program"
local rounds = require "spec.support.rounds"

local help, reference = orrery.help, orrery.tools.reference()

local jobs = orrery.jobs { { procs = 2, time = 10 } }
local problem = orrery.pack_problem { tasks = orrery.tasks.synthetic { n = 4 }, procs = 16 }

-- What a small search found.
local function searched()
  local function runs(seed) return { runs = 5, seed = seed } end
  return orrery.search { policies = { "greedy" }, baselines = { "fcfs" }, training = runs(1),
    validation = runs(2), testing = runs(3), metric = "ratio", evaluations = 5,
    fixed = { jobs = jobs, procs = 4, errors = { mean_probability = 0.3 } } }
end

-- One object of every kind that values outside of policies have.
local OBJECTS = {
  orrery = orrery, ["orrery.tasks"] = orrery.tasks, jobs = jobs,
  tasks = problem.tasks, problem = problem, ["co-schedule"] = problem:one_by_one(),
  allocation = problem:allocation(), partition = problem:partition(problem:one_by_one()),
  description = jobs:describe(),
  result = orrery.compare { jobs = jobs, procs = 4 }, random = orrery.random(1),
  session = orrery.session { jobs = jobs, procs = 4 },
  difference = orrery.diff(orrery.session { jobs = jobs, procs = 4 },
    orrery.session { jobs = jobs, procs = 2 }),
  ["session of tasks"] = orrery.session { tasks = { n = 2 }, procs = 8 }, search = searched(),
}

local function contains(text, part)
  assert.is_truthy(text:find(part, 1, true), ("no '%s' in:\n%s"):format(part, text))
end

describe("help", function()
  it("tells what there is", function()
    local text = help()
    for _, part in ipairs { "orrery.compare(spec)", "session of tasks", "dispatch/easy" } do
      contains(text, part)
    end
  end)

  it("knows objects of every kind", function()
    for _, kind in ipairs(reference.kinds()) do
      local class
      for _, one in ipairs(reference.classes) do class = one.kind == kind and one or class end
      assert.is_truthy(OBJECTS[kind] or class.host, "an object of the kind " .. kind)
    end
    for kind, object in pairs(OBJECTS) do
      assert.equal(kind, reference.kind_of(object))
      local text = help(object)
      for _, member in ipairs(reference.names(kind)) do contains(text, member.written) end
    end
  end)

  it("knows their methods and the functions of the module", function()
    for kind, object in pairs(OBJECTS) do
      for _, member in ipairs(reference.names(kind)) do
        if member.method then
          local text = help(object[member.name])
          assert.equal(1, text:find(member.written, 1, true), kind)
        end
      end
    end
  end)

  it("finds what is named", function()
    contains(help "session:finish", "s:finish()")
    contains(help "orrery.compare", "orrery.compare(spec)")
    contains(help "compare", "orrery.compare(spec)")
    contains(help "compare.runs", "scenarios")
    contains(help "job.procs", "processors")
    contains(help "session:finish", "s:finish() (session of tasks)")
    contains(help "sim:start", "sim:start(job)")
    contains(help "view.now", "the clock (s)")
    contains(help "tasks.synthetic", "orrery.tasks.synthetic([options])")
    contains(help "Policy.on_submit", "function(sim, job)")
    contains(help "policy.on_submit", "when the job has been submitted")
    contains(help "task", "task.held")
    contains(help "write_lp", "CPLEX")
  end)

  it("knows metrics, options of policies and globals of the prompt #long", function()
    contains(help "bsld", "max(flow / max(t, τ), 1)")
    contains(help "wait_p95", "wait, 95th percentile (s)")
    contains(help "walltime", "the time that its user asked for (s)")
    contains(help "packing_ratio", "Σ t·σ / (p · cost)")
    contains(help "theta", "redirect/threshold")
    contains(help "--timezone", "timezone")
    contains(help "again", "runs the last comparison or session once more")
    local names = { "help", "month", "hour", "_" }
    for _, kind in pairs(require "orrery.schema.metrics") do
      for _, name in ipairs(kind.all) do names[#names + 1] = name end
      for _, entry in ipairs(kind.more or {}) do names[#names + 1] = entry[1] end
      for name in pairs(kind.per_job or {}) do names[#names + 1] = name end
    end
    for _, policy in ipairs(orrery.policies()) do
      names[#names + 1] = policy.name
      for name in pairs(policy.options or {}) do names[#names + 1] = name end
    end
    for i = 1, #names, rounds(1, 1, 4) do
      local name = names[i]
      assert.is_nil(help(name):find("Nothing here", 1, true), name)
    end
  end)

  it("has more than one answer where a name has more than one meaning", function()
    local text = help "sim.free"
    contains(text, "free processors of the group\n")
    contains(text, "processors that no task holds under the proposal\n")
  end)

  it("describes every policy", function()
    for _, policy in ipairs(orrery.policies()) do
      local text = help(policy.name)
      contains(text, policy.path)
      for name in pairs(policy.options) do contains(text, "\n    " .. name) end
    end
    contains(help "list", "default 0")
    contains(help "list:reservations=3,reading=head", "dispatch/list: ")
    local text = help "end-local+iterated-greedy"
    contains(text, "redistribute/end-local: ")
    contains(text, "redistribute/iterated-greedy: ")
    contains(help "end-local+nothing-like-it", "Nothing here is called")
  end)

  it("describes a policy's file", function()
    local folder = program.folder()
    program.write(folder, "mine.lua", [[return {
      name = "Mine", about = "Widest first.", priority = function(job) return job.procs end }]])
    contains(help(folder .. "/mine.lua"), "Widest first.")
    program.write(folder, "bad.lua", "return 7")
    contains(help(folder .. "/bad.lua"), "must return a table")
    contains(help(folder .. "/none.lua"), "none.lua")
    program.remove(folder)
  end)

  it("tells what a name may mean that is none", function()
    assert.equal("Nothing here is called 'session:finsh', did you mean 'session:finish'?",
      help "session:finsh")
    contains(help "dispatch/eazy", "did you mean 'dispatch/easy'?")
    contains(help "qqqqqqqqqqqqqq", "help() tells what there is")
  end)

  it("says what it does not know", function()
    contains(help(print, 120), "this is a function")
    contains(help(7, 120), "this is a number")
    contains(help({}, 120), "this is a table")
    contains(help(io.stdout, 120), "this is a userdata")
  end)

  it("keeps to the width #long", function()
    local function fits(width, text)
      -- the folder of this program may be long
      for line in text:gsub("\n  file    /[^\n]*", ""):gmatch "[^\n]+" do
        local whole = line:match "^%s*%S+$" or line:match ": /" -- what cannot be cut
          or line:match "^%s+orrery %l" -- an example of a command
        assert.is_truthy(whole or utf8.len(line) <= width, ("%d: %s"):format(width, line))
      end
    end
    for _, width in ipairs { 60, 80, 120 } do
      for _, thing in ipairs { "compare", "session", "orrery", "list", "sim" } do
        fits(width, help(thing, width))
      end
      fits(width, help(nil, width))
    end
  end)

  it("has no marks of Markdown", function()
    for _, class in ipairs(reference.classes) do
      for _, entry in ipairs(class.entries) do
        local text = reference.on_entry(entry, 80)
        assert.is_nil(text:find("`", 1, true), text)
        assert.is_nil(text:find("](", 1, true), text)
        assert.is_nil(text:find("{fields", 1, true), text)
      end
    end
  end)

  it("describes commands in the program, and starts none of them", function()
    local code = [[-e 'for _, one in ipairs(orrery.tools.commands()) do
      print("= " .. one.name)
      print(orrery.help(one.name))
    end']]
    local status, out, err = program.run(program.home, code)
    assert.equal("", err)
    assert.equal(0, status)
    contains(out, "Simulates the jobs of a log on a machine")
    contains(out, "--own-procs")
    local count = 0
    for name, text in out:gmatch "= (%S+)\n(.-\n)%f[=\0]" do
      count = count + 1
      contains(text, "Show this help message and exit.")
      contains(text, "orrery " .. name)
    end
    assert.is_true(count >= 12, count)
  end)

  it("says of a command of one's own what its first line says", function()
    local folder = program.folder()
    assert(os.execute(("mkdir '%s/scripts'"):format(folder)))
    program.write(folder .. "/scripts", "mine.lua", "-- mine: does things\nprint 'it ran'\n")
    local _, out = program.run(folder, [[-e 'print(orrery.help "mine")']], "ORRERY_PATH=.")
    contains(out, "does things")
    assert.is_nil(out:find("it ran", 1, true))
    program.remove(folder)
  end)
end)
