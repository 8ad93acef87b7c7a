return {
  name = "LJF",
  about = "Large jobs (at least (P+1)/2 processors) first, by processors; then the others by LPT.",
  source = "RR-9296, section 4.2.1 and Proposition 1",
  priority = function(job, view)
    local above_any_time = 1e15 -- seconds; a number of processors is still exact on top of it
    if 2 * job.procs >= view.procs + 1 then return above_any_time + job.procs end
    return job.time
  end,
}
