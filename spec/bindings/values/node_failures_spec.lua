-- Settings of node failures: what is checked, and that each decides something.
local orrery = require "orrery"
local merge = require "spec.support.merge"

local JOBS = { { id = "a", procs = 2, time = 5 }, { id = "b", procs = 3, time = 4, submit = 1 } }

describe("settings of node failures are checked:", function()
  local function bad(given, message)
    local ok, found = pcall(orrery.session, {
      jobs = orrery.jobs(JOBS), procs = 4, policy = "easy", node_failures = given,
    })
    assert.is_false(ok)
    assert.matches(message, found, 1, true)
  end

  it("what is given", function()
    bad({}, "give the mtbf of a node")
    bad({ mtbf = 1, mtbf_years = 1 }, "mtbf_years or mtbf, not both")
    bad({ mtbf = -1 }, "node_failures.mtbf: expected a number of at least 0, found '-1'")
    bad({ mtbf = 0 }, "more than 0")
    bad({ mtbf = 5, repair = -1 }, "node_failures.repair: expected a number of at least 0")
    bad({ mtbf = 5, repair = math.huge }, "node_failures.repair: expected a finite number")
    bad({ mtbf = "soon" }, "node_failures.mtbf: expected seconds, or a text as '4h' or '5y', found")
    local laws = "node_failures.repair: expected seconds, a text as '4h', or a law as"
    for _, text in ipairs { "soon", "weibull:4h", "exponential:4h,1", "constant:4h,", "normal:4,1",
      "weibull:4h,x", "lognormal:,1", "lognormal:4h,1,1" } do
      bad({ mtbf = 5, repair = text }, laws)
    end
    bad({ mtbf = 5, repair = { law = "normal", mean = 1 } },
      "repair.law: expected constant, exponential, weibull or lognormal, found 'normal'")
    bad({ mtbf = 5, repair = { law = "weibull", mean = 1 } }, "the law weibull wants a shape")
    bad({ mtbf = 5, repair = { mean = 1, shape = 1 } }, "the law constant has no shape")
    bad({ mtbf = 5, repair = { law = "exponential" } }, "repair.mean: expected seconds, or a text")
    bad({ mtbf = 5, repair = { law = "exponential", mean = 0 } }, "expected more than 0 s, found 0")
    bad({ mtbf = 5, repair = { mean = 5, kind = 5 } }, "unknown field 'kind'")
    bad({ mtbf = 5, repair = "weibull:5,0" }, "the shape of repairs must be a finite number > 0")
    bad({ mtbf = 5, repair = "lognormal:5,1e200" }, "makes no law with a mean of 5 s")
    for _, text in ipairs { "0.1", "a:b", "0.1:2:3", "" } do
      bad({ mtbf = 5, lemons = text },
        "node_failures.lemons: expected a share and a factor, as '0.02:10'")
    end
    bad({ mtbf = 5, lemons = "2:10" }, "lemons.share: expected a number from 0 to 1, found 2")
    assert.is_true(pcall(orrery.session, { jobs = orrery.jobs(JOBS), procs = 4, policy = "easy",
      node_failures = { mtbf = 5, lemons = "1:1" } }))
    bad({ mtbf = 5, lemons = { factor = 2 } },
      "lemons.share: expected a number from 0 to 1, found nil")
    bad({ mtbf = 5, domains = { nodes = 2 ^ 31 | 0, mtbf = 5 } }, "nodes: expected fewer than 21")
    bad({ mtbf = 5, lemons = "0.1:0.5" }, "lemons.factor: expected a number of at least 1")
    bad({ mtbf = 5, lemons = { share = 1, rate = 2 } }, "unknown field 'rate'")
    for _, text in ipairs { "32", "x:10y", "32:soon", "1.5:10y" } do
      bad({ mtbf = 5, domains = text },
        "node_failures.domains: expected nodes and an mtbf, as '32:10y'")
    end
    bad({ domains = { nodes = 0, mtbf = 1 } }, "domains.nodes: expected a whole number")
    bad({ domains = { nodes = 2, mtbf = 0 } }, "domains.mtbf: expected more than 0 s, found 0")
    bad({ domains = "2:5", lemons = "0.1:5" }, "give the mtbf of a node: without one only domains")
    bad({ mtbf = 5, domain_repair = 5 }, "domain_repair is for domains")
    bad({ domains = "2:5", domain_repair = "soon" }, "domain_repair: expected seconds, a text as")
    bad({ mtbf = 5, spares = 5 }, "spares and swap are for nodes that are retired")
    bad({ mtbf = 5, retire_after = 0 }, "retire_after: expected a whole number of at least 1")
    bad({ mtbf = 5, retire_after = 1, spares = -1 }, "spares: expected a whole number")
    bad({ mtbf = 5, retire_after = 1, swap = math.huge }, "a spare comes after a finite number of")
    bad({ log = {}, lemons = "0.1:5" }, "log and lemons exclude each other")
    bad({ outages = 5 }, "node_failures.outages: expected the name of a file, found number")
    bad({ outages = "x", mtbf = 5 }, "outages and mtbf exclude each other: the failures are given")
    bad({ outages = "x", log = {} }, "log and outages exclude each other: the failures are given")
    bad({ outages = "x", repair = 5 }, "outages and repair exclude each other")
    bad({ outages = "x", node_names = 5 }, "node_failures.node_names: expected names of nodes as")
    bad({ mtbf = 5, node_names = "a" }, "node_names are for outages from a file")
    bad({ log = {}, node_names = "a" }, "node_names are for outages from a file")
    bad({ outages = "no-such-file.csv" }, "no-such-file.csv")
    bad({ log = {}, repair = "exponential:5" }, "failures that are given have no drawn repairs")
    bad({ mtbf = 5, law = "normal" }, "expected exponential, weibull or lognormal, found 'normal'")
    bad({ mtbf = 5, law = "weibull" }, "the law weibull wants a shape")
    bad({ mtbf = 5, shape = 1 }, "the law exponential has no shape")
    bad({ mtbf = 5, procs = 0 }, "procs")
    bad({ mbtf = 5 }, "unknown field 'mbtf', did you mean 'mtbf'?")
    bad({ log = {}, mtbf = 5 }, "log and mtbf exclude each other")
    bad({ log = 5 }, "expected the name of a file or a list, found number")
    bad({ log = { 5 } }, "node failure 1: expected { time =, processor = }, found number")
    bad({ log = { { time = 1 } } }, "node failure 1: processor must be a finite number >= 0, it is")
    bad({ log = { { time = 1, processor = 4 } } },
      "node failure 1: expected a processor from 0 to 3, found 4")
    bad({ log = { { time = 2, processor = 0 }, { time = 1, processor = 0 } } },
      "node failure 2: they stand in order of time")
    bad({ log = "no-such-file.csv" }, "no-such-file.csv")
  end)

  it("a log from a file is the same as the list", function()
    local path = os.tmpname()
    local file = assert(io.open(path, "w"))
    file:write "time,processor\n3,1\n4.5,0\n"
    file:close()
    local function schedule(log)
      local s = orrery.session { jobs = orrery.jobs(JOBS), procs = 4, policy = "easy",
        node_failures = { log = log, repair = 2, procs = 2 } }
      s:finish()
      local text = {}
      for i, attempt in ipairs(s:schedule()) do
        text[i] = ("%s %g-%g %s"):format(attempt.id, attempt.start, attempt.finish, attempt.outcome)
      end
      return text
    end
    local from_file = schedule(path)
    os.remove(path)
    assert.same(schedule { { time = 3, processor = 1 }, { time = 4.5, processor = 0 } }, from_file)
    assert.are_not.same(schedule {}, from_file)
  end)

  it("are the same for all policies and any number of threads", function()
    local list = {}
    for i = 1, 40 do list[i] = { procs = i % 4 + 1, time = i * 5 % 17 + 10, submit = i * 3 } end
    local function compare(threads)
      return orrery.compare {
        jobs = orrery.jobs(list), procs = 8, runs = 10, threads = threads,
        policies = { "easy", "dispatch/list:reservations=1" },
        node_failures = { mtbf = 300, repair = 20, procs = 2 },
      }
    end
    local one, two = compare(1), compare(3)
    assert.same(one:values(1, "flow_mean"), two:values(1, "flow_mean"))
    assert.same(one:values(1, "flow_mean"), one:values(2, "flow_mean"))
    local failures = 0
    for _, count in ipairs(one:values(1, "node_failures")) do failures = failures + count end
    assert.is_true(failures > 10)
  end)
end)

