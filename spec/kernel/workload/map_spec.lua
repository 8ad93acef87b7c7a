-- Columns of any CSV file, by hand: dates and their zones, units, machines, lists in fields.
local orrery = require "orrery"
local temporary = require "spec.support.temporary"

-- When the only job was submitted, UTC; nil: its date is none.
local function origin(format, text, delimiter)
  local mark = ({ colon = ":", semicolon = ";" })[delimiter] or ","
  local row = ("procs%ssubmit%sruntime\n2%s%s%s3\n"):format(mark, mark, mark, text, mark)
  local fine, jobs = pcall(temporary.file, "F", row, orrery.read, {
    columns = { procs = "procs", runtime = "runtime", submit = "submit" .. format },
    delimiter = delimiter, strict = true })
  if not fine and not jobs:find "^F:2: .*submit" then error(jobs, 0) end
  return fine and jobs.origin or nil
end

local ZONES = { Z = "15:05:09", ["+02:00"] = "13:05:09", ["+0200"] = "13:05:09",
  ["+02"] = "13:05:09", ["-05:30"] = "20:35:09", ["-0530"] = "20:35:09", ["+00:59"] = "14:06:09",
  ["-08"] = "23:05:09" }
local NONE = { "+", "+2", "+02:", "+02:0", "+02:000", "+020", "+24:00", "+24", "+02:60", "+02:00x",
  "+02x", "02:00", "z", "*02:00", "+:02" }

describe("a date by a format", function()
  it("is what its directives say", function()
    for format, cases in pairs {
      ["%d.%m.%Y %H:%M:%S"] = { ["01.03.2023 15:05:09"] = "2023-03-01 15:05:09" },
      ["%d %b %y %I:%M %p"] = { ["1 MAR 23 03:05 PM"] = "2023-03-01 15:05:00",
        ["1 Dec 68 12:05 am"] = "2068-12-01 00:05:00",
        ["9 jan 69 12:05 pm"] = "1969-01-09 12:05:00" },
      ["%F %T"] = { ["2023-1-2 15:05:50"] = "2023-01-02 15:05:50",
        ["2024-02-29 00:00:00"] = "2024-02-29 00:00:00" },
      ["%F %T.%f"] = { ["2023-03-01 15:05:09.25"] = "2023-03-01 15:05:09.250000",
        ["2023-03-01 15:05:09.012345678"] = "2023-03-01 15:05:09.012346" },
      ["%Y%m%d%H%M"] = { ["202301022306"] = "2023-01-02 23:06:00" },
      ["100%% %F"] = { ["100% 2023-01-02"] = "2023-01-02 00:00:00" },
      unix = { ["1677683109"] = "2023-03-01 15:05:09" },
      ["unix-ms"] = { ["1677683109250"] = "2023-03-01 15:05:09.250000" },
    } do
      for text, expected in pairs(cases) do
        assert.equal(expected, origin(":" .. format, text, "semicolon"), text)
      end
    end
  end)

  it("is none with other characters, or out of the calendar", function()
    for format, texts in pairs {
      ["%F %T"] = { "2023-03-01 15:05:0:", "2023-03-0: 15:05:09", "2023-03-0/ 15:05:09",
        "2023-03-01 15:05:60", "2023-02-29 15:05:50", "2023-13-01 15:05:50", "2023-00-01 15:05:50",
        "2023-01-32 15:05:50", "2023-01-00 15:05:50", "2023-01-02 24:05:50", "2023-01-02 23:60:50",
        "2023-01-02 23:6:5", "23-01-02 23:06:05", "2023-01-02 23:06:05x", "2023-01-02 23:06:" },
      ["%F %T.%f"] = { "2023-03-01 15:05:09.", "2023-03-01 15:05:09.2:", "2023-03-01 15:05:09.;" },
      ["%d %b %y %I:%M %p"] = { "1 xyz 23 12:05 am", "1 jan 68 13:05 pm", "1 jan 68 00:05 pm",
        "1 jan 68 01:05 xm", "1 jan 68 01:05 a", "1 jan 68 01:05" },
      ["%Y%m%d%H%M"] = { "2023010223067", "20230102230" },
    } do
      for _, text in ipairs(texts) do
        assert.is_nil(origin(":" .. format, text, "semicolon"), text)
      end
    end
    for _, format in ipairs { "%Q", "%", "%F %" } do
      local fine, problem = pcall(origin, ":" .. format, "1", "semicolon")
      assert.is_false(fine)
      assert.matches("columns: submit: a format may have %Y %y %m %b %d %H %I %M %S %f %p %z %%, "
        .. "not \"%" .. format:match "%%(%a?)$" .. '"', problem, 1, true)
    end
  end)
end)

describe("a date with a zone", function()
  it("is that many hours and minutes before the same one of UTC", function()
    for zone, time in pairs(ZONES) do
      local expected = "2023-03-01 " .. time
      assert.equal(expected, origin(":%F %T %z", "2023-03-01 15:05:09 " .. zone), zone)
      assert.equal(expected, origin(":%F %H%M%S%z", "2023-03-01 150509" .. zone), zone)
      assert.equal(expected, origin("", "2023-03-01T15:05:09" .. zone), zone)
    end
    assert.equal("2023-03-02 01:05:09", origin(":%F %T %z", "2023-03-01 15:05:09 -10"))
  end)

  it("ends where its column does", function()
    assert.equal("2023-03-01 13:05:09", origin(":%F %H%M%S%z", "2023-03-01 150509+02", "colon"))
    assert.equal("2023-03-01 13:05:09", origin(":%F %H%M%S%z", "2023-03-01 150509+0200", "colon"))
  end)

  it("is none with another zone", function()
    for _, zone in ipairs(NONE) do
      assert.is_nil(origin(":%F %T %z", "2023-03-01 15:05:09 " .. zone), zone)
      assert.is_nil(origin("", "2023-03-01T15:05:09" .. zone), zone)
    end
    assert.is_nil(origin(":%F %T %z", "2023-03-01 15:05:09 "))
  end)
end)

