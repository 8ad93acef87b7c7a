-- front_text: what a search for several metrics found, as sentences and tables.
local columns = require "orrery.support.columns"
local family = require "orrery.values.family"
local lists = require "orrery.support.lists"
local metrics = require "orrery.values.metrics"
local count = require("orrery.support.numbers").counted

local front_text = {}

local MOST_NAMED = 3 -- members of a front, in a sentence

-- The sentence that says whether something better was found.
function front_text.sentence_of(members, baselines)
  local names, more = {}, 0
  for _, member in ipairs(members) do
    if member.extends and #names < MOST_NAMED then
      names[#names + 1] = member.name
    elseif member.extends then
      more = more + 1
    end
  end
  local of = baselines == 1 and "the baseline" or ("each of the %d baselines"):format(baselines)
  if #names == 0 then
    return ("Nothing found: of %s on the front none is significantly better than %s in some "
      .. "metric, on samples that the search had not seen."):format(count(#members, "candidate"),
      of)
  end
  return ("Found: %d of %s on the front %s significantly better than %s in some metric, on samples "
    .. "that the search had not seen: %s%s."):format(#names + more, count(#members, "candidate"),
    #names + more == 1 and "is" or "are", of, table.concat(names, ", "),
    more > 0 and (", and %d more"):format(more) or "")
end

local function add(rows, head, means, last)
  local row = { head }
  for m, one in ipairs(means) do
    row[m + 1] = metrics.text(one.metric, one.mean, one.half_width)
  end
  row[#row + 1] = last
  rows[#rows + 1] = row
end

function front_text.member_rows(found, part)
  local rows = { metrics.titles(found.metrics, "candidate") }
  table.insert(rows[1], part == "testing" and "claim" or "")
  for _, member in ipairs(found.front) do
    local claim = member.extends and "not dominated *" or member.dominated and "dominated here"
      or ""
    if lists.find(member.constraints, function(one) return not one.holds end) then
      claim = "breaks a constraint"
    end
    add(rows, member.name, member.means[part], part == "testing" and claim or "")
  end
  for _, baseline in ipairs(found.baselines) do
    add(rows, baseline.name, baseline.means[part], "baseline")
  end
  return rows
end

-- The table of differences of the members from the baselines on the testing samples.
function front_text.difference_rows(found)
  local rows = { metrics.titles(found.metrics, "less", "baseline") }
  rows[1][1] = "candidate"
  table.insert(rows[1], "")
  for _, member in ipairs(found.front) do
    for _, against in ipairs(member.against) do
      local row = { member.name, against.name }
      for _, one in ipairs(against.metrics) do
        row[#row + 1] = metrics.text(one.metric, one.mean, one.half_width, true)
          .. (one.significant and " *" or "")
      end
      row[#row + 1] = against.verdict
      rows[#rows + 1] = row
    end
  end
  return rows
end

-- The meaning of the marks and the intervals in these tables.
function front_text.about(found)
  local first = found.front[1] and found.front[1].against[1]
  return ("± is the 95%% interval; differences are paired, and * marks those that are significant "
    .. "after Holm's correction for %d comparisons. A candidate is 'not dominated *' if it is "
    .. "significantly better than each baseline in some metric; that any is called so by chance "
    .. "has a probability of at most 2.5%%%s."):format(
    #found.front * #found.baselines * #found.metrics,
    first and family.unseen(first.metrics[1].count, "samples") or "")
end

function front_text.lines(found)
  local lines = columns(front_text.member_rows(found, "testing"))
  lines[#lines + 1] = ""
  for _, line in ipairs(columns(front_text.difference_rows(found))) do lines[#lines + 1] = line end
  lines[#lines + 1] = front_text.about(found)
  lines[#lines + 1] = "The testing samples were simulated once, at the end: these candidates and "
    .. "the baselines."
  return lines
end

return front_text
