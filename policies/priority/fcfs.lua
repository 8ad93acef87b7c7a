return {
  name = "FCFS",
  about = "First come, first served: by submission time.",
  source = "the field's default",
  priority = function() return 0 end,
}
