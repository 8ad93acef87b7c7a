-- What a fatal report carries, that its command has it again, and what --check says.
local program = require "spec.support.program"
local orrery = require "orrery"

local LOG = { "id,submit,procs,time" }
for i = 1, 40 do LOG[#LOG + 1] = ("j%d,%d,%d,%d"):format(i, i * 7, i % 4 + 1, 50 + i) end
LOG[#LOG + 1] = "late,1200000,2,120" -- on the last day of the second week

-- Each fails somewhere in the middle, by chance.
local FILES = {
  ["log file.csv"] = table.concat(LOG, "\n") .. "\n",
  ["bad.lua"] = [[
return function(options)
  return {
    options = { share = { default = 0.001 } },
    dispatch = function(sim)
      for job in sim:fitting() do sim:start(job) end
      if sim.now > 100 and math.random() < options.share then error "it's over" end
    end,
  }
end
]],
  ["fault.lua"] = [[
return { on_end = function() if math.random() < 0.01 then error "moved out" end end }
]],
  ["pack.lua"] = [[
return { pack = function(problem)
  if math.random() < 0.1 then error "unpacked" end
  return problem:one_by_one()
end }
]],
  ["tasks.csv"] = "id,1,2,3,4\na,9,5,4,3\nb,8,4,3,2.5\nc,7,4,3,2\n",
  ["script.lua"] = [[
orrery.compare {
  jobs = orrery.synthetic { count = 20 }, procs = 3000, runs = 10, seed = 3,
  errors = { mean_probability = 0.1 },
  policy = { name = "mine", dispatch = function(sim) error "by hand" end },
}
]],
}

local folder

local function fill()
  folder = program.folder()
  for name, text in pairs(FILES) do program.write(folder, name, text) end
end

local function clear() program.remove(folder) end

describe("a fatal report", function()
  before_each(fill)
  after_each(clear)

  -- The command fails; its report has these lines, and the command in it has the same report.
  local function again(arguments, message, lines)
    local status, out, err = program.run(folder, arguments)
    assert.same({ 1, "" }, { status, out })
    assert.truthy(err:match("^orrery: [^\n]*" .. message .. "\n"), err)
    local block = err:match "\n  version:.*$"
    for _, line in ipairs(lines) do
      assert.truthy(block:find("\n  " .. line .. "\n", 1, true), line .. " in " .. err)
    end
    assert.truthy(block:match "\n  version:  orrery %d+%.%d+%.%d+\n")
    local command = block:match "\n  command:  ([^\n]*)\n"
    assert.equal(program.path, command:match "^%S*")
    local status_again, out_again, err_again = program.run(folder, command:match "^%S* (.*)$")
    assert.same({ status, out, err }, { status_again, out_again, err_again })
  end

  it("of replay and compare", function()
    again("replay 'log file.csv' --procs 4 --runs 200 --seed 5 --threads 2 --policy ./bad.lua",
      "bad%.lua:6: it's over", { "policy:   ./bad.lua", "scenario: 13, seed 5" })
    again("compare 'log file.csv' --procs 4 --runs 9 --policy easy --policy ./bad.lua --set "
      .. "share=0.05 --priority lpt", "bad%.lua:6: it's over",
      { "policy:   ./bad.lua + lpt", "options:  share=0.05" })
  end)

  it("of one set among several names it", function()
    again("replay 'log file.csv' --procs 4 --by week --policy ./bad.lua --set share=0.1",
      "it's over", { "scenario: 1, seed 1, set 0 (1)" })
  end)

  it("of redistribute, pack, and both together #long", function()
    again("redistribute --n 10 --procs 100 --runs 40 --policy none --policy ./fault.lua",
      "fault%.lua:1: moved out", { "policy:   ./fault.lua" })
    again("pack --tasks tasks.csv --procs 4 --runs 50 --policy pack-by-pack --policy ./pack.lua",
      "pack%.lua:2: unpacked", { "policy:   ./pack.lua" })
    again("redistribute --n 10 --procs 100 --runs 40 --policy none --packs ./pack.lua",
      "pack%.lua:2: unpacked", { "policy:   ./pack.lua" })
    again("redistribute --n 10 --procs 100 --runs 40 --policy ./fault.lua --packs pack-by-pack",
      "fault%.lua:1: moved out", { "policy:   ./fault.lua" })
  end)

  it("of a script has the fields that it gave", function()
    again("script.lua 'an argument'", "script%.lua:4: by hand", {
      "fields:   errors.mean_probability = 0.1, policy.name = \"mine\", procs = 3000, runs = 10, "
      .. "seed = 3", "policy:   mine", "scenario: 1, seed 3", "time:     0 s" })
  end)

  it("is none where a command cannot be understood, or is interrupted", function()
    local _, _, err = program.run(folder, "replay nosuch.csv --procs 4")
    assert.equal("orrery: nosuch.csv: No such file or directory\n", err)
  end)
end)

describe("a job that nodes never let run through", function()
  before_each(fill)
  after_each(clear)

  local arguments = "replay 'log file.csv' --procs 4 --node-mtbf 4 --node-repair 1"

  it("is an error that names it, and what to do", function()
    -- j39 (4 processors for 89 s) begins exp(4 * 89 / 60) = 377 times on average
    local status, out, err = program.run(folder, "replay 'log file.csv' --procs 4 --node-mtbf 60 "
      .. "--node-repair 1 --max-attempts 378")
    assert.same({ 1, "" }, { status, out })
    assert.truthy(err:match("^orrery: job j%d+ %(%d processors? for %d+ s%) has begun 378 times by "
      .. "time [%d.]+, the limit, and failures of nodes end it again and again: it may never run "
      .. "through%. Let nodes fail less often, leave it out, or raise max_attempts\n"), err)
    status = program.run(folder, arguments)
    assert.equal(1, status) -- it has a limit without being asked, too
  end)

  -- j1 takes 2 processors for 51 s; each fails every 4 s.
  it("is refused before it begins where the expected number of attempts is known #long", function()
    local status, out, err = program.run(folder, arguments)
    assert.same({ 1, "" }, { status, out })
    assert.equal(("orrery: job j1 (2 processors for 51 s) begins %.6g times on average until no "
      .. "node fails under it, more than the limit of 100000: let nodes fail less often, let it "
      .. "write checkpoints, leave it out, or raise max_attempts\n"):format(math.exp(2 * 51 / 4)),
      err:match "^[^\n]*\n")
    -- exp(4 * 81 / 200) = 5.053 for j31, the first of more than 5; exp(4 * 89 / 200) = 5.93 for j39
    local function refusal(most)
      local _, _, why = program.run(folder, "replay 'log file.csv' --procs 4 --node-mtbf 200 "
        .. "--max-attempts " .. most)
      return why:match "job (%S+) .* begins (5%.05)%d+ times"
    end
    assert.same({ "j31", "5.05" }, { refusal(5) })
    assert.is_nil(refusal(6))
    assert.equal(0, (program.run(folder, arguments
      .. " --checkpoint 2 --checkpoint-cost 0.1")))
  end)

  -- 2000 jobs on one processor for 100 s, which fails every 40 s: all together begin anew
  -- 2000 (exp(100 / 40) - 1) = 22365 times. 10 times for each job is the limit, or 10 for each of
  -- max_attempts; a domain that fails as often doubles the hazard.
  it("is refused where each job has hope, but all together have none", function()
    local lines = { "id,submit,time,procs" }
    for i = 1, 2000 do lines[i + 1] = ("%d,0,100,1"):format(i) end
    program.write(folder, "many.csv", table.concat(lines, "\n") .. "\n")
    local many = "replay many.csv --procs 1 --max-attempts 2000 --node-mtbf 40"
    local status, out, err = program.run(folder, many)
    assert.same({ 1, "" }, { status, out })
    assert.equal(("orrery: job 1 (1 processors for 100 s) begins %.6g times on average until no "
      .. "node fails under it, all jobs together begin anew %.6g times on average, more than the "
      .. "limit of 20000: let nodes fail less often, let it write checkpoints, leave it out, or "
      .. "raise max_attempts\n"):format(math.exp(2.5), 2000 * (math.exp(2.5) - 1)),
      err:match "^[^\n]*\n")
    assert.equal(0, (program.run(folder, (many:gsub("2000", "4000")))))
    assert.equal(0, (program.run(folder, many .. " --checkpoint 30 --checkpoint-cost 0.1")))
    local _, _, why = program.run(folder, "replay many.csv --procs 1 --max-attempts 2000 "
      .. "--node-mtbf 80 --domains 1:80")
    assert.truthy(why:find(("anew %.6g times"):format(2000 * (math.exp(2.5) - 1)), 1, true), why)
  end)

  -- Of another law nothing is known before: the failures that happen are counted.
  it("ends the run where failures end too many attempts of all jobs", function()
    local list = {}
    for i = 1, 100 do list[i] = { procs = 1, time = 100 } end
    local good, why = pcall(orrery.compare, { jobs = orrery.jobs(list), procs = 1, policy = "easy",
      max_attempts = 100, node_failures = { mtbf = 45, law = "weibull", shape = 1.5 } })
    assert.is_false(good)
    assert.truthy(tostring(why):match("job %d+ %(1 processors for 100 s%) has begun %d+ times by "
      .. "time [%d.]+ %(and failures have ended 1001 attempts of all jobs%), the limit"), why)
  end)
end)

describe("--check", function()
  before_each(fill)
  after_each(clear)

  local function checked(arguments, count)
    local status, out, err = program.run(folder, arguments .. " --check")
    assert.same({ 0, "" }, { status, err })
    local verdict = ("checked: %d schedule%s, every one of them possible"):format(count,
      count == 1 and "" or "s")
    assert.truthy(out:find(verdict, 1, true), out)
    local _, plain = program.run(folder, arguments)
    local function numbers(text) -- without the times that were measured
      return (text:gsub("note: checked: [^\n]*\n", ""):gsub("[%d.]+\n", "\n"))
    end
    assert.equal(numbers(plain), numbers(out)) -- and else the same
  end

  it("counts what it has looked at #long", function()
    local log = "'log file.csv' --procs 4 "
    checked("replay " .. log, 1)
    checked("replay " .. log .. "--runs 20 --q 0.1 --policy easy --policy conservative", 40)
    checked("replay " .. log .. "--by week --runs 4 --threads 2 --node-mtbf 1h --node-repair 5m", 8)
    checked("compare " .. log .. "--runs 3 --policy easy --policy redirect/threshold", 6)
    checked("redistribute --n 10 --procs 100 --runs 3 --mtbf-years 1 --policy none "
      .. "--policy end-local+iterated-greedy", 6)
    checked("pack --tasks tasks.csv --procs 4 --runs 5 --policy random-pack", 5)
  end)
end)
