-- Every code block of the gallery of policies runs.
local describe_blocks = require("spec.support.documents").describe_blocks

describe("policies/GALLERY.md", function()
  describe_blocks(_ENV, "policies/GALLERY.md", 4)
end)
