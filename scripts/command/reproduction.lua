-- reproduction: the frame of the reproductions of papers: options, folder, page, command.
-- Its clock is that of the cells (cells.lua).
--
-- A paper is its command, scripts/reproduce/NAME.lua, and three modules in scripts/reproduce/NAME/:
--
--   plan        what is simulated: plan(given) is everything that is fixed before the first
--               simulation (see reproduction.plan), Store the class of its cells (cells.lua)
--   figures     what is drawn of it: `names`, a list of
--                 { name, what it is,
--                   need = function(store, plan, name): asks the store for what it shows
--                   (default: store:need(name)),
--                   write = function(store, plan, name): false where there is nothing to draw,
--                   picture = (what the page says of it; nil: it has none),
--                   base = (name of the picture's files; default: figure-NAME),
--                   below = function(p, store, plan, name): what the page has below it, or nil }
--               `aliases`, other names: { ["1.4"] = "6" }; and `page` (see write_page)
--   statements  what the paper states: of(store, plan, done), as verdict.judge gives it
local argparse = require "argparse"
local cells = require "orrery.command.cells"
local command = require "orrery.command.command"
local csv = require "orrery.command.csv"
local draw = require("orrery").draw
local lfs = require "lfs"
local lists = require "orrery.support.lists"
local options = require "orrery.command.options"
local orrery = require "orrery"
local page = require "orrery.command.page"
local paper_table = require "orrery.command.paper_table"
local progress = require "orrery.command.progress"

local reproduction = {}

-- --- options -------------------------------------------------------------------------------------

local function add_options(parser, name, figures, usual, own)
  local about = lists.map(figures.names, function(one) return ("%s: %s"):format(one[1], one[2]) end)
  local names = lists.joined(lists.fields(figures.names, 1),
    orrery.tools.sorted(figures.aliases or {}))
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
      { "--out DIR", ("Folder for what comes out (default: results/%s); it is made."):format(name),
        default = "results/" .. name } },
    own,
  })
  if usual.once then options.once(parser) end
end

-- The plan: the fields of `full`, with --quick overridden by the fields of `quick`; seed, threads,
-- sets and runs of the command line; and all options in `given`.
function reproduction.plan(given, full, quick)
  local base = given.quick and setmetatable(quick, { __index = full }) or full
  return setmetatable({ given = given, seed = given.seed, threads = given.threads,
    sets = given.sets, runs = given.runs }, { __index = base })
end

function reproduction.named_log(text)
  local name, path = text:match "^([^=]+)=(.+)$"
  if name then return { name = name, path = path } end
  return nil, ("--log: expected NAME=FILE, such as curie=curie.swf, found '%s'"):format(text)
end

-- The requested figures, in their order; all figures without --figure.
local function chosen_of(given, figures)
  local asked, chosen = {}, {}
  for _, name in ipairs(given.figure) do asked[(figures.aliases or {})[name] or name] = true end
  for _, one in ipairs(figures.names) do
    if #given.figure == 0 or asked[one[1]] then chosen[#chosen + 1] = one end
  end
  return chosen
end

-- --- the folder ---------------------------------------------------------------------------------

local function try(folder)
  local name = folder .. "/.orrery-can-write"
  local done, problem = pcall(orrery.tools.check_place, name)
  if not done then
    command.fail("--out: cannot write in %s: %s", folder, (problem:gsub("^.-: ", "", 1)))
  end
end

-- Refuses early what would fail after the run: a folder that cannot be made or written to, and a
-- missing gnuplot. It makes no files.
local function check(given)
  if given.out == "" then command.misuse("--out: expected the name of a folder") end
  if not draw.gnuplot.installed() then
    command.fail("the figures want gnuplot, which is not installed (Debian: gnuplot-nox)")
  end
  local folder = given.out:gsub("(.)/+$", "%1")
  local mode = lfs.attributes(folder, "mode")
  while not mode do
    folder = folder:match "^(.*)/[^/]*$" or "."
    if folder == "" then folder = "/" end
    mode = lfs.attributes(folder, "mode")
  end
  if mode ~= "directory" then command.misuse("--out: %s is no folder", folder) end
  try(folder)
end

local function write(plan, name, text)
  orrery.tools.write_file(plan.given.out .. "/" .. name, text)
end

-- Writes NAME.csv there, complete or not at all: see csv.text.
function reproduction.write_table(plan, name, columns, rows)
  write(plan, name .. ".csv", csv.text(columns, rows))
end

-- Draws NAME.png and NAME.svg there: see draw.figure.
function reproduction.draw(plan, name, spec)
  draw.figure.write(plan.given.out .. "/" .. name, spec)
end

-- --- the page -----------------------------------------------------------------------------------