-- The outages of some years, in which nothing runs; what a policy was told of them.
local function outages(given)
  local s = orrery.session { procs = 12, node_failures = given,
    policy = { name = "looks", dispatch = "fcfs", on_warning = given.prediction
      and function(sim, nodes, at)
        sim:note { at = at, first = nodes[1].first }
      end or nil },
    jobs = orrery.jobs { { procs = 1, time = 0 }, { procs = 1, time = 1, submit = 3e5 } } }
  s:run_until(2e5)
  local list = {}
  for i, o in ipairs(s:outages()) do
    list[i] = ("%d+%d %.6g-%.6g"):format(o.first, o.procs, o.start, o.finish)
  end
  for _, note in ipairs(s.notes) do
    list[#list + 1] = ("%.7g %.7g %d"):format(note.time, note.at, note.first)
  end
  return table.concat(list, "\n")
end

describe("settings of node failures", function()
  local BASE = { mtbf = 20000, repair = 100, procs = 2 }
  local FULL = merge(BASE, { lemons = "0.3:20", domains = "3:40000", domain_repair = 200,
    retire_after = 4, spares = 1, swap = 50 })

  -- Beside a base: the field, values that are the same, and values that differ from these.
  local CASES = {
    { BASE, "mtbf", { 20000, "20000" }, { 30000, "1d" } },
    { BASE, "repair", { 100, "100s", { mean = 100 }, { law = "constant", mean = "100" } },
      { 200, "exponential:100", "weibull:100,0.7", { law = "lognormal", mean = 100, shape = 1 } } },
    { BASE, "procs", { 2 }, { 1, 3 } },
    { BASE, "law", { "exponential" }, {} },
    { merge(BASE, { shape = 0.7, law = "weibull" }), "shape", { 0.7 }, { 2 } },
    { merge(BASE, { shape = 1, law = "weibull" }), "law", { "weibull" }, { "lognormal" } },
    { merge(BASE, { lemons = "0.3:20" }), "lemons", { { share = 0.3, factor = 20 } },
      { "0.3:30", "0.9:20" } },
    { merge(BASE, { domains = "3:40000" }), "domains", { { nodes = 3, mtbf = 40000 },
      { nodes = 3, mtbf = "40000" } }, { "2:40000", "3:4000" } },
    { FULL, "domain_repair", { 200, "200" }, { 300, "exponential:200", "weibull:200,2" } },
    { FULL, "retire_after", { 4 }, { 2 } }, { FULL, "spares", { 1 }, { 0, 5 } },
    { FULL, "swap", { 50, "50s" }, { 5000 } },
    { merge(BASE, { prediction = "recall=0.8,precision=0.5,lead=10m" }), "prediction",
      { { recall = 0.8, precision = 0.5, lead = "10m" }, "lead=600,precision=0.5,recall=0.8" },
      { "recall=0.5,precision=0.5,lead=10m", "recall=0.8,lead=10m", "precision=0.5,lead=10m",
        "recall=0.8,precision=0.5,lead=20m" } },
    { merge(BASE, { prediction = "lead=10m" }), "prediction",
      { "recall=1,precision=1,lead=10m" }, {} },
  }

  it("decide something each, as numbers, texts and tables", function()
    for _, case in ipairs(CASES) do
      local base, field, same, others = table.unpack(case)
      local expected = outages(base)
      for _, value in ipairs(same) do
        assert.equal(expected, outages(merge(base, { [field] = value })), field)
      end
      for _, value in ipairs(others) do
        assert.are_not.equal(expected, outages(merge(base, { [field] = value })), field)
      end
    end
    local year = 365 * 86400
    assert.equal(outages { mtbf = year / 100, procs = 2 }, outages { mtbf_years = 0.01, procs = 2 })
    assert.equal(outages { mtbf = 20000 }, outages { mtbf = 20000, procs = 1, repair = 0 })
    assert.equal(outages(merge(FULL, { domain_repair = 100 })), (function()
      local without = merge(FULL, {})
      without.domain_repair = nil
      return outages(without)
    end)())
  end)

  it("of what is announced are checked", function()
    for message, given in pairs {
      ["prediction.lead: expected a lead in seconds, or as '10m', found nothing"] = { recall = 1 },
      ["prediction.lead: expected a finite number of seconds, more than 0, found 0"] = { lead = 0 },
      ["prediction.recall: expected a recall of 0, or from 1e-06 to 1, found 2.0"] =
        { lead = 1, recall = 2.0 },
      ["prediction.precision: expected a number of at least 1e-06, found '0'"] =
        { lead = 1, precision = 0 },
      ["prediction: expected recall, precision and lead, as 'recall=0.8,precision=0.5,lead=10m', "
        .. "found 'lead=1,lead=2'"] = "lead=1,lead=2",
      ["prediction: unknown field 'led', did you mean 'lead'?"] = { led = 1 },
    } do
      local fine, problem = pcall(outages, merge(BASE, { prediction = given }))
      assert.is_false(fine)
      assert.matches("node_failures." .. message, problem, 1, true)
    end
    for message, more in pairs {
      ["node_failures: prediction and retire_after exclude each other: what is announced of a "
        .. "retired node would not come"] = { retire_after = 1 },
    } do
      local fine, problem = pcall(outages, merge(BASE, merge(more, { prediction = "lead=1" })))
      assert.is_false(fine)
      assert.matches(message, problem, 1, true)
    end
    local fine, problem = pcall(outages, { log = {}, prediction = "lead=1,precision=0.5" })
    assert.is_false(fine)
    assert.matches("no false warnings of them: the precision must be 1, not 0.5", problem, 1, true)
  end)

  it("say whether a text is one, and why not", function()
    local node_failures = require "orrery.values.node_failures"
    for field, text in pairs { repair = "4h", domain_repair = "weibull:4h,0.7", lemons = "0.1:5",
      domains = "32:10y", prediction = "recall=0.8,precision=0.5,lead=10m" } do
      assert.is_true(node_failures.check_text(field, text))
      local fine, why = node_failures.check_text(field, "x")
      assert.is_false(fine)
      assert.matches("^expected .*found 'x'$", why)
    end
  end)
end)
