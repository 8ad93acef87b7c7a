-- guide: cuts the chapters of the guide out of policies/README.md, as JSON: lua guide.lua <README
local json = require "dkjson"

local chapters, chapter, lines = {}, nil, {}

local function add(block)
  if chapter then chapter.blocks[#chapter.blocks + 1] = block end
end

-- The lines so far are a paragraph.
local function flush()
  if #lines > 0 then add { text = table.concat(lines, " ") } end
  lines = {}
end

local function read_block(mark)
  local kind, file = mark:match "^```(%a*)%s*(.*)$"
  local text = {}
  for line in io.lines() do
    if line == "```" then break end
    text[#text + 1] = line
  end
  add { kind = kind, file = file:match "^file=(%S+)", text = table.concat(text, "\n") }
end

for line in io.lines() do
  local title = line:match "^## (%d+%. .*)$"
  if title then
    flush()
    chapter = { title = title, blocks = {} }
    chapters[#chapters + 1] = chapter
  elseif line:find "^##? " then
    flush()
    chapter = nil
  elseif line:find "^### " then
    flush()
    add { head = line:sub(5) }
  elseif line:find "^```" then
    flush()
    read_block(line)
  elseif line == "" then
    flush()
  else
    lines[#lines + 1] = line
  end
end
flush()
io.write(json.encode(chapters), "\n")
