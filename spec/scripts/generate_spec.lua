-- `orrery generate`, run as the program runs it: a Lua chunk with `arg`.
local orrery = require "orrery"

-- Exit status, standard output, standard error.
local function generate(...)
  local out, err = os.tmpname(), os.tmpname()
  local command = ("LUA_CPATH='%s' lua5.4 scripts/generate.lua %s >%s 2>%s")
    :format(package.cpath, table.concat({ ... }, " "), out, err)
  local _, _, status = os.execute(command)
  local texts = {}
  for i, path in ipairs { out, err } do
    local file = assert(io.open(path, "rb"))
    texts[i] = file:read "a"
    file:close()
    os.remove(path)
  end
  return status, texts[1], texts[2]
end

describe("orrery generate", function()
  it("writes the month of Mira", function()
    assert.same({ 0, orrery.mira_month({ seed = 1 }):csv "mira", "" }, { generate "mira" })
    assert.same({ 0, orrery.mira_month({ seed = 5, count = 33, days = 2, per_day = { 3, 30 },
      first_day = "2020-01-31" }):csv "plain", "" },
      { generate("mira --seed 5 --count 33 --days 2 --per-day 3 30 --first-day 2020-01-31",
        "--format plain") })
  end)

  it("writes synthetic sets", function()
    assert.same({ 0, orrery.synthetic():csv(), "" }, { generate "synthetic" })
    assert.same({ 0, orrery.synthetic({ seed = 5, set = 3, count = 7, procs = { 1, 9 },
      time = { 0.5, 1.5 } }):csv(), "" },
      { generate "synthetic --seed 5 --set 3 --count 7 --procs 1 9 --time 0.5 1.5" })
  end)

  it("writes a file, whole or not at all", function()
    local path = os.tmpname()
    assert.same({ 0, "", "" }, { generate("synthetic --count 3 -o", path) })
    assert.equal(3, #orrery.read(path))
    os.remove(path)
    assert.same({ 1, "", "orrery generate: /nonexistent/x: No such file or directory\n" },
      { generate "mira -o /nonexistent/x" })
  end)

  it("says what is wrong with its arguments", function()
    local status, _, message = generate "mira --count ten"
    assert.equal(2, status)
    assert.matches("^orrery generate: 'ten' is not an integer\nUsage: orrery generate", message)
    status, _, message = generate "venus"
    assert.equal(2, status)
    assert.matches("^orrery generate: unknown command 'venus'", message)
    assert.same({ 1, "",
      "orrery generate: procs must be two numbers, 1 <= first <= second, not 5 and 3\n" },
      { generate "synthetic --procs 5 3" })
    assert.same({ 1, "", "orrery generate: these jobs have no calendar times, which Mira's format "
      .. "needs\n" }, { generate "synthetic --format mira" })
  end)
end)
