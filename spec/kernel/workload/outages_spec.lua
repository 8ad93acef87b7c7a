-- Files of outages: CSV, and dumps of Slurm's events, against a naive reading of lists of nodes.
local native = require "native_faults"
local random = require "native_random"
local temporary = require "spec.support.temporary"
local rounds = require "spec.support.rounds"

local FAILURE, DRAINED, FOR_EVER = 0, 1, math.huge

local function read(bytes, reading, fail_at)
  return temporary.file("f.csv", bytes, native.read_outages, reading or {}, fail_at)
end

local DAY = 86400
local JUNE_14 = 1560470400 -- s since 1970: 2019-06-14

describe("a file of outages", function()
  it("by hand: nodes by number, in lists, of the last processors; in order of time", function()
    local list, left_out, bytes = read(table.concat({ "node,from,to", "3,5,6.5", '"[0-1,2]",-7,5',
      "0,-7,-1", "1,-3,0", "2,7,", "2,5,Unknown" }, "\n"), { procs = 7, node_procs = 2 })
    assert.same({ { 0, 5, 0, 2, FAILURE }, { 0, 5, 2, 2, FAILURE }, { 0, 5, 4, 2, FAILURE },
      { 5, 6.5, 6, 1, FAILURE }, { 5, FOR_EVER, 4, 2, FAILURE }, { 7, FOR_EVER, 4, 2, FAILURE } },
      list)
    assert.same({ 2, 0 }, { left_out, bytes })
    assert.same({}, (read "node,from,to\n"))
  end)

  it("has dates where the log has, and columns in any order", function()
    local reading = { procs = 4, node_names = "a,b[08-09],c", origin = JUNE_14 }
    assert.same({ { 0, DAY, 1, 1, FAILURE }, { 60, 120.5, 2, 1, FAILURE },
      { 60, 120.5, 3, 1, FAILURE } }, (read("to,node,from\n2019-06-15,b08,2019-06-14 00:00\n"
      .. '120.5,"b09,c",2019-06-14T00:01:00\n', reading)))
  end)

  it("of Slurm's events: failures, drains, and what is left out", function()
    local list, left_out = read([[
Cluster|NodeName|TimeStart|TimeEnd|State|Reason|User
m||2019-06-01T00:00:00|2019-07-01T00:00:00||Cluster registered TRES|root
m|nid[1-2]|2019-06-14T00:00:00|2019-06-15T00:00:00|DOWN*+DRAIN|it said "ouch", twice|root
m|nid3|2019-06-13T00:00:00|Unknown|drain|"|root
m|nid4|2019-06-14T00:00:10|2019-06-14T00:00:20|down|x|root
m|nid4|2019-06-14T00:00:10|2019-06-14T00:00:20|IDLE|x|root
m|nid4|2019-06-12T00:00:10|2019-06-13T00:00:20|DOWN|over before second 0|root
]], { procs = 4, node_names = "nid[1-4]", origin = JUNE_14 })
    assert.same({ { 0, DAY, 0, 1, FAILURE }, { 0, DAY, 1, 1, FAILURE },
      { 0, FOR_EVER, 2, 1, DRAINED }, { 10, 20, 3, 1, FAILURE } }, list)
    assert.equal(3, left_out)
  end)

  it("of Slurm's events has a kind for every state, in any case", function()
    for state, kind in pairs {
      DOWN = FAILURE, ["DOWN*"] = FAILURE, ["IDLE+DRAIN+DOWN"] = FAILURE, ERROR = FAILURE,
      DRAIN = DRAINED, ["MIXED+DRAIN"] = DRAINED, draining = DRAINED, ["FAIL*"] = DRAINED,
      FAILING = DRAINED, MAINT = DRAINED, ["IDLE+POWERED_DOWN"] = DRAINED, ["REBOOT^"] = DRAINED,
      IDLE = 2, ALLOCATED = 2, ["MIXED+CLOUD"] = 2, COMPLETING = 2, PLANNED = 2, RESERVED = 2,
    } do
      local list, left_out = read("NodeName|TimeStart|TimeEnd|State\n0|2019-06-14T00:00:00||"
        .. state .. "\n", { origin = JUNE_14 })
      assert.same(kind == 2 and { nil, 1 } or { kind, 0 }, { list[1] and list[1][5], left_out })
    end
  end)

  it("is refused with line and column", function()
    local header = "node,from,to\n"
    local dump = "NodeName|TimeStart|TimeEnd|State\n"
    local of_csv = "f.csv:1: a file of outages has the columns node,from,to, or is a dump of \z
      sacctmgr -P show event with NodeName|TimeStart|TimeEnd|State; the first line has: "
    local number = "nodes from 0 to 7, or names of nodes together with node_names, found "
    for bytes, message in pairs {
      [""] = "f.csv: the file is empty",
      ["time,processor\n1,2\n"] = of_csv .. "time, processor",
      ["node,from,to,why\n"] = of_csv .. "node, from, to, why",
      ["NodeName|TimeStart|TimeEnd\n"] = of_csv .. "NodeName, TimeStart, TimeEnd",
      ["Cluster  NodeName  TimeStart\n"] = of_csv .. "Cluster  NodeName  TimeStart",
      [header .. "8,1,2\n"] = 'f.csv:2: column 1 (node): expected ' .. number .. '"8"',
      [header .. "1,1,2\nnid1,1,2\n"] = 'f.csv:3: column 1 (node): expected ' .. number .. '"nid1"',
      [header .. "[1-999999999],1,2\n"] =
        'f.csv:2: column 1 (node): expected ' .. number .. '"[1-999999999]"',
      [header .. ",1,2\n"] = "f.csv:2: column 1 (node): expected nodes as Slurm writes lists: \z
        nid[0001-0016], found nothing",
      [header .. "[3-1],1,2\n"] = "f.csv:2: column 1 (node): expected nodes as Slurm writes \z
        lists: nid[0001-0016], found \"[3-1]\"",
      [header .. "1,soon,2\n"] = "f.csv:2: column 2 (from): expected a number of seconds (the log \z
        has no dates), found \"soon\"",
      [header .. "1,2019-06-14,2\n"] = "f.csv:2: column 2 (from): expected a number of seconds \z
        (the log has no dates), found \"2019-06-14\"",
      [header .. "1,,2\n"] = "f.csv:2: column 2 (from): expected a number of seconds (the log has \z
        no dates), found nothing",
      [header .. "1,2,inf\n"] = "f.csv:2: column 3 (to): expected a number of seconds (the log \z
        has no dates), found \"inf\"",
      [header .. "1,2,1\n"] = "f.csv:2: the outage ends before it begins: from 2 s to 1 s",
      [header .. "1,2\n"] = "f.csv:2: expected 3 fields as in the header, found 2",
      [dump .. "1|2019-06-14T00:00:00||DOWN\n"] = "f.csv:2: column 2 (TimeStart): expected a log \z
        that has dates, because the dump has, found \"2019-06-14T00:00:00\"",
    } do
      local _, found = read(bytes)
      assert.equal(message, found)
    end
    local _, found = read(dump .. "1|2019-06-14T00:00:00||DOWN\n1|5||DOWN\n", { origin = 0 })
    assert.equal("f.csv:3: column 2 (TimeStart): expected a date as 2019-06-14T07:04:00, found \z
      \"5\"", found)
    _, found = read(dump .. "1|2019-06-14T00:00:00||BROKEN\n", { origin = 0 })
    assert.equal("f.csv:2: column 4 (State): expected a state of a node such as DOWN*+DRAIN, \z
      found \"BROKEN\"", found)
    _, found = read(header .. "c,1,2\n", { procs = 2, node_names = "a,b" })
    assert.equal("f.csv:2: column 1 (node): expected nodes of the machine (node_names), of which \z
      \"c\" is none, found \"c\"", found)
  end)

  it("refuses names that are not those of the machine", function()
    for names, message in pairs {
      ["a,b,c"] = 'node_names: they are more than the 2 nodes of the machine; "c" is one too many',
      ["n[1-999999999]"] =
        'node_names: they are more than the 2 nodes of the machine; "n3" is one too many',
      a = "node_names: 1 names for the 2 nodes of the machine",
      ["a,a"] = 'node_names: "a" is there twice',
      ["a[,b"] = 'node_names: expected names of nodes as "nid[0001-0128]" or "a,b,c", found "a[,b"',
      [""] = 'node_names: expected names of nodes as "nid[0001-0128]" or "a,b,c", found nothing',
    } do
      local _, found = read("node,from,to\n", { procs = 2, node_names = names })
      assert.equal(message, found)
    end
  end)

  it("gives all memory back, whichever allocation fails", function()
    local text = "node,from,to\n" .. ("n1,1,2\nn[0-3],3,9\n"):rep(100)
    local reading = { procs = 4, node_names = "n[0-3]" }
    local list, _, bytes, calls = read(text, reading)
    assert.same({ 500, 0 }, { #list, bytes })
    for n = 1, calls do
      local nothing, _, _, lost = read(text, reading, n)
      assert.same({ nil, 0 }, { nothing, lost })
    end
  end)
end)

-- --- a naive reading ----------------------------------------------------------------------------

-- All names of a list of parts: texts, and tables of { low, high, digits }.
local function expanded(parts, at)
  at = at or 1
  if not parts[at] then return { "" } end
  local list = {}
  local behind = expanded(parts, at + 1)
  for _, range in ipairs(type(parts[at]) == "string" and { parts[at] } or parts[at]) do
    if type(range) == "string" then
      for _, rest in ipairs(behind) do list[#list + 1] = range .. rest end
    else
      for n = range[1], range[2] do
        local number = ("%0" .. range[3] .. "d"):format(n)
        for _, rest in ipairs(behind) do list[#list + 1] = number .. rest end
      end
    end
  end
  return list
end

local function text_of(parts)
  local list = {}
  for i, part in ipairs(parts) do
    if type(part) == "table" then
      local ranges = {}
      for k, range in ipairs(part) do
        local form = "%0" .. range[3] .. "d"
        ranges[k] = range[1] == range[2] and form:format(range[1])
          or (form .. "-%d"):format(range[1], range[2])
      end
      part = "[" .. table.concat(ranges, ",") .. "]"
    end
    list[i] = part
  end
  return table.concat(list)
end

describe("lists of nodes", function()
  it("are those of a naive reading", function()
    local rng = random(9)
    for _ = 1, rounds(300, 300, 25) do
      local machine, names, rows = {}, {}, { "node,from,to" }
      local expected = {}
      for i = 1, rng:integer(1, 3) do -- each with a letter of its own: no name comes twice
        local parts, low = { string.char(96 + i) }, 0
        for _ = 1, rng:integer(0, 2) do
          local ranges = {}
          for k = 1, rng:integer(1, 3) do
            local first = low + rng:integer(0, 3)
            local last = first + rng:integer(0, 3)
            ranges[k], low = { first, last, k == 1 and 1 or rng:integer(1, 3) }, last + 1000
          end
          parts[#parts + 1] = ranges
          parts[#parts + 1] = rng:integer(0, 1) == 1 and "-x" or "y"
        end
        machine[i] = text_of(parts)
        for _, name in ipairs(expanded(parts)) do
          names[#names + 1] = name
          expected[#names] = { #names, #names + 1, #names - 1, 1, FAILURE }
          rows[#rows + 1] = ("%s,%d,%d"):format(name, #names, #names + 1)
        end
      end
      local reading = { procs = #names, node_names = table.concat(machine, ",") }
      local found, message = read(table.concat(rows, "\n"), reading)
      assert.is_truthy(found, message)
      assert.same(expected, found)
      local all = read('node,from,to\n"' .. reading.node_names .. '",1,2\n', reading)
      assert.equal(#names, #all)
      for i, outage in ipairs(all) do assert.equal(i - 1, outage[3]) end
    end
  end)
end)
