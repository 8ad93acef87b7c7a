-- How often a spec repeats what it does with random numbers: `most` times in `make test-all`, and
-- `some` (or a quarter of it) in `make test`, which thereby goes through the same instances as far
-- as it goes.
return function(most, some)
  return os.getenv "ORRERY_ROUNDS" == "all" and most or some or math.ceil(most / 4)
end
