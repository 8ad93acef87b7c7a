-- compare: orrery.compare, several policies on the same scenarios of jobs, of tasks, or of packs.
local compare = {}

-- Whether what is to be simulated are tasks, not jobs.
function compare.has_tasks(spec)
  if type(spec) ~= "table" or spec.tasks == nil then return false end
  if spec.jobs ~= nil then error("jobs and tasks exclude each other", 0) end
  return true
end

function compare.run(spec)
  if not compare.has_tasks(spec) then return require("orrery.run.jobs").compare(spec) end
  if spec.packs == nil then return require("orrery.run.tasks").compare(spec) end
  return require("orrery.run.coschedules").compare(spec)
end

return compare
