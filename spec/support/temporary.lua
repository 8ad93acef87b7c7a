-- Files that last for one call.
local temporary = {}

-- Calls use(path, ...) with the path of a file of these bytes, and returns what it returns, or
-- raises its error. The file is gone then. In texts that come back `name` stands for the path.
function temporary.file(name, bytes, use, ...)
  local path = os.tmpname()
  local file = assert(io.open(path, "wb"))
  file:write(bytes)
  file:close()
  local results = table.pack(pcall(use, path, ...))
  os.remove(path)
  local pattern = path:gsub("%p", "%%%0")
  for i = 2, results.n do
    if type(results[i]) == "string" then results[i] = results[i]:gsub(pattern, name) end
  end
  if not results[1] then error(results[2], 0) end
  return table.unpack(results, 2, results.n)
end

return temporary
