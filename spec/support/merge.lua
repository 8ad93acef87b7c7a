-- A new table with the fields of both, those of the second in place of equal names.
--
--   merge(a, b)  b may be nil
return function(a, b)
  local all = {}
  for key, value in pairs(a) do all[key] = value end
  for key, value in pairs(b or {}) do all[key] = value end
  return all
end
