return {
  name = "RANDOM",
  about = "In random order, drawn anew for every scenario.",
  source = "RR-9296, section 5.1",
  per = "scenario",
  priority = function() return math.random() end,
}
