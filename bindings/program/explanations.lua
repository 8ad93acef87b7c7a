-- explanations: explanations of errors in typed code, with advice.
--
-- syntax(message, code, name) and error(problem, code, name) give the text to print: the message,
-- its place, and a line of advice where one is known. `code` is the typed code, `name` the name of
-- its chunk. handler(problem) is the message handler: it stores the frames with the problem.
local caller_error = require "orrery.support.caller_error"
local names_of = require "orrery.support.names"
local orrery = require "orrery"

local explanations = {}

local LISTED = 12 -- names in a hint

-- Only needed after an error.
local function completion() return require "orrery.program.completion" end

-- --- frames -------------------------------------------------------------------------------------

-- Whether a frame is the user's own: not C, not Orrery's own Lua.
local function is_users(info)
  return info.what ~= "C" and not info.short_src:find "^orrery/"
end

-- The name of the function of a frame; Lua does not know it for a tail call.
local function name_of(info)
  if info.what == "main" then return "what was typed" end
  if info.name then return info.name end
  for name, value in next, _G do
    if value == info.func then return name end
  end
  return "a function"
end

local function frames_from(level)
  local frames = {}
  for at = level, level + 200 do
    local info = debug.getinfo(at, "Slnf")
    if not info then break end
    if is_users(info) then
      frames[#frames + 1] = { name = name_of(info), source = info.short_src,
        line = info.currentline, is_entry = info.what == "main" }
    end
  end
  return frames
end

-- The message handler of a run: a table with the message and the frames of the user's functions.
function explanations.handler(problem)
  local metatable = type(problem) == "table" and getmetatable(problem)
  local text, status = problem, nil
  if type(problem) == "table" and not (metatable and metatable.__tostring) then
    text, status = problem.message, problem.exit
    if text == nil then text = "an error that is a table" end
  end
  text = tostring(text)
  local all = os.getenv "ORRERY_TRACEBACK"
  return {
    text = text, status = status, frames = frames_from(3),
    traceback = all and all ~= "" and debug.traceback(text, 2) or nil,
  }
end

-- --- syntax -------------------------------------------------------------------------------------

local function line_of(code, number)
  local at = 0
  for line in (code .. "\n"):gmatch "([^\n]*)\n" do
    at = at + 1
    if at == number then return line end
  end
end

