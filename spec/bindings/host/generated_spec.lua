-- Policies from the grammar (spec/support/policy_grammar.lua): valid ones run, and give the same
-- bits with any number of threads; each of the others runs, or ends with an error that names the
-- policy.
local grammar = require "spec.support.policy_grammar"
local rounds = require "spec.support.rounds"
local runs = require "spec.support.policy_runs"

describe("a generated policy", function()
  for _, kind in ipairs(grammar.kinds) do
    it("that is valid gives the same bits with 1, 2 and 7 threads: " .. kind, function()
      for seed = 1, rounds(60, nil, 8) do
        local text = grammar.policy(seed, kind, "valid")
        local good, one = runs.run(text, kind, 1)
        assert.is_true(good, one)
        for _, threads in ipairs(kind == "pack" and {} or { 2, 7 }) do
          assert.same({ true, one }, { runs.run(text, kind, threads) }, text)
        end
      end
    end)

    for _, way in ipairs { "odd", "hostile" } do
      it("that is " .. way .. " runs, or is named by its error: " .. kind, function()
        local failures = 0
        for seed = 1, rounds(24) do
          local text = grammar.policy(seed, kind, way)
          local good, outcome = runs.run(text, kind, 1)
          assert.is_true(good or outcome:find("POLICY", 1, true) ~= nil, text)
          failures = failures + (good and 0 or 1)
        end
        assert.is_true(failures > 0)
      end)
    end
  end

  it("follows from its seed", function()
    assert.equal(grammar.policy(7), (grammar.policy(7)))
    assert.are_not.equal(grammar.policy(7), (grammar.policy(8)))
  end)
end)
