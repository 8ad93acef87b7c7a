-- Runs of policies from the grammar: what comes of one, with some number of threads.
local orrery = require "orrery"
local temporary = require "spec.support.temporary"

local policy_runs = {}

local JOBS = {}
for i = 1, 24 do
  JOBS[i] = { id = "j" .. i, submit = i * 3 % 31, procs = 1 + i * 5 % 4, runtime = 1 + i * 7 % 17,
    user = "u" .. i % 3, queue = "q" .. i % 2 }
end
local jobs, tasks = orrery.jobs(JOBS), orrery.tasks.synthetic { n = 6, m = { 1000, 1e5 }, seed = 2 }

local function values(result, metric) return table.concat(result:values(1, metric), " ") end

local run_of = {}

function run_of.dispatch(path, options)
  options.jobs, options.procs, options.policy = jobs, 6, path
  options.errors = { mean_probability = 0.2 }
  local result = orrery.compare(options)
  return values(result, "makespan") .. " / " .. values(result, "flow_mean")
end

run_of.redirect = run_of.dispatch

function run_of.priority(path, options)
  options.priority = path
  return run_of.dispatch("easy", options)
end

function run_of.redistribute(path, options)
  options.tasks, options.procs, options.policy = tasks, 20, path
  options.faults = { mtbf_years = 0.01 }
  return values(orrery.compare(options), "makespan")
end

function run_of.pack(path, options)
  options.tasks, options.procs, options.k, options.policies = tasks, 8, 3, { path }
  options.runs, options.threads = nil, nil
  local result = orrery.packs(options)
  return values(result, "cost")
end

-- What comes of a policy with so many threads: true and its numbers, to the last bit, or false and
-- the message, in which POLICY stands for its path.
function policy_runs.run(text, kind, threads)
  return pcall(temporary.file, "POLICY", text, function(path)
    local limits = { seconds = 0.3, memory = 32 * 1024 * 1024 }
    return run_of[kind](path, { runs = 8, seed = 3, threads = threads, limits = limits })
  end)
end

return policy_runs
