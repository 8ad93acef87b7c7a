-- The man page, from the commands' own help and the reference.
--
-- man.page(orrery, help_of) gives the text of orrery.1; help_of("generate lublin") is what that
-- command prints with --help. man.parse(text) reads such a text, and man.plain has the other texts
-- of the page.
local man = {}

-- --- texts that only the page has ----------------------------------------------------------------

man.invocations = {
  { "orrery COMMAND ...",
    "A command; `orrery COMMAND --help` tells its options, as this page does." },
  { "orrery FILE.lua ...", "A script, with `orrery` loaded and `arg` set." },
  { "orrery", "A prompt, where the input is a terminal; else the input is a script." },
  { "orrery -i", "A prompt in any case." },
  { "orrery -e CODE", "Runs the code." },
  { "orrery --version, --help", "The version; the list of commands." },
}

man.environment = {
  { "ORRERY_PATH", "Folders with policies and commands of your own, between colons: "
    .. "policies/KIND/NAME.lua and scripts/NAME.lua in each." },
  { "ORRERY_HOME", "Where policies, scripts and data are, if not beside the program." },
  { "ORRERY_TRACES", "The folder of the logs that the search for likely-short trains on, too." },
  { "ORRERY_TRACEBACK", "If set, errors of commands and scripts show a traceback." },
  { "ORRERY_WORKER", "Set for the processes of a sweep: Ctrl-C ends them without a word." },
  { "PATH", "Where gnuplot and rsvg-convert are looked for, which draw." },
  { "XDG_CONFIG_HOME", "Its folder orrery is searched behind ORRERY_PATH; by default ~/.config." },
  { "XDG_DATA_HOME", "Its folder orrery/mira has the logs that `orrery fetch-mira` fetched; by "
    .. "default ~/.local/share." },
  { "XDG_STATE_HOME", "Its file orrery/history has the lines of the prompt; by default "
    .. "~/.local/state." },
  { "NO_COLOR", "Where it is set, schedules in the terminal have letters instead of colours." },
  { "COLORTERM", "Where it is truecolor or 24bit, they have all colours, else those of 256." },
  { "COLUMNS, LINES", "How large they and help are where standard output is no terminal; by "
    .. "default 80 and 24." },
  { "LC_ALL, LC_CTYPE, LANG", "The first that is set says whether they may have Unicode: UTF-8." },
  { "HOME", "The user's folder, `~` above." },
}

man.files = {
  { "PREFIX/share/orrery/policies, scripts, data", "What is shipped." },
  { "PREFIX/share/orrery/meta/orrery.lua", "Annotations of the module for editors with "
    .. "lua-language-server." },
  { "PREFIX/share/doc/orrery", "The READMEs: the module, policies, metrics." },
  { "~/.config/orrery/policies/KIND/NAME.lua", "A policy of your own, KIND/NAME." },
  { "~/.config/orrery/scripts/NAME.lua", "A command of your own." },
}

man.status = {
  { "0", "It is done." },
  { "1", "It failed: an error of a policy, a file that cannot be written, a check that does not "
    .. "hold." },
  { "2", "Bad input: the command or its options were not understood, there is no such policy or "
    .. "option of one, a file cannot be read or does not hold what it should." },
  { "130", "It was interrupted by Ctrl-C." },
}

-- --- reading --help -----------------------------------------------------------------------------

