-- EndGreedy: a whole new allocation whenever a task ends.
return {
  name = "EndGreedy",
  about = "When a task ends, allocates anew: all start from two processors, and the task that is "
    .. "expected to finish last gets two more, until that one cannot be improved.",
  source = "RR-8795, section 5.2",
  on_end = function(sim)
    sim:start_over()
    sim:share_out()
  end,
}
