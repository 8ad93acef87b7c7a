-- globals: what is there at the prompt besides Lua and orrery, by name, made at the first use:
--   value  function() -> what there is, nil before
--   load   function() -> what there is
--   kind   of the object, in the reference
-- The prompt fills it; completion reads it.
return {}
