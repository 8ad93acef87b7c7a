-- The workloads of policies/GALLERY.md: every policy that decides on jobs, on twenty weeks each.
local orrery = require "orrery"

local decisions = {}
for _, policy in ipairs(orrery.policies()) do
  local decides = policy.kind == "dispatch" or policy.kind == "priority"
  if decides and policy.name ~= "dispatch/recorded" then -- these weeks have no recorded starts
    decisions[#decisions + 1] = policy.name
  end
end

local weeks = {}
for seed = 1, 20 do weeks[seed] = seed end

return {
  title = "Every shipped policy on the same weeks",
  axes = { { "week", weeks }, { "decision", decisions } },
  fixed = { procs = 128, walltimes = "log", warmup = 86400, quantiles = true },
  cell = function(point)
    local is_order = point.decision:find "^priority/" ~= nil
    local jobs = orrery.lublin { procs = 128, days = 8, load = 0.9, walltimes = "users",
      seed = point.week }
    return {
      jobs = jobs:filter(function(job) return job.procs <= 64 end), -- if the machine is split
      policy = is_order and "dispatch/easy" or point.decision,
      priority = is_order and point.decision or nil,
      options = point.decision == "redirect/threshold" and { extra = false } or nil,
    }
  end,
  metrics = { "bsld_mean", "wait_mean", "wait_p99", "wait_max" },
}
