-- Every code block of the manual for programs in C runs.
local describe_blocks = require("spec.support.documents").describe_blocks

describe("spec/EMBEDDING.md", function()
  describe_blocks(_ENV, "spec/EMBEDDING.md", 0)
end)
