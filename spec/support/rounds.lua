-- How often a spec repeats what it does with random numbers: `most` times in `make test-all`, a
-- quarter of it in `make test`, which thereby goes through the same instances as far as it goes.
return function(most)
  return os.getenv "ORRERY_ROUNDS" == "all" and most or math.ceil(most / 4)
end
