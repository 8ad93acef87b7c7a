-- compare: orrery.compare, several policies on the same scenarios of jobs, of tasks, or of packs.
local program = require "orrery.support.program"

local compare = {}

-- Whether what is to be simulated are tasks, not jobs.
function compare.has_tasks(spec)
  if type(spec) ~= "table" or spec.tasks == nil then return false end
  if spec.jobs ~= nil then error("jobs and tasks exclude each other", 0) end
  return true
end

local function run(spec)
  if not compare.has_tasks(spec) then return require("orrery.run.jobs").compare(spec) end
  if spec.packs == nil then return require("orrery.run.tasks").compare(spec) end
  return require("orrery.run.coschedules").compare(spec)
end

-- At the prompt a line says how far it is, unless the caller wants to hear of it.
function compare.run(spec)
  if not program.during or type(spec) ~= "table" or spec.progress ~= nil then return run(spec) end
  return program.during("simulations", function(show)
    local copy = {}
    for name, value in pairs(spec) do copy[name] = value end
    copy.progress = show
    return run(copy)
  end)
end

return compare
