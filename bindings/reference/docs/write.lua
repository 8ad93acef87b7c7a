-- Writes what is made of the reference: orrery bindings/reference/docs/write.lua, in the checkout.
--
--   orrery .../write.lua                     the tables of the READMEs (make docs)
--   orrery .../write.lua annotations FILE    what editors know of the module
--   orrery .../write.lua man FILE            the man page
local orrery = require "orrery"

local annotations = require "bindings.reference.docs.annotations"
local man = require "bindings.reference.docs.man"
local markdown = require "bindings.reference.docs.markdown"

local READMES = { "spec/API.md", "policies/README.md", "spec/METRICS.md" }

local function read(path)
  local file = assert(io.open(path, "rb"))
  local text = file:read "a"
  file:close()
  return text
end

-- What a command of this program prints with --help; "generate lublin": a command of a command.
local function help_of(name)
  local parser
  for word in name:gmatch "%S+" do
    local commands = parser and parser._commands or {}
    parser = not parser and orrery.tools.parser(word) or nil
    for _, one in ipairs(commands) do
      if one._name == word then parser = one end
    end
    assert(parser, name)
  end
  return parser:get_help() .. "\n"
end

local reference = orrery.tools.reference()
local what, path = ...

if what == "annotations" then
  orrery.tools.write_file(path, annotations(reference))
elseif what == "man" then
  orrery.tools.write_file(path, man.page(orrery, help_of))
else
  for _, readme in ipairs(READMES) do
    local old = read(readme)
    local new = markdown.update(reference, old, readme)
    if new ~= old then
      orrery.tools.write_file(readme, new)
      print(readme)
    end
  end
end
