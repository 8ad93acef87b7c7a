-- Measures what `make bench-tables` shows. Programs that are compared run in turns, so that a busy
-- machine slows all of them; the median of the rounds counts, and ratios are what to look at.
local logs = dofile "spec/bench/logs.lua"
local orrery = require "orrery"

local ROUNDS = 5
local folder = os.getenv("ORRERY_BENCH") or "build/bench"

local function median(list)
  table.sort(list)
  return list[(#list + 1) // 2]
end

local function capture(command)
  local pipe = assert(io.popen(command, "r"))
  local text = pipe:read("a")
  assert(pipe:close(), command)
  return text
end

-- Microseconds per scenario of a C program that prints `ratio microseconds ...`.
local function program(command)
  return function()
    local ratio, microseconds = capture(command):match("(%S+) (%S+)")
    return tonumber(microseconds), tonumber(ratio)
  end
end

local synthetic = orrery.synthetic { seed = 1, set = 0 }

local function from_lua(q, runs, policy, priority)
  return function()
    local begin = os.clock()
    local result = orrery.compare {
      jobs = synthetic, procs = 10000, runs = runs, policy = policy, priority = priority,
      errors = { mean_probability = q }, threads = 1,
    }
    return (os.clock() - begin) / runs * 1e6, result:summary(1).mean
  end
end

-- Runs the candidates in turns: the median of each.
local function race(candidates)
  local times, check = {}, {}
  for _ = 1, ROUNDS do
    for i, candidate in ipairs(candidates) do
      times[i] = times[i] or {}
      times[i][#times[i] + 1], check[i] = candidate()
    end
  end
  for i, list in ipairs(times) do times[i] = median(list) end
  return times, check
end

local function heading(text) print("\n" .. text .. "\n" .. ("-"):rep(#text)) end

heading "Greedy LPT, 100 jobs, P = 10000, q = 0.3, one core: microseconds per scenario"
do
  local runs = 20000
  local times, ratios = race {
    program(("%s/bare 0.3 %d"):format(folder, runs)),
    program(("%s/client greedy 0.3 %d"):format(folder, runs)),
    from_lua(0.3, runs, "dispatch/greedy", "priority/lpt"),
    from_lua(0.3, runs, "dispatch/greedy", function(job) return job.time end),
  }
  local names = { "a bare C loop", "the kernel, from C", "from Lua, priority/lpt",
    "from Lua, a function for priority" }
  for i, name in ipairs(names) do
    print(("%-36s %8.2f us   %.2f of the bare loop   (mean ratio %.6f)"):format(name, times[i],
      times[i] / times[1], ratios[i]))
  end
  print(("%-36s %+.1f%%"):format("price of the Lua priority", 100 * (times[4] / times[2] - 1)))
end

-- About half a second per cell and way; both ways run in turns.
heading "Every discipline with LPT, us per scenario: the plain event loop, short ways, the factor"
do
  local disciplines = { "greedy", "easy", "list-all", "shelf", "shelf-nofill" }
  local plain_runs = { [0] = 4000, [0.3] = 1000, [0.6] = 400, [0.9] = 40 }
  print(("%-14s"):format("q") .. ("%26s"):rep(4):format(0, 0.3, 0.6, 0.9))
  for _, name in ipairs(disciplines) do
    local cells = {}
    for _, q in ipairs { 0, 0.3, 0.6, 0.9 } do
      local runs = plain_runs[q] // (name == "list-all" and 20 or 1)
      local command = ("%s/client %s %g %d"):format(folder, name, q, runs)
      local times, ratios = race { program(command .. " plain"), program(command) }
      assert(ratios[1] == ratios[2], "the two ways differ")
      cells[#cells + 1] = ("%10.1f %8.1f %6.1f"):format(times[1], times[2], times[1] / times[2])
    end
    print(("%-14s"):format(name) .. table.concat(cells))
  end
end

heading "Hooks in Lua: microseconds per scenario, against the same in C"
do
  local runs = 2000
  local function first_fit(sim)
    for job in sim:fitting() do sim:start(job) end
  end
  local times = race {
    from_lua(0.3, runs, "dispatch/greedy", "priority/lpt"),
    from_lua(0.3, runs, { dispatch = first_fit }, "priority/lpt"),
    from_lua(0.3, runs, "dispatch/greedy",
      { per = "attempt", priority = function(job) return job.time end }),
    from_lua(0.3, runs, "dispatch/greedy", "priority/random"),
  }
  local names = { "all in C", "dispatch in Lua", "priority per attempt", "priority per scenario" }
  for i, name in ipairs(names) do
    print(("%-24s %8.1f us   %.1f times the first"):format(name, times[i], times[i] / times[1]))
  end
end

-- In random orders: of equal scenarios only the first would be simulated in the kernel.
heading "EASY in Lua (the example of policies/README.md), in times of the kernel's dispatch/easy"
do
  local function example(sim)
    for job in sim:waiting() do
      if not sim:can_start(job) then
        sim:reserve(job)
        break
      end
      sim:start(job)
    end
    for job in sim:fitting() do
      if sim:can_start(job) then sim:start(job) end
    end
  end
  local function to_the_end(sim)
    local reserved = false
    for job in sim:waiting() do
      if sim:can_start(job) then
        sim:start(job)
      elseif not reserved then
        sim:reserve(job)
        reserved = true
      end
    end
  end
  local function called(sim) sim:list() end
  local month = orrery.read(orrery.home .. "/data/mira/sample-2019-06.csv")
  local cases = {
    { "one day, all at once", month:day "2019-06-06", true, 100 },
    { "the month, as submitted", month, false, 10 }, { "the month, all at once", month, true, 3 },
  }
  for _, case in ipairs(cases) do
    local function easy(policy)
      return function()
        local begin = os.clock()
        local result = orrery.compare {
          jobs = case[2], batch = case[3], runs = case[4], policy = policy, priority = "random",
          threads = 1,
        }
        return (os.clock() - begin) / case[4] * 1e6, result:summary(1).mean
      end
    end
    local times, ratios = race { easy "dispatch/easy", easy { dispatch = called },
      easy { dispatch = example }, easy { dispatch = to_the_end } }
    for i = 2, 4 do assert(ratios[1] == ratios[i], "not EASY") end
    print(("%-26s %10.1f us   sim:list() %.1f times that, the example %.0f times, looking at every "
      .. "job %.0f times"):format(case[1], times[1], times[2] / times[1], times[3] / times[1],
      times[4] / times[1]))
  end
end

heading "Expected times: nanoseconds of one evaluation of t^R, and of libm's expm1 alone"
for _, years in ipairs { 100, 1 } do
  local whole, libm = {}, {}
  for round = 1, ROUNDS do
    local text = capture(("%s/expected %g 10000000"):format(folder, years))
    whole[round], libm[round] = text:match("(%S+) (%S+)")
    whole[round], libm[round] = tonumber(whole[round]), tonumber(libm[round])
  end
  print(("%-36s %8.1f ns   expm1 %.1f ns"):format(("MTBF up to %g years"):format(years),
    median(whole), median(libm)))
end

heading "Redistribution, MTBF 100 years: ms per run on one core, heuristics in C and in Lua"
do
  local cases = {
    { "end-greedy", "iterated-greedy", 1000, 5000, 3 },
    { "end-local", "shortest-tasks-first", 1000, 5000, 20 },
    { "end-greedy", "iterated-greedy", 100, 1000, 100 },
    { "end-local", "shortest-tasks-first", 100, 1000, 500 },
  }
  local function in_lua(case, threads)
    return function()
      local begin = os.clock()
      local result = orrery.compare {
        tasks = { n = case[3] }, procs = case[4], runs = case[5], threads = threads,
        faults = { mtbf_years = 100 }, policy = case[1] .. "+" .. case[2],
      }
      return (os.clock() - begin) / case[5] * 1e6, result:summary(1, "makespan").mean
    end
  end
  for _, case in ipairs(cases) do
    local times, makespans = race {
      program(("%s/redistribute %s %s %d %d %d"):format(folder, table.unpack(case))),
      in_lua(case, 1),
    }
    assert(math.abs(makespans[1] / makespans[2] - 1) < 1e-12, "C and Lua differ")
    print(("%-38s n = %4d, p = %d %9.2f %9.2f   %.2f times C"):format(case[1] .. "+" .. case[2],
      case[3], case[4], times[1] / 1e3, times[2] / 1e3, times[2] / times[1]))
  end
end

heading "Faults of a million processors with an MTBF of 100 years: a reset, and a fault of 10 years"
for _, law in ipairs { "exponential", "weibull", "lognormal" } do
  local resets, each, count = {}, {}, nil
  for round = 1, 3 do
    local text = capture(("%s/faults %s 1000000 10"):format(folder, law))
    resets[round], each[round], count = text:match("(%S+) (%S+) (%S+)")
    resets[round], each[round] = tonumber(resets[round]), tonumber(each[round])
  end
  print(("%-24s %8.3f ms   %5.0f ns each of %d faults"):format(law, median(resets), median(each),
    tonumber(count)))
end

heading "Reading logs on one core"
do
  local function write(path, megabytes, header, line)
    local file = assert(io.open(path, "w"))
    file:write(header)
    local size, i = 0, 0
    while size < megabytes * 1e6 do
      i = i + 1
      local text = line(i)
      size = size + #text
      file:write(text)
    end
    file:close()
    return size
  end
  local path = os.tmpname()
  local formats = {
    { "plain CSV", "id,submit,procs,time\n", function(i)
      return ("%d,%d,%d,%d.5\n"):format(1000000 + i, i * 7, 1 + i * 37 % 2000,
        100 + i * 7919 % 86400)
    end },
    { "Mira CSV, 10 columns",
      "JOB_NAME,COBALT_JOBID,MACHINE_NAME,QUEUED_TIMESTAMP,USERNAME_GENID,WALLTIME_SECONDS,"
      .. "RUNTIME_SECONDS,NODES_USED,NODES_REQUESTED,LOCATION\n", function(i)
        local row = "x%d,%d,mira,2019-06-%02d %02d:%02d:%02d,%d,%d.0,%d,%d.0,%d,MIR-%05X-733F1\n"
        local nodes = 512 * (1 + i % 4)
        return row:format(i, 1000000 + i, 1 + i // 20000 % 28, i // 3600 % 24, i // 60 % 60,
          i % 60, 52388110031247 + i, 86400, 37 + i * 7919 % 86400, nodes, nodes, i)
      end },
    { "SWF", "; MaxProcs: 4096\n", function(i)
      return ("%d %d %d %d %d %d -1 %d %d -1 1 5 1 -1 -1 1 -1 -1\n"):format(i, i * 7, i % 90,
        100 + i * 7919 % 86400, 1 + i % 256, 100, 1 + i % 256, 86400)
    end },
  }
  for _, format in ipairs(formats) do
    local size = write(path, 50, format[2], format[3])
    local times = {}
    local jobs
    for round = 1, 3 do
      collectgarbage()
      local begin = os.clock()
      jobs = orrery.read(path)
      times[round] = os.clock() - begin
    end
    print(("%-24s %6.0f MB/s   %.1f million jobs per second"):format(format[1],
      size / median(times) / 1e6, #jobs / median(times) / 1e6))
  end
  os.remove(path)
end

-- One run of spec/bench/online.c: jobs per second, bytes per job, mean and longest queue,
-- utilisation.
local function online(arguments)
  local numbers = {}
  for number in capture(("%s/online %s"):format(folder, arguments)):gmatch "%S+" do
    numbers[#numbers + 1] = tonumber(number)
  end
  return numbers
end

-- The candidates in turns, the median of each in jobs per second.
local function online_race(candidates)
  local speeds, last = {}, {}
  for _ = 1, 3 do
    for i, arguments in ipairs(candidates) do
      last[i] = online(arguments)
      speeds[i] = speeds[i] or {}
      table.insert(speeds[i], last[i][1])
    end
  end
  for i, list in ipairs(speeds) do last[i][1] = median(list) end
  return last
end

local ONLINE = "%-46s %9.0f jobs/s %6.0f bytes %9.0f %9.0f waiting   utilisation %.3f"

heading("EASY over a generated log of a million jobs, 10000 processors, one core: speed, bytes per "
  .. "job beyond the log, jobs waiting in the mean and at the most")
do
  local cases = {
    { "load 0.85", "easy load=0.85" }, { "load 0.90", "easy load=0.9" },
    { "load 0.95", "easy load=0.95" },
    { "load 0.90, one set of constants", "easy load=0.9 types=whole" },
    { "load 0.90, walltimes up to 5 times the runtime", "easy load=0.9 walltimes=5" },
    { "load 0.90, jobs of a machine of 128", "easy load=0.9 widest=128" },
  }
  local arguments = {}
  for i, case in ipairs(cases) do arguments[i] = case[2] end
  for i, found in ipairs(online_race(arguments)) do
    print(ONLINE:format(cases[i][1], table.unpack(found, 1, 5)))
  end
end

heading "EASY against the length of the queue: 300000 jobs, of which so many are there at first"
for _, more in ipairs { "", " walltimes=5", " types=whole widest=128" } do
  local arguments = {}
  for i, backlog in ipairs { 0, 100, 1000, 10000, 100000 } do
    arguments[i] = ("easy count=300000 backlog=%d%s"):format(backlog, more)
  end
  for i, found in ipairs(online_race(arguments)) do
    local name = arguments[i]:gsub("count=300000 ", "")
    print(ONLINE:format(name, table.unpack(found, 1, 5)))
  end
end

heading "R-LIST-Q, 100000 jobs at a load of 0.90: in times of EASY's time"
for _, more in ipairs { "", " types=whole", " walltimes=5", " types=whole walltimes=5" } do
  local found = online_race { "easy count=100000" .. more, "list-all count=100000" .. more }
  print(("%-46s %9.0f jobs/s   %5.1f times   %.0f bytes"):format(
    more == "" and "two types, exact walltimes" or more:sub(2), found[2][1],
    found[1][1] / found[2][1], found[2][2]))
end

-- spec/bench/promises.cpp goes through all reservations at every end. It is left out where it would
-- take minutes.
heading "Conservative backfilling: the kernel, in times of EASY's time, and a plain C++ program"
for _, case in ipairs {
  { "count=100000 load=0.9", plain = false },
  { "count=100000 load=0.9 walltimes=5", plain = false },
  { "count=20000 load=0.9" }, { "count=20000 load=0.9 walltimes=5" },
  { "count=5000 load=1.5" }, { "count=5000 load=1.5 walltimes=5" },
  { "count=20000 load=1.5 walltimes=5" },
  { "count=230000 load=0.9 walltimes=5 procs=128", plain = false },
  { "count=230000 load=0.95 walltimes=5 procs=128", plain = false },
} do
  local kernel, easy, plain, longest = {}, {}, {}, nil
  for round = 1, 3 do
    local command = ("%s/promises %s%s"):format(folder, case[1],
      case.plain == false and " plain=0" or "")
    local numbers = {}
    for number in capture(command):gmatch "%S+" do numbers[#numbers + 1] = tonumber(number) end
    kernel[round], easy[round], plain[round], longest = table.unpack(numbers, 1, 4)
    assert(numbers[5] == 0, "the two differ")
  end
  local ours = median(kernel)
  local text = ("%-46s %8.3f s %6.1f times EASY   %6d waiting"):format(case[1], ours,
    ours / median(easy), longest)
  if case.plain ~= false then
    text = text .. ("   C++ %8.3f s, %5.1f times ours"):format(median(plain), median(plain) / ours)
  end
  print(text)
end

heading "The same million jobs from Lua, load 0.90"
do
  local jobs = orrery.lublin { procs = 10000, count = 1000000, load = 0.9 }
  local counting = { -- EASY, and two hooks that remember something
    dispatch = { discipline = "list", reservations = 1 },
    init = function(sim) sim.state.procs = 0 end,
    on_submit = function(sim, job)
      local state = sim.state
      state.procs = state.procs + job.procs
    end,
    on_end = function(sim, job)
      local state = sim.state
      state.procs = state.procs - job.procs
    end,
  }
  local hooks = { policy = counting, name = "on_submit and on_end" }
  for _, policy in ipairs { "dispatch/fcfs", "dispatch/greedy", "dispatch/easy", hooks,
    "redirect/threshold", "dispatch/aging" } do
    collectgarbage()
    local begin = os.clock()
    local result = orrery.compare { jobs = jobs, policy = policy, threads = 1 }
    local spent = os.clock() - begin
    print(("%-24s %6.2f s   %.0f jobs per second   utilisation %.3f, mean wait %.0f s"):format(
      result:label(1), spent, #jobs / spent, result:summary(1, "utilisation").mean,
      result:summary(1, "wait_mean").mean))
  end
end

-- The loop prints its seconds, the mean wait, and the jobs that wait at a decision in the mean. The
-- last two cases are logs that no machine keeps up with.
heading "Priorities that depend on the time, EASY: a plain C++ loop, and policies/"
do
  local cases = { { 232000, 0.9 }, { 50000, 1.5 }, { 232000, 1.5 } }
  for _, case in ipairs(cases) do
    local count, load = case[1], case[2]
    local jobs = logs.with_users(count, load)
    for _, name in ipairs { "wfp3", "unicef", "aging", "fair-share" } do
      local is_order = name == "wfp3" or name == "unicef"
      local spec = { jobs = jobs, procs = 10000, threads = 1, policy = is_order and "easy" or name,
        priority = is_order and name or nil }
      local times = { {}, {} }
      local wait, waiting, found
      for round = 1, count > 100000 and load > 1 and 1 or 3 do
        local text = capture(("%s/priorities %s %d %g"):format(folder, name, count, load))
        times[1][round], wait, waiting = text:match "(%S+) (%S+) (%S+)"
        times[1][round] = tonumber(times[1][round])
        collectgarbage()
        local begin = os.clock()
        found = orrery.compare(spec):summary(1, "wait_mean").mean
        times[2][round] = os.clock() - begin
      end
      assert(math.abs(found - tonumber(wait)) <= 1e-6 * found, "the two differ")
      local plain, ours = median(times[1]), median(times[2])
      print(("%-12s %6d jobs, load %.1f, %6.0f waiting   %7.2f s %7.2f s   %.2f times the loop")
        :format(name, count, load, tonumber(waiting), plain, ours, ours / plain))
    end
  end
end

heading "Pictures of 5000 jobs: processor time, and the size of what is written"
do
  local s = orrery.session {
    jobs = orrery.mira_month { count = 5000 }, procs = 49152, policy = "dispatch/easy",
    errors = { mean_probability = 0.02 },
  }
  s:finish()
  local path = os.tmpname() .. ".svg"
  for _, way in ipairs { { "a Gantt chart, SVG", function() s:gantt(path) end },
    { "the same in a terminal of 200 x 50", function()
      return s:show { width = 200, height = 50, colour = true, unicode = true, text = true }
    end },
    { "utilisation and queue, text", function() return s:plot { text = true } end } } do
    collectgarbage()
    local begin = os.clock()
    local text = way[2]()
    local spent = os.clock() - begin
    if not text then
      local file = assert(io.open(path, "rb"))
      text = file:read "a"
      file:close()
    end
    print(("%-46s %6.3f s   %7d bytes"):format(way[1], spent, #text))
  end
  os.remove(path)
end

heading "A million jobs that come one by one, EASY, load 0.9: in times of one log"
do
  local times = { {}, {} }
  local bytes, same
  for round = 1, 3 do
    local text = capture(("%s/submit 1000000 0.9"):format(folder))
    times[1][round], times[2][round], bytes, same = text:match "(%S+) (%S+) (%S+) (%S+)"
    times[1][round], times[2][round] = tonumber(times[1][round]), tonumber(times[2][round])
    assert(same == "1", "the two differ")
  end
  local whole, piecewise = median(times[1]), median(times[2])
  print(("%-24s %6.2f s %6.2f s   %.2f times one log, %d bytes per job"):format("from C", whole,
    piecewise, piecewise / whole, tonumber(bytes)))
  -- In one log means: orrery.jobs of the same tables, a session, and to its end.
  local log, rows = orrery.lublin { procs = 10000, count = 1000000, load = 0.9 }, {}
  for i = 1, #log do
    local job = log[i]
    rows[i] = { id = tostring(i), submit = job.submit, procs = job.procs, runtime = job.runtime }
  end
  local first, second = {}, {}
  for round = 1, 3 do
    collectgarbage()
    local begin = os.clock()
    local one = orrery.session { jobs = orrery.jobs(rows), procs = 10000, policy = "easy" }
    local together = one:finish()
    first[round] = os.clock() - begin
    one = nil -- luacheck: ignore
    collectgarbage()
    begin = os.clock()
    local s = orrery.session { jobs = orrery.jobs { rows[1] }, procs = 10000, policy = "easy" }
    for i = 2, #rows do
      s:run_before(rows[i].submit)
      s:submit(rows[i])
    end
    local apart = s:finish()
    second[round] = os.clock() - begin
    assert(together.wait_mean == apart.wait_mean, "the two differ")
  end
  whole, piecewise = median(first), median(second)
  print(("%-24s %6.2f s %6.2f s   %.2f times one log, %.1f us per job"):format("from Lua", whole,
    piecewise, piecewise / whole, piecewise / #rows * 1e6))
end

dofile "spec/bench/forks.lua"

assert(loadfile("spec/bench/packs.lua"))(folder, heading, median)

heading "Gantt charts in a page: s to simulate and write, MB, ms to open, frames/s while zooming"
for _, count in ipairs { 3000, 100000, 300000 } do
  local page = folder .. "/gantt.html"
  local begin = os.clock()
  local s = orrery.session { procs = 240, policy = "dispatch/easy",
    jobs = orrery.lublin { procs = 240, count = count, load = 0.75, seed = 5 } }
  s:finish()
  s:gantt(page)
  local spent = os.clock() - begin
  local file = assert(io.open(page, "rb"))
  local size = file:seek "end"
  file:close()
  local ok, said = pcall(capture, "node spec/browser/charts.js speed " .. page)
  print(("%7d jobs %8.2f %8.2f %s"):format(count, spent, size / 1e6,
    ok and ("%8.0f %8.1f"):format(said:match "(%S+) (%S+)") or "  no browser can be started"))
end

heading "From the start of the program until it has shown a value: ms"
do
  local program_path = os.getenv "ORRERY" or "./orrery"
  for _, entry in ipairs { "1", "month", "help()" } do
    local times = {}
    for i = 1, 4 * ROUNDS do
      local code = ("a=$(date +%%s%%N); echo '%s' | %s -i >/dev/null; b=$(date +%%s%%N); "
        .. "echo $((b - a))"):format(entry, program_path)
      times[i] = tonumber(capture(code)) / 1e6
    end
    print(("%-8s %6.1f"):format(entry, median(times)))
  end
end
