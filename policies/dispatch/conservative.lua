return {
  name = "conservative backfilling",
  about = "Every job holds a reservation from its submission on, which only moves forward.",
  source = "Mu'alem and Feitelson 2001",
  dispatch = { discipline = "conservative" },
}
