-- renamed: modules that had another name once; `require` of an old name gives an error with the new
-- name.
local NEW = {
  ["lib.account"] = "orrery.command.summary",
  ["lib.collection"] = "orrery.command.script_folder",
  ["lib.kept"] = "orrery.command.resume",
  ["lib.plot"] = "orrery.command.result_plot",
  ["lib.reading"] = "orrery.command.log_options",
  ["lib.rows"] = "orrery.command.result_rows",
  ["lib.simulate"] = "orrery.command.simulation_command",
  ["orrery.draw.again"] = "orrery.draw.redraw",
  ["orrery.draw.metrics"] = "orrery.values.metrics",
  ["orrery.draw.paint"] = "orrery.draw.palette",
  ["orrery.draw.pixels"] = "orrery.draw.png",
  ["orrery.draw.words"] = "orrery.draw.report_text",
}

-- The message for an old name; nil for other names. Shared modules of commands were lib.NAME and
-- are orrery.command.NAME, below `home`.
return function(name, home)
  local new = NEW[name] or name:gsub("^lib%.", "orrery.command.")
  local part = new:match "^orrery%.command%.(.+)$"
  if new == name or part and not package.searchpath(part, home .. "/scripts/command/?.lua") then
    return nil
  end
  return ("'%s' is called '%s' now"):format(name, new)
end
