-- kernel/README.md: what it names exists, and it names every file of the engines.
local program = require "spec.support.program"

local text = program.read "kernel/README.md"

-- The lines that a command prints.
local function lines(command)
  local list = {}
  local pipe = assert(io.popen(command))
  for line in pipe:lines() do list[#list + 1] = line end
  pipe:close()
  return list
end

local files = {} -- by name, and by folder/name
for _, path in ipairs(lines "find kernel spec/METRICS.md -type f") do
  files[path] = true
  files[path:match "[^/]*$"] = true
  files[path:match "^kernel/(.*)$" or path] = true
end

describe("kernel/README.md", function()
  it("names files and folders that there are", function()
    local missing = {}
    for span in text:gmatch "`([^`\n]+)`" do
      if span:find "%.[ch]$" or span:find "%.md$" then
        if not files[span] and not span:find "[*<A-Z]" then missing[#missing + 1] = span end
      elseif span:find "/$" then
        if not (program.exists("kernel/" .. span) or program.exists(span)) then
          missing[#missing + 1] = span
        end
      end
    end
    assert.equal("", table.concat(missing, " "))
  end)

  it("names functions and types that there are", function()
    local missing, seen = {}, 0
    for span in text:gmatch "`(or[ri]_[%w_]+)`" do
      if span:find "[^_]$" then
        seen = seen + 1
        if #lines(("grep -rlw '%s' kernel --include='*.[ch]'"):format(span)) == 0 then
          missing[#missing + 1] = span
        end
      end
    end
    assert.is_true(seen > 5)
    assert.equal("", table.concat(missing, " "))
  end)

  it("names every file of the engines, and every folder", function()
    local missing = {}
    for _, folder in ipairs { "rigid", "malleable" } do
      for _, path in ipairs(lines(("ls kernel/%s/*.c"):format(folder))) do
        local name = path:match "[^/]*$"
        if not text:find("`" .. name .. "`", 1, true) then missing[#missing + 1] = path end
      end
    end
    for _, path in ipairs(lines "ls -d kernel/*/") do
      local folder = path:match "kernel/(.*)/"
      if not text:find("`" .. folder .. "/`", 1, true) and folder ~= "examples" then
        missing[#missing + 1] = path
      end
    end
    assert.equal("", table.concat(missing, " "))
  end)
end)
