-- Conformance: the cases of spec/conformance, the schedules of a simulator for them, and the rules
-- that these break. spec/conformance/README.md describes the files of a case.
local command = require "orrery.command.command"
local csv = require "orrery.command.csv"
local lists = require "orrery.support.lists"
local lfs = require "lfs"
local orrery = require "orrery"
local progress = require "orrery.command.progress"

local conformance, quote = {}, orrery.tools.quote

-- --- files --------------------------------------------------------------------------------------

-- A CSV, as a list of tables by the names of its columns; blanks around cells do not count.
local function rows_of(text)
  return csv.rows((("\n" .. text .. "\n"):gsub("[ \t]*([,\r\n])[ \t]*", "%1")))
end

-- Starts by job: id -> list of times, in their order; attempts of a job may be named 7#1, 7#2. nil
-- and the error where the rows are wrong.
local function starts_of(rows)
  local starts = {}
  for i, row in ipairs(rows) do
    local id = (row.id or row.job_id or ""):gsub("#%d+$", "")
    local start = tonumber(row.start or row.starting_time)
    if id == "" or not start then
      return nil, ("row %d has no id (job_id) or no start (starting_time)"):format(i + 1)
    end
    starts[id] = starts[id] or {}
    table.insert(starts[id], start)
  end
  for _, list in pairs(starts) do table.sort(list) end
  return starts
end

-- The starts of a case for a policy, perhaps with a fault, or with another rule for instants; nil:
-- the case has none.
local function rows_for(case, policy, fault, instant)
  local rows = lists.those(case.expected, function(row)
    return row.policy == policy and row.fault == (fault or "") and row.instant == (instant or "")
  end)
  return rows[1] and starts_of(rows)
end

-- The same, where a rule for instants that changes nothing has no rows of its own.
local function expected_of(case, policy, fault, instant)
  return instant and rows_for(case, policy, fault, instant) or rows_for(case, policy, fault)
end

-- The rows of a file, with numbers for texts; nil where the file does not exist.
local function numbers_of(path)
  local text = command.read_file(path)
  if not text then return nil end
  local rows = rows_of(text)
  for _, row in ipairs(rows) do
    for name, value in pairs(row) do row[name] = math.tointeger(tonumber(value)) end
  end
  return rows
end

local function read_case(folder, name)
  local path = folder .. "/" .. name
  local text = command.read_file(path .. "/case.txt")
  if not text then return nil end
  local case = { name = name, path = path, workload = path .. "/workload.csv" }
  for key, value in text:gmatch "(%w+): ([^\n]*)" do case[key] = value end
  case.procs = math.tointeger(tonumber(case.procs))
  case.failures = numbers_of(path .. "/failures.csv")
  case.maintenance = numbers_of(path .. "/maintenance.csv")
  case.expected = rows_of(command.read_file(path .. "/starts.csv") or "")
  return case
end