-- What is read of the only row: runtime and walltime in s, procs, the machine; or the message.
local function row(columns, values)
  local names, list = {}, {}
  for name, value in pairs(values) do
    names[#names + 1], list[#list + 1] = name, ('"%s"'):format(value)
  end
  local all = { procs = "p", runtime = "r" }
  for name, column in pairs(columns) do all[name] = column end
  local text = table.concat(names, ",") .. "\n" .. table.concat(list, ",") .. "\n"
  local fine, jobs = pcall(temporary.file, "F", text, orrery.read, { columns = all })
  if not fine then return (jobs:gsub("^%S-:%d+: ", "", 1)) end
  return { jobs[1].runtime, jobs[1].walltime, jobs[1].procs, jobs.machine_procs or 0 }
end

describe("a span", function()
  it("is in the unit behind its column", function()
    for unit, seconds in pairs { s = 3, ms = 0.003, us = 3 * 1e-6, ns = 3 * 1e-9, min = 180,
      h = 10800, d = 259200 } do
      assert.same({ seconds, 2 * seconds, 4, 0 }, row({ runtime = "r:" .. unit,
        walltime = "w:" .. unit }, { p = 4, r = 3, w = 6 }), unit)
    end
    assert.equal('columns: runtime: expected one of the units s, ms, us, ns, min, h, d, found "m"',
      row({ runtime = "r:m" }, { p = 4, r = 3 }))
    assert.same({ 60, nil, 4, 0 }, row({ runtime = "r:=wall" },
      { p = 4, r = "mem=3 wall=00:01:00" }))
  end)
end)

describe("a number of processors", function()
  it("counts for so many each, or is in a list", function()
    for column, value in pairs { ["p:4"] = 2, ["p:0.5"] = 16, ["p:=cpu"] = "mem=3,cpu=8",
      ["p:select"] = "1:ncpus=4+2:ncpus=2:mem=3gb", ["p:ppn"] = "3:ppn=2+1:ppn=2" } do
      assert.same({ 3, nil, 8, 0 }, row({ procs = column }, { p = value, r = 3 }), column)
    end
    for _, each in ipairs { "0", "-1", "x" } do
      assert.equal("columns: procs: expected a number of processors that each counts, found \""
        .. each .. '"', row({ procs = "p:" .. each }, { p = 2, r = 3 }))
    end
  end)
end)

describe("the machine's column", function()
  it("says of one machine how large it is", function()
    local function of(machine, procs)
      return row({ machine = "m:" .. machine }, { p = procs or 1, r = 3, m = "Big" })
    end
    assert.same({ 3, nil, 1, 1 }, of "big=1")
    assert.same({ 3, nil, 2, 2147483646 }, of("big=2147483646", 2))
    assert.same({ 3, nil, 2, 0 }, of("small=1", 2))
    for _, wrong in ipairs { "big", "big=", "big=x", "big=0", "big=0.5", "big=2147483647" } do
      assert.equal('columns: machine: expected MACHINE=PROCESSORS, found "' .. wrong .. '"',
        of(wrong))
    end
    assert.matches("expected at most the 1 processors of the machine (--wide drop leaves wider "
      .. 'jobs out), found "2"', of("big=1", 2), 1, true)
  end)
end)

describe("columns under other names", function()
  -- What is read of them is what is read of a log that has these columns alone, by their own names.
  it("are these columns, whichever ones are named", function()
    local fields = { "id", "submit", "procs", "runtime", "walltime", "wait", "user", "queue",
      "partition", "status", "account", "qos", "checkpoint", "recovery", "after" }
    local rows = { { "a", 5, 2, 10, 20, 3, "u", "q", "p", "completed", "x", "y", 1, 2, "" },
      { "b", 0, 4, 30, "", 0, "v", "q", "", "failed", "", "y", "", "", "a" } }
    local function read(names, places, columns)
      local lines = { table.concat(names, ",") }
      for i, texts_of in ipairs(rows) do
        local texts = {}
        for k, place in ipairs(places) do texts[k] = texts_of[place] end
        lines[i + 1] = table.concat(texts, ",")
      end
      return temporary.file("F", table.concat(lines, "\n") .. "\n", orrery.read,
        { columns = columns, dependencies = true }):csv()
    end
    local rng = orrery.random(6)
    for round = 1, 2 * #fields do
      local all, names, own, places, columns = {}, {}, {}, {}, {}
      for i, field in ipairs(fields) do
        local is_named = field == "id" or field == "procs" or field == "runtime" or round == i
          or round > #fields and rng:uniform() < 0.5
        all[i], names[i] = i, is_named and rng:uniform() < 0.5 and field or "n" .. i
        if is_named then
          own[#own + 1], places[#places + 1], columns[field] = field, i, names[i]
        end
      end
      assert.equal(read(own, places), read(names, all, columns), table.concat(names, ","))
    end
  end)
end)
