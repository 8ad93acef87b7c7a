-- r: time, n: processors, s: seconds from the first submission to the job's. Times below 1 s count
-- as 1 s: the rule was fitted to whole seconds, and log10(0) is not a number.
local function log10(seconds) return math.log(math.max(seconds, 1), 10) end

return {
  name = "F1",
  about = "Smallest log10(r) n + 870 log10(s) first: fitted to simulated schedules. r: time, "
    .. "n: processors, s: seconds from the first submission to the job's; both times at least 1.",
  source = "Carastan-Santos and de Camargo 2017 (SC)",
  priority = function(job, view)
    return -(log10(job.time) * job.procs + 8.70e2 * log10(job.submit - view.first_submit))
  end,
}
