-- policy_checks: the kinds of policies, and checks of a policy's table. A part is one of a policy's
-- files or tables, see sandbox.lua.
local policy_checks = {}

-- By the folder in which Orrery finds policies of this kind. Policies for jobs are `dispatch` or
-- `priority`.
--   of           what simulates them: "jobs", "tasks" or "packs"
--   what, give   what one is, and how it is given
--   starts       what `orrery new-policy` says of its template
--   wanted       of policies for tasks: what is said of another kind in their place
--   hooks        that a part of a description (see sandbox.lua) stands for
--   keys         of its table; those of jobs are completed by the names of their events
--   does, never  what it does, and what is said of those that do not
--   has          how messages quote a key that only such policies have
policy_checks.kinds = {
  dispatch = {
    of = "jobs", what = "a dispatch policy", give = "give it as the policy",
    starts = "what starts when", hooks = { "dispatch" },
    keys = { "name", "about", "source", "options", "per", "priority", "dispatch", "init",
      "backfill", "groups", "caches" },
    does = "schedules jobs", never = "schedules no jobs", has = "a %s",
  },
  priority = { of = "jobs", what = "a priority", give = "give it as the priority",
    starts = "the order of the queue", hooks = { "priority" } },
  redistribute = {
    of = "tasks", what = "a redistribution policy", hooks = { "on_end", "on_fault" },
    wanted = "for jobs; tasks want a redistribution policy",
    starts = "which malleable task gets which processors",
    keys = { "name", "about", "source", "options", "on_end", "on_fault", "every_fault", "on_start",
      "period", "init", "caches" },
    does = "redistributes tasks", never = "redistributes no tasks", has = "an %s",
  },
  pack = {
    of = "packs", what = "a pack policy", wanted = "and makes no packs", hooks = { "pack" },
    starts = "which moldable tasks run together",
    keys = { "name", "about", "source", "options", "pack", "caches" },
    does = "makes packs", never = "makes no packs", has = "'%s'",
  },
}

-- What `orrery new-policy` has templates of: the kinds, and dispatch policies with more hooks.
policy_checks.templates = { "priority", "dispatch", "hooks", "pack", "redistribute" }

-- The keys that tell of what kind a policy is, the surest first. on_end is a hook of both.
policy_checks.signs = {
  { "pack", "pack" }, { "dispatch", "dispatch" }, { "groups", "dispatch" },
  { "on_fault", "redistribute" }, { "priority", "priority" }, { "on_end", "redistribute" },
}

function policy_checks.contains(list, item)
  for _, value in ipairs(list) do
    if value == item then return true end
  end
  return false
end

-- Raises an error of a part, or of none (nil).
function policy_checks.fail(part, format, ...)
  error((part and ("policy %s: "):format(part.name) or "") .. format:format(...), 0)
end

-- Raises an error where the table has other keys than these. `where` they are follows the key in
-- the message, or stands before it as "option x: ".
function policy_checks.keys(part, given, keys, where, before)
  for key in pairs(given) do
    if not policy_checks.contains(keys, key) then
      policy_checks.fail(part, "%sunknown key '%s'%s (known: %s)", before or "", tostring(key),
        where and " " .. where or "", table.concat(keys, ", "))
    end
  end
end

-- The hook of this name, a function or nil.
function policy_checks.hook(part, value, name)
  if value[name] ~= nil and type(value[name]) ~= "function" then
    policy_checks.fail(part, "%s must be a function, it is a %s", name, type(value[name]))
  end
  return value[name]
end

return policy_checks
