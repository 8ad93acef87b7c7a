-- kernel/examples/: each program compiles as C and as C++, against the archive of the build and
-- against an installed copy, and prints what it prints here.
local program = require "spec.support.program"

local MONTH = program.home .. "/data/mira/sample-2019-06.csv"

-- The output of each example, and of `easy` where something is wrong.
local EXAMPLES = {
  { "easy", ("'%s'"):format(MONTH), [[
4699 jobs, 31.6 days
mean wait            14350.1 s
bounded slowdown        11.8
utilisation            0.801
]] },
  { "easy", ("'%s' 100"):format(MONTH), "easy: ", fails = true },
  { "fork", "", [[
copy       makespan 106719 s, mean wait 33856.3 s
disturbed  makespan 106909 s, mean wait 34597.1 s
original   makespan 106719 s, mean wait 33856.3 s
]] },
  { "quota", "", "60 jobs, 48 of them held: mean wait 61495 s, makespan 180403 s\n" },
  { "redistribute", "10", "10 runs: makespan with redistribution / without: 0.8058\n" },
}

local LANGUAGES = {
  C = "cc -std=c11 -x c",
  ["C++"] = "c++ -std=c++17 -x c++",
}
local WARNINGS = "-Wall -Wextra -Wpedantic -Wshadow -Werror"

local function run(command)
  local pipe = assert(io.popen(("unset LD_PRELOAD; { %s\n} 2>&1"):format(command)))
  local text = pipe:read "a"
  return text, pipe:close() == true
end

local function must(command)
  local text, fine = run(command)
  assert.is_true(fine, command .. "\n" .. text)
  return text
end

-- The archive that the specs test, and what it takes to link it.
local archive = program.path:gsub("[^/]*$", "liborrery.a")
if not program.exists(archive) then archive = program.home .. "/build/liborrery.a" end
local names = run(("nm -u '%s'"):format(archive))
local sanitized = names:find "__asan_" and "-fsanitize=address,undefined"
  or names:find "__tsan_" and "-fsanitize=thread"

-- Compiles an example with these flags behind it; the path of the program.
local function compile(folder, name, language, flags)
  local path = ("%s/%s-%s"):format(folder, name, language)
  must(("%s %s '%s/kernel/examples/%s.c' -x none -o '%s' %s"):format(LANGUAGES[language],
    WARNINGS, program.home, name, path, flags))
  return path
end

local function check(folder, language, flags, environment)
  local made = {}
  for _, example in ipairs(EXAMPLES) do
    local name, arguments, expected = table.unpack(example)
    made[name] = made[name] or compile(folder, name, language, flags)
    local text, fine = run(("%s '%s' %s"):format(environment, made[name], arguments))
    assert.equal(not example.fails, fine, text)
    assert.equal(expected, example.fails and text:sub(1, #expected) or text)
  end
end

describe("kernel/examples", function()
  local folder
  setup(function() folder = program.folder() end)
  teardown(function() program.remove(folder) end)

  it("are all run", function()
    local run_here = {}
    for _, example in ipairs(EXAMPLES) do run_here[example[1] .. ".c"] = true end
    for name in program.listing(program.home .. "/kernel/examples"):gmatch "%S+" do
      assert.is_true(run_here[name], name)
    end
  end)

  for language in pairs(LANGUAGES) do
    it("compile as " .. language .. " and run with the archive of the build", function()
      local flags = "-I'%s/kernel' '%s' %s -lcsv -ljansson -lz -llzma -lbz2 -lzstd -lm -pthread"
      check(folder, language, flags:format(program.home, archive, sanitized or ""), "")
    end)
  end

  it("compile and run with an installed library", function()
    if sanitized then return pending "the installed library has no sanitizer" end
    must(("env -u MAKEFLAGS -u MAKELEVEL make -C '%s' install PREFIX='%s/usr'")
      :format(program.home, folder))
    local config = ("$(PKG_CONFIG_PATH='%s/usr/lib/pkgconfig' pkg-config --cflags --libs orrery)")
      :format(folder)
    for language in pairs(LANGUAGES) do
      check(folder, language, config, ("LD_LIBRARY_PATH='%s/usr/lib'"):format(folder))
    end
    must(("env -u MAKEFLAGS -u MAKELEVEL make -C '%s' uninstall PREFIX='%s/usr'")
      :format(program.home, folder))
    assert.equal("", must(("find '%s/usr' -type f -o -type l"):format(folder)))
  end)
end)
