-- FCFS, EASY, conservative backfilling and R-LIST-Q (list-all) on logs of real machines: the start
-- of every job is that of the naive simulator. With the log's load and twice and three times as
-- much, planned with runtimes and with the log's walltimes, and with many jobs at one instant;
-- conservative backfilling also with walltimes that the model of users draws.
--
-- The naive simulator plans every waiting job at every instant: where the queue is long it takes
-- the beginning of the log. ORRERY_ALL=1 in the environment holds whole logs against it (minutes).
local orrery = require "orrery"
local naive = require "spec.support.naive_online"
local logs = require "spec.support.logs"

local WHOLE = os.getenv "ORRERY_ALL" ~= nil

-- At most so many jobs of the log's beginning, and where all reserve at load 1, 2 and 3.
local LOGS = {
  { name = "the bundled month", path = orrery.home .. "/data/mira/sample-2019-06.csv",
    most = 1200, first = { 500, 300, 200 } },
  { name = "HPC2N 2002", file = "hpc2n-2002.swf",
    most = 9999, first = { 9999, 900, 400 } },
  { name = "Mira, January 2019", file = "mira-2019-01.csv",
    most = 9999, first = { 600, 300, 200 }, share = 0.8 }, -- its jobs are long for the model
}

-- The first n jobs; their submissions rounded down to multiples of `grid` s.
local function prepared(log, n, grid)
  local list = {}
  for i, job in ipairs(log) do
    if i > n then break end
    job.submit = grid and job.submit // grid * grid or job.submit
    list[i] = job
  end
  return orrery.jobs(list)
end

-- What differs, as text; nil where nothing does. Also the most jobs that waited.
local function difference(jobs, procs, policy, walltimes)
  local list, names = {}, { ["list-all"] = "list:reservations=all" }
  for i, job in ipairs(jobs) do
    job.estimate = walltimes == "log" and job.walltime or job.time
    list[i] = job
  end
  local session = orrery.session {
    jobs = jobs, procs = procs, policy = "dispatch/" .. (names[policy] or policy),
    walltimes = walltimes,
  }
  session:finish()
  local starts, longest = naive.run(list, procs, policy)
  local schedule = session:schedule()
  if #schedule ~= #jobs then return ("%d of %d jobs started"):format(#schedule, #jobs) end
  for _, attempt in ipairs(schedule) do
    local start = starts[attempt.position]
    if attempt.start ~= start then
      return ("job %s starts at %.17g, expected %.17g"):format(attempt.id, attempt.start, start)
    end
  end
  assert(session:check())
  return nil, longest
end

for _, given in ipairs(LOGS) do
  describe("every job starts when the naive simulator says, on " .. given.name, function()
    local log, procs

    -- Inside a spec: only there the log can be missing.
    local function read(skip)
      log = log or orrery.read(given.path or logs.path(given.file, skip))
      procs = log.machine_procs
    end

    local reserves = { conservative = true, ["list-all"] = true }
    for _, policy in ipairs { "fcfs", "easy", "conservative", "list-all" } do
      it("with " .. policy, function()
        read(pending)
        local waited = 0
        for _, case in ipairs { { 1, "runtime" }, { 1, "log" }, { 2, "runtime" }, { 3, "log" } } do
          local load, walltimes = table.unpack(case)
          local n = WHOLE and #log or reserves[policy] and given.first[load] or given.most
          local problem, longest = difference(prepared(log, n):load(load), procs, policy, walltimes)
          assert.is_nil(problem, ("load %d, %s: %s"):format(load, walltimes, problem))
          waited = math.max(waited, longest)
        end
        assert.is_true(waited > 50) -- or nothing was tested
      end)

      it("with " .. policy .. ", many jobs at one instant", function()
        read(pending)
        local n = WHOLE and #log or reserves[policy] and given.first[3] or given.most
        for _, hours in ipairs { 1, 12 } do
          for _, walltimes in ipairs { "runtime", "log" } do
            local problem = difference(prepared(log, n, hours * 3600), procs, policy, walltimes)
            assert.is_nil(problem, ("every %d h, %s: %s"):format(hours, walltimes, problem))
          end
        end
      end)
    end

    it("with conservative, and walltimes of the model of users", function()
      read(pending)
      for _, load in ipairs { 1, 2 } do
        local jobs = prepared(log, WHOLE and #log or given.first[load]):load(load)
        local planned = jobs:user_estimates { share = given.share }
        local problem = difference(planned, procs, "conservative", "log")
        assert.is_nil(problem, ("load %d: %s"):format(load, problem))
      end
    end)
  end)
end