local function bytes_before(code, number)
  local at = 1
  for _ = 2, number do at = (code:find("\n", at, true) or #code) + 1 end
  return at - 1
end

-- Whether the compiler gives the same message for this code, as statements or as an expression.
local function is_same(code, message)
  for _, prefix in ipairs { "", "return " } do
    local _, problem = load(prefix .. code, "=code", "t")
    if problem and problem:match ":(%d+: .*)$" == message then return true end
  end
  return false
end

-- The column at which the compiler stopped: the column of the first such token up to which it gives
-- the same message.
local function column_of(code, number, token, message)
  local line, before = line_of(code, number), bytes_before(code, number)
  local from = 1
  while line and token ~= "" do
    local start, stop = line:find(token, from, true)
    if not start then return nil end
    if is_same(code:sub(1, before + stop), message) then return start end
    from = stop + 1
  end
end

-- The line, and a caret under its column where that is known.
local function marked(line, column)
  local shown = "  " .. line:gsub("\t", " ")
  if not column then return shown end
  local before = line:sub(1, column - 1)
  return ("%s\n  %s^"):format(shown, (" "):rep(utf8.len(before) or #before))
end

-- The message about code that cannot be compiled, with its line and a caret under the place.
-- first_line is the number of the code's first line, where that is not 1.
function explanations.syntax(message, code, name, first_line)
  local number, what = message:match ":(%d+): (.*)$"
  if not number then return message end
  local at = math.tointeger(number) - (first_line or 1) + 1
  local place = name and ("%s:%s: "):format(name, number) or ""
  local lines = { place .. what:gsub("<eof> expected", "unexpected symbol") }
  local token, line = what:match "near '(.*)'$", line_of(code, at)
  if token and line then
    lines[2] = marked(line, column_of(code, at, token, ("%d: %s"):format(at, what)))
  end
  if token == "=" and (code:find "^%s*if%f[^%w_]" or code:find "^%s*while%f[^%w_]") then
    lines[#lines + 1] = "to compare, write =="
  end
  if token == "until" and what:find "unexpected symbol" and line:find "until%s*=" then
    lines[#lines + 1] = 'until is a word of Lua; as a field it is written ["until"] = ...'
  end
  return table.concat(lines, "\n")
end

-- --- advice --------------------------------------------------------------------------------------

local function list_of(names)
  local rest = #names - LISTED
  return table.concat(names, ", ", 1, math.min(#names, LISTED))
    .. (rest > 0 and (", ... %d more"):format(rest) or "")
end

local locals = {} -- names that an entry made local, which the next ones do not see

function explanations.note_locals(code)
  for names in code:gmatch "%f[%w_]local%s+([%a_][%w_%s,]*)" do
    for name in names:gmatch "[%a_][%w_]*" do locals[name] = true end
  end
end

local function about_global(name)
  if locals[name] then
    return ("%s was local to its entry; without `local` it stays"):format(name)
  end
  if rawget(orrery, name) ~= nil then return ("did you mean orrery.%s?"):format(name) end
  local near = #name > 1 and names_of.nearest(name, completion().globals())
  if near then return ("did you mean %s?"):format(near) end
  near = #name > 1 and names_of.nearest(name, completion().names(orrery))
  if near then return ("did you mean orrery.%s?"):format(near) end
  return ("there is nothing called %s; set it with %s = ..."):format(name, name)
end

-- Explains a nil field: the names in the object before it in the code.
local function about_field(name, code)
  for before, after in code:gmatch "()[.:]()" do
    if code:match("^" .. name .. "%f[^%w_]", after) then
      local object = code:sub(1, before - 1)
      local names = completion().names_in(object)
      local near = names_of.nearest(name, names)
      if near == name then return nil end
      if near then return ("did you mean %s?"):format(near) end
      if #names > 0 then
        return ("%s has %s"):format(object:match "[%w_.:%[%]]+$", list_of(names))
      end
    end
  end
end

-- Explains typed code whose value is nil, although it looks like a field or a global.
function explanations.nothing(code)
  local object, name = code:match "^%s*([%w_.:%[%]]+)%.([%a_][%w_]*)%s*$"
  if object then return about_field(name, code) end
  name = code:match "^%s*([%a_][%w_]*)%s*$"
  return name and name ~= "nil" and about_global(name)
end

local function about_method(name, code)
  if code:find("%." .. name .. "%s*[%({\"']") then
    return ("methods are called with a colon: :%s"):format(name)
  end
end

local function about_known(name, known)
  local names = {}
  for one in known:gmatch "[%a_][%w_]*" do names[#names + 1] = one end
  local near = names_of.nearest(name, names)
  return near and ("did you mean %s?"):format(near)
end

-- A line of advice; nil where none is known.
function explanations.hint(message, code)
  local kind, name = message:match "a nil value %((%l+) '([%w_]+)'%)"
  if kind == "global" then return about_global(name) end
  if kind == "field" or kind == "method" then return about_field(name, code) end
  local method = message:match "bad argument #1 to '([%w_]+)'"
    or message:match "calling '([%w_]+)' on bad self"
  if method then return about_method(method, code) end
  if message:find("did you mean", 1, true) then return nil end
  local unknown, known = message:match "'([%w_]+)' %(known: (.*)%)"
  if unknown then return about_known(unknown, known) end
end

-- --- explanations --------------------------------------------------------------------------------

-- Whether the error happened in the typed code itself, not in a function called there.
local function is_plain(frames)
  return #frames == 0 or #frames == 1 and frames[1].is_entry
end

-- `problem` is the result of explanations.handler, `code` the typed code.
function explanations.error(problem, code, name)
  if problem.traceback then return problem.traceback end
  local text = caller_error.without_place(problem.text)
  local lines, plain = { text }, is_plain(problem.frames)
  if plain and name == "prompt" and not code:find "\n" then -- its place is of no use
    lines[1] = text:gsub("^prompt:1: ", "")
  end
  for _, frame in ipairs(plain and {} or problem.frames) do
    lines[#lines + 1] = ("  in %s, %s:%d"):format(frame.name, frame.source, frame.line)
  end
  lines[#lines + 1] = explanations.hint(problem.text, code)
  return table.concat(lines, "\n")
end

return explanations
