-- tools: orrery.tools, what the commands in scripts/ share of the module.
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
  scratch = core.scratch, claims = core.claims, complain = core.complain,
  numbers = numbers, span = clock.span, span_text = clock.span_text,
  roots = folders.roots, files = folders.files, make_folder = folders.make,
  suggestion = names.suggestion, sorted = names.sorted,
  quote = shell.quote, fields_of = checks.fields_of, zone = core.zone,
}

-- What only some commands need is loaded when they ask for it.
function tools.columns(...) return require "orrery.support.columns"(...) end

function tools.correction(...) return require("orrery.values.family").correction(...) end

function tools.half_width(...) return require("orrery.values.family").half_width(...) end

function tools.add_ranks(...) return require("orrery.values.family").add_ranks(...) end

function tools.correct(...) return require("orrery.values.family").correct_both(...) end

function tools.confined() return require "orrery.support.confined" end

function tools.parts() return require "orrery.values.parts" end

function tools.csv() return require "orrery.support.csv" end

function tools.literals() return require "orrery.support.literals" end

function tools.metrics() return require "orrery.values.metrics" end

function tools.reference() return require "orrery.reference.help" end

function tools.policy_names() return require("orrery.host.policies").names() end

function tools.own_logs() return require("orrery.values.logs").own_folder() end

function tools.log_names() return require("orrery.values.logs").names() end

-- The list of commands (of scripts in a folder below theirs), and the parser of one by its name; a
-- plain interpreter has none.
function tools.commands(folder) return program.commands(folder) end
function tools.parser(name) return program.parser(name) end

-- Runs the script in a file, as the program does: tools.run(path, argument...).
function tools.run(...) return program.run(...) end

-- true and what f returns; or false and { message =, code = } of what is wrong: "argument", "limit"
-- and so on (see raise.h), nil where nobody gave the error a code. The message of a wrong argument
-- says what is wrong with it, without its place.
function tools.attempt(f, ...)
  local done, result = pcall(f, ...)
  if done then return true, result end
  local message, code = core.error_code(result)
  return false, { message = code == "argument" and message or tostring(result), code = code }
end

-- A command is what runs: a report of a crash shows how it was called, not the fields of a table.
function tools.is_command() require("orrery.run.crash_report").of_command = true end

-- Calls f, and returns what the calls into policies cost meanwhile, in this thread alone: what is
-- "seconds" or "instructions"; see host/calls.h.
function tools.calls(what, f)
  core.calls_start(what)
  local ok, problem = pcall(f)
  local list = core.calls_stop()
  if not ok then error(problem, 0) end
  return list
end

return tools
