-- proposer: a command that proposes candidates of a search. It is started once in every round,
-- reads the state of the search on standard input, and writes candidates to standard output: both
-- are lines of JSON, described in scripts/README.md.
--
-- Its input also has the remarks of `orrery check` on its candidates of the round before.
--
-- The search goes on if the command takes long, ends early, writes too much or writes anything
-- else. The next input and the report say what happened.
local command = require "orrery.command.command"
local dkjson = require "dkjson"
local orrery = require "orrery"

local quote = orrery.tools.quote

local proposer = { SECONDS = 600 }

local MOST_MEGABYTES = 16 -- that it writes
local MOST_LINES, LONGEST = 1000, 1 << 20 -- of an answer that are read; bytes of a line
local MOST_WRONG = 3 -- wrong lines of an answer that are reported
local TIMED_OUT, KILLED = 124, 137 -- statuses of timeout(1)
local SIGNALS = 128 -- above it, the status of a shell is that of a signal

-- The check of candidates: seconds for each; per round all that failed and this many others.
local CHECK = { seconds = 20, runs = 4, instructions = 5000000, most = 8 }

-- --- processes ---------------------------------------------------------------------------------

-- Runs a command of the shell, which is timeout(1), and ends the group of processes that this
-- makes: also those that it left behind, and also after Ctrl-C. The status of the shell. SIGINT and
-- SIGTERM end a read, where they would not end os.execute.
local function run_group(line)
  local pipe = assert(io.popen(("{ %s & echo $!; wait $!; status=$?; kill -9 -$!; "
    .. "echo $status; } 2>/dev/null"):format(line)))
  local group, status
  pcall(pcall, function() -- the interruption itself may be raised behind the inner one
    group = pipe:read "l"
    status = pipe:read "l"
  end)
  if orrery.tools.interrupted() then
    debug.sethook() -- raised once more, it would leave them; a second Ctrl-C ends the program
    group = group or pipe:read "l"
    if group then os.execute(("kill -9 -%s 2>/dev/null"):format(group)) end
  end
  pipe:close()
  if orrery.tools.interrupted() then error("interrupted", 0) end
  return math.tointeger(tonumber(status)) or KILLED
end

-- --- remarks -----------------------------------------------------------------------------------

-- The remarks of `orrery check` on a policy's file, without passed properties; nil: none.
local function remarks_of(path)
  local written = path .. ".remarks"
  local status = run_group(("timeout -k 1 %g %s check %s --runs %d --limit-instructions %d "
    .. ">%s 2>&1"):format(CHECK.seconds, quote(assert(orrery.tools.executable())), quote(path),
    CHECK.runs, CHECK.instructions, quote(written)))
  local text = command.read_file(written) or ""
  os.remove(written)
  if status == TIMED_OUT or status == KILLED then
    return ("`orrery check` took more than %g s and was ended"):format(CHECK.seconds)
  end
  local from = text:find "%f[^\n\0]FAILS:" or text:find "%f[^\n\0]Remarks:"
  if from then return (text:sub(from):gsub("\n[^\n]*\n$", ""):gsub("%s+$", "")) end
  return status ~= 0 and text:gsub("%s+$", "") or nil
end

