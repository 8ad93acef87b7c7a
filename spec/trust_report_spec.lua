-- SECURITY.md names specs for its promises; make trust-report counts them.
local trust_report = require "spec.support.trust_report"

describe("SECURITY.md", function()
  it("names specs that are there, for each who may be hostile", function()
    local sections, count = trust_report.named(), 0
    for _, section in ipairs(sections) do count = count + #section end
    assert.is_true(#sections >= 6)
    assert.is_true(count >= 10)
  end)

  it("has its figures from what is run, not from the page", function()
    assert.equal(2, trust_report.cases "spec/trust_report_spec.lua")
  end)
end)
