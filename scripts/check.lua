-- check: tries a policy on random workloads: finds its errors and measures its costs
--
--   orrery check mine.lua
--   orrery check mine.lua --set share=0.2 --runs 500 --seed 7
--   orrery check mine.lua --only 17
local argparse = require "argparse"
local command = require "orrery.command.command"
local costs = require "orrery.command.check.costs"
local equivalents = require "orrery.command.check.equivalents"
local options = require "orrery.command.options"
local orrery = require "orrery"
local output = require "orrery.command.output"
local progress = require "orrery.command.progress"
local report = require "orrery.command.check.report"
local trials = require "orrery.command.check.trials"
local untrusted = require "orrery.command.untrusted"
local workloads = require "orrery.command.check.workloads"
local policy_kinds = require "orrery.schema.policy_kinds"
local quote = require("orrery").tools.quote

-- --- options ------------------------------------------------------------------------------------

local parser = argparse("orrery check", "Tries a policy of any kind on random workloads. Every "
  .. "schedule passes an independent checker; every run is made again: by steps, with a fork on "
  .. "the way, after other runs, on 1 and 2 threads, so that a policy shows what it keeps outside "
  .. "of its state. Then it says what calls cost. Exit status 1 if anything is wrong. Everything "
  .. "runs in a process that can do nothing else, as with --untrusted; where the system has no "
  .. "filter on system calls, check says so and goes on without.")
parser:argument("policy", "The policy: a file, or a name."):argname "POLICY"

options.add(parser, {
  { title = "What is tried",
    { "--runs N", "Workloads (default: 100).", kind = "integer", least = 1, most = 1000000 },
    "runs.JobsSpec: seed",
    { "--only N", "Only the workload with this number, with the whole message and traceback.",
      kind = "integer", least = 1, most = 1000000 },
    { "--procs P", "Processors of the machine (default: 8 to 1024, of tasks as many as they need "
      .. "and more).", kind = "integer", least = 1, most = 1000000 },
    { "--widest F", "Widest job, as a share of the machine (default: 1), for policies that divide "
      .. "it.", kind = "above 0, up to 1" },
    options.SET, "runs.Limits" },
  { title = "Policies by somebody else", table.unpack(untrusted.OPTIONS) },
  { title = "Output", options.TABLE, output.QUIET },
})
options.once(parser)

-- --- the policy ---------------------------------------------------------------------------------

local function check_options(description, set)
  local names = orrery.tools.sorted(description.options or {})
  for name in pairs(set) do
    if not (description.options or {})[name] then
      command.misuse("--set %s: it has no such option%s", name,
        names[1] and (" (known: %s)"):format(table.concat(names, ", ")) or "")
    end
  end
end

-- The options that the command that repeats a problem also needs.
local NAMED = { "procs", "widest", "limit_seconds", "limit_memory", "limit_instructions",
  "limit_source" }

