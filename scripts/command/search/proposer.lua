-- proposer: a command that proposes candidates of a search. It is started once in every round, is
-- told on standard input what the search knows, and writes candidates to standard output: both are
-- lines of JSON. scripts/README.md says which.
--
-- Whatever it does, the search goes on: it may take long, end early, write too much or something
-- else. What it is told next time, and the report, say what happened.
local command = require "orrery.command.command"
local dkjson = require "dkjson"
local orrery = require "orrery"

local quote = orrery.tools.quote

local proposer = { SECONDS = 600 }

local MOST_MEGABYTES = 64 -- that it writes
local MOST_WRONG = 3 -- lines of an answer that are told of
local TIMED_OUT, KILLED = 124, 137 -- statuses of timeout(1)

-- What it is told.
local function request_text(request)
  local lines = {}
  local function add(fields) lines[#lines + 1] = orrery.tools.json(fields):gsub("%s*\n%s*", "") end
  add { round = request.round, count = request.count, metric = request.metric,
    better = request.better }
  for _, one in ipairs(request.best) do
    add { best = one.name, mean = one.mean, lua = one.source }
  end
  for _, one in ipairs(request.failed) do add { failed = one.name, problem = one.problem } end
  return table.concat(lines, "\n") .. "\n"
end

-- Runs it: what it wrote, and what was wrong with it, nil: nothing.
local function run(self, name)
  local line = ("ulimit -f %d; exec timeout -k 1 %g sh -c %s <%s >%s 2>%s"):format(
    MOST_MEGABYTES * 2048, self.seconds, quote(self.command), quote(name .. ".request"),
    quote(name .. ".answer"), quote(name .. ".errors"))
  local began = os.time()
  local done, how, status = os.execute(line)
  if orrery.tools.interrupted() then error("interrupted", 0) end
  local text = command.read_file(name .. ".answer") or ""
  if done then return text end
  local is_late = os.difftime(os.time(), began) >= math.floor(self.seconds)
  if how == "exit" and (status == TIMED_OUT or status == KILLED and is_late) then
    return text, ("it took more than %g s and was ended"):format(self.seconds)
  end
  local said = (command.read_file(name .. ".errors") or ""):match "[^\n]+"
  return text, ("it ended with %s %d%s"):format(how == "exit" and "status" or "signal", status,
    said and ": " .. said or "")
end

-- The candidate of a line; nil and what is wrong with it.
local function candidate_of(line)
  local value = dkjson.decode(line)
  if type(value) ~= "table" or type(value.lua) ~= "string" then
    return nil, 'expected an object of JSON with "lua", the text of a policy\'s file'
  end
  local name = type(value.name) == "string" and value.name:match "^[%w_.-]+$" or "proposal"
  return { name = name, lua = value.lua }
end

local function propose(self, request)
  command.make_folder(self.folder)
  local name = ("%s/round-%d"):format(self.folder, request.round)
  orrery.tools.write_file(name .. ".request", request_text(request))
  local text, problem = run(self, name)
  local answer, number, bad = { problems = { problem } }, 0, 0
  for line in text:gmatch "[^\n]+" do
    number = number + 1
    local candidate, wrong = candidate_of(line)
    bad = bad + (wrong and 1 or 0)
    if not candidate and bad <= MOST_WRONG then
      table.insert(answer.problems, ("line %d: %s"):format(number, wrong))
    elseif candidate and #answer < request.count then
      local path = ("%s/%s-%s.lua"):format(self.folder, candidate.name,
        orrery.tools.checksum(candidate.lua):sub(1, 8))
      orrery.tools.write_file(path, candidate.lua)
      answer[#answer + 1] = path
    end
  end
  if bad > MOST_WRONG then
    table.insert(answer.problems, ("%d more lines like these"):format(bad - MOST_WRONG))
  end
  return answer
end

-- The function that orrery.search asks.
--   folder  where candidates are kept;  seconds  that the command may take in a round
function proposer.new(line, folder, seconds)
  local self = { command = line, folder = folder, seconds = seconds or proposer.SECONDS }
  return function(request) return propose(self, request) end
end

return proposer
