-- prompt: evaluates the typed lines.
--
-- Returns `run()`, which reads entries from the terminal or from a pipe until they end, and
-- `evaluate(code)`, for given code. Both give an exit status: 0, 1 after an error, 130 where Ctrl-C
-- stopped the code. Errors at a terminal do not count: the user has read them.
--
-- An entry is an expression, whose values are shown, or statements, or a name with `?`, which asks
-- for help. Besides the globals of scripts there are `help`, `again`, and `_`, the last shown
-- value.

local commands = require "orrery.program.commands"
local core = require "orrery.core"
local lazy = require "orrery.program.globals"
local orrery = require "orrery"
local terminal = require "orrery.program.terminal" -- prompt.c

local prompt = {}

local print = core.print -- typed code has Lua's own print

local HISTORY = 1000 -- entries that are kept
local LEAVE = "^%s*[eq][xu]it%s*%(?%)?%s*$"
local INTERRUPTED = 130

-- Modules that are only needed once something is shown, goes wrong or is completed.
local function explain() return require "orrery.program.explanations" end
local function completion() return require "orrery.program.completion" end
local function reference() return require "orrery.reference.help" end

local colours -- on a terminal with colours

-- Prints a text: "help", a "value" or an "error".
local function say(what, text)
  if colours then return colours.print(what, text) end
  return (what == "error" and core.complain or core.print)(text)
end

-- --- globals -------------------------------------------------------------------------------------

local last        -- the last value that was shown
local rerun       -- the entry that again() runs: { chunk =, name = of the variable that it sets }

local function always(get) return { value = get, load = get } end

lazy._ = always(function() return last end)

local KEYS = "?x tells about x. Tab completes names, fields, policies and files. Ctrl-C stops what "
  .. "runs. Ctrl-D leaves."

local function width()
  return core.window() or math.tointeger(tonumber(os.getenv "COLUMNS")) or 100
end

-- The text about a function, a method, an object, a policy, a command or a name; of all without.
local function help(...)
  local thing = ...
  for _, name in ipairs { "help", "again" } do -- no functions of the module
    if rawequal(thing, lazy[name].value()) then thing = name end
  end
  local text = orrery.help(thing, width())
  say("help", select("#", ...) == 0 and text .. "\n\n" .. KEYS or text)
end

-- Help for `?x` and `x?`: about an object or a function of Orrery that the names stand for, else
-- about the text itself.
local function ask(text)
  if text == "" then return help() end
  local value = not lazy[text] and completion().value(text)
  help(value and (reference().kind_of(value) or type(value) == "function"
    and reference().entry_of(value)) and value or text)
end

-- The reference's entry of a function; nil for functions of others.
local function about_function(value)
  return reference().entry_of(value) and orrery.help(value, width())
end

local function again()
  if not rerun then error("nothing to do again: first compare policies, or make a session", 0) end
  if not rerun.name then return rerun.chunk() end
  rerun.chunk()
  return _G[rerun.name]
end

lazy.help = always(function() return help end)
lazy.again = always(function() return again end)

-- Where Ctrl-C ended a shell command, its caller stops, too.
local function stop_with_children()
  local execute = os.execute
  function os.execute(...) -- luacheck: ignore 122
    local done, how, code = execute(...)
    if how == "signal" and code == 2 or how == "exit" and code == INTERRUPTED then
      error("interrupted", 0)
    end
    return done, how, code
  end
end

-- Prints a message when the file of a policy has changed since it was last read.
local function watch_policies()
  local texts = {}
  require("orrery.host.policies").on_read = function(path, text)
    if texts[path] and texts[path] ~= text then print(path .. " has changed: read again") end
    texts[path] = text
  end
end

local function greeting()
  return ([[
Orrery %s: month is a month of jobs, orrery the module; help() tells more, ?x of x.
Try  s = orrery.session { jobs = month, policy = "easy" }
     s:run_until(12 * day)
]]):format(orrery.version)
end

local pending = "" -- the earlier lines of an unfinished entry, for the completion

-- --- entries ------------------------------------------------------------------------------------

-- A text in quotes ends on its line: further lines cannot complete it.
local function is_incomplete(problem)
  return problem:sub(-5) == "<eof>" and not problem:find "unfinished string near <eof>$"
end

local function is_code(text) return load(text, "=code", "t") ~= nil end

