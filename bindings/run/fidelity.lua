-- fidelity: how well a policy's simulation explains the waits that the log records. What happened
-- is compared with a run without injected failures, with the log's walltimes, on the log's machine.
local core = require "orrery.core"
local span = require("orrery.support.clock").span_text

local fidelity = {}

local VERDICTS = {
  explains = "the simulation explains the waits of this log",
  ["in part"] = "the simulation explains the waits of this log in part: some come from another "
    .. "policy, or from something that is not modelled",
  ["not"] = "the waits of this log come from another policy, or from something that is not "
    .. "modelled: differences between policies may not transfer",
}

local Fidelity = { __name = "orrery.fidelity" }

function Fidelity.__tostring(f)
  if f.problem then return ("fidelity of %s is not known: %s"):format(f.policy, f.problem) end
  if f.verdict == "nothing" then
    return ("fidelity: %s of %d jobs waited 60 s or longer in the log: it proves nothing about the "
      .. "model"):format(f.waited == 0 and "none" or f.waited, f.jobs)
  end
  return ("fidelity of %s: %s (mean wait %s as recorded, %s as simulated; %.0f%% of the "
    .. "recorded waiting explained; rank correlation of waits %.2f)"):format(f.policy,
    VERDICTS[f.verdict], span(f.recorded_mean), span(f.simulated_mean), 100 * f.explained,
    f.correlation)
end

-- Fields of a comparison that are not about what happened, or of no use here.
local OTHERS = {}
for name in ([[by jobs load batch policy priority errors failures node_failures checkpoint
  verification grace clairvoyant runs precision metric metrics summaries keep check progress plain
  scenario]]):gmatch "%S+" do OTHERS[name] = true end

-- The fields of the run that is compared with what happened.
--   spec    of a comparison or a session;  procs  of its machine
--   sets    list of { name =, jobs = }
--   policy  in the form of orrery.compare
function fidelity.spec(spec, procs, sets, policy)
  local own = { sets = {}, policies = { policy },
    procs = not (spec.machine and spec.machine.nodes) and sets[1].jobs.machine_procs or procs,
    walltimes = "log", overrun = "extend", quantiles = false }
  for i, set in ipairs(sets) do own.sets[i] = { name = set.name, jobs = set.jobs } end
  for name, value in pairs(spec) do
    if own[name] == nil and not OTHERS[name] then own[name] = value end
  end
  return own
end

-- Whether a comparison with these fields has already run what is compared with what happened.
function fidelity.has_run(spec, procs, sets)
  local told = spec.walltimes == "log" and spec.overrun == "extend"
  for _, name in ipairs { "failures", "node_failures", "checkpoint", "clairvoyant", "batch" } do
    if spec[name] then return false end
  end
  local errors = spec.errors or {}
  if (errors.mean_probability or 0) > 0 or (errors.rate or 0) > 0 or (spec.load or 1) ~= 1
    or (spec.verification or 0) > 0 then
    return false
  end
  for _, set in ipairs(sets) do
    if not set.metrics:has_jobs()
      or procs ~= (not (spec.machine and spec.machine.nodes) and set.jobs.machine_procs
        or procs) then
      return false
    end
    local untold = spec.walltimes == "log" and #core.overruns(set.jobs) == 0
      or spec.walltimes ~= "log" and core.known_walltimes(set.jobs) == 0
    if not (told or untold) or type(spec.walltimes) == "function" then return false end
  end
  return true
end

-- What stands in place of the following where the simulation failed.
function fidelity.unknown(name, problem)
  return setmetatable({ policy = name, verdict = "unknown",
    problem = tostring(problem):match "^[^\n]*" }, Fidelity)
end

-- The fields of orr_fidelity and the name of the policy; it prints as a sentence.
function fidelity.of(sets, index, name)
  local list = {}
  for i, set in ipairs(sets) do list[i] = set.metrics end
  local found = core.fidelity(list, index)
  found.policy = name
  return setmetatable(found, Fidelity)
end

return fidelity