-- The entries of a section: { label, text }. A label may continue on the next line, and the text
-- may begin there.
local function add_line(section, line)
  local last = section[#section]
  local part, text = line:match "^%s+(%-%S.-,)%s%s+(%S.*)$"
  if part then
    section[#section + 1] = { part, text, open = true }
    return
  end
  local label, rest = line:match "^   (%S.-)%s%s+(%S.*)$"
  label = label or line:match "^   (%S.*)$"
  if label and last and last.open then
    last[1], last.open = last[1] .. " " .. label, nil
  elseif label then
    section[#section + 1] = { label, rest or "" }
  else
    last[2] = (last[2] .. " " .. line:match "^%s*(.-)$"):match "^%s*(.-)$"
  end
end

-- { usage =, about =, sections = { { head =, { label, text }, ... } } } from the output of --help.
function man.parse(help)
  local usage, rest = help:match "^Usage: (.-)\n\n(.*)$"
  local parsed = { usage = usage:gsub("%s+", " "), about = "", sections = {} }
  local section
  for line in (rest .. "\n"):gmatch "([^\n]*)\n" do
    local head = line:match "^(%u.*):$"
    if head then
      section = { head = head }
      parsed.sections[#parsed.sections + 1] = section
    elseif section and line:match "^%s+%S" then
      add_line(section, line)
    elseif line ~= "" then
      section = nil
      parsed.about = parsed.about .. (parsed.about ~= "" and " " or "") .. line
    end
  end
  return parsed
end

-- --- roff ---------------------------------------------------------------------------------------

-- Long lists of words may be broken behind a comma.
local function breakable(word) return #word > 30 and word:gsub(",", ",\\:") or word end

local function escape(text)
  text = text:gsub("\\", "\\e"):gsub("%-", "\\-"):gsub("^([.'])", "\\&%1")
  return (text:gsub("%S+", breakable))
end

-- A text as lines; `code` is bold.
local function prose(text) return (escape(text):gsub("`([^`]*)`", "\\fB%1\\fR")) end

local function add_list(lines, rows)
  for _, row in ipairs(rows) do
    lines[#lines + 1] = ".TP\n\\fB" .. escape(row[1]) .. "\\fR"
    lines[#lines + 1] = row[2] ~= "" and prose(row[2]) or "\\&"
  end
end

local function add_section(lines, head, rows)
  lines[#lines + 1] = ".SH " .. head
  add_list(lines, rows)
end

local function is_help(row) return row[1]:match "^%-h, %-%-help" end

-- "orrery compare [OPTIONS] [LOG]": without the options, which are listed.
local function short_usage(usage)
  local rest, found = usage:gsub("%b[] ?", function(part)
    return part:match "^%[%-" and "" or nil
  end)
  return found > 0 and rest:gsub("^(orrery [%w -]*[%w])", "%1 [OPTIONS]", 1) or usage
end

-- One command, with its subcommands if it has some.
local function add_command(lines, name, about, help_of)
  local parsed = man.parse(help_of(name))
  lines[#lines + 1] = ".SS " .. escape("orrery " .. name)
  lines[#lines + 1] = prose(parsed.about ~= "" and parsed.about or about)
  lines[#lines + 1] = ".PP\n" .. escape(short_usage(parsed.usage))
  for _, section in ipairs(parsed.sections) do
    local rows = {}
    for _, row in ipairs(section) do rows[#rows + 1] = not is_help(row) and row or nil end
    if #rows > 0 then
      lines[#lines + 1] = ".PP\n\\fI" .. escape(section.head) .. ":\\fR"
      add_list(lines, rows)
    end
    for _, row in ipairs(section.head == "Commands" and section or {}) do
      add_command(lines, name .. " " .. row[1], row[2], help_of)
    end
  end
end

local DESCRIPTION = [[Orrery simulates the scheduling of HPC jobs on machines that fail, under
  policies written in Lua. Commands replay logs, compare policies on the same failures with
  confidence intervals, and run the experiments of papers again; the module orrery offers the same,
  and more, to scripts and at the prompt, where `help()` tells what there is.]]

function man.page(orrery, help_of)
  local lines = {
    ('.TH ORRERY 1 "" "Orrery %s" "User Commands"'):format(orrery.version), ".nh\n.ad l",
    ".SH NAME", "orrery \\- simulates job scheduling on machines that fail", ".SH SYNOPSIS",
  }
  for i, row in ipairs(man.invocations) do
    lines[#lines + 1] = (i > 1 and ".br\n" or "") .. "\\fB" .. escape(row[1]) .. "\\fR"
  end
  lines[#lines + 1] = ".SH DESCRIPTION\n" .. prose(DESCRIPTION:gsub("%s+", " "))
  add_list(lines, man.invocations)
  lines[#lines + 1] = ".SH COMMANDS"
  for _, one in ipairs(orrery.tools.commands()) do
    add_command(lines, one.name, one.about, help_of)
  end
  add_section(lines, '"EXIT STATUS"', man.status)
  add_section(lines, "ENVIRONMENT", man.environment)
  add_section(lines, "FILES", man.files)
  lines[#lines + 1] = ".SH EXAMPLES\n.nf\norrery replay \\-\\-day 2019\\-06\\-14\n"
    .. "orrery compare \\-\\-policy greedy \\-\\-policy easy \\-\\-by day \\-\\-batch \\-\\-q 0.05 "
    .. "\\-\\-runs 100\norrery policies\n.fi"
  lines[#lines + 1] = ".SH SEE ALSO\n\\fBlua\\fR(1), \\fBgnuplot\\fR(1)\n"
  return table.concat(lines, "\n")
end

return man
