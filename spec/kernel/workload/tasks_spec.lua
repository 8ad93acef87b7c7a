-- Tasks: profiles, tables and their repair, the generator, files, memory that runs out.
local native = require "native_tasks"
local orrery = require "orrery"
local temporary = require "spec.support.temporary"
local rounds = require "spec.support.rounds"

local function log2(m) return math.log(m, 2) end

-- Times of a task on 1 .. most processors.
local function curve(tasks, i, most)
  local times = {}
  for j = 1, most do times[j] = tasks:time(i, j) end
  return times
end

-- Equations 1.1 exactly, 1.2 but for the rounding of a few operations.
local function assert_regular(times, what)
  for j = 2, #times do
    if times[j] > times[j - 1] then error(("%s: time grows at %d"):format(what, j)) end
    if j * times[j] < (j - 1) * times[j - 1] * (1 - 1e-14) then
      error(("%s: work falls at %d"):format(what, j))
    end
  end
end

-- Any shape that a measurement may have, regular or not.
local function random_table(rng, columns)
  local kind, times = rng:integer(1, 4), {}
  for j = 1, columns do
    if kind == 1 then times[j] = rng:uniform(1e-3, 100)
    elseif kind == 2 then times[j] = rng:integer(1, 5)
    elseif kind == 3 then times[j] = 100 / j * rng:uniform(0.9, 1.1)
    else times[j] = 1000 / j + j * j end
  end
  return times
end

-- Reading 20, as it is printed.
local function repaired(times)
  local t = { times[1] }
  for j = 2, #times do
    t[j] = math.min(times[j], t[j - 1])
    t[j] = math.max(t[j], (j - 1) * t[j - 1] / j)
  end
  return t
end

describe("the profile of a task", function()
  it("is equation 1.13, worked by hand for m = 1024", function()
    local tasks = orrery.tasks.list { { m = 1024, f = 0.25 } }
    -- t1 = 2 * 1024 * 10 = 20480, a message costs 1024 / j * 10
    assert.equal(5120 + 15360 + 10240, tasks:time(1, 1))
    assert.equal(5120 + 15360 / 2 + 5120, tasks:time(1, 2))
    assert.equal(5120 + 15360 / 8 + 1280, tasks:time(1, 8))
    assert.equal(30720, tasks[1].sequential)
  end)

  it("of Amdahl and of a power, by hand", function()
    local tasks = orrery.tasks.list {
      { m = 1024, profile = "amdahl", f = 0.25 }, { m = 1024, profile = "power", e = 0.5 },
      { m = 1024, profile = "amdahl", f = 1 }, { m = 1024, profile = "power", e = 0 },
    }
    assert.equal(20480, tasks:time(1, 1))
    assert.equal(5120 + 15360 / 16, tasks:time(1, 16))
    assert.equal(20480, tasks:time(2, 1))
    assert.equal(20480 / 4, tasks:time(2, 16))
    for j = 1, 100 do
      assert.equal(20480, tasks:time(3, j))
      assert.equal(20480, tasks:time(4, j))
    end
  end)

  it("is bit for bit the formula from left to right", function()
    local rng = orrery.random(11)
    for _ = 1, rounds(100, 100, 20) do
      local m, f = rng:uniform(2, 3e6), rng:uniform()
      local tasks = orrery.tasks.list { { m = m, f = f }, { m = m, profile = "amdahl", f = f } }
      local t1 = 2 * m * log2(m)
      for _ = 1, 10 do
        local j = rng:integer(1, 5000)
        assert.equal(f * t1 + (1 - f) * t1 / j + (m / j) * log2(m), tasks:time(1, j))
        assert.equal(f * t1 + (1 - f) * t1 / j, tasks:time(2, j))
      end
    end
  end)

  it("never gets slower nor cheaper with more processors", function()
    local rng = orrery.random(12)
    for n = 1, rounds(100, 100, 20) do
      local list = {}
      for i, profile in ipairs { "synthetic", "amdahl", "power" } do
        list[i] = { m = 2 ^ rng:uniform(1, 40), profile = profile,
          [profile == "power" and "e" or "f"] = ({ 0, 1, rng:uniform() })[n % 3 + 1] }
      end
      list[4] = { times = random_table(rng, rng:integer(1, 60)) }
      local tasks = orrery.tasks.list(list)
      for i = 1, 4 do
        assert_regular(curve(tasks, i, 100), ("set %d, task %d"):format(n, i))
        assert.equal(tasks[i].sequential, tasks:time(i, 1))
      end
    end
  end)
end)

