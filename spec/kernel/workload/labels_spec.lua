-- Labels of jobs: the numbers of texts take 1, 2 or 4 bytes each, as many as the largest needs.
local orrery = require "orrery"
local rounds = require "spec.support.rounds"
local temporary = require "spec.support.temporary"

-- A log with so many users in the order in which they come, and what it says of each job. Every
-- seventh job names no user, and the first queue comes late.
local function log_of(users, order)
  local lines, said = { "id,submit,procs,runtime,user,queue" }, {}
  for i, user in ipairs(order) do
    local one = { user = i % 7 > 0 and "u" .. user or nil,
      queue = i > users // 2 and "q" .. i % 3 or nil }
    said[i] = one
    lines[i + 1] = ("%d,%d,1,1,%s,%s"):format(i, i, one.user or "", one.queue or "")
  end
  return table.concat(lines, "\n"), said
end

local function assert_said(said, jobs, first)
  for i, job in jobs:each() do
    local one = said[i + first]
    if one.user ~= job.user or one.queue ~= job.queue then error("job " .. i) end
  end
end

local function check(users, order)
  local text, said = log_of(users, order)
  local jobs = temporary.file("FILE", text, orrery.read)
  assert.equal(#order, #jobs)
  assert_said(said, jobs, 0)
  local middle = #order // 2
  assert_said(said, jobs:between(middle + 1, #order + 1), middle)
  return jobs
end

describe("labels of jobs", function()
  it("are those of the log, however many there are", function()
    for _, users in ipairs { 1, 252, 253, 254, 255, 256, 66000 } do
      local order = {}
      for i = 1, users do order[i] = i end
      check(users, order)
    end
  end)

  it("are those of the log, in any order", function()
    local rng = orrery.random(4)
    for _ = 1, rounds(40) do
      local users, order = rng:integer(1, 600), {}
      for i = 1, rng:integer(1, 900) do order[i] = rng:integer(1, users) end
      check(users, order)
    end
  end)
end)
