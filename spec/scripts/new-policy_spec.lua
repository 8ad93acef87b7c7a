-- `orrery new-policy`: what it writes runs as it is, passes `orrery check`, and so do its specs.
local program = require "spec.support.program"
local rounds = require "spec.support.rounds"

local KINDS = { "priority", "dispatch", "hooks", "pack", "redistribute" }

describe("orrery new-policy", function()
  local folder

  before_each(function() folder = program.folder() end)
  after_each(function() program.remove(folder) end)

  local function new(arguments) return program.run(folder, "new-policy " .. arguments) end

  -- The module has the thread sanitizer only inside of the program that has it.
  local sanitized = os.getenv "ORRERY_BUILD":find "tsan$"
  local interpreter = sanitized and os.getenv "ORRERY" or "/usr/bin/lua5.4"

  -- Runs the specs as their head says, with the module that is under test.
  local function busted(name)
    local head = program.read(("%s/%s_spec.lua"):format(folder, name))
    assert.matches("\n%-%- +busted %-%-lua=/usr/bin/lua5%.4 " .. name .. "_spec%.lua\n", head)
    local command = ("cd '%s' && busted --lua=%s %s_spec.lua >output 2>&1"):format(folder,
      interpreter, name)
    assert(os.execute(command), program.read(folder .. "/output"))
    return program.read(folder .. "/output")
  end

  for i, kind in ipairs(KINDS) do
    it("writes a policy that is well: " .. kind .. (i % 2 == 0 and "" or " #long"), function()
      assert.same({ 0, "./mine.lua\n./mine_spec.lua\ntry: orrery check ./mine.lua\n", "" },
        { new(kind .. " mine") })
      assert.is_nil(program.read(folder .. "/mine.lua"):find("NAME", 1, true))
      local status, out, err = program.run(folder, "check mine.lua --runs " .. rounds(8, 8, 3))
      assert.same({ 0, "" }, { status, err })
      assert.matches('"mine"\n', out)
      assert.is_nil(out:find("Remarks", 1, true), out)
      assert.matches("[23] successes / 0 failures / 0 errors / 0 pending", busted "mine")
    end)
  end

  it("writes specs that fail when the policy is another one", function()
    for _, kind in ipairs(KINDS) do
      assert.equal(0, (new(kind .. " my-" .. kind)))
    end
    local function replace(kind, what, with)
      local text = program.read(("%s/my-%s.lua"):format(folder, kind))
      local from, to = text:find(what, 1, true)
      assert.is_number(from, what)
      program.write(folder, ("my-%s.lua"):format(kind), text:sub(1, from - 1) .. with
        .. text:sub(to + 1))
      assert.has_error(function() busted("my-" .. kind) end)
    end
    replace("priority", "return job.time", "return -job.time")
    replace("dispatch", "sim.free - job.procs >= kept and ", "")
    replace("hooks", "count > options.patience", "count > 5")
    replace("pack", "times[a] > times[b]", "a < b")
    replace("redistribute", "on_end = give_to_the_last", "on_end = false")
  end)

  it("tells where the module is, in a checkout and in an installation", function()
    new "pack mine"
    assert.matches(("\n%%-%%-   LUA_CPATH_5_4='%s/%%?%%.so;;' \\\n"):format(
      (program.home:gsub("%p", "%%%0"))), program.read(folder .. "/mine_spec.lua"))
    local prefix = folder .. "/share/orrery"
    assert(os.execute(("unset LD_PRELOAD; mkdir -p '%s' && cp -r scripts policies '%s'"):format(
      prefix, prefix)))
    local status, _, err = program.run(folder, "new-policy pack other", "ORRERY_HOME=" .. prefix)
    assert.same({ 0, "" }, { status, err })
    assert.matches(("\n%%-%%-   LUA_CPATH_5_4='%s/lib/lua/5.4/%%?%%.so;;' \\\n"):format(
      (folder:gsub("%p", "%%%0"))), program.read(folder .. "/other_spec.lua"))
  end)

  it("makes the folder, and touches nothing that is there", function()
    assert.equal(0, (new "dispatch mine -o new/folder"))
    assert.equal("mine.lua mine_spec.lua", program.listing(folder .. "/new/folder"))
    program.write(folder, "mine_spec.lua", "-- mine\n")
    assert.same({ 1, "", "orrery: ./mine_spec.lua is there already; nothing was written\n" },
      { new "priority mine" })
    assert.equal("mine_spec.lua new", program.listing(folder))
    assert.equal("-- mine\n", program.read(folder .. "/mine_spec.lua"))
  end)

  it("says what it can make", function()
    assert.same({ 2, "", "orrery: there is no kind 'dispach', did you mean 'dispatch'? (kinds: "
      .. "priority, dispatch, hooks, pack, redistribute)\n" }, { new "dispach mine" })
    for _, name in ipairs { "a/b", "'a b'", "a.lua" } do
      local status, _, err = new("dispatch " .. name)
      assert.equal(2, status)
      assert.matches("^orrery: NAME: expected letters, digits, %- and _, found '", err)
    end
    assert.equal("", program.listing(folder))
  end)
end)
