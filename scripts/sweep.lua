-- sweep: runs a grid of comparisons, cell by cell; an interrupted sweep can be continued
--
--   orrery sweep grid.lua -o results/grid
--   orrery sweep grid.lua -o results/grid --shard 1/4
--   orrery sweep --status results/grid
local argparse = require "argparse"
local check = require "orrery.command.sweep.check"
local command = require "orrery.command.command"
local grid = require "orrery.command.sweep.grid"
local lists = require "orrery.support.lists"
local options = require "orrery.command.options"
local orrery = require "orrery"
local output = require "orrery.command.output"
local paired = require "orrery.command.sweep.paired"
local plot = require "orrery.command.sweep.plot"
local progress = require "orrery.command.progress"
local run = require "orrery.command.sweep.run"
local slurm = require "orrery.command.sweep.slurm"
local store = require "orrery.command.sweep.store"
local untrusted = require "orrery.command.untrusted"
local workers = require "orrery.command.sweep.workers"

local parser = argparse("orrery sweep", "Runs every cell of a grid of policies, parameters, "
  .. "workloads and seeds. Each finished cell is kept at once; the same command goes on where it "
  .. "stopped.")

parser:argument("SPEC", "The specification, a Lua file: see scripts/README.md."):args "?"
options.add(parser, {
  { title = "What is computed", { "-o --out DIR", "Folder for what comes out; it is made." },
    { "--threads T", "Processes (default: one per core); the results are the same for any number.",
      kind = "integer", least = 1, most = 4096 },
    { "--shard I/N", "Only this part of the grid; all N parts together are the whole.",
      convert = slurm.shard },
    { "--per-run", "Keep the numbers of every run: DIR/runs.csv." },
    { "--status DIR", "Say how far the sweep in a folder is." } },
  { title = "Tables and pictures",
    { "--json FILE", "The rows of DIR/results.csv, or what --status says, as JSON." },
    output.QUIET,
    { "--plot FILE", "Draw the sweep in DIR when it is complete, a .png or .svg; without SPEC "
      .. "nothing is computed." },
    { "--x AXIS", "The axis along the picture." },
    { "--y METRIC", "The metric: that of the curves, colours or boxes." },
    { "--by AXIS", "Another axis: a curve or box per value; of colours the second axis." },
    { "--kind", "curves, with their 95% intervals (default), heat or boxes.",
      choices = plot.KINDS },
    { "--log", "x, y, xy: logarithmic axes; y is the metric, also as colours. Without it, the "
      .. "metric's is where it spans three decades; none: never.", choices = plot.LOGS },
    { "--paired BASE", "Write the paired differences of the policies from this one, with their 95% "
      .. "intervals, when the sweep is complete: DIR/paired.csv. Pairs are the runs of a cell." },
    { "--over AXIS", "With --paired: pairs are the cells along this axis, such as seeds." } },
  { title = "Slurm", table.unpack(slurm.OPTIONS) },
  { title = "Policies by somebody else", table.unpack(untrusted.OPTIONS) },
})
parser:flag("--worker"):hidden(true)

-- A span in whole seconds, or larger units.
local function span_text(seconds) return orrery.tools.span_text(math.floor(seconds + 0.5)) end

