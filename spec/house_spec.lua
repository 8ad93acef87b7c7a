-- .ci/house: a small tree keeps all the rules; with one more file for each rule it breaks them all.
local program = require "spec.support.program"

-- The small tree: a folder above another one, in each a public header, an internal one and code.
local CLEAN = {
  ["kernel/orrery.h"] = [[
#pragma once
#include "base/api.h"
#include "sim/jobs.h"
]],
  ["kernel/base/api.h"] = [[
#pragma once
#if defined(__cplusplus)
#define ORR_API extern "C" __attribute__((visibility("default")))
#else
#define ORR_API __attribute__((visibility("default")))
#endif
typedef enum orr_kind { ORR_KIND_ONE } orr_kind;
ORR_API int orr_number(void);
]],
  ["kernel/base/half_internal.h"] = [[
#pragma once
enum { ORI_HALVES = 2 };
int ori_half(int number);
]],
  ["kernel/base/api.c"] = [[
/* The number. */
#include "base/api.h"
#include "base/half_internal.h"
int orr_number(void) { return ori_half(84); }
]],
  ["kernel/base/half.c"] = "/* Columns are no bytes: " .. ("ä"):rep(70) .. " */\n" .. [[
#include "base/half_internal.h"
int ori_half(int number) { return number / ORI_HALVES; }
]],
  ["kernel/sim/jobs.h"] = [[
#pragma once
#include "base/api.h"
typedef struct orr_jobs orr_jobs;
ORR_API int orr_jobs_count(const orr_jobs *jobs);
]],
  ["kernel/sim/jobs_internal.h"] = [[
#pragma once
#include "sim/jobs.h"
struct orr_jobs {
    int count;
};
]],
  ["kernel/sim/jobs.c"] = [[
/* Jobs. */
#include "sim/jobs_internal.h"
int orr_jobs_count(const orr_jobs *jobs) { return jobs->count + orr_number(); }
]],
  ["bindings/jobs.c"] = '#include "sim/jobs.h"\n',
}

-- Builds a tree and its archive as the Makefile does.
local BUILD = [[
set -e; cd '%s'; unset LD_PRELOAD
for file in kernel/*/*.c; do
    mkdir -p "build/${file%%/*}"
    cc -std=c11 -fvisibility=hidden -Ikernel -c -o "build/${file%%.c}.o" "$file"
done
cc -r -nostdlib -o build/liborrery.o build/kernel/*/*.o
objcopy --localize-hidden build/liborrery.o
ar rcs build/liborrery.a build/liborrery.o
]]

-- A function of an object of its own.
local function code(text, includes)
  return ("/* One breach. */\n%s\n%s\n"):format(includes or "", text)
end

local function header(text)
  return ("/* One breach. */\n#pragma once\n%s\n"):format(text)
end

