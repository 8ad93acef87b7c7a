-- jobs: orrery.compare for rigid jobs.
local checks = require "orrery.support.checks"
local core = require "orrery.core"
local jobs_options = require "orrery.run.jobs_options"
local names = require "orrery.support.names"
local policies = require "orrery.host.policies"
local policy_list = require "orrery.run.policy_list"
local registry = require "orrery.values.metrics"
local results = require "orrery.run.results"
local sets_of = require "orrery.run.sets"

local walltimes = jobs_options.walltimes

local refuse = checks.refuse

local jobs = {}

-- --- policies -----------------------------------------------------------------------------------

-- The fields of a run that leave it plain: it has only jobs and their failures, no job may be over
-- in less than 2 s, and the processors are always there.
jobs.PLAIN = {
  batch = true, by = true, check = true, clairvoyant = true, cooldown = true, dependencies = true,
  equal_procs = true, errors = true, failures = true, grace = true, instant = true, jobs = true,
  keep = true, limits = true, load = true, max_attempts = true, metric = true, metrics = true,
  options = true, origin = true, overrun = true, plain = true, policies = true, policy = true,
  precision = true, priority = true, procs = true, progress = true, quantiles = true, runs = true,
  seed = true, set = true, sets = true, summaries = true, tau = true, threads = true,
  timezone = true, walltimes = true, warmup = true,
}

-- Whether a run is plain: a policy may know it to take a shorter way to the same decisions.
local function is_plain(spec, sets)
  for name in pairs(spec) do
    if not jobs.PLAIN[name] then return false end
  end
  for _, set in ipairs(sets) do
    if select(2, core.known_walltimes(set.jobs)) < 2 then return false end
  end
  return (spec.instant or "batched") == "batched" and type(spec.walltimes) ~= "function"
end

local function prepare_policies(list, spec, procs, sets, used)
  local plain = is_plain(spec, sets)
  return policy_list.prepare(list, spec.options or {}, function(policy, options, taken)
    return policies.prepare(policy, spec.priority, options, taken, spec.limits, procs,
      spec.machine and spec.machine.nodes ~= nil, plain)
  end, used)
end

-- The names of the policies, and which of them only repeats what the log says.
local function named(prepared)
  local list = policy_list.named(prepared)
  for i, policy in ipairs(prepared) do
    local name = policy.description.dispatch.name
    list[i].recorded = name == "recorded" or name == "dispatch/recorded" or nil
  end
  return list
end

