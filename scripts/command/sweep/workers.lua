-- workers: the processes that compute the cells of a sweep: this one, or several.
--
-- Several are started by one shell and write into one pipe, a line for each cell: `done`, its
-- number and its seconds, or `failed`, its number and the message; before, `process` and their own
-- number; at last, where one cannot go on, `stopped` and the reason. They share the work only by
-- the claims of the store, so that a second sweep of the same folder may run beside them. When the
-- process that reads the pipe is interrupted, it interrupts them, for the signal may have reached
-- only that process. When it is killed, they end with their next line.
local command = require "orrery.command.command"
local lfs = require "lfs"
local run = require "orrery.command.sweep.run"
local orrery = require "orrery"
local quote = orrery.tools.quote

local workers = {}

local LONGEST = 3000 -- characters of a line: a pipe takes so many at once

local function one_line(text)
  text = tostring(text):gsub("\\", "\\\\"):gsub("\n", "\\n")
  return #text > LONGEST and text:sub(1, LONGEST) .. "..." or text
end

local function several_lines(text)
  return (text:gsub("\\(.)", function(c) return c == "n" and "\n" or c end))
end

-- Whether a number is a power of two.
local function is_power_of_two(n) return n & (n - 1) == 0 end

-- Computes one cell that is claimed. Returns "done" and the seconds, or "failed" and the message.
local function compute(spec, store, i)
  local done, record = pcall(run.cell, spec, i)
  if done then
    local written, problem = pcall(store.write, store, i, record)
    -- Ctrl-C may come when the record is complete, and then it counts; Ctrl-C ends the next cell
    if not written and not (orrery.tools.interrupted() and store:is_there(i)) then
      error(problem, 0)
    end
    return "done", record.seconds
  end
  if orrery.tools.interrupted() then error(record, 0) end
  return "failed", type(record) == "table" and record.message or command.without_position(record)
end

-- Works through the cells until all remaining ones are computed by other processes.
--   report(what, i, seconds or message)  false: nobody listens any more
function workers.work(spec, store, cells, report)
  local costs, left = run.costs(spec), {}
  for i = 1, spec.count do
    local record = store:read(i)
    if record then costs:learn(i, record.seconds) end
  end
  for _, i in ipairs(cells) do
    if not store:has(i) then left[#left + 1] = i end
  end
  left = costs:longest_first(left)
  local at, learnt, again = 1, 0, false
  local others = {} -- of those in front of `at`, that other processes compute
  while left[at] do
    local i = left[at]
    at = at + 1
    if not store:claim(i) then
      others[#others + 1] = i
    elseif not store:has(i) then
      local what, more = compute(spec, store, i)
      again = true
      store:release(i)
      if report(what, i, more) == false then return end
      if what == "done" then
        costs:learn(i, more)
        learnt = learnt + 1
        if is_power_of_two(learnt) then
          table.move(left, at, #left, #others + 1, others)
          left, at, others = costs:longest_first(others), 1, {}
        end
      end
    else
      store:release(i)
    end
    -- the processes that had the others may have been stopped since
    if not left[at] and again then left, at, again, others = others, 1, false, {} end
  end
end

-- The work of `orrery sweep --worker`, with its lines on stdout. Errors name the command that the
-- user typed.
function workers.serve(spec, store, cells)
  for i = #arg, 1, -1 do
    if arg[i] == "--worker" then table.remove(arg, i) end
  end
  io.stdout:write(("process\t%s\t\n"):format(lfs.symlinkattributes("/proc/self", "target")))
  io.stdout:flush()
  workers.work(spec, store, cells, function(what, i, more)
    local text = type(more) == "number" and ("%.17g"):format(more) or one_line(more)
    local written = io.stdout:write(("%s\t%d\t%s\n"):format(what, i, text))
    return written and io.stdout:flush() and true or false
  end)
end

-- Reports that a worker cannot go on, and exits with the status of a failure.
function workers.stop(problem)
  local text = type(problem) == "table" and problem.message or tostring(problem)
  io.stdout:write(("stopped\t0\t%s\n"):format(one_line(text)))
  io.stdout:flush()
  os.exit(1)
end

-- Handles a line of a worker.
local function take(line, report)
  local what, i, more = line:match "^(%l+)\t(%d+)\t(.*)$"
  if what == "done" then
    report(what, math.tointeger(i), tonumber(more))
  elseif what == "failed" then
    report(what, math.tointeger(i), several_lines(more))
  end
end

-- Lets `count` processes work; `arguments` is the list of arguments of their command. A failing
-- cell fails in each of them. Returns the reason why one could not go on; nil: all could.
function workers.run(spec, store, cells, count, arguments, report)
  if count == 1 then return workers.work(spec, store, cells, report) end
  local words = { quote(assert(orrery.tools.executable())), "sweep" }
  for _, word in ipairs(arguments) do words[#words + 1] = quote(word) end
  local one = "ORRERY_WORKER=1 " .. table.concat(words, " ") .. " --worker &"
  local pipe = assert(io.popen(("{ %s wait; }"):format((one .. " "):rep(count))))
  local processes, is_over, stopped = {}, false, nil
  local function interrupt(list)
    if #list > 0 then os.execute("kill -TERM " .. table.concat(list, " ") .. " 2>/dev/null") end
  end
  local function listen()
    for line in pipe:lines() do
      local process = line:match "^process\t(%d+)\t$"
      if process and is_over then interrupt { process } end
      if process then processes[#processes + 1] = process else take(line, report) end
      local why = line:match "^stopped\t0\t(.*)$"
      stopped = stopped or why and several_lines(why)
    end
  end
  -- a read that Ctrl-C ends fails at once, and the interruption itself is raised behind pcall
  local whole, done, problem = pcall(pcall, listen)
  if orrery.tools.interrupted() then
    debug.sethook() -- raised once more, it would leave them; a second Ctrl-C ends the program
    is_over = true
    interrupt(processes)
    pcall(listen) -- up to their end
  end
  pipe:close()
  if not (whole and done) then error(problem or done, 0) end
  return stopped
end

return workers
