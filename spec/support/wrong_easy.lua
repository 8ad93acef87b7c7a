-- A simulator for `orrery conform`: the naive one, with a fault ("none": without), or with another
-- rule for instants ("ends-first", "real-runtimes@pyss").
--
--   lua5.4 spec/support/wrong_easy.lua FAULT[@INSTANT] {workload} {procs} {policy} {failures} \
--     {maintenance} {out}
package.path = "./?.lua;" .. package.path
local naive = require "spec.support.naive_conformance"

local fault, workload, procs, policy, failures, maintenance, out = table.unpack(arg)

local function rows(path)
  local list, names = {}, nil
  if path == "" then return nil end
  for line in io.lines(path) do
    local row, i = {}, 0
    for field in line:gmatch "[^,]+" do
      i = i + 1
      row[names and names[i] or i] = names and names[i] ~= "id" and math.tointeger(field) or field
    end
    if names then list[#list + 1] = row else names = row end
  end
  return list
end

local instant = fault:match "@(.*)"
fault = fault:gsub("@.*", "")
local known = naive.faults[fault]
if known and not (" " .. known .. " "):find(" " .. policy .. " ", 1, true)
  or (known or instant) and failures .. maintenance ~= "" then
  os.exit(77)
end
local file = assert(io.open(out, "w"))
file:write "id,start\n"
for _, start in ipairs(naive.run { jobs = rows(workload), procs = math.tointeger(procs),
  policy = policy, fault = known and fault or nil, instant = instant, failures = rows(failures),
  maintenance = rows(maintenance) }) do
  file:write(("%s,%d\n"):format(start.id, start.start))
end
file:close()
