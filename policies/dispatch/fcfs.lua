return {
  name = "Strict order",
  about = "Jobs start in queue order; the first that does not fit blocks all behind it.",
  source = "first come, first served, where the queue is in order of submission",
  dispatch = { discipline = "fcfs" },
}
