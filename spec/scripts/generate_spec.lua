-- `orrery generate`: transcripts.
local orrery = require "orrery"
local program = require "spec.support.program"

-- Exit status, standard output, standard error.
local function generate(...)
  return program.run(".", "generate " .. table.concat({ ... }, " "))
end

describe("orrery generate", function()
  it("writes the month of Mira", function()
    assert.same({ 0, orrery.mira_month({ seed = 1 }):csv "mira", "" }, { generate "mira" })
    assert.same({ 0, orrery.mira_month({ seed = 5, count = 33, days = 2, per_day = { 3, 30 },
      first_day = "2020-01-31" }):csv "plain", "" },
      { generate("mira --seed 5 --count 33 --days 2 --per-day 3 30 --first-day 2020-01-31",
        "--format plain") })
  end)

  it("writes the Standard Workload Format", function()
    assert.same({ 0, orrery.synthetic({ count = 5 }):csv "swf", "" },
      { generate "synthetic --count 5 --format swf" })
  end)

  it("writes synthetic sets", function()
    assert.same({ 0, orrery.synthetic():csv(), "" }, { generate "synthetic" })
    assert.same({ 0, orrery.synthetic({ seed = 5, set = 3, count = 7, procs = { 1, 9 },
      time = { 0.5, 1.5 } }):csv(), "" },
      { generate "synthetic --seed 5 --set 3 --count 7 --procs 1 9 --time 0.5 1.5" })
  end)

  it("writes logs of Lublin and Feitelson's model", function()
    assert.same({ 0, orrery.lublin({ seed = 1 }):csv "swf", "" }, { generate "lublin" })
    assert.same({ 0, orrery.lublin({ seed = 5, set = 3, count = 70, days = 4.5, procs = 300,
      load = 0.75, types = "batch", week = { 1, 1, 1, 1, 2, 0, 0 }, first_day = "2024-02-29",
      walltimes = "users", scaled = true }):csv "swf", "" },
      { generate("lublin --seed 5 --set 3 --count 70 --days 4.5 --procs 300 --load 0.75",
        "--types batch --week 1 1 1 1 2 0 0 --first-day 2024-02-29 --walltimes users --scaled") })
    assert.same({ 0, orrery.lublin({ count = 9, walltimes = 2.5 }):csv(), "" },
      { generate "lublin --count 9 --walltimes 2.5 --format plain" })
    assert.same({ 2, "", "orrery generate: lublin: walltimes must be \"users\", \"tsafrir\" or "
      .. "a factor on runtimes from 1 on, not long\n" }, { generate "lublin --walltimes long" })
  end)

  it("writes a file, whole or not at all", function()
    local path = os.tmpname()
    assert.same({ 0, ("wrote %s: 3 jobs, plain\n"):format(path), "" },
      { generate("synthetic --count 3 -o", path) })
    assert.equal(3, #orrery.read(path))
    os.remove(path)
    assert.same({ 2, "", "orrery: --output /nonexistent/x: there is no folder /nonexistent\n" },
      { generate "mira -o /nonexistent/x" })
  end)

  it("writes into a pipe, which stays one", function()
    local folder = program.folder()
    assert(os.execute(("mkfifo '%s/pipe' && cat '%s/pipe' >'%s/read' &"):format(folder, folder,
      folder)))
    assert(os.execute(("until [ -p '%s/pipe' ]; do sleep 0.01; done"):format(folder)))
    assert.same({ 0, ("wrote %s/pipe: 3 jobs, plain\n"):format(folder), "" },
      { generate("synthetic --count 3 -o", folder .. "/pipe") })
    assert.is_true(os.execute(("[ -p '%s/pipe' ]"):format(folder)))
    assert(os.execute(("until [ -s '%s/read' ]; do sleep 0.01; done"):format(folder)))
    assert.equal(3, #orrery.read(folder .. "/read"))
    program.remove(folder)
  end)

  it("says what is wrong with its arguments", function()
    local status, _, message = generate "mira --count ten"
    assert.equal(2, status)
    assert.matches("^orrery generate: 'ten' is not an integer\nUsage: orrery generate", message)
    assert.same({ 0, orrery.synthetic({ seed = -1, count = 2 }):csv(), "" },
      { generate "synthetic --seed -1 --count 2" })
    assert.same({ 2, "", "orrery generate: synthetic: count must be between 0 and 2147483647, it "
      .. "is -1\n" }, { generate "synthetic --count -1" })
    assert.same({ 2, "", "orrery generate: --output: expected the name of a file\n" },
      { generate "mira -o ''" })
    status, _, message = generate "venus"
    assert.equal(2, status)
    assert.matches("^orrery generate: unknown command 'venus'", message)
    assert.same({ 2, "",
      "orrery generate: procs must be two numbers, 1 <= first <= second, not 5 and 3\n" },
      { generate "synthetic --procs 5 3" })
    assert.same({ 1, "", "orrery generate: these jobs have no calendar times, which Mira's format "
      .. "needs\n" }, { generate "synthetic --format mira" })
  end)
end)
