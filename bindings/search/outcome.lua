-- outcome: what a search found, as text, as JSON and as a policy's file.
local checks = require "orrery.support.checks"
local columns = require "orrery.support.columns"
local core = require "orrery.core"
local family = require "orrery.values.family"
local json = require "orrery.support.json"
local known_fields = require "orrery.support.known_fields"
local lists = require "orrery.support.lists"
local metrics = require "orrery.values.metrics"
local count = require("orrery.support.numbers").counted
local text_or_file = require "orrery.support.text_or_file"

local Outcome = { __name = "orrery.search" }

-- Fields that only some outcomes have: those of the judgement of a winner, and a title.
local SOME_HAVE = { winner = true, title = true, base = true, nearest = true, training = true,
  validation = true, testing = true, fitting = true }

known_fields(Outcome, SOME_HAVE, "what a search found", "search.Search")

-- --- sentences ----------------------------------------------------------------------------------

local function percent(share) return ("%.3g%%"):format(100 * math.abs(share)) end

-- A difference with its interval, and as a share of the baseline's mean.
local function difference_text(metric, row)
  local share = row.base ~= 0 and (", %s%s"):format(row.mean < 0 and "-" or "+",
    percent(row.mean / row.base)) or ""
  return metrics.text(metric, row.mean, row.half_width, true) .. share
end

local function row_of(found, name)
  return lists.find(found.rows, function(row) return row.name == name end)
end

-- Why the search found nothing: the constraint or the baseline that the candidate fails against.
local function why_not(metric, found)
  for _, one in ipairs(found.constraints) do
    if not one.holds then
      return ("it breaks a constraint on the testing samples: %s is %.4g times that of %s, at most "
        .. "%g times are allowed"):format(one.metric, one.mean / one.of_mean, one.of, one.most)
    end
  end
  local worst
  for _, row in ipairs(found.rows) do
    if row.verdict == "worse" then worst = worst or row end
  end
  if worst then
    return ("it is worse than %s (%s)"):format(worst.name, difference_text(metric, worst))
  end
  local row = row_of(found, found.nearest)
  if row.verdict == "better" then
    for _, other in ipairs(found.rows) do
      if other.verdict ~= "better" then row = other end
    end
  end
  if row.verdict == "the same every time" then
    return ("it does the same as %s, every time"):format(row.name)
  end
  return ("it is not distinguishable from %s (%s)"):format(row.name, difference_text(metric, row))
end

-- The sentence that says whether something better was found; why: nothing could be.
function Outcome.sentence_of(metric, candidates, baselines, found, why)
  local title = metrics.of(metric).plain
  if not found then
    return ("Nothing found: no candidate of %d could be simulated to the end%s."):format(candidates,
      why and ", for " .. why or "")
  elseif found.found then
    local row = row_of(found, found.nearest)
    return ("Found: %s is better in %s than %s on samples that the search had not seen; from %s, "
      .. "the best of them, the difference is %s."):format(found.winner.name, title,
      baselines == 1 and "the baseline" or ("all %d baselines"):format(baselines), row.name,
      difference_text(metric, row))
  end
  return ("Nothing found: the best of %s is %s, and on samples that the search had not seen %s.")
    :format(count(candidates, "candidate"), found.winner.name, why_not(metric, found))
end

-- How much of the gain on the training samples was lost on the testing samples.
function Outcome.fitting_of(metric, found, candidates)
  local training, testing = found.training, found.testing
  if training.difference == 0 then return "On the training samples there was no difference." end
  local kept = testing.difference / training.difference
  return ("Over-fitting: the difference from %s was %s on the training samples and %s on the "
    .. "testing samples, %s of it. Of %s the best was taken; the difference on the training "
    .. "samples is %s after Bonferroni's correction for these."):format(found.base,
    metrics.text(metric, training.difference, training.half_width, true),
    metrics.text(metric, testing.difference, testing.half_width, true),
    kept < 0 and "in the other direction" or ("%.0f%%"):format(100 * kept + 0), -- not -0
    count(candidates, "candidate"), found.survives and "significant" or "not significant")
end

-- --- tables -------------------------------------------------------------------------------------

-- The table of differences from the baselines on the testing samples.
function Outcome:difference_rows()
  local rows = { { "baseline", metrics.of(self.metric).title, "difference", "%",
    metrics.better_in(self.metric), "" } }
  for i, row in ipairs(self.differences) do
    rows[i + 1] = { row.name, metrics.text(self.metric, row.base),
      metrics.text(self.metric, row.mean, row.half_width, true) .. (row.significant and " *" or ""),
      row.base ~= 0 and ("%+.2f"):format(100 * row.mean / row.base) or "",
      ("%d of %d"):format(row.better_in, row.count), row.verdict }
  end
  return rows
end

-- The table of the parts: how far ahead of the baseline that is best in training.
function Outcome:part_rows()
  local rows = { { "part", "samples", self.winner.name, self.base, "difference" } }
  for _, name in ipairs { "training", "validation", "testing" } do
    local part = self[name]
    rows[#rows + 1] = { name, tostring(part.samples), metrics.text(self.metric, part.mean),
      metrics.text(self.metric, part.base),
      metrics.text(self.metric, part.difference, part.half_width, true) }
  end
  return rows
