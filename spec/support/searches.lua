-- What holds for searches of every kind: threads and interruptions change nothing.
-- spec_of(n, more) gives the specification of search number n, with the fields in `more`.
local assert = require "luassert"
local orrery = require "orrery"
local rounds = require "spec.support.rounds"

local searches = {}

-- An order that has nothing to do with jobs, another for each salt. Jobs are drawn independently,
-- so that none of these orders is better than another.
searches.SHUFFLED = [[
return function(options)
  return {
    options = { salt = { default = 0, least = 0, most = 1e6, whole = true } },
    priority = function(job) return math.sin(job.position * (options.salt + 0.5)) end,
    dispatch = { discipline = "list", reservations = 1 },
  }
end
]]

searches.THREADS = rounds(3, 3, 2) == 3 and { 1, 2, 7 } or { 1, 7 }

-- Everything that was found, but for how long it took.
function searches.text_of(found)
  return (found:json():gsub('"seconds":[^,}]*', "") .. found:policy())
end

-- So many searches give the same for any number of threads.
function searches.same_for_threads(spec_of, count)
  for n = 1, count do
    local expected
    for _, threads in ipairs(searches.THREADS) do
      local text = searches.text_of(orrery.search(spec_of(n, { threads = threads })))
      expected = expected or text
      assert.equal(expected, text)
    end
  end
end

-- A search that was interrupted goes on to the same, and computes no step twice.
function searches.goes_on(spec_of)
  local steps = 0
  local expected = searches.text_of(orrery.search(spec_of(4, { keep = function(_, compute)
    steps = steps + 1
    return compute()
  end })))
  assert.is_true(steps > 10)
  for stop = 1, steps, rounds(3, 3, math.max(3, steps - 2)) do
    local kept, computed = {}, 0
    local function keep_until(most)
      return function(name, compute)
        if not kept[name] then
          if computed == most then error("stopped", 0) end
          kept[name], computed = compute(), computed + 1
        end
        return kept[name]
      end
    end
    assert.has_error(function() orrery.search(spec_of(4, { keep = keep_until(stop - 1) })) end,
      "stopped")
    assert.equal(expected, searches.text_of(orrery.search(spec_of(4, { keep = keep_until(-1) }))))
    assert.equal(steps, computed)
  end
end

return searches
