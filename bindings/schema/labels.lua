-- labels: what a log may say of a job in words, and what the job pays, in s: columns of plain CSV,
-- and fields of jobs. The lists in kernel/workload/jobs.h have the same names.

local labels = { names = { "user", "queue", "partition", "status", "account", "qos", "array" },
  groups = { "partition", "queue", "user", "account", "qos" }, -- whose jobs they are
  pays = {
    { "checkpoint", "number?", "what one checkpoint takes", unit = "s" },
    { "recovery", "number?", "what a recovery from one takes", unit = "s" },
  } }

labels.paid = "" -- their names, ", " before each
for _, entry in ipairs(labels.pays) do labels.paid = labels.paid .. ", " .. entry[1] end

function labels.entries()
  local list = { table.unpack(labels.pays) }
  for _, name in ipairs(labels.names) do list[#list + 1] = { name, "string?" } end
  return table.unpack(list)
end

return labels
