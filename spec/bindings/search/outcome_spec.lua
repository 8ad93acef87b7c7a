-- What a search says of what it found, of made-up numbers: no search runs here.
local orrery = require "orrery"
local outcome = require "orrery.search.outcome"

local class = outcome.class

-- A difference from a baseline; mean 2 h better than 10 h, unless said otherwise.
local function row(name, more)
  local one = { name = name, base = 36000, mean = -7200, half_width = 360, better_in = 9,
    count = 12, significant = true, verdict = "better" }
  for key, value in pairs(more or {}) do one[key] = value end
  return one
end

local function found(rows, more)
  local one = { winner = { name = "w" }, rows = rows, nearest = rows[1].name, constraints = {} }
  for key, value in pairs(more or {}) do one[key] = value end
  return one
end

describe("the sentence of a search", function()
  local function sentence(...) return class.sentence_of("makespan", 7, ...) end

  it("says what was found", function()
    local b = row("b", { mean = 3600, base = 18000 })
    assert.equal("Found: w is better in makespan than the baseline on samples that the search had "
      .. "not seen; from a, the best of them, the difference is -2.00 ± 0.10, -20%.",
      sentence(1, found({ row "a" }, { found = true })))
    assert.equal("Found: w is better in makespan than all 2 baselines on samples that the search "
      .. "had not seen; from b, the best of them, the difference is +1.00 ± 0.10, +20%.",
      sentence(2, found({ row "a", b }, { found = true, nearest = "b" })))
    assert.matches("the difference is -2.00 ± 0.10.", sentence(1, found({ row("a", { base = 0 }) },
      { found = true })), 1, true)
  end)

  it("says why nothing was found", function()
    local NOTHING = "Nothing found: the best of 7 candidates is w, and on samples that the search "
      .. "had not seen "
    local BROKEN = { metric = "wait_max", mean = 30, of = "b", of_mean = 20, most = 1.25 }
    local KEPT = { metric = "wait_mean", mean = 1, of = "b", of_mean = 20, most = 1, holds = true }
    local function unlike(name) return row(name, { verdict = "not distinguishable" }) end
    for expected, what in pairs {
      ["it breaks a constraint on the testing samples: wait_max is 1.5 times that of b, at most "
        .. "1.25 times are allowed."] = found({ row "a" }, { constraints = { KEPT, BROKEN } }),
      ["it is worse than b (-2.00 ± 0.10, -20%)."] = found { row "a",
        row("b", { verdict = "worse" }), row("c", { verdict = "worse", mean = 0 }) },
      ["it does the same as a, every time."] = found { row("a", {
        verdict = "the same every time" }) },
      ["it is not distinguishable from a (-2.00 ± 0.10, -20%)."] = found { unlike "a", row "b" },
      ["it is not distinguishable from c (-2.00 ± 0.10, -20%)."] = found { row "a", row "b",
        unlike "c" },
    } do
      assert.equal(NOTHING .. expected, sentence(2, what))
    end
    local NOBODY = "Nothing found: no candidate of 7 could be simulated to the end"
    assert.equal(NOBODY .. ".", sentence(2, nil))
    assert.equal(NOBODY .. ", for lack.", sentence(2, nil, "lack"))
  end)

  it("says how much of the gain was lost", function()
    local function fitting(training, testing, survives)
      return class.fitting_of("makespan", { base = "b", survives = survives,
        training = { difference = training, half_width = 360 },
        testing = { difference = testing, half_width = 720 } }, 1)
    end
    assert.equal("On the training samples there was no difference.", fitting(0, -1))
    assert.equal("Over-fitting: the difference from b was -2.00 ± 0.10 on the training samples and "
      .. "-1.00 ± 0.20 on the testing samples, 50% of it. Of 1 candidate the best was taken; the "
      .. "difference on the training samples is significant after Bonferroni's correction for "
      .. "these.", fitting(-7200, -3600, true))
    assert.matches("in the other direction of it.*is not significant after",
      fitting(-7200, 3600, false))
    assert.matches(", 0% of it", fitting(-7200, 0), 1, true)
  end)
end)

