-- merge: puts the parts of a sweep that ran in several folders together
--
--   orrery merge part-1 part-2 -o results/grid
local argparse = require "argparse"
local command = require "orrery.command.command"
local options = require "orrery.command.options"
local output = require "orrery.command.output"
local store = require "orrery.command.sweep.store"

local parser = argparse("orrery merge", "Puts the parts of a sweep together, and says what is "
  .. "missing, double or damaged. The parts stay as they are.")
parser:argument("DIR", "The folders of the parts."):args "+"
options.add(parser, { { { "-o --out DIR", "Folder for the whole; it is made." },
  options.TABLE, output.QUIET } })

-- The record of a cell from the parts, how many have it, and the first of these. Two that differ
-- are an error.
local function collect(parts, i)
  local record, from, count = nil, nil, 0
  for _, part in ipairs(parts) do
    local one = part:read(i)
    if one then
      if record and (one.summary ~= record.summary or one.runs ~= record.runs) then
        command.fail("cell %d is not the same in %s and in %s: the same sweep on different "
          .. "machines or with files that have changed since", i, from.dir, part.dir)
      end
      record, from, count = record or one, from or part, count + 1
    end
  end
  return record, count, from
end

local function open_parts(dirs)
  local parts = {}
  for i, dir in ipairs(dirs) do
    parts[i] = store.look(dir)
    parts[1]:check_same(parts[i])
  end
  return parts
end

local function merge(given)
  output.check(given)
  if not given.out then command.misuse("-o: which folder? `orrery merge DIR... -o DIR`") end
  local parts = open_parts(given.DIR)
  local whole, double = store.beside(parts[1], given.out), {}
  for i = 1, whole.manifest.cells do
    local record, count, from = collect(parts, i)
    if record and not whole:has(i) then whole:take(i, from, record) end
    if count > 1 then double[#double + 1] = i end
  end
  local missing = whole:missing()
  if #double > 0 then
    print("in several parts, with the same numbers: " .. store.ranges(double))
  end
  if #missing > 0 then
    command.fail("%d of %d cells are missing: %s", #missing, whole.manifest.cells,
      store.ranges(missing))
  end
  whole:write_tables(given)
end

return command.new(parser, merge)

