return {
  name = "SAF",
  about = "Smallest area (processors x time) first: SA under its name in online scheduling.",
  source = "Carastan-Santos, de Camargo, Trystram and Zrigui 2019 (CCGrid)",
  priority = function(job) return -job.area end,
}
