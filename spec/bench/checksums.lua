-- checksums: a line for every case, with a checksum of its schedules and metrics. A change that is
-- to leave all results as they are, to the bit, prints the same lines before and after:
--
--   ./orrery spec/bench/checksums.lua [LOG ...] > before
--
-- The cases are every shipped policy on the bundled month and on the given logs, with and without
-- failures, checkpoints, windows and placements, and copies of simulations at random instants.
local orrery = require "orrery"

local POLICIES = {
  "greedy", "easy", "easy-sjf", "conservative", "fcfs", "shelf", "shelf-nofill", "list",
  "list:reservations=3", "list:reservations=all", "list:reservations=2,reading=head", "aging",
  "checkpoint-aware", "easy-plus-plus", "easy-proactive", "error-aware", "fair-share", "knapsack",
  "likely-short", "lookahead", "partitions", "preemptive", "recorded",
}
local PRIORITIES = { "spt", "wfp3", "random" }

local function add(words, sum)
  for i = 1, #words do sum = (sum ~ words:byte(i)) * 0x100000001b3 end
  return sum
end

local function checksum_of(text) return ("%016x"):format(add(text, -0x340d631b7bdddcdb)) end

local directory = os.tmpname()
os.remove(directory)

local function read(name)
  local file = io.open(directory .. name, "rb")
  if not file then return "none" end
  local text = file:read "a"
  file:close()
  os.remove(directory .. name)
  return text
end

-- Runs the program; an error is a result, too, but for the command line in it.
local function print_case(log, name, options)
  local schedule = options:find("--runs", 1, true) and ""
    or "--schedule " .. directory .. ".schedule.csv"
  local ok = os.execute(("./orrery replay %s %s --wide drop --quiet --threads 1 %s --csv %s 2> %s")
    :format(log, schedule, options, directory .. ".metrics.csv", directory .. ".errors"))
  local text = read ".schedule.csv" .. read ".metrics.csv"
  if not ok then text = text .. read ".errors":gsub("command:[^\n]*", "") end
  read ".errors"
  print(checksum_of(text), log:match "[^/]*$", name)
end

local SITUATIONS = {
  { "plain", "" },
  { "walltimes", "--walltimes log" },
  { "failures", "--walltimes log --q 0.02" },
  { "scenarios", "--q 0.03 --runs 2" },
  { "batch", "--batch --q 0.02 --runs 2" },
  { "nodes", "--walltimes log --node-mtbf 50y --node-procs 64 --node-repair 4h" },
  { "checkpoints", "--walltimes log --node-mtbf 50y --node-procs 64 --checkpoint daly "
    .. "--checkpoint-cost 120" },
  { "events", "--walltimes log --instant ends-first" },
}

for _, log in ipairs { "", table.unpack(arg) } do
  for _, situation in ipairs(SITUATIONS) do
    for _, policy in ipairs(POLICIES) do
      print_case(log, situation[1] .. " " .. policy,
        situation[2] .. " --policy dispatch/" .. policy)
    end
    for _, priority in ipairs(PRIORITIES) do
      for _, policy in ipairs { "easy", "conservative", "list:reservations=all" } do
        print_case(log, situation[1] .. " " .. policy .. " " .. priority, situation[2]
          .. " --priority " .. priority .. " --policy dispatch/" .. policy)
      end
    end
  end
  for _, place in ipairs { "named", "contiguous", "nodes", "reliable" } do
    for _, policy in ipairs { "greedy", "easy", "conservative", "fcfs", "list:reservations=all" } do
      print_case(log, "place " .. place .. " " .. policy, "--walltimes log --policy dispatch/"
        .. policy .. " --set place=" .. place .. " --node-procs 64 --node-mtbf 50y")
    end
  end
end

-- Copies at random instants: each has the same future.
local jobs = orrery.read "data/mira/sample-2019-06.csv"
for _, policy in ipairs(POLICIES) do
  local lines, sum = {}, 0x12345
  local _, message = pcall(function()
    local session = orrery.session { jobs = jobs, policy = "dispatch/" .. policy,
      walltimes = "log", errors = { mean_probability = 0.02 }, seed = 3 }
    for i = 1, 4 do
      sum = add(policy .. i, sum)
      session:run_until(session.now + (sum & 0xffff) * 3)
      lines[i] = ("%a %a"):format(session.now, session:fork():finish().makespan)
    end
    return ("%a"):format(session:finish().makespan)
  end)
  lines[#lines + 1] = tostring(message)
  print(checksum_of(table.concat(lines, "\n")), "copies", policy)
end
