-- shorten: Lua files without comments and indentation, for fewer bytes to load. Line numbers do not
-- change, for messages. Scripts and styles of pages become what svg.compact makes of them, which it
-- does not change again. Input from make: lines with two paths, the source and the target.
package.preload["orrery.draw.palette"] = loadfile "bindings/draw/palette.lua"
local svg = dofile "bindings/draw/svg.lua"

-- The end of a comment or a string that begins at `at`; nil: none begins there.
local function span(text, at)
  local equals = text:match("^%[(=*)%[", at) or text:match("^%-%-%[(=*)%[", at)
  if equals then return select(2, text:find("]" .. equals .. "]", at, true)) end
  if text:find("^%-%-", at) then return (text:find("\n", at, true) or #text + 1) - 1 end
  local quote = text:match("^[\"']", at)
  if not quote then return nil end
  local stop = at + 1
  while text:sub(stop, stop) ~= quote do
    stop = stop + (text:sub(stop, stop) == "\\" and 2 or 1)
  end
  return stop
end

-- Code between strings and comments, without spaces beside signs.
local function without_spaces(code)
  return (code:gsub("[ \t]+\n", "\n"):gsub("\n[ \t]+", "\n"):gsub("([=,;{}()<>+*/%%|&#:]) +", "%1")
    :gsub(" +([=,;{}()<>+*/%%|&:~])", "%1"))
end

-- Comments before the first code are kept: the first line says what a command does.
local function shorten(text)
  local out, at, seen = {}, 1, 1
  local head = text:match "^#?[^\n]*\n" or ""
  if head:find "^%-%-" then
    out[1], at, seen = head, #head + 1, #head + 1
  end
  while at <= #text do
    local stop = span(text, at)
    if stop then
      out[#out + 1] = without_spaces(text:sub(seen, at - 1))
      local piece = text:sub(at, stop)
      out[#out + 1] = piece:find "^%-%-" and piece:gsub("[^\n]", "") or piece
      at, seen = stop + 1, stop + 1
    else
      at = text:find("[%-%[\"']", at + 1) or #text + 1
    end
  end
  out[#out + 1] = without_spaces(text:sub(seen))
  return table.concat(out)
end

for line in io.lines() do
  local from, to = line:match "^(%S+) (%S+)$"
  local file = assert(io.open(from, "rb"))
  local text = file:read "a"
  file:close()
  local short = text
  if from:find "%.lua$" then
    short = shorten(text)
    local same = string.dump(assert(load(short, "=x")), false)
      == string.dump(assert(load(text, "=x")), false)
    if not same then short = text end
  elseif from:find "%.js$" or from:find "%.css$" then
    short = svg.compact(text)
  end
  local out = assert(io.open(to, "wb"))
  assert(out:write(short))
  assert(out:close())
end
