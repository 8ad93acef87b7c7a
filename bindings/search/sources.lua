-- sources: several kinds of candidates as one: each kind has an equal share of every round.
local lists = require "orrery.support.lists"

local sources = {}
sources.__index = sources

-- Asks every source for its share of `count`: ask(source, share).
local function each_share(self, count, ask)
  local all = {}
  for i, source in ipairs(self.list) do
    local share = count * i // #self.list - count * (i - 1) // #self.list
    for _, candidate in ipairs(share > 0 and ask(source, share) or {}) do
      candidate.source_of = source
      all[#all + 1] = candidate
    end
  end
  return all
end

function sources:first(rng, count)
  return each_share(self, count, function(source, share) return source:first(rng, share) end)
end

function sources:next(rng, count, best, spread)
  return each_share(self, count, function(source, share)
    local own = lists.those(best, function(candidate) return candidate.source_of == source end)
    if #own == 0 then return source:first(rng, share) end
    return source:next(rng, share, own, spread)
  end)
end

function sources:check(f)
  for _, source in ipairs(self.list) do source:check(f) end
end

-- Joins a list of sources; a single source is returned as it is.
return function(list)
  if #list == 1 then return list[1] end
  local size, about = 0, {}
  for i, source in ipairs(list) do size, about[i] = size + source.size, source.about end
  return setmetatable({ list = list, size = size, about = table.concat(about, "; ") }, sources)
end