local function status(dir, given)
  local sweep = store.look(dir)
  local missing, damaged, seconds = sweep:missing()
  local all = sweep.manifest.cells
  local done = all - #missing
  print(("%s: %d of %d cells"):format(sweep.manifest.title or dir, done, all))
  if #damaged > 0 then print("damaged, to be computed again: " .. store.ranges(damaged)) end
  if done > 0 then
    print(("%s of processor time so far"):format(span_text(seconds)))
    if #missing > 0 then
      print(("about %s of processor time left"):format(span_text(seconds / done * #missing)))
    end
  end
  if #missing > 0 then print("not there yet: " .. store.ranges(missing)) end
  output.write(given, { json = function(path)
    output.json(path, { title = sweep.manifest.title, cells = all, done = done, seconds = seconds,
      missing = orrery.tools.list(missing), damaged = orrery.tools.list(damaged) })
  end })
end

-- The words of the command of a worker.
local function arguments_of(given)
  local arguments = { given.SPEC, "-o", given.out }
  if given.shard then table.move({ "--shard", given.shard.text }, 1, 2, 4, arguments) end
  if given.per_run then arguments[#arguments + 1] = "--per-run" end
  for _, word in ipairs(untrusted.words(given)) do arguments[#arguments + 1] = word end
  return arguments
end

-- Lets the cells be computed; the list of { cell, message } that failed, and why a process could
-- not go on (nil: all could).
local function compute(spec, sweep, cells, given)
  local missing, damaged = sweep:missing(cells)
  for _, i in ipairs(damaged) do
    io.stderr:write(("orrery: the record of cell %d is damaged and is computed again\n"):format(i))
  end
  local done, failed, seen = #cells - #missing, {}, {}
  if done > 0 then
    print(("%d of %d cells are there already, %d to compute"):format(done, #cells, #missing))
  end
  local stopped
  local count = math.min(given.threads or orrery.tools.cores(), math.max(#missing, 1))
  local ended, problem = pcall(progress.during, "cells", function(show)
    if show then show(done, #cells) end
    stopped = workers.run(spec, sweep, cells, count, arguments_of(given), function(what, i, more)
      if what == "done" then
        done = done + 1
      elseif not seen[i] then
        failed[#failed + 1], seen[i] = { i, more }, true
      end
      if show then show(done + #failed, #cells) end
    end)
  end)
  if orrery.tools.interrupted() then
    -- a second error here would hide which cells are kept; a second Ctrl-C ends the program
    debug.sethook()
    command.fail("interrupted\n%d of %d cells are kept; `%s` goes on", #cells
      - #lists.those(missing, function(i) return not sweep:is_there(i) end), #cells, command.line())
  end
  if not ended then error(problem, 0) end
  table.sort(failed, function(a, b) return a[1] < b[1] end)
  return failed, stopped
end

local function check_failed(spec, failed)
  if #failed == 0 then return end
  local lines = {}
  for n, one in ipairs(failed) do
    if n > 5 then
      lines[n] = ("and %d more"):format(#failed - 5)
      break
    end
    lines[n] = ("cell %d (%s): %s"):format(one[1], grid.describe(spec, one[1]), one[2])
  end
  command.fail("%d of %d cells failed; the others are kept\n%s", #failed, spec.count,
    table.concat(lines, "\n"))
end

-- The end of a sweep: its tables, or the missing cells. stopped: the reason why one of its
-- processes could not go on, which is only a warning when others did the rest.
local function finish(sweep, given, stopped)
  local missing = sweep:missing()
  if stopped and #missing > 0 then
    command.fail("%s\n%d of %d cells are missing, %s; the same command goes on", stopped, #missing,
      sweep.manifest.cells, store.ranges(missing))
  end
  if stopped then io.stderr:write(("orrery: %s\n"):format(stopped)) end
  if #missing == 0 then return sweep:write_tables(given) end
  command.fail("not complete: %d of %d cells are missing, %s; another process computes them, or "
    .. "did and was stopped: the same command goes on", #missing, sweep.manifest.cells,
    store.ranges(missing))
end

local function submit(sweep, given)
  given.array = math.min(given.array or 4, sweep.manifest.cells)
  local more = untrusted.words(given)
  if given.per_run then table.insert(more, 1, "--per-run") end
  if given.dry_run then return io.write(slurm.script(given, "sweep", more)) end
  local job = slurm.submit(given, "sweep", more)
  print(("job array %s: %d tasks, their output is in %s/slurm-*.log"):format(job, given.array,
    given.out))
  if not given.wait then
    print(("`orrery sweep --status %s` says how far it is"):format(given.out))
    return
  end
  progress.during("cells", function(show)
    slurm.wait(job, 1, function()
      if show then show(sweep.manifest.cells - #sweep:missing(), sweep.manifest.cells) end
    end)
  end)
  finish(sweep, given)
end

local function check_names(given, of)
  if given.plot then plot.check_names(given, of) end
  paired.check(given, of)
end

local function sweep_all(given)
  if not given.SPEC then command.misuse("which specification? `orrery sweep SPEC.lua -o DIR`") end
  if not given.out then command.misuse("-o: which folder? `orrery sweep SPEC.lua -o DIR`") end
  slurm.check(given)
  local spec = grid.read(given.SPEC)
  if given.paired and not given.over then given.per_run = true end
  spec.per_run = spec.per_run or given.per_run or false
  untrusted.check(given)
  spec.confine = given.untrusted and function(f)
    return untrusted.run(given, { reads_all = true }, f)
  end
  if not given.worker then check.spec(spec) end
  if not given.worker then check_names(given, store.describe(spec)) end
  local sweep = store.open(given.out, spec)
  local cells = run.shard(spec, table.unpack(given.shard or {}, 1, 2))
  if given.worker then return workers.serve(spec, sweep, cells) end
  if sweep.anew then
    print(("%s: begun anew, there was no finished cell of another specification"):format(given.out))
  end
  if given.slurm then return submit(sweep, given) end
  local failed, stopped = compute(spec, sweep, cells, given)
  check_failed(spec, failed)
  if given.shard and #sweep:missing(cells) == 0 then
    print(("shard %s is complete: %d of %d cells"):format(given.shard.text, #cells, spec.count))
    if #sweep:missing() > 0 then return end
  end
  finish(sweep, given, stopped)
end

-- A worker. Ctrl-C reaches all processes; the process that started the workers reports it, and also
-- why a worker cannot go on.
local function work(given)
  local done, problem = pcall(sweep_all, given)
  if orrery.tools.interrupted() then os.exit(130) end
  if not done then workers.stop(problem) end
end

-- Draws from the cells when all exist.
local function draw(given)
  if not given.out then command.misuse("-o: which folder?") end
  local sweep = store.look(given.out)
  check_names(given, sweep.manifest)
  local missing = sweep:missing()
  if #missing > 0 then
    command.fail("%s: %d of %d cells are not there yet", given.out, #missing, sweep.manifest.cells)
  end
  output.write(given, { plot = function() plot.write(sweep, given) end })
  if given.paired then paired.write(sweep, given.paired, given.over) end
end

return command.new(parser, function(given)
  orrery.tools.term_is_interrupt()
  if given.worker then return work(given) end
  output.check(given)
  if given.status then return status(given.status, given) end
  plot.check(given)
  local draws = given.plot or given.paired
  if given.SPEC or not draws then sweep_all(given) end
  if draws then draw(given) end
end)
