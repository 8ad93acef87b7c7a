-- Writes the documents made from the reference: orrery bindings/reference/docs/write.lua, in the
-- checkout.
--
--   orrery .../write.lua                     the tables of the READMEs (make docs), those of papers
--                                            from scripts/reproduce/NAME/contents.lua
--   orrery .../write.lua annotations FILE    what editors know of the module
--   orrery .../write.lua man FILE            the man page
local orrery = require "orrery"

local lfs = require "lfs"
local command = require "orrery.command.command"
local paper_table = require "orrery.command.paper_table"

local annotations = require "bindings.reference.docs.annotations"
local man = require "bindings.reference.docs.man"
local markdown = require "bindings.reference.docs.markdown"

local READMES = { "spec/API.md", "policies/README.md", "spec/METRICS.md" }

local function read(path) return assert(command.read_file(path), path) end

-- The text that a command of this program prints with --help; "generate lublin": a subcommand.
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

-- Writes the file's text as update(text, path) gives it, if it has changed.
local function renew(path, update)
  local old = read(path)
  local new = update(old, path)
  if new ~= old then
    orrery.tools.write_file(path, new)
    print(path)
  end
end

-- The papers with a table of reproduced contents.
local function papers()
  local names = {}
  for name in lfs.dir "scripts/reproduce" do
    if lfs.attributes(("scripts/reproduce/%s/contents.lua"):format(name)) then
      names[#names + 1] = name
    end
  end
  table.sort(names)
  return names
end

local reference = orrery.tools.reference()
local what, path = ...

if what == "annotations" then
  orrery.tools.write_file(path, annotations(reference))
elseif what == "man" then
  orrery.tools.write_file(path, man.page(orrery, help_of))
else
  for _, readme in ipairs(READMES) do
    renew(readme, function(...) return markdown.update(reference, ...) end)
  end
  for _, name in ipairs(papers()) do
    local contents = require(("orrery.reproduce.%s.contents"):format(name))
    renew(("scripts/reproduce/%s/README.md"):format(name), function(text)
      return paper_table.update(contents, text)
    end)
  end
end
