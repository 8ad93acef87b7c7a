-- `orrery reproduce redirection`: its files against numbers computed here, and what it refuses.
local orrery = require "orrery"
local paper_table = require "spec.support.paper_table"
local program = require "spec.support.program"
local tables = require "spec.support.tables"

local ALPHAS, THETAS = { 0.10, 0.15 }, { 1, 10, 125 } -- of --quick
local WEEK = 168 * 3600

-- A log of five weeks on 64 processors: busy, too light to be raised, light, too heavy, and the
-- rest of a day. Written as SWF, with one job per line.
local function write_log(folder, name)
  local lines, rng, id = { "; MaxProcs: 64" }, orrery.random(8), 0
  for w, load in ipairs { 0.8, 0.2, 0.5, 1.5, 0.02 } do
    local now, work = (w - 1) * WEEK, load * 64 * WEEK
    local n = w == 5 and 10 or 150
    for i = 1, n do
      id = id + 1
      local procs = rng:integer(1, 16)
      local time = math.ceil(work / n / procs * (id % 7 == 0 and 2 or 5 / 6))
      local submit = now + (i - 1) * (w == 5 and 3600 or WEEK) // n
      lines[#lines + 1] = ("%d %d -1 %d %d -1 -1 %d %d -1 1 1 1 -1 -1 -1 -1 -1"):format(id, submit,
        time, procs, procs, time)
    end
  end
  program.write(folder, name, table.concat(lines, "\n") .. "\n")
end

