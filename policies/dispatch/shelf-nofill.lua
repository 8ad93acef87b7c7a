return {
  name = "R-SHELF-NB",
  about = "Shelves that close at the first waiting job that does not fit.",
  source = "RR-9296, Algorithm 2 with b = 0",
  dispatch = { discipline = "shelf", fill = false },
}
