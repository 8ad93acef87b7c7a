-- Every code block of README.md runs.
local describe_blocks = require("spec.support.documents").describe_blocks

describe("README.md", function()
  describe_blocks(_ENV, "README.md", 6)
end)
