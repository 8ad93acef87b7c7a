-- Formats as data. What is read of a small dump of each shipped format says
-- spec/fixtures/dumps/expected.txt; here is what holds of all of them.
local orrery = require "orrery" -- first: it holds the modules

local formats = require "orrery.values.formats"
local literal_file = require "orrery.support.literal_file"
local native = require "native_workload"
local program = require "spec.support.program"
local temporary = require "spec.support.temporary"

local folder = "spec/fixtures/dumps/"

local function bytes_of(path)
  local file = assert(io.open(path, "rb"))
  local bytes = file:read "a"
  file:close()
  return bytes
end

local function dump_of(format)
  for _, ending in ipairs { ".txt", ".csv", ".json" } do
    local path = folder .. "format-" .. format.name .. ending
    local file = io.open(path)
    if file then
      file:close()
      return path
    end
  end
  error("no dump of " .. format.name)
end

local function jobs_of(path, options)
  local list = {}
  for i, job in orrery.read(path, options):each() do
    list[i] = { job.id, job.submit, job.procs, job.runtime, job.walltime, job.user, job.status }
  end
  return list
end

describe("a format as data", function()
  it("has a dump, by which it is recognised", function()
    for _, format in ipairs(formats.all()) do
      local path = dump_of(format)
      assert.same(jobs_of(path, { format = format.name }), jobs_of(path), format.name)
    end
  end)

  -- n and r are the processors and the runtime of the others.
  it("takes a field from the first of its columns that has a text", function()
    for _, field in ipairs { "id", "user", "queue", "procs", "runtime", "walltime", "checkpoint",
      "after" } do
      local others = "submit = 's:unix', " .. (field == "procs" and "" or "procs = 'n', ")
        .. (field == "runtime" and "" or "runtime = 'r', ")
      temporary.file("F.lua", ("return { delimiter = ';', columns = { %s%s = { 'a', 'b' } } }")
        :format(others, field), function(format)
          local jobs = temporary.file("F", "s;n;r;a;b\n1;1;1;4;5\n2;1;1;;6\n3;1;1;7;\n"
            .. "4;1;1;88;99\n", orrery.read, { format = format, dependencies = true })
          local found = {}
          for i, job in jobs:each() do found[i] = tonumber(job[field]) end
          assert.same({ 4, 6, 7, 88 }, found, field)
        end)
    end
  end)

  it("says what jobs need: of the whole job, of its nodes or of its processors", function()
    local M, G = 2 ^ 20, 2 ^ 30
    local expected = { -- nodes, GPUs, memory, exclusive, of each job
      ["alibaba-pai"] = { { 0, 8, 8 * 29.5 * G, 0 }, { 0, 0, math.ceil(29.3 * G), 0 } },
      flux = { { 2, 4, 0, 0 }, { 0, 0, 0, 0 } },
      ["grid-engine"] = { { 0, 16, 32 * G, 1 }, { 0, 0, 3000, 0 } },
      helios = { { 2, 16, 0, 0 }, { 1, 0, 0, 0 } },
      htcondor = { { 0, 2, 2560 * M, 0 }, { 0, 0, 0, 0 } },
      lsf = { { 1, 0, 0, 0 }, { 2, 4, 8000 * M, 0 } },
      oar = { { 2, 0, 0, 0 }, { 0, 0, 0, 0 } },
      pbs = { { 2, 2, 16 * G, 1 }, { 0, 0, 2 * G, 0 }, { 3, 6, 5000 * M, 0 } },
      philly = { { 2, 4, 0, 0 }, { 1, 1, 0, 0 } },
      pm100 = { { 2, 8, 0, 0 }, { 1, 1, 0, 0 } },
      ["slurm-jobcomp"] = { { 2, 4, 1500 * M, 0 }, { 1, 0, 0, 0 } },
      supercloud = { { 2, 2, 8000 * M, 0 }, { 0, 0, 8000 * M, 0 } },
      alcf = { { 0, 0, 0, 0 }, { 0, 0, 0, 0 } },
    }
    local pools = { nodes = 9, gpu = 99, mem = "1T", exclusive = 9 }
    for _, format in ipairs(formats.all()) do
      local found = {}
      for i, job in orrery.read(dump_of(format), { pools = pools }):each() do
        found[i] = { job.needs.nodes, job.needs.gpu, job.needs.mem, job.needs.exclusive }
      end
      assert.same(expected[format.name], found, format.name)
    end
    local list = orrery.read(folder .. "format-htcondor.json", { pools = pools }):describe()
    assert.equal("not modelled: RequestMemory (1 job)", list.not_modelled)
    list = orrery.read(folder .. "format-philly.json"):describe()
    assert.equal("not modelled: gpu (all jobs, 4 in use at once), nodes (all jobs, 2 in use at "
      .. "once); labels that only policies read: 2 queues", list.not_modelled)
  end)

  it("is refused where a need is negative or a fraction", function()
    local text = bytes_of(folder .. "format-helios.csv"):gsub(",16,64,", ",-2,64,")
    local ok, problem = pcall(temporary.file, "F", text, function(path)
      return orrery.read(path, { pools = { gpu = 99 } })
    end)
    assert.same({ false, 'F:2: gpu_num: expected what a job needs, a whole number from 0 to 2^53, '
      .. 'as 2, 512M or 64G, found "-2"' }, { ok, (problem:match "F:2.*") })
  end)

  it("gives the same in pieces of any size, and gives back all memory", function()
    for _, format in ipairs(formats.all()) do
      local path = dump_of(format)
      local bytes = bytes_of(path)
      local whole = table.pack(native.feed(bytes, #bytes + 1, false, format))
      assert.is_truthy(whole[1], whole[2])
      for _, piece in ipairs { 1, 2, 3, 7, 64, 129, 500 } do
        assert.same(whole, table.pack(native.feed(bytes, piece, false, format)), format.name)
      end
      local message, left, calls = native.read_failing(path, 0, format)
      assert.same({ nil, 0 }, { message, left })
      for n = 1, calls do
        message, left = native.read_failing(path, n, format)
        assert.matches("memory", message)
        assert.equal(0, left, format.name)
      end
    end
  end)

  -- A first line that nobody looked at would be left out, as one in front of the log.
  it("is not recognised without memory, which is an error", function()
    for _, format in ipairs(formats.all()) do
      local path = dump_of(format)
      local message, left, calls = native.read_failing(path, 0, format, true)
      assert.same({ nil, 0 }, { message, left }, format.name)
      for n = 1, calls do
        message, left = native.read_failing(path, n, format, true)
        assert.matches("memory", message or "none", 1, true)
        assert.equal(0, left, format.name)
      end
    end
  end)

  it("reads JSON of any length, record by record, and leaves out what is broken", function()
    local one = '{"jobid":"%d","vc":"v","user":"u","status":"Pass","submitted_time":'
      .. '"2023-03-01 08:00:00","attempts":[{"start_time":"2023-03-01 08:00:01","end_time":'
      .. '"2023-03-01 08:00:09","detail":[{"ip":"[\\"{","gpus":["a"]}]}]}'
    local parts = {}
    for i = 1, 12000 do parts[i] = one:format(i) end
    parts[7] = parts[7]:gsub('"vc"', "vc")
    local jobs = temporary.file("F", "[" .. table.concat(parts, ",\n") .. "]", orrery.read)
    assert.same({ 11999, 1, 7 }, { #jobs, #jobs:dropped(), jobs:dropped()[1].line })
    assert.matches("not JSON", jobs:dropped()[1].detail)
    jobs = temporary.file("F", "[" .. parts[1] .. "," .. parts[2]:sub(1, -20), orrery.read)
    assert.same({ 1, 1 }, { #jobs, #jobs:dropped() })
    local long = parts[2]:gsub('"u"', ('"%s"'):format(("u"):rep(2 << 20)))
    jobs = temporary.file("F", "[" .. parts[1] .. "," .. long .. "," .. parts[3] .. "]",
      orrery.read)
    assert.same({ 2, "a line or field that is too long" }, { #jobs, jobs:dropped()[1].reason })
  end)

  it("reads ALCF's columns as the kernel reads Mira's, whose months it leaves alone", function()
    local month = bytes_of "data/mira/sample-2019-06.csv"
    local named = month:gsub("\n([^\n]+)", "\n%1,MIRA")
      :gsub("^([^\n]+)", "%1,MACHINE_NAME")
    local function all(path, options)
      local jobs = orrery.read(path, options)
      local about = jobs:describe()
      return { jobs_of(path, options), jobs:dropped(), tostring(about), about.not_modelled,
        about.not_read, about.remarks, jobs.machine_procs, #jobs > 1000 and orrery.compare {
          jobs = jobs, procs = 49152, policies = { "easy" } }:values(1, "wait_mean") }
    end
    for _, text in ipairs { named, (named:gsub("MIRA", "theta", 7)),
      (bytes_of(folder .. "format-alcf.csv"):gsub("\nd, e[^\n]+", "")) } do
      temporary.file("F.csv", text, function(path)
        for _, given in ipairs { {}, { procs_of = "requested" }, { timezone = "America/Chicago" },
          { wide = "drop" } } do
          local own = { rows = "COBALT_JOBID!=none" } -- read by the columns in the kernel
          for key, value in pairs(given) do own[key] = value end
          assert.same(all(path, own), all(path, given))
        end
      end)
    end
    local sample = orrery.read "data/mira/sample-2019-06.csv"
    assert.matches("the log names no machine", sample:describe().remarks[1] or "")
    local wide = named:gsub(",2048,2048,", ",50000,2048,", 1)
    temporary.file("F.csv", wide, function(path)
      local ok, problem = pcall(orrery.read, path)
      assert.is_false(ok)
      assert.matches(":2: expected at most the 49152 processors of the machine", problem, 1, true)
    end)
  end)

  it("in a file is data, and anything else is refused with line and column", function()
    local function refused(text, message)
      temporary.file("F.lua", text, function(path)
        local ok, problem = pcall(orrery.read, folder .. "format-own.txt", { format = path })
        assert.is_false(ok)
        assert.equal("format: " .. path .. message, (problem:gsub("^[^ ]*spec.lua:%d+: ", "")))
      end)
    end
    local data = "expected a text, a number, true, false or a table (a file of data has no "
      .. "functions)"
    refused("x = 1", ':1: column 1: expected "return", found "x"')
    refused("return {\n  columns = function() end }", ":2: column 13: " .. data
      .. ', found "function"')
    refused("return { about = os.exit() }", ":1: column 18: " .. data .. ', found "os.exit"')
    refused("return { a = 1 + 1 }", ':1: column 16: expected a comma or a closing brace, found "+"')
    refused("return { 'a\n' }", ":1: column 10: expected the end of a text, found \"'\"")
    refused("return { a = 'x\\q' }", ":1: column 16: expected a text with no other escapes than "
      .. '\\n, \\t, \\r, \\\\ and quotes, found "\\"')
    refused("return {} x", ':1: column 11: expected the end of the file, found "x"')
    refused("return {", ":1: column 9: " .. data .. ", found the end")
    refused("return { column = {} }", ": unknown field 'column' (known: about, absent, columns, "
      .. "delimiter, depth, header, needs, records, signs, states)")
    refused("return { about = 'x' }", ": columns is missing: which fields mean what")
    refused("return { columns = 'x' }", ": columns: expected a table, found a string")
    for name, found in pairs { ["'gpu'"] = "1", ["['a,b'] = 'c'"] = "a,b" } do
      refused("return { columns = {}, needs = { " .. name .. " } }",
        (": needs: expected names of pools or resources, found '%s'"):format(found))
    end
    refused("return { columns = {}, needs = { gpu = 3 } }",
      ": columns: needs.gpu: expected a text with the name of a field")
    for _, depth in ipairs { "-1", "10", "1.5" } do
      refused(("return { columns = { procs = 'a' }, depth = %s }"):format(depth),
        ": depth: expected a whole number from 0 to 9")
    end
    local ok, problem = pcall(temporary.file, "F.lua", "return { delimiter = ';', columns = { "
      .. "procs = 'a', runtime = 'b' }, needs = { gpu = 'c:Q' } }", function(path)
        return orrery.read(folder .. "format-own.txt", { format = path })
      end)
    assert.is_truthy(not ok and problem:find("needs: c: expected K, M, G, T, si or a number, "
      .. "perhaps with =KEY or # behind it, or select=KEY, found \"Q\"", 1, true), problem)
    assert.same({ 1, "a", { b = false, [2] = -1.5 } },
      literal_file.read("x", 'return { 1, "a"; { b = false, [2] = -1.5 } } -- end'))
  end)

  it("is named by --format, and its mistakes by the command", function()
    local own = folder .. "format-own.txt --procs 8 --format " .. folder
    local status, out = program.run(".", "replay " .. own .. "format-own.lua")
    assert.equal(0, status)
    assert.matches("another number of fields", out, 1, true)
    local code, _, problem = program.run(".", "replay " .. own .. "none.lua")
    assert.equal(2, code)
    assert.matches("No such file", problem, 1, true)
    code, _, problem = program.run(".", "replay " .. folder .. "format-own.txt --format toy")
    assert.equal(2, code)
    assert.matches("there is no format 'toy' (known: alcf, alibaba-pai, flux, grid-engine, "
      .. "helios, htcondor, lsf, oar, pbs, philly, pm100, slurm-jobcomp, supercloud; a file "
      .. "has .lua or a slash in its name)",
      problem, 1, true)
    local wrong = "return { columns = { procs = 'a:weeks', runtime = 'b' } }"
    temporary.file("F.lua", wrong, function(path)
      local ok, message = pcall(orrery.read, folder .. "format-own.txt", { format = path })
      assert.is_false(ok)
      assert.matches("columns: procs: expected a number of processors", message, 1, true)
    end)
  end)

  it("does not hide what a file is that holds no log", function()
    for bytes, message in pairs {
      ["PAR1\21\0\21"] = "not a job log, but Parquet: `duckdb",
      ["PK\3\4\20\0"] = "not a job log, but a zip file: `unzip -p FILE > LOG`",
      ["\xFD7zXZ\0\0"] = "the xz data ends too early: the file is not complete",
      ["BZh91AY&SY\0"] = "the bzip2 data ends too early: the file is not complete",
      ["\x28\xB5\x2F\xFD\4\0"] = "the zstd data ends too early: the file is not complete",
      ['[ {"a": 1} ]'] = "a list in JSON whose objects are of no known format: --format says",
    } do
      local ok, problem = pcall(temporary.file, "F", bytes, orrery.read)
      assert.is_false(ok)
      assert.matches(message, problem, 1, true)
    end
  end)
end)

-- Formats and texts by hand.
describe("a log of a format", function()
  local function read(format, text, options)
    return temporary.file("F.lua", "return " .. format, function(path)
      local given = { format = path, strict = true }
      for name, value in pairs(options or {}) do given[name] = value end
      return temporary.file("F", text, orrery.read, given)
    end)
  end

  local function wrong(format, text, options)
    local ok, problem = pcall(read, format, text, options)
    assert.is_false(ok)
    return problem:match "F:%d+: .*" or problem
  end

  local function users(jobs)
    local list = {}
    for i, job in jobs:each() do list[i] = job.user or "-" end
    return list
  end

  it("has its texts between delimiters, in quotes or not", function()
    local format = "{ delimiter = ';', header = 'n,u,r', columns = { submit = 'r:unix', "
      .. "procs = 'n', user = 'u', runtime = 'r' } }"
    local jobs = read(format, '1;a;5\n2;"b;c";6\n3;"";7\n"4";"d"x;"8"\n5;"e""f";9\r\n6; g ;10;h\n')
    assert.same({ "a", "b;c", "-", "d", 'e""f', " g " }, users(jobs))
    for i, job in jobs:each() do assert.same({ i, i + 4 }, { job.procs, job.runtime }) end
    assert.equal("F:1: expected at least 3 fields, found 2", wrong(format, "1;a\n"))
    assert.equal("F:2: expected at least 3 fields, found 1", wrong(format, '1;a;5\n2"\n'))
    -- blanks may be many, also behind the last text
    jobs = read(format:gsub("';'", "' '"), "1 a 5\n2   b  6   \n3 \"c d\" 7\n")
    assert.same({ "a", "b", "c d" }, users(jobs))
  end)

  it("has pairs behind its fields", function()
    local format = "{ delimiter = ';', header = 'n,=', columns = { submit = 'r:unix', "
      .. "procs = 'n', user = 'u', runtime = 'r' } }"
    local jobs = read(format, "1;r=5 u=a\n2;u=\"b c\"  r=6 v=w\n3;r=7\n4;u r=8\n"
      .. "5;ru=x r=9 u=\n")
    assert.same({ "a", "b c", "-", "-", "-" }, users(jobs))
    for i, job in jobs:each() do assert.same({ i, i + 4 }, { job.procs, job.runtime }) end
    assert.equal("columns of the log that are not read: v, ru", jobs:describe().not_read)
  end)

  it("may say in one field how many follow", function()
    local format = "{ delimiter = ' ', header = 'c,h*,r,u', columns = { submit = 'r:unix', "
      .. "procs = 'c', user = 'u', runtime = 'r' }, needs = { nodes = 'h:#' } }"
    local jobs = read(format, "2 x y 5 a\n0 6 b\n3 x x z 7 c\n", {
      pools = { nodes = 9 }, strict = false })
    assert.same({ "a", "c" }, users(jobs)) -- the second has no processors
    assert.same({ 5, 7 }, { jobs[1].runtime, jobs[2].runtime })
    assert.same({ 2, 2 }, { jobs[1].needs.nodes, jobs[2].needs.nodes }) -- those that differ
    for _, count in ipairs { "x", "-1", "1048577" } do
      assert.equal("F:1: a field that should say how many others follow is no such number",
        wrong(format, count .. " y 5 a\n"))
    end
    assert.equal("F:1: expected at least 4 fields, found 2", wrong(format, "1048576 y 5 a\n"))
  end)

  it("has the status that its word means, a number in whatever way it is written", function()
    local format = "{ delimiter = ';', header = 's,r', columns = { submit = 'r:unix', "
      .. "procs = 'r', runtime = 'r', status = 's' }, states = { done = 'completed', "
      .. "['1'] = 'cancelled', r = 'unfinished', %s }, absent = { status = { '-', '7' } } }"
    local function status(other, words)
      local list = {}
      local jobs = read(format:format(other), table.concat(words, ";5\n") .. ";5\n",
        { strict = false })
      for i, job in jobs:each() do list[i] = job.status or "-" end
      return table.concat(list, " "), #jobs:dropped()
    end
    local words = { "done", "1", "1.0", "x", "-", "7", "7.0", "", "don", "done2" }
    assert.equal("completed cancelled cancelled failed - - - - failed failed",
      (status("['*'] = 'failed'", words)))
    assert.equal("completed cancelled cancelled x - - - - don done2", (status("x1 = 'a'", words)))
    local list, dropped = status("['*'] = 'failed'", { "done", "r", "r", "x" })
    assert.same({ "completed failed", 2 }, { list, dropped })
  end)

  it("has names in its first line, perhaps again in another order", function()
    local format = "{ delimiter = ',', columns = { submit = 'r:unix', procs = 'n', user = 'u', "
      .. "runtime = 'r' } }"
    local jobs = read(format, "n,u,r\n1,a,5\nr,n,u\n6,2,b\nu,n\n7,3,c\n", { strict = false })
    assert.same({ "a", "b", "c" }, users(jobs))
    assert.same({ 1, 6, 7 }, { jobs[1].procs, jobs[2].runtime, jobs[3].runtime })
    assert.same({ 5 }, { jobs:dropped()[1].line })
    assert.equal("F:2: expected 4 fields, found 3", wrong(format, "n,u,r,x\n1,a,5\n"))
    assert.equal("F:2: expected 4 fields, found at least 5",
      wrong(format, "n,u,r,x\n1,a,5,6,7,8\n"))
    assert.equal("F:2: expected at least 3 fields, found 2", wrong(format, "n,u,r,x\n1,a\n"))
  end)

  it("of JSON follows paths to its values", function()
    local format = "{ depth = %d, columns = { submit = 'r:unix', procs = '%s', runtime = 'r', "
      .. "user = '%s' } }"
    local function one(procs, user, object, depth)
      local job = read(format:format(depth or 1, procs, user), "[" .. object .. "]")[1]
      return { job.procs, job.user or "-" }
    end
    local object = '{"r": 5, "a": {"b": [{"c": 2, "d": [1, 2]}, {"c": 3, "d": [3]}], "t": true, '
      .. '"f": false, "x": 1.5, "n": null, "w": "w.x"}}'
    assert.same({ 2, "w.x" }, one("a.b.0.c", "a.w", object))
    assert.same({ 3, "true" }, one("a.b.-1.c", "a.t", object))
    assert.same({ 2, "false" }, one("a.b.-2.c", "a.f", object))
    assert.same({ 2, "1.5" }, one("a.b.#", "a.x", object))
    assert.same({ 3, "-" }, one("a.b.*.d.#", "a.n", object))
    assert.same({ 3, "-" }, one("a.b.1.c", "a.none.b", object))
    assert.same({ 3, "-" }, one("a.b.*.c", "a.b.-3.c", object)) -- the last of them
    assert.same({ 1, "-" }, one("a.b.1.d.#", "a.b.2.c", object))
    assert.equal("F:1: a.b: expected a text or a number, found a list",
      wrong(format:format(1, "a.b.0.c", "a.b"), "[" .. object .. "]"))
    assert.equal("F:1: a: expected a text or a number, found an object",
      wrong(format:format(1, "a.b.0.c", "a"), "[" .. object .. "]"))
    -- objects as deep as the format says
    assert.same({ 2, "w.x" }, one("a.b.0.c", "a.w", "[" .. object .. "]", 2))
    assert.same({ 4, "{]" }, one("n", "u", '{"r": 1, "n": 4, "u": "{]", "o": {"r": 2}}'))
    assert.same({ 4, '"\\' }, one("n", "u", '{"r": 1, "n": 4, "u": "\\"\\\\"}'))
    assert.equal('F:3: n: expected a number of processors from 0 to 2147483647, found "x"',
      wrong(format:format(1, "n", "u"), '[{"n": 1, "r": 1},\n\n{"n": "x", "r": 1}]'))
  end)
end)
