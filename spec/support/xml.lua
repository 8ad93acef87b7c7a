-- A small reader of XML, strict about what browsers are strict about: a tree of { name =, at =
-- attributes, text =, ... = children }. Raises what is wrong.
local xml = {}

local ENTITIES = { ["amp;"] = "&", ["lt;"] = "<", ["gt;"] = ">", ["quot;"] = '"' }

local function plain(text)
  assert(not text:find "<", "a < in text: " .. text)
  return (text:gsub("&([^;&]*;?)", function(entity)
    local code = entity:match "^#(%d+);$"
    return code and utf8.char(tonumber(code)) or assert(ENTITIES[entity], "&" .. entity)
  end))
end

local function attributes(text)
  local at, rest = {}, text
  while rest:find "%S" do
    local name, quote, tail = rest:match "^%s+([%w:_-]+)%s*=%s*([\"'])(.*)$"
    assert(name, "attributes: " .. text)
    local value, behind = tail:match("^([^" .. quote .. "]*)" .. quote .. "(.*)$")
    assert(value, "attributes: " .. text)
    assert(at[name] == nil, "twice: " .. name)
    at[name], rest = plain(value), behind
  end
  return at
end

local function open(text, stack)
  local name, rest, closed = text:match "^([%w:_-]+)(.-)%s*(/?)$"
  assert(name, "a tag: <" .. text .. ">")
  local node = { name = name, at = attributes(rest), text = "" }
  table.insert(stack[#stack], node)
  if closed == "" then stack[#stack + 1] = node end
end

function xml.read(text)
  assert(utf8.len(text), "not UTF-8")
  assert(not text:find "[%z\1-\8\11\12\14-\31]", "a control character")
  text = text:gsub("^<%?xml.-%?>", ""):gsub("^%s*<!DOCTYPE.->", ""):gsub("<!%-%-.-%-%->", "")
  local stack, position = { { name = "", text = "" } }, 1
  while position <= #text do
    local top = stack[#stack]
    local cdata = text:match("^<!%[CDATA%[(.-)%]%]>", position)
    local tag = not cdata and text:match("^<([^<>]+)>", position)
    if cdata then
      top.text, position = top.text .. cdata, position + #cdata + 12
    elseif tag and tag:sub(1, 1) == "/" then
      assert(tag == "/" .. top.name, ("</%s> ends <%s>"):format(tag, top.name))
      stack[#stack], position = nil, position + #tag + 2
    elseif tag then
      open(tag, stack)
      position = position + #tag + 2
    else
      local piece = text:match("^[^<]+", position)
      assert(piece, "a stray <: " .. text:sub(position, position + 40))
      top.text, position = top.text .. plain(piece), position + #piece
    end
  end
  assert(#stack == 1, "not closed: " .. stack[#stack].name)
  return stack[1][1]
end

-- All nodes below that a function is true of, in order.
function xml.all(node, keep, found)
  found = found or {}
  for _, child in ipairs(node) do
    if keep(child) then found[#found + 1] = child end
    xml.all(child, keep, found)
  end
  return found
end

-- Those of a class.
function xml.class(node, class)
  return xml.all(node, function(n)
    return (" " .. (n.at.class or "") .. " "):find(" " .. class .. " ", 1, true) ~= nil
  end)
end

return xml
