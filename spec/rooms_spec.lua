-- .ci/rooms: each rule of the folders of bindings/ is broken once, in a small tree that keeps them.
local program = require "spec.support.program"

-- Two folders, one above the other, and the module above both.
local CLEAN = {
  ["bindings/module.c"] = [[
/* The module. */
#include "bindings/run/runs.h"
int module(void) { return runs(); }
]],
  ["bindings/run/runs.h"] = "int runs(void);\n",
  ["bindings/run/runs.c"] = [[
/* Runs. */
#include "bindings/run/runs.h"
#include "bindings/support/raise.h"
int runs(void) { return raise_error(); }
]],
  ["bindings/support/raise.h"] = "int raise_error(void);\nint block(void);\n",
  ["bindings/support/raise.c"] = [[
/* Errors. */
#include "bindings/support/raise.h"
int raise_error(void) { return block(); }
]],
  ["bindings/support/block.c"] = [[
/* Blocks. */
#include "bindings/support/raise.h"
int block(void) { return 1; }
]],
  ["bindings/orrery.lua"] = 'local compare = require "orrery.run.compare"\nreturn compare\n',
  ["bindings/run/compare.lua"] = [[
local core = require "orrery.core"
local names = require("orrery.support.names").nearest
local text = 'local orrery = require "orrery"'
return { core, names, text }
]],
  ["bindings/support/names.lua"] = 'return require "orrery.support.text"\n',
  ["bindings/support/text.lua"] = "return {}\n",
}

local folders = {}

local function rooms(changed)
  local folder = program.folder()
  folders[#folders + 1] = folder
  local files = {}
  for _, list in ipairs { CLEAN, changed } do
    for path, text in pairs(list) do files[path] = text end
  end
  for path, text in pairs(files) do
    assert(os.execute(("mkdir -p '%s/%s'"):format(folder, path:match "^(.*)/")))
    program.write(folder, path, text)
  end
  local pipe = assert(io.popen(([[
    cd '%s' && unset LD_PRELOAD && for file in bindings/*.c bindings/*/*.c; do
        mkdir -p "build/${file%%/*}" && cc -I. -c -o "build/${file%%.c}.o" "$file" || exit
    done && '%s/.ci/rooms' build 2>&1]]):format(folder, program.home)))
  local text = pipe:read "a"
  return text, pipe:close() == true
end

-- What is planted, and what of the answer: the rule, and the place.
local BREACHES = {
  { "a file without a comment", { ["bindings/run/quiet.c"] = "int quiet;\n" },
    "opens with a comment", "bindings/run/quiet.c" },
  { "an include of a folder above", { ["bindings/support/up.h"] =
    '#include "bindings/run/runs.h"\n' },
    "include downwards only", "support/up.h -> run/runs.h" },
  { "a call of a folder above", { ["bindings/support/block.c"] =
    "extern int runs(void);\nint block(void) { return runs(); }\n" },
    "call downwards only", "support/block.c -> run/runs.c" },
  { "objects in a circle", { ["bindings/support/block.c"] =
    '#include "bindings/support/raise.h"\nint block(void) { return raise_error(); }\n' },
    "no circles among the objects", "support/block.c -> support/raise.c" },
  { "a module that requires one above", { ["bindings/support/text.lua"] =
    'return require "orrery.run.compare"\n' },
    "require downwards only", "support/text.lua -> run/compare.lua" },
  { "a module that requires the whole", { ["bindings/run/compare.lua"] =
    'local orrery = require "orrery"\nreturn orrery\n' },
    "require downwards only", "run/compare.lua -> orrery.lua" },
  { "a module that requires what it names when it runs", { ["bindings/support/text.lua"] =
    'return function(name) return require("orrery.run." .. name) end\n' },
    "require downwards only", "support/text.lua -> run/" },
  { "modules in a circle", { ["bindings/support/text.lua"] =
    'return require("orrery.support.names")\n' },
    "no circles among the Lua modules", "support/names.lua -> support/text.lua" },
  { "a folder that stands nowhere", { ["bindings/attic/old.h"] =
    '#include "bindings/support/raise.h"\n' },
    "include downwards only", "attic/old.h: which floor is this folder on?" },
}

describe(".ci/rooms", function()
  teardown(function()
    for _, folder in ipairs(folders) do program.remove(folder) end
  end)

  it("has nothing to say about a tree that keeps the rules", function()
    local text, content = rooms {}
    assert.equal("", text)
    assert.is_true(content)
  end)

  for i, breach in ipairs(BREACHES) do
    local what, changed, rule, place = table.unpack(breach)
    it("finds " .. what .. (i % 3 == 0 and "" or " #long"), function()
      local text, content = rooms(changed)
      assert.is_truthy(text:find(rule, 1, true), "not said: " .. rule .. "\n" .. text)
      assert.is_truthy(text:find(place, 1, true), "not shown: " .. place .. "\n" .. text)
      assert.is_false(content)
    end)
  end
end)
