return {
  name = "EASY, shortest first behind the reservation",
  about = "EASY whose backfilling tries the shortest of the jobs that fit first.",
  source = "Tsafrir, Etsion and Feitelson 2007 (SJBF)",
  dispatch = { discipline = "list", reservations = 1 },
  backfill = "priority/spt",
}
