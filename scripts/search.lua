-- search: searches for a policy that is better than others, and tests whether it found one
--
--   orrery search spec.lua -o results/search
--   orrery search spec.lua -o results/search --evaluations 20000 --report found.html
--   orrery search spec.lua -o results/search --slurm --array 8 --wait
local argparse = require "argparse"
local command = require "orrery.command.command"
local lfs = require "lfs"
local options = require "orrery.command.options"
local orrery = require "orrery"
local output = require "orrery.command.output"
local progress = require "orrery.command.progress"
local proposer = require "orrery.command.search.proposer"
local resume = require "orrery.command.resume"
local slurm = require "orrery.command.sweep.slurm"
local specification = require "orrery.command.specification"

local parser = argparse("orrery search", "Looks for a policy that is better than others, among "
  .. "options, policies, priorities, formulas and what a command proposes, for jobs or for "
  .. "malleable tasks. Candidates are searched "
  .. "for on training samples; one is chosen on validation samples and judged once on testing "
  .. "samples that nothing was simulated on before. Each finished step is kept at once; the same "
  .. "command goes on where it stopped.")
parser:argument("SPEC", "The specification, a Lua file: see scripts/README.md.")
options.add(parser, {
  { title = "What is searched",
    { "-o --out DIR", "Folder for what comes out; it is made." },
    "search.SearchSpec: evaluations minutes rounds finalists seed threads",
    { "--shard I/N", "Share the search with N - 1 other processes that work in the same folder; "
      .. "when they are through, the command without it writes what was found.",
      convert = slurm.shard } },
  { title = "Candidates by somebody else",
    { "--propose COMMAND", "A command that proposes candidates, besides those of SPEC or in their "
      .. "place: lines of JSON in and out, see scripts/README.md." },
    { "--propose-seconds T", "How long it may take in a round (default: 600); seconds, or 5m.",
      kind = "duration", positive = true } },
  { title = "Output files",
    { "--json FILE", "What was found, and all numbers." },
    { "--report FILE", "What was found, as a page of HTML." },
    output.QUIET },
  { title = "Slurm", table.unpack(slurm.OPTIONS) },
})
options.once(parser)

local FILE = "/search.json" -- in the folder: the result, also for the next search there

-- The number of uses of these testing samples, including this one. A repetition of the same search
-- does not count.
local function looks_of(given, found)
  local text = command.read_file(given.out .. FILE)
  local before = text and command.decode(text)
  if type(before) ~= "table" or before.tested ~= found.tested then return 1 end
  local is_same = before.sentence == found.sentence and before.evaluations == found.evaluations
  return (tonumber(before.looks) or 1) + (is_same and 0 or 1)
end

-- Runs the search; the folder keeps its steps, and shares them with other processes that run it
-- there.
local function run(given, spec, kept)
  spec.keep_all = function(steps)
    return kept:parts(steps, table.unpack(given.shard or {}, 1, 2))
  end
  local done, found = pcall(progress.run, "evaluations", orrery.search, spec)
  if orrery.tools.interrupted() then
    debug.sethook()
    local steps = kept.reused + kept.computed
    command.fail("interrupted\n%d step%s kept in %s; `%s` goes on", steps,
      steps == 1 and " is" or "s are", given.out, command.line())
  end
  if not done then error(found, 0) end
  return found
end

-- The words of a shard's command, besides SPEC, -o and --threads.
local function words_of(given)
  local words = {}
  for _, name in ipairs { "evaluations", "minutes", "rounds", "finalists", "seed", "propose",
    "propose_seconds" } do
    local value = given[name]
    if value ~= nil then
      words[#words + 1] = ("--%s=%s"):format(name:gsub("_", "-"),
        math.type(value) == "float" and ("%.17g"):format(value) or tostring(value))
    end
  end
  return words
end

-- Lets the job array run the search; false: there is nothing to write yet.
local function submit(given, spec)
  given.array = given.array or 4
  local CHECKED = {}
  spec.keep_all = function() error(CHECKED, 0) end
  local _, problem = pcall(orrery.search, spec) -- stops before anything is simulated
  if problem ~= CHECKED then error(problem, 0) end
  if given.dry_run then
    io.write(slurm.script(given, "search", words_of(given)))
    return false
  end
  command.make_folder(given.out)
  local job = slurm.submit(given, "search", words_of(given))
  print(("job array %s: %d tasks, their output is in %s/slurm-*.log"):format(job, given.array,
    given.out))
  if given.wait then slurm.wait(job, 1, function() end) end
  return given.wait
end

-- Writes the files of the folder; returns their descriptions as lines.
local function write_folder(given, found)
  local lines = {}
  command.make_folder(given.out)
  local text = found:policy()
  if text then
    orrery.tools.write_file(given.out .. "/winner.lua", text)
    lines[1] = ("wrote %s/winner.lua: the candidate that was judged"):format(given.out)
  end
  for i, member in ipairs(found.front) do
    text = found:policy(nil, i)
    local path = ("%s/front-%d.lua"):format(given.out, i)
    if text then
      orrery.tools.write_file(path, text)
      lines[#lines + 1] = ("wrote %s: %s"):format(path, member.name)
    end
  end
  found:json(given.out .. FILE)
  return lines
end

return command.new(parser, function(given)
  orrery.tools.term_is_interrupt()
  if not given.out then command.misuse("-o: which folder? `orrery search SPEC.lua -o DIR`") end
  output.check(given)
  output.check_report(given.report)
  local text = specification.text(given.SPEC)
  local spec = specification.run(given.SPEC, text)
  for name, value in pairs(options.fields("search.SearchSpec", given)) do spec[name] = value end
  if lfs.attributes(given.out, "mode") == "file" then
    command.misuse("-o %s: expected a folder, this is a file", given.out)
  end
  if given.propose_seconds and not given.propose then
    command.misuse("--propose-seconds says how long --propose may take; give --propose, too")
  end
  if given.propose then
    spec.propose = proposer.new(given.propose, given.out .. "/proposals", given.propose_seconds)
  end
  slurm.check(given)
  if given.slurm and not submit(given, spec) then return end
  local kept = resume.new(given.out, { text, spec.evaluations or "", spec.minutes or "",
    spec.rounds or "", spec.finalists or "", spec.seed or "", given.propose or "" })
  local found = run(given, spec, kept)
  if given.shard then
    print(("shard %s is complete: %d of %d steps were computed here"):format(given.shard.text,
      kept.computed, kept.count))
    return
  end
  if kept.reused > 0 then
    print(("%d of %d steps were there already"):format(kept.reused, kept.count))
  end
  found.looks = looks_of(given, found)
  if found.looks > 1 then
    table.insert(found.notes, ("%d searches looked at these testing samples, this one included: "
      .. "what is said of them is too good by chance; take others"):format(found.looks))
  end
  local lines = write_folder(given, found) -- before somebody stops to read
  kept:done()
  print(found)
  for _, line in ipairs(lines) do print(line) end
  output.write(given, {
    json = function(path) found:json(path) end,
    report = function(path) found:report(path, { command = command.line() }) end,
  })
end)
