-- slurm: a sweep as a job array of Slurm, one shard per task.
--
-- All tasks work in the folder of the sweep, which every node has to see. A task that Slurm
-- requeues, because its node failed or somebody preempted it, goes on where it stopped.
local command = require "orrery.command.command"
local lfs = require "lfs"
local orrery = require "orrery"
local untrusted = require "orrery.command.untrusted"
local quote = require("orrery").tools.quote

local slurm = {}

local function absolute(path)
  return path:sub(1, 1) == "/" and path or lfs.currentdir() .. "/" .. path
end

-- The batch script of a sweep.
--   given  SPEC, out, array (tasks), threads (cores per task), per_run, partition, time, sbatch
function slurm.script(given)
  local program = assert(orrery.tools.executable())
  local out = absolute(given.out)
  local lines = {
    "#!/bin/bash", "#SBATCH --job-name=orrery-sweep", "#SBATCH --array=1-" .. given.array,
    "#SBATCH --ntasks=1", "#SBATCH --cpus-per-task=" .. (given.threads or 1),
    "#SBATCH --requeue", "#SBATCH --open-mode=append",
    "#SBATCH --output=" .. out .. "/slurm-%a.log",
  }
  if given.partition then lines[#lines + 1] = "#SBATCH --partition=" .. given.partition end
  if given.time then lines[#lines + 1] = "#SBATCH --time=" .. given.time end
  for _, option in ipairs(given.sbatch or {}) do lines[#lines + 1] = "#SBATCH " .. option end
  local words = { program, "sweep", absolute(given.SPEC), "-o", out, "--threads",
    tostring(given.threads or 1) }
  if given.per_run then words[#words + 1] = "--per-run" end
  table.move(untrusted.words(given), 1, 4, #words + 1, words)
  for i, word in ipairs(words) do words[i] = quote(word) end
  -- relative names in the specification mean the folder where the sweep was started
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
function slurm.submit(given)
  local path = given.out .. "/slurm.sh"
  orrery.tools.write_file(path, slurm.script(given))
  local done, text = capture("sbatch --parsable " .. quote(path))
  local job = done and text:match "^(%d+)"
  if not job then
    command.fail("cannot submit %s: %s", path, text ~= "" and text or "is Slurm installed here?")
  end
  return job
end

-- Whether a job array has tasks that are not over.
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
