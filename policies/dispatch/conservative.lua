return {
  name = "R-LIST-Q (conservative)",
  about = "Every waiting job holds a reservation that no job behind it may delay.",
  source = "RR-9296, Algorithm 1 with m = |Q|; Mu'alem and Feitelson 2001",
  dispatch = { discipline = "list", reservations = "all" },
}
