-- collect: functions for all kinds of candidates: lists of different ones, the choice of parents.
local collect = {}

local TRIES = 20 -- for each candidate

-- Up to `count` candidates from make() that pass is_fine(candidate) and are not known yet.
function collect.different(count, known, make, is_fine)
  local list, tries = {}, 0
  while #list < count and tries < TRIES * count do
    local candidate = make()
    tries = tries + 1
    if not known[candidate.key] and (not is_fine or is_fine(candidate)) then
      known[candidate.key] = true
      list[#list + 1] = candidate
    end
  end
  return list
end

-- One of the best ones: the first as often as all later ones together, and so on.
function collect.pick(rng, best)
  local at = 1
  while at < #best and rng:uniform() < 0.5 do at = at + 1 end
  return best[at]
end

return collect