-- Adds after every policy the same policy with knowledge of the runtimes (clairvoyant).
local function add_clairvoyant(list, spec, procs, sets, prepared, notes)
  if not spec.clairvoyant then return prepared end
  local all = {}
  for i, policy in ipairs(prepare_policies(list, spec, procs, sets)) do
    policy.policy_name, policy.clairvoyant = policy.policy_name .. " (clairvoyant)", true
    all[2 * i - 1], all[2 * i] = prepared[i], policy
  end
  notes[#notes + 1] = "(clairvoyant): the same policy, where it knows how long each job takes"
  return all
end

-- A comparison is fair if all policies have the same number of processors. A policy with fewer
-- extra processors than another one gets the difference, in its first group.
local function even_processors(spec, prepared, machine, notes)
  local most, who = 0, nil
  for _, policy in ipairs(prepared) do
    if policy.extra > most then most, who = policy.extra, policy.policy_name end
    if policy.extra > 0 then
      refuse(spec.machine and spec.machine.nodes, "policy %s adds processors, which is not there "
        .. "on a machine of nodes (--machine)", policy.policy_name)
      notes[#notes + 1] = ("policy %s has %d processors on top of the machine's %d"):format(
        policy.policy_name, policy.extra, machine)
    end
  end
  if spec.equal_procs == false then return end
  for _, policy in ipairs(prepared) do
    if policy.extra < most then
      notes[#notes + 1] = ("policy %s gets %d more processors, as %s has them"):format(
        policy.policy_name, most - policy.extra, who)
      policies.add_processors(policy, most - policy.extra)
    end
  end
end

-- The smallest number of processors that a policy has, with its extra processors.
local function least_processors(prepared)
  local least = math.huge
  for _, policy in ipairs(prepared) do least = math.min(least, policy.procs) end
  return math.tointeger(least)
end

-- --- remarks ------------------------------------------------------------------------------------

-- Adds the remarks of a log's reader; sets are usually selections of one log.
local function note_log(spec, sets, notes)
  local repeated, id, columns, remarks, odd, dependency = core.log_remarks(sets[1].jobs,
    spec.machine ~= nil and spec.machine.partitions ~= nil)
  for _, sentence in ipairs(remarks) do notes[#notes + 1] = sentence end
  notes[#notes + 1] = remarks.asked
  notes[#notes + 1] = remarks.remedy
  if remarks.machine and not spec.procs then notes[#notes + 1] = remarks.machine end
  if repeated > 0 then
    notes[#notes + 1] = ("%d job%s of the log ha%s the id of another one, the first %s: each "
      .. "record is a job of its own"):format(repeated, repeated == 1 and "" or "s",
      repeated == 1 and "s" or "ve", id)
  end
  if remarks.ignored > 0 then
    notes[#notes + 1] = require("orrery.values.description").unread(columns, remarks)
  end
  if odd > 0 then
    notes[#notes + 1] = ("%d dependenc%s not understood, and left out, the first: %s")
      :format(odd, odd == 1 and "y of the log is" or "ies of the log are", dependency)
  end
end

local function note_counted(sets, notes)
  local counted, all, words = 0, 0, sets.words or ""
  for _, set in ipairs(sets) do
    local _, count, these = core.counted(set.jobs)
    counted, all, words = counted + (count or #set.jobs), all + #set.jobs, these or words
  end
  local none = sets.left_out or 0
  if counted < all or none > 0 then
    notes[#notes + 1] = ("counted: %d of %d jobs%s%s"):format(counted, all,
      words ~= "" and (" (%s)"):format(words) or "", none > 0
        and ("; %d other part%s of the log ha%s none, and %s left out"):format(none,
          none == 1 and "" or "s", none == 1 and "s" or "ve", none == 1 and "is" or "are") or "")
  end
end

local function note_pools(spec, sets, notes)
  local unneeded = {}
  local function note(what, list)
    for _, name in ipairs(list) do
      local needed = false
      for _, set in ipairs(sets) do needed = needed or core.needs_pool(set.jobs, name) end
      if not needed then unneeded[#unneeded + 1] = what .. name end
    end
  end
  note("pool ", spec.pools and require("orrery.values.pools").names(spec.pools) or {})
  local nodes = spec.machine and require("orrery.values.machine").nodes(spec.machine)
  note("", nodes and nodes.resources or {})
  if unneeded[1] then
    notes[#notes + 1] = "no job needs anything of " .. table.concat(unneeded, ", ")
  end
end

-- Reservations are for users and jobs, of which the log may have none.
local function note_strangers(spec, sets, procs, notes)
  if spec.reservations == nil then return end
  local counts, nobody = {}, {}
  for _, set in ipairs(sets) do
    local own = require("orrery.values.windows").given({ reservations = spec.reservations,
      machine = spec.machine, node_failures = spec.node_failures }, set.jobs, procs)
    for who in pairs(core.strangers(own, set.jobs)) do counts[who] = (counts[who] or 0) + 1 end
  end
  for _, who in ipairs(names.sorted(counts)) do
    if counts[who] == #sets then nobody[#nobody + 1] = who end
  end
  if nobody[1] then
    notes[#notes + 1] = "no job may use what is reserved for " .. table.concat(nobody, ", ")
  end
end

-- With the log's walltimes, a job without a walltime is planned with its runtime.
local function note_walltimes(spec, sets, notes)
  if not walltimes(spec.walltimes) then return end
  local known_ones, all = 0, 0
  for _, set in ipairs(sets) do
    known_ones, all = known_ones + core.known_walltimes(set.jobs), all + #set.jobs
  end
  if known_ones < all then
    notes[#notes + 1] = ("%s have no walltime and are planned with their runtime"):format(
      known_ones == 0 and "the jobs of this log" or ("%d of %d jobs"):format(all - known_ones, all))
  end
end

local MANY = 0.02 -- of the jobs: so many overruns are a matter of the system, not of its users,
local ENOUGH = 50 -- of so many jobs

-- The median time by which overrunning jobs exceed their walltime, s.
local function median_overrun(sets)
  local over = {}
  for _, set in ipairs(sets) do
    local these = core.overruns(set.jobs)
    table.move(these, 1, #these, #over + 1, over)
  end
  return core.values.quantiles(over, { 0.5 })[1]
end

-- Adds a remark on the jobs that come after others.
local function note_links(sets, never, notes)
  local linked, strangers = 0, 0
  for _, set in ipairs(sets) do
    local these, unknown = set.metrics:links()
    linked, strangers = linked + these, strangers + unknown
  end
  if linked > 0 then
    notes[#notes + 1] = linked == 1 and "1 job comes after others" or ("%d jobs come after others")
      :format(linked)
  end
  if strangers > 0 then
    notes[#notes + 1] = ("%d time%s a job comes after one that is not there, which counts as over")
      :format(strangers, strangers == 1 and "" or "s")
  end
  notes[#notes + 1] = jobs_options.never_text(never)
end

-- Adds a remark on the jobs that ran longer than the scheduler assumed, and on their treatment.
local function note_overruns(spec, sets, notes)
  local overruns, all, cut = 0, 0, 0
  for _, set in ipairs(sets) do
    local count, area = set.metrics:overruns()
    overruns, all, cut = overruns + count, all + #set.jobs, cut + area
  end
  if overruns == 0 then return end
  local predicted = type(spec.walltimes) == "function"
  local what = (predicted and "%s" or (spec.grace or 0) > 0 and "%s and the grace" or "%s")
    :format((predicted and "estimate" or "walltime") .. (overruns == 1 and "" or "s"))
  local fate = overruns == 1 and "runs longer than its %s and %s"
    or "run longer than their %s and %s"
  local ends = ({
    extend = (overruns == 1 and "has it" or "have them") .. " raised to the runtime",
    kill = overruns == 1 and "is killed at it" or "are killed at them",
    cap = overruns == 1 and "is capped at it" or "are capped at them",
  })[jobs_options.overrun(spec)]
  notes[#notes + 1] = ("%d of %d jobs "):format(overruns, all) .. fate:format(what, ends)
  local told = predicted or (spec.grace or 0) > 0
  if told or all < ENOUGH or overruns <= MANY * all then return end
  notes[#notes + 1] = ("%.1f%% of the jobs overrun their walltimes, by %.10g s in the median%s: "
    .. "this many tell of a grace period; see the options grace and overrun"):format(
    100 * overruns / all, median_overrun(sets),
    cut > 0 and ((cut < 3.6e5 and "; %.3g" or "; %.1f") .. " processor-hours are cut off"):format(
      cut / 3600) or "")
end

-- Jobs that find no processors at their recorded start, if the recorded schedule is one of the
-- policies.
local function note_late(result, notes)
  local recorded
  for i, policy in ipairs(result.policies) do recorded = policy.recorded and i or recorded end
  if not recorded then return end
  local late, first = 0, nil
  for s, set in ipairs(result.sets) do
    local waits = result:jobs(recorded, "wait", s)
    for job, wait in ipairs(set.jobs:values "wait") do
      if waits[job] > wait then late, first = late + 1, first or set.jobs[job].id end
    end
  end
  if late == 0 then return end
  local log = result.sets[1].jobs
  local peak = core.describe_jobs(log, 0, 60).peak
  if peak > result.procs and result.procs ~= log.machine_procs then
    notes[#notes + 1] = ("%d processors were in use at once in the log, more than "
      .. "the %d that are simulated: %d job%s later than recorded, the first is %s"):format(peak,
      result.procs, late, late == 1 and " starts" or "s start", first)
    return
  end
  notes[#notes + 1] = ("the log contradicts itself: %d job%s no processors when the "
    .. "log says that %s, the first is %s"):format(late, late == 1 and " finds" or "s find",
    late == 1 and "it started" or "they started", first)
end

-- Whether runs may refuse jobs at their submission.
local function refuses(spec)
  return spec.limit ~= nil and require("orrery.values.limits").refuses(spec.limit)
end

-- Policies that refuse different jobs are not measured on the same ones.
local function note_refused(spec, result)
  local parts, any = {}, false
  for i in ipairs(refuses(spec) and result.policies or {}) do
    local mean = result:summary(i, "refused").mean
    any, parts[i] = any or mean > 0, ("%s %.10g"):format(result:label(i), mean)
  end
  if not any then return end
  result.notes[#result.notes + 1] = ("jobs that a limit on waiting jobs refused%s: %s; no other "
    .. "metric counts them%s"):format(result.runs > 1 and " in the mean" or "",
    table.concat(parts, ", "),
    #parts > 1 and ", so means may be over different jobs" or "")
end

-- --- running ------------------------------------------------------------------------------------

-- All sets at once, so that the threads have something to do also where every set is small.
local function run_sets(spec, prepared, sets, options, notes)
  local base, given = spec.set or 0, {}
  for i, set in ipairs(sets) do
    local own = jobs_options.of_jobs(spec, set.jobs, least_processors(prepared))
    own.set = base + i - 1
    given[i] = {
      jobs = set.jobs, options = setmetatable(own, { __index = options }),
      failures = jobs_options.failures(spec.failures, #set.jobs),
    }
  end
  local progress = spec.progress
    and policy_list.progress(spec.progress, (options.first or 0) * #prepared)
  local metrics = policy_list.results({
    policies = prepared, spec = spec, sets = #sets > 1 and sets or nil, first = base,
  }, notes, core.montecarlo(given, options, prepared, progress))
  for i, set in ipairs(sets) do
    set.count, set.metrics = #set.jobs, metrics[i]
    set.runs = given[i].failures and #given[i].failures or options.runs or 1
  end
end

-- The request made by the field `precision`; nil: none.
local function precision_of(spec, sets)
  if spec.precision == nil and spec.metric == nil then return nil end
  local known = table.move(registry.jobs.all, 1, #registry.jobs.all, 1, {})
  for _, entry in ipairs(spec.quantiles and registry.jobs.more or {}) do
    known[#known + 1] = entry[1]
  end
  local asked = require("orrery.run.precision").of(spec, known)
  refuse(spec.failures ~= nil,
    "precision and failures exclude each other: every row of the failures is one scenario")
  refuse(#sets > 1, "precision: there are %d sets of jobs, whose means more scenarios do not bring "
    .. "together; give one set", #sets)
  return asked
end

-- The only set, in as many scenarios as `asked` wants.
local function run_precisely(asked, spec, prepared, sets, options, notes)
  local set, is_drawn = sets[1], (options.mean_probability or 0) > 0 or (options.rate or 0) > 0
    or options.node_failures ~= nil
  local note
  set.metrics, set.runs, note = require("orrery.run.precision").run(asked, #prepared, "scenario",
    is_drawn, function(first, count)
      options.first, options.runs = first, count
      run_sets(spec, prepared, sets, options, notes)
      return set.metrics
    end)
  notes[#notes + 1] = note
end

-- The metrics of which all scenarios are kept; nil: of all.
local function metrics_of(spec)
  if spec.metrics == nil then return nil end
  checks.expect(type(spec.metrics) == "table", "metrics", "a list of metrics",
    checks.quoted(spec.metrics))
  refuse(spec.precision ~= nil, "precision looks at all metrics: give no metrics with it")
  local list, seen = { "ratio" }, { ratio = true }
  if refuses(spec) then list[2], seen.refused = "refused", true end
  for _, name in ipairs(spec.metrics) do
    if not seen[name] then list[#list + 1], seen[name] = name, true end
  end
  return list
end

-- Summaries are for results that would need much memory.
local function check_summaries(spec)
  if not spec.summaries then return end
  refuse(spec.precision ~= nil, "summaries and precision exclude each other: precision looks at "
    .. "the values of all scenarios")
  refuse(spec.failures == nil and (spec.runs or 1) == 1,
    "summaries are of many scenarios: give runs")
end

-- A function that gives the fidelity of the first policy that decides itself; else EASY's. A run
-- of the comparison serves where it is the same.
local function finder(result, spec, prepared, list)
  local fidelity = require "orrery.run.fidelity"
  local index, same = nil, fidelity.has_run(spec, result.procs, result.sets)
  for i, policy in ipairs(result.policies) do
    index = index or not policy.recorded and i
    same = same and prepared[i].extra == 0
  end
  if same and index then
    return function() return fidelity.of(result.sets, index, result:label(index)) end
  end
  local at = index and spec.clairvoyant and (index + 1) // 2 or index
  local own = fidelity.spec(spec, result.procs, result.sets, at and list[at] or "easy")
  own.priority = index and spec.priority or nil
  return function() return jobs.fidelity(own, index and result:label(index) or "easy") end
end

-- Runs several policies on the same scenarios.
--   how  of a search, else nil: { ready = the policies of the list as policies.prepare gave them,
--        first = scenarios that come before these }; then nothing that policies print is shown
--   record  the file that the schedules are to be written to: they are kept, or written there
--        beforehand, where there is one scenario: `metrics:has_schedules` says whether
function jobs.compare(spec, how, record)
  checks.fields("compare", spec, "runs.JobsSpec.c")
  if spec.machine ~= nil then spec = require("orrery.values.machine").applied(spec) end
  local sets, left_out = sets_of.of(spec)
  local list = policy_list.of(spec, "dispatch/greedy")
  local options = jobs_options.of(spec, sets_of.machine(sets))
  local asked = precision_of(spec, sets)
  options.metrics, options.record = metrics_of(spec), record
  check_summaries(spec)
  if spec.quantiles == nil then -- one scenario is told of in full
    options.quantiles = not asked and #sets == 1 and (options.runs or 1) == 1
      and (type(spec.failures) ~= "table" or #spec.failures == 1)
  end
  if how then options.first, options.silent = how.first, true end
  local refused = spec.limit ~= nil and require("orrery.values.limits").allow(
    { limit = spec.limit }, sets,
    spec.machine and spec.limit == spec.machine.limits) or nil -- they may be of others' jobs
  local unfit = options.nodes and require("orrery.values.nodes").allow(options.nodes, sets)
  local prepared = how and how.ready
    or prepare_policies(list, spec, options.procs, sets, how and {})
  local notes = policy_list.notes(prepared)
  prepared = add_clairvoyant(list, spec, options.procs, sets, prepared, notes)
  even_processors(spec, prepared, options.procs, notes)
  options.node_failures, notes[#notes + 1] = jobs_options.node_failures(spec,
    least_processors(prepared), options, sets)
  local never = 0
  for _, set in ipairs(spec.dependencies and sets or {}) do
    local count
    set.jobs, count = jobs_options.starting(spec, set.jobs, options, least_processors(prepared))
    never = never + count
  end
  note_counted(sets, notes)
  note_log(spec, sets, notes)
  notes[#notes + 1] = left_out
  note_pools(spec, sets, notes)
  note_strangers(spec, sets, least_processors(prepared), notes)
  notes[#notes + 1] = refused
  notes[#notes + 1] = unfit
  note_walltimes(spec, sets, notes)
  if asked then
    run_precisely(asked, spec, prepared, sets, options, notes)
  else
    run_sets(spec, prepared, sets, options, notes)
  end
  note_overruns(spec, sets, notes)
  if spec.dependencies then note_links(sets, never, notes) end
  if spec.check then
    local count = 0
    for _, set in ipairs(sets) do count = count + set.runs * #prepared end
    policy_list.checked(count, notes)
  end
  local machines = {} -- the processors of the machine that each policy had
  for i, policy in ipairs(prepared) do machines[i] = policy.procs - policy.extra end
  local result = results.of_jobs {
    policies = named(prepared), machines = machines, sets = sets, procs = options.procs,
    runs = sets[1].runs, seed = options.seed or 1, notes = notes, spec = spec,
  }
  if result.runs == 1 then note_late(result, notes) end
  if spec.limit ~= nil then note_refused(spec, result) end
  local is_recorded = false -- whether a log tells when a job started
  for _, set in ipairs(sets) do is_recorded = is_recorded or core.waits_known(set.jobs) end
  if is_recorded and not how then
    results.with_fidelity(result, finder(result, spec, prepared, list))
  end
  return result
end

-- The fidelity of a policy in the form of orrery.compare, by a simulation of its own.
--   own  as fidelity.spec gives it;  name  of the policy
function jobs.fidelity(own, name)
  local fidelity = require "orrery.run.fidelity"
  local ok, result = pcall(jobs.compare, own, {})
  if ok then return fidelity.of(result.sets, 1, name) end
  if tostring(result):find "interrupted" then error(result, 0) end
  return fidelity.unknown(name, result)
end

return jobs
