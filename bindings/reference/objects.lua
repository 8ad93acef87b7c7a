-- objects: the class of the reference of a value, and the members of a class.
local core = require "orrery.core"
local descriptions = require "orrery.values.description"
local diff = require "orrery.session.diff"
local lists = require "orrery.support.lists"
local outcome = require "orrery.search.outcome"
local results = require "orrery.run.results"
local index = require "orrery.reference.index"
local sessions = require "orrery.session.session"
local text = require "orrery.reference.text"

local objects, tasks = {}, core.module.tasks

-- Classes made in Lua: their metatables, and their tables of methods.
local IN_LUA = {
  result = { metatable = results.class, methods = results.class },
  description = { metatable = descriptions.class, methods = descriptions.class },
  search = { metatable = outcome.class, methods = outcome.class },
  diff = { metatable = diff.class, methods = diff.class },
  session = sessions.jobs, ["session of tasks"] = sessions.tasks,
}

local function metatable_of(class)
  if class.lua_class then return IN_LUA[class.lua_class].metatable end
  return class.metatable and (core.class(class.metatable))
end

function objects.class_of(value)
  if rawequal(value, core.module) then return index.by_class.orrery end
  if rawequal(value, tasks) then return index.by_class.TaskMakers end
  local metatable = debug.getmetatable(value)
  if not metatable or type(value) == "string" then return nil end
  return lists.find(index.classes, function(class) return metatable_of(class) == metatable end)
end

local function methods_of(class)
  if class.at_prompt then return nil end
  if class.functions then return class.name == "orrery" and core.module or tasks end
  if class.lua_class then return IN_LUA[class.lua_class].methods end
  return class.metatable and select(2, core.class(class.metatable))
end

-- The entry of a function of the module, or of a method; nil for other functions.
function objects.entry_of(value)
  for _, class in ipairs(index.classes) do
    local methods = methods_of(class)
    for _, entry in ipairs(methods and class.members or {}) do
      if entry.params and rawget(methods, entry.name) == value then return entry end
    end
  end
end

-- --- for completion -----------------------------------------------------------------------------

-- The kind of an object, such as "session", "jobs" or "orrery" (the module); nil for other values.
function objects.kind_of(value)
  local class = objects.class_of(value)
  return class and class.kind
end

-- All kinds of objects, in the order of the reference.
function objects.kinds()
  local kinds = {}
  for _, class in ipairs(index.classes) do kinds[#kinds + 1] = class.kind end
  return kinds
end

-- The members of objects of a kind: a list of { name =, written = "s:run_until(time)", method =
-- whether it is a method, about = a few words }; nil for an unknown kind.
function objects.names(kind)
  for _, class in ipairs(index.classes) do
    if class.kind == kind then
      local list = {}
      for _, entry in ipairs(class.members) do
        if entry.name:match "^[%a_]" then
          list[#list + 1] = { name = entry.name, written = entry.written,
            method = entry.params ~= nil, about = text.brief(entry) }
        end
      end
      return list
    end
  end
end

return objects
