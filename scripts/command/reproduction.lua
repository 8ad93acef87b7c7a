-- reproduction: what the reproductions of papers share: their options, their folder, their clock.
local command = require "orrery.command.command"
local csv = require "orrery.command.csv"
local gnuplot = require("orrery").draw.gnuplot
local drawing = require "orrery.command.drawing"
local options = require "orrery.command.options"
local resume = require "orrery.command.resume"
local lfs = require "lfs"
local orrery = require "orrery"
local progress = require "orrery.command.progress"

local reproduction = {}

-- Adds the common options.
--   figures  list of { name, what it is }: the values of --figure
--   usual    { sets =, runs =, out = }: the defaults, told in the help; without sets there is no
--            --sets, without runs no --runs; aliases = { ["1.4"] = "6" }: other names of figures
function reproduction.options(parser, figures, usual)
  local names, about = {}, {}
  for i, one in ipairs(figures) do
    names[i], about[i] = one[1], ("%s: %s"):format(one[1], one[2])
  end
  names = drawing.joined(names, orrery.tools.sorted(usual.aliases or {}))
  options.add(parser, {
    { { "--figure N", "Only this one; may be given several times. " .. table.concat(about, "; ")
        .. ".", several = true, choices = names },
      { "--quick", "A small version, in seconds: it shows that everything runs, and its numbers "
        .. "decide little." } },
    usual.sets and {
      { "--sets N", ("Sets of jobs or tasks (default: %d)."):format(usual.sets), kind = "integer",
        least = 1, most = 1000000 } } or {},
    usual.runs and {
      { "--runs N", ("%s (default: %d)."):format(usual.sets and "Scenarios of each set"
        or "Runs of every point", usual.runs), kind = "integer", least = 1, most = 1000000000 },
    } or {},
    { { "--seed S", "Seed of all random numbers (default: 1).", kind = "integer", default = "1" },
      "runs.JobsSpec: threads",
      { "--out DIR", ("Folder for what comes out (default: %s); it is made."):format(usual.out),
        default = usual.out } },
  })
end

-- The set of what is asked for: name -> true; all of them where --figure is not given.
--   aliases  as for the options
function reproduction.chosen(given, figures, aliases)
  local chosen = {}
  for _, one in ipairs(figures) do chosen[one[1]] = #given.figure == 0 end
  for _, name in ipairs(given.figure) do chosen[(aliases or {})[name] or name] = true end
  return chosen
end

-- --- the folder ---------------------------------------------------------------------------------

