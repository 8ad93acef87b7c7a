-- `orrery fetch-mira`, against a file server on the loopback that does what a network may do.
local lfs = require "lfs"
local orrery = require "orrery"
local program = require "spec.support.program"

local NAME = "ANL-ALCF-DJC-MIRA_20190101_20191231.csv.gz"
local PAGE = "https://reports.alcf.anl.gov/data/mira.html"

-- A year of jobs in the format of Mira's log.
local function year_csv(year, options)
  options = options or {}
  return orrery.mira_month({ seed = options.seed or 1, count = options.count or 1500,
    days = options.days or 365, first_day = ("%d-%s"):format(year, options.from or "01-01"),
    per_day = { 1, 60 } }):csv "mira"
end

describe("orrery fetch-mira", function()
  local folder, served, server, url, log

  -- The text as gzip packs it.
  local function packed(text)
    program.write(folder, "plain", text)
    assert(os.execute(("gzip -nc '%s/plain' >'%s/packed'"):format(folder, folder)))
    os.remove(folder .. "/plain")
    local bytes = program.read(folder .. "/packed")
    os.remove(folder .. "/packed")
    return bytes
  end

  local function serve(bytes, how)
    program.write(served, "file", bytes)
    program.write(served, "how", how or "")
  end

  local function how(words) program.write(served, "how", words) end

  -- What the server was asked since the last call: a list of lines.
  local function requests()
    local lines = {}
    if program.exists(served .. "/requests") then
      for line in program.read(served .. "/requests"):gmatch "[^\n]+" do
        lines[#lines + 1] = line
      end
      os.remove(served .. "/requests")
    end
    return lines
  end

  local function fetch(arguments, environment)
    return program.run(folder, ("fetch-mira 2019 --url %s %s"):format(url, arguments or ""),
      "no_proxy=127.0.0.1 XDG_DATA_HOME=data " .. (environment or ""))
  end

  local STORED = "data/orrery/mira/mira-2019.csv.gz"
  local function stored() return folder .. "/" .. STORED end
  local function names() return program.listing(folder .. "/data/orrery/mira") end

  -- The command ends with this status and message and leaves these files.
  local function fails(status, message, left, arguments, environment)
    local got, out, err = fetch(arguments, environment)
    assert.same({ status, "", "orrery: " .. message .. "\n" }, { got, out, err })
    assert.equal(left, names())
  end

  -- It succeeds, and what it stored is the file on the server.
  local function succeeds(note, arguments)
    local status, out, err = fetch(arguments)
    assert.same({ 0, "" }, { status, err })
    assert.equal(note .. STORED .. ": 1500 jobs, queued from 2019-01-01 to 2019-12-31\n"
      .. "replay it with: orrery replay mira-2019 --day 2019-07-01\n", out)
    assert.equal("mira-2019.csv.gz", names())
    assert.equal(program.read(served .. "/file"), program.read(stored()))
  end

  local function cannot(reason) return ("cannot fetch %s/%s: %s"):format(url, NAME, reason) end

  local PART = "mira-2019.csv.gz.part mira-2019.csv.gz.part.head"
  local function kept(bytes)
    return ("\n%d bytes of %d are kept in %s.part; the same command goes on from there"):format(
      bytes, #log, STORED)
  end
  local function closed_after(bytes)
    return cannot(("transfer closed with %d bytes remaining to read"):format(#log - bytes))
  end
  local function web_page()
    return cannot "the server answers with a web page" .. "\nIf the page asks who you are, fetch "
      .. NAME .. " with a browser from\n" .. PAGE .. " and then: orrery fetch-mira 2019 --from FILE"
  end
  local function went_on(bytes)
    return ("note: %d bytes were there already, the download went on from them\n"):format(bytes)
  end
  local ANEW = "note: another file than the one that was begun is there by now; it was fetched "
    .. "anew\n"

  local function interrupted_after(bytes, words)
    how(("cut %d %s"):format(bytes, words or ""))
    fails(1, closed_after(bytes) .. kept(bytes), PART)
    assert.equal(log:sub(1, bytes), program.read(stored() .. ".part"))
    how(words or "")
    requests()
  end

  setup(function()
    served = program.folder()
    folder = program.folder()
    log = packed(year_csv(2019))
    program.remove(folder)
    server = assert(io.popen(("exec env -u LD_PRELOAD lua5.4 spec/support/file_server.lua '%s' "
      .. ">'%s/port'"):format(served, served), "w"))
    local port
    for _ = 1, 500 do
      port = program.exists(served .. "/port")
        and program.read(served .. "/port"):match "^(%d+)\n"
      if port then break end
      os.execute "sleep 0.01"
    end
    url = "http://127.0.0.1:" .. assert(port, "the file server does not start")
  end)

  teardown(function()
    server:close()
    program.remove(served)
  end)

  before_each(function()
    folder = program.folder()
    assert(os.execute(("mkdir -p '%s/data/orrery/mira'"):format(folder)))
    serve(log)
    requests()
  end)

  after_each(function() program.remove(folder) end)

  describe("stores a year", function()
    it("that replay and orrery.read know by its name", function()
      assert(os.execute(("rm -r '%s/data'"):format(folder)))
      succeeds ""
      assert.same({ "/" .. NAME .. " - - 200" }, requests())
      local replay = "--day 2019-06-14 --csv "
      assert.equal(0, program.run(folder, "replay mira-2019 " .. replay .. "name.csv",
        "XDG_DATA_HOME=data"))
      assert.equal(0, program.run(folder, ("replay %s %spath.csv"):format(STORED, replay)))
      assert.equal(program.read(folder .. "/path.csv"), program.read(folder .. "/name.csv"))
      program.write(folder, "count.lua", "print(#orrery.read 'mira-2019')")
      assert.same({ 0, "1500\n", "" }, { program.run(folder, "count.lua", "XDG_DATA_HOME=data") })
      local unset = "XDG_DATA_HOME= HOME=home"
      assert.same({ 2, "", "orrery: mira-2019: there is no file of this name, and no log: `orrery "
        .. "fetch-mira 2019` fetches it\n" }, { program.run(folder, "replay mira-2019", unset) })
      assert.equal(0, fetch("", unset))
      assert.is_true(program.exists(folder .. "/home/.local/share/orrery/mira/mira-2019.csv.gz"))
      assert.same({ 0, "1500\n", "" }, { program.run(folder, "count.lua", unset) })
    end)

    it("once", function()
      succeeds ""
      requests()
      assert.same({ 0, STORED .. " is there already; --force fetches it anew\n", "" }, { fetch() })
      assert.same({}, requests())
    end)

    it("anew with --force, and keeps the old one when that fails #long", function()
      succeeds ""
      how "status 404"
      fails(1, cannot "the server answers 404, there is no such file", "mira-2019.csv.gz",
        "--force")
      assert.equal(log, program.read(stored()))
      serve(packed(year_csv(2019, { seed = 2 })))
      succeeds("", "--force")
      assert.are_not.equal(log, program.read(stored()))
    end)

    it("in a folder of one's own, whatever its name", function()
      local to = "it's \"here\" $(touch oops) `touch oops`; touch oops\\"
      local quoted = "'" .. to:gsub("'", "'\\''") .. "'"
      local status, out, err = fetch("--to " .. quoted)
      assert.same({ 0, "" }, { status, err })
      assert.matches("replay it with: orrery replay " .. quoted:sub(1, -2)
        .. "/mira-2019.csv.gz' --day 20", out, 1, true)
      assert.equal(log, program.read(("%s/%s/mira-2019.csv.gz"):format(folder, to)))
      assert.equal("data " .. to, program.listing(folder))
    end)

    it("from a file that a browser has downloaded", function()
      program.write(folder, "got it.gz", log)
      local function from(name)
        return program.run(folder, "fetch-mira 2019 --from " .. name, "XDG_DATA_HOME=data")
      end
      assert.same({ 1, "", "orrery: cannot copy nosuch: cannot stat 'nosuch': No such file or "
        .. "directory\n" }, { from "nosuch" })
      program.write(folder, STORED .. ".part", "precious")
      assert.same({ 2, "", "orrery: " .. STORED .. ".part is where the copy would be written: give "
        .. "it another name first\n" }, { from(STORED .. ".part") })
      assert.equal("precious", program.read(stored() .. ".part"))
      assert.equal("mira-2019.csv.gz.part", names())
      local status, _, err = from "'got it.gz'"
      assert.same({ 0, "" }, { status, err })
      assert.equal(log, program.read(stored()))
      assert.same({}, requests())
    end)

    it("behind a redirection", function()
      how "redirect"
      succeeds ""
      assert.same({ "/" .. NAME .. " - - 302", "/elsewhere - - 200" }, requests())
    end)
  end)

  describe("goes on with an interrupted download", function()
    it("by the file's ETag", function()
      interrupted_after(7000)
      succeeds(went_on(7000))
      assert.matches('^/[%w_.-]+ bytes=7000%- "%d+" 206$', requests()[1])
    end)

    it("by its date, where the ETag is weak or absent #long", function()
      for _, words in ipairs { "no-etag", "weak" } do
        interrupted_after(5000, words)
        succeeds(went_on(5000))
        assert.matches("^/[%w_.-]+ bytes=5000%- Mon, 06 Jan 2020 [%d:]+ GMT 206$", requests()[1])
        os.remove(stored())
      end
    end)

    it("as often as it takes #long", function()
      how "cut 4000"
      for n = 1, #log // 4000 do
        fails(1, closed_after(4000 * n) .. kept(4000 * n), PART)
      end
      succeeds(went_on(#log // 4000 * 4000))
    end)

    it("and not with another file #long", function()
      interrupted_after(7000)
      local other = packed(year_csv(2019, { seed = 2 }))
      serve(other)
      succeeds(ANEW)
      assert.matches('bytes=7000%- "%d+" 200$', requests()[1])
      os.remove(stored())
      -- a server that sends the rest of another file, and says so
      serve(log)
      interrupted_after(7000)
      serve(other, "deaf")
      succeeds(ANEW)
      os.remove(stored())
      -- one that has less of it
      serve(log)
      interrupted_after(#log - 1)
      serve(packed(year_csv(2019, { count = 1100 })), "deaf")
      local status, out = fetch()
      assert.equal(0, status)
      assert.matches(ANEW .. ".*: 1100 jobs", out)
    end)

    it("from the beginning, where the server sends no parts", function()
      interrupted_after(7000)
      how "no-ranges"
      succeeds(ANEW)
    end)

    it("from the beginning, where another file is as long as what had come #long", function()
      interrupted_after(7000)
      serve(("x"):rep(7000), "no-ranges")
      fails(1, ("%s/%s is not Mira's job log of 2019: it is not compressed with gzip"):format(url,
        NAME), "")
      assert.equal(2, #requests())
    end)

    it("and keeps count of it #long", function()
      interrupted_after(7000)
      how "cut 3000 no-length"
      fails(1, cannot(("10000 bytes came, %d were announced"):format(#log)) .. kept(10000), PART)
      serve(log .. log, "deaf no-etag no-date")
      fails(1, cannot(("%d bytes came, %d were announced"):format(2 * #log, #log)), "")
    end)

    it("without a request, when everything had come", function()
      interrupted_after(7000)
      program.write(folder, STORED .. ".part", log)
      succeeds(went_on(#log))
      assert.same({}, requests())
    end)

    it("not where nothing tells whether the file is still the same #long", function()
      how "cut 7000 no-etag no-date"
      fails(1, closed_after(7000), "")
      how "cut 7000 no-etag no-date redirect"
      fails(1, closed_after(7000), "")
    end)

    it("when a web page or an error came in between #long", function()
      interrupted_after(7000)
      how "page"
      fails(1, web_page() .. kept(7000), PART)
      how "status 503"
      fails(1, cannot "the server answers 503" .. kept(7000), PART)
      how "silent"
      fails(1, cannot "Empty reply from server" .. kept(7000), PART)
      how ""
      succeeds(went_on(7000))
    end)

    it("that Ctrl-C ended #long", function()
      how "stall 9000"
      assert(os.execute(([[cd '%s' && (setsid env -u LD_PRELOAD --default-signal=INT \
        no_proxy=127.0.0.1 sh -c 'echo $$ >group; exec "$0" "$@"' \
        '%s' fetch-mira 2019 --url %s --to data/orrery/mira >out 2>err; echo $? >status) &]])
        :format(folder, program.path, url)))
      local function wait(what, until_it)
        for _ = 1, 500 do
          if until_it() then return end
          os.execute "sleep 0.01"
        end
        error("waited in vain until " .. what)
      end
      wait("a part had come", function()
        return (lfs.attributes(stored() .. ".part", "size") or 0) > 0
      end)
      -- to the program and its children, as a terminal does
      assert(os.execute("kill -s INT -- -" .. program.read(folder .. "/group")))
      wait("it ended", function() return program.exists(folder .. "/status") end)
      local size = lfs.attributes(stored() .. ".part", "size")
      assert.equal("130\n", program.read(folder .. "/status"))
      assert.equal("orrery: interrupted" .. kept(size) .. "\n", program.read(folder .. "/err"))
      assert.equal(PART, names())
      how ""
      succeeds(went_on(size))
    end)
  end)

  describe("keeps nothing of", function()
    local function not_a_log(problem)
      fails(1, ("%s/%s is not Mira's job log of 2019: %s"):format(url, NAME, problem), "")
    end

    it("a file that is not there", function()
      how "status 404"
      fails(1, cannot "the server answers 404, there is no such file", "")
    end)
    it("a web page", function()
      how "page"
      fails(1, web_page(), "")
      serve "<!DOCTYPE html>"
      not_a_log "it is not compressed with gzip"
    end)
    it("damaged data #long", function()
      serve(log:sub(1, 9000) .. "\0\0\0\0" .. log:sub(9005))
      local status, out, err = fetch()
      assert.same({ 1, "" }, { status, out })
      assert.matches("is not Mira's job log of 2019: ", err, 1, true)
      assert.equal("", names())
      serve(log:sub(1, -9) .. "\0\0\0\0" .. log:sub(-4)) -- the checksum
      not_a_log "damaged gzip data (incorrect data check)"
    end)
    it("data that ends too early on the server", function()
      serve(log:sub(1, -2))
      not_a_log "the gzip data ends too early: the file is not complete"
    end)
    it("a transfer that ends too early and does not say so", function()
      how "no-length cut 9000"
      not_a_log "the gzip data ends too early: the file is not complete"
    end)
    it("an empty file", function()
      serve ""
      not_a_log "it is not compressed with gzip"
    end)
    it("another table #long", function()
      serve(packed "YEAR,MONTH\n2019,1\n")
      local status, _, err = fetch()
      assert.equal(1, status)
      assert.matches("2019: line 1: not a job log: expected Mira's CSV", err, 1, true)
      assert.equal("", names())
      local other = "it is a job log, but does not have the columns of Mira's"
      serve(packed "id,procs,time\na,1,2\n")
      not_a_log(other)
      serve(packed("; UnixStartTime: 1546300800\n; MaxProcs: 64\n1 0" .. (" 1"):rep(16) .. "\n"))
      not_a_log(other)
      serve(packed "QUEUED_TIMESTAMP,RUNTIME_SECONDS,NODES_USED\n2019-01-01 00:00:00,9,x\n")
      not_a_log("no job is left: the only record was dropped, in line 2 (a field that "
        .. 'cannot be read: column 3 (NODES_USED): expected a whole number of processors, '
        .. 'found "x")')
    end)
    it("another year, or less than a year #long", function()
      serve(packed(year_csv(2018)))
      not_a_log "only 0 of its 1500 jobs were queued in 2019"
      serve(packed(year_csv(2019, { count = 999 })))
      not_a_log "it has 999 jobs, and a year has thousands"
      serve(packed(year_csv(2019, { days = 300 })))
      not_a_log "no job was queued in 2019-12"
      serve(packed(year_csv(2019, { days = 300, from = "03-01" })))
      not_a_log "no job was queued in 2019-01"
    end)
    it("a server that is not there", function()
      local there = url
      url = "http://127.0.0.1:1"
      local status, _, err = fetch()
      url = there
      assert.equal(1, status)
      assert.matches("^orrery: cannot fetch http://127.0.0.1:1/ANL[%w_.-]+: Failed to connect to "
        .. "127.0.0.1 port 1[^\n]+\n$", err)
      assert.equal("", names())
    end)
    it("a connection that is reset #long", function()
      how "reset 0"
      fails(1, cannot "Recv failure: Connection reset by peer", "")
      how "reset 8000"
      fails(1, cannot "Recv failure: Connection reset by peer" .. kept(8000), PART)
      how ""
      succeeds(went_on(8000))
    end)
    it("a download without curl", function()
      fails(1, "curl is not there, which does the download; on Debian: apt-get install curl", "",
        "", "PATH=/nonexistent")
      assert.same({}, requests())
    end)
  end)

  it("accepts jobs queued the year before, and Mira's first and last years #long", function()
    local early = year_csv(2018, { from = "12-20", days = 376 })
    serve(packed(early))
    local status, out = fetch()
    assert.equal(0, status)
    assert.matches(": 1500 jobs, queued from 2018-12-20 to 2019-12-30\n", out, 1, true)
    requests()
    local function year(number, from, days)
      serve(packed(year_csv(number, { from = from, days = days })))
      return program.run(folder, ("fetch-mira %d --url %s/"):format(number, url),
        "no_proxy=127.0.0.1 XDG_DATA_HOME=data")
    end
    assert.equal(0, year(2013, "04-09", 260))
    assert.equal(0, year(2020, "01-01", 70))
    assert.same({ "/ANL-ALCF-DJC-MIRA_20130409_20131231.csv.gz - - 200",
      "/ANL-ALCF-DJC-MIRA_20200101_20201231.csv.gz - - 200" }, requests())
    assert.equal("mira-2013.csv.gz mira-2019.csv.gz mira-2020.csv.gz", names())
  end)

  it("says when it cannot write", function()
    -- the limit stands for a full disk: what fits has come
    local limited = ("trap '' XFSZ; ulimit -f 16; cd '%s' && env -u LD_PRELOAD "
      .. "no_proxy=127.0.0.1 '%s' fetch-mira 2019 --url %s --to data/orrery/mira 2>err"):format(
      folder, program.path, url)
    assert.same({ 1 }, { (select(3, os.execute(limited))) })
    local size = lfs.attributes(stored() .. ".part", "size")
    assert.is_true(size > 0 and size < #log)
    assert.equal("orrery: cannot write " .. STORED .. ".part (is the disk full?)" .. kept(size)
      .. "\n", program.read(folder .. "/err"))
    succeeds(went_on(size))
    program.write(folder, "file", "")
    assert.same({ 1, "", "orrery: cannot make the folder ./file: File exists\n" },
      { fetch "--to file/logs" })
    os.remove(stored())
    -- modes of files mean nothing to root with all its rights
    local bound = "setpriv --bounding-set=-dac_override,-dac_read_search"
    if not os.execute "[ $(id -u) = 0 ]" then bound = "" end
    assert(os.execute(("chmod 555 '%s/data/orrery/mira'"):format(folder)))
    fails(1, "cannot write " .. STORED .. ".part.head: Permission denied", "", "", bound)
  end)

  it("lets one program at a time fetch a log", function()
    local held = assert(io.open(stored() .. ".part.head", "w"))
    assert(lfs.lock(held, "w"))
    fails(1, STORED .. " is being fetched by another program", "mira-2019.csv.gz.part.head")
    held:close()
    succeeds ""
  end)

  it("refuses what it cannot understand", function()
    local function misused(message, arguments)
      assert.same({ 2, "", "orrery: " .. message .. "\n" },
        { program.run(folder, "fetch-mira " .. arguments, "XDG_DATA_HOME=data") })
    end
    local HELP = "\n`orrery fetch-mira --help` lists the options"
    misused("YEAR: expected a whole number from 2013 to 2020, found '2021'" .. HELP, "2021")
    misused("YEAR: expected a whole number, found 'june'" .. HELP, "june")
    misused("missing argument 'year'" .. HELP, "")
    misused("--to: expected a name, found nothing", "2019 --to ''")
    misused("--from and --url exclude each other: the file is here, or there",
      "2019 --from x --url http://127.0.0.1:1")
    local status, _, err = program.run(folder, "fetch-mira 2019 --url file:///etc",
      "XDG_DATA_HOME=data")
    assert.equal(1, status)
    assert.matches('^orrery: cannot fetch file:///etc/ANL[^\n]+Protocol "file"[^\n]+\n$', err)
  end)
end)
