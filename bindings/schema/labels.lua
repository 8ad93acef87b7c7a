-- labels: what a log may say of a job in words: columns of plain CSV, and fields of jobs. The list
-- in kernel/workload/jobs.h has the same names.

local labels = { names = { "user", "queue", "partition", "status", "account", "qos", "array" },
  groups = { "partition", "queue", "user", "account", "qos" } } -- whose jobs they are

function labels.entries()
  local list = {}
  for i, name in ipairs(labels.names) do list[i] = { name, "string?" } end
  return table.unpack(list)
end

return labels
