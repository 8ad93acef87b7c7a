-- problem: orrery.pack_problem, tasks on processors, to be put into packs.
--
-- Called with the table `core` of internal functions and the checks of orrery.lua; returns the
-- public function.

local core, public, check_fields = ...

return public(function(spec)
  check_fields("pack_problem", spec, { "tasks", "procs", "k", "least" })
  for _, name in ipairs { "tasks", "procs" } do
    if spec[name] == nil then error(("pack_problem: %s is missing"):format(name), 0) end
  end
  return core.pack_problem(spec.tasks, spec.procs, spec.k, spec.least)
end)