-- The cases in a folder, by name; only those in `names`, unless it is empty.
function conformance.cases(folder, names)
  local cases, wanted = {}, {}
  for _, name in ipairs(names or {}) do wanted[name] = false end
  if lfs.attributes(folder, "mode") ~= "directory" then
    command.misuse("there is no folder %s with cases", folder)
  end
  for name in lfs.dir(folder) do
    if next(wanted) == nil or wanted[name] ~= nil then
      local case = name:sub(1, 1) ~= "." and read_case(folder, name)
      if case then cases[#cases + 1], wanted[name] = case, next(wanted) ~= nil or nil end
    end
  end
  for name, found in pairs(wanted) do
    if not found then command.misuse("there is no case '%s' in %s", name, folder) end
  end
  table.sort(cases, function(a, b) return a.name < b.name end)
  return cases
end

-- --- simulators ---------------------------------------------------------------------------------

local POLICIES = { fcfs = "dispatch/fcfs", easy = "dispatch/easy",
  ["easy-sjbf"] = "dispatch/easy-sjf", conservative = "dispatch/conservative" }

-- Orrery's own schedule of a case, as rows.
function conformance.own(case, policy)
  local m = policy:match "^list:(%d+)$"
  local session = orrery.session {
    jobs = orrery.read(case.workload), procs = case.procs, walltimes = "log",
    policy = m and "dispatch/list:reservations=" .. m or POLICIES[policy],
    node_failures = case.failures and { log = case.failures } or nil,
  }
  for _, one in ipairs(case.maintenance or {}) do
    session:run_until(one.from)
    session:change { procs = { procs = one.procs, ["until"] = one["until"] } }
  end
  session:finish()
  return lists.map(session:schedule(), function(attempt)
    return { id = attempt.id, start = attempt.start }
  end)
end

-- The last line that a command printed, behind a colon; nothing if it printed none.
local function last_words(text)
  local last = ""
  for line in (text or ""):gmatch "[^\r\n]+" do
    if line:find "%S" then last = ": " .. line end
  end
  return last
end

-- Runs the user's command for a case, at most `seconds` long: rows, or nil and the verdict or the
-- problem.
local function run_command(case, policy, line, seconds)
  local out, swf = orrery.tools.scratch "", orrery.tools.scratch ""
  local said = orrery.tools.scratch ""
  local values = { workload = case.workload, swf = swf, procs = tostring(case.procs),
    policy = policy, case = case.name, out = out,
    failures = case.failures and case.path .. "/failures.csv" or "",
    maintenance = case.maintenance and case.path .. "/maintenance.csv" or "" }
  if line:find("{swf}", 1, true) then
    local text = orrery.read(case.workload):csv "swf"
    orrery.tools.write_file(swf, ("; MaxProcs: %d\n"):format(case.procs) .. text)
  end
  os.remove(out)
  local filled = line:gsub("{(%w+)}", function(name)
    return values[name] and quote(values[name])
  end)
  -- The terminal's Ctrl-C reaches neither us, who wait, nor timeout, which has its own group.
  local _, how, status = os.execute(("trap 'kill $!; trap - INT; kill -INT $$' INT; timeout -k 1 "
    .. "%.3f sh -c %s >%s 2>&1 & wait $!"):format(seconds, quote(filled), quote(said)))
  local text, words = command.read_file(out), last_words(command.read_file(said))
  for _, path in ipairs { out, swf, said } do os.remove(path) end
  if how == "signal" then command.interrupted() end
  if how == "exit" and status == 77 then return nil, "not there" end
  if how == "exit" and status == 124 then
    return nil, ("the command does not end within %g s"):format(seconds)
  end
  if how == "exit" and (status == 126 or status == 127) then
    command.fail("--command cannot be run: sh says %d, %s, for: %s", status,
      status == 127 and "not found" or "not executable", line)
  end
  if status ~= 0 or how ~= "exit" then
    return nil, ("the command ended with %s %d%s"):format(how, status, words)
  end
  if not text then return nil, "the command wrote no starts" .. words end
  return rows_of(text)
end

-- --- verdicts -----------------------------------------------------------------------------------

local function same(a, b)
  if #a ~= #b then return false end
  for i = 1, #a do
    if math.abs(a[i] - b[i]) > 1e-6 then return false end
  end
  return true
end

local function list(times)
  local texts = lists.map(times or {}, function(t) return ("%g"):format(t) end)
  return #texts == 0 and "never" or "at " .. table.concat(texts, " and ")
end

-- The earliest job whose start differs, as a text; nil: none.
local function difference(expected, found)
  local first
  for _, id in ipairs(orrery.tools.sorted(expected)) do
    local other = found[id] or {}
    if not same(expected[id], other) then
      local at = math.min(expected[id][1], other[1] or math.huge)
      if not first or at < first.at then
        first = { at = at, text = ("job %s starts %s, not %s"):format(id, list(other),
          list(expected[id])) }
      end
    end
  end
  for id in pairs(found) do
    if not expected[id] then return ("there is no job %s"):format(id) end
  end
  return first and first.text
end

local function judge(case, policy, rows, problem)
  local result = { case = case, policy = policy }
  local found
  if rows then found, problem = starts_of(rows) end
  if problem == "not there" then
    result.verdict = "not there"
    return result
  end
  local expected = expected_of(case, policy)
  result.found = found
  result.problem = not found and problem or difference(expected, found)
  result.verdict = result.problem and "broken: " .. result.problem or "ok"
  return result
end

-- Runs every case with its policies: list of { case =, policy =, verdict =, problem =, found = }.
--   line      the user's command; nil: Orrery
--   seconds   how long a command may take
--   policies  only these, unless the list is empty
--   tell      called with each result as it is there
function conformance.run(cases, line, seconds, policies, tell)
  local results, wanted = {}, lists.set(policies or {})
  for _, case in ipairs(cases) do
    for policy in case.policies:gmatch "%S+" do
      if not next(wanted) or wanted[policy] then
        local rows, problem = progress.doing(case.name .. ", " .. policy,
          line and run_command or conformance.own, case, policy, line, seconds)
        results[#results + 1] = judge(case, policy, rows, problem)
        tell(results[#results])
      end
    end
  end
  return results
end

-- The broken rules, in order of the cases, and rule -> results. Cases of all rules at once come
-- last: they are for schedulers that break no single rule.
function conformance.broken(results)
  local rules, broken = {}, {}
  for _, r in ipairs(results) do
    if r.problem then
      if not broken[r.case.rule] then
        broken[r.case.rule] = {}
        rules[#rules + 1] = r.case.rule
      end
      table.insert(broken[r.case.rule], r)
    end
  end
  table.sort(rules, function(a, b)
    if (a == "all") ~= (b == "all") then return b == "all" end
    return a < b
  end)
  return rules, broken
end

function conformance.counts(results)
  local counts = { ok = 0, broken = 0, follows = 0, none = 0 }
  for _, r in ipairs(results) do
    local kind = r.problem and "broken" or r.follows and "follows" or r.found and "ok" or "none"
    counts[kind] = counts[kind] + 1
  end
  return counts
end

-- --- explanations -------------------------------------------------------------------------------

local INSTANTS = { "ends-first", "submissions-first", "pyss" }

-- The faults that the cases know: a list of their names, such as "real-runtimes" or, of two at
-- once, "made-anew+real-runtimes"; and fault -> the case that shows it.
local function faults_of(results)
  local own, seen, names = {}, {}, {}
  for _, r in ipairs(results) do
    if r.case.fault then own[r.case.fault] = r.case end
    for _, row in ipairs(r.case.expected) do
      if row.fault ~= "" and not seen[row.fault] then
        seen[row.fault], names[#names + 1] = true, row.fault
      end
    end
  end
  table.sort(names, function(a, b) return #a < #b or (#a == #b and a < b) end)
  return names, own
end

-- The rules that a fault breaks, as text, and the cases that show it.
local function rules_of(fault, own)
  local rules, cases = {}, {}
  for one in fault:gmatch "[^+]+" do
    rules[#rules + 1] = own[one] and own[one].rule
    if own[one] then cases[own[one]] = true end
  end
  return (#rules > 1 and "rules " or "rule ") .. table.concat(rules, " and "), cases
end

-- Whether the order of events at one instant changes the schedule of a case.
local function has_ties(case, policy, fault)
  return lists.find(INSTANTS, function(instant) return rows_for(case, policy, fault, instant) end)
end

-- The results of a policy that equal its schedules with a fault or with another rule for instants;
-- nil if one does not. A case in which ties decide is left out where `without_ties`.
local function explained_by(results, policy, fault, instant, without_ties)
  local found = {}
  for _, r in ipairs(results) do
    local wanted = r.policy == policy and r.verdict ~= "not there"
      and expected_of(r.case, policy, fault, instant)
    if wanted and not (without_ties and has_ties(r.case, policy, fault)) then
      if not r.found or difference(wanted, r.found) then return nil end
      found[#found + 1] = r
    end
  end
  return found[1] and found
end

-- The rules for instants under which a policy breaks no rule: a list, and the results.
local function conventions_of(results, policy)
  local instants, those = {}, nil
  for _, instant in ipairs(INSTANTS) do
    local found = explained_by(results, policy, nil, instant)
    if found then instants[#instants + 1], those = instant, found end
  end
  return instants, those
end

-- A fault of a policy, also where it has a rule of its own for instants, and its results.
local function fault_of(results, policy, names)
  for _, fault in ipairs(names) do
    for i = 0, #INSTANTS do
      local found = explained_by(results, policy, fault, INSTANTS[i])
      if found then return fault, found end
    end
  end
  for _, fault in ipairs(names) do
    local found = explained_by(results, policy, fault, nil, true)
    if found and not explained_by(results, policy, nil, nil, true) then return fault, found end
  end
end

local function policies_that_break(results)
  local policies, seen = {}, {}
  for _, r in ipairs(results) do
    if r.problem and not seen[r.policy] then
      seen[r.policy], policies[#policies + 1] = true, r.policy
    end
  end
  return policies
end

-- Explains the results of policies that break rules, and changes them: what only follows from
-- another rule for instants breaks nothing, and what a fault explains counts once, in the fault's
-- own case. Returns lines of text.
function conformance.explain(results)
  local lines = {}
  local names, own = faults_of(results)
  for _, policy in ipairs(policies_that_break(results)) do
    local instants, those = conventions_of(results, policy)
    local fault, found
    if not those then fault, found = fault_of(results, policy, names) end
    if those then
      local shown = table.concat(instants, " or ")
      for _, r in ipairs(those) do
        r.verdict, r.problem = r.problem and ("ok (%s)"):format(shown) or r.verdict, nil
      end
      lines[#lines + 1] = ("%s: all %d schedules keep the rules, with another convention for what "
        .. "happens at one instant (--instant %s)"):format(policy, #those, shown)
    elseif fault then
      local rules, shown = rules_of(fault, own)
      for _, r in ipairs(results) do
        if r.policy == policy and r.problem and not shown[r.case] then
          r.verdict, r.problem, r.follows = "follows from " .. fault, nil, fault
        end
      end
      lines[#lines + 1] = ("%s: all %d schedules that tell faults apart are those of one that "
        .. "breaks the %s (%s)"):format(policy, #found, rules, fault:gsub("%+", ", "))
    end
  end
  return lines
end

return conformance
