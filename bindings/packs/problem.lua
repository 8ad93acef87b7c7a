-- problem: orrery.pack_problem, tasks on processors, to be put into packs.
local check_fields = require("orrery.support.checks").fields
local core = require "orrery.core"

return function(spec)
  check_fields("pack_problem", spec, "packs.ProblemSpec")
  for _, name in ipairs { "tasks", "procs" } do
    if spec[name] == nil then error(("pack_problem: %s is missing"):format(name), 0) end
  end
  return core.pack_problem(spec.tasks, spec.procs, spec.k, spec.least)
end