end

function Outcome:constraint_rows()
  local rows = { { "constraint", "", "of", "over the bound", "" } }
  for i, one in ipairs(self.constraints) do
    rows[i + 1] = { metrics.of(one.metric).title .. (", at most %g times"):format(one.most),
      metrics.text(one.metric, one.mean), ("%s: %s"):format(one.of,
        metrics.text(one.metric, one.of_mean)),
      metrics.text(one.metric, one.over, one.half_width, true),
      one.holds and "holds" or "broken" }
  end
  return rows
end

-- The table of where it wins and where it loses: differences from the baseline that is best on the
-- testing samples, in the halves of these.
function Outcome:half_rows()
  local rows = { { "testing samples by", "median", "up to it", "above it" } }
  for i, half in ipairs(self.halves) do
    rows[i + 1] = { half.of, (("%.4g %s"):format(half.at, half.unit):gsub(" $", "")),
      metrics.text(self.metric, half.low.mean, half.low.half_width, true),
      metrics.text(self.metric, half.high.mean, half.high.half_width, true) }
  end
  return rows
end

function Outcome:effort()
  return ("%s of %s in %s, seed %d"):format(count(self.candidates, "candidate"), self.space,
    count(self.evaluations, "evaluation"), self.seed)
end

-- The meaning of the marks and the intervals in the tables.
function Outcome:about_intervals()
  local many, first = #self.differences, self.differences[1]
  return "± is the 95% interval of paired differences; * marks those that are significant"
    .. (many > 1 and (" after Holm's correction for %d comparisons"):format(many) or "")
    .. (first and family.unseen(first.count, "samples") or "")
end

local ONCE = "The testing samples were simulated once, at the end: this candidate and the "
  .. "baselines."

local MOST_FAILED = 10 -- candidates that are printed

local function add(lines, list) table.move(list, 1, #list, #lines + 1, lines) end

function Outcome:__tostring()
  local lines = { self.sentence, "", self:effort() }
  if self.winner then
    lines[#lines + 1] = ""
    add(lines, columns(self:difference_rows()))
    if #self.constraints > 0 then
      lines[#lines + 1] = ""
      add(lines, columns(self:constraint_rows()))
    end
    lines[#lines + 1] = ""
    add(lines, columns(self:part_rows()))
    if #self.halves > 0 then
      lines[#lines + 1] = ""
      add(lines, columns(self:half_rows()))
    end
    add(lines, { self.fitting, self:about_intervals(), ONCE })
  end
  if #self.front > 0 then
    lines[#lines + 1] = ""
    add(lines, require("orrery.search.front_text").lines(self))
  end
  for i = 1, math.min(#self.failed, MOST_FAILED) do
    local one = self.failed[i]
    lines[#lines + 1] = ("failed: %s: %s"):format(one.name, one.problem)
  end
  if #self.failed > MOST_FAILED then
    lines[#lines + 1] = ("failed: %d more, which --json lists"):format(#self.failed - MOST_FAILED)
  end
  for _, note in ipairs(self.notes) do lines[#lines + 1] = "note: " .. note end
  return table.concat(lines, "\n")
end

-- --- files --------------------------------------------------------------------------------------

-- The winner as a policy's file, or this member of a front (a number); with a path it is written
-- there, else the text is returned. nil where nothing could be simulated, or the candidate is a
-- value of Lua that no file holds.
function Outcome:policy(path, member)
  checks.expect(member == nil or self.front[member], "policy",
    ("the number of one of the %d members of the front"):format(#self.front), checks.shown(member))
  local one = member and self.front[member] or self.winner
  if not one then return nil end
  local text = require("orrery.search.policy_file").of(one.candidate, {
    one.name, self.sentence,
    ("Searched by orrery %s: %s."):format(core.version, self:effort()),
  })
  return text and text_or_file(text, path)
end

local FIELDS = { "found", "sentence", "metric", "candidates", "evaluations", "seconds", "space",
  "seed", "title", "base", "nearest", "fitting", "differences", "constraints", "training",
  "validation", "testing", "metrics", "baselines", "finalists", "curve", "halves", "samples",
  "failed", "notes", "tested", "looks" }

local function exact(value)
  if type(value) ~= "table" then return value end
  return next(value) == nil and json.list {} or json.exact(value)
end

-- A candidate without what is not plain data.
local function plain(one)
  local copy = {}
  for name, value in pairs(one) do
    if name ~= "candidate" then copy[name] = exact(value) end
  end
  return copy
end

-- Everything as JSON. path as above.
function Outcome:json(path)
  local out = { version = core.version }
  for _, name in ipairs(FIELDS) do
    out[name] = exact(rawget(self, name))
  end
  out.winner = self.winner and plain(self.winner)
  out.front = json.list {}
  for i, member in ipairs(self.front) do out.front[i] = plain(member) end
  return text_or_file(json.text(out), path)
end

return { class = Outcome, of = function(fields) return setmetatable(fields, Outcome) end }
