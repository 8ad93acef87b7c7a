-- Which specs test a file of the product: the spec of the same path, and those that are named here,
-- the nearest ones first.
local specs_of = {}

-- Files, as patterns behind a folder (without the ending), and specs below spec/; the first row
-- that fits counts. A name without a folder is beside the file's own place in spec/.
local TABLE = {
  ["kernel/workload/"] = {
    { "read_json_sacct", "dumps asked" }, { "read_sacct", "sacct asked dumps" },
    { "slurm", "asked sacct outages" }, { "read_described", "formats dumps" },
    { "read_swf", "reader round_trip side_by_side asked" }, { "read_csv", "reader map round_trip" },
    { "read_outages", "outages" }, { "read_tasks", "tasks" },
    { "read_windows", "kernel/rigid/machine/windows bindings/run/windows" },
    { "window", "kernel/rigid/machine/windows bindings/run/windows" },
    { "records", "reader asked dumps sacct bindings/session/dependencies" },
    { "reader", "formats side_by_side" }, { "columns", "reader map tasks" },
    { "map", "formats" },
    { "rows", "reader pieces" }, { "source", "pieces reader" }, { "unpack", "pieces reader" },
    { "zone", "bindings/values/timezone bindings/host/calendar" },
    { "description", "bindings/values/description" },
    { "jobs", "bindings/values/jobs labels side_by_side asked" }, { "links",
      "bindings/session/dependencies" }, { "select", "bindings/values/jobs bindings/values/parts" },
    { "nodes", "bindings/values/nodes kernel/rigid/state/nodes_cases" },
    { "instance", "kernel/rigid/engine bindings/run/estimates bindings/session/dependencies" },
    { "checkpoint", "kernel/rigid/effects/checkpoints bindings/run/jobs" },
    { "limit", "kernel/rigid/queue/limits bindings/values/limits" },
    { "read_json.*", "dumps batsim" }, { "json", "dumps batsim" }, { "dialects", "formats reader" },
    { "read_f.*", "failures kernel/malleable/read_faults" }, { "fault_law", "faults" },
    { "write_csv", "round_trip bindings/values/jobs" }, { "resilience", "kernel/malleable/engine" },
  },
  ["kernel/base/"] = {
    { "print", "text kernel/schedule/export" }, { ".*", "array memory kernel/rigid/memory" },
  },
  ["kernel/schedule/"] = {
    { "check_stints", "check_changes" },
    { "check_stints_.*", "check_stints check_changes" }, { "check_limits",
      "check kernel/rigid/queue/limits kernel/rigid/state/pools" },
    { "check_violation", "check check_nodes" }, { "fidelity", "bindings/run/fidelity" },
    { "blocks", "bindings/run/weekly" }, { "timeline", "bindings/session/timeline" },
    { "attempt_spans", "check_checkpoints bindings/draw/gantt" },
    { "schedule", "export check stream kernel/rigid/queue/limits" },
    { "export", "export_nodes stream" }, { "check", "stream" }, { "stream", "check" },
  },
  ["kernel/sim/"] = {
    { "montecarlo", "kernel/rigid/montecarlo" },
    { ".*", "kernel/rigid/engine kernel/rigid/whatif/change kernel/malleable/change" },
  },
  ["kernel/packs/"] = {
    { "matching", "exact" }, { "program", "exact" }, { "relaxation", "exact" },
    { "bounds", "exact coschedule partition" }, { ".*", "coschedule partition exact" },
  },
  ["kernel/malleable/"] = {
    { "decide", "decisions own_hooks" }, { "share_out", "own_hooks decisions" },
    { "costs", "expected engine" }, { "allocate", "allocation" },
    { "faults", "engine change_machine" }, { "machine", "change_machine" },
    { ".*", "engine change change_machine own_hooks" },
  },
  ["kernel/rigid/effects/"] = {
    { "availability", "kernel/rigid/state/placed kernel/rigid/state/pools bindings/session/why" },
    { "waiting", "kernel/rigid/queue/queue kernel/rigid/queue/limits "
      .. "kernel/rigid/checkpoints_reference bindings/host/formulas" },
    { "capacity", "kernel/rigid/whatif/change kernel/rigid/machine/windows" },
    { "drain", "bindings/session/drain_at kernel/rigid/whatif/change" },
    { "outages", "bindings/session/outages bindings/session/drawn_outages "
      .. "kernel/rigid/machine/windows" },
    { "dependents", "bindings/session/dependencies" }, { "hooks", "bindings/host/hooks" },
    { "attempts", "kernel/rigid/interface/actions kernel/rigid/engine checkpoints "
      .. "kernel/rigid/state/placed" },
  },
  ["kernel/rigid/fast/"] = { { ".*", "shortcuts" } },
  ["kernel/rigid/disciplines/"] = {
    { "conservative", "kernel/rigid/machine/windows kernel/rigid/state/pools" },
    { "disciplines", "kernel/rigid/dispatch kernel/rigid/policies kernel/rigid/state/placed "
      .. "bindings/session/session kernel/rigid/state/nodes_random" },
  },
  ["kernel/rigid/availability/"] = {
    { "named", "kernel/rigid/state/placed kernel/rigid/machine/windows" },
    { "no_earlier", "timetable" },
  },
  ["kernel/rigid/machine/"] = {
    { "outage_source", "bindings/session/drawn_outages bindings/session/expected_remaining "
      .. "bindings/values/node_failures" },
    { "warnings", "bindings/session/warnings" },
    { "place", "kernel/rigid/state/placed bindings/host/placement" },
  },
  ["kernel/rigid/queue/"] = {
    { "formula", "bindings/host/formulas bindings/host/formula_values" },
    { "composition", "bindings/host/queue_and_waits" },
    { "recent_waits", "bindings/host/queue_and_waits" }, { "order", "queue limits" },
    { "rules", "policies/priorities queue" },
  },
  ["kernel/rigid/interface/"] = {
    { "engine", "kernel/rigid/engine kernel/rigid/montecarlo kernel/schedule/metrics" },
    { "actions", "kernel/rigid/state/nodes_cases kernel/rigid/dispatch" },
    { "views", "bindings/host/hooks bindings/host/queue_and_waits" },
    { "groups", "kernel/rigid/engine kernel/rigid/dispatch bindings/session/session" },
    { "parts", "kernel/rigid/engine kernel/rigid/fork kernel/rigid/state/pools" },
  },
  ["kernel/rigid/state/"] = {
    { "nodes.*", "nodes_cases nodes_random kernel/schedule/check_nodes" },
    { "promises", "kernel/rigid/disciplines/conservative bindings/session/dependencies" },
  },
  ["kernel/rigid/whatif/"] = {
    { "why", "bindings/session/why" }, { "submit", "bindings/session/submit" },
    { "live", "bindings/edc/edc bindings/session/submit" },
    { ".*", "change kernel/rigid/fork bindings/session/session" },
  },
  ["kernel/rigid/"] = {
    { "run", "events instants kernel/rigid/queue/limits policies/predictions" },
    { "introduce", "kernel/rigid/whatif/change bindings/session/session" },
  },
  ["bindings/draw/"] = {
    { "gantt_.*", "gantt_chart gantt_script" }, { "gantt", "gantt_script" },
    { "columns", "chart gantt model gantt_chart" },
    { "chart", "gantt gantt_chart" }, { "search_.*", "bindings/search/front scripts/search" },
    { "log", "scripts/log scripts/reports" }, { "report_text", "report" },
    { "axis", "model bindings/values/timezone figure" },
    { ".*", "figure gantt report scripts/pictures" },
  },
  ["bindings/host/"] = {
    { "hooks_tasks", "kernel/malleable/own_hooks hooks" },
    { "views_tasks", "kernel/malleable/own_hooks hooks" }, { "notes", "told "
      .. "bindings/session/watch" },
    { "layouts", "kept" },
    { "watchdog", "sandbox hostile" }, { "hook_writes", "formulas formula_values" },
    { "closures", "semantics host sandbox" }, { "policy_checks", "bindings/schema/policy_kinds" },
    { "catalogue", "scripts/policies host" }, { "policies", "host policies/policies" },
    { "methods_jobs", "hooks host calendar" }, { ".*", "hooks host" },
  },
  ["bindings/session/"] = {
    { "jobs_look", "session timeline watch why" },
    { "instants", "session watch" }, { "coming", "submit" }, { "ids", "submit" },
    { "short_ways", "submit" }, { "live", "bindings/edc/edc" }, { ".*", "session" },
  },
  ["bindings/edc/"] = { { ".*", "edc" } },
  ["bindings/packs/"] = { { ".*", "kernel/packs/coschedule bindings/run/packs" } },
  ["bindings/search/"] = { { ".*", "search bindings/search/tasks bindings/search/packs" } },
  ["bindings/run/"] = { { "per", "scripts/per" }, { ".*", "jobs sets estimates" } },
  ["bindings/program/"] = { { "serve", "scripts/serve" }, { ".*", "program prompt" } },
  ["bindings/reference/"] = { { ".*", "help reference man" } },
  ["bindings/values/"] = {
    { "metrics", "bindings/run/fidelity bindings/run/results kernel/schedule/metrics" },
    { "checkpoint.*", "bindings/run/jobs scripts/checkpoints" }, { "formats",
    "kernel/workload/formats" },
    { "jobs", "slices kernel/workload/weeks kernel/workload/asked" },
    { "jobs_make", "kernel/workload/generate kernel/workload/generate_lublin random" },
    { "machine", "nodes scripts/machine" }, { "pools", "kernel/rigid/state/pools scripts/pools" },
    { "tallies", "bindings/run/summaries" },
    { "windows", "bindings/run/windows" },
  },
  ["bindings/support/"] = {
    { "claims", "scripts/command/claims" }, { "output", "scripts/output scripts/files" },
    { "place", "scripts/files" }, { "filter", "confined" }, { "messages",
    "bindings/host/told raise" },
    { "fields", "bindings/values/metrics bindings/values/description" },
    { "search_paths", "bindings/program/planted" }, { "embedding", "bindings/modules" },
    { "process", "scripts/command/claims" }, { "system", "checksum bindings/program/program" },
    { "interrupted", "bindings/host/interruptible" },
    { "text_or_file", "bindings/run/results bindings/values/description" },
    { "known_fields", "bindings/run/results" }, { "block", "bindings/values/random" },
    { "folders", "shell scripts/own_scripts" },
    { "options", "bindings/values/failures" }, { "names", "bindings/slips checks" },
    { "json_read", "scripts/serve bindings/edc/edc" }, { ".*", "checks raise bindings/slips" },
  },
  ["bindings/"] = { { ".*", "modules slips" } },
  ["scripts/command/"] = {
    { "conformance", "scripts/conform" }, { "reproduction", "scripts/reproduce" },
    { "download", "scripts/fetch-mira" }, { "csv", "scripts/output" },
    { "output", "scripts/output scripts/files" }, { "counted", "scripts/counted" },
    { "untrusted", "scripts/files bindings/support/confined" }, { "progress", "scripts/progress" },
    { "result_rows", "scripts/compare scripts/pack" }, { "log_options", "scripts/log "
      .. "scripts/weeks" },
    { "result_plot", "scripts/pictures" }, { "drawing", "scripts/pictures scripts/reports" },
    { "specification", "scripts/search scripts/sweep" }, { "script_folder", "scripts/own_scripts" },
    { "simulation_options", "scripts/replay scripts/compare scripts/replay_errors scripts/pools" },
    { ".*", "scripts/replay scripts/compare scripts/replay_errors" },
  },
  ["scripts/formats/"] = { { ".*", "kernel/workload/formats kernel/workload/dumps" } },
  ["policies/pack/"] = { { ".*", "policies/pack bindings/run/packs" } },
  ["policies/priority/"] = { { ".*", "policies/priorities policies/policies" } },
  ["policies/redirect/"] = { { ".*", "policies/redirect" } },
  ["policies/redistribute/"] = {
    { "end%-.*", "scripts/redistribute kernel/malleable/own_hooks" },
    { ".*", "policies/cautious_greedy policies/cautious_saving kernel/malleable/own_hooks" },
  },
  ["policies/dispatch/"] = {
    { "easy%-proactive", "policies/proactive" }, { "easy%-plus%-plus", "policies/predictions" },
    { "likely%-short", "policies/likely_short" }, { "lookahead", "policies/lookahead" },
    { "error%-aware", "policies/error_aware" }, { "checkpoint%-aware",
    "policies/checkpoint_aware" },
    { ".*", "policies/policies kernel/rigid/dispatch policies/online" },
  },
}

