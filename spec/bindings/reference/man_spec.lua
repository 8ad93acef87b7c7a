-- The man page: what it says, and its roff.
local lfs = require "lfs"
local orrery = require "orrery"

local man = require "bindings.reference.docs.man"
local program = require "spec.support.program"

local function help_of(name)
  local status, text = program.run(program.home, name .. " --help")
  assert.equal(0, status, name)
  return text
end

local function has(command)
  return (os.execute(("command -v %s >/dev/null 2>&1"):format(command)))
end

-- The page of the program, as `make` writes it.
local function page()
  local folder = program.folder()
  local status, _, err = program.run(program.home,
    ("bindings/reference/docs/write.lua man '%s/page'"):format(folder))
  assert.equal("", err)
  assert.equal(0, status)
  local text = program.read(folder .. "/page")
  program.remove(folder)
  return text
end

describe("reading --help", function()
  it("finds usage, text, labels", function()
    local parsed = man.parse([[
Usage: orrery x [-h]
       [-o FILE] <Y>

What it is. And more.

Arguments:
   y                     One.

Other options:
   --long-option {a,b}
                         Two
                         lines.
         -o FILE,        A file.
   --output FILE
   -q                    Last.

An end.
]])
    assert.equal("orrery x [-h] [-o FILE] <Y>", parsed.usage)
    assert.equal("What it is. And more. An end.", parsed.about)
    assert.equal(2, #parsed.sections)
    assert.same({ head = "Arguments", { "y", "One." } }, parsed.sections[1])
    assert.same({ head = "Other options", { "--long-option {a,b}", "Two lines." },
      { "-o FILE, --output FILE", "A file." }, { "-q", "Last." } }, parsed.sections[2])
  end)
end)

describe("the man page", function()
  local text

  setup(function() text = page() end)

  local function plain() return (text:gsub("\\%-", "-"):gsub("\\:", ""):gsub("\\f.", "")) end

  it("has every command with all of its options #long", function()
    local said = plain()
    for file in lfs.dir "scripts" do
      local name = file:match "^([%w-]+)%.lua$"
      if name then
        assert.is_truthy(said:find("\n.SS orrery " .. name .. "\n", 1, true), name)
        local from = said:find("\n.SS orrery " .. name .. "\n", 1, true)
        local section = said:sub(from, (said:find("\n.S[SH] ", from + 1)))
        for option in help_of(name):gmatch "\n%s+(%-%-[%w-]+)" do
          assert.is_truthy(section:find(option, 1, true), name .. " " .. option)
        end
      end
    end
    assert.matches("\n.SS orrery generate lublin\n", said, 1, true)
  end)

  it("has every variable of the environment that is read", function()
    local pipe = assert(io.popen([[grep -rhoE 'getenv[ (]+"[A-Z_]+"' bindings kernel scripts ]]
      .. "--include=*.c --include=*.lua"))
    local count = 0
    for line in pipe:lines() do
      local name, found = line:match '"([%u_]+)"', false
      for _, row in ipairs(man.environment) do found = found or row[1] == name end
      -- of terminals, as their own pages say
      local of_terminals = { TERM = true, COLUMNS = true, NO_COLOR = true, TMPDIR = true }
      assert.is_truthy(found or of_terminals[name],
        name .. " is read: say what for in bindings/reference/docs/man.lua")
      count = count + 1
    end
    pipe:close()
    assert.is_true(count > 5)
  end)

  it("is of this version, and of nobody's own commands", function()
    assert.matches("Orrery " .. orrery.version, text, 1, true)
    assert.equal(text, page())
  end)

  local is_checked = has "groff"
  local describe_it = is_checked and it or pending
  describe_it("is right in the eyes of groff", function()
    local folder = program.folder()
    program.write(folder, "orrery.1", text)
    local command = "env -u LD_PRELOAD groff -man -ww -Tutf8 -rLL=78n '%s/orrery.1' 2>&1 >'%s/out'"
    local pipe = assert(io.popen(command:format(folder, folder)))
    local complaints = pipe:read "a"
    assert.is_true(pipe:close())
    assert.equal("", complaints)
    assert.is_true(#program.read(folder .. "/out") > 10000)
    program.remove(folder)
  end)
end)
