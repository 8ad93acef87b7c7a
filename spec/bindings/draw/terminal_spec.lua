-- Schedules in the terminal: by hand, and never wider than the window.
local instances = require "spec.support.instances"
local orrery = require "orrery"
local rigid = require "spec.support.rigid"
local rounds = require "spec.support.rounds"

local terminal = require "orrery.draw.terminal"

local function show(given, ...) return given:show(...) end

local function lines_of(text)
  local lines = {}
  for line in (text .. "\n"):gmatch "(.-)\n" do lines[#lines + 1] = line end
  return lines
end

local function plain(text) return (text:gsub("\27%[[%d;]*m", "")) end

local function two_jobs()
  local s = orrery.session { procs = 2, policy = "fcfs", failures = { 0, 1, 0 },
    jobs = orrery.jobs { { procs = 1, time = 10, id = "a" }, { procs = 1, time = 5, id = "b" },
      { procs = 2, time = 10, id = "c" } } }
  s:finish()
  return s
end

describe("a schedule in the terminal", function()
  it("by hand, with letters", function()
    -- 20 columns of 1 s; b fails in its first 5 s
    local text = show(two_jobs(), { width = 25, height = 20, colour = false, unicode = true,
      text = true })
    assert.equal([[
3 jobs on 2 processors, …
   2 bbbbbBBBBBCCCCCCCCCC
     AAAAAAAAAACCCCCCCCCC
   0 AAAAAAAAAACCCCCCCCCC
   s 0        10
busy ████████████████████
wait ██████████
lower case failed attemp…]], text)
    assert.equal([[
3 jobs on 2 processors, 20 s, 100.0% busy
   2 bbbbbbbbbBBBBBBBBBCCCCCCCCCCCCCCCCCC
     AAAAAAAAAAAAAAAAAACCCCCCCCCCCCCCCCCC
   0 AAAAAAAAAAAAAAAAAACCCCCCCCCCCCCCCCCC]],
      show(two_jobs(), { width = 41, height = 9, colour = false, unicode = false, text = true })
        :match "^(.-\n.-\n.-\n.-)\n" )
  end)

  it("by hand, with colours", function()
    local text = show(two_jobs(), { width = 25, height = 20, colour = true, unicode = true,
      text = true })
    local lines = lines_of(text)
    assert.equal("\27[", lines[2]:match "\27%[")
    assert.matches("^   2 ", plain(lines[2]))
    assert.is_truthy(plain(lines[2]):find("╱", 1, true)) -- the failed attempt
    assert.is_truthy(plain(lines[3]):find(" c", 1, true))  -- a job has its name
    assert.equal("╱ failed attempt, wait: …", plain(lines[#lines]))
    for i = 2, 4 do assert.matches("\27%[0m *$", lines[i]) end
  end)

  -- a until 10, b until 20, c from 20 on, again from 26: from 22 on a processor is out for 4 s.
  it("by hand, with an outage", function()
    local s = orrery.session { procs = 4, policy = "easy", jobs = orrery.jobs {
      { id = "a", procs = 3, time = 10 }, { id = "b", procs = 2, time = 10, submit = 1 },
      { id = "c", procs = 4, time = 5, submit = 2 } },
      node_failures = { log = { { time = 22, processor = 3, repair = 4 } } } }
    s:finish()
    assert.equal([[
3 jobs on 4 processors, 31 s, 62....
   4 ....................cc%%%%CCCCC
     AAAAAAAAAA..........cc....CCCCC
     AAAAAAAAAABBBBBBBBBBcc....CCCCC
   0 AAAAAAAAAABBBBBBBBBBcc....CCCCC
   s 0        10        20        30
busy 7777777777555555555599....99999
wait .5999999995555555555..5555.....
lower case lost to a node's failu...]],
      show(s, { width = 36, height = 14, colour = false, unicode = false, text = true }))
    local text = show(s, { width = 30, height = 14, colour = true, unicode = true, text = true })
    assert.matches("\27[39;48;5;31m   \27[38;5;231;48;5;31ma\27[39;48;5;31m    \27[39;48;5;178m   "
      .. "\27[38;5;16;48;5;178mb\27[39;48;5;178m    \27[38;5;16;48;5;36m", text, 1, true)
    assert.matches("\27[38;5;16;48;5;145m░░░\27[39;48;5;36m    \27[0m\n", text, 1, true)
  end)

  it("names jobs, or says that letters come again, and how many wait", function()
    local function last(count)
      local list = {}
      for i = 1, count do list[i] = { id = "j" .. i, procs = 1, time = 1 } end
      local s = orrery.session { procs = 4, policy = "easy", jobs = orrery.jobs(list) }
      s:finish()
      return show(s, { width = 300, height = 14, colour = false, unicode = false, text = true })
        :match "[^\n]*$"
    end
    assert.equal("A j1, B j2, C j3", last(3))
    assert.matches("^wait: up to 22 jobs, A j1, .*, Z j26$", last(26))
    assert.equal("wait: up to 23 jobs, letters are jobs in turn", last(27))
  end)

  it("has texts that fit, bars and names of ticks", function()
    local found = {}
    for width = 0, 6 do
      found[width + 1] = terminal.cut("abcdef", width, true) .. " "
        .. terminal.cut("abcdef", width, false) .. " " .. terminal.cut("äöü", width, true)
    end
    assert.same({ "  ", "  ", "a…  ä…", "ab…  äöü", "abc… a... äöü", "abcd… ab... äöü",
      "abcdef abcdef äöü" }, found)
    assert.equal(" ▁▂▃▄▅▆▇█", terminal.bars({ 0, 1, 2, 3, 4, 5, 6, 7, 8 }, 8, true))
    assert.equal(".12356789", terminal.bars({ 0, 1, 2, 3, 4, 5, 6, 7, 8 }, 8, false))
    assert.equal("  ", terminal.bars({ 0, 0 }, 0, true))
    assert.equal("two   x     nine    ", terminal.tick_line({ { 2, "two" }, { 4, "four" },
      { 5, "x" }, { 9, "nine" }, { 12, "12" } }, 2, 12, 20))
  end)

  it("is never wider than the window, nor higher", function()
    local rng = orrery.random(3)
    for i = 1, rounds(60, 60, 20) do
      local instance = instances.random(rng, { n = 14 })
      local s = i % 4 == 0 and orrery.session { tasks = { n = 5 }, procs = 20, seed = i,
          faults = { mtbf_years = 2, downtime = 3600 }, policy = "end-local+iterated-greedy" }
        or orrery.session(rigid.spec(instance, { policy = "dispatch/easy" }))
      if i % 3 == 0 then s:run_until(rng:uniform(0, 30)) else s:finish() end
      local width, height = rng:integer(20, 200), rng:integer(10, 60)
      local text = show(s, { width = width, height = height, colour = i % 2 == 0,
        unicode = rng:integer(0, 1) == 1, text = true })
      local lines = lines_of(plain(text))
      assert.is_true(#lines <= height, #lines .. " lines of " .. height)
      for _, line in ipairs(lines) do
        assert.is_true(utf8.len(line) <= width, ("%d > %d: %s"):format(utf8.len(line), width, line))
      end
    end
  end)

  it("shows every job where there is room, and processors that are out", function()
    local list = {}
    for i = 1, 20 do list[i] = { procs = 1, time = i == 1 and 400 or 1, submit = 20 * i } end
    local s = orrery.session { procs = 1000, jobs = orrery.jobs(list),
      node_failures = { log = { { time = 0, processor = 999, repair = 800 } }, procs = 300 } }
    s:finish()
    local text = show(s, { width = 100, height = 30, colour = false, unicode = false, text = true })
    for i = 1, 20 do assert.is_truthy(text:find(string.char(64 + i), 1, true), i) end
    assert.matches("%%%%%%", text, 1, true)
    assert.matches("% out", text, 1, true)
  end)

  it("has no Unicode where the locale has none", function()
    local s = two_jobs()
    for _, colour in ipairs { true, false } do
      local text = show(s, { width = 80, height = 20, colour = colour, unicode = false,
        text = true })
      assert.is_nil(text:find "[\x80-\xFF]")
    end
  end)

  it("tells the terminal nothing but letters, whatever jobs are called", function()
    local s = orrery.session { procs = 1, jobs = orrery.jobs {
      { procs = 1, time = 9, id = "\27]0;x\7\xFF\xc2\x9b\u{202e}" } } }
    s:finish()
    for _, colour in ipairs { true, false } do
      local text = plain(show(s, { width = 80, height = 9, colour = colour, unicode = true,
        text = true }))
      assert.is_nil(text:find "[%c]" and text:gsub("\n", ""):find "%c")
      assert.matches("\\x1b]0;x\\x07\\xff\\xc2\\x9b\\xe2\\x80\\xae", text, 1, true)
      assert.is_nil(text:find("\xc2\x9b", 1, true) or text:find("\u{202e}", 1, true))
    end
  end)

  it("refuses options it does not know", function()
    local ok, problem = pcall(show, two_jobs(), { widht = 3 })
    assert.is_false(ok)
    assert.matches("unknown option 'widht' %(known: colour, from, group, height, text, to, "
      .. "unicode, width%)$", problem)
  end)
end)