-- Lines that end in an expression after a line of statements: a function that gives its values.
-- Where all lines are statements, only a last line that begins with a name counts as an expression.
local function compile_block(text, name, before, are_statements)
  for at = #text, 2, -1 do
    local tail = text:sub(at, at) == "\n" and text:sub(at + 1)
    if tail and is_code("return 0, " .. tail) and is_code(text:sub(1, at))
      and (not are_statements or tail:find "^%s*[%a_]") then
      return load(before .. text:sub(1, at) .. "return " .. tail, "=" .. name, "t")
    end
  end
end

-- The text that a line such as `?x` or `x?` asks about; nil for other lines.
local function asked_for(text)
  return text:match "^%s*%?%s*([^\n]-)%s*$" or text:match "^%s*([%a_-][%w_.:/+#-]*)%?%s*$"
end

-- The typed code as a function: an expression, or statements, the last of which may be an
-- expression. nil and the problem where it is neither, nil alone where it is incomplete. Of the two
-- problems the one that is not about the first word is returned.
local function compile(text, name, first_line)
  local before = ("\n"):rep((first_line or 1) - 1)
  local asked = asked_for(text)
  if asked then return function() ask(asked) end end
  local expression, of_expression = load(before .. "return " .. text, "=" .. name, "t")
  if expression then return expression end
  local statements, problem = load(before .. text, "=" .. name, "t")
  local block = compile_block(text, name, before, statements)
  if block or statements then return block or statements end
  if is_incomplete(problem) or is_incomplete(of_expression) then return nil end
  local first = text:match "^%s*([%w_]+)" or text:match "^%s*(%p)"
  if first and problem:find("unexpected symbol near '" .. first, 1, true) then
    problem = of_expression
  end
  return nil, problem
end

-- Reads lines until they make an entry: its text, its function or its error, and the number of
-- lines. `read` gives a line, nil at the end of the input, false to drop the entry; nil or false
-- are then the result.
local function read_entry(read, name, first_line)
  local text, lines = read "> ", 1
  if not text then return text end
  local chunk, problem = compile(text, name, first_line)
  while not chunk and not problem do
    pending = text .. "\n"
    local line = read ">> "
    if line == false then return false end
    if line == nil then
      problem = ("%s:%d: the input ends in the middle of this"):format(name, first_line)
    else
      text, lines = text .. "\n" .. line, lines + 1
      chunk, problem = compile(text, name, first_line)
    end
  end
  return text, chunk, problem, lines
end

local function show_value(value, text)
  if rawequal(value, orrery) then
    print(("orrery %s: help() tells what is in it"):format(orrery.version))
  elseif value == help then
    help()
  elseif value == nil then
    local hint = explain().nothing(text)
    say("value", hint and ("nil; %s"):format(hint) or "nil")
  else
    local show = require "orrery.program.show"
    local text_of = show.text(value, { width = width(), help = about_function })
    if type(value) == "string" then print(text_of) else say("value", text_of) end
  end
end

local function show_values(values, text)
  for i = 1, values.n do show_value(values[i], values.n == 1 and text or "") end
  if values[1] ~= nil then last = values[1] end
end

