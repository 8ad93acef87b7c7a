-- Words, output and programs of the shell, and the folders of the user and of Orrery.
require "orrery"
local program = require "spec.support.program"

local core = require "orrery.core"
local folders = require "orrery.support.folders"
local shell = require "orrery.support.shell"

describe("the shell", function()
  it("gives quoted words back as they are", function()
    for _, text in ipairs { "a", "a-b/c.d+_9", "", "a b", "it's", "''", "$HOME", "a\nb", "*", "~",
      "\\", '"', "`id`", "a;b" } do
      assert.equal(text, (shell.read("printf %s " .. shell.quote(text))))
    end
    assert.equal("a-b/c.d+_9", shell.quote "a-b/c.d+_9")
    assert.equal("'a b'", shell.quote "a b")
  end)

  it("says whether a command succeeds, and which programs there are", function()
    assert.same({ "x\n", true }, { shell.read "echo x" })
    assert.same({ "x\n", false }, { shell.read "echo x; exit 3" })
    assert.is_true(shell.has "sh")
    assert.is_false(shell.has "no-such-program")
  end)

  it("is not needed for the contents of a file", function()
    local folder = program.folder()
    program.write(folder, "f", "a\0b\n")
    assert.equal("a\0b\n", shell.contents(folder .. "/f"))
    for name, why in pairs { none = "No such file or directory", [""] = "Is a directory" } do
      local path = folder .. "/" .. name
      local fine, problem = pcall(shell.contents, path)
      assert.same({ false, "cannot read " .. path .. ": " .. why }, { fine, problem })
    end
    program.remove(folder)
  end)
end)

describe("folders", function()
  local folder
  before_each(function() folder = program.folder() end)
  after_each(function() program.remove(folder) end)

  it("are made with their parents, and may be there", function()
    for _ = 1, 2 do assert.is_true(folders.make(folder .. "/a/b/c")) end
    program.write(folder, "a/file", "")
    assert.equal("b file", program.listing(folder .. "/a"))
    local made, problem = folders.make(folder .. "/a/file/d")
    assert.is_nil(made)
    assert.equal(folder .. "/a/file: File exists", problem)
    assert.is_true(folders.make "spec/bindings")
  end)

  it("list their files in order, without hidden ones", function()
    for _, name in ipairs { "b.lua", "a.lua", ".c.lua", "d.txt" } do
      program.write(folder, name, "")
    end
    assert.same({ "a.lua", "b.lua", "d.txt" }, folders.files(folder))
    assert.same({}, folders.files(folder .. "/none"))
    assert.same({}, folders.files(folder .. "/a.lua"))
  end)

  -- In another process, for the environment of this one cannot be changed.
  it("of the user come before those of Orrery", function()
    local first, second, conf = folder .. "/1", folder .. "/2", folder .. "/conf"
    folders.make(first .. "/t/deep")
    folders.make(conf .. "/orrery/t")
    for name, text in pairs { ["1/t/x.lua"] = "1", ["1/t/.lua"] = "", ["1/t/no.txt"] = "",
      ["1/t/deep/y.lua"] = "", ["conf/orrery/t/x.lua"] = "", ["conf/orrery/t/w.lua"] = "" } do
      program.write(folder, name, text)
    end
    program.write(folder, "ask.lua", [[
      local folders = require "orrery.support.folders"
      print(table.concat(folders.roots(), " "))
      for depth = 0, 1 do
        for _, one in ipairs(folders.scripts("t", depth)) do
          print(one.name, one.folder, one.short, one.path)
        end
      end]])
    local function asked(environment)
      local status, out = program.run(folder, "ask.lua", "env -u ORRERY_PATH -u XDG_CONFIG_HOME "
        .. environment)
      assert.equal(0, status)
      return out
    end
    local home = core.home
    assert.equal(("%s %s %s/orrery %s\n"):format(first, second, conf, home)
      .. ("w\tnil\tw\t%s/orrery/t/w.lua\nx\tnil\tx\t%s/t/x.lua\n"):format(conf, first)
      .. ("deep/y\tdeep\ty\t%s/t/deep/y.lua\n"):format(first),
      asked(("ORRERY_PATH=%s:%s XDG_CONFIG_HOME=%s"):format(first, second, conf)))
    assert.equal(("%s/.config/orrery %s\n"):format(folder, home),
      asked(("XDG_CONFIG_HOME= HOME='%s'"):format(folder)))
    assert.equal(home .. "\n", asked "-u HOME")
  end)
end)
