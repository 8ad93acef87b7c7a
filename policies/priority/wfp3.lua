return {
  name = "WFP3",
  about = "Waiting time in times of its length, cubed, times its width: Cobalt's rule, on Mira.",
  source = "Tang, Lan, Desai and Buettner 2009 (Cluster); Carastan-Santos and de Camargo 2017 (SC)",
  per = "decision",
  priority = function(job, view)
    local wait = view.now - job.submit
    if wait == 0 then return 0 end -- not 0 / 0 if job.time is 0; later such a job comes first
    return (wait / job.time) ^ 3 * job.procs
  end,
}
