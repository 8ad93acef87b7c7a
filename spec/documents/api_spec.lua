-- Every code block of the manual of the Lua module runs.
local describe_blocks = require("spec.support.documents").describe_blocks

describe("spec/API.md", function()
  describe_blocks(_ENV, "spec/API.md", 5)
end)