-- The words of the command that repeats a problem, without the seed.
local function words(given)
  local list = { quote(given.policy) }
  for _, one in ipairs(given.assigned) do
    list[#list + 1] = "--set " .. quote(one.name .. "=" .. one.value)
  end
  for _, name in ipairs(NAMED) do
    if given.named[name] then
      list[#list + 1] = ("--%s %s"):format(name:gsub("_", "-"), tostring(given.named[name]))
    end
  end
  return table.concat(list, " ")
end

local function limits_of(given)
  return { seconds = given.limit_seconds or 5, memory = (given.limit_memory or 256) << 20,
    instructions = given.limit_instructions,
    source = given.limit_source and given.limit_source << 10 }
end

-- A value that an option does not take is no fault of the policy.
local function check_values(fields, given)
  if not next(given.set) then return end
  local workload = workloads.make(given, 1)
  local run = given.of == "packs" and orrery.packs or orrery.session
  local ok, problem = orrery.tools.attempt(run, trials.fields({ fields = fields }, workload.spec))
  if not ok and problem.code == "input" then
    command.misuse("--set: %s", trials.first_line(problem.message))
  end
end

-- The subject of the check: kind, of (see schema/policy_kinds.lua), fields (of compare and
-- session), description.
local function subject_of(given)
  local description = orrery.describe(given.policy, limits_of(given))
  check_options(description, given.set)
  local fields = { options = given.set, limits = limits_of(given), policy = given.policy }
  local kind = policy_kinds.by_name[description.kind]
  if kind.under then fields.policy, fields.priority = kind.under, given.policy end
  given.of = kind.of
  check_values(fields, given)
  return { given = given.policy, path = description.path, kind = description.kind, of = given.of,
    description = description, fields = fields, command = words(given) }
end

-- --- trying -------------------------------------------------------------------------------------

local Check = {}
Check.__index = Check

function Check:note(workload, property, problem, code, together)
  local list = self.found[property] or { count = 0 }
  self.found[property] = list
  list.count = list.count + 1
  list[#list + 1] = { workload = workload, problem = problem, code = code,
    together = together }
end

function Check:is_for_jobs() return self.subject.of == "jobs" end

-- Tries one workload, and keeps its results for the comparison with others of its kind.
function Check:try(number)
  local subject, workload = self.subject, workloads.make(self.given, number)
  local bad = {}
  local seen, tried = trials.run(subject, workload, function(property, problem, whole, code)
    bad[property] = true
    if code == "limit" then self.timeouts = self.timeouts + 1 end
    self:note(workload, property, self.given.only and tostring(whole) or problem, code)
  end)
  for name in pairs(tried) do self.tried[name] = (self.tried[name] or 0) + 1 end
  self.list[#self.list + 1] = { workload = workload, seen = seen, bad = next(bad) ~= nil }
end

-- Tries all workloads of one kind together, if each one alone had no error.
function Check:try_kinds()
  if not self:is_for_jobs() then return end
  local kinds, names = {}, {}
  for _, one in ipairs(self.list) do
    local name = one.workload.kind
    if not kinds[name] then kinds[name], names[#names + 1] = {}, name end
    table.insert(kinds[name], one)
    kinds[name].bad = kinds[name].bad or one.bad
  end
  for _, name in ipairs(names) do
    if not kinds[name].bad and #kinds[name] > 1 then
      trials.in_other_order(self.subject, kinds[name], function(workload, property, problem)
        self:note(workload, property, problem, nil, true)
      end)
    end
  end
end

local MOST_TIMEOUTS = 2 -- each takes limits.seconds

-- Tries the workloads, up to MOST_TIMEOUTS timeouts: a user does not wait for a hundred of them.
function Check:try_all()
  local given = self.given
  progress.during("workloads", function(show)
    local last = given.only or given.runs
    for number = given.only or 1, last do
      self:try(number)
      if show then show(number, last) end
      if self.timeouts >= MOST_TIMEOUTS then
        self.stopped_at = number < last and number or nil
        break
      end
    end
  end)
  if not given.only and self.timeouts == 0 then self:try_kinds() end
end

-- --- looking ------------------------------------------------------------------------------------

-- The workloads that went well, of each kind at most so many.
function Check:good_ones(most)
  local list, counts = {}, {}
  for _, one in ipairs(self.list) do
    local kind = one.workload.kind
    if one.seen and (counts[kind] or 0) < most then
      counts[kind] = (counts[kind] or 0) + 1
      list[#list + 1] = one.workload
    end
  end
  return list
end

local SLOW = 0.1 -- of the limit

-- Tries a long queue; an error there is a property that does not hold.
function Check:try_crowd(remarks)
  local limit = self.subject.fields.limits.seconds
  local ok, list = orrery.tools.attempt(costs.growth, self.subject, self.given)
  self.tried.crowded = 1
  if not ok then
    self:note({ title = "400 jobs at once" }, "crowded", trials.first_line(list.message),
      list.code, true)
    return
  end
  for _, one in ipairs(list) do
    if one.seconds > SLOW * limit then
      remarks[#remarks + 1] = ("The longest call of %s grows with the number n of waiting jobs, "
        .. "about as n^%.1f: with %d of them it would take some %.2g s, and the limit is %g s.")
        :format(one.hook, one.power, one.jobs, one.seconds, limit)
    end
  end
end

local function remark_hooks(said, list, remarks)
  local called = {}
  for _, one in ipairs(list) do called[one.hook] = true end
  local names = { table.unpack(said.hooks or {}) }
  for _, name in ipairs { "on_end", "on_fault", "on_start", "period" } do
    if said[name] then names[#names + 1] = name end
  end
  for _, name in ipairs(names) do
    if not called[name] then
      remarks[#remarks + 1] = ("%s was never called."):format(name)
    end
  end
end

local function remark_slow(list, limits, remarks)
  for _, one in ipairs(list) do
    if one.longest > SLOW * limits.seconds then
      remarks[#remarks + 1] = ("A call of %s took %.2g s of the %g s that one may take, and these "
        .. "workloads are small."):format(one.hook, one.longest, limits.seconds)
    end
  end
end

local function remark_twins(subject, list, remarks)
  local names = equivalents.find(subject, list)
  if #names == 0 then return end
  local count = #names
  if count > 3 then
    names = { names[1], names[2], ("%d others"):format(count - 2) }
  end
  local last = table.remove(names)
  local text = names[1] and table.concat(names, ", ") .. " and " .. last or last
  remarks[#remarks + 1] = ("It does nothing here that is not shipped: on all %d workloads its "
    .. "%s are exactly those of %s."):format(#list, subject.of == "packs" and "packs"
    or "schedules", text)
end

-- Measures costs and adds remarks, after the trials.
function Check:look()
  local remarks = self.remarks
  local subject, list = self.subject, self:good_ones(2)
  if #list == 0 or self.timeouts > 0 then return end
  local calls = costs.of_calls(subject, list)
  self.calls = calls
  local is_fast = self:is_for_jobs() and not self.found.crowded
  report.costs(calls, is_fast and costs.speed(subject, self.given) or nil)
  report.limits(calls, subject.fields.limits)
  remark_hooks(subject.description, calls, remarks)
  remark_slow(calls, subject.fields.limits, remarks)
  if not self.found.served then remark_twins(subject, self:good_ones(math.huge), remarks) end
  report.remarks(remarks)
end

-- --- all ----------------------------------------------------------------------------------------

local function completed(given)
  given.named = {}
  for _, name in ipairs(NAMED) do given.named[name] = given[name] end
  given.assigned, given.set = given.set, options.assignments(given.set)
  given.runs, given.seed, given.widest = given.runs or 100, given.seed or 1, given.widest or 1
  return given
end

local function run_all(given)
  local subject = subject_of(completed(given))
  local check = setmetatable({ subject = subject, given = given, found = {}, tried = {},
    list = {}, remarks = {}, timeouts = 0 }, Check)
  report.head(subject, given, workloads.kinds[subject.of])
  check:try_all()
  if check:is_for_jobs() and not given.only and not (check.found.served or check.found.kept) then
    check:try_crowd(check.remarks)
  end
  report.properties(subject, given, check.found, check.tried)
  if check.stopped_at then
    print(("Stopped after workload %d: calls that take too long take their time."):format(
      check.stopped_at))
  end
  if not given.only then check:look() end
  local broken = 0
  for _ in pairs(check.found) do broken = broken + 1 end
  if broken == 0 then print(("%s: nothing wrong found"):format(given.policy)) end
  output.write(given, { json = function(path) output.json(path, report.plain(check)) end })
  return broken
end

return command.new(parser, function(given)
  output.check(given)
  local broken = untrusted.run(given, { writes = output.paths(given), else_note = function(why)
    print(("note: %s; the policy runs behind its sandbox alone"):format(why))
  end }, function() return run_all(given) end)
  broken = math.tointeger(tonumber(broken)) -- a text, from another process
  if broken == 0 then return end
  command.fail("%s: %s", given.policy, broken == 1 and "one property does not hold"
    or ("%d properties do not hold"):format(broken))
end)
