-- The fuzzers of the C API (spec/fuzz): they call every public function, and what is kept of their
-- inputs runs here without libFuzzer.
local lfs = require "lfs"
local program = require "spec.support.program"

-- Functions that no fuzzer names.
local OTHERS = {
  orr_alloc = "memory: every fuzzer has an allocator that the kernel calls through these",
  orr_allocator_or_default = "memory", orr_calloc = "memory", orr_resize = "memory",
  orr_error_prefix = "format of a message, which is the caller's",
  orr_check_stints = "orr_malleable_check calls it, with all that was recorded",
  orr_draw_unit_small = "the rare part of orr_draw_unit_positive, which is inline",
  orr_geometric_failures = "the rare part of orr_draw_geometric, which is inline",
}

-- Enums and fields that the kernel answers with, or never looks at.
local ANSWERS = {
  orr_purpose = true, orr_task_state = true, orr_rigid_job_state = true, orr_left_out = true,
  orr_outcome = true, orr_outage_kind = true, orr_stop = true, orr_stints_what = true,
  orr_rigid_reason = true, orr_remark = true, orr_fidelity_verdict = true,
  remark_user = "handed to remark", trap = "called where the kernel is broken",
  zone = "the calendar of Lua policies",
}

local function read_all(folder, pattern, deep)
  local texts = {}
  for name in lfs.dir(folder) do
    local path = folder .. "/" .. name
    if deep and name:sub(1, 1) ~= "." and lfs.attributes(path, "mode") == "directory" then
      texts[#texts + 1] = read_all(path, pattern, true)
    elseif name:match(pattern) and not name:match "_internal%.h$" then
      texts[#texts + 1] = program.read(path)
    end
  end
  return table.concat(texts, "\n")
end

describe("the fuzzers", function()
  it("call every public function, but those that are named here", function()
    local calls, declared = read_all("spec/fuzz", "%.[ch]$"), 0
    for declaration in read_all("kernel", "%.h$", true):gmatch "ORR_API ([^;]-)%(" do
      local name = declaration:match "(orr_[%w_]+)$"
      if name then
        declared = declared + 1
        local called = calls:find(name .. "(", 1, true) ~= nil
        assert.equal(OTHERS[name] == nil, called, name)
      end
    end
    assert.is_true(declared > 240)
  end)

  it("know the last value of every enum, and every field of what a caller fills", function()
    local calls = read_all("spec/fuzz", "%.[ch]$")
    local headers, enums, structs = read_all("kernel", "%.h$", true), 0, 0
    for values, name in headers:gmatch "typedef enum [%w_]+ (%b{}) (orr_[%w_]+);" do
      local last = values:gsub("/%*.-%*/", ""):match ".*(ORR_[%u%d_]+)"
      assert.is_truthy(ANSWERS[name] or calls:find(last, 1, true), name .. ": " .. last)
      enums = enums + 1
    end
    for fields, name in headers:gmatch "typedef struct [%w_]+ (%b{}) (orr_[%w_]+);" do
      local filled = fields:find "size_t size; +/%* sizeof this" ~= nil
      fields = fields:gsub("/%*.-%*/", ""):gsub("%(%*([%w_]+)%)%b()", "%1")
      for field in (filled and fields or ""):gmatch "([%w_]+)%f[;,]" do
        local known = ANSWERS[field] or calls:find("[.>]" .. field .. "%f[^%w_]")
        assert.is_truthy(known, name .. "." .. field)
      end
      structs = structs + (filled and 1 or 0)
    end
    assert.is_true(enums > 20 and structs > 10)
  end)

  for _, name in ipairs { "rigid", "malleable", "packs", "workload" } do
    it("find nothing in their corpus: " .. name, function()
      local replay = os.getenv "ORRERY_BUILD" .. "/spec/fuzz-" .. name
      local folder = "spec/fuzz/corpus/" .. name
      local log = os.tmpname()
      local good = os.execute(("env -u LD_PRELOAD '%s' %s/* >%s 2>&1"):format(replay, folder, log))
      local said = program.read(log)
      os.remove(log)
      assert.is_true(good, said:sub(-2000))
      local _, files = said:gsub("\nspec/", "\nspec/")
      assert.is_true(files > 50)
    end)
  end

  -- What `make fuzz FUZZ_SEED=...` runs, in the normal build.
  it("try the same inputs for the same seed, whatever comes of them", function()
    local function sequence(name, seed, inputs)
      local found = os.tmpname()
      local command = ("env -u LD_PRELOAD '%s/spec/fuzz-%s' %d 60 %d 600 %s %s"):format(
        os.getenv "ORRERY_BUILD", name, seed, inputs, "spec/fuzz/corpus/packs", found)
      local pipe = assert(io.popen(command))
      local said = pipe:read "a"
      assert.is_true(pipe:close())
      os.remove(found)
      local count, hash = said:match("^(%d+) inputs of seed " .. seed .. ", hash (%x+)\n$")
      assert.equal(inputs, tonumber(count), said)
      return hash
    end
    local hash = sequence("packs", 18, 500)
    assert.equal(hash, sequence("packs", 18, 500))
    assert.equal(hash, sequence("workload", 18, 500))
    assert.not_equal(hash, sequence("packs", 19, 500))
    assert.not_equal(hash, sequence("packs", 18, 501))
  end)
end)
