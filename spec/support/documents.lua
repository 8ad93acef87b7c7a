-- Runs the code blocks of a document: commands, whose output the document may show, programs in Lua
-- and policies. spec/documents/ has a spec for each document, so that they run side by side.
local program = require "spec.support.program"

local documents = {}

-- The fenced blocks of a Markdown file: { language =, file =, code = }.
function documents.blocks(path)
  local list = {}
  for head, code in ("\n" .. program.read(path)):gmatch("\n```(%l[^\n]*)\n(.-)\n```") do
    list[#list + 1] = {
      language = head:match("^%l+"), file = head:match("file=(%S+)"), code = code,
    }
  end
  return list
end

function documents.is_script(block)
  return block.code:find('require "orrery"', 1, true) ~= nil
end

-- What a file's blocks do, in the order of the text. of_policies: Lua without a file that does not
-- ask for the module is a policy, and tried in another way. busted: the environment of the spec.
function documents.describe_blocks(busted, path, least, of_policies)
  local it, setup, teardown, assert = busted.it, busted.setup, busted.teardown, busted.assert
  local folder, found = nil, documents.blocks(path)
  local run = {}

  setup(function()
    folder = program.folder()
    -- what a user has here: the program, and the files of the project that texts name
    assert(os.execute(("ln -s '%s' '%s/orrery' && ln -s '%s/scripts' '%s/scripts'"):format(
      program.path, folder, program.home, folder)))
  end)

  teardown(function() program.remove(folder) end)

  local function shell(code)
    -- the sanitizers' runtime is for the module in stock Lua, not for gnuplot
    local command = ("cd '%s' && unset LD_PRELOAD && export LC_ALL=C.UTF-8 && { %s\n} >output 2>&1")
      :format(folder, code)
    local ok, _, status = os.execute(command)
    local output = program.read(folder .. "/output")
    assert.is_true(ok, ("status %s of\n%s\n%s"):format(status, code, output))
    assert.is_truthy(output:find("%S"), "prints nothing: " .. code)
    return output
  end

  for i, block in ipairs(found) do
    if block.language == "lua" and block.file then
      -- before the commands that name it: blocks run in the order of the text
      it(("block %d writes %s"):format(i, block.file), function()
        program.write(folder, block.file, block.code .. "\n")
        run[#run + 1] = i
      end)
    elseif block.language == "lua" and not (of_policies and not documents.is_script(block)) then
      it(("block %d runs"):format(i), function()
        program.write(folder, "block.lua", block.code .. "\n")
        shell("./orrery block.lua")
        run[#run + 1] = i
      end)
    elseif block.language == "c" then
      it(("block %d compiles: %s"):format(i, block.file), function()
        program.write(folder, block.file, block.code .. "\n")
        local command = ("env -u LD_PRELOAD cc -std=c11 -Wall -Wextra -Werror -fsyntax-only "
          .. "-Ikernel '%s/%s' 2>&1"):format(folder, block.file)
        local pipe = assert(io.popen(command))
        assert.equal("", pipe:read "a")
        assert.is_true(pipe:close())
      end)
    elseif block.language == "sh" and not block.code:match("^make") then
      it(("block %d runs: %s"):format(i, block.code:match("^[^\n]*")), function()
        local output, shown = shell(block.code), found[i + 1]
        if shown and shown.language == "text" then assert.equal(shown.code .. "\n", output) end
        if shown and shown.language == "picture" then -- what is below it stays
          assert.equal(shown.code:match "[^\n]*$", output:match "([^\n]*)\n$")
        end
        run[#run + 1] = i
      end)
    end
  end

  it("has blocks of each kind", function() assert.is_true(#run >= least) end)
end

return documents
