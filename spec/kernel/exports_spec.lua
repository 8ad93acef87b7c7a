-- What the library exports is used outside of the kernel: by the bindings, an example, a benchmark,
-- a spec or EMBEDDING.md. The spec of errors does not count, which calls everything.
local program = require "spec.support.program"

local function read(command)
  local pipe = assert(io.popen(command))
  local text = pipe:read "a"
  pipe:close()
  return text
end

describe("the exports of the kernel", function()
  it("are all used by somebody else", function()
    local headers = read "find kernel -mindepth 2 -name '*.h' -exec cat {} +":gsub("/%*.-%*/", "")
    local used = read("find bindings kernel/examples spec/bench spec/native spec/fuzz "
      .. "-name '*.[ch]' ! -name native_errors.c -exec cat {} +")
      .. program.read "spec/EMBEDDING.md"
    local seen, unused, count = {}, {}, 0
    for name in used:gmatch "orr_[%w_]+" do seen[name] = true end
    for body in headers:gmatch "\n{.-\n}" do -- of functions that are inline in public headers
      for name in body:gmatch "orr_[%w_]+" do seen[name] = true end
    end
    for declaration in headers:gmatch "ORR_API([^;{]*);" do
      local name = declaration:match "(orr_[%w_]+)%("
      count = count + 1
      local made = name:match "^(.*)_destroy$"
      if not (seen[name] or made and seen[made .. "_create"]) then unused[#unused + 1] = name end
    end
    assert.is_true(count > 150)
    assert.equal("", table.concat(unused, " "))
  end)
end)
