-- Downloads over HTTP, by curl, that continue after an interruption.
--
-- The downloaded part of FILE is in FILE.part, and the head of its answer in FILE.part.head. A
-- later call continues from there if the server's file is unchanged (If-Range, with the ETag or
-- else the date in that head); otherwise it begins again.
local claims = require "orrery.command.claims"
local command = require "orrery.command.command"
local lfs = require "lfs"
local orrery = require "orrery"
local quote = require("orrery").tools.quote

local download = {}

local Download = {}
Download.__index = Download

-- --- heads --------------------------------------------------------------------------------------

-- The fields of the last head in the text, names in lower case. Redirections put their own heads
-- before it.
local function parse_head(text)
  local fields = {}
  for line in text:gmatch "[^\r\n]+" do
    if line:match "^HTTP/" then fields = {} end
    local name, value = line:match "^([%w-]+):%s*(.-)%s*$"
    if name then fields[name:lower()] = value end
  end
  return fields
end

-- The validator for If-Range: an ETag that is not weak, or a date. nil: the file cannot be
-- recognised.
local function validator(head)
  local etag = head.etag and head.etag:match '^"[!#-~]*"$'
  return etag or head["last-modified"] and head["last-modified"]:match "^[%w, :]+$"
end

-- --- the downloaded part -------------------------------------------------------------------------

local function part_size(self) return lfs.attributes(self.part, "size") or 0 end

local function saved_head(self)
  self.held:seek "set"
  local text, problem = self.held:read "a"
  if not text then command.fail("cannot read %s: %s", self.head, (problem:gsub("^.*: ", ""))) end
  return parse_head(text)
end

-- The size of the whole file, in bytes; nil where the server did not give it.
local function announced(self)
  return math.tointeger(tonumber(saved_head(self)["content-length"]))
end

local function resumable(self) return part_size(self) > 0 and validator(saved_head(self)) ~= nil end

-- Others may fetch the file.
local function let_go(self)
  self.claims:give_back(0, "part")
  self.claims:clear()
  self.held:close()
end

function Download:discard()
  os.remove(self.part)
  os.remove(self.head)
  let_go(self)
end

-- Moves the downloaded part to its final name.
function Download:keep()
  local kept, problem = pcall(orrery.tools.replace_file, self.part, self.path)
  self:discard()
  if not kept then error(problem, 0) end
end

-- The head is locked during the download: two downloads into one part would spoil it.
local function hold(path)
  local self = setmetatable({ path = path, part = path .. ".part" }, Download)
  self.head = self.part .. ".head"
  local problem
  self.held, problem = io.open(self.head, "a+")
  if not self.held then command.fail("cannot write %s", problem) end
  self.claims = claims.new(self.held, self.head, self.part .. ".claims")
  if not self.claims:take(0, "part") then
    command.fail("%s is being fetched by another program", path)
  end
  return self
end

-- Ends the command with the error; the part is kept where a later call can continue it.
local function fail(self, status, problem)
  local kept = resumable(self) and part_size(self)
  if kept then
    local whole = announced(self)
    problem = ("%s\n%d bytes%s are kept in %s; the same command goes on from there"):format(problem,
      kept, whole and (" of %d"):format(whole) or "", self.part)
    let_go(self)
  else
    self:discard()
  end
  error({ exit = status, message = problem }, 0)
end

-- --- curl ---------------------------------------------------------------------------------------

local SIGINT, SIGTERM = 2, 15

