-- The workloads of policies/GALLERY.md for malleable tasks: every policy that redistributes
-- processors, on twenty packs that fail. Policies that act only on faults are combined with
-- end-local.
local orrery = require "orrery"

local decisions, packs = {}, {}
for _, policy in ipairs(orrery.policies()) do
  if policy.kind == "redistribute" then
    local behind = policy.on_fault and not policy.on_end and "end-local+" or ""
    decisions[#decisions + 1] = behind .. policy.name:match "/(.+)$"
  end
end
for seed = 1, 20 do packs[seed] = seed end

return {
  title = "Every shipped redistribution on the same tasks",
  axes = { { "pack", packs }, { "decision", decisions } },
  fixed = { tasks = { n = 30 }, procs = 300, faults = { mtbf_years = 30 }, runs = 10 },
  cell = function(point) return { seed = point.pack, policy = point.decision } end,
  metrics = { "makespan" },
}
