-- IteratedGreedy: a whole new allocation whenever a fault delays the pack.
return {
  name = "IteratedGreedy",
  about = "When a fault makes its task the last to finish, allocates anew: all start from two "
    .. "processors, and the task that is expected to finish last gets two more, until that one "
    .. "cannot be improved.",
  source = "RR-8795, Algorithm 5",
  on_fault = function(sim)
    sim:start_over()
    sim:share_out()
  end,
}
