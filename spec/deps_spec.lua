-- .ci/deps: what it says of packages that are missing.
describe("the check of packages", function()
  local function run(arguments)
    local pipe = assert(io.popen("env -u LD_PRELOAD .ci/deps " .. arguments .. " 2>&1; echo $?"))
    local text = pipe:read "a"
    pipe:close()
    return text
  end

  it("installs nothing, and names what is missing", function()
    if not os.execute "command -v dpkg-query >/dev/null" then
      pending "dpkg-query is not installed"
      return
    end
    assert.equal("Missing packages: no-such-package \n`make deps` installs them.\n1\n",
      run "--check lua-busted no-such-package")
    assert.equal("0\n", run "--check lua-busted")
  end)

  it("is what a plain make does, and not what a test does", function()
    local function command(target)
      local pipe = assert(io.popen("env -u LD_PRELOAD make -n BUILD=/tmp/orrery-no-build " .. target
        .. " 2>&1"))
      local text = pipe:read "a"
      pipe:close()
      return text:match "(%.ci/deps[^\n]*gcc)"
    end
    assert.equal(".ci/deps --check gcc", command(""))
    for _, target in ipairs { "replay", "test", "deps" } do
      assert.equal(".ci/deps  gcc", command(target))
    end
  end)
end)
