-- description: statistics of a log, as jobs:describe gives them. draw/log.lua draws them.

local checks = require "orrery.support.checks"
local clock = require "orrery.support.clock"
local core = require "orrery.core"
local csv = require "orrery.support.csv"
local json = require "orrery.support.json"
local labels = require "orrery.schema.labels"
local names = require "orrery.support.names"
local text_or_file = require "orrery.support.text_or_file"

local described = setmetatable({}, { __mode = "k" }) -- the jobs of a description

local Description = { __name = "orrery.log_description" }
Description.__index = Description

-- The spreads, in the order in which they are shown.
Description.SPREADS = { "width", "runtime", "walltime", "accuracy", "wait", "slowdown",
  "interarrival" }

-- The kinds of labels that are shown as shares, in this order.
Description.SHARES = { "user", "queue", "partition", "account", "qos", "status" }

-- The number of dropped records for each reason: { { reason =, records =, line =, id =, detail = },
-- ... }; line, id and detail belong to the first record of each reason.
local function dropped(jobs)
  local list, of = json.list {}, {}
  for _, record in ipairs(jobs:dropped()) do
    if not of[record.reason] then
      of[record.reason] = { reason = record.reason, records = 0, line = record.line,
        id = record.id, detail = record.detail }
      list[#list + 1] = of[record.reason]
    end
    of[record.reason].records = of[record.reason].records + 1
  end
  return list
end

local LOG_COLUMNS = { "id", "submit", "procs", "runtime", "walltime", table.unpack(labels.names) }

-- A sentence on the columns that were not read, of a plain CSV each with the column that was
-- probably meant; nil: all were. As core.log_remarks gives them.
local function unread(columns, remarks)
  if remarks.ignored == 0 then return nil end
  local list = {}
  for name in columns:gmatch "[^,]+" do
    name = name:match "^ ?(.*)$"
    local near = remarks.plain and names.nearest(name, LOG_COLUMNS)
    list[#list + 1] = near and ("%s (did you mean %s?)"):format(name, near) or name
  end
  local more = remarks.ignored - #list
  return ("columns of the log that are not read: %s%s"):format(table.concat(list, ", "),
    more > 0 and (" and %d more"):format(more) or "")
end

-- log: from which the jobs were chosen, nil: all of it.
local function describe(jobs, options, log)
  options = options or {}
  checks.fields("describe", options, "jobs.DescribeOptions")
  local procs = options.procs
  checks.expect(procs == nil or math.type(procs) == "integer" and procs > 0 and procs < 2^31,
    "describe: procs", "a whole number of processors", ("'%s'"):format(procs))
  local tau = options.tau or 60
  checks.expect(type(tau) == "number" and tau > 0 and tau < math.huge, "describe: tau",
    "a time above 0 s", ("'%s'"):format(tau))
  local d = core.describe_jobs(jobs, procs or 0, tau)
  local _, _, columns, remarks = core.log_remarks(jobs)
  if not procs then remarks[#remarks + 1] = remarks.machine end
  d.not_modelled, d.remedy, d.not_read = remarks.asked, remarks.remedy, unread(columns, remarks)
  d.remarks = json.list(table.move(remarks, 1, #remarks, 1, {}))
  d.shares, d.dropped = core.shares(jobs), dropped(log or jobs)
  d.zone = jobs.zone
  d.first_date, d.last_date = d.first and jobs:date(d.first), d.last and jobs:date(d.last)
  described[d] = jobs
  return setmetatable(d, Description)
end

-- The date of a time of the log; nil in logs without dates.
function Description:date(time) return clock.date(time, described[self]) end

-- Every number of the tables as a row: its object, its name, its value.
function Description:rows()
  local rows = {}
  local function add(of, what, value)
    rows[#rows + 1] = { of = of, what = what, value = value }
  end
  for _, name in ipairs(names.sorted(self)) do
    if type(self[name]) ~= "table" then add("log", name, self[name]) end
  end
  for _, name in ipairs(Description.SPREADS) do
    for _, what in ipairs(names.sorted(self[name] or {})) do add(name, what, self[name][what]) end
  end
  for hour, count in ipairs(self.by_hour) do add("by_hour", ("%02d"):format(hour - 1), count) end
  for day, count in ipairs(self.by_weekday or {}) do
    add("by_weekday", Description.WEEKDAYS[day], count)
  end
  for _, kind in ipairs(Description.SHARES) do
    for _, share in ipairs(self.shares[kind] or {}) do
      for _, what in ipairs { "jobs", "area", "waited", "mean_wait", "high_wait" } do
        add(kind .. " " .. (share.name or ""), what, share[what])
      end
    end
  end
  for _, one in ipairs(self.dropped) do add("left out", one.reason, one.records) end
  return rows
end

Description.WEEKDAYS = { "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday",
  "Sunday" }

function Description:csv(path)
  return text_or_file(csv.text({ "of", "what", "value" }, self:rows()), path)
end

function Description:json(path) return text_or_file(json.text(json.exact(self)), path) end

return { class = Description, of = describe, unread = unread }
