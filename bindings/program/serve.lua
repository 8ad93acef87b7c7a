-- serve: answers requests of another program, in JSON, one per line (`orrery serve --stdio`).
--
-- Requests can call everything in the schema: functions of the module, and methods and fields of
-- values. spec/EMBEDDING.md describes requests and answers. A value that JSON cannot hold stays in
-- this process and is named by its number, its handle. No error of a request ends the process.
local caller_error = require "orrery.support.caller_error"
local core = require "orrery.core"
local index = require "orrery.reference.index"
local json = require "orrery.support.json"
local lists = require "orrery.support.lists"
local names = require "orrery.support.names"
local objects = require "orrery.reference.objects"

local MOST_BYTES = 64 << 20 -- of a line
local MOST_NESTED = 100 -- of an answer

local serve = {}

local function refuse(format, ...) error(format:format(...), 0) end

-- --- callable entries ----------------------------------------------------------------------------

local function is_function(type_of) return type_of:find "^fun%(" ~= nil end

-- Whether JSON can hold the arguments and the results.
local function can_be_sent(entry)
  for _, param in ipairs(entry.params or {}) do
    if not param.optional and is_function(param.type) then return false end
  end
  for _, type_of in ipairs(entry.returns or { entry.type }) do
    if is_function(type_of) then return false end
  end
  local class = index.by_class[entry.type]
  return not (class and class.functions)
    and not (entry.class.name == "orrery" and entry.type == "table")
end

local OWN = {
  { name = "calls", written = "calls()", about = "what can be called: a list of `call`, `of`, "
    .. "`written`, `type` and `about`" },
  { name = "release", written = "release()", about = "forgets the value that `on` names" },
}

