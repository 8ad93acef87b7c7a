-- The page of the playground in a real browser (page.js): a policy is written, compared and forked,
-- loops, memory and damaged logs are messages, and nothing is loaded from elsewhere.
local program = require "spec.support.program"

local playground = os.getenv "ORRERY_PLAYGROUND" -- make test-playground says where it is

-- What page.js says, and whether all was well.
local function look(argument)
  local script = program.home .. "/spec/bindings/playground/page.js"
  local pipe = assert(io.popen(("env -u LD_PRELOAD node '%s' '%s' 2>&1")
    :format(script, argument)))
  local text = pipe:read "a"
  return pipe:close() == true, text
end

describe("the playground", function()
  it("does in a browser what it is for", function()
    if not playground then return pending "make test-playground runs it" end
    local can, why = look "can"
    if not can then return pending("no browser can be started: " .. why:match "[^\n]*") end
    local ok, text = look(playground)
    assert.is_true(ok, text)
    assert.equal(19, select(2, text:gsub("\nok ", "")))
  end)

  -- What a browser loads before the first picture; the editor is in page.js.
  it("is small", function()
    if not playground then return pending "make test-playground runs it" end
    local function packed(names)
      local pipe = assert(io.popen(([[cd '%s' && env -u LD_PRELOAD node -e "
        let sum = 0;
        for (const name of '%s'.split(' ')) {
          sum += require('zlib').brotliCompressSync(require('fs').readFileSync(name)).length;
        }
        console.log(sum)"]]):format(playground, names)))
      local size = tonumber(pipe:read "a")
      pipe:close()
      return size
    end
    local engine = packed "orrery.js orrery.wasm orrery.data worker.js"
    local page = packed "page.js page.css index.html guide.json"
    assert.is_true(engine < 700e3, engine)
    assert.is_true(engine + page < 1500e3, engine + page)
  end)
end)
