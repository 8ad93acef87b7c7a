-- search: looks for a policy that is better than others, and says whether it found one
--
--   orrery search spec.lua -o results/search
--   orrery search spec.lua -o results/search --evaluations 20000 --report found.html
local argparse = require "argparse"
local command = require "orrery.command.command"
local dkjson = require "dkjson"
local lfs = require "lfs"
local options = require "orrery.command.options"
local orrery = require "orrery"
local output = require "orrery.command.output"
local progress = require "orrery.command.progress"
local proposer = require "orrery.command.search.proposer"
local resume = require "orrery.command.resume"
local specification = require "orrery.command.specification"

local parser = argparse("orrery search", "Looks for a policy that is better than others, among "
  .. "options, policies, priorities, formulas and what a command proposes. Candidates are searched "
  .. "for on training samples; one is chosen on validation samples and judged once on testing "
  .. "samples that nothing was simulated on before. Each finished step is kept at once; the same "
  .. "command goes on where it stopped.")
parser:argument("SPEC", "The specification, a Lua file: see scripts/README.md.")
options.add(parser, {
  { title = "What is searched",
    { "-o --out DIR", "Folder for what comes out; it is made." },
    "search.SearchSpec: evaluations minutes rounds finalists seed threads" },
  { title = "Candidates by somebody else",
    { "--propose COMMAND", "A command that proposes candidates, besides those of SPEC or in their "
      .. "place: lines of JSON in and out, see scripts/README.md." },
    { "--propose-seconds T", "How long it may take in a round (default: 600); seconds, or 5m.",
      kind = "duration", positive = true } },
  { title = "Output files",
    { "--json FILE", "What was found, and all numbers." },
    { "--report FILE", "What was found, as a page of HTML." },
    output.QUIET },
})
options.once(parser)

local FILE = "/search.json" -- of the folder: what was found, also for the next search there

-- How often these testing samples were looked at, with this time. The same search again is no
-- further look.
local function looks_of(given, found)
  local text = command.read_file(given.out .. FILE)
  local before = text and dkjson.decode(text)
  if type(before) ~= "table" or before.tested ~= found.tested then return 1 end
  local is_same = before.sentence == found.sentence and before.evaluations == found.evaluations
  return (tonumber(before.looks) or 1) + (is_same and 0 or 1)
end

-- Runs the search, whose steps are kept in the folder.
local function run(given, spec, kept)
  spec.keep = function(name, compute) return (kept:part(name, compute)) end
  local done, found = pcall(progress.run, "evaluations", orrery.search, spec)
  if orrery.tools.interrupted() then
    debug.sethook()
    local steps = math.max(kept.count - 1, 0)
    command.fail("interrupted\n%d step%s kept in %s; `%s` goes on", steps,
      steps == 1 and " is" or "s are", given.out, command.line())
  end
  if not done then error(found, 0) end
  return found
end

local function write(given, found)
  command.make_folder(given.out)
  local text = found:policy()
  if text then
    orrery.tools.write_file(given.out .. "/winner.lua", text)
    print(("wrote %s/winner.lua: the candidate that was judged"):format(given.out))
  end
  for i, member in ipairs(found.front) do
    text = found:policy(nil, i)
    local path = ("%s/front-%d.lua"):format(given.out, i)
    if text then
      orrery.tools.write_file(path, text)
      print(("wrote %s: %s"):format(path, member.name))
    end
  end
  found:json(given.out .. FILE)
  output.write(given, {
    json = function(path) found:json(path) end,
    report = function(path) found:report(path, { command = command.line() }) end,
  })
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
  local kept = resume.new(given.out, { text, spec.evaluations or "", spec.minutes or "",
    spec.rounds or "", spec.finalists or "", spec.seed or "", given.propose or "" })
  local found = run(given, spec, kept)
  if kept.reused > 0 then
    print(("%d of %d steps were there already"):format(kept.reused, kept.count))
  end
  found.looks = looks_of(given, found)
  if found.looks > 1 then
    table.insert(found.notes, ("%d searches looked at these testing samples, this one included: "
      .. "what is said of them is too good by chance; take others"):format(found.looks))
  end
  print(found)
  write(given, found)
  kept:done()
end)