describe("orrery reproduce redirection --quick", function()
  local folder, top

  setup(function()
    top = program.folder()
    write_log(top, "log.swf")
    local status, out, err = program.run(top, "reproduce redirection log.swf --quick --out a/b "
      .. "--seed 3 --threads 1")
    assert.same({ 0, "" }, { status, err })
    assert.matches("\nthe page is a/b/page%.md\n$", out)
    folder = top .. "/a/b"
  end)

  teardown(function() program.remove(top) end)

  local function numbers(name) return tables.read(folder .. "/" .. name .. ".csv") end

  it("writes both figures as CSV, PNG and SVG, and a page", function()
    assert.equal("figure-1.csv figure-1.png figure-1.svg figure-2.csv figure-2.png figure-2.svg "
      .. "figure-filter.csv figure-filter.png figure-filter.svg page.md times.csv weeks.csv",
      program.listing(folder))
    for _, name in ipairs { "figure-1", "figure-2", "figure-filter" } do
      assert.equal("\137PNG", program.read(folder .. "/" .. name .. ".png"):sub(1, 4))
      assert.matches("</svg>%s*$", program.read(folder .. "/" .. name .. ".svg"))
    end
  end)

  it("takes the weeks that are busy enough, or can be made so", function()
    local log = orrery.read(top .. "/log.swf")
    local of_log = {}
    for _, row in ipairs(numbers "weeks") do
      if row.log == "log" and row.alpha == 0.1 and row.theta == 1 then
        of_log[#of_log + 1] = row
      end
    end
    -- the second would have to come 3.5 times as fast, the fourth needs more than there is
    assert.equal(2, #of_log)
    for i, w in ipairs { 1, 3 } do
      local jobs = log:between((w - 1) * WEEK, w * WEEK)
      local share = jobs:mean_area() * #jobs / (64 * WEEK)
      assert.equal(w, of_log[i].week)
      assert.equal(#jobs, of_log[i].jobs)
      assert.near(math.max(1, 0.7 / share), of_log[i].factor, 1e-12)
      assert.near(math.max(0.7, share), of_log[i].share, 1e-12)
    end
    assert.matches("\n| log | 64 | 4 | 2 | 1 |", program.read(folder .. "/page.md"), 1, true)
  end)

  -- Of three weeks, 3 * 3 + 10 are made at first; then twice as many, up to 24 * 3.
  it("makes weeks until enough of them are busy", function()
    local page = program.read(folder .. "/page.md")
    local procs, all, taken = page:match "\n| generated%-wide | (%d+) | (%d+) | (%d+) |"
    assert.same({ "256", "19", "3" }, { procs, all, taken })
  end)

  -- The jobs of the weeks above.
  local function weeks()
    local log = orrery.read(top .. "/log.swf")
    local third = log:between(2 * WEEK, 3 * WEEK)
    local needed = third:mean_area() * #third / (64 * WEEK)
    return { [1] = log:between(0, WEEK), [3] = third:load(0.7 / needed) }
  end

  it("has a row for every simulation, with the numbers of orrery.compare", function()
    local rows = numbers "weeks"
    assert.equal(#ALPHAS * #THETAS * (2 + 3), #rows)
    for w, jobs in pairs(weeks()) do
      local alone = orrery.compare { jobs = jobs, procs = 64, policy = "easy" }
      for _, alpha in ipairs(ALPHAS) do
        local more = math.floor(alpha * 64 + 0.5)
        local easy = orrery.compare { jobs = jobs, procs = 64 + more, policy = "easy" }
        for _, theta in ipairs(THETAS) do
          local redirect = orrery.compare { jobs = jobs, procs = 64, policy = "redirect/threshold",
            options = { alpha = alpha, theta = theta } }
          local row = tables.find(rows, { log = "log", alpha = alpha, theta = theta, week = w })
          local function value(result, metric) return result:values(1, metric)[1] end
          assert.same({ more, value(redirect, "bsld_mean"), value(redirect, "bsld_max"),
            value(redirect, "redirected"), value(easy, "bsld_mean"), value(easy, "bsld_max"),
            value(alone, "bsld_mean"), value(alone, "bsld_max") },
            { row.more_procs, row.bsld_mean, row.bsld_max, row.redirected, row.easy_bsld_mean,
              row.easy_bsld_max, row.alone_bsld_mean, row.alone_bsld_max })
          assert.near(row.bsld_mean / row.easy_bsld_mean, row.ratio_mean, 1e-12)
          assert.near(row.bsld_max / row.easy_bsld_max, row.ratio_max, 1e-12)
        end
      end
    end
  end)

  it("redirects something, and gives EASY as many processors", function()
    local redirected, same = 0, 0
    for _, row in ipairs(numbers "weeks") do
      redirected = redirected + row.redirected
      if row.bsld_mean == row.easy_bsld_mean then same = same + 1 end
    end
    assert.is_true(redirected > 20)
    assert.is_true(same < 5)
  end)

  it("summarises the weeks", function()
    local rows = numbers "weeks"
    for name, metrics in pairs { ["figure-1"] = { bsld_mean = "bsld_mean",
      easy_bsld_mean = "easy_bsld_mean" },
      ["figure-2"] = { ratio_mean = "ratio_mean", ratio_max = "ratio_max" } } do
      local summary = numbers(name)
      assert.equal(2 * #ALPHAS * (name == "figure-1" and #THETAS + 1 or 2 * #THETAS), #summary)
      for _, row in ipairs(summary) do
        local samples, jobs, redirected = {}, 0, 0
        for _, one in ipairs(rows) do
          local theta = row.theta == "" and THETAS[1] or row.theta
          if one.log == row.log and one.alpha == row.alpha and one.theta == theta then
            samples[#samples + 1] = one[metrics[row.metric]]
            jobs, redirected = jobs + one.jobs, redirected + one.redirected
          end
        end
        local s = orrery.summary(samples)
        assert.near(s.mean, row.mean, 1e-9 * s.mean)
        assert.near(s.half_width, row.half_width, 1e-9 * s.mean)
        assert.equal(#samples, row.weeks)
        local product = 1
        for _, value in ipairs(samples) do product = product * value end
        assert.near(product ^ (1 / #samples), row.geometric_mean, 1e-9 * s.mean)
        assert.is_true(row.geometric_low < row.geometric_mean
          and math.abs(row.geometric_low * row.geometric_high / row.geometric_mean ^ 2 - 1) < 1e-9)
        assert.near(orrery.quantiles(samples, { 0.5 })[1], row.median, 1e-9 * s.mean)
        if row.theta ~= "" then
          assert.near(redirected / jobs, row.redirected_share, 1e-12)
        end
      end
    end
  end)

  it("says what of the paper is here, each row backed by something", function()
    paper_table.check("redirection", program.read(folder .. "/page.md"))
  end)

  it("has a page with the figures and verdicts, by statement and by log", function()
    local text = program.read(folder .. "/page.md")
    for _, name in ipairs { "figure-1", "figure-2" } do
      assert.matches("](" .. name .. ".png)", text, 1, true)
    end
    local statements, untested, by_log = 0, 0, 0
    for verdict in text:gmatch "\n| %d+%. [^\n]* | %*%*([a-z ]+)%*%*" do
      if verdict == "cannot be tested here" then
        untested = untested + 1
      else
        assert.is_true(verdict == "holds" or verdict == "does not hold"
          or verdict == "not decided")
      end
      statements = statements + 1
    end
    assert.equal(7, untested) -- about logs that are not given
    for _, needs in ipairs {
      "| **cannot be tested here**; it needs the log of Curie (--log curie=FILE). With the data at "
        .. "hand: ", -- the example
      "On Curie the best threshold for the mean lies between 10 and 50 | V-A, logs | **cannot be "
        .. "tested here**; it needs the log of Curie (--log curie=FILE) |  |\n",
      "On RICC the mean is better than with EASY by 40% or more, with good parameters | V-B, logs "
        .. "| **cannot be tested here**; it needs the log of RICC (--log ricc=FILE) |  |\n",
    } do
      assert.matches(needs, text, 1, true)
    end
    for line in text:gmatch "[^\n]+" do
      local a, b = line:match "^| %d+%. [^|]* | ([a-z ]+) | ([a-z ]+) |$"
      for _, verdict in ipairs { a, b } do
        assert.is_true(verdict == "holds" or verdict == "does not hold"
          or verdict == "not decided")
      end
      by_log = by_log + (a and 1 or 0)
    end
    assert.same({ 19, 13 }, { statements, by_log })
  end)

  it("looks whether the job with the largest slowdown was redirected", function()
    local shares = {}
    for _, jobs in pairs(weeks()) do
      local session = orrery.session { jobs = jobs, procs = 64, policy = "redirect/threshold",
        options = { alpha = 0.15, theta = 10 } }
      session:finish()
      local attempts, ends = {}, {}
      for _, one in ipairs(session:schedule()) do
        attempts[one.position] = (attempts[one.position] or 0) + 1
        ends[one.position] = one.finish
      end
      local most, again = 0, nil
      for i, job in jobs:each() do
        local slowdown = (ends[i] - job.submit) / math.max(job.time, 60)
        if slowdown > most then most, again = slowdown, attempts[i] > 1 end
      end
      shares[#shares + 1] = again and 1 or 0
    end
    local shown = program.read(folder .. "/page.md"):match "| log: share of weeks | ([%d.]+) "
    assert.equal(tables.mean(shares), tonumber(shown))
  end)

  -- Each week by EASY on its own, and with each alpha by EASY and every theta; figure "filter" runs
  -- every theta once more, and the example is looked at once.
  it("says how many simulations each log took", function()
    local of_week = 1 + #ALPHAS * (1 + 2 * #THETAS) + 1
    for name, count in pairs { log = 2, ["generated-wide"] = 3 } do
      assert.equal(count * of_week, tables.find(numbers "times", { system = name }).simulations)
    end
  end)

  it("gives the same bits for any number of threads #long", function()
    local status, _, err = program.run(top, "reproduce redirection log.swf --quick --out two "
      .. "--seed 3 --threads 3")
    assert.same({ 0, "" }, { status, err })
    for _, name in ipairs { "weeks", "figure-1", "figure-2" } do
      assert.equal(program.read(folder .. "/" .. name .. ".csv"),
        program.read(top .. "/two/" .. name .. ".csv"))
    end
  end)

  it("compares the two filters", function()
    local rows = numbers "figure-filter"
    for theta_at, theta in ipairs(THETAS) do
      local log_sum, against, count = 0, 0, 0
      for _, jobs in pairs(weeks()) do
        local means = {}
        for i, filter in ipairs { "procs", "walltime" } do
          means[i] = orrery.compare { jobs = jobs, procs = 64, policy = "redirect/threshold",
            options = { alpha = 0.15, theta = theta, filter = filter } }:values(1, "bsld_mean")[1]
        end
        local easy = orrery.compare { jobs = jobs, procs = 64 + 10, policy = "easy" }
          :values(1, "bsld_mean")[1]
        log_sum, against = log_sum + math.log(means[2] / means[1]),
          against + math.log(means[2] / easy)
        count = count + 1
      end
      local key = { log = "log", alpha = 0.15, theta = theta, metric = "walltime_over_procs" }
      assert.near(math.exp(log_sum / count), tables.find(rows, key).geometric_mean, 1e-9)
      key.metric = "walltime_over_easy"
      assert.near(math.exp(against / count), tables.find(rows, key).geometric_mean, 1e-9)
      assert.is_true(theta_at < #THETAS or log_sum == 0)
    end
  end)

  it("looks at the paper's thresholds and gains as soon as a log has the name", function()
    local status, out, err = program.run(top, "reproduce redirection --log Curie=log.swf "
      .. "--log my-ricc=log.swf --quick --no-generated --figure 1 --out four")
    assert.same({ 0, "" }, { status, err })
    local text = program.read(top .. "/four/page.md")
    local weeks_of, untested = {}, 0
    for _, row in ipairs(tables.read(top .. "/four/weeks.csv")) do weeks_of[row.log] = true end
    assert.same({ Curie = true, ["my-ricc"] = true }, weeks_of)
    assert.matches("| Curie, α = 0.10, θ = 10 over θ = ", text, 1, true) -- of 1, 10, 125
    assert.matches("| my%-ricc: mean, best parameters of the other weeks | [^|]+ | <= 0%.6000 |",
      text)
    assert.matches("\n### 10%. α = 0.15 and θ = 10 improve both [^\n]+\n\n[^\n]+\n\n[^\n]+\n"
      .. "[^\n]+\n| Curie, [^\n]+\n| Curie, [^\n]+\n\n", text)
    for line in out:gmatch "[^\n]+" do
      if line:find("cannot be tested here", 1, true) then
        assert.matches("On Intrepid ", line, 1, true)
        untested = untested + 1
      end
    end
    assert.equal(2, untested)
    assert.matches("| Figure 1 | mean bounded slowdowns of 20 weeks of three logs | **cannot",
      text, 1, true)
  end)

  it("takes the given logs alone, one figure, and other bars", function()
    write_log(top, "a/log.swf")
    local status, _, err = program.run(top, "reproduce redirection log.swf a/log.swf --quick "
      .. "--no-generated --figure 2 --utilisation 0.6 --raise 1 --out three")
    assert.same({ 0, "" }, { status, err })
    assert.equal("figure-2.csv figure-2.png figure-2.svg page.md times.csv weeks.csv",
      program.listing(top .. "/three"))
    local seen = {}
    for _, row in ipairs(tables.read(top .. "/three/weeks.csv")) do
      seen[row.log] = (seen[row.log] or 0) + 1
      assert.equal(1, row.factor)
    end
    assert.same({ log = 6, ["log (2)"] = 6 }, seen) -- the first week
  end)
end)

describe("orrery reproduce redirection", function()
  local folder

  before_each(function()
    folder = program.folder()
    program.write(folder, "jobs.csv", "id,procs,time\nA,3,4\nB,2,4\n")
    program.write(folder, "light.swf", "; MaxProcs: 64\n1 0 -1 5 1 -1 -1 1 -1 -1 1 1 1 1 1 1 -1 "
      .. "-1\n")
    program.write(folder, "file", "")
  end)
  after_each(function() program.remove(folder) end)

  local function refused(status, message, arguments)
    local real, out, err = program.run(folder, "reproduce redirection " .. arguments)
    assert.same({ status, "" }, { real, out })
    assert.matches(message, err, 1, true)
    assert.equal("file jobs.csv light.swf", program.listing(folder))
  end

  it("refuses what it cannot do before it runs or writes anything", function()
    refused(2, "argument for option '--figure' must be one of '1', '2', 'filter'", "--figure 3")
    refused(2, "--log: expected NAME=FILE, such as curie=curie.swf, found 'light.swf'",
      "--log light.swf")
    refused(2, "--log: expected NAME=FILE, such as curie=curie.swf, found '=light.swf'",
      "--log =light.swf")
    refused(2, "no.swf", "--log curie=no.swf")
    refused(2, "--weeks: expected a whole number from 1 to 10000, found '0'", "--weeks 0")
    refused(2, "--raise: expected a number of at least 1, found '0.5'", "--raise 0.5")
    refused(2, "--utilisation: expected a number, found 'high'", "--utilisation high")
    refused(2, "--out: file is no folder", "--out file --quick")
    refused(2, "no.swf", "no.swf")
    refused(1, "jobs.csv does not say how many processors the machine has", "jobs.csv")
    refused(1, "light.swf: of its 1 weeks none needs from 0.7 to 1.1 of the 64 processors",
      "light.swf")
    refused(1, "no generated week needs from 1.5 to 1.1 of the machine",
      "--utilisation 1.5 --raise 1e9 --quick")
  end)
end)
