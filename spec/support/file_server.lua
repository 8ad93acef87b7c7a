-- A file server for specs: lua5.4 file_server.lua FOLDER, which serves FOLDER/file under any path.
--
-- It listens on a free port of 127.0.0.1 and prints the port; it ends when its standard input does,
-- so it never outlives who started it. Every request is a line of FOLDER/requests: the path, what
-- Range and If-Range said, the status of the answer. FOLDER/how has words that say what to do:
--   cut N         close the connection behind N bytes of the body
--   reset N       the same, as a host does that knows nothing of the connection
--   stall N       send N bytes of the body and then nothing, for 10 s or until the client leaves
--   silent        close the connection without an answer
--   status N      answer N
--   page          answer with a web page
--   redirect      send the client to /elsewhere
--   no-length, no-etag, no-date, no-ranges   without these
--   weak          the ETag is weak
--   deaf          If-Range is ignored
local socket = require "socket"

local folder = arg[1]
local input = { getfd = function() return 0 end, dirty = function() return false end }

local function read(name)
  local file = io.open(folder .. "/" .. name, "rb")
  local text = file and file:read "a" or ""
  if file then file:close() end
  return text
end

local function checksum(text)
  local sum = 7
  for i = 1, #text do sum = (sum * 31 + text:byte(i)) % 1000003 end
  return sum
end

local function orders()
  local how = {}
  for word, number in read("how"):gmatch "([%a-]+)%s*(%d*)" do
    how[word] = tonumber(number) or true
  end
  return how
end

-- The path and the fields of a request; nil when the client has left.
local function receive(client)
  local path = (client:receive "*l" or ""):match "^GET (%S+)"
  local fields = {}
  repeat
    local line = client:receive "*l"
    local name, value = (line or ""):match "^([%w-]+): (.*)$"
    if name then fields[name:lower()] = value end
  until not line or line == ""
  return path, fields
end

-- The status, the head's lines and the body.
local function answer(how, path, fields)
  if how.status then return how.status, {}, "no" end
  if how.page then return 200, { "Content-Type: text/html; charset=utf-8" }, "<html>who?</html>" end
  if how.redirect and path ~= "/elsewhere" then
    return 302, { "Location: /elsewhere", 'ETag: "redirection"' }, ""
  end
  local body, head = read "file", { "Content-Type: application/gzip" }
  local sum = checksum(body)
  local etag = how["no-etag"] and "" or ('%s"%d"'):format(how.weak and "W/" or "", sum)
  local date = how["no-date"] and "" or ("Mon, 06 Jan 2020 00:%02d:%02d GMT"):format(
    sum // 60 % 60, sum % 60)
  if etag ~= "" then head[#head + 1] = "ETag: " .. etag end
  if date ~= "" then head[#head + 1] = "Last-Modified: " .. date end
  local mark = fields["if-range"]
  local from = tonumber((fields.range or ""):match "^bytes=(%d+)%-$")
  if not from or how["no-ranges"] or mark and mark ~= etag and mark ~= date and not how.deaf then
    return 200, head, body
  elseif from >= #body then
    head[#head + 1] = ("Content-Range: bytes */%d"):format(#body)
    return 416, head, ""
  end
  head[#head + 1] = ("Content-Range: bytes %d-%d/%d"):format(from, #body - 1, #body)
  return 206, head, body:sub(from + 1)
end

local function serve(client)
  local path, fields = receive(client)
  if not path then return end
  local how = orders()
  local status, head, body = answer(how, path, fields)
  local file = assert(io.open(folder .. "/requests", "a"))
  file:write(("%s %s %s %d\n"):format(path, fields.range or "-", fields["if-range"] or "-", status))
  file:close()
  if how.silent then return end
  if not how["no-length"] then head[#head + 1] = "Content-Length: " .. #body end
  client:send(("HTTP/1.1 %d -\r\n%s\r\nConnection: close\r\n\r\n"):format(status,
    table.concat(head, "\r\n")))
  client:send(body:sub(1, how.cut or how.reset or how.stall or #body))
  if how.stall then socket.select({ client, input }, nil, 10) end
  if how.reset then
    socket.sleep(0.05) -- what was sent is to arrive before
    client:setoption("linger", { on = true, timeout = 0 })
  end
end

local listener = assert(socket.bind("127.0.0.1", 0))
print((select(2, listener:getsockname())))
io.stdout:flush()
while true do
  local ready = socket.select { listener, input }
  if ready[input] then break end
  local client = assert(listener:accept())
  client:settimeout(10)
  serve(client)
  client:close()
end
