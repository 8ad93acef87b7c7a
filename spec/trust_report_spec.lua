-- SECURITY.md names specs for its promises; make trust-report counts them.
local trust_report = require "spec.support.trust_report"

describe("SECURITY.md", function()
  it("names specs that are there, for each who may be hostile", function()
    local sections, count = trust_report.named(), 0
    for _, section in ipairs(sections) do count = count + #section end
    assert.is_true(#sections >= 6)
    assert.is_true(count >= 10)
  end)

  it("has a row for every sentence that promises something, and no other", function()
    local gaps, rows = trust_report.gaps()
    assert.equal("", table.concat(gaps, "\n"))
    assert.is_true(#rows > 50)
  end)

  it("names cases that there are", function()
    local _, rows = trust_report.gaps()
    local listed = {}
    for _, row in ipairs(rows) do
      listed[row.spec] = listed[row.spec] or trust_report.listed(row.spec)
      assert.is_truthy(listed[row.spec]:find(row.case, 1, true), row.spec .. ": " .. row.case)
    end
  end)

  it("has its figures from what is run, not from the page", function()
    assert.equal(4, trust_report.cases "spec/trust_report_spec.lua")
  end)
end)
