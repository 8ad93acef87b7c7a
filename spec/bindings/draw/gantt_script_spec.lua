-- The script of charts in pages (gantt_data.js and its neighbours), run by node; it is in pages as
-- it is tested.
local instances = require "spec.support.instances"
local orrery = require "orrery"
local rigid = require "spec.support.rigid"
local program = require "spec.support.program"
local rounds = require "spec.support.rounds"

local has_node = os.execute "command -v node >/dev/null 2>&1"

describe("the script of charts", function()
  local folder

  before_each(function() folder = program.folder() end)
  after_each(function() program.remove(folder) end)

  local function node(arguments)
    if not has_node then return pending "node is not installed (Debian: nodejs)" end
    local pipe = assert(io.popen(("env -u LD_PRELOAD node %s 2>&1"):format(arguments)))
    local text = pipe:read "a"
    assert.is_true(pipe:close() == true, text)
    return text
  end

  -- What a page shows of a session, as gantt_script.js wants it.
  local function lines_of(s, options)
    local lines, first, last = {}, 0, math.huge
    for _, group in ipairs(options.group and s.groups or {}) do
      last = first + group.procs - 1
      if group.name == options.group then break end
      first = last + 1
    end
    for _, a in ipairs(s:schedule()) do
      local held = {}
      for low, high in a.processors:gmatch "(%d+)%-?(%d*)" do
        low, high = tonumber(low), tonumber(high == "" and low or high)
        low, high = math.max(low, first), math.min(high, last)
        if low <= high then held[#held + 1] = ("%d-%d"):format(low - first, high - first) end
      end
      if #held > 0 and a.start <= (options.to or math.huge) and a.finish >= (options.from or 0) then
        lines[#lines + 1] = ("%s\t%d\t%.17g\t%.17g\t%s"):format(a.id, a.attempt, a.start,
          a.finish, table.concat(held, " ")) .. (options.group
            and "\t" .. (s:job(a.position).partition or "none") or "")
      end
    end
    local waiting = 0
    for _, step in ipairs(options.group and {} or s:timeline()) do
      if step.waiting ~= waiting then
        waiting = step.waiting
        lines[#lines + 1] = ("wait\t%.17g\t%d"):format(step.time, waiting)
      end
    end
    return table.concat(lines, "\n") .. "\n"
  end

  it("reads, paints and measures; what it reads is what was simulated #long", function()
    local rng = orrery.random(23)
    for i = 1, rounds(60, 60, 20) do
      local instance = instances.random(rng, { n = 12 })
      local s = orrery.session(rigid.spec(instance, { policy = rigid.pick(rng, { "dispatch/easy",
        "dispatch/greedy", "dispatch/shelf" }) }))
      local options = {}
      if rng:integer(0, 1) == 0 then
        s:run_until(rng:uniform(0, 10))
        pcall(s.change, s, { cancel = rng:integer(1, #instance.list) }) -- it may be over
      end
      if rng:integer(0, 2) == 0 then s:run_until(rng:uniform(10, 30)) else s:finish() end
      if rng:integer(0, 2) == 0 then options = { from = 3, to = 12 } end
      s:gantt(("%s/%d.html"):format(folder, i), options)
      program.write(folder, i .. ".txt", lines_of(s, options))
    end
    local s = orrery.session { procs = 8, policy = "redirect/threshold",
      options = { theta = 0, redirection_procs = 4 }, jobs = orrery.jobs {
        { procs = 4, time = 30, id = "a\nb" },
        { procs = 4, time = 20, submit = 1, partition = "gpu" },
        { procs = 4, time = 10, submit = 2, partition = "cpu" },
        { procs = 2, time = 10, submit = 3 } } }
    s:finish()
    for i, group in ipairs(s.groups) do
      s:gantt(("%s/group-%d.html"):format(folder, i), { group = group.name })
      program.write(folder, ("group-%d.txt"):format(i), lines_of(s, { group = group.name })
        :gsub("a\nb", "a b"))
    end
    local text = node(("'%s/spec/bindings/draw/gantt_script.js' '%s'"):format(program.home, folder))
    assert.is_true(not text or select(2, text:gsub("ok ", "")) >= 15)
  end)

  it("is in the page as a script of strict JavaScript, without its comments", function()
    local s = orrery.session { procs = 4, jobs = orrery.jobs { { procs = 1, time = 9 } } }
    s:finish()
    s:gantt(folder .. "/g.html")
    local script = program.read(folder .. "/g.html"):match ".*<script>(.-)</script>"
    assert.is_nil(script:find "[\n ]//")
    assert.is_nil(script:find("</", 1, true)) -- in a page it ends there
    program.write(folder, "inside.js", script)
    node(("--check '%s/inside.js'"):format(folder))
  end)
end)
