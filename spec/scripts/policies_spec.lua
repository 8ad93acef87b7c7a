-- `orrery policies`: what there is, also of the user's own.
local orrery = require "orrery"
local program = require "spec.support.program"

describe("orrery policies", function()
  local folder

  before_each(function()
    folder = program.folder()
    assert(os.execute(("mkdir -p '%s/own/policies/priority'"):format(folder)))
  end)
  after_each(function() program.remove(folder) end)

  local function policies(arguments)
    return program.run(folder, "policies " .. arguments, "ORRERY_PATH=own")
  end

  it("lists every policy that is shipped, with what it says", function()
    local status, out, err = policies ""
    assert.same({ 0, "" }, { status, err })
    local count = 0
    for _, policy in ipairs(orrery.policies()) do
      if policy.path:sub(1, #orrery.home) == orrery.home then
        count = count + 1
        assert.is_string(policy.about)
        local name = policy.name:gsub("%p", "%%%0")
        assert.equal(policy.about, ("\n" .. out):match("\n" .. name .. " +([^\n]*)\n"))
      end
    end
    assert.is_true(count >= 16)
    assert.matches("\n +reservations = 0 jobs, or all\n", out)
  end)

  it("lists a broken one with its problem, and goes on", function()
    program.write(folder, "own/policies/priority/aaa.lua", "return {\n")
    program.write(folder, "own/policies/priority/zzz.lua",
      "return { about = 'Mine.', priority = function() return 0 end }\n")
    local status, out = policies ""
    assert.equal(0, status)
    assert.matches("\npriority/aaa +cannot be used: own/policies/priority/aaa%.lua:2: unexpected "
      .. "symbol near <eof>\n", out)
    assert.matches("\npriority/spt +Shortest", out)
    assert.matches("\npriority/zzz +Mine%.\n", out)
  end)

  it("lists no specs that lie beside a policy", function()
    assert.equal(0, (program.run(folder, "new-policy dispatch zzz -o own/policies/dispatch")))
    local _, out = policies ""
    assert.matches("\ndispatch/zzz +EASY, ", out)
    assert.is_nil(out:find("zzz_spec", 1, true))
  end)

  it("tells the details of one", function()
    local details = ([[
list: R-LIST(m)
  about    List scheduling: the m highest waiting jobs hold reservations, the others fill in.
  source   RR-9296, Algorithm 1
  file     %s/policies/dispatch/list.lua
  options  backfill = queue: how jobs fill in: in the order of the queue, or that of a priority
           reading = blocked, or head: m counts the jobs that cannot start now, or the head of ]]
      .. [[the queue as it is
           reservations = 0 jobs, or all (at least 0): m
]]):format(program.home)
    assert.same({ 0, details, "" }, { policies "list" })
    assert.same({ 0, "dispatch/" .. details, "" }, { policies "dispatch/list" })
    local _, out = policies "random"
    assert.matches("\n  per      scenario: the priority is asked anew in every scenario\n", out)
  end)

  it("takes files of both kinds", function()
    program.write(folder, "p.lua", "return { name = 'P', priority = function() return 0 end }\n")
    assert.same({ 0, "p.lua: P\n  file     p.lua\n", "" }, { policies "p.lua" })
    program.write(folder, "d.lua", "return { name = 'D', dispatch = function() end }\n")
    assert.same({ 0, "d.lua: D\n  file     d.lua\n", "" }, { policies "d.lua" })
    program.write(folder, "e.lua", "return { name = 'E', dispach = function() end }\n")
    assert.same({ 2, "", "orrery: policy e.lua: unknown key 'dispach' (known: name, about, source, "
      .. "options, per, priority, dispatch, init, backfill, groups, caches, on_submit, on_start, "
      .. "on_end, on_idle, on_timer, period, estimate, planned_end, on_warning)\n" },
      { policies "e.lua" })
  end)

  it("says so of one that says nothing about itself", function()
    for _, about in ipairs { "", "about = '', name = ''," } do
      program.write(folder, "own/policies/priority/aaa.lua",
        ("return { %s priority = function() return 0 end }\n"):format(about))
      local _, out = policies ""
      assert.matches("\npriority/aaa +%(says nothing about itself%)\n", out)
      _, out = policies "aaa"
      assert.equal("aaa\n  about    (says nothing about itself)\n  file     "
        .. "own/policies/priority/aaa.lua\n", out)
    end
  end)

  it("suggests the nearest name", function()
    assert.same({ 2, "", "orrery: there is no policy 'ltp', did you mean 'lpt'?\n" },
      { policies "ltp" })
  end)

  it("lets the user's own go first, also in replay", function()
    program.write(folder, "own/policies/priority/lpt.lua",
      "return { name = 'Mine', priority = function(job) return -job.time end }\n")
    local _, out = policies "lpt"
    assert.equal("lpt: Mine\n  file     own/policies/priority/lpt.lua\n", out)
    program.write(folder, "jobs.csv", "id,procs,time\na,1,9\nb,1,1\n")
    program.run(folder, "replay jobs.csv --procs 1 --priority lpt --schedule s.csv",
      "ORRERY_PATH=own")
    assert.matches("\nb,w0,0,1,1,1,[^,]*,0,.*\na,w0,0,1,9,1,[^,]*,1,",
      program.read(folder .. "/s.csv"))
  end)
end)
