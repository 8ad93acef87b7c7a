-- The playground's program prints what the native one prints, to the bit: a hundred commands are
-- run by both.
local dkjson = require "dkjson"
local hundred = require "spec.bindings.playground.hundred"
local program = require "spec.support.program"

local playground = os.getenv "ORRERY_PLAYGROUND" -- make test-playground says where it is

local function quoted(words)
  local list = {}
  for i, word in ipairs(words) do list[i] = "'" .. word:gsub("'", "'\\''") .. "'" end
  return table.concat(list, " ")
end

-- What node says of each command, as { status =, out =, err = }.
local function run_ported(folder, list)
  local lines = {}
  for i, words in ipairs(list) do lines[i] = dkjson.encode(words) end
  program.write(folder, "list", table.concat(lines, "\n") .. "\n")
  local pipe = assert(io.popen(("cd '%s' && env -u LD_PRELOAD node '%s/%s' '%s' . <list 2>&1")
    :format(folder, program.home, "spec/bindings/playground/commands.js", playground)))
  local found = {}
  for line in pipe:lines() do found[#found + 1] = dkjson.decode(line) or error(line) end
  assert(pipe:close())
  return found
end

-- glibc without fused multiply-add, which WebAssembly has not: with it the last digit of exp, log,
-- pow, log1p and expm1 may be another one (bindings/playground/port/libm.c).
local LIBM = "GLIBC_TUNABLES=glibc.cpu.hwcaps=-FMA,-FMA_Usable,-FMA4,-AVX2,-AVX2_Usable"

-- Paths of the installation differ.
local function at_home(text) return (text:gsub(program.home:gsub("%p", "%%%0"), "/orrery")) end

describe("the program as WebAssembly", function()
  it("prints what the native one prints", function()
    if not playground then return pending "make test-playground runs it" end
    assert.is_true(#hundred.list >= 100)
    local folder = program.folder()
    for name, text in pairs(hundred.FILES) do program.write(folder, name, text) end
    local found = run_ported(folder, hundred.list)
    assert.equal(#hundred.list, #found)
    local differ = {}
    for i, words in ipairs(hundred.list) do
      local status, out, err = program.run(folder, quoted(words), LIBM)
      local ported = found[i]
      if status ~= ported.status or at_home(out) ~= ported.out or at_home(err) ~= ported.err then
        differ[#differ + 1] = ("%s\nstatus %s and %s\n%s\n--\n%s\n"):format(quoted(words), status,
          ported.status, at_home(out .. err), ported.out .. ported.err)
      end
    end
    program.remove(folder)
    assert.same({}, differ)
  end)

  -- Its kernel is built without them (ORI_COUNTED_ONLY).
  it("refuses machines of nodes and says what to give instead", function()
    if not playground then return pending "make test-playground runs it" end
    local folder = program.folder()
    local fields = "{ nodes = { { count = 2, procs = 2 } } }"
    program.write(folder, "machine.lua", "return " .. fields)
    local refused = "machines (--machine) are not in the playground, which counts processors: "
      .. "give procs, pools and limits\n"
    local found = run_ported(folder, {
      { "replay", "/orrery/data/mira/sample-2019-06.csv", "--machine", "machine.lua" },
      { "-e", "orrery.machine " .. fields },
      { "-e", "orrery.compare { jobs = { { 1, 2 } }, policies = { 'easy' }, machine = "
        .. fields .. " }" },
      { "-e", "require('orrery.core').nodes { kinds = { { count = 2, procs = 2 } } }" },
    })
    program.remove(folder)
    local answer = { status = 1, out = "", err = "orrery: " .. refused }
    assert.same({ answer, answer, answer,
      { status = 1, out = "", err = "orrery: (command line):1: this build has no machines of "
        .. "nodes: give the number of processors, and pools\n" } }, found)
  end)
end)
