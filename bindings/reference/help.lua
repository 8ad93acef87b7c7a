-- help: orrery.help, the reference as text for a terminal. Returns all data about the functions,
-- objects and tables of the module, for the prompt, the manuals and the annotations.
local catalogue = require "orrery.host.catalogue"
local core = require "orrery.core"
local lists = require "orrery.support.lists"
local names_of = require "orrery.support.names"
local index = require "orrery.reference.index"
local metrics = require "orrery.schema.metrics"
local objects = require "orrery.reference.objects"
local policies = require "orrery.host.policies"
local program = require "orrery.support.program"
local text_of = require "orrery.reference.text"

local plain, wrap, brief = text_of.plain, text_of.wrap, text_of.brief

local help = {}

for _, part in ipairs { index, text_of, objects } do
  for name, value in pairs(part) do help[name] = value end
end

-- --- parts of the text --------------------------------------------------------------------------

local WIDEST = 30 -- the widest first column with the text beside it

-- Rows of two cells: { name, text }.
local function columns(rows, width, indent)
  local widest = 0
  for _, row in ipairs(rows) do
    if #row[1] <= WIDEST then widest = math.max(widest, #row[1]) end
  end
  local lines, gap = {}, (" "):rep(#indent + widest + 2)
  for _, row in ipairs(rows) do
    local head = indent .. row[1]
    if #row[1] > widest then
      lines[#lines + 1], head = head, gap
    else
      head = head .. (" "):rep(widest - #row[1]) .. "  "
    end
    lines[#lines + 1] = wrap(row[2], width, gap, head)
  end
  return table.concat(lines, "\n")
end

local BASIC = { any = "anything", ["self"] = "itself", string = "text" }

-- The name of a named type in words.
local function word_of(name)
  local class = index.by_class[name]
  if class then return class.kind or "table" end
  for _, alias in ipairs(index.aliases) do
    if alias.name == name then return alias.words end
  end
  return BASIC[name] or name
end

local type_words

local function part_words(part)
  local inside = part:match "^%((.*)%)%[%]%??$"
  if inside then return "list of " .. type_words(inside) end
  local name, brackets = part:match "^([%w_]+)([%[%]]*)%??$"
  if name then
    local word = word_of(name)
    if brackets == "" then return word end
    word = (word:match "s$" or word == "text") and word or word .. "s"
    return "list of " .. ("lists of "):rep(#brackets // 2 - 1) .. word
  end
  if part:match "^fun%(" then return "function" end
  if part:match "^table<" then return "table" end
  if part:match "^{ %[1%]" then return "{ from, to }" end
  return (part:gsub("%?$", ""))
end

-- A type in words, without parts that are only for editors.
function type_words(given)
  local list, seen = {}, {}
  for _, part in ipairs(index.split(given, "|")) do
    local word = part_words(part)
    if not seen[word] then list[#list + 1], seen[word] = word, true end
  end
  return table.concat(list, " or ")
end

-- The text of a field; of a metric that its name explains, how it is computed.
local function about_of(entry)
  local about = entry.about == "" and entry.formula or text_of.full(entry)
  return plain(text_of.with_unit(entry, about))
end

local function field_rows(class)
  return lists.map(class.entries, function(entry) return { entry.name, about_of(entry) } end)
end

local function brief_rows(entries)
  return lists.map(entries, function(entry) return { entry.written, brief(entry) } end)
end

-- "Policies: easy, fcfs, ..." from a field of each of a list.
local function listed(what, list, field, width)
  local names = lists.map(list, function(one) return field and one[field] or one end)
  return wrap(("%s: %s."):format(what, table.concat(names, ", ")), width, "  ", "")
end

local function parameters(entry, width)
  local rows = {}
  for i, param in ipairs(entry.params) do
    local rest = param.optional and ", may be left out" or ""
    rows[i] = { param.name, type_words(param.type) .. rest }
  end
  if #entry.returns > 0 then
    local words = lists.map(entry.returns, type_words)
    rows[#rows + 1] = { "returns", table.concat(words, ", ") }
  end
  return columns(rows, width, "  ")
end

-- The tables that a function takes, unless its text lists their fields.
local function add_tables(parts, entry, width)
  for _, param in ipairs(entry.params) do
    for _, class in ipairs(index.tables_in(param.type)) do
      if not entry.about:find("{fields " .. class.name, 1, true) then
        parts[#parts + 1] = ("  %s\n%s"):format(plain(class.about),
          columns(field_rows(class), width, "    "))
      end
    end
  end
end

-- --- topics --------------------------------------------------------------------------------------

function help.on_entry(entry, width)
  local class, parts = entry.class, {}
  local whose = ""
  if not class.shown and not class.at_prompt or class.host then
    whose = (" (%s)"):format(plain(class.about):match "^(.-)%.?$")
  elseif class.kind and class.kind ~= class.shown then
    whose = (" (%s)"):format(class.kind)
  end
  parts[1] = wrap(entry.written .. whose, width, "  ", "")
  local about = wrap(about_of(entry), width, "  ")
  if about:find "%S" then parts[2] = about end
  if entry.params and (#entry.params > 0 or #entry.returns > 0) then
    parts[#parts + 1] = parameters(entry, width)
    add_tables(parts, entry, width)
  elseif not entry.params then
    parts[#parts + 1] = wrap(type_words(entry.type), width, "  ")
  end
  return table.concat(parts, "\n\n")
end

-- Objects with their members, tables with their fields.
local function on_class(class, width)
  if not class.kind then
    return ("%s\n\n%s"):format(wrap(plain(class.about), width, ""),
      columns(field_rows(class), width, "  "))
  end
  return table.concat({ class.kind, wrap(plain(class.about), width, "  "),
    columns(brief_rows(class.members), width, "  ") }, "\n\n")
end

local function option_rows(options)
  local rows = {}
  for i, name in ipairs(names_of.sorted(options or {})) do
    local option = options[name]
    local words = { ("default %s"):format(tostring(option.default)) }
    if option.unit then words[1] = words[1] .. " " .. option.unit end
    if option.about then words[#words + 1] = option.about end
    if option.values then words[#words + 1] = "one of " .. table.concat(option.values, ", ") end
    rows[i] = { name, table.concat(words, "; ") }
  end
  return rows
end

local function on_policy(name, described, width)
  local title = described.title and described.title ~= name
    and ("%s: %s"):format(name, described.title) or name
  local parts = { title, wrap(described.about or "It says nothing about itself.", width, "  ") }
  local rows = {}
  if described.source then rows[#rows + 1] = { "source", described.source } end
  if described.hooks and #described.hooks > 0 then
    rows[#rows + 1] = { "hooks", table.concat(described.hooks, ", ") }
  end
  rows[#rows + 1] = { "file", described.path }
  parts[#parts + 1] = columns(rows, width, "  ")
  local options = option_rows(described.options)
  if #options > 0 then
    parts[#parts + 1] = "  Options:\n" .. columns(options, width, "    ")
  end
  return table.concat(parts, "\n\n")
end

local function on_command(one, width)
  local parser = program.parser(one.name)
  if not parser then
    return ("orrery %s\n\n%s\n\n  orrery %s --help tells its options."):format(one.name,
      wrap(one.about, width, "  "), one.name)
  end
  local text = parser:help_max_width(width):get_help():gsub("^Usage:.-\n\n", "")
  return ("orrery %s\n\n%s"):format(one.name, text:match "^(.-)%s*$")
end

local function overview(width)
  local commands = program.commands()
  return table.concat({
    wrap(("Orrery %s. help(thing) and help \"name\" tell more, of a function, an object, a method, "
      .. "a policy, a command or a field."):format(core.version), width, ""),
    columns(brief_rows(index.by_class.orrery.entries), width, "  "),
    listed("Objects", objects.kinds(), nil, width),
    listed("At the prompt", index.by_class.Prompt.entries, "written", width),
    listed("Policies", policies.list(), "name", width)
      .. (#commands > 0 and "\n\n" .. listed("Commands", commands, "name", width) or ""),
    wrap([[Try help "compare", help "session:finish", help "job.procs", help
      "dispatch/easy".]], width, ""),
  }, "\n\n")
end

-- --- names --------------------------------------------------------------------------------------

-- The names under which a class is found.
local function class_names(class)
  local names = { class.name, class.kind or class.name }
  table.move(class.names or {}, 1, #(class.names or {}), #names + 1, names)
  return names
end

local function is_called(class, name) return lists.set(class_names(class))[name] end

-- Entries that are called OWNER.NAME, OWNER:NAME or just NAME.
local function find_entries(text)
  local owner, name = text:match "^(.-)[.:]([%w_]+)$"
  name = name or text
  local found, seen = {}, {}
  for _, class in ipairs(index.classes) do
    for _, entry in ipairs(not class.parts and class.members or {}) do
      if entry.name == name and not seen[entry] and (not owner or is_called(class, owner)) then
        found[#found + 1], seen[entry] = entry, true
      end
    end
  end
  return found, owner
end

-- Names that a misspelt one may mean.
local function all_names()
  local names = {}
  for _, class in ipairs(index.classes) do
    names[#names + 1] = class.kind
    for _, entry in ipairs(class.members) do
      if entry.name:match "^[%a_]" then
        names[#names + 1] = entry.name
        if class.kind then
          names[#names + 1] = class.kind .. (entry.is_method and ":" or ".") .. entry.name
        end
      end
    end
  end
  for name in pairs(metrics.jobs.per_job) do names[#names + 1] = name end
  for _, policy in ipairs(policies.names()) do
    names[#names + 1], names[#names + 2] = policy, policy:match "/(.+)$"
  end
  for _, one in ipairs(program.commands()) do names[#names + 1] = one.name end
  return names
end

local function unknown(text, width)
  return wrap(("Nothing here is called '%s'%s"):format(text,
    names_of.suggestion(text, all_names(), "; help() tells what there is.")), width, "")
end

-- The full name of a policy, the path of one; nil for other texts.
local function policy_name(text)
  if text:match "%.lua$" or text:match "^[./~]" then return text end
  for _, name in ipairs(policies.names()) do
    if name == text or name:match "/(.+)$" == text then return name end
  end
end

-- The policies that a text names, also with options behind a colon, and two joined by +.
local function find_policies(text, found, width)
  local parts, names = policy_name(text) and { text } or index.split(text, "+"), {}
  for i, part in ipairs(parts) do
    names[i] = policy_name(part:match "^(.-):[%w_-]+=" or part)
    if not names[i] then return end
  end
  for _, name in ipairs(names) do
    local ok, described = pcall(catalogue.describe, name)
    found[#found + 1] = ok and on_policy(name, described, width) or tostring(described)
  end
end

-- Objects and tables that a text names; the tables that a function takes are included.
local function find_classes(text, with_tables, found, width)
  for _, class in ipairs(index.classes) do
    if (class.kind or with_tables) and not class.parts and is_called(class, text) then
      found[#found + 1] = on_class(class, width)
    end
  end
end

-- Metrics that are not fields: metrics of a single job, and metrics computed only on request.
local function find_metrics(text, found, width)
  local function add(owner, entry, about)
    found[#found + 1] = ("%s (%s)\n\n%s"):format(text, owner, wrap(text_of.with_unit(entry,
      about:gsub(" %(.-%)$", "")), width, "  "))
  end
  local of_job = metrics.jobs.per_job[text]
  if of_job then add("a metric of each job", of_job, plain(of_job.formula)) end
  for _, kind in pairs(metrics) do
    for _, entry in ipairs(kind.more or {}) do
      if entry[1] == text then
        add("a metric of comparisons", entry, entry.label or entry.title or entry.head)
      end
    end
  end
end

-- Whether the word occurs in a file: so most policies need not be loaded to search them.
local function mentions(path, word)
  local file = io.open(path, "rb")
  local text = file and file:read "a" or ""
  if file then file:close() end
  return text:find("%f[%w_]" .. word .. "%f[^%w_]") ~= nil
end

local function find_options(text, found, width)
  local rows = {}
  for _, one in ipairs(text:find "^[%a_][%w_]*$" and policies.list() or {}) do
    local done, described = false, nil
    if mentions(one.path, text) then done, described = pcall(catalogue.describe, one.name) end
    local option = done and described.options[text]
    if option then rows[#rows + 1] = { one.name, option_rows({ [text] = option })[1][2] } end
  end
  if #rows > 0 then
    found[#found + 1] = ("%s (an option of policies)\n\n%s"):format(text,
      columns(rows, width, "  "))
  end
end

local MANY = 3

-- Entries of the same name: a few of them in full, more of them in a line each.
local function add_entries(entries, found, width)
  if #entries <= MANY then
    for _, entry in ipairs(entries) do found[#found + 1] = help.on_entry(entry, width) end
    return
  end
  local rows = {}
  for i, entry in ipairs(entries) do
    local class = entry.class
    local owner = class.shown or class.names and class.names[1] or class.name
    local head = class.shown and entry.written or ("%s.%s"):format(owner, entry.name)
    rows[i] = { head, brief(entry) }
  end
  found[#found + 1] = ("There are several:\n\n%s"):format(columns(rows, width, "  "))
end

local function on_text(text, width)
  local found = {}
  local bare = text:gsub("%(.*$", "")
  if text:find "^%-%-" then bare = text:sub(3):gsub("%-", "_") end -- the field of an option
  local entries, owner = find_entries(bare)
  local of_module = index.by_class.orrery.by_name[bare]
  if of_module then found[1] = help.on_entry(of_module, width) end
  find_classes(bare, not of_module, found, width)
  find_policies(text, found, width)
  for _, one in ipairs(program.commands()) do
    if one.name == text then found[#found + 1] = on_command(one, width) end
  end
  if #found == 0 or owner then add_entries(entries, found, width) end
  find_metrics(text, found, width)
  find_options(text, found, width)
  if #found == 0 then return unknown(text, width) end
  return table.concat(found, "\n\n")
end

-- The reference's text about a thing, in lines of at most `width` letters (80).
function help.help(thing, width)
  width = math.max(40, width or 80)
  if thing == nil then return overview(width) end
  if type(thing) == "string" then return on_text(thing, width) end
  local entry = type(thing) == "function" and objects.entry_of(thing)
  if entry then return help.on_entry(entry, width) end
  local class = objects.class_of(thing)
  if class then return on_class(class, width) end
  return wrap(("help knows functions of orrery, its objects and their methods, and names; this is "
    .. "a %s."):format(type(thing)), width, "")
end

return help
