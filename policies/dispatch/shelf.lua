return {
  name = "R-SHELF-B",
  about = "Shelves: when the last shelf is over, every waiting job that fits goes on the next.",
  source = "RR-9296, Algorithm 2 with b = 1",
  dispatch = { discipline = "shelf", fill = true },
}
