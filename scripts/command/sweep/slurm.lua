-- slurm: a sweep or a search as a job array of Slurm, one shard per task.
--
-- All tasks work in one folder, which every node must see. A task that Slurm requeues, because its
-- node failed or it was preempted, continues where it stopped.
local command = require "orrery.command.command"
local lfs = require "lfs"
local orrery = require "orrery"
local quote = require("orrery").tools.quote

local slurm = {}

-- The options of Slurm, for options.add.
slurm.OPTIONS = {
  { "--slurm", "Submit it to Slurm as a job array, one shard per task; DIR must be where all nodes "
    .. "see it." },
  { "--dry-run", "With --slurm: print the batch script, submit nothing." },
  { "--wait", "With --slurm: wait for the end, then write the results." },
  { "--array N", "Tasks of the job array (default: 4).", kind = "integer", least = 1,
    most = 100000 },
  { "--partition NAME", "Partition of the job array." },
  { "--time T", "Time limit of a task, as sbatch takes it." },
  { "--sbatch OPTION", "A line for sbatch, such as --sbatch=--account=physics; may be given "
    .. "several times.", several = true },
}

local ONLY = { "dry_run", "wait", "array", "partition", "time" }

function slurm.check(given)
  for _, name in ipairs(ONLY) do
    if given[name] and not given.slurm then
      command.misuse("--%s goes with --slurm", (name:gsub("_", "-")))
    end
  end
  if given.slurm and given.shard then
    command.misuse("--shard and --slurm exclude each other: every task has its shard")
  end
end

-- The value of --shard: { I, N, text = }.
function slurm.shard(text)
  local i, n = text:match "^(%d+)/(%d+)$"
  i, n = math.tointeger(i), math.tointeger(n)
  if not i or i < 1 or i > n then
    return nil, ("--shard: expected I/N with I from 1 to N, found '%s'"):format(text)
  end
  return { i, n, text = text }
end

local function absolute(path)
  return path:sub(1, 1) == "/" and path or lfs.currentdir() .. "/" .. path
end

-- The batch script.
--   given  SPEC, out, array (tasks), threads (cores per task), partition, time, sbatch
--   name   of the command;  more: words of it behind these
function slurm.script(given, name, more)
  local program = assert(orrery.tools.executable())
  local out = absolute(given.out)
  local lines = {
    "#!/bin/bash", "#SBATCH --job-name=orrery-" .. name, "#SBATCH --array=1-" .. given.array,
    "#SBATCH --ntasks=1", "#SBATCH --cpus-per-task=" .. (given.threads or 1),
    "#SBATCH --requeue", "#SBATCH --open-mode=append",
    "#SBATCH --output=" .. out .. "/slurm-%a.log",
  }
  if given.partition then lines[#lines + 1] = "#SBATCH --partition=" .. given.partition end
  if given.time then lines[#lines + 1] = "#SBATCH --time=" .. given.time end
  for _, option in ipairs(given.sbatch or {}) do lines[#lines + 1] = "#SBATCH " .. option end
  local words = { program, name, absolute(given.SPEC), "-o", out, "--threads",
    tostring(given.threads or 1) }
  table.move(more, 1, #more, #words + 1, words)
  for i, word in ipairs(words) do words[i] = quote(word) end
  -- relative names in the specification mean the folder where this was started
  lines[#lines + 1] = "cd " .. quote(lfs.currentdir()) .. " || exit 1"
  lines[#lines + 1] = "exec " .. table.concat(words, " ") .. ' --shard "$SLURM_ARRAY_TASK_ID"/'
    .. given.array
  return table.concat(lines, "\n") .. "\n"
end

local function capture(line)
  local pipe = assert(io.popen(line .. " 2>&1"))
  local text = pipe:read "a"
  return pipe:close() == true, (text:gsub("%s+$", ""))
end

-- Writes DIR/slurm.sh and submits it; the number of the job array.
function slurm.submit(given, name, more)
  local path = given.out .. "/slurm.sh"
  orrery.tools.write_file(path, slurm.script(given, name, more))
  local done, text = capture("sbatch --parsable " .. quote(path))
  local job = done and text:match "^(%d+)"
  if not job then
    command.fail("cannot submit %s: %s", path, text ~= "" and text or "is Slurm installed here?")
  end
  return job
end

-- Whether a job array has unfinished tasks.
local function is_under_way(job)
  local done, text = capture("squeue --noheader --format=%A --jobs " .. job)
  -- Slurm forgets jobs some minutes after their end
  if not done and not text:find("Invalid job id", 1, true) then
    command.fail("squeue: %s; the job array %s goes on without being watched", text, job)
  end
  return done and text ~= ""
end

-- Waits until a job array is over.
--   look()  called every `pause` seconds
function slurm.wait(job, pause, look)
  while is_under_way(job) do
    look()
    if not os.execute("sleep " .. pause) then
      command.fail("interrupted; the job array %s goes on, `scancel %s` ends it", job, job)
    end
  end
end

return slurm