-- A line, cut into lines of the window at its spaces.
local function wrapped(line, columns)
  local lines = {}
  while utf8.len(line) and utf8.len(line) > columns do
    local head = line:sub(1, utf8.offset(line, columns + 1) - 1)
    local at = head:match "^.*() " or line:match "^%S+() "
    if not at then break end
    lines[#lines + 1], line = line:sub(1, at - 1), line:sub(at + 1)
  end
  lines[#lines + 1] = line
  return table.concat(lines, "\n")
end

-- Prints an error. In a window lines are wrapped at spaces; indented code is not.
local function complain(text)
  local columns = core.window()
  if columns then
    text = text:gsub("[^\n]+", function(line)
      return line:find "^ " and line or wrapped(line, columns)
    end)
  end
  io.stdout:flush()
  say("error", text)
end

-- Remembers an entry that `again` can repeat, with the variable that it sets.
local function remember_run(text, chunk)
  if text:find "%f[%w_]again%s*%(" then return end
  for _, name in ipairs { "compare", "session", "packs" } do
    if text:find("%f[%w_]" .. name .. "%f[^%w_]") then
      rerun = { chunk = chunk, name = text:match "^%s*([%a_][%w_]*)%s*=[^=]" }
      return
    end
  end
end

-- Runs an entry and shows its values; returns its exit status.
local function evaluate(text, chunk, name, prefix)
  remember_run(text, chunk)
  if text:find("local", 1, true) then explain().note_locals(text) end
  local patient = prefix == ""
  local results = table.pack(terminal.call(function()
    show_values(table.pack(chunk()), text)
  end, function(problem) return explain().handler(problem) end, patient))
  if results[1] then return 0 end
  local problem, interrupted = results[2], results[3]
  if type(problem) ~= "table" then problem = { text = tostring(problem), frames = {} } end
  if interrupted or problem.text == "interrupted" then
    local what = problem.text:match "interrupted.*$" or "interrupted"
    complain((patient and "\n%s; sessions go on from where they are" or prefix .. "%s")
      :format(what))
    return INTERRUPTED
  end
  complain(prefix .. explain().error(problem, text, name))
  return math.type(problem.status) == "integer" and problem.status or 1
end

-- --- history ------------------------------------------------------------------------------------

-- The file has entries behind lines `#TIME`, as bash writes them. Every entry is appended at once,
-- in one write, so that a crash or a second prompt loses no entry.
local function parse_history(text)
  local entries
  for line in text:gmatch "([^\n]*)\n" do
    if line:find "^#%d+$" then
      entries = entries or {}
      entries[#entries + 1] = {}
    elseif entries then
      table.insert(entries[#entries], line)
    end
  end
  local list = {}
  for _, lines in ipairs(entries or {}) do list[#list + 1] = table.concat(lines, "\n") end
  if entries then return list end
  for line in text:gmatch "[^\n]+" do list[#list + 1] = line end -- the format of earlier versions
  return list
end

local function record(entry) return ("#%d\n%s\n"):format(os.time(), entry) end

-- Keeps the last HISTORY entries of a file that has grown to twice as many.
local function shorten_history(path, entries)
  if #entries <= 2 * HISTORY then return end
  local lines = {}
  for i = #entries - HISTORY + 1, #entries do lines[#lines + 1] = record(entries[i]) end
  pcall(core.write_file, path, table.concat(lines))
end

-- Reads the history and gives a function that adds an entry.
local function open_history()
  local found, path = pcall(commands.history_file)
  path = found and path or nil
  local file = path and io.open(path, "rb")
  local text = file and file:read "a" or ""
  local entries = parse_history(text)
  if file then file:close() end
  for i = math.max(1, #entries - HISTORY + 1), #entries do terminal.remember(entries[i]) end
  if path then shorten_history(path, entries) end
  local before = text:find "[^\n]$" and "\n" or "" -- a full disk took the end of an entry
  local latest = entries[#entries]
  return function(entry)
    if entry == latest or entry:find "^%s*$" then return end
    latest = entry
    terminal.remember(entry)
    local out = path and io.open(path, "ab")
    if out then
      out:write(before, record(entry))
      out:close()
      before = ""
    end
  end
end

-- --- reading ------------------------------------------------------------------------------------

local function type_and_read()
  stop_with_children()
  watch_policies()
  local known = require "orrery.program.colours"
  colours = known.wanted() and known or nil
  terminal.open(colours ~= nil)
  local add = open_history()
  terminal.set_completer {
    quote = function(line) return completion().quote(pending .. line) end,
    complete = function(line) return completion().candidates(pending .. line) end,
  }
  local function read(mark) return terminal.read(colours and colours.mark(mark) or mark) end
  print(greeting())
  while true do
    pending = ""
    local text, chunk, problem = read_entry(read, "prompt", 1)
    if text == nil or text and text:find(LEAVE) then break end
    if text then add(text) end
    if problem then
      complain(explain().syntax(problem, text))
    elseif text then
      evaluate(text, chunk, "prompt", "")
    end
  end
  print()
  return 0
end

-- Runs entries that are not typed: only values are shown, and errors name the line. Returns the
-- status of the last failed entry.
local function run_entries(read, name)
  local number, status = 1, 0
  while true do
    local text, chunk, problem, lines = read_entry(read, name, number)
    if not text then return status end
    local failed = 1
    if problem then
      complain("orrery: " .. explain().syntax(problem, text, name, number))
    else
      failed = evaluate(text, chunk, name, "orrery: ")
    end
    if failed == INTERRUPTED then return failed end
    if failed ~= 0 then status = failed end
    number = number + lines
  end
end

function prompt.run()
  require("orrery.support.program").during = function(...)
    return require("orrery.command.progress").during(...)
  end
  if core.is_terminal(0) and core.is_terminal(1) then return type_and_read() end
  local status = run_entries(function() return io.read "l" end, "stdin")
  return (status == 0 or status == INTERRUPTED) and status or 1
end

function prompt.evaluate(code)
  local given = { code }
  return run_entries(function() return table.remove(given) end, "(command line)")
end

return prompt
