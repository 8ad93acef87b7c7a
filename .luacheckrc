std = "lua54"
max_line_length = 100

-- A policy touches nothing but its arguments: no files, no globals, no clock.
stds.policy = {
   read_globals = {
      "assert", "error", "ipairs", "math", "next", "pairs", "pcall", "select", "setmetatable",
      "getmetatable", "string", "table", "tonumber", "tostring", "type", "utf8",
   },
}
files["policies/"].std = "policy"
files["spec/"].std = "+busted"
files["scripts/command/new_policy/"].std = "policy"
files["scripts/command/new_policy/*spec.lua"].std = "lua54+busted"
files["scripts/command/new_policy/*_spec.lua"].globals = { "orrery", "policy" } -- of spec.lua
files["scripts/command/new_policy/spec.lua"].ignore = { "211" } -- used by the specs in its frame