-- An outcome with all that can be in it.
local function whole(more)
  local part = { samples = 5, mean = 28800, base = 36000, difference = -7200, half_width = 360 }
  local fields = { sentence = "Found.", metric = "makespan", candidates = 7, evaluations = 1,
    space = "2 policies", seed = 3, winner = { name = "w", candidate = {} }, base = "a",
    differences = { row "a", row("b", { base = 0, significant = false, verdict = "worse" }) },
    constraints = { { metric = "wait_max", most = 1.25, mean = 3600, of = "b", of_mean = 7200,
      over = -1800, half_width = 36, holds = true }, { metric = "wait_max", most = 2, mean = 3600,
      of = "b", of_mean = 1800, over = 1800, half_width = 36, holds = false } },
    training = part, validation = part, testing = part, fitting = "Over-fitting.",
    halves = { { of = "load", at = 0.51234567, unit = "", low = { mean = -3600, half_width = 36 },
      high = { mean = 3600, half_width = 72 } },
      { of = "jobs", at = 7, unit = "of them", low = { mean = 3600, half_width = 36 },
        high = { mean = -3600, half_width = 72 } } },
    front = {}, failed = {}, notes = {} }
  for key, value in pairs(more or {}) do fields[key] = value end
  return outcome.of(fields)
end

describe("the outcome of a search", function()
  it("has tables of differences, parts, constraints and halves", function()
    local o = whole()
    assert.same({ { "baseline", "makespan (h)", "difference", "%", "lower in", "" },
      { "a", "10.00", "-2.00 ± 0.10 *", "-20.00", "9 of 12", "better" },
      { "b", "0.00", "-2.00 ± 0.10", "", "9 of 12", "worse" } }, o:difference_rows())
    assert.same({ { "part", "samples", "w", "a", "difference" },
      { "training", "5", "8.00", "10.00", "-2.00 ± 0.10" },
      { "validation", "5", "8.00", "10.00", "-2.00 ± 0.10" },
      { "testing", "5", "8.00", "10.00", "-2.00 ± 0.10" } }, o:part_rows())
    assert.same({ { "constraint", "", "of", "over the bound", "" },
      { "longest wait (h), at most 1.25 times", "1.000", "b: 2.000", "-0.500 ± 0.010", "holds" },
      { "longest wait (h), at most 2 times", "1.000", "b: 0.500", "+0.500 ± 0.010", "broken" } },
      o:constraint_rows())
    assert.same({ { "testing samples by", "median", "up to it", "above it" },
      { "load", "0.5123", "-1.00 ± 0.01", "+1.00 ± 0.02" },
      { "jobs", "7 of them", "+1.00 ± 0.01", "-1.00 ± 0.02" } }, o:half_rows())
    assert.equal("7 candidates of 2 policies in 1 evaluation, seed 3", o:effort())
    assert.equal("± is the 95% interval of paired differences; * marks those that are significant "
      .. "after Holm's correction for 2 comparisons; a loss in fewer than 25% of the samples "
      .. "cannot be excluded", o:about_intervals())
    assert.equal("± is the 95% interval of paired differences; * marks those that are significant",
      whole({ differences = { row("a", { count = 3 }) } }):about_intervals())
  end)

  it("prints what it has, and up to ten that failed", function()
    local text = tostring(whole())
    assert.matches("^Found.\n\n7 candidates of 2 policies in 1 evaluation, seed 3\n\nbaseline ",
      text)
    for _, head in ipairs { "\n\nconstraint ", "\n\npart ", "\n\ntesting samples by " } do
      assert.matches(head, text, 1, true)
    end
    assert.matches("Over%-fitting.\n± is [^\n]*\nThe testing samples were simulated once, at the "
      .. "end: this candidate and the baselines.$", text)
    text = tostring(whole { constraints = {}, halves = {}, notes = { "a", "b" } })
    assert.is_nil(text:find "constraint " or text:find "median")
    assert.matches("baselines.\nnote: a\nnote: b$", text)
    local failed = {}
    for i = 1, 10 do failed[i] = { name = "c" .. i, problem = "no" } end
    local nobody = { winner = false, failed = failed }
    assert.matches("seed 3\nfailed: c1: no\n.*failed: c10: no$", tostring(whole(nobody)))
    failed[11] = { name = "c11", problem = "no" }
    assert.matches("failed: c10: no\nfailed: 1 more, which %-%-json lists$",
      tostring(whole(nobody)))
  end)

  it("is JSON without candidates, and no policy's file where there is none", function()
    local json = require "dkjson"
    local text = whole({ front = { { name = "x", candidate = {}, values = { 0.1 } } },
      samples = { 1 / 3 } }):json()
    local read = json.decode(text)
    assert.same({ orrery.version, "Found.", { name = "w" }, { { name = "x", values = { 0.1 } } },
      { 1 / 3 }, {}, 7 }, { read.version, read.sentence, read.winner, read.front, read.samples,
      read.notes, read.candidates })
    assert.is_nil(whole({ winner = false }):policy())
    local ok, problem = pcall(class.policy, whole(), nil, 1)
    assert.is_false(ok)
    assert.matches("policy: expected the number of one of the 0 members of the front, found 1",
      tostring(problem), 1, true)
  end)
end)
