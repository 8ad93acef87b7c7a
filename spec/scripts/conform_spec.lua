-- orrery conform and the cases of spec/conformance: their schedules are those of the naive
-- schedulers, Orrery keeps every rule, and a scheduler that breaks one is told which.
-- `ORRERY_WRITE=1` writes the schedules anew.
local orrery = require "orrery"
local conformance = require "orrery.command.conformance"
local naive = require "spec.support.naive_conformance"
local program = require "spec.support.program"
local rounds = require "spec.support.rounds"

local SUITE = "spec/conformance"
local INSTANTS = { "ends-first", "submissions-first", "pyss" }
local COMMAND = "lua5.4 spec/support/wrong_easy.lua %s {workload} {procs} {policy} {failures} "
  .. "{maintenance} {out}"

local function jobs_of(case)
  local list = {}
  for i, job in orrery.read(case.workload):each() do
    list[i] = { id = job.id, submit = math.tointeger(job.submit), procs = job.procs,
      runtime = math.tointeger(job.runtime), walltime = math.tointeger(job.walltime) }
  end
  return list
end

local function starts_of(case, policy, fault, instant)
  return naive.run { jobs = jobs_of(case), procs = case.procs, policy = policy, fault = fault,
    instant = instant, failures = case.failures, maintenance = case.maintenance }
end

