-- How many evaluations a second orrery.search makes of one core, against orrery.compare for each of
-- the same candidates on all training samples: what `make bench-search` does. Its logs are files;
-- the third column leaves out what compare takes to read them.
--
-- A candidate that a race stops early counts as one that was simulated on all samples, for that is
-- what it spares: per core and second, candidates x training samples. The time of a search is that
-- of all of it: checks of the specification, baselines, proposals, validation and testing. Search
-- and compare take turns; of each the least processor time of three counts. SEARCH=formulas
-- measures those alone that have this in their names.
local evaluator = require "orrery.search.evaluator"
local orrery = require "orrery"

local TURNS, COMPARED = 3, 40 -- so many candidates are compared, spread over all

local folder = assert(os.getenv "ORRERY_BENCH_FOLDER", "run it by make bench-search")

-- --- searches ------------------------------------------------------------------------------------

local function sets_of(name, count, jobs_of)
  local sets = {}
  for i = 1, count do
    local path = ("%s/%s-%d.csv"):format(folder, name, i)
    jobs_of(i):to_csv("plain", path)
    sets[i] = { name = i, jobs = path }
  end
  return { sets = sets }
end

local function lublin(first, days, procs, load)
  return function(i)
    return orrery.lublin { procs = procs, days = days, load = load, week = false, seed = first + i }
  end
end

-- `count` training samples of so many days, and a few for the end.
local function stretches(name, count, days, procs, load)
  return {
    training = sets_of(name .. "-training", count, lublin(100, days, procs, load)),
    validation = sets_of(name .. "-validation", 5, lublin(200, days, procs, load)),
    testing = sets_of(name .. "-testing", 5, lublin(300, days, procs, load)),
    fixed = { procs = procs }, metric = "bsld_mean", baselines = { "easy" }, evaluations = 600,
  }
end

local function failing()
  local jobs = sets_of("failing", 1, function()
    return orrery.synthetic { count = 100, procs = { 1, 32 }, time = { 100, 10000 }, seed = 5 }
  end).sets[1].jobs
  return {
    training = { runs = 60 }, validation = { runs = 20 }, testing = { runs = 20 },
    fixed = { jobs = jobs, procs = 64, batch = true, errors = { mean_probability = 0.3 } },
    metric = "makespan", baselines = { "greedy" }, evaluations = 600,
  }
end

local AGING = { policy = "aging", vary = { patience = { least = 600, most = 1e6, log = true } } }
local LIST = { policy = "list", vary = { reservations = { most = 40 } } }

local function with(spec, more)
  for name, value in pairs(more) do spec[name] = value end
  return spec
end

local SEARCHES = {
  { "options, 12 samples", function()
    return with(stretches("options", 12, 2, 64, 0.9), { policies = { AGING } })
  end },
  { "options, 30 samples", function()
    return with(stretches("guide", 30, 4, 256, 0.8), { policies = { AGING } })
  end },
  { "a log by weeks", function()
    local function weeks(name, first, count)
      local log = lublin(first, 7 * count, 64, 0.7)(1)
      local path = ("%s/%s.csv"):format(folder, name)
      log:to_csv("plain", path)
      return { jobs = path, by = "week" }
    end
    return { training = weeks("weeks-training", 500, 10), validation = weeks("weeks-other", 600, 4),
      testing = weeks("weeks-testing", 700, 26), fixed = { procs = 64 }, metric = "bsld_mean",
      baselines = { "easy" }, evaluations = 400, policies = { AGING } }
  end },
  { "priorities", function()
    return with(stretches("priorities", 12, 2, 64, 0.9), { policies = { LIST, "conservative" },
      priorities = { "spt", "lpt", "saf", "la", "f1", "f2", "f3", "f4", "fcfs", "wfp3" } })
  end },
  { "formulas", function()
    return with(stretches("formulas", 12, 2, 64, 0.9), { formulas = { policies = { "easy" },
      fields = { "time", "procs", "area", "submit", "wait" } } })
  end },
  { "programs", function()
    return with(stretches("programs", 12, 2, 64, 0.9), { programs = { files = { "wfp3" } } })
  end },
  { "failing: options", function()
    return with(failing(), { policies = { LIST }, priorities = { "lpt", "la", "spt" } })
  end },
  { "failing: formulas", function()
    return with(failing(), { formulas = { policies = { "greedy" },
      fields = { "time", "procs", "area", "failure_probability" } } })
  end },
  { "tasks", function()
    return { policies = { "end-local+iterated-greedy", { policy = "cautious-saving",
      vary = { caution = { least = 0.5, most = 8, log = true }, share = true } } },
      baselines = { "end-local+shortest-tasks-first" },
      training = { runs = 24 }, validation = { runs = 12 }, testing = { runs = 12 },
      fixed = { tasks = { n = 20 }, procs = 200, faults = { mtbf_years = 5 } },
      metric = "normalised", evaluations = 600 }
  end },
}