-- What breaks a rule, the files that do it, what is said of the rule, and the place that is shown.
local BREACHES = {
  { "an include of Lua", { ["base/lua_internal.h"] = "#include <lua.h>\n" },
    "knows nothing of Lua", "kernel/base/lua_internal.h:1: <lua.h>" },
  { "a print", { ["base/print.c"] = code('void ori_p(void);\nvoid ori_p(void) { puts("x"); }',
    "#include <stdio.h>") }, "prints nothing", "base/print.o: puts" },
  { "an exit", { ["base/exit.c"] = code("void ori_e(void);\nvoid ori_e(void) { exit(1); }",
    "#include <stdlib.h>") }, "never exits", "base/exit.o: exit" },
  { "a sort by qsort", { ["sim/sort.c"] = code("void ori_s(int *list,\n"
    .. "           int (*before)(const void *, const void *));\nvoid ori_s(int *list,\n"
    .. "           int (*before)(const void *, const void *))\n{\n"
    .. "    qsort(list, 2, 4, before);\n}", "#include <stdlib.h>") },
    "does not call qsort", "kernel/sim/sort.c:8:    qsort(" },
  { "a mutable global", { ["base/global.c"] = code("static int calls;\nint *ori_g(void);\n"
    .. "int *ori_g(void) { return &calls; }") }, "no mutable globals", "base/global.o: calls" },
  { "a mutable global of each thread", { ["base/thread.c"] = code(
    "static _Thread_local int mine = 1;\nint *ori_t(void);\nint *ori_t(void) { return &mine; }") },
    "no mutable globals", "base/thread.o: mine" },
  { "a public function in ori_", { ["base/open.c"] = code(
    "__attribute__((visibility(\"default\"))) int ori_open(void);\n"
    .. "int ori_open(void) { return 1; }") },
    "public names of the kernel begin with orr_", "base/open.o ori_open" },
  { "an internal function in orr_", { ["base/hidden.c"] = code(
    "int orr_hidden(void);\nint orr_hidden(void) { return 1; }") },
    "internal ones with ori_", "base/hidden.o orr_hidden" },
  { "a type without a prefix in a public header", { ["sim/type.h"] =
    header("typedef struct span {\n    int low;\n} span;") },
    "public headers declare names in orr_", "kernel/sim/type.h:3: span" },
  { "a type in ori_ in a public header", { ["sim/time.h"] = header("typedef double ori_time;") },
    "public headers declare names in orr_", "kernel/sim/time.h:3: ori_time" },
  { "a macro in ORI_ in a public header", { ["sim/most.h"] = header("#define ORI_MOST(x) 3") },
    "public headers declare names in orr_", "kernel/sim/most.h:3: ORI_MOST" },
  { "a type in orr_ in an internal header", { ["sim/sink_internal.h"] =
    header("typedef int (*orr_sink)(void);") },
    "internal headers names in ori_", "kernel/sim/sink_internal.h:3: orr_sink" },
  { "an enumerator in ORR_ in an internal header", { ["sim/more_internal.h"] =
    header("typedef enum ori_more {\n    ORR_MORE,\n} ori_more;") },
    "internal headers names in ori_", "kernel/sim/more_internal.h:4: ORR_MORE" },
  { "an include upwards", { ["base/up_internal.h"] = '#include "sim/jobs.h"\n' },
    "include downwards only", 'kernel/base/up_internal.h:1: "sim/jobs.h"' },
  { "a circle of files", {
    ["base/chicken.c"] = code("int ori_hen(int x);\nint ori_egg(int x);\n"
      .. "int ori_hen(int x) { return ori_egg(x); }"),
    ["base/egg.c"] = code("int ori_hen(int x);\nint ori_egg(int x);\n"
      .. "int ori_egg(int x) { return x > 0 ? ori_hen(x - 1) : 0; }") },
    "no circles among the files", "base/chicken.c -> base/egg.c" },
  { "a circle through an inline function", {
    ["sim/door_internal.h"] = header("int ori_key(int x);\nint ori_lock(int x);\n"
      .. "static inline int ori_door(int x)\n{\n    return ori_key(x);\n}"),
    ["sim/door.c"] = code("int ori_lock(int x) { return x; }", '#include "sim/door_internal.h"'),
    ["sim/key.c"] = code("int ori_key(int x) { return ori_lock(x); }",
      '#include "sim/door_internal.h"') },
    "no circles among the files", "sim/door.c -> sim/key.c" },
  { "a header of two files", {
    ["sim/two_internal.h"] = header("int ori_one(void);\nint ori_two(void);"),
    ["sim/one.c"] = code("int ori_one(void) { return 1; }", '#include "sim/two_internal.h"'),
    ["sim/two.c"] = code("int ori_two(void) { return 2; }", '#include "sim/two_internal.h"') },
    "declares functions of one file", "kernel/sim/two_internal.h: sim/one.c sim/two.c" },
  { "a call upwards", { ["base/above.c"] = code("int orr_jobs_count(const void *jobs);\n"
    .. "int ori_above(void);\nint ori_above(void) { return orr_jobs_count(0); }") },
    "call downwards only", "base/above.c sim/jobs.c" },
  { "an include of a higher room", {
    ["rigid/queue/low_internal.h"] = '#include "rigid/whatif/high_internal.h"\n',
    ["rigid/whatif/high_internal.h"] = header("") },
    "include downwards only",
    'kernel/rigid/queue/low_internal.h:1: "rigid/whatif/high_internal.h"' },
  { "a header that needs another one", { ["base/size_internal.h"] = "int ori_size(size_t x);\n" },
    "each header compiles alone", "base/size_internal.h:1:" },
  { "a header that orrery.h forgets", { ["base/more.h"] = header("") },
    "includes every public header", "kernel/base/more.h" },
  { "a header that is no C++", { ["sim/flag.h"] =
    header("#include <stdatomic.h>\n"
    .. "typedef struct orr_flag {\n    atomic_int raised;\n} orr_flag;") },
    "compiles as C11, C17, C++17 and C++20", "kernel/sim/flag.h:5:" },
  { "a header that only clang warns about", { ["sim/same.h"] =
    header("static inline int orr_same(int a)\n{\n    a = a;\n    return a;\n}") },
    "compiles as C11, C17, C++17 and C++20", "kernel/sim/same.h:5:" },
  { "a file without a comment", { ["sim/quiet.c"] = "#include \"base/api.h\"\n" },
    "opens with a comment", "kernel/sim/quiet.c:1" },
  { "a long line", { ["base/long_internal.h"] = "/* " .. ("x"):rep(95) .. " */\n" },
    "at most 100 columns", "kernel/base/long_internal.h:1:" },
  { "an internal header in the bindings", { ["../bindings/more.c"] =
    "#include \"sim/jobs_internal.h\"\n" },
    "only public headers of the kernel", 'bindings/more.c:1: "sim/jobs_internal.h"' },
}

