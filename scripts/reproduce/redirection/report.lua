-- report: the page that sets what the paper found beside what came out, and what is printed.
local orrery = require "orrery"
local page = require "orrery.command.page"
local reproduction = require "orrery.command.reproduction"
local verdict = require "orrery.command.verdict"

local figures = require "orrery.reproduce.redirection.figures"
local statements = require "orrery.reproduce.redirection.statements"

local report = {}

local function setting(plan, p)
  p:text("Orrery %s, seed %d%s. Each week is simulated by itself, from an empty machine; the "
    .. "scheduler knows the runtimes, as in the paper. The redirection group has α times the "
    .. "machine's processors on top of it, and EASY has as many more. Ratios are redirection over "
    .. "EASY; below 1 redirection is better. The samples are the weeks. A comparison holds when "
    .. "its "
    .. "95%% interval is on the stated side; it refutes its statement when an interval that is "
    .. "widened "
    .. "for the number of the statement's comparisons is on the other side.", orrery.version,
    plan.seed, plan.given.quick and ", `--quick`" or "")
end

local function mean_of(weeks, value)
  local sum = 0
  for _, week in ipairs(weeks) do sum = sum + value(week) end
  return sum / #weeks
end

local function logs(plan, p)
  local rows = {}
  for i, system in ipairs(plan.systems) do
    local raised = 0
    for _, week in ipairs(system.weeks) do raised = raised + (week.factor > 1 and 1 or 0) end
    rows[i] = { system.name, system.procs, system.all_weeks, #system.weeks, raised,
      ("%.0f"):format(mean_of(system.weeks, function(week) return #week.jobs end)),
      ("%.2f"):format(mean_of(system.weeks, function(week) return week.share end)) }
  end
  p:heading "Logs"
  p:text("A week is one of 168 hours from the first submission on, of which the submitted jobs "
    .. "need "
    .. "at least %g of the machine, and no more than 1.1. A week of a log that needs less comes "
    .. "up to "
    .. "%g times as fast, until it needs that much. Generated logs are those of `orrery generate "
    .. "lublin`, with a load of 0.85; there such weeks are left out.", plan.utilisation, plan.raise)
  p:rows({ "log", "processors", "weeks", "taken", "of them faster", "jobs each", "share needed" },
    rows)
  for _, system in ipairs(plan.systems) do
    if system.about then p:text("%s: %s.", system.name, system.about) end
  end
end

-- What the comparisons of one log alone say: all hold, or one does not.
local function verdict_of(parts)
  local holds = true
  for _, part in ipairs(parts) do
    if part.verdict == verdict.FAILS then return verdict.FAILS end
    holds = holds and part.verdict == verdict.HOLDS
  end
  return holds and verdict.HOLDS or verdict.OPEN
end

-- Statements by logs.
local function by_log(plan, list, p)
  local head, rows = { "statement" }, {}
  for i, system in ipairs(plan.systems) do head[i + 1] = system.name end
  for i, statement in ipairs(list) do
    rows[i] = { ("%d. %s"):format(i, statement.title) }
    for s, system in ipairs(plan.systems) do
      local own = {}
      for _, part in ipairs(statement.parts) do
        if part.system == system.name then own[#own + 1] = part end
      end
      rows[i][s + 1] = verdict_of(own)
    end
  end
  p:heading "By log"
  p:text("A statement is about all logs; this is what the comparisons of each say by themselves.")
  p:rows(head, rows)
end

-- The mean ratios of all pairs, one table per log.
local function ratios(store, plan, p)
  p:heading "Mean ratios"
  p:text("Mean over the weeks with its 95% interval, of the mean and of the maximum bounded "
    .. "slowdown, and the share of redirected jobs.")
  for _, system in ipairs(plan.systems) do
    local head, rows = { system.name }, {}
    for _, alpha in ipairs(plan.alphas) do head[#head + 1] = ("α = %.2f"):format(alpha) end
    for _, theta in ipairs(plan.thetas) do
      local row = { ("θ = %d"):format(theta) }
      for _, alpha in ipairs(plan.alphas) do
        local a = orrery.summary(store:ratios(system, alpha, theta, "bsld_mean"))
        local b = orrery.summary(store:ratios(system, alpha, theta, "bsld_max"))
        row[#row + 1] = ("%s, %s, %.1f%%"):format(page.interval("%.2f", a.mean, a.half_width),
          page.interval("%.2f", b.mean, b.half_width),
          100 * figures.redirected(store, system, alpha, theta))
      end
      rows[#rows + 1] = row
    end
    p:rows(head, rows)
  end
end

-- Writes the page.
function report.write(store, plan, chosen)
  local list = statements.of(store, plan)
  local p = page.new "Redirection (IPDPSW 2020): what the paper found and what comes out"
  setting(plan, p)
  logs(plan, p)
  p:heading("Statements"):statements(list)
  by_log(plan, list, p)
  p:heading "Figures"
  if chosen["1"] then p:picture("figure-1", "Mean bounded slowdowns of the weeks") end
  if chosen["2"] then p:picture("figure-2", "Redirection over EASY, week by week") end
  ratios(store, plan, p)
  reproduction.finish(plan, p, list, store:times(), { "system" }, { head = { "log",
    "simulations", "processor seconds", "seconds" } })
end

return report
