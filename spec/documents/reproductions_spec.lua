-- Every code block of the pages of the reproductions runs.
local describe_blocks = require("spec.support.documents").describe_blocks

describe("scripts/reproduce/rr9296/README.md", function()
  describe_blocks(_ENV, "scripts/reproduce/rr9296/README.md", 1)
end)

describe("scripts/reproduce/redistribution/README.md", function()
  describe_blocks(_ENV, "scripts/reproduce/redistribution/README.md", 1)
end)

describe("scripts/reproduce/packs/README.md", function()
  describe_blocks(_ENV, "scripts/reproduce/packs/README.md", 1)
end)

describe("scripts/reproduce/failing-packs/README.md", function()
  describe_blocks(_ENV, "scripts/reproduce/failing-packs/README.md", 1)
end)

describe("scripts/reproduce/learned/README.md", function()
  describe_blocks(_ENV, "scripts/reproduce/learned/README.md", 1)
end)

describe("scripts/reproduce/checkpointing/README.md", function()
  describe_blocks(_ENV, "scripts/reproduce/checkpointing/README.md", 1)
end)

describe("scripts/reproduce/policies/README.md", function()
  describe_blocks(_ENV, "scripts/reproduce/policies/README.md", 1)
end)