-- The callable entries of a class, or for nil of the module: a list of { call =, entry = }.
local function calls_of(class)
  local list = {}
  local function add(prefix, from)
    for _, entry in ipairs(from.members) do
      if can_be_sent(entry) then
        list[#list + 1] = { call = prefix .. entry.name, entry = entry }
      end
    end
  end
  if class then
    add("", class)
  else
    add("", index.by_class.orrery)
    add("tasks.", index.by_class.TaskMakers)
  end
  return list
end

-- All callable entries, as data.
local function all_calls()
  local list = lists.map(OWN, function(one)
    return { call = one.name, of = "serve", written = one.written, about = one.about }
  end)
  local function add(class, of)
    for _, one in ipairs(calls_of(class)) do
      list[#list + 1] = { call = one.call, of = of, written = one.entry.written,
        type = one.entry.type, about = one.entry.about }
    end
  end
  add(nil, "orrery")
  for _, class in ipairs(index.classes) do
    if class.kind and not class.host and not class.functions then add(class, class.kind) end
  end
  return list
end

-- --- a server -----------------------------------------------------------------------------------

local Server = {}
Server.__index = Server

-- A server with its handles: values by number, numbers by value, numbers by name, the latest
-- session.
function serve.new()
  return setmetatable({ values = {}, numbers = {}, named = {}, last = 0 }, Server)
end

-- The value of a handle: a number, or the name that it was given.
function Server:value(handle)
  local number = self.named[handle] or handle
  local value = self.values[number]
  if value == nil then refuse("there is no handle %s", type(handle) == "string" and
    ("'%s'"):format(handle) or tostring(handle)) end
  return value, number
end

function Server:keep(value)
  local number = self.numbers[value]
  if not number then
    number = self.last + 1
    self.last, self.values[number], self.numbers[value] = number, value, number
  end
  return number
end

function Server:release(handle)
  local value, number = self:value(handle)
  self.values[number], self.numbers[value] = nil, nil
  for name, of in pairs(self.named) do
    if of == number then self.named[name] = nil end
  end
  if self.session == value then self.session = nil end
end

-- --- arguments ----------------------------------------------------------------------------------

local NULL = {} -- null in JSON

-- Replaces handles by values; null is left out.
function Server:given(value, what)
  if type(value) ~= "table" then return value end
  local handle = value.handle
  if handle ~= nil and handle ~= NULL and next(value, next(value)) == nil then
    return (self:value(handle))
  end
  local copy = {}
  for key, item in pairs(value) do
    if item ~= NULL then
      copy[key] = self:given(item, what)
    elseif math.type(key) == "integer" then
      refuse("%s: a list cannot hold null, as number %d of this one is", what, key)
    end
  end
  return copy
end

-- Whether the parameter can be given as a table of options.
local function takes_object(param)
  for _, part in ipairs(index.split(param.type, "|")) do
    local class = index.by_class[part:gsub("%?$", "")]
    if class and not class.kind or part:find "^{" or part:find "^table<" then return true end
  end
  return false
end

local function positions(entry)
  local list, at = {}, {}
  for i, param in ipairs(entry.params) do list[i], at[param.name] = param.name, i end
  return list, at
end

-- The arguments and their number. `with` is a list of arguments, or an object with arguments by
-- name, or the single argument itself where it is a table or a value.
function Server:arguments(entry, with)
  local what, params = entry.name, entry.params
  if with == nil then return {}, 0 end
  if type(with) ~= "table" then
    refuse("%s: `with` is a list of arguments or an object, not %s", what, tostring(with))
  end
  if with[1] ~= nil then
    if #with > #params then refuse("%s takes %d arguments, not %d", what, #params, #with) end
    local list = {}
    for i, item in ipairs(with) do
      if item ~= NULL then list[i] = self:given(item, what) end
    end
    return list, #with
  end
  local given = self:given(with, what)
  local is_value = type(given) ~= "table" or objects.kind_of(given)
  if is_value or #params == 1 and takes_object(params[1]) then return { given }, 1 end
  local known, at = positions(entry)
  local list = {}
  for name, item in pairs(given) do
    if not at[name] then
      refuse("%s has no argument '%s'%s", what, name, names.suggestion(name, known,
        known[1] and (" (it has %s)"):format(table.concat(known, ", ")) or ""))
    end
    list[at[name]] = item
  end
  return list, #params
end

-- --- answers ------------------------------------------------------------------------------------

-- A text in which each byte of invalid UTF-8 is written as `\xff`, as in messages.
local function text_of(text)
  local length, bad = utf8.len(text)
  while not length do
    text = ("%s\\x%02x%s"):format(text:sub(1, bad - 1), text:byte(bad), text:sub(bad + 1))
    length, bad = utf8.len(text, bad)
  end
  return text
end

local fields_of = setmetatable({}, { __index = function(self, name)
  local types, class = {}, index.by_class[name]
  for _, entry in ipairs(class and class.members or {}) do types[entry.name] = entry.type end
  self[name] = types
  return types
end })

-- The type of a table among several types.
local function type_of_table(value, types)
  local parts = index.split((types:gsub("%?$", "")), "|")
  for _, part in ipairs(parts) do
    if #parts == 1 or (part:find "%[%]$" ~= nil) == (value[1] ~= nil) then return part end
  end
  return ""
end

local function is_list(value, type_of)
  if type_of:find "%[%]$" then return true end
  if value[1] == nil then return false end
  local count = 0
  for _ in pairs(value) do count = count + 1 end
  return count == #value
end

-- The JSON form of a value of this type of the schema; nil: none.
function Server:plain(value, type_of, depth)
  local kind = type(value)
  if kind == "string" then return text_of(value) end
  if kind == "number" then return value - value == 0 and value or json.null end
  if kind == "boolean" then return value end
  if kind ~= "table" and kind ~= "userdata" then return nil end
  local class = debug.getmetatable(value) and objects.class_of(value)
  if class and class.kind then return self:handle(value, class) end
  if kind == "userdata" then return nil end
  if depth > MOST_NESTED then refuse("the answer is nested more than %d deep", MOST_NESTED) end
  type_of = type_of_table(value, type_of)
  return self[is_list(value, type_of) and "list" or "object"](self, value, type_of, depth + 1)
end

-- The JSON form for a place that cannot be left out.
function Server:item(value, type_of, depth)
  local item = self:plain(value, type_of, depth)
  return item == nil and json.null or item
end

function Server:list(value, type_of, depth)
  local inner, list = type_of:match "^(.*)%[%]$" or "", {}
  for i = 1, #value do list[i] = self:item(value[i], inner, depth) end
  return json.list(list)
end

-- The fields of an object; some values make their fields only on demand.
function Server:object(value, type_of, depth)
  local types, object = fields_of[type_of], {}
  local function add(key)
    local field = self:plain(value[key], types[key] or "", depth)
    if field ~= json.null then object[text_of(tostring(key))] = field end
  end
  for key in pairs(debug.getmetatable(value) and types or {}) do add(key) end
  for key in next, value do
    if type(key) == "string" or math.type(key) == "integer" then add(key) end
  end
  return object
end

-- The answer for a value that stays here. A value that commands write as JSON is included as JSON.
function Server:handle(value, class)
  local answer = { handle = self:keep(value), kind = class.kind }
  if class.by_name.json then answer.value = json.raw(text_of(value:json())) end
  return answer
end

function Server:answer(entry, results)
  local types = entry.returns or { entry.type }
  if #types < 2 then return self:plain(results[1], types[1] or "", 0) end
  local list = lists.map(types, function(type_of, i) return self:item(results[i], type_of, 0) end)
  return json.list(list)
end

-- --- requests -----------------------------------------------------------------------------------

function Server:find(call, on)
  local value, list
  if on ~= nil then
    value = self:value(on)
    list = calls_of(objects.class_of(value))
  else
    list = calls_of()
  end
  for _, one in ipairs(list) do
    if one.call == call then return one.entry, value end
  end
  if on == nil and self.session then
    value = self.session
    local own = calls_of(objects.class_of(value))
    for _, one in ipairs(own) do
      if one.call == call then return one.entry, value end
    end
    table.move(own, 1, #own, #list + 1, list)
  end
  local known = lists.fields(list, "call")
  refuse("%s has no '%s'%s", on and objects.kind_of(value) or "orrery", call,
    names.suggestion(call, known, "; `calls` lists what can be called"))
end

local function of_module(entry)
  if entry.class.name == "TaskMakers" then return core.module.tasks[entry.name] end
  return core.module[entry.name]
end

local function field_of(value, entry, with)
  local name = entry.name
  if name == "[]" then
    local i = type(with) == "table" and #with == 1 and with[1]
    if math.type(i) ~= "integer" then refuse "[]: `with` is a list of one whole number" end
    return value[i]
  end
  if with ~= nil then refuse("%s is a field and takes no arguments", name) end
  if name == "#" then return #value end
  return value[name]
end

function Server:call(request)
  if request.call == "calls" and request.on == nil then return json.list(all_calls()) end
  if request.call == "release" then
    if request.on == nil then refuse "release: `on` names what is to be forgotten" end
    return self:release(request.on)
  end
  local entry, value = self:find(request.call, request.on)
  local results
  if entry.params then
    local list, count = self:arguments(entry, request.with)
    local f = value == nil and of_module(entry) or value[entry.name]
    if value ~= nil then
      table.insert(list, 1, value)
      count = count + 1
    end
    results = { f(table.unpack(list, 1, count)) }
  else
    results = { field_of(value == nil and core.module or value, entry, request.with) }
  end
  local answer = self:answer(entry, results)
  local kept = type(answer) == "table" and answer.handle
  if kept and entry.name == "session" then self.session = self.values[kept] end
  if request.as ~= nil then
    if not kept then refuse("%s: its result needs no handle, `as` names one", request.call) end
    self.named[request.as] = kept
  end
  return answer
end

local FIELDS = { id = "text or a number", call = "text", on = "text or a number", as = "text",
  with = "an object or a list" }
local FITS = {
  ["text"] = function(value) return type(value) == "string" end,
  ["text or a number"] = function(value)
    return type(value) == "string" or type(value) == "number"
  end,
  ["an object or a list"] = function(value) return type(value) == "table" end,
}

local function check_request(request)
  for name, value in pairs(request) do
    local expected = FIELDS[name]
    if not expected then
      refuse("unknown field '%s'%s (known: as, call, id, on, with)", name,
        names.suggestion(name, names.sorted(FIELDS)))
    elseif not FITS[expected](value) then
      refuse("%s: expected %s, found %s", name, expected, type(value))
    end
  end
  if request.call == nil then refuse "`call` is missing" end
end

-- The request of a line; its null fields are absent.
local function read(line)
  local request = core.read_json(line, NULL)
  if type(request) ~= "table" or request == NULL or request[1] ~= nil then
    refuse "a request is an object: { \"id\": 1, \"call\": \"compare\", \"with\": { ... } }"
  end
  for name, value in pairs(request) do
    if value == NULL then request[name] = nil end
  end
  return request
end

local function problem_of(problem)
  local message, code = core.error_code(problem)
  local text = code == "argument" and message or tostring(problem)
  return { message = text_of(caller_error.without_place(text)), code = code }
end

function Server:reply(line)
  local answer = { id = json.null }
  local done, problem = pcall(function()
    local request = read(line)
    if FITS["text or a number"](request.id) then answer.id = self:plain(request.id, "", 0) end
    check_request(request)
    local result = self:call(request)
    if result == nil then result = json.null end
    answer.result = result
    answer = json.line(answer, { "id", "result" })
  end)
  if done then return answer end
  if core.interrupted() then error(problem, 0) end
  return json.line({ id = type(answer) == "table" and answer.id or json.null,
    error = problem_of(problem) }, { "id", "error", "message", "code" })
end

-- Answers the requests on standard input until it ends.
function serve.run()
  local channel = require "orrery.program.channel"
  local output, server = channel.take_output(), serve.new()
  local function write(line)
    local done, problem = output:write(line)
    if done then done, problem = output:flush() end
    if not done then error({ exit = 1, message = "cannot answer: " .. problem }, 0) end
  end
  while true do
    local line, size = channel.read_line(MOST_BYTES)
    if not line and not size then break end
    if line then
      write(server:reply(line))
    else
      write(json.line({ id = json.null, error = { message = ("the line has %d bytes; column %d is "
        .. "the last that is read"):format(size, MOST_BYTES) } }, { "id", "error" }))
    end
  end
end

return serve
