-- `orrery reproduce`: what there is, and what it runs.
local lfs = require "lfs"
local program = require "spec.support.program"

describe("orrery reproduce", function()
  local folder

  before_each(function()
    folder = program.folder()
    assert(os.execute(("mkdir -p '%s/own/scripts/reproduce'"):format(folder)))
    program.write(folder, "own/scripts/reproduce/mine.lua",
      "-- mine: a paper of my own\nprint(#arg, ...)\n")
    program.write(folder, "own/scripts/reproduce/silent.lua",
      "error { exit = 3, message = 'no' }\n")
  end)
  after_each(function() program.remove(folder) end)

  local function reproduce(arguments)
    return program.run(folder, arguments, "ORRERY_PATH=own")
  end

  local function shipped()
    local names, home = {}, program.home .. "/scripts/reproduce"
    for file in lfs.dir(home) do
      names[#names + 1] = file:match "^(.+)%.lua$"
    end
    assert.is_true(#names >= 1)
    return names
  end

  it("lists what there is, also of the user's own", function()
    local status, out, err = reproduce "reproduce"
    assert.same({ 0, "" }, { status, err })
    assert.matches("\nmine +a paper of my own\n", "\n" .. out)
    assert.matches("\nsilent +%(says nothing about itself%)\n", out)
    for _, name in ipairs(shipped()) do
      assert.matches("\n" .. name:gsub("%-", "%%-") .. " +%u[^\n]+\n", "\n" .. out)
      assert.is_true(program.exists(("%s/spec/scripts/reproduce/%s_spec.lua"):format(program.home,
        name)), "no spec for " .. name)
    end
  end)

  it("runs all of them with make, and names them first", function()
    local pipe = assert(io.popen(("make -s -n -C '%s' reproduce 2>&1"):format(program.home)))
    local text = pipe:read "a"
    pipe:close()
    local parts = {}
    for name in text:match("make reproduce runs, into results/: ([^\n']+)"):gmatch "%S+" do
      parts[#parts + 1] = name
      assert.matches(("reproduce %s --out results/%s "):format(name, name), text, 1, true)
    end
    local all = shipped()
    table.sort(parts)
    table.sort(all)
    assert.same(all, parts)
  end)

  it("runs it with the arguments behind its name, in both spellings", function()
    local seen = "3\t--quick\t--out\ta b\n"
    assert.same({ 0, seen, "" }, { reproduce "reproduce mine --quick --out 'a b'" })
    assert.same({ 0, seen, "" }, { reproduce "reproduce/mine --quick --out 'a b'" })
    assert.same({ 0, "0\n", "" }, { reproduce "reproduce mine" })
  end)

  it("hands on how it ended", function()
    assert.same({ 3, "", "orrery: no\n" }, { reproduce "reproduce silent" })
    assert.same({ 3, "", "orrery: no\n" }, { reproduce "reproduce/silent" })
  end)

  it("has help of its own, which names them all, and of each", function()
    local _, help = reproduce "reproduce --help"
    assert.matches("^Usage: orrery reproduce ", help)
    assert.matches("\n +mine +a paper of my own\n", help)
    for _, name in ipairs(shipped()) do
      assert.matches("\n +" .. name:gsub("%-", "%%-") .. " +%u[^\n]+\n", help)
    end
    local counts = { checkpointing = "sets 30", learned = "sets 10", packs = "runs 30",
      ["failing-packs"] = "runs 15", redistribution = "runs 50",
      rr9296 = "scenarios 1000 sets 30" }
    for _, name in ipairs(shipped()) do
      local status, out, err = reproduce("reproduce " .. name .. " --help")
      local found, flat = {}, out:gsub("%s+", " ")
      for what, pattern in pairs { sets = "sets N Sets of jobs or tasks",
        runs = "runs N Runs of every point", scenarios = "runs N Scenarios of each set" } do
        local most = flat:match("%-%-" .. pattern .. " %(default: (%d+)%)")
        if most then found[#found + 1] = what .. " " .. most end
      end
      table.sort(found)
      assert.equal(counts[name] or "", table.concat(found, " "))
      assert.same({ 0, "" }, { status, err })
      assert.equal(1, (out:find("Usage: orrery reproduce " .. name .. " ", 1, true)))
      local twice = "%(default: ([^)]*)%)[^()]*%(default: %1%)"
      assert.is_nil(out:gsub("%s+", " "):match(twice))
    end
  end)

  it("suggests the nearest name", function()
    assert.same({ 2, "", "orrery: there is no reproduction 'mien', did you mean 'mine'?\n" },
      { reproduce "reproduce mien" })
    assert.same({ 2, "", "orrery: there is no reproduction 'a-quite-other-name'; "
      .. "`orrery reproduce` lists them\n" }, { reproduce "reproduce a-quite-other-name" })
    local status, _, err = reproduce "reproduce --quick"
    assert.equal(2, status)
    assert.matches("unknown option '--quick'", err, 1, true)
  end)

  it("leaves a script's path alone", function()
    program.write(folder, "tool", "print 'a script without .lua'\n")
    assert.same({ 0, "a script without .lua\n", "" }, { reproduce "./tool" })
  end)
end)
