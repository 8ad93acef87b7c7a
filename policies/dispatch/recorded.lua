return {
  name = "What really happened",
  about = "Every job starts when the log says that it did; needs a log that tells waits.",
  source = "the log",
  dispatch = { discipline = "recorded" },
}