-- --- measuring -----------------------------------------------------------------------------------

local function seconds(f, ...)
  local began = os.clock()
  local result = f(...)
  return os.clock() - began, result
end

-- The candidates of a search.
local function candidates_of(spec)
  local list, seen, prepare = {}, {}, evaluator.prepare
  function evaluator:prepare(candidate)
    if not seen[candidate.key] then list[#list + 1] = candidate end
    seen[candidate.key] = true
    return prepare(self, candidate)
  end
  orrery.search(spec)
  evaluator.prepare = prepare
  return list
end

-- The fields of a comparison of one candidate on all training samples.
local function fields_of(spec, candidate)
  local fields = { policies = { candidate.policy }, threads = 1, seed = 1 }
  for _, from in ipairs { spec.fixed, spec.training } do
    for name, value in pairs(from) do fields[name] = value end
  end
  return fields
end

-- The same with logs that were read before.
local function with_jobs(spec)
  local copy = with({}, spec)
  copy.fixed, copy.training = with({}, spec.fixed), with({}, spec.training)
  for _, part in ipairs { copy.fixed, copy.training } do
    if type(part.jobs) == "string" then part.jobs = orrery.read(part.jobs) end
  end
  if spec.training.sets then
    copy.training.sets = {}
    for i, set in ipairs(spec.training.sets) do
      copy.training.sets[i] = { name = set.name, jobs = orrery.read(set.jobs) }
    end
  end
  return copy
end

local function compare_each(spec, candidates, count)
  for i = 1, count do
    local candidate = candidates[(i * #candidates + count - 1) // count]
    pcall(orrery.compare, fields_of(spec, candidate)) -- one that fails has its time, too
  end
end

local function measure(one)
  local spec = one[2]()
  spec.threads = 1
  local candidates, read = candidates_of(spec), with_jobs(spec)
  local count, least, found = math.min(COMPARED, #candidates), {}, nil
  for _ = 1, TURNS do
    local taken = { 0, 0, 0 }
    taken[1], found = seconds(orrery.search, spec)
    taken[2] = seconds(compare_each, spec, candidates, count)
    taken[3] = seconds(compare_each, read, candidates, count)
    for i = 1, 3 do least[i] = math.min(least[i] or math.huge, taken[i]) end
  end
  local samples = found.training.samples
  local searched = found.candidates * samples / least[1]
  local compared, of_read = count * samples / least[2], count * samples / least[3]
  print(("%-20s %8d %10d %9d %9.0f %7.0f %9.2f %7.2f"):format(one[1], samples, found.candidates,
    found.evaluations, searched, compared, searched / compared, searched / of_read))
  io.stdout:flush()
end

print(("%-20s %8s %10s %9s %9s %7s %9s %7s"):format("search", "samples", "candidates", "simulated",
  "search/s", "compare", "(ratio)", "read"))
local only = os.getenv "SEARCH" or ""
for _, one in ipairs(SEARCHES) do
  if one[1]:find(only, 1, true) then measure(one) end
end
