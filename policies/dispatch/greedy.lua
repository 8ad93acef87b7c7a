return {
  name = "R-LIST-0",
  about = "Greedy: every waiting job that fits starts, in priority order; no reservations.",
  source = "RR-9296, Algorithm 1 with m = 0",
  dispatch = { discipline = "list", reservations = 0 },
}