-- The times of all parts, on the page and in times.csv.
--   about  { columns = (of times.csv, that say for what it was), head = (of these on the page;
--          default: their names), each = { format, factor, unit } (or nil: not of one by one),
--          text = (or nil) }
local function add_times(p, store, plan, about)
  local times, each, rows = store.times, about.each, {}
  for i, one in ipairs(times) do
    local what = lists.map(about.columns, function(name) return one[name] end)
    rows[i] = { table.concat(what, ", "), one.simulations, ("%.1f"):format(one.cpu_seconds),
      one.seconds, each and each[1]:format(each[2] * one.cpu_seconds / one.simulations) }
  end
  p:heading "Time"
  if about.text then p:text(about.text) end
  p:rows({ about.head or table.concat(about.columns, ", "), store.what, "processor seconds",
    "seconds", each and ("processor %s each"):format(each[3]) }, rows)
  reproduction.write_table(plan, "times", lists.joined(about.columns, { "simulations",
    "cpu_seconds", "seconds" }), times)
end

-- Writes page.md about the finished figures, and times.csv; returns the statements. Fields of
-- figures.page:
--   title, opening(p, plan)   what stands first
--   contents                  what the paper has, and what of it is here (paper_table.lua); nil:
--                             there is no paper
--   heading                   of the statements; default: Statements
--   none                      whether their table is there even if there are none
--   numbers(p, store, plan, done, statements), closing(p, store, plan)   what stands before the
--                             figures and behind them, or nil
--   times                     see add_times; nil: none are told
--   step_by_step              whether it is written after each figure: what is done stays if the
--                             rest fails
--   done  name -> { drawn = }, of the figures that were written
local function write_page(paper, store, plan, done)
  local about, statements = paper.figures.page, paper.statements.of(store, plan, done)
  local p = page.new(about.title)
  about.opening(p, plan)
  if about.contents then paper_table.add(p, about.contents, plan, statements) end
  if #statements > 0 or about.none then
    p:heading(about.heading or "Statements"):statements(statements)
  end
  if about.numbers then about.numbers(p, store, plan, done, statements) end
  p:heading "Figures"
  for _, one in ipairs(paper.figures.names) do
    local there = done[one[1]]
    if there and there.drawn and one.picture then
      p:picture(one.base or "figure-" .. one[1], one.picture)
    end
    if there and one.below then one.below(p, store, plan, one[1]) end
  end
  if about.closing then about.closing(p, store, plan) end
  if about.times then add_times(p, store, plan, about.times) end
  if #statements > 0 then p:heading("All comparisons"):comparisons(statements) end
  write(plan, "page.md", p:markdown())
  return statements
end

-- Says what came out, in few lines.
--   statements  as verdict.all gives them
--   times       a list of { simulations =, cpu_seconds =, seconds = }
local function say(given, statements, times)
  for _, one in ipairs(statements) do
    local found = one.found and ("%s (with the data at hand: %s)"):format(one.verdict, one.found)
    print(("%-13s  %s (%s)"):format(found or one.verdict, one.title, one.where))
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

-- The command that runs the experiments of a paper.
--   about  what it does
--   usual  { sets =, runs = (the defaults, told in the help; without them there is no such option),
--          once = (whether an option that is given twice is an error) }
--   own    options that no other paper has: a group of options.add
--   parts  { plan =, figures =, statements = }, of a paper that is one file; default: the modules
function reproduction.command(name, about, usual, own, parts)
  local paper, parser = {}, argparse("orrery reproduce " .. name, about)
  for _, part in ipairs { "plan", "figures", "statements" } do
    paper[part] = parts and parts[part]
      or require(("orrery.reproduce.%s.%s"):format(name, part))
  end
  add_options(parser, name, paper.figures, usual, own)
  return command.new(parser, function(given)
    local plan = progress.doing("preparing", paper.plan.plan, given)
    check(given)
    local chosen, store = chosen_of(given, paper.figures), cells.new(paper.plan.Store, plan)
    for _, one in ipairs(chosen) do
      if one.need then one.need(store, plan, one[1]) else store:need(one[1]) end
    end
    local made, problem = orrery.tools.make_folder(given.out)
    if not made then command.fail("--out: cannot make %s", problem) end
    store:begin()
    local done, statements = {}, nil
    for i, one in ipairs(chosen) do
      store:run(one[1])
      done[one[1]] = { drawn = one.write(store, plan, one[1]) ~= false }
      if i == #chosen then store.erase() end
      if i == #chosen or paper.figures.page.step_by_step then
        statements = write_page(paper, store, plan, done)
      end
    end
    store.kept:done() -- all is written: no results are kept for another run
    say(given, statements, store.times)
  end)
end

return reproduction
