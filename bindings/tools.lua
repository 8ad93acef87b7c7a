-- tools: orrery.tools, the functions of the module for the commands in scripts/.
local checks = require "orrery.support.checks"
local clock = require "orrery.support.clock"
local core = require "orrery.core"
local folders = require "orrery.support.folders"
local names = require "orrery.support.names"
local numbers = require "orrery.support.numbers"
local program = require "orrery.support.program"
local shell = require "orrery.support.shell"

local tools = {
  cores = core.cores, is_terminal = core.is_terminal, interrupted = core.interrupted,
  term_is_interrupt = core.term_is_interrupt,
  write_file = core.write_file, replace_file = core.replace_file, temporary = core.temporary,
  check_place = core.check_place,
  scratch = core.scratch, hush = core.hush, claims = core.claims, complain = core.complain,
  error_code = core.error_code,
  numbers = numbers, span = clock.span, span_text = clock.span_text,
  roots = folders.roots, files = folders.files, make_folder = folders.make,
  suggestion = names.suggestion, sorted = names.sorted,
  quote = shell.quote, has = shell.has, fields_of = checks.fields_of, zone = core.in_zone,
}

function tools.window()
  return core.window() or math.tointeger(tonumber(os.getenv "COLUMNS")) or 80
end

-- The file that runs this program again; in the portable archive, whose loader is what runs here,
-- that is the script which starts it. nil: there is no /proc.
function tools.executable()
  local path = require("lfs").symlinkattributes("/proc/self/exe", "target")
  return path and path:gsub("/lib/ld%-linux[^/]*$", "/orrery") or nil
end

-- Modules that only some commands need, as functions that give them.
for name, module in pairs { account = "run.account", confined = "support.confined",
  csv = "support.csv", literals = "support.literals", metrics = "values.metrics",
  parts = "values.parts", per = "run.per", reference = "reference.help" } do
  tools[name] = function() return require("orrery." .. module) end
end

-- Functions of such modules, or modules that are functions. node_text says whether a text can be a
-- field of node_failures; if not, also why. log_path: of a log given by its path or its name.
for name, place in pairs { add_ranks = { "values.family", "add_ranks" },
  checkpoint_cost = { "values.checkpoint_cost" }, checksum = { "support.checksum" },
  columns = { "support.columns" }, correct = { "values.family", "correct_both" },
  correction = { "values.family", "correction" }, half_width = { "values.family", "half_width" },
  unseen = { "values.family", "unseen" },
  joined = { "run.joined" }, list = { "support.json", "list" },
  log_names = { "values.logs", "names" }, log_path = { "values.logs", "find" },
  node_text = { "values.node_failures", "check_text" },
  own_logs = { "values.logs", "own_folder" }, policy_names = { "host.policies", "names" } } do
  tools[name] = function(...)
    local module = require("orrery." .. place[1])
    return (place[2] and module[place[2]] or module)(...)
  end
end

-- Plain data as JSON; a list that may be empty is tools.list(list).
function tools.json(value)
  local json = require "orrery.support.json"
  return json.text(json.exact(value))
end

-- The list of commands (of scripts in a folder below theirs), and the parser of one by its name; a
-- plain interpreter has none.
function tools.commands(folder) return program.commands(folder) end
function tools.parser(name) return program.parser(name) end

-- Runs the script in a file, as the program does: tools.run(path, argument...).
function tools.run(...) return program.run(...) end

-- From now on `require` also finds modules beside a file of the user's, behind all others.
function tools.search_beside(path) return program.search_beside(path) end

-- true and the results of f; or false and the error { message =, code = }: "argument", "limit" and
-- so on (see raise.h), nil if the error has no code. The message of a wrong argument describes the
-- argument's error, without its place.
function tools.attempt(f, ...)
  local done, result = pcall(f, ...)
  if done then return true, result end
  local message, code = core.error_code(result)
  return false, { message = code == "argument" and message or tostring(result), code = code }
end

-- A command is what runs: a report of a crash shows how it was called, not the fields of a table.
function tools.is_command() program.of_command = true end

-- Calls f, and returns what the calls into policies cost meanwhile, in this thread alone: what is
-- "seconds" or "instructions"; see host/calls.h.
function tools.calls(what, f)
  core.calls_start(what)
  local ok, problem = pcall(f)
  local list = core.calls_stop()
  if not ok then error(problem, 0) end
  return list
end

return names.closed(tools, "orrery.tools has")
