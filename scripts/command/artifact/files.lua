-- The folder of an artifact: written whole or not at all, checked, and laid out for a run.
--
--   artifact.json    its description: commands, files, outputs (format 1)
--   README.md        the artifact appendix
--   inputs/          the files that are packed
--   expected/        the outputs: printed/N.txt of command N, files/ its files
--   SHA256SUMS       of all these, for sha256sum -c
local command = require "orrery.command.command"
local commands = require "orrery.command.artifact.commands"
local inputs = require "orrery.command.artifact.inputs"
local lfs = require "lfs"
local orrery = require "orrery"
local quote = require("orrery").tools.quote

local files = {}

-- --- the shell's work ---------------------------------------------------------------------------

local function shell(line)
  local done, how, status = os.execute(line)
  if done then return end
  if how == "signal" or status == 130 then command.fail "interrupted" end
  command.fail("cannot write the files (%s ended with %s %s)", line:match "%S+", how, status)
end

local function remove(folder) os.execute("rm -rf -- " .. quote(folder)) end

function files.absolute(path)
  return path:sub(1, 1) == "/" and path or lfs.currentdir() .. "/" .. path
end

-- SHA-256 of all files below a folder, links left out: name -> hexadecimal digits.
function files.sums(folder)
  local pipe = assert(io.popen(("cd %s && find . -type f -exec sha256sum -- {} +"):format(
    quote(folder))))
  local sums = {}
  for line in pipe:lines() do
    local sum, name = line:match "^(%x+)  %./(.*)$"
    if not sum then command.fail("expected names of files without line breaks, found %s", line) end
    sums[name] = sum
  end
  if not pipe:close() then command.fail("cannot read the files of %s", folder) end
  return sums
end

function files.sum(path)
  local pipe = assert(io.popen("sha256sum <" .. quote(path)))
  local sum = pipe:read("a"):match "^%x+"
  if not pipe:close() or not sum then command.fail("cannot read %s", path) end
  return sum
end

-- --- making -------------------------------------------------------------------------------------

-- Calls f with a folder beside `out`, which becomes `out` when f returns; after an error it is
-- removed.
function files.in_stage(out, f)
  local stage = orrery.tools.temporary(out)
  command.make_folder(stage)
  local done, problem = pcall(f, stage)
  if done then done, problem = os.rename(stage, out) end
  if done then return end
  remove(stage)
  error(problem, 0)
end

local function copy(from, folder, name)
  local to = folder .. "/" .. name
  command.make_folder(to:match "^(.*)/")
  shell(("cp -L -- %s %s"):format(quote(from), quote(to)))
end

function files.copy_all(from, to, names)
  for _, name in ipairs(names) do copy(from .. "/" .. name, to, name) end
end

function files.pack(stage, used)
  command.make_folder(stage .. "/inputs")
  for _, one in ipairs(used.packed) do copy(one.from, stage .. "/inputs", one.name) end
  for _, list in ipairs { used.packed, used.outside } do
    for _, one in ipairs(list) do
      one.sha256, one.bytes = files.sum(one.from), lfs.attributes(one.from, "size")
    end
  end
end

-- The folder in which commands run: copies of packed files, links to the others.
function files.lay(folder, used)
  command.make_folder(folder)
  for _, one in ipairs(used.packed) do copy(one.from, folder, one.name) end
  for _, one in ipairs(used.outside) do
    if not one.named then
      local to = folder .. "/" .. one.name
      command.make_folder(to:match "^(.*)/")
      shell(("ln -s -- %s %s"):format(quote(files.absolute(one.from)), quote(to)))
    end
  end
end

local function described(list)
  local made = {}
  for i, one in ipairs(list) do
    made[i] = { name = one.name, sha256 = one.sha256, bytes = one.bytes, named = one.named }
  end
  return orrery.tools.list(made)
end