local function try(folder)
  local name = folder .. "/.orrery-can-write"
  local file, problem = io.open(name, "w")
  if not file then command.fail("--out: cannot write in %s: %s", folder, problem:sub(#name + 3)) end
  file:close()
  os.remove(name)
end

-- Refuses what would fail after the run: a folder that cannot be made or written to, and a gnuplot
-- that is not there. Nothing is made yet.
function reproduction.check(given)
  if given.out == "" then command.misuse("--out: expected the name of a folder") end
  if not gnuplot.installed() then
    command.fail("the figures want gnuplot, which is not installed (Debian: gnuplot-nox)")
  end
  local folder = given.out:gsub("(.)/+$", "%1")
  local mode = lfs.attributes(folder, "mode")
  while not mode do
    folder = folder:match "^(.*)/[^/]*$" or "."
    if folder == "" then folder = "/" end
    mode = lfs.attributes(folder, "mode")
  end
  if mode ~= "directory" then command.fail("--out: %s is no folder", folder) end
  try(folder)
end

-- Makes the folder and those above it.
function reproduction.make_folder(given)
  local path = given.out:sub(1, 1) == "/" and "" or "."
  for part in given.out:gmatch "[^/]+" do
    path = path .. "/" .. part
    if not lfs.attributes(path, "mode") then
      local made, problem = lfs.mkdir(path)
      if not made then command.fail("--out: cannot make %s: %s", path, problem) end
    end
  end
end

-- Writes a file there; complete or not at all.
function reproduction.write(given, name, text)
  orrery.tools.write_file(given.out .. "/" .. name, text)
end

-- Says what came out, in few lines.
--   statements  as verdict.all gives them
--   times       a list of { simulations =, cpu_seconds =, seconds = }
local function say(given, statements, times)
  for _, one in ipairs(statements) do
    print(("%-13s  %s (%s)"):format(one.verdict, one.title, one.where))
  end
  local cpu, wall, steps = 0, 0, 0
  for _, one in ipairs(times) do
    cpu, wall = cpu + one.cpu_seconds, wall + one.seconds
    steps = steps + one.simulations
  end
  print(("%d simulations in %d s (%.0f s of processor time)"):format(steps, wall, cpu))
  print(("the page is %s/page.md"):format(given.out))
end

-- --- the whole ----------------------------------------------------------------------------------

-- Ends the page with the times and all comparisons, and writes it and times.csv.
--   p           the page so far (page.lua)
--   statements  as verdict.all gives them; they are also what the command prints
--   times       what Cells:times gives; names: its columns that say for what, text on the page
--   shown       { head =, text = (or nil), each = { format, factor } (or nil: not of one by one) }
function reproduction.finish(plan, p, statements, times, names, shown)
  local rows, columns = {}, table.move(names, 1, #names, 1, {})
  for i, one in ipairs(times) do
    local what = {}
    for n, name in ipairs(names) do what[n] = one[name] end
    rows[i] = { table.concat(what, ", "), one.simulations, ("%.1f"):format(one.cpu_seconds),
      one.seconds, shown.each
        and shown.each[1]:format(shown.each[2] * one.cpu_seconds / one.simulations) }
  end
  p:heading "Time"
  if shown.text then p:text(shown.text) end
  p:rows(shown.head, rows)
  if #statements > 0 then p:heading("All comparisons"):comparisons(statements) end
  table.move({ "simulations", "cpu_seconds", "seconds" }, 1, 3, #columns + 1, columns)
  reproduction.write(plan.given, "times.csv", csv.text(columns, times))
  reproduction.write(plan.given, "page.md", p:markdown())
  plan.statements = statements
end

-- The command that runs a paper's experiments:
--   plan(given)    everything that is fixed before the first simulation, `given` among it
--   store(plan)    a store of cells (cells.lua)
--   figures        { names =, aliases =, need = function(store, plan, chosen), write =
--                  function(store, plan, name) }; write returns false for nothing to draw
--   report(store, plan, done, drawn)   writes the page about the figures that are done
--   step_by_step   the page is written after each figure: what is done stays if the rest fails
function reproduction.command(parser, paper)
  local figures = paper.figures
  return command.new(parser, function(given)
    local plan = paper.plan(given)
    reproduction.check(given)
    local chosen = reproduction.chosen(given, figures.names, figures.aliases)
    local store = paper.store(plan)
    figures.need(store, plan, chosen)
    reproduction.make_folder(given)
    store:begin()
    local done, drawn = {}, {}
    for _, one in ipairs(figures.names) do
      local name = one[1]
      if chosen[name] then
        store:run(name)
        drawn[name] = figures.write(store, plan, name) ~= false
        done[name] = true
        if paper.step_by_step then paper.report(store, plan, done, drawn) end
      end
    end
    store.clock:done()
    if not paper.step_by_step then paper.report(store, plan, done, drawn) end
    given.kept:done() -- all is written: nothing is kept for another run
    say(given, plan.statements, store:times())
  end)
end

-- --- time ---------------------------------------------------------------------------------------

-- All that was asked for, but for what changes no number.
local function described(given)
  local what = {}
  for name, value in pairs(given) do what[name] = value end
  what.threads, what.out, what.kept = nil, nil, nil
  return what
end

-- A clock that knows how long each part of the work took and how much is left, and keeps what came
-- of the parts until the whole is done: the same command goes on where it was stopped
-- (resume.lua).
--   total  steps of the whole
-- clock:run(key, steps, name, f, ...) is the plain data that f returns, for a part with a name of
-- its own, and counts its time for the key; `clock.times[key]` is { cpu =, wall =, steps = }:
-- processor seconds of all threads, seconds (whole ones), steps.
-- clock:done() erases the progress.
function reproduction.clock(given, total, what)
  local show, erase = progress.start(what or "simulations")
  local clock = { times = {}, order = {}, steps = 0 }
  local parts = resume.new(given.out, described(given))
  given.kept = parts

  local function entry(key)
    if not clock.times[key] then
      clock.times[key] = { key = key, cpu = 0, wall = 0, steps = 0 }
      clock.order[#clock.order + 1] = clock.times[key]
    end
    return clock.times[key]
  end

  function clock.run(_, key, steps, name, f, ...)
    local good, result, cpu, wall = pcall(parts.part, parts, name, f, ...)
    if not good then
      erase()
      error(result, 0)
    end
    local one = entry(key)
    one.cpu, one.wall, one.steps = one.cpu + cpu, one.wall + wall, one.steps + steps
    clock.steps = clock.steps + steps
    if show then show(clock.steps, total) end
    return result
  end

  clock.done = erase
  return clock
end

return reproduction
