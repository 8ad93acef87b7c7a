-- The annotations for editors: their syntax, and that they are about what is there.
local orrery = require "orrery"

local annotations = require "bindings.reference.docs.annotations"
local luacats = require "spec.support.luacats"

local reference = orrery.tools.reference()
local text = annotations(reference)

local BUILT_IN = {}
for name in ("any nil boolean string number integer function table userdata true false self")
  :gmatch "%w+" do
  BUILT_IN[name] = true
end

describe("the annotations", function()
  local read

  setup(function() read = luacats.read(text) end)

  it("are Lua", function() assert(load(text, "=meta", "t", {})) end)

  it("name only types that there are", function()
    local function check(type_of)
      luacats.each_name(type_of, function(name)
        assert.is_truthy(BUILT_IN[name] or read.classes[name] or read.aliases[name], name)
      end)
    end
    for _, alias in pairs(read.aliases) do check(alias) end
    for _, class in pairs(read.classes) do
      if class.parent then assert.is_truthy(read.classes[class.parent]) end
      for _, field in pairs(class.fields) do check(field.type) end
      for _, method in pairs(class.methods) do
        for _, param in ipairs(method.params) do check(param.type) end
        for _, one in ipairs(method.returns) do check(one) end
        for _, one in ipairs(method.overloads) do check(one) end
      end
    end
  end)

  it("have the module as it is", function()
    local class = read.classes.orrery
    for name, value in pairs(orrery) do
      local is_function = type(value) == "function"
      assert.is_truthy((is_function and class.methods or class.fields)[name], name)
    end
    for name in pairs(class.methods) do assert.is_function(orrery[name], name) end
    for name in pairs(class.fields) do assert.is_not_nil(orrery[name], name) end
  end)

  it("have all that the reference has, and nothing else", function()
    local count = 0
    for _, class in ipairs(reference.classes) do
      local name = class.name == "orrery" and "orrery" or "orrery." .. class.name
      local found = read.classes[name]
      if class.parts or class.at_prompt then
        assert.is_nil(found)
      else
        count = count + 1
        local fields, methods = {}, {}
        for _, entry in ipairs(class.entries) do
          if entry.name ~= "#" then
            local list = entry.params and methods or fields
            list[entry.name == "[]" and "[integer]" or entry.name] = true
          end
        end
        for field in pairs(found.fields) do assert.is_true(fields[field], name .. "." .. field) end
        for field in pairs(fields) do assert.is_table(found.fields[field], name .. "." .. field) end
        for one in pairs(found.methods) do assert.is_true(methods[one], name .. ":" .. one) end
        for one in pairs(methods) do assert.is_table(found.methods[one], name .. ":" .. one) end
      end
    end
    for _ in pairs(read.classes) do count = count - 1 end
    assert.equal(0, count)
  end)

  it("complete a policy: every key may be left out", function()
    for _, name in ipairs { "Policy", "RedistributionPolicy" } do
      for key, field in pairs(read.classes["orrery." .. name].fields) do
        assert.is_true(field.optional, key)
      end
    end
    local hook = read.classes["orrery.Policy"].fields.on_submit.type
    assert.equal("fun", hook.kind)
    assert.equal("orrery.Sim", hook.params[1].type.name)
  end)
end)

describe("the reader of annotations", function()
  local function refuses(line, problem)
    local ok, message = pcall(luacats.read, "---@class a\n" .. line .. "\n")
    assert.is_false(ok, line)
    assert.matches(problem, message, 1, true)
  end

  it("is strict", function()
    refuses("---@feild x number", "unknown annotation")
    refuses("---@field x", "another field")
    refuses("---@field x numb|", "expected a type")
    refuses("---@field x fun(a number)", "expected a colon")
    refuses("---@field x { a: number", "closing bracket")
    refuses("---@field x table<string, any", "closing bracket")
    refuses("---@field x number]", "the end of the type")
    refuses("---@field x fun(): number|string|fun(): nil|false", "no union behind")
    refuses("---@field x string?|number", "the end of the type")
    refuses("---@field x string | number", "the end of the type")
    refuses("---@class a", "second class")
    refuses("---@return number s", "a remark")
    refuses("local a = {}\n---@param x number\nfunction a:f(y) end", "other names")
    refuses("function b:f() end", "there is no b")
    refuses("print()", "neither an annotation")
  end)

  it("takes what is right", function()
    local read = luacats.read([[
---@meta a
---@class a: b
---@field x? { [1]: number, [2]: "u|v" }?  with a text
---@field [integer] fun(x?: number, y: a[]): string?, (number|nil)[] text
local a = {}
---@param x table<string, integer>
---@return a # s
---@overload fun(x: a): a
function a.f(x) end
]])
    assert.equal("b", read.classes.a.parent)
    assert.equal("optional", read.classes.a.fields.x.type.kind)
    assert.equal(2, #read.classes.a.fields["[integer]"].type.returns)
    assert.equal(1, #read.classes.a.methods.f.overloads)
  end)
end)