function files.write(stage, artifact, readme)
  local plain = {}
  for name, value in pairs(artifact) do plain[name] = value end
  plain.files, plain.outside = described(artifact.files), described(artifact.outside)
  orrery.tools.write_file(stage .. "/artifact.json", orrery.tools.json(plain))
  orrery.tools.write_file(stage .. "/README.md", readme)
  local lines = {}
  for name, sum in pairs(files.sums(stage)) do
    lines[#lines + 1] = ("%s  %s\n"):format(sum, name)
  end
  table.sort(lines, function(a, b) return a:sub(67) < b:sub(67) end)
  orrery.tools.write_file(stage .. "/SHA256SUMS", table.concat(lines))
end

-- --- verifying ----------------------------------------------------------------------------------

local SHAPES = { -- of artifact.json: fields and their types
  top = { version = "string", made = "string", title = "string", commands = "table",
    files = "table", outside = "table", outputs = "table", machine = "table" },
  commands = { words = "table", seconds = "number" },
  files = { name = "string", sha256 = "string" },
  outside = { name = "string", sha256 = "string" },
  outputs = { path = "string", sha256 = "string", varies = "boolean" },
}

local function check_shape(path, what, value, shape)
  for name, wanted in pairs(shape) do
    local found = type(value) == "table" and type(value[name]) or "nothing"
    if found ~= wanted then
      command.misuse("%s: expected a %s as %s of %s, found %s", path, wanted, name, what, found)
    end
  end
end

local function check_commands(path, list)
  for i, one in ipairs(list) do
    local place = ("%s: command %d"):format(path, i)
    for _, word in ipairs(one.words) do
      if type(word) ~= "string" then
        command.misuse("%s: expected words, found a %s", place, type(word))
      end
    end
    commands.check(one.words, place)
    one.program = inputs.program(inputs.check_words { words = one.words, place = place })
  end
end

-- The contents of artifact.json; refused where `make` did not write it.
function files.read(dir)
  local path = dir .. "/artifact.json"
  local text = command.read_file(path)
  if not text then
    command.misuse("%s: expected an artifact's folder, there is no %s", dir, path)
  end
  local artifact, _, problem = command.decode(text)
  if type(artifact) ~= "table" or artifact.format ~= 1 then
    command.misuse("%s: expected an artifact of format 1, found %s", path, problem or "another")
  end
  check_shape(path, "the artifact", artifact, SHAPES.top)
  for _, list in ipairs { "commands", "files", "outside", "outputs" } do
    for i, one in ipairs(artifact[list]) do
      check_shape(path, ("%s %d"):format(list, i), one, SHAPES[list])
      local name = one.name or one.path
      if name and (not inputs.is_inside(name) or name:find "%c") then
        command.misuse("%s: expected names of files below the folder, found '%s'", path, name)
      end
    end
  end
  check_commands(path, artifact.commands)
  if artifact.version ~= orrery.version then
    command.misuse("%s was made with Orrery %s; this is %s, whose results may differ", dir,
      artifact.version, orrery.version)
  end
  return artifact
end

-- Refuses files that are not as they were written, and inputs that are no files of the folder.
function files.check(dir, artifact)
  local text = command.read_file(dir .. "/SHA256SUMS")
  if not text then command.misuse("%s: there is no SHA256SUMS", dir) end
  local sums, count = files.sums(dir), 0
  for sum, name in text:gmatch "(%x+)  ([^\n]*)\n" do
    if sums[name] ~= sum then
      command.misuse("%s/%s: expected the file that was packed, found %s", dir, name,
        sums[name] and "another (SHA-256)" or "none")
    end
    count = count + 1
  end
  for _, one in ipairs(artifact.files) do
    if not sums["inputs/" .. one.name] then
      command.misuse("%s/inputs/%s: expected a file of this folder, found none", dir, one.name)
    end
  end
  print(("files: %d are as they were packed"):format(count))
end

-- The artifact's files that exist here, in the form of inputs.of.
function files.find_outside(dir, artifact, folder)
  local used = { packed = {}, outside = {} }
  for i, one in ipairs(artifact.files) do
    used.packed[i] = { name = one.name, from = ("%s/inputs/%s"):format(dir, one.name),
      sha256 = one.sha256 }
  end
  for i, one in ipairs(artifact.outside) do
    local from = one.named and orrery.tools.log_path(one.name) or folder .. "/" .. one.name
    if lfs.attributes(from, "mode") ~= "file" then
      command.misuse("%s is not packed, and not in %s%s; expected a file with SHA-256 %s", one.name,
        folder, one.named and "" or " (--outside DIR)", one.sha256)
    elseif files.sum(from) ~= one.sha256 then
      command.misuse("%s: expected a file with SHA-256 %s, found another", from, one.sha256)
    end
    print(("%s: as it was"):format(one.name))
    used.outside[i] = { name = one.name, from = from, named = one.named }
  end
  return used
end

-- Calls f with an empty folder: `keep`, or one that is removed.
function files.in_scratch(keep, f)
  if keep then return f(command.make_folder(keep)) end
  local pipe = assert(io.popen "mktemp -d")
  local folder = pipe:read "l"
  pipe:close()
  if not folder then command.fail "cannot make a temporary folder" end
  local done, problem = pcall(f, folder)
  remove(folder)
  if not done then error(problem, 0) end
end

files.remove = remove

return files
