return {
  name = "R-LIST-1 (EASY)",
  about = "The first job that cannot start holds a reservation; the others may not delay it.",
  source = "RR-9296, Algorithm 1 with m = 1; Lifka 1995",
  dispatch = { discipline = "list", reservations = 1 },
}
