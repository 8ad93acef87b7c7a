-- .ci/house: each rule of the house is broken once, in a small tree that keeps all the others.
local program = require "spec.support.program"

-- The small tree: a folder above another one, in each a public header, an internal one and code.
local CLEAN = {
  ["kernel/orrery.h"] = [[
#ifndef ORR_ORRERY_H
#define ORR_ORRERY_H
#include "base/api.h"
#include "sim/jobs.h"
#endif
]],
  ["kernel/base/api.h"] = [[
#ifndef ORR_BASE_API_H
#define ORR_BASE_API_H
#if defined(__cplusplus)
#define ORR_API extern "C" __attribute__((visibility("default")))
#else
#define ORR_API __attribute__((visibility("default")))
#endif
typedef enum orr_kind { ORR_KIND_ONE } orr_kind;
ORR_API int orr_number(void);
#endif
]],
  ["kernel/base/half_internal.h"] = [[
#ifndef ORR_BASE_HALF_INTERNAL_H
#define ORR_BASE_HALF_INTERNAL_H
enum { ORI_HALVES = 2 };
int ori_half(int number);
#endif
]],
  ["kernel/base/api.c"] = [[
/* The number. */
#include "base/api.h"
#include "base/half_internal.h"
int orr_number(void) { return ori_half(84); }
]],
  ["kernel/base/half.c"] = [[
/* Halves. */
#include "base/half_internal.h"
int ori_half(int number) { return number / ORI_HALVES; }
]],
  ["kernel/sim/jobs.h"] = [[
#ifndef ORR_SIM_JOBS_H
#define ORR_SIM_JOBS_H
#include "base/api.h"
typedef struct orr_jobs orr_jobs;
ORR_API int orr_jobs_count(const orr_jobs *jobs);
#endif
]],
  ["kernel/sim/jobs_internal.h"] = [[
#ifndef ORR_SIM_JOBS_INTERNAL_H
#define ORR_SIM_JOBS_INTERNAL_H
#include "sim/jobs.h"
struct orr_jobs {
    int count;
};
#endif
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

local folders = {}
local function plant(changed)
  local folder = program.folder()
  folders[#folders + 1] = folder
  local files = {}
  for _, list in ipairs { CLEAN, changed } do
    for path, text in pairs(list) do files[path] = text end
  end
  for path, text in pairs(files) do
    assert(os.execute(("mkdir -p '%s/%s'"):format(folder, path:match "^(.*)/")))
    program.write(folder, path, text)
  end
  assert(os.execute(BUILD:format(folder)))
  return folder
end

-- What .ci/house says of a tree, and whether it was content.
local function house(folder)
  local command = "cd '%s' && unset LD_PRELOAD && CC=cc '%s/.ci/house' build/liborrery.a 2>&1"
  local pipe = assert(io.popen(command:format(folder, program.home)))
  local text = pipe:read "a"
  return text, pipe:close() == true
end

-- A file of the clean tree with something behind it, or with one piece for another.
local function with(path, more) return { [path] = CLEAN[path] .. more } end
local function instead(path, from, to)
  local first, last = CLEAN[path]:find(from, 1, true)
  return { [path] = CLEAN[path]:sub(1, first - 1) .. to .. CLEAN[path]:sub(last + 1) }
end

local CIRCLE = {
  ["kernel/base/half.c"] = "/* Halves. */\n#include \"base/api.h\"\n"
    .. "#include \"base/half_internal.h\"\n"
    .. "int ori_half(int number) { return number > 9 ? number / 2 : orr_number(); }\n",
}
local UPWARD = {
  ["kernel/base/half.c"] = "/* Halves. */\n#include \"base/half_internal.h\"\n"
    .. "extern int orr_jobs_count(const void *jobs);\n"
    .. "int ori_half(int number) { return number / 2 + orr_jobs_count(0); }\n",
}

-- What is planted, and what of the answer: the rule, and the place.
local BREACHES = {
  { "an include of Lua", { ["kernel/base/lua_internal.h"] = "#include <lua.h>\n" },
    "knows nothing of Lua", "kernel/base/lua_internal.h:1: <lua.h>" },
  { "a print", with("kernel/base/half.c", "#include <stdio.h>\nvoid ori_say(void);\n"
    .. "void ori_say(void) { puts(\"half\"); }\n"), "prints nothing", "base/half.o: puts" },
  { "an exit", with("kernel/base/half.c", "#include <stdlib.h>\nvoid ori_end(void);\n"
    .. "void ori_end(void) { exit(1); }\n"), "never exits", "base/half.o: exit" },
  { "a sort by qsort", with("kernel/base/half.c", "#include <stdlib.h>\n"
    .. "void ori_sort(void *list, int (*before)(const void *, const void *));\n"
    .. "void ori_sort(void *list, int (*before)(const void *, const void *))\n"
    .. "{\n    qsort(list, 2, 1, before);\n}\n"), "does not call qsort", "kernel/base/half.c:8: " },
  { "a mutable global", with("kernel/base/half.c", "static int calls;\nint *ori_calls(void);\n"
    .. "int *ori_calls(void) { return &calls; }\n"), "no mutable globals", "base/half.o: calls" },
  { "a mutable global of a thread", with("kernel/base/half.c",
    "static _Thread_local int calls = 1;\nint *ori_calls(void);\n"
    .. "int *ori_calls(void) { return &calls; }\n"), "no mutable globals", "base/half.o: calls" },
  { "a public function in ori_", with("kernel/base/half.c",
    "__attribute__((visibility(\"default\"))) int ori_open(void);\n"
    .. "int ori_open(void) { return 1; }\n"),
    "public names of the kernel begin with orr_", "base/half.o ori_open" },
  { "an internal function in orr_", with("kernel/base/half.c",
    "int orr_hidden(void);\nint orr_hidden(void) { return 1; }\n"),
    "internal ones with ori_", "base/half.o orr_hidden" },
  { "a type without a prefix in a public header",
    instead("kernel/base/api.h", "ORR_API int",
      "typedef struct span {\n    int low;\n} span;\nORR_API int"),
    "public headers declare names in orr_", "kernel/base/api.h:9: span" },
  { "a type in ori_ in a public header",
    instead("kernel/base/api.h", "ORR_API int", "typedef double ori_time;\nORR_API int"),
    "public headers declare names in orr_", "kernel/base/api.h:9: ori_time" },
  { "a type in orr_ in an internal header",
    instead("kernel/base/half_internal.h", "int ori", "typedef int (*orr_sink)(void);\nint ori"),
    "internal headers names in ori_", "kernel/base/half_internal.h:4: orr_sink" },
  { "an enumerator in ORR_ in an internal header",
    instead("kernel/base/half_internal.h", "ORI_HALVES", "ORR_HALVES = 3, ORI_HALVES"),
    "internal headers names in ori_", "kernel/base/half_internal.h:3: ORR_HALVES" },
  { "a macro in ORI_ in a public header",
    instead("kernel/sim/jobs.h", "typedef", "#define ORI_MOST 3\ntypedef"),
    "public headers declare names in orr_", "kernel/sim/jobs.h:4: ORI_MOST" },
  { "an include upwards", with("kernel/base/half.c", "#include \"sim/jobs.h\"\n"),
    "include downwards only", 'kernel/base/half.c:4: "sim/jobs.h"' },
  { "a circle of files", CIRCLE, "no circles among the files",
    "base/api.c -> base/half.c" },
  { "a circle of folders", UPWARD, "no circles among the folders", "base -> sim" },
  { "a header that needs another one",
    { ["kernel/base/size_internal.h"] = "int ori_size(size_t number);\n" },
    "each header compiles alone", "base/size_internal.h:1:" },
  { "a header that orrery.h forgets", { ["kernel/base/more.h"] = "int orr_more(void);\n" },
    "includes every public header", "kernel/base/more.h" },
  { "a header that is no C++",
    instead("kernel/base/api.h", "ORR_API int", "#include <stdatomic.h>\n"
      .. "typedef struct orr_flag {\n    atomic_int raised;\n} orr_flag;\nORR_API int"),
    "compiles as C11, C17, C++17 and C++20", "kernel/base/api.h:11:" },
  { "a header that only clang warns about",
    instead("kernel/base/api.h", "ORR_API int", "static inline int orr_same(int a)\n"
      .. "{\n    a = a;\n    return a;\n}\nORR_API int"),
    "compiles as C11, C17, C++17 and C++20", "kernel/base/api.h:11:" },
  { "a file without a comment", { ["kernel/sim/quiet.c"] = "#include \"base/api.h\"\n" },
    "opens with a comment", "kernel/sim/quiet.c:1" },
  { "a long line", with("kernel/base/half.c", "/* " .. ("x"):rep(95) .. " */\n"),
    "at most 100 columns", "kernel/base/half.c:4:" },
  { "an internal header in the bindings", with("bindings/jobs.c",
    "#include \"sim/jobs_internal.h\"\n"),
    "only public headers of the kernel", 'bindings/jobs.c:2: "sim/jobs_internal.h"' },
}

describe(".ci/house", function()
  teardown(function()
    for _, folder in ipairs(folders) do program.remove(folder) end
  end)

  it("has nothing to say about a tree that keeps the rules", function()
    local text, content = house(plant {})
    assert.equal("", text)
    assert.is_true(content)
  end)

  it("counts columns, not bytes", function()
    local text = house(plant(with("kernel/base/half.c", "/* " .. ("ä"):rep(94) .. " */\n")))
    assert.equal("", text)
  end)

  for _, breach in ipairs(BREACHES) do
    local what, changed, rule, place = table.unpack(breach)
    it("finds " .. what, function()
      local text, content = house(plant(changed))
      assert.is_truthy(text:find(rule, 1, true), "not said: " .. rule .. "\n" .. text)
      assert.is_truthy(text:find(place, 1, true), "not shown: " .. place .. "\n" .. text)
      assert.is_false(content)
    end)
  end
end)
