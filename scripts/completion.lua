-- completion: prints the script that completes command lines in a shell (bash, zsh, fish)
--
--   orrery completion bash >~/.local/share/bash-completion/completions/orrery
--   orrery completion fish >~/.config/fish/completions/orrery.fish
local argparse = require "argparse"
local command = require "orrery.command.command"
local orrery = require "orrery"
local words = require "orrery.command.shell_words"

local FILES = { bash = "orrery.bash", zsh = "_orrery", fish = "orrery.fish" }

local parser = argparse("orrery completion", "Prints the script with which a shell completes "
  .. "commands, options, policies and files of orrery. `make install` and the packages put it "
  .. "where the shells look for it.")
parser:argument("shell", "bash, zsh (a file _orrery in a folder of fpath), or fish.")
  :choices { "bash", "zsh", "fish" }:argname "SHELL"

local completion = command.new(parser, function(given)
  local path = ("%s/scripts/completion/%s"):format(orrery.home, FILES[given.shell])
  io.stdout:write(command.read_file(path) or command.fail("%s is not there", path))
end)

-- The shell scripts call `completion --words -- WORD...` with the words behind `orrery`, the last
-- one as far as it is typed. The answer has one candidate per line, and behind a tab its
-- description; `:` stands for names of files.
function completion.instead()
  return arg[1] == "--words" and function()
    for _, one in ipairs(words.candidates(table.move(arg, 3, #arg, 1, {}))) do
      print(one.about and one.word .. "\t" .. one.about or one.word)
    end
  end
end

return completion
