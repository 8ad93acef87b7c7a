-- Policies from a grammar: the text of a policy file as a function of a seed. What it does is
-- arbitrary; what it is for is one of `grammar.kinds`, and how it behaves one of `grammar.ways`:
-- valid (it loads, and uses what the manual gives it), odd (also values of other types and out of
-- range, wrong keys), hostile (also loops, memory, errors of odd kinds, metatables, the library
-- where it hurts).
local grammar = {}

grammar.kinds = { "priority", "dispatch", "redirect", "redistribute", "pack" }
grammar.ways = { "valid", "odd", "hostile" }

-- A number generator of its own: the same everywhere, whatever else draws.
local function generator(seed)
  local state = seed * 2654435761 % 4294967296 + 1
  return function(n) -- 1 .. n
    state = (state * 1664525 + 1013904223) % 4294967296
    return state // 65536 % n + 1
  end
end

local draw, way

local function pick(list) return list[draw(#list)] end

-- Whether something happens that comes once in n.
local function once_in(n) return draw(n) == 1 end

local ODD = {
  "nil", "true", "{}", "''", "0/0", "1/0", "-1/0", "-1", "2^53", "math.mininteger", "'x'",
  "function() end", "1e308", "'12'", "select", "0x7fffffff", "{ 1, 2 }", "-0.0",
}
local HOSTILE = {
  "while true do end",
  "local t = {} while true do t[#t + 1] = ('x'):rep(1000) end",
  "return ('x'):rep(1e9)",
  "error({})", "error(nil)", "error(setmetatable({}, { __tostring = error }))", "error 'plain'",
  "error(('%c[31m'):format(27))",
  "local function f() return f() + 1 end f()",
  "setmetatable(_ENV, { __index = function() return 1 end })",
  "string.rep = nil", "math.floor = error", "table.sort({ 3, 2, 1 }, function() return true end)",
  "local t = setmetatable({}, { __index = function(_, k) return k end }) "
    .. "table.concat(t, '', 1, 1e8)",
  "('a'):rep(40):find(('a*'):rep(40) .. 'b')",
  "local c = coroutine and coroutine.wrap(function() error 'inside' end) if c then c() end",
  "pcall(error)", "pcall(function() while true do end end)",
  "load 'return 1'", "require 'os'", "os.exit()", "io.open '/etc/passwd'", "debug.getregistry()",
  "collectgarbage 'stop'", "_G.x = 1", "getmetatable('').__index = nil",
  "for _ in pairs(setmetatable({}, { __pairs = error })) do end",
  "local t = setmetatable({}, { __gc = error, __close = error, __mode = 'k' }) t = nil",
  "goto x ::x:: goto x", "sim = nil job = nil", "rawset(sim, 'free', 100)",
  "string.format(('%d'):rep(300), 1)", "table.unpack({}, 1, 1e7)", "utf8.char(-1)",
}

-- --- expressions --------------------------------------------------------------------------------

local JOB = { "procs", "time", "area", "submit", "position" }
local SIM = { "now", "procs", "free", "down", "waiting_count", "running_count", "first_submit" }
local TASK = { "size", "procs", "held", "most", "left", "ready", "finish", "position" }
local TASKS = { "now", "procs", "free", "running_count", "expected", "mtbf", "downtime" }
local BINARY = { "+", "-", "*", "/", "//", "%" }
local UNARY = { "math.sqrt(math.abs(%s))", "math.floor(%s + 0.5)", "-(%s)",
  "math.exp(-math.abs(%s))", "math.log(1 + math.abs(%s))", "math.abs(%s)" }

-- A number from fields of the names that are at hand; never NaN where it is valid.
local function number(names, depth)
  if way ~= "valid" and once_in(12) then return pick(ODD) end
  if depth == 0 or once_in(3) then
    local at = draw(#names + 1)
    return names[at] and names[at][1] .. "." .. pick(names[at][2]) or tostring(draw(100) - 20)
  end
  local shape = draw(5)
  if shape == 1 then return pick(UNARY):format(number(names, depth - 1)) end
  if shape == 2 then
    return ("math.%s(%s, %s)"):format(pick { "max", "min" }, number(names, depth - 1),
      number(names, depth - 1))
  end
  if shape == 3 then
    return ("(%s %s %s and %s or %s)"):format(number(names, 0), pick { "<", "<=", "==", ">" },
      number(names, 0), number(names, depth - 1), number(names, depth - 1))
  end
  local operator = pick(BINARY)
  local right = number(names, depth - 1)
  if operator:find "[/%%]" then right = ("(1 + math.abs(%s))"):format(right) end
  return ("(%s %s %s)"):format(number(names, depth - 1), operator, right)
end

-- A number to sort by: what could be NaN or infinite in it is 0.
local function rank(names)
  local text = number(names, 3)
  if way ~= "valid" then return text end
  return ("(function(x) return x == x and math.abs(x) < 1e300 and x or 0 end)(%s)"):format(text)
end

-- --- statements ---------------------------------------------------------------------------------

-- What hooks of policies for jobs do, `job` being one. In valid ones every action is guarded by
-- what it needs, and wake-ups come to an end.
local function job_statement(names, deciding)
  if way == "hostile" and once_in(8) then return "do " .. pick(HOSTILE) .. " end" end
  if way ~= "valid" and once_in(5) then
    return pick {
      ("sim:start(%s)"):format(pick(ODD)), ("sim:move(job, %s)"):format(pick(ODD)),
      ("sim:wake_at(%s)"):format(pick(ODD)), ("sim:kill(%s)"):format(pick(ODD)),
      "sim:reserve(job)", "sim:requeue(job)", "sim:release(job)", "sim.free = 3", "job.procs = 1",
      ("sim:waiting(%s)"):format(pick(ODD)), ("sim:look(%s)"):format(pick(ODD)),
      ("sim:earliest_start(%s, %s)"):format(pick(ODD), pick(ODD)), "return 1", "sim:nothing()",
      "sim = nil", "kept = (kept or 0) + 1", ("sim:job(%s)"):format(pick(ODD)),
    }
  end
  local choices = {
    ("sim.state.a = (sim.state.a or 0) + %s"):format(rank(names)),
    "for _, other in ipairs(sim:running()) do sim.state.b = other.planned_end end",
    "for other in sim:waiting() do sim.state[other.position] = other.procs end",
    ("if sim.now < 50 then sim:wake_at(sim.now + %d) end"):format(draw(9)),
    "local last = sim:running()[1] if last and last.attempts < 3 then sim:requeue(last) end",
    "local last = sim:running()[1] if last and last.position % 5 == 0 then sim:kill(last) end",
    "for other in sim:waiting() do if other.position % 4 == 0 and not sim.state.h and "
      .. "sim.now < 60 and sim.state.l ~= sim.now then sim.state.l = sim.now "
      .. "sim:hold(other) sim.state.h = other.position "
      .. "sim:wake_at(sim.now + 3) break end end",
    "if sim.state.h then local h = sim:job(sim.state.h) if h.state == 'held' then "
      .. "sim:release(h) end sim.state.h = nil end",
    ("sim.state.r = math.random(%d)"):format(draw(50)),
    ("sim.state.t = sim:earliest_start(%d, %d)"):format(draw(4), draw(30)),
    "for other in sim:fitting() do sim.state.f = sim:can_start(other) end",
  }
  if deciding then
    choices[#choices + 1] = "for other in sim:waiting() do if not sim:can_start(other) then "
      .. "sim.state.at = sim:reserve(other) break end end"
  end
  return pick(choices)
end

local function block(statement, most, ...)
  local lines = {}
  for i = 1, draw(most) do lines[i] = "    " .. statement(...) end
  return table.concat(lines, "\n")
end

local function hook(name, arguments, body)
  return ("  %s = function(%s)\n%s\n  end,"):format(name, arguments, body)
end

-- The holder of a held job is woken: valid policies end.
local TIMER = "    if sim.state.h then local h = sim:job(sim.state.h) if h.state == 'held' then "
  .. "sim:release(h) end sim.state.h = nil end\n"

local function priority_keys()
  local per = pick { "workload", "scenario", "attempt", "decision" }
  local names = { { "job", JOB } }
  if per ~= "workload" and once_in(2) then names[2] = { "view", SIM } end
  if way ~= "valid" and once_in(9) then per = "never" end
  return ('  per = "%s",\n  priority = function(job, view) return %s end,'):format(per,
    rank(names))
end

local DISCIPLINES = {
  '{ discipline = "fcfs" }', '{ discipline = "list" }', '{ discipline = "list", reservations = 1 }',
  '{ discipline = "list", reservations = "all" }', '{ discipline = "shelf", fill = true }',
  '{ discipline = "conservative" }', '"dispatch/easy"',
  '{ discipline = "list", reservations = 2, reading = "head" }',
}

local function dispatch_part()
  if once_in(2) then return "  dispatch = " .. pick(DISCIPLINES) .. "," end
  local names = { { "sim", SIM } }
  local body = ("%s\n    for job in sim:fitting() do if %s or sim.running_count == 0 then "
    .. "sim:start(job) end end\n    local first = sim:waiting(sim.free)()\n"
    .. "    if first and sim.running_count == 0 then sim:start(first) end"):format(
    block(function(...) return "do " .. job_statement(...) .. " end" end, 2, names, true),
    ("(%s) <= (%s)"):format(rank { { "job", JOB } }, rank { { "job", JOB } }))
  return hook("dispatch", "sim", body)
end

local function job_hooks()
  local names, lines = { { "sim", SIM }, { "job", JOB } }, {}
  for _, name in ipairs { "on_submit", "on_start", "on_end", "on_idle", "init" } do
    if once_in(3) then
      local with_job = name ~= "init" and name ~= "on_idle"
      lines[#lines + 1] = hook(name, with_job and "sim, job" or "sim",
        name == "init" and ("    sim.state.a = %d"):format(draw(9))
          or block(function(...) return "do " .. job_statement(...) .. " end" end, 3,
            with_job and names or { names[1] }))
    end
  end
  lines[#lines + 1] = hook("on_timer", "sim",
    TIMER .. block(function(...) return "do " .. job_statement(...) .. " end" end, 2, { names[1] }))
  return table.concat(lines, "\n")
end

local function odd_keys()
  if way == "valid" or not once_in(6) then return "" end
  return ("  %s = %s,\n"):format(pick { "name", "about", "options", "per", "groups", "init",
    "backfill", "dispatch", "caches", "on_start", "unknown", "pack", "source" }, pick(ODD))
end

local makers = {}

function makers.priority() return priority_keys() end

function makers.dispatch()
  return table.concat({ dispatch_part(), once_in(2) and priority_keys() or "", job_hooks() }, "\n")
end

-- Jobs begin in one group and are moved to the other, also while they run.
function makers.redirect()
  local measure = rank { { "job", JOB } }
  return ([[
  groups = { { name = "first", dispatch = %s },
    { name = "second", procs = %d, dispatch = "fcfs" } },
  on_submit = function(sim, job)
    if job.procs <= %d and %s > %d then sim:move(job, "second") end
  end,
  on_start = function(sim, job)
    if job.group == "first" and job.attempts < 3 and job.procs <= 2 and %s > %d then
      sim:move(job, "second")
    end
%s
  end,]]):format(pick(DISCIPLINES), way == "valid" and 2 or draw(9),
    way == "valid" and 2 or draw(9), measure, draw(50), measure, draw(90),
    way == "valid" and "" or "    " .. job_statement { { "sim", SIM }, { "job", JOB } })
end

local function task_statement()
  if way == "hostile" and once_in(8) then return "do " .. pick(HOSTILE) .. " end" end
  if way ~= "valid" and once_in(4) then
    return pick {
      ("sim:assign(task, %s)"):format(pick(ODD)), ("sim:give(sim:longest(), %s)"):format(pick(ODD)),
      ("sim:drop(%s)"):format(pick(ODD)), "sim:assign(task, 2)", "sim:transfer(task, task)",
      ("sim:shortest(%s)"):format(pick(ODD)), ("sim:time(task, %s)"):format(pick(ODD)), "return 2",
      ("sim:improvement(%s)"):format(pick(ODD)), "task.procs = 3", "kept = (kept or 0) + 1",
    }
  end
  return pick {
    "local t = sim:longest() if t and sim.free >= 2 and sim:improvement(t) then sim:give(t, 2) end",
    "sim:start_over()", "sim:share_out()", "sim:share_out(sim.free // 2)",
    "local t, s = sim:longest(), sim:shortest(4) if t and s and t.position ~= s.position and "
      .. "not t.locked and sim:transfer(s, t) then sim:give(s, -2) sim:give(t, 2) end",
    "local t = sim:longest() if t then sim:drop(t) end",
    "for _, t in ipairs(sim:running()) do sim.state[t.position] = t.finish end",
    ("sim.state.a = (sim.state.a or 0) + %s"):format(
      rank { { "sim", TASKS }, { "task", TASK } }),
    "for _, t in ipairs(sim:tasks()) do sim.state.x = sim:finish_with(t, 2 * math.random(3)) end",
    "for _ = 1, 20 do local t = sim:longest() if not t or sim.free < 2 then break end "
      .. "if sim:improvement(t) then sim:give(t, 2) else sim:drop(t) end end",
  }
end

function makers.redistribute()
  local lines = {}
  for _, name in ipairs { "on_end", "on_fault" } do
    if #lines == 0 or once_in(2) then
      lines[#lines + 1] = hook(name, "sim, task",
        block(function() return "do " .. task_statement() .. " end" end, 3))
    end
  end
  return table.concat(lines, "\n")
end

function makers.pack()
  local wrong = way ~= "valid" and once_in(3) and pick(ODD)
  local body = pick {
    "local packs = {} for i = 1, #problem do local b = (i - 1) // problem.k + 1 "
      .. "packs[b] = packs[b] or {} table.insert(packs[b], i) end return packs",
    "local packs = {} for i = 1, #problem do packs[i] = { i } end return packs",
    "local a = problem:allocation() local packs = {} while a:head() do a:grow(0.5) "
      .. "packs[#packs + 1] = a:take(problem:time(1, 1) * 0) end return problem:coschedule(packs)",
    ("local order = {} for i = 1, #problem do order[i] = i end table.sort(order, function(i, j) "
      .. "local a, b = problem:time(i, %d), problem:time(j, 1) return a < b end) local packs = {} "
      .. "for i, task in ipairs(order) do packs[i] = { task } end return packs"):format(1),
  }
  if way == "hostile" and once_in(3) then body = pick(HOSTILE) .. " " .. body end
  if wrong then body = "do return " .. wrong .. " end " .. body end
  return hook("pack", "problem", "    " .. body)
end

-- The text of a policy of a kind that behaves in a way, and its kind and way: given, or drawn.
function grammar.policy(seed, kind, behaves)
  draw = generator(seed)
  way = behaves or pick(grammar.ways)
  kind = kind or pick(grammar.kinds)
  local head = "local kept\n"
  if way == "hostile" and once_in(10) then head = head .. pick(HOSTILE) .. "\n" end
  local text = ("%sreturn {\n%s%s\n}\n"):format(head, odd_keys(), makers[kind]())
  if way == "valid" then text = text:gsub("^local kept\n", "") end
  if way == "hostile" and once_in(20) then -- cut short, or a byte that does not belong there
    local at = draw(#text)
    text = once_in(2) and text:sub(1, at) or text:sub(1, at) .. string.char(draw(256) - 1)
      .. text:sub(at + 1)
  end
  return text, kind, way
end

return grammar
