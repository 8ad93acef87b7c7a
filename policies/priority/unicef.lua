-- log2(1) is 0, and the rule divides by it. With something this small in its place jobs of one
-- processor that have waited stand before wider ones, and by wait / time among themselves, which
-- is where the rule goes as n goes to 1.
local LOG2_OF_ONE = 2.0 ^ -40

return {
  name = "UNICEF",
  about = "Waiting time over the job's time and the logarithm of its width: small jobs go quickly; "
    .. "of one processor first of all.",
  source = "Tang, Lan, Desai and Buettner 2009 (Cluster); Carastan-Santos and de Camargo 2017 (SC)",
  per = "decision",
  priority = function(job, view)
    local wait = view.now - job.submit
    if wait == 0 then return 0 end -- 0 / 0 where the job takes no time; later that comes first
    local width = job.procs > 1 and math.log(job.procs, 2) or LOG2_OF_ONE
    return wait / (width * job.time)
  end,
}
