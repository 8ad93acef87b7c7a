-- serve: lets a program in any language drive Orrery, with lines of JSON
--
--   orrery serve --stdio
--   echo '{"id":1,"call":"version"}' | orrery serve --stdio
local argparse = require "argparse"
local command = require "orrery.command.command"

local parser = argparse("orrery serve", "Answers requests, each a line of JSON, with a line of "
  .. "JSON: the functions of `require \"orrery\"` and the methods of what they return. "
  .. "spec/EMBEDDING.md describes them; the call \"calls\" lists them.")
parser:flag("--stdio", "Requests come on standard input, answers go to standard output, and what "
  .. "is printed goes to standard error. There is no other way.")

return command.new(parser, function(given)
  if not given.stdio then command.misuse "give --stdio: there is no other way to serve" end
  require("orrery.program.serve").run()
end)
