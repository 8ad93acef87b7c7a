-- prompt: the globals of the prompt and of scripts.
return {
  {
    class = "Prompt", names = { "prompt" }, functions = true, at_prompt = true, head = "global",
    about = "Globals of the prompt besides Lua's and `orrery`. Scripts have `month` and the times.",
    { "month", "Jobs", "the bundled month of a log: 4699 jobs on 49152 processors" },
    { "help", "(thing?: any)", "prints what `orrery.help` says" },
    { "again", "(): any",
      "runs the last comparison or session once more, with the current files of policies" },
    { "_", "any", "the last value that was shown" },
    { "minute", "number", "60: times are seconds, `6 * hour` is a time", unit = "s" },
    { "hour", "number", "3600", unit = "s" },
    { "day", "number", "86400", unit = "s" },
    { "week", "number", "604800", unit = "s" },
    { "year", "number", "31536000, 365 days", unit = "s" },
  },
}