local function sorted(t)
  local keys = {}
  for key in pairs(t) do keys[#keys + 1] = key end
  table.sort(keys)
  return keys
end

-- What starts.csv of a case has to be. Starts of another rule for instants stand there where they
-- are others.
local function proven(case)
  local lines = { "policy,fault,instant,id,start" }
  local function rows(policy, fault, instant, shown)
    local list = {}
    for i, start in ipairs(starts_of(case, policy, fault, instant)) do
      list[i] = ("%s,%s,%s,%s,%d"):format(policy, fault or "", shown or "", start.id, start.start)
    end
    return list
  end
  local function add(policy, fault)
    local usual = rows(policy, fault)
    table.move(usual, 1, #usual, #lines + 1, lines)
    for _, instant in ipairs(not case.failures and not case.maintenance and INSTANTS or {}) do
      local list, same = rows(policy, fault, instant, instant), rows(policy, fault, instant)
      table.sort(same)
      table.sort(usual)
      if table.concat(same, "\n") ~= table.concat(usual, "\n") then
        table.move(list, 1, #list, #lines + 1, lines)
      end
    end
  end
  for policy in case.policies:gmatch "%S+" do
    add(policy)
    for _, fault in ipairs(not case.failures and not case.maintenance and sorted(naive.faults)
      or {}) do
      if (" " .. naive.faults[fault] .. " "):find(" " .. policy .. " ", 1, true) then
        add(policy, fault)
      end
    end
  end
  return table.concat(lines, "\n") .. "\n"
end

local function run(arguments) return program.run(".", "conform " .. arguments) end

describe("the cases of spec/conformance", function()
  it("have the schedules of the naive schedulers", function()
    for i, case in ipairs(conformance.cases(SUITE)) do
      if i % rounds(1, 1, 10) > 0 then goto continue end
      local path = case.path .. "/starts.csv"
      if os.getenv "ORRERY_WRITE" then
        local file = assert(io.open(path, "wb"))
        file:write(proven(case))
        file:close()
      end
      assert.equal(program.read(path), proven(case), case.name)
      ::continue::
    end
  end)

  it("tell each fault of a policy from the policy and from its other faults #long", function()
    for _, policy in ipairs { "easy", "conservative" } do
      local seen, all = {}, { "none" }
      for _, fault in ipairs(sorted(naive.faults)) do
        if naive.faults[fault]:find(policy, 1, true) then all[#all + 1] = fault end
      end
      for _, fault in ipairs(all) do
        local texts = {}
        for _, case in ipairs(conformance.cases(SUITE)) do
          if (" " .. case.policies .. " "):find((" %s "):format(policy), 1, true)
            and not case.failures and not case.maintenance then
            for _, start in ipairs(starts_of(case, policy, fault ~= "none" and fault or nil)) do
              texts[#texts + 1] = start.id .. ":" .. start.start
            end
          end
        end
        local text = table.concat(texts, " ")
        assert.is_nil(seen[text], fault)
        seen[text] = fault
      end
    end
  end)

  it("are small, and have a rule with a row in the README", function()
    local text = program.read(SUITE .. "/README.md")
    for _, case in ipairs(conformance.cases(SUITE)) do
      assert.is_true(#jobs_of(case) <= 50)
      assert.is_true(text:find("| `" .. case.rule .. "` |", 1, true) ~= nil, case.rule)
      if case.fault then
        assert.is_string(naive.faults[case.fault])
        assert.is_true(text:find("`" .. case.fault .. "`", 1, true) ~= nil, case.fault)
      end
    end
  end)
end)

describe("the naive schedulers", function()
  it("give the five jobs of the promise what conservative backfilling has to give", function()
    local case = conformance.cases(SUITE, { "promises" })[1]
    local starts = {}
    for _, start in ipairs(starts_of(case, "conservative")) do starts[start.id] = start.start end
    assert.equal(4, starts["4"])
  end)

  it("start all jobs as Orrery does, on random workloads", function()
    local rng = orrery.random(17)
    for _ = 1, rounds(600, nil, 20) do
      local procs, list, t = rng:integer(1, 8), {}, 0
      for i = 1, rng:integer(2, 14) do
        local runtime = rng:integer(1, 20)
        list[i] = { id = tostring(i), submit = t, procs = rng:integer(1, procs), runtime = runtime,
          walltime = math.max(1, runtime + rng:integer(-3, 20)) }
        t = t + rng:integer(0, 6)
      end
      local instant = rng:integer(0, 3) > 0 and INSTANTS[rng:integer(1, 3)] or nil
      for _, policy in ipairs { "fcfs", "easy", "easy-sjbf", "list:2", "list:4", "conservative" } do
        local expected = {}
        for _, start in ipairs(naive.run { jobs = list, procs = procs, policy = policy,
          instant = instant }) do
          expected[start.id] = start.start
        end
        local m = policy:match "^list:(%d)"
        local session = orrery.session { jobs = orrery.jobs(list), procs = procs, walltimes = "log",
          instant = instant, policy = m and "dispatch/list:reservations=" .. m or "dispatch/"
            .. policy:gsub("sjbf", "sjf") }
        session:finish()
        for i = 1, #list do
          assert.equal(expected[list[i].id], session:job(i).start,
            policy .. " " .. (instant or "batched"))
        end
      end
    end
  end)
end)

describe("orrery conform", function()
  it("finds that Orrery keeps every rule", function()
    local status, out, err = run ""
    assert.same({ 0, "" }, { status, err })
    assert.matches("\n\n%d+ kept, 0 broken, 0 not there\n$", out)
    assert.matches("\nmix%-ties +all +conservative +ok\n", out)
  end)

  it("finds the same of a simulator that is run by a command #long", function()
    local status, out, err = run(('--command "%s"'):format(COMMAND:format "none"))
    assert.same({ 0, "" }, { status, err })
    assert.matches("\n\n%d+ kept, 0 broken, 0 not there\n$", out)
  end)

  -- The fault is counted in its own case; what follows from it breaks no further rule.
  for _, row in ipairs { { "no-reservation", "reservation" }, { "real-runtimes", "walltimes" },
    { "no-extra", "extra" }, { "extra-kept", "extra-once" }, { "sorted-by-limit", "ends" },
    { "made-anew", "promises" }, { "real-runtimes@pyss", "walltimes" },
    { "no-extra@ends-first", "extra" }, { "extra-kept@submissions-first", "extra-once" } } do
    local fault, rule = row[1], row[2]
    local long = fault == "no-reservation" and "" or " #long"
    it("names the rule that a policy with " .. fault .. " breaks" .. long, function()
      local status, out, err = run(('--command "%s" --policy easy --policy conservative'):format(
        COMMAND:format(fault)))
      assert.equal(1, status)
      assert.matches("^orrery: [12] of %d+ schedules break a rule\n$", err)
      local broken = {}
      for name in out:gmatch "\n(%S+) is broken: " do broken[#broken + 1] = name end
      assert.same({ rule }, broken)
      local line = ("breaks the rule %s (%s)\n"):format(rule, (fault:gsub("@.*", "")))
      assert.is_true(out:find(line, 1, true) ~= nil, out)
    end)
  end

  it("names two faults at once #long", function()
    local status, out, err = run(('--command "%s" --policy conservative'):format(
      COMMAND:format "made-anew+real-runtimes"))
    assert.same({ 1, "orrery: 2 of 18 schedules break a rule\n" }, { status, err })
    assert.matches("breaks the rules promises and walltimes %(made%-anew, real%-runtimes%)\n", out)
  end)

  for _, instant in ipairs(INSTANTS) do
    it("finds no fault in a simulator that decides " .. instant .. " #long", function()
      local status, out, err = run(('--command "%s"'):format(COMMAND:format("none@" .. instant)))
      assert.same({ 0, "" }, { status, err })
      assert.matches("easy%-sjbf: all %d+ schedules keep the rules, with another convention for "
        .. "what happens at one instant %(%-%-instant " .. instant:gsub("%-", "%%-") .. "%)\n", out)
      assert.matches("\n\n%d+ kept, 0 broken, %d+ not there\n$", out)
    end)
  end

  it("ends a command that does not end", function()
    local status, out = run "--case queue --policy fcfs --timeout 0.2 --command 'sleep 60'"
    assert.equal(1, status)
    assert.matches("fcfs: the command does not end within 0.2 s\n", out)
  end)

  it("names the job that starts at another time", function()
    local status, out = run(('--case reservation --policy easy --command "%s"'):format(
      COMMAND:format "no-reservation"))
    assert.equal(1, status)
    assert.matches("  reservation, easy: job 3 starts at 2, not at 10\n", out, 1, true)
  end)

  -- The words get quotes of their own: within quotes an empty one would be the argument ''.
  it("calls an adapter as its head says, with one empty argument where no node is away", function()
    for path in io.popen("ls spec/conformance/adapters/*"):lines() do
      local name = path:match "[^/]+$"
      local words = program.read(path):match("adapters/" .. name:gsub("%p", "%%%0") .. " ([^']*)'")
      assert.is_truthy(words, name)
      local status, out = run(("--case queue --policy fcfs --command '%s'"):format(
        'f() { test -z "$4" && exit $#; }; f ' .. words))
      assert.equal(1, status)
      assert.is_true(out:find("the command ended with exit 5", 1, true) ~= nil, name .. out)
    end
  end)

  it("says what a command did not do #long", function()
    local function broken(line, message)
      local status, out = run(("--case queue --command \"%s\""):format(line))
      assert.equal(1, status)
      assert.is_true(out:find(message, 1, true) ~= nil, out)
    end
    broken("exit 3", "the command ended with exit 3\n")
    broken("echo on the way; echo no memory >&2; exit 3",
      "the command ended with exit 3: no memory\n")
    broken("true", "the command wrote no starts")
    broken("echo id,begin >{out}; echo 1,2 >>{out}", "row 2 has no id (job_id) or no start")
    broken("echo id,start >{out}; echo 1,0 >>{out}", "job 2 starts never, not at 10")
    broken("head -c 0 {swf} && cp {swf} /dev/null && exit 5", "the command ended with exit 5")
    assert.equal(0, (run "--case queue --command 'exit 77'"))
    local not_there, out, said = run "--command /nowhere/simulator"
    assert.same({ 1, "" }, { not_there, out })
    assert.is_true(said:find("orrery: --command cannot be run: sh says 127, not found, for: "
      .. "/nowhere/simulator\n", 1, true) ~= nil, said)
    local status, _, err = run "--case none"
    assert.same({ 2, "orrery: there is no case 'none' in " .. program.home
      .. "/spec/conformance\n" }, { status, err })
  end)
end)
