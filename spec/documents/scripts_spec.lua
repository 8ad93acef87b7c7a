-- Every code block of the manual of the commands, and of the examples, runs.
local describe_blocks = require("spec.support.documents").describe_blocks

describe("scripts/README.md", function()
  describe_blocks(_ENV, "scripts/README.md", 5)
end)

describe("scripts/examples/README.md", function()
  describe_blocks(_ENV, "scripts/examples/README.md", 4)
end)