local function remarks_on(self, request)
  local name, list, others = ("%s/round-%d"):format(self.folder, request.round - 1), {}, 0
  local failed = {}
  for _, one in ipairs(request.failed) do failed[#failed + 1] = one.name end
  failed = table.concat(failed, "\n")
  for _, candidate in ipairs(self:candidates(command.read_file(name .. ".answer") or "")) do
    local has_failed = failed:find(candidate.file, 1, true)
    others = others + (has_failed and 0 or 1)
    local remarks = (has_failed or others <= CHECK.most) and remarks_of(candidate.path)
    if remarks then list[#list + 1] = { checked = candidate.file, remarks = remarks } end
  end
  return list
end

-- The input of the command.
local function request_text(request, remarks)
  local lines = {}
  local function add(fields) lines[#lines + 1] = orrery.tools.json(fields):gsub("%s*\n%s*", "") end
  add { round = request.round, count = request.count, metric = request.metric,
    better = request.better, metrics = #request.metrics > 1 and request.metrics or nil }
  for _, one in ipairs(request.best) do
    add { best = one.name, mean = one.mean, lua = one.source,
      means = #request.metrics > 1 and one.means or nil }
  end
  for _, one in ipairs(request.failed) do add { failed = one.name, problem = one.problem } end
  for _, one in ipairs(remarks) do add(one) end
  return table.concat(lines, "\n") .. "\n"
end

-- Runs the command: its output, and the error, nil: none.
local function run(self, name)
  local began = os.time()
  local status = run_group(("ulimit -f %d; timeout -k 1 %g sh -c %s <%s >%s 2>%s"):format(
    MOST_MEGABYTES * 2048, self.seconds, quote(self.command), quote(name .. ".request"),
    quote(name .. ".answer"), quote(name .. ".errors")))
  local text = command.read_file(name .. ".answer") or ""
  if status == 0 then return text end
  local is_late = os.difftime(os.time(), began) >= math.floor(self.seconds)
  if status == TIMED_OUT or status == KILLED and is_late then
    return text, ("it took more than %g s and was ended"):format(self.seconds)
  end
  local said = (command.read_file(name .. ".errors") or ""):match "[^\n]+"
  local is_signal = status > SIGNALS
  return text, ("it ended with %s %d%s"):format(is_signal and "signal" or "status",
    is_signal and status - SIGNALS or status, said and ": " .. said or "")
end

-- The candidate of a line; nil and the error.
local function candidate_of(line)
  if #line > LONGEST then return nil, ("it has more than %d bytes"):format(LONGEST) end
  local read, value = pcall(dkjson.decode, line) -- an error where it is too deep
  if not read or type(value) ~= "table" or type(value.lua) ~= "string" then
    return nil, 'expected an object of JSON with "lua", the text of a policy\'s file'
  end
  local name = type(value.name) == "string" and value.name:match "^[%w_.-]+$" or "proposal"
  return { name = name, lua = value.lua }
end

local Proposer = {}
Proposer.__index = Proposer

-- The candidates in its output, { path =, file = (its name without .lua), lua = }; and the errors
-- of the other lines.
function Proposer:candidates(text)
  local list, wrong, number = {}, {}, 0
  for line in text:gmatch "[^\n]+" do
    number = number + 1
    if number > MOST_LINES then
      table.insert(wrong, 1, ("it wrote more than %d lines; the others are not read"):format(
        MOST_LINES))
      break
    end
    local candidate, problem = candidate_of(line)
    if candidate then
      local file = ("%s-%s"):format(candidate.name,
        orrery.tools.checksum(candidate.lua):sub(1, 8))
      list[#list + 1] = { path = ("%s/%s.lua"):format(self.folder, file), file = file,
        lua = candidate.lua }
    else
      wrong[#wrong + 1] = ("line %d: %s"):format(number, problem)
    end
  end
  return list, wrong
end

function Proposer:propose(request)
  command.make_folder(self.folder)
  local name = ("%s/round-%d"):format(self.folder, request.round)
  orrery.tools.write_file(name .. ".request", request_text(request, remarks_on(self, request)))
  local text, problem = run(self, name)
  local answer = { problems = { problem } }
  local list, wrong = self:candidates(text)
  for i = 1, math.min(#list, request.count) do
    orrery.tools.write_file(list[i].path, list[i].lua)
    answer[i] = list[i].path
  end
  table.move(wrong, 1, math.min(#wrong, MOST_WRONG), #answer.problems + 1, answer.problems)
  if #wrong > MOST_WRONG then
    table.insert(answer.problems, ("%d more lines like these"):format(#wrong - MOST_WRONG))
  end
  return answer
end

-- The function that orrery.search asks.
--   folder  where candidates are kept;  seconds  that the command may take in a round
function proposer.new(line, folder, seconds)
  local self = setmetatable({ command = line, folder = folder,
    seconds = seconds or proposer.SECONDS }, Proposer)
  return function(request) return self:propose(request) end
end

return proposer
