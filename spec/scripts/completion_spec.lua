-- `orrery completion`: what bash, zsh and fish make of a command line when somebody presses Tab.
local lfs = require "lfs"
local orrery = require "orrery"
local program = require "spec.support.program"
local terminal = require "spec.support.terminal"

-- The words that the scripts are told, without what they are.
local function candidates(...)
  local quoted = {}
  for i, word in ipairs { ... } do quoted[i] = orrery.tools.quote(word) end
  local status, out, err = program.run(program.home,
    "completion --words -- " .. table.concat(quoted, " "))
  assert.same({ 0, "" }, { status, err })
  local list = {}
  for line in out:gmatch "[^\n]+" do list[#list + 1] = line:match "^[^\t]*" end
  return table.concat(list, " ")
end

describe("orrery completion", function()
  it("knows the commands, and those of commands", function()
    local all = " " .. candidates "" .. " "
    for file in lfs.dir(program.home .. "/scripts") do
      local one = file:match "^(.+)%.lua$" or "replay"
      assert.is_truthy(all:find(" " .. one .. " ", 1, true), one)
    end
    assert.equal("replay :", candidates "repl")
    assert.equal("lublin", candidates("generate", "lu"))
    assert.equal("--days", candidates("generate", "lublin", "--da"))
    assert.equal("sweep", candidates("help", "sw"))
    assert.equal("five-lines", candidates("examples", "five"))
    assert.equal("rr9296", candidates("reproduce", "rr"))
  end)

  it("says what is there of a user's own", function()
    local folder = program.folder()
    assert(os.execute(("mkdir -p '%s/policies/dispatch' '%s/scripts'"):format(folder, folder)))
    program.write(folder, "policies/dispatch/zebra.lua", "return {}")
    program.write(folder, "scripts/zoo.lua", "-- zoo: animals")
    local _, out = program.run(folder, "completion --words -- zo", "ORRERY_PATH=" .. folder)
    assert.equal("zoo\tanimals\n:\n", out)
    _, out = program.run(folder, "completion --words -- replay --policy z",
      "ORRERY_PATH=" .. folder)
    assert.equal("zebra\n:\n", out)
    program.remove(folder)
  end)

  it("prints the script of a shell", function()
    for shell, name in pairs { bash = "orrery.bash", zsh = "_orrery", fish = "orrery.fish" } do
      local status, out = program.run(program.home, "completion " .. shell)
      assert.same({ 0, program.read("scripts/completion/" .. name) }, { status, out })
    end
    assert.equal(2, (program.run(program.home, "completion tcsh")))
  end)

  -- A shell in a terminal, in a folder with the program and two files.
  local SHELLS = {
    bash = "env PS1='$ ' bash --norc --noprofile -i",
    zsh = "env PS1='$ ' zsh -f -i",
    fish = "fish --no-config",
  }
  local BEGIN = {
    bash = ". <(orrery completion bash)",
    zsh = "autoload -U compinit; compinit -u -D; . <(orrery completion zsh)",
    fish = "function fish_prompt; echo '$ '; end; orrery completion fish | source",
  }

  local function in_shell(shell)
    if not terminal.installed then return pending "tmux is not installed" end
    if not os.execute("command -v " .. shell .. " >/dev/null") then
      return pending(shell .. " is not installed")
    end
    local folder, t = program.folder(), terminal.new()
    program.write(folder, "table of jobs.csv", "")
    assert(os.execute(("mkdir '%s/bin' && ln -s '%s' '%s/bin/orrery'"):format(folder, program.path,
      folder)))
    local finally = setmetatable({}, { __close = function()
      t.close()
      program.remove(folder)
    end })
    local _ <close> = finally
    t.tmux(([[new-session -d -s spec -x 150 -y 30 "cd %s && env -u ORRERY_PATH ORRERY_HOME=%s ]]
      .. [[HOME=%s XDG_CONFIG_HOME= TERM=xterm PATH=%s/bin:$PATH %s"]]):format(folder,
      program.home, folder, folder, SHELLS[shell]))
    t.wait_until("there is no prompt", function(shown) return shown:find "[$#>] \n*$" end)
    t.type_line(BEGIN[shell] .. "; clear; echo ready")
    t.wait_for "\nready\n"
    local function completes(typed, expected)
      t.type_line(typed, "Tab")
      t.wait_for(expected)
      t.keys("C-u")
    end
    completes("orrery repr", "$ orrery reproduce ")
    completes("orrery replay --precis", "$ orrery replay --precision ")
    completes("orrery replay --policy shelf-n", "$ orrery replay --policy shelf-nofill ")
    completes("orrery replay --overrun ext", "$ orrery replay --overrun extend ")
    completes("orrery replay --wide=d", "$ orrery replay --wide=drop ")
    completes("orrery log tab", "$ orrery log table\\ of\\ jobs.csv ")
  end

  for shell in pairs(SHELLS) do
    local long = shell == "bash" and "" or " #long"
    it("completes in " .. shell .. long, function() in_shell(shell) end)
  end
end)