-- Runs curl with these additional options. Ctrl-C reaches curl as well, and it keeps the part.
--   exit (nil: interrupted), said; status, content_type: of the answer; output: before these
local function curl(options)
  local words = { "exec", "curl", "--disable", "--globoff", "--fail", "--location",
    "--proto", quote "=http,https", "--connect-timeout", "30", "--speed-limit", "1",
    "--speed-time", "60", orrery.tools.is_terminal(2) and "--progress-bar" or "--silent",
    "--write-out", quote "\n%{http_code}\n%{content_type}\n%{errormsg}\n" }
  for _, option in ipairs(options) do words[#words + 1] = quote(option) end
  local pipe = assert(io.popen(table.concat(words, " ")))
  local ok, text = pcall(pipe.read, pipe, "a")
  local _, how, code = pipe:close()
  if not ok or how == "signal" and (code == SIGINT or code == SIGTERM) then return {} end
  if how == "signal" then -- curl 7.88 crashes where it may not write the head
    return { exit = code, status = 0, output = "", content_type = "",
      said = ("curl was ended by signal %d"):format(code) }
  end
  local output, status, content_type, said = text:match "^(.*)\n(%d+)\n([^\n]*)\n([^\n]*)\n$"
  return {
    exit = code, status = tonumber(status) or 0, content_type = content_type or "",
    said = said or "", output = output or "",
  }
end

local CANNOT_WRITE, CANNOT_RESUME = 23, 33

-- The error in words.
local function explain(self, url, got)
  if got.exit == CANNOT_WRITE then
    return ("cannot write %s (is the disk full?)"):format(self.part)
  elseif got.status >= 400 then
    return ("cannot fetch %s: the server answers %d%s"):format(url, got.status,
      got.status == 404 and ", there is no such file" or "")
  end
  return ("cannot fetch %s: %s"):format(url,
    got.said ~= "" and got.said or ("curl ends with status %d"):format(got.exit))
end

local function check(self, url, got)
  if not got.exit then fail(self, 130, "interrupted") end
  if got.exit ~= 0 then fail(self, 1, explain(self, url, got)) end
end

-- --- the two ways -------------------------------------------------------------------------------

local function is_page(got) return got.status == 200 and got.content_type:match "^text/html" end

local function page(url, hint)
  return ("cannot fetch %s: the server answers with a web page\n%s"):format(url, hint)
end

local function begin(self, url, hint)
  local empty, problem = io.open(self.part, "w")
  if not empty then fail(self, 1, "cannot write " .. problem) end
  empty:close()
  self.resumed = 0
  local got = curl { "--output", self.part, "--dump-header", self.head, "--url", url }
  check(self, url, got)
  if is_page(got) then
    self:discard()
    command.fail("%s", page(url, hint))
  end
end

-- Continues from the part. False: the server does not have the rest of the same file, and the part
-- is useless.
local function go_on(self, url, hint)
  local mark = validator(saved_head(self))
  self.resumed = part_size(self)
  local got = curl { "--continue-at", "-", "--header", "If-Range: " .. mark,
    "--output", self.part, "--dump-header", "-", "--url", url }
  if not got.exit then check(self, url, got) end
  if is_page(got) then fail(self, 1, page(url, hint)) end
  if got.status == 206 then
    local now = validator(parse_head(got.output))
    if now and now ~= mark then return false end
  elseif got.exit == 0 or got.exit == CANNOT_RESUME or got.status == 416 then
    return false
  end
  check(self, url, got)
  return true
end

-- Brings the file at the URL to path .. ".part", complete as far as the server tells, or ends the
-- command. `hint` is the advice where the server answers with a web page. In the result `resumed`
-- is the number of bytes that existed before; `changed`: existing bytes were of another file.
function download.fetch(url, path, hint)
  if not orrery.tools.has "curl" then
    command.fail "curl is not there, which does the download; on Debian: apt-get install curl"
  end
  local self = hold(path)
  if not resumable(self) then
    begin(self, url, hint)
  elseif part_size(self) == announced(self) then
    self.resumed = part_size(self)
  elseif not go_on(self, url, hint) then
    self.changed = true
    begin(self, url, hint)
  end
  local size, whole = part_size(self), announced(self)
  if not whole or size == whole then return self end
  if size > whole then os.remove(self.part) end
  fail(self, 1, ("cannot fetch %s: %d bytes came, %d were announced"):format(url, size, whole))
end

local function is_same_file(a, b)
  a, b = lfs.attributes(a), lfs.attributes(b)
  return a and b and a.dev == b.dev and a.ino == b.ino
end

function download.copy(source, path)
  if is_same_file(source, path .. ".part") then
    command.misuse("%s is where the copy would be written: give it another name first", source)
  end
  local self = hold(path)
  local pipe = assert(io.popen(("exec cp -- %s %s 2>&1"):format(quote(source),
    quote(self.part))))
  local said = pipe:read "a"
  if pipe:close() then return self end
  self:discard()
  command.fail("cannot copy %s: %s", source, (said:gsub("^cp: ", ""):gsub("%s+$", "")))
end

return download
