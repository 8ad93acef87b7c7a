-- Files that are read by their path: failure counts, fault logs, tasks. However their bytes are cut
-- in pieces, with LF or CRLF, with a byte order mark or without, they are read the same; cut off at
-- any byte they are read or refused, the same for all pieces. (Logs of jobs: reader_spec.)
local faults = require "native_faults"
local orrery = require "orrery"
local workload = require "native_workload"
local temporary = require "spec.support.temporary"

local CRC = {}
for i = 0, 255 do
  local c = i
  for _ = 1, 8 do c = (c & 1) == 1 and 0xEDB88320 ~ (c >> 1) or c >> 1 end
  CRC[i] = c
end

local function crc(bytes)
  local c = 0xFFFFFFFF
  for i = 1, #bytes do c = CRC[(c ~ bytes:byte(i)) & 255] ~ (c >> 8) end
  return c ~ 0xFFFFFFFF
end

-- One member of a gzip file, its bytes stored as they are. A reader gets each member as a piece.
local function member(bytes)
  return "\x1f\x8b\8\0\0\0\0\0\0\3\1" .. string.pack("<I2I2", #bytes, ~#bytes & 0xFFFF) .. bytes
    .. string.pack("<I4I4", crc(bytes), #bytes)
end

local function in_pieces(bytes, size)
  local members = {}
  for at = 1, #bytes, size do members[#members + 1] = member(bytes:sub(at, at + size - 1)) end
  return table.concat(members)
end

-- What a reader makes of these bytes, or its message, in which the path does not matter.
local function outcome(read, bytes)
  local result, message = temporary.file("FILE", bytes, read)
  return result and { result } or { nil, message }
end

local READERS = {
  { name = "failure counts", text = "1 0 3\n0 20 1.5e1\n\n7\t8 9\n",
    read = function(path) return workload.failures(path, 3) end },
  { name = "faults of processors", text = "processor,time\n3,1.5\n0,2\n\"1\",2e3\n",
    read = function(path) return faults.read(path, nil, 4) end },
  { name = "outages", text = 'node,from,to\n[1-3],1.5,9\n"0,2",2,\n7,1,Unknown\n',
    read = function(path) return faults.read_outages(path, { procs = 8 }) end },
  { name = "events of Slurm", text = 'NodeName|TimeStart|TimeEnd|State|Reason|\nn[1-3]|'
      .. '2019-06-14T00:00:00||DOWN*|a "b" c|\nn2|2019-06-15T00:00:00|Unknown|DRAIN|"|\n',
    read = function(path)
      return faults.read_outages(path, { procs = 4, node_names = "n[0-3]", origin = 1.56e9 })
    end },
  { name = "tasks by size", text = "id,m,profile\na,1024,\n\"b \"\"c\"\"\",2,amdahl:0.5\n",
    read = function(path)
      local ok, tasks = pcall(orrery.tasks.read, path)
      if not ok then return nil, tasks end
      return tasks:csv()
    end },
  { name = "tasks by times", text = "id,m,1,2,3\na,0,9,5,4\nb,7,9,10,4\n",
    read = function(path)
      local ok, tasks = pcall(orrery.tasks.read, path)
      if not ok then return nil, tasks end
      return tasks:csv()
    end },
}

for _, reader in ipairs(READERS) do
  describe(reader.name, function()
    local whole = outcome(reader.read, reader.text)

    it("are read", function() assert.is_truthy(whole[1], whole[2]) end)

    it("are the same in pieces of any size, with CRLF, and with a byte order mark", function()
      for _, text in ipairs {
        reader.text, (reader.text:gsub("\n", "\r\n")), "\xEF\xBB\xBF" .. reader.text,
      } do
        for size = 1, #text do
          assert.same(whole, outcome(reader.read, in_pieces(text, size)))
        end
      end
    end)

    it("cut off at any byte are read or refused, the same in all pieces", function()
      local refused = 0
      for length = 0, #reader.text do
        local cut = reader.text:sub(1, length)
        local expected = outcome(reader.read, cut)
        if not expected[1] then
          refused = refused + 1
          assert.matches("FILE", expected[2])
        end
        for _, size in ipairs { 1, 2, 3, 7 } do
          if length > 0 then
            assert.same(expected, outcome(reader.read, in_pieces(cut, size)))
          end
        end
      end
      assert.is_true(refused > 0 and refused <= #reader.text)
    end)
  end)
end
