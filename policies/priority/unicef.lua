-- log2(1) is 0, and the rule divides by it. With this small number in its place, jobs of one
-- processor that have waited come before wider ones, in the order of wait / time. This is the limit
-- of the rule as n goes to 1.
local LOG2_OF_ONE = 2.0 ^ -40

return {
  name = "UNICEF",
  about = "Waiting time over the job's time and the logarithm of its width: small jobs go quickly; "
    .. "of one processor first of all.",
  source = "Tang, Lan, Desai and Buettner 2009 (Cluster); Carastan-Santos and de Camargo 2017 (SC)",
  per = "decision",
  priority = function(job, view)
    local wait = view.now - job.submit
    if wait == 0 then return 0 end -- not 0 / 0 if job.time is 0; later such a job comes first
    local width = job.procs > 1 and math.log(job.procs, 2) or LOG2_OF_ONE
    return wait / (width * job.time)
  end,
}
