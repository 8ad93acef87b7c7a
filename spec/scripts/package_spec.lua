-- What is given away: the source archive, and the documents that go with it.
local orrery = require "orrery"
local program = require "spec.support.program"

local function must(command)
  local pipe = assert(io.popen("unset LD_PRELOAD; { " .. command .. "; } 2>&1"))
  local text = pipe:read "a"
  assert.is_true(pipe:close(), command .. "\n" .. text)
  return text
end

local function make(tree, target, build)
  return must(("env -u MAKEFLAGS -u MAKELEVEL make -C '%s' %s BUILD='%s'")
    :format(tree, target, build))
end

describe("make dist", function()
  local name = "orrery-" .. orrery.version

  it("writes the same bytes again, here and from the archive itself #long", function()
    local folder = program.folder()
    local archive = ("%s/%s.tar.gz"):format(folder, name)
    make(program.home, "dist", folder)
    local first = program.read(archive)
    must(("touch '%s/Makefile'; umask 077; mkdir '%s/again' && tar xzf '%s' -C '%s/again'")
      :format(folder, folder, archive, folder))
    make(program.home, "dist", folder)
    assert.is_true(first == program.read(archive))
    make(("%s/again/%s"):format(folder, name), "dist", "build")
    local again = ("%s/again/%s/build/%s.tar.gz"):format(folder, name, name)
    assert.is_true(first == program.read(again))
    local list = must(("tar tzf '%s'"):format(archive))
    for _, wanted in ipairs { "Makefile", "LICENSE", "kernel/orrery.h", ".ci/deps",
      "data/mira/sample-2019-06.csv" } do
      assert.is_truthy(list:find("\n" .. name .. "/" .. wanted .. "\n", 1, true), wanted)
    end
    assert.is_nil(list:find("/build/", 1, true))
    program.remove(folder)
  end)
end)

describe("make portable", function()
  it("has all that the program needs beside it, wherever it is unpacked #long", function()
    local build = os.getenv "ORRERY_BUILD"
    if not build or build:match "[^/]*$" ~= "build" then return pending "not with a sanitizer" end
    local folder = program.folder()
    must(("scripts/package/portable %s '%s' '%s/orrery.1' '%s/it.tar.gz'"):format(orrery.version,
      program.path, build, folder))
    must(("mkdir '%s/any where' && tar xzf '%s/it.tar.gz' -C '%s/any where' --strip-components=1")
      :format(folder, folder, folder))
    local started = ("env -i '%s/any where/orrery' "):format(folder)
    assert.equal("orrery " .. orrery.version .. "\n", must(started .. "--version"))
    assert.equal(("%s/any where/share/orrery\t%s/any where/orrery\n"):format(folder, folder),
      must(started .. "-e 'print(orrery.home, orrery.tools.executable())'"))
    local _, out = program.run(program.home, "replay --day 2019-06-14 --policy easy")
    assert.equal(out, must(started .. "replay --day 2019-06-14 --policy easy"))
    local maps = must(started .. "-e 'for line in io.lines \"/proc/self/maps\" do print(line) end'")
    for path in maps:gmatch "(/[^\n]+%.so[.%d]*)\n" do
      assert.equal(folder, path:sub(1, #folder), path) -- nothing of the system's
    end
    program.remove(folder)
  end)
end)

describe("the documents of a release", function()
  it("Debian's packages have this version, and the number of the shared library", function()
    assert.equal(orrery.version .. "-1",
      program.read "scripts/package/debian/changelog":match "^orrery %(([^)]*)%)")
    local control = program.read "scripts/package/debian/control"
    local names = {}
    for name in control:gmatch "\nPackage: (%S+)" do names[#names + 1] = name end
    assert.same({ "liborrery" .. orrery.version:match "^%d+", "liborrery-dev", "orrery",
      "lua-orrery" }, names)
  end)

  it("CITATION.cff has what its schema requires, and this version", function()
    local fields = {}
    for key, value in program.read "CITATION.cff":gmatch "\n?(%l[%l-]*):[ \n]([^\n]*)" do
      fields[key] = value
    end
    assert.equal("1.2.0", fields["cff-version"])
    assert.equal(orrery.version, fields.version)
    for _, required in ipairs { "message", "title", "authors" } do
      assert.is_truthy(fields[required], required)
    end
    assert.matches("\nauthors:\n  %- name: %S", program.read "CITATION.cff")
    assert.matches("^MIT License", program.read "LICENSE")
    assert.equal("MIT", fields.license)
  end)

  it("CHANGELOG.md begins with this version", function()
    assert.equal(orrery.version, program.read "CHANGELOG.md":match "\n## ([%d.]+)")
  end)
end)
