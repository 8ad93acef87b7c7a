-- Every program in spec/bench is run by a rule of make or by another one, or a document says how.
local lfs = require "lfs"
local program = require "spec.support.program"

local DOCUMENTS = { "Makefile", "CONTRIBUTING.md", "README.md", "bindings/README.md",
  "kernel/README.md", "policies/README.md", "spec/API.md", "spec/METRICS.md", "spec/READINGS.md",
  "spec/EMBEDDING.md" }

it("each program in spec/bench is called by something", function()
  local texts = {}
  for _, path in ipairs(DOCUMENTS) do texts[path] = program.read(path) end
  for file in lfs.dir "spec/bench" do
    if file:find "%.%a+$" then texts[file] = program.read("spec/bench/" .. file) end
  end
  for file in lfs.dir "spec/bench" do
    local name, kind = file:match "^([%w_]+)%.(%a+)$"
    local found = false
    for where, text in pairs(name and texts or {}) do
      found = found or where ~= file and ((text:find("bench/" .. file, 1, true)
        or text:find(('"%s"'):format(file), 1, true) -- #include
        or kind:find "^c" and text:find(('[/"]%s[ "%%%%]'):format(name))) and true)
    end
    assert.is_true(found or not name, file .. " is called by nothing")
  end
end)