describe("a table of times", function()
  it("is repaired, worked by hand", function()
    local tasks = orrery.tasks.list {
      { times = { 12, 9, 2, 5, 4 } }, { times = { 12, 13 } }, { times = { 12, 6, 4, 3 } },
      { times = { 7 } }, { times = { 12, 3 } },
    }
    -- on 3: 2 -> 2 * 9 / 3 = 6; on 4: min(5, 6) = 5, at least 3 * 6 / 4 = 4.5; on 5: 4 = 4 * 5 / 5
    assert.same({ 12, 9, 6, 5, 4 }, curve(tasks, 1, 5))
    assert.same({ 12, 12 }, curve(tasks, 2, 2))
    assert.same({ 12, 6, 4, 3 }, curve(tasks, 3, 4))
    assert.same({ 7, 7, 7 }, curve(tasks, 4, 3))
    assert.same({ 12, 6 }, curve(tasks, 5, 2))
    assert.equal(3, tasks.repaired)
  end)

  it("is repaired as reading 20 says, and only once", function()
    local rng = orrery.random(13)
    for _ = 1, rounds(300, 300, 25) do
      local times = random_table(rng, rng:integer(1, 80))
      local wanted = repaired(times)
      local once = orrery.tasks.list { { times = times } }
      assert.same(wanted, curve(once, 1, #times))
      local again = orrery.tasks.list { { times = wanted } }
      assert.same(wanted, curve(again, 1, #times))
      assert.equal(0, again.repaired)
    end
  end)

  it("gives no more speed behind its last time", function()
    local tasks = orrery.tasks.list { { times = { 10, 6, 5 } } }
    assert.equal(5, tasks:time(1, 4))
    assert.equal(5, tasks:time(1, 2147483647))
  end)

  it("of a perfect speedup is not called repaired for its rounding", function()
    local times = {}
    for j = 1, 5000 do times[j] = 1e5 / 3 / j end
    local tasks = orrery.tasks.list { { times = times } }
    assert.equal(0, tasks.repaired)
    for j = 1, 5000, 49 do assert.near(times[j], tasks:time(1, j), 1e-12 * times[j]) end
  end)
end)

describe("generated tasks", function()
  it("have the paper's parameters by default", function()
    local tasks = orrery.tasks.synthetic()
    assert.equal(100, #tasks)
    for i, task in ipairs(tasks) do
      assert.equal(tostring(i), task.id)
      assert.equal("synthetic", task.profile)
      assert.equal(0.08, task.parameter)
      assert.is_true(task.m >= 1.5e6 and task.m < 2.5e6)
    end
  end)

  it("are uniform", function()
    local tasks = orrery.tasks.synthetic { n = 20000, m = { 1500, 2500 }, seed = 9 }
    local below = 0
    for _, task in ipairs(tasks) do below = below + (task.m < 1750 and 1 or 0) end
    assert.near(5000, below, 250) -- 4 standard deviations
  end)

  it("depend on seed, set, run and position alone", function()
    local function text(options) return orrery.tasks.synthetic(options):csv() end
    local one = text { n = 5, seed = 3, set = 2, run = 4 }
    assert.equal(one, text { n = 5, seed = 3, set = 2, run = 4 })
    assert.not_equal(one, text { n = 5, seed = 4, set = 2, run = 4 })
    assert.not_equal(one, text { n = 5, seed = 3, set = 3, run = 4 })
    assert.not_equal(one, text { n = 5, seed = 3, set = 2, run = 5 })
    assert.equal(one, text({ n = 500, seed = 3, set = 2, run = 4 }):sub(1, #one))
    assert.equal(text { n = 5 }, text { n = 5, seed = 1, set = 0, run = 1 })
    -- and so wherever in the order of runs they are made
    local allocations, count, size = native.regenerate(1000, 5, 3)
    assert.same({ 0, 1000 }, { allocations, count })
    assert.equal(orrery.tasks.synthetic({ n = 1000, seed = 5, run = 3 })[1000].m, size)
  end)

  it("take all of one size where both bounds are that", function()
    assert.equal(5000, orrery.tasks.synthetic({ n = 3, m = { 5000, 5000 } })[3].m)
  end)
end)

-- --- files --------------------------------------------------------------------------------------

local function read(bytes, options)
  return temporary.file("t.csv", bytes, orrery.tasks.read, options)
end

local function refuses(bytes, message, options)
  local ok, found = pcall(temporary.file, "t.csv", bytes, orrery.tasks.read, options)
  assert.is_false(ok, message)
  assert.equal(message, found)
end

describe("a file of tasks", function()
  it("has sizes, and profiles", function()
    local tasks = read "id,m\na,1024\nb,2\n"
    assert.equal(2, #tasks)
    assert.same({ id = "a", m = 1024, profile = "synthetic", parameter = 0.08,
      sequential = tasks:time(1, 1) }, tasks[1])
    tasks = read("id,m,profile\na,10,\nb,10,amdahl\nc,10,power\nd,10,power:1\ne,10,amdahl:0.05\n"
      .. "f,10,synthetic:0\ng,10,synthetic", { sequential = 0.25 })
    local found = {}
    for i, task in ipairs(tasks) do found[i] = task.profile .. " " .. task.parameter end
    assert.same({ "synthetic 0.25", "amdahl 0.25", "power 0.75", "power 1.0", "amdahl 0.05",
      "synthetic 0.0", "synthetic 0.25" }, found)
  end)

  it("has tables, with and without sizes", function()
    local tasks = read "id,1,2,3\na,9,5,4\nb,9,10,4\n"
    assert.same({ id = "a", m = 0, profile = "table", columns = 3, sequential = 9 }, tasks[1])
    assert.same({ 9, 9, 6 }, curve(tasks, 2, 3))
    assert.equal(1, tasks.repaired)
    tasks = read "id,m,1\na,7,3\nb,0,4\n"
    assert.equal(7, tasks[1].m)
    assert.equal(0, tasks[2].m)
    assert.equal(4, tasks:time(2, 8))
  end)

  it("may have CRLF, a byte order mark, quotes, blank lines, no last newline", function()
    local wanted = read("id,m\na,16\nb,32\n"):csv()
    for _, bytes in ipairs {
      "id,m\r\na,16\r\nb,32\r\n", "\xEF\xBB\xBFid,m\na,16\nb,32", '"id","m"\n"a","16"\nb,32\n',
      "\n\nid , m\n\n a,16\n\nb,32\n\n", "id,m\ra,16\rb,32\r", "id,m\na,1.6e1\nb,+32.0\n",
    } do
      assert.equal(wanted, read(bytes):csv())
    end
  end)

  it("may be compressed", function()
    local plain = os.tmpname()
    assert(orrery.tasks.synthetic { n = 300 }):to_csv(plain)
    os.execute("gzip -k -f " .. plain)
    local packed = orrery.tasks.read(plain .. ".gz")
    assert.equal(orrery.tasks.read(plain):csv(), packed:csv())
    assert.equal(300, #packed)
    os.remove(plain)
    os.remove(plain .. ".gz")
  end)

  it("may have rows of 5000 columns, and be longer than a block of the file", function()
    local heads, times = { "id" }, {}
    for j = 1, 5000 do
      heads[j + 1] = j
      times[j] = 1e6 / (j + 10)
    end
    local row = table.concat(times, ",")
    local bytes = ("%s\na,%s\nb,%s\n"):format(table.concat(heads, ","), row, row)
    local tasks = read(("%sc,%s\nd,%s\n"):format(bytes, row, row))
    assert.is_true(#bytes > 1 << 17)
    for i = 1, 4 do
      assert.equal(5000, tasks[i].columns)
      for j = 1, 5000 do
        local off = math.abs(times[j] - tasks:time(i, j))
        if off > 1e-8 then error(("task %d on %d: %g off"):format(i, j, off)) end
      end
    end
    refuses(bytes:gsub("[^,]*\n$", "x\n"),
      't.csv:3: column 5001 (5000): expected a number of seconds above 0, up to 1e290, found "x"')
    refuses(bytes:gsub(",[^,]*\n$", "\n"),
      "t.csv:3: expected 5001 fields as in the header, found 5000")
    refuses(bytes:gsub(",4000,", ",4001,"), 't.csv:1: column 4001: expected 4000, found "4001"; '
      .. "tasks have the columns id,m or id,m,profile or id,1,2,3,... or id,m,1,2,3,...")
  end)

  it("is refused with line, column, what was expected and what was found", function()
    local heads = "; tasks have the columns id,m or id,m,profile or id,1,2,3,... or id,m,1,2,3,..."
    local size = "expected a size, a number from 2 to 1e290, found "
    local time = "expected a number of seconds above 0, up to 1e290, found "
    local profile = "t.csv:2: column 3 (profile): expected synthetic, amdahl or power, or one of "
      .. "them with its parameter, as amdahl:0.05, found "
    local parameter = "t.csv:2: column 3 (profile): expected a parameter from 0 to 1 behind the "
      .. "colon, found "
    for bytes, message in pairs {
      [""] = "t.csv: the file is empty",
      ["\n \r\n"] = "t.csv: nothing but blank lines",
      ["id,m\n"] = "t.csv: there is a header, but no task",
      ["name,m\na,5\n"] = 't.csv:1: column 1: expected id, found "name"' .. heads,
      ["id\na\n"] = "t.csv:1: column 2: expected m or 1, found nothing" .. heads,
      ["id,size\na,5\n"] = 't.csv:1: column 2: expected m or 1, found "size"' .. heads,
      ["id,m,f\na,5,1\n"] = 't.csv:1: column 3: expected profile or 1, found "f"' .. heads,
      ["id,m,2\na,5,1\n"] = 't.csv:1: column 3: expected profile or 1, found "2"' .. heads,
      ["id,m,m\na,5,1\n"] = 't.csv:1: column 3: expected profile or 1, found "m"' .. heads,
      ["id,m,profile,1\na,5,,1\n"] =
        't.csv:1: column 4: expected no column behind profile, found "1"' .. heads,
      ["id,1,3\na,5,1\n"] = 't.csv:1: column 3: expected 2, found "3"' .. heads,
      ["id,m\na,5\nb\n"] = "t.csv:3: expected 2 fields as in the header, found 1",
      ["id,m\na,5,6\n"] = "t.csv:2: expected 2 fields as in the header, found 3",
      ["id,1,2\na,5,4,3\n"] = "t.csv:2: expected 3 fields as in the header, found 4",
      ["id,1,2\na,5\n"] = "t.csv:2: expected 3 fields as in the header, found 2",
      ["id,m\n,5\n"] = "t.csv:2: column 1 (id): expected the id of a task, found nothing",
      ["id,m\na,x\n"] = 't.csv:2: column 2 (m): ' .. size .. '"x"',
      ["id,m\na,\n"] = "t.csv:2: column 2 (m): " .. size .. "nothing",
      ["id,m\na,1.9\n"] = 't.csv:2: column 2 (m): ' .. size .. '"1.9"',
      ["id,m\na,-5\n"] = 't.csv:2: column 2 (m): ' .. size .. '"-5"',
      ["id,m\na,inf\n"] = 't.csv:2: column 2 (m): ' .. size .. '"inf"',
      ["id,m\na,1e291\n"] = 't.csv:2: column 2 (m): ' .. size .. '"1e291"',
      ["id,m\n\na,5\n\nb,0x10\n"] = 't.csv:5: column 2 (m): ' .. size .. '"0x10"',
      ["id,m,1\na,-1,5\n"] =
        't.csv:2: column 2 (m): expected a size, a number from 0 to 1e290, found "-1"',
      ["id,1,2\na,5,x\n"] = 't.csv:2: column 3 (2): ' .. time .. '"x"',
      ["id,1,2\na,0,1\n"] = 't.csv:2: column 2 (1): ' .. time .. '"0"',
      ["id,1,2\na,5,-1\n"] = 't.csv:2: column 3 (2): ' .. time .. '"-1"',
      ["id,1,2\na,5,nan\n"] = 't.csv:2: column 3 (2): ' .. time .. '"nan"',
      ["id,1,2\na,5,\n"] = "t.csv:2: column 3 (2): " .. time .. "nothing",
      ["id,m,profile\na,5,Amdahl\n"] = profile .. '"Amdahl"',
      ["id,m,profile\na,5,:0.5\n"] = profile .. '":0.5"',
      ["id,m,profile\na,5,amdahl:\n"] = parameter .. '"amdahl:"',
      ["id,m,profile\na,5,power:1.5\n"] = parameter .. '"power:1.5"',
      ["id,m,profile\na,5,power:-1\n"] = parameter .. '"power:-1"',
      ["id,m\na,5\nb,5\n\na,6\n"] = 't.csv:5: two tasks have the id "a"',
      ["id,m\na,5\nb,5\0\n"] =
        "t.csv:3: not a file of tasks: binary data (a zero byte) where text is due",
      ['id,m\na,5\n"b,6\n'] = "t.csv:3: a quoted field of the row that begins here is not closed",
      ['id,m\na,5"6\n'] = 't.csv:2: column 2: a quote (") inside a field without quotes, or text '
        .. "behind a closing quote",
    } do
      refuses(bytes, message)
    end
    refuses("id,m\na,5\n",
      "the sequential fraction f must be a number from 0 to 1, not 1.5", { sequential = 1.5 })
    local ok, found = pcall(orrery.tasks.read, "/nonexistent")
    assert.is_false(ok)
    assert.equal("/nonexistent: No such file or directory", found)
  end)

  it("is read back as it was written", function()
    local rng = orrery.random(14)
    for _ = 1, rounds(50, 50, 20) do
      local families, tables = {}, {}
      for i = 1, rng:integer(1, 20) do
        local id = ({ "a", "a,b", 'say "so"', " blanks ", "two\nlines", "é" })[rng:integer(1, 6)]
        local profile = ({ "synthetic", "amdahl", "power" })[rng:integer(1, 3)]
        families[i] = { id = id .. i, m = 2 ^ rng:uniform(1, 60), profile = profile,
          [profile == "power" and "e" or "f"] = rng:uniform() ^ 20 }
        tables[i] = { id = id .. i, m = rng:integer(0, 5),
          times = random_table(rng, rng:integer(1, 9)) }
      end
      for _, list in ipairs { families, tables } do
        local tasks = orrery.tasks.list(list)
        local back = read(tasks:csv())
        for i, task in ipairs(tasks) do
          assert.equal(task.id, back[i].id)
          assert.equal(task.m, back[i].m)
          assert.equal(task.parameter, back[i].parameter)
          assert.same(curve(tasks, i, 12), curve(back, i, 12))
        end
      end
    end
  end)
end)

describe("a set of tasks", function()
  it("finds every id", function()
    local ids = {}
    for i = 1, 3000 do ids[i] = "task " .. i * 7919 % 3001 end
    for i = 1, 3000, 271 do assert.equal(i, native.find(ids, ids[i])) end
    assert.equal(0, native.find(ids, "task"))
    assert.equal(0, native.find({}, "task"))
    assert.equal(2, native.find({ "", "x" }, "x")) -- no id: the position
    assert.equal(1, native.find({ "", "x" }, "1"))
    assert.equal(1, native.find({ "x", "x" }, "x"))
  end)

  it("refuses what is no task, and adds nothing", function()
    local SYNTHETIC, POWER, TABLE = 0, 2, 3
    local m = "the size m of a task must be a number from 2 to 1e+290, not "
    local f = "the sequential fraction f must be a number from 0 to 1, not "
    local e = "the exponent e of a power profile must be a number from 0 to 1, not "
    local nan = tostring(0 / 0)
    assert.same({ m .. "1.5", true }, { native.refused(1.5, SYNTHETIC, 0) })
    assert.same({ m .. "inf", true }, { native.refused(math.huge, SYNTHETIC, 0) })
    assert.same({ m .. nan, true }, { native.refused(0 / 0, SYNTHETIC, 0) })
    assert.same({ f .. "-1", true }, { native.refused(2, SYNTHETIC, -1) })
    assert.same({ f .. nan, true }, { native.refused(2, SYNTHETIC, 0 / 0) })
    assert.same({ e .. "2", true }, { native.refused(2, POWER, 2) })
    assert.same({ "a table of times is no family of profiles", true },
      { native.refused(2, TABLE, 0) })
    assert.same({ "", false }, { native.refused(2, SYNTHETIC, 0) })
  end)
end)

describe("tasks without memory", function()
  -- use(n) with the n-th allocation refused, for all n.
  local function refuse_each(use, least)
    local message, left, calls
    for n = 1, 1000 do
      message, left, calls = use(n)
      assert.equal(0, left)
      if not message then break end
      assert.matches("out of memory", message, nil, true)
    end
    assert.is_nil(message)
    assert.is_true(calls >= least, calls)
  end

  it("give back what they have, and stay whole", function()
    refuse_each(function(n) return native.build_failing(100, n) end, 9)
  end)

  it("are not read", function()
    for _, bytes in ipairs {
      "id,m,profile\n" .. ("%d,5,amdahl\n"):rep(100),
      "id,m,1,2,3\n" .. ("%d,5,6,5,4\n"):rep(100),
    } do
      local n = 0
      bytes = bytes:gsub("%%d", function() n = n + 1 return tostring(n) end)
      local ok, message = pcall(temporary.file, "t.csv", bytes, function(path)
        refuse_each(function(k) return native.read_failing(path, k) end, 9)
      end)
      if not ok then error(message, 0) end
    end
  end)
end)
