-- What replay and compare have in common, from the options to the files.
--
-- Everything is simulated before anything is printed or written, so that a command that fails
-- leaves nothing behind.
local command = require "lib.command"
local csv = require "lib.csv"
local options = require "lib.options"
local output = require "lib.output"
local orrery = require "orrery"
local plot = require "lib.plot"
local rows = require "lib.rows"
local runs = require "lib.runs"
local timeline = require "lib.timeline"

local simulate = {}

local function note_dropped(log)
  local counts, reasons = {}, {}
  for _, record in ipairs(log:dropped()) do
    if not counts[record.reason] then reasons[#reasons + 1] = record.reason end
    counts[record.reason] = (counts[record.reason] or 0) + 1
  end
  if #reasons == 0 then return end
  for i, reason in ipairs(reasons) do reasons[i] = counts[reason] .. " x " .. reason end
  print(("note: %d records of the log were left out: %s"):format(#log:dropped(),
    table.concat(reasons, ", ")))
end

-- One row per policy, set and user.
local function write_users(path, result)
  local columns = { "policy", "priority", "set", "user", "jobs", "work", "wait_mean", "wait_max",
    "flow_mean", "bsld_mean", "bsld_max" }
  local list = {}
  for i, policy in ipairs(result.policies) do
    for s, set in ipairs(result.sets) do
      for _, user in ipairs(result:users(i, s)) do
        user.policy, user.priority = policy.name, policy.priority or "fcfs"
        user.set = tostring(set.name)
        list[#list + 1] = user
      end
    end
  end
  orrery.tools.write_file(path, csv.text(columns, list))
end

local function write(given, metric, cases, session)
  local list = (given.table or given.plot) and rows.of(cases, metric)
  local result = cases[1].result
  if given.csv then result:csv(given.csv) end
  if given.json then result:json(given.json) end
  if given.users then write_users(given.users, result) end
  if given.schedule then session:write_schedule(given.schedule) end
  if given.timeline then
    timeline.write(session, given.timeline, result:title():match "^[^,]*" .. ", "
      .. result:label(1))
  end
  if given.table then orrery.tools.write_file(given.table, rows.csv(list, metric)) end
  if given.plot then plot.write(list, metric, given.plot) end
end

-- A command with these options.
--   extra.priorities, extra.schedule   see options.add
--   extra.policies(given)              what orrery.compare takes, from --policy and --priority
--   extra.metric(given)                the metric of table and plot
--   extra.print(given, cases, metric)  shows the results
function simulate.command(parser, extra)
  options.add(parser, extra)
  command.run(parser, function(given)
    options.check(given)
    local metric = extra.metric(given)
    given.quantiles = given.quantiles or rows.is_quantile(metric)
    local policies = extra.policies(given)
    output.check(given)
    if given.plot then plot.check(given.plot) end
    if given.timeline then timeline.check(given.timeline) end
    local log, jobs = runs.read(given)
    local cases = runs.run(given, jobs, policies)
    local session = (given.schedule or given.timeline)
      and runs.record(given, jobs, cases[1], policies[1])
    extra.print(given, cases, metric)
    note_dropped(log)
    write(given, metric, cases, session)
  end)
end

return simulate