-- Commands and reproductions: what is in the folder of one is tested with it.
local function of_command(path)
  local rest = path:match "^scripts/command/(.*)" or path:match "^scripts/(reproduce/.*)"
  local folder = rest and rest:match "^(.*)/"
  if not folder then return nil end
  local name = folder:gsub("_", "-")
  return { "scripts/" .. name, "scripts/" .. name .. "_statements", "scripts/command/" .. name,
    "scripts/command/" .. rest:match "([^/]*)%.%w+$" }
end

-- The specs that are named for a file; has_own: by its name alone.
local function named(path, has_own)
  local stem = path:gsub("%.%w+$", "")
  local folder, name = stem:match "^(.*/)([^/]*)$"
  for _, row in ipairs(TABLE[folder] or {}) do
    if name:find("^" .. row[1] .. "$") and not (has_own and row[1]:find("*", 1, true)) then
      local list = {}
      for one in row[2]:gmatch "%S+" do
        list[#list + 1] = one:find "/" and one or folder .. one
      end
      return list
    end
  end
  return not has_own and of_command(path) or {}
end

local function is_there(path)
  local file = io.open(path)
  if file then file:close() end
  return file ~= nil
end

-- The paths of the specs of a file; empty where none is known.
function specs_of.file(path)
  local own = ("spec/%s_spec.lua"):format((path:gsub("%.%w+$", "")))
  local list = { is_there(own) and own or nil }
  local more = named(path, list[1] ~= nil)
  if path:find "^policies/" then table.insert(more, 1, "policies/options") end
  for _, name in ipairs(more) do
    local spec = ("spec/%s_spec.lua"):format(name)
    if spec ~= own and is_there(spec) then list[#list + 1] = spec end
  end
  return list
end

-- Whether mutants are made of a file; invariants.c is empty but in builds with sanitizers.
function specs_of.has_mutants(path)
  return (path:find "%.c$" or path:find "%.lua$" or path:find "%.js$") and not (path:find
    "_spec%.lua$" or path:find "/examples/" or path:find "/schema/" or path:find "/playground/"
    or path:find "/docs/" or path:find "/invariants%.c$" or path:find "^spec/")
end

-- The names in the table that are no specs: moved, or misspelt.
function specs_of.missing()
  local list = {}
  for folder, rows in pairs(TABLE) do
    for _, row in ipairs(rows) do
      for one in row[2]:gmatch "%S+" do
        local name = one:find "/" and one or folder .. one
        if not is_there(("spec/%s_spec.lua"):format(name)) then
          list[#list + 1] = folder .. row[1] .. ": " .. name
        end
      end
    end
  end
  table.sort(list)
  return list
end

return specs_of
