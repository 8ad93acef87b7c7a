-- Fuzzing of policies, by the program that has the sanitizers:
--
--   policies.lua SECONDS FOLDER [SEED [INPUTS]]
--
-- Policies from the grammar (spec/support/policy_grammar.lua) run until the time is over, or so
-- many have (0: no limit). Their seeds count up from SEED, or from one that follows from the clock.
-- A crash, a call that does not end, an error that names no policy, and a valid policy that fails,
-- or gives other numbers with two threads, are findings: it is in FOLDER/policies-last.lua. So are
-- policies of pieces that use state without content (spec/support/policy_pieces.lua), one for every
-- ten, where other threads, runs, and forks of sessions do something else.
local grammar = require "spec.support.policy_grammar"
local pieces = require "spec.support.policy_pieces"
local runs = require "spec.support.policy_runs"

local seconds, folder = tonumber(arg[1]), arg[2]
local last = folder .. "/policies-last.lua"
local MOST_SECONDS = 40 -- of one policy, with the limits that policy_runs gives each of its calls

local function keep(text, seed, kind, way)
  local file = assert(io.open(last, "wb"))
  file:write(("-- seed %d, %s, %s\n"):format(seed, kind, way), text)
  file:close()
end

local function insist(holds, what, outcome)
  if not holds then error(("%s: %s (%s)"):format(what, tostring(outcome), last), 0) end
end

local count, first = 0, tonumber(arg[3]) or os.time() * 1000
local most = tonumber(arg[4]) or 0
local from, ends = os.time(), os.time() + seconds
repeat
  local seed, began = first + count, os.time()
  local text, kind, way = grammar.policy(seed)
  keep(text, seed, kind, way)
  local good, outcome = runs.run(text, kind, 1)
  insist(good or tostring(outcome):find("POLICY", 1, true), "an error names no policy", outcome)
  if way == "valid" then
    insist(good, "a valid policy fails", outcome)
    local _, again = runs.run(text, kind, 2)
    insist(outcome == again, "other numbers with two threads", again)
  end
  if seed % 10 == 0 then
    local of_pieces, difference = pieces.run(seed)
    if difference then keep(of_pieces, seed, "dispatch", "pieces") end
    insist(not difference, "it depends on what ran before", difference)
  end
  insist(os.time() - began <= MOST_SECONDS, "a policy that takes long", os.time() - began)
  count = count + 1
until os.time() >= ends or count == most
os.remove(last)
print(("fuzzed policies: %d, from seed %d on, %d s"):format(count, first, os.time() - from))