-- The small tree with one more file or two for each breach; orrery.h has the public ones.
local function broken()
  local files, listed = {}, {}
  for path, text in pairs(CLEAN) do files[path] = text end
  for _, breach in ipairs(BREACHES) do
    for path, text in pairs(breach[2]) do
      files["kernel/" .. path] = text
      if path:find "%.h$" and not path:find "_internal" and path ~= "base/more.h" then
        listed[#listed + 1] = ('#include "%s"\n'):format(path)
      end
    end
  end
  table.sort(listed)
  files["kernel/orrery.h"] = CLEAN["kernel/orrery.h"] .. table.concat(listed)
  return files
end

-- Writes a tree and builds it, as the Makefile does.
local function plant(folder, files)
  for path, text in pairs(files) do
    assert(os.execute(("mkdir -p '%s/%s'"):format(folder, path:match "^(.*)/")))
    program.write(folder, path, text)
  end
  assert(os.execute(BUILD:format(folder)))
end

-- What .ci/house says of a tree, and whether it was content.
local function house(folder)
  local command = "cd '%s' && unset LD_PRELOAD && CC=cc '%s/.ci/house' build/liborrery.a 2>&1"
  local pipe = assert(io.popen(command:format(folder, program.home)))
  local text = pipe:read "a"
  return text, pipe:close() == true
end

describe(".ci/house", function()
  local folder
  setup(function() folder = program.folder() end)
  teardown(function() program.remove(folder) end)

  it("has nothing to say about a tree that keeps the rules", function()
    plant(folder .. "/clean", CLEAN)
    local text, content = house(folder .. "/clean")
    assert.equal("", text)
    assert.is_true(content)
  end)

  describe("in a tree that breaks each of them", function()
    local said = {} -- by rule: the places
    setup(function()
      plant(folder .. "/broken", broken())
      local text, content = house(folder .. "/broken")
      assert.is_false(content)
      local rule
      for line in text:gmatch "[^\n]+" do
        if line:find "^    " then
          said[rule] = said[rule] .. line .. "\n"
        else
          rule = line
          said[rule] = ""
        end
      end
    end)

    for _, breach in ipairs(BREACHES) do
      local what, _, rule, place = table.unpack(breach)
      it("finds " .. what, function()
        for text, places in pairs(said) do
          if text:find(rule, 1, true) then
            return assert.is_truthy(places:find(place, 1, true), place .. " is not in\n" .. places)
          end
        end
        error("not said: " .. rule)
      end)
    end
  end)
end)
