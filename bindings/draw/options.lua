-- options: the options of a picture, checked: names and numbers of options, and names of files.

local checks = require "orrery.support.checks"

local options = {}

-- The given options; an empty table for nil. `class` of schema/pictures.lua has the known options.
function options.checked(given, class)
  if given == nil then return {} end
  if type(given) ~= "table" then
    error(("expected a table of options, found %s"):format(type(given)), 0)
  end
  local known, set = checks.names_of("pictures." .. class), {}
  for _, name in ipairs(known) do set[name] = true end
  table.sort(known)
  for name in pairs(given) do
    if not set[name] then
      error(("unknown option '%s' (known: %s)"):format(tostring(name), table.concat(known, ", ")),
        0)
    end
  end
  return given
end

-- A number of the options within limits, or the default.
function options.number(given, name, default, least, most)
  local value = given[name]
  if value == nil then return default end
  if type(value) ~= "number" or not (value >= least and value <= most) then
    error(("%s: expected a number from %g to %g, found '%s'"):format(name, least, most,
      tostring(value)), 0)
  end
  return math.floor(value)
end

-- The extension of a file's name, in small letters: one of `endings`; the first one for standard
-- output. `what` names the drawing in messages; other: one more accepted extension.
function options.ending(what, file, endings, other)
  if file == "/dev/stdout" then return endings[1] end
  local found = type(file) == "string" and file:lower():match "%.(%w+)$"
  for _, ending in ipairs(found and endings or {}) do
    if found == ending or found == other then return found end
  end
  error(("%s: expected the name of a file that ends in .%s, found %s"):format(what,
    table.concat(endings, ", .", 1, #endings - 1) .. (#endings > 1 and " or ." or "")
      .. endings[#endings], file and checks.quoted(file) or "none"), 0)
end

-- Prints a text; with text = true it is returned instead.
function options.say(text, given)
  if given.text then return text end
  io.stdout:write(text, "\n")
end

return options
