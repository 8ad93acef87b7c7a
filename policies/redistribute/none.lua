-- No redistribution: every task keeps the processors that it began with.
return {
  name = "None",
  about = "No redistribution: what the others are compared to.",
  source = "RR-8795, section 4.1",
  on_end = false,
  on_fault = false,
}
