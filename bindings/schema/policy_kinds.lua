-- policy_kinds: the kinds of policies. Whatever differs from kind to kind stands here, and all
-- others read it: finding, loading and checking policies, runs, searches, commands, help.
--
-- Of a kind:
--   name         the folder of its policies
--   of           the engine that simulates them: "jobs", "tasks" or "packs". It has the views that
--                hooks see, the workloads of `orrery check`, and comparisons and searches
--   what, give   what one is, and how one is given to an engine that also wants another kind
--   tried        what `orrery check` calls it, where that is not `what`
--   wanted       what is said of another kind in its place (none: of a policy for tasks)
--   instead      the same of a policy of the engine with that name
--   starts       what `orrery new-policy` says of its template, scripts/command/new_policy/NAME.lua
--   template     a second template, and what is said of it
--   hooks        that a part of a description (see host/sandbox.lua) stands for
--   keys         of its table; those of jobs are completed by the names of their events
--   signs, hints keys that tell of what kind a policy is: hints only where no sign of any kind does
--   does, never  what it does, and what is said of those that do not
--   has          how messages quote a key that only such policies have; has_other: one of others
--   under        the policy under which `orrery check` tries it: it decides nothing alone
--   default      the policy that an engine runs where none is given
--   command      that runs them, if it is not one for jobs
--   stands_for   the kind in whose place such a policy is given, to everything that takes that
--   makes        then the function that makes the hooks of that kind: of its table, with its hooks
local policy_kinds = {
  { name = "priority", of = "jobs", what = "a priority", give = "give it as the priority",
    starts = "the order of the queue", hooks = { "priority" }, hints = { "priority" },
    under = "dispatch/easy" },
  {
    name = "dispatch", of = "jobs", what = "a dispatch policy", give = "give it as the policy",
    tried = "a policy for jobs",
    starts = "what starts when", hooks = { "dispatch" }, signs = { "dispatch", "groups" },
    template = { "hooks", "acting while jobs come and go, on groups of processors, as redirection "
      .. "does" },
    keys = { "name", "about", "source", "options", "per", "priority", "dispatch", "init",
      "backfill", "groups", "caches" },
    does = "schedules jobs", never = "schedules no jobs", has = "a %s",
  },
  {
    name = "pack", of = "packs", what = "a pack policy", wanted = "and makes no packs",
    starts = "which moldable tasks run together", hooks = { "pack" }, signs = { "pack" },
    keys = { "name", "about", "source", "options", "pack", "caches" },
    does = "makes packs", never = "makes no packs", has = "'%s'", has_other = "'%s'",
    default = "pack/pack-by-pack", command = "pack",
  },
  {
    name = "redistribute", of = "tasks", what = "a redistribution policy",
    wanted = "for jobs; tasks want a redistribution policy",
    instead = { packs = "a pack that runs wants a redistribution policy" },
    starts = "which malleable task gets which processors", hooks = { "on_end", "on_fault" },
    signs = { "on_fault" }, hints = { "on_end" },
    keys = { "name", "about", "source", "options", "on_end", "on_fault", "every_fault", "on_start",
      "period", "init", "caches" },
    does = "redistributes tasks", never = "redistributes no tasks", has = "an %s",
    default = "redistribute/none", command = "redistribute",
  },
}

policy_kinds.by_name = {}
-- By the names of engines: the kind that decides alone, in whose place others may stand.
policy_kinds.engines = {}
-- The names of the templates of `orrery new-policy`, and what each one decides, by its name.
policy_kinds.templates, policy_kinds.starts = {}, {}
-- Pairs of a key and the name of the kind that it tells, the surest ones first.
policy_kinds.signs = {}

local function add_template(name, starts)
  table.insert(policy_kinds.templates, name)
  policy_kinds.starts[name] = starts
end

for _, kind in ipairs(policy_kinds) do
  policy_kinds.by_name[kind.name] = kind
  if not (kind.under or kind.stands_for) then policy_kinds.engines[kind.of] = kind end
  kind.shown_default = kind.default and ('"%s"'):format(kind.default)
  add_template(kind.name, kind.starts)
  if kind.template then add_template(table.unpack(kind.template)) end
end
for _, list in ipairs { "signs", "hints" } do
  for _, kind in ipairs(policy_kinds) do
    for _, key in ipairs(kind[list] or {}) do
      table.insert(policy_kinds.signs, { key, kind.name })
    end
  end
end

-- The kind of this name as an engine takes it: the one that it stands for, or itself.
function policy_kinds.taken_as(name)
  return policy_kinds.by_name[policy_kinds.by_name[name].stands_for or name]
end

-- The names of the kinds, or of those that `is` says yes of.
function policy_kinds.names(is)
  local names = {}
  for _, kind in ipairs(policy_kinds) do
    if not is or is(kind) then names[#names + 1] = kind.name end
  end
  return names
end

-- The names of kinds that may be searched: those that decide alone.
function policy_kinds.searched()
  return policy_kinds.names(function(kind) return not kind.under end)
end

-- The type of a field that says a kind.
function policy_kinds.type_of(names) return '"' .. table.concat(names, '"|"') .. '"' end

return policy_kinds
