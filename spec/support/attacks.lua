-- Attacks on the program as a whole: { kind, what is tried, how, perhaps a part of what it says }.
-- How: the words behind `orrery`, or lines of the shell (SHELL) in which $O is the program; each is
-- run in a folder of its own with FILES. spec/ATTACKS.md says what came of each, and
-- spec/attacks_spec.lua runs them all and compares. `make test` does so; after a change
--   make attacks
-- writes the table anew, to be read before it is believed.
local program = require "spec.support.program"

local attacks = {}

-- The files that are there in each folder.
attacks.FILES = {
  ["log.csv"] = "id,submit,procs,time\na,0,2,10\nb,0,1,4\nc,0,3,5\n",
}

local SHELL = "\0"
attacks.SHELL = SHELL

-- A line of the shell that writes bytes, given as printf knows them, to a file and runs the rest.
local function with(name, bytes, arguments, before)
  return SHELL .. ("printf '%s' >%s; %s$O %s"):format(bytes, name, before or "", arguments)
end

local function log(bytes, more) return with("x.csv", bytes, "replay x.csv --procs 4 "
    .. "" .. (more or "")) end
local function swf(bytes) return with("x.swf", bytes, "replay x.swf --procs 4") end
local function policy(code, more)
  return SHELL .. ("cat >p.lua <<'END'\n%s\nEND\n$O replay log.csv --procs 4 --runs 3 --q 0.2 "
    .. "--limit-seconds 0.5 --limit-memory 24 --policy ./p.lua %s"):format(code, more or "")
end
local function dispatch(code, more)
  return policy("return { dispatch = function(sim)\n" .. code
    .. "\nfor j in sim:fitting() do sim:start(j) end end }", more)
end
local function both(code) -- the same on one thread and on three
  return SHELL .. ("cat >p.lua <<'END'\n%s\nEND\nfor t in 1 3; do $O replay log.csv --procs 4 "
    .. "--runs 40 --q 0.2 --policy ./p.lua --threads $t --csv $t.csv --quiet || exit; done; "
    .. "cmp 1.csv 3.csv && echo the same"):format(code)
end
local function json(bytes) return with("x.json", bytes, "replay x.json --procs 4") end
local function format_file(code)
  return SHELL .. ("cat >f.lua <<'END'\n%s\nEND\n$O replay log.csv --procs 4 --format ./f.lua")
    :format(code)
end
local function serve(lines) return SHELL .. ("printf '%s' | $O serve --stdio"):format(lines) end
local function batsim(messages)
  return SHELL .. ("cat >b.lua <<'END'\nlocal edc = require 'native_edc'\n"
    .. "edc.load((package.searchpath('native_edc', package.cpath):gsub('[^/]*/[^/]*$', '')) .. "
    .. "'liborrery-edc.so')\nassert(edc.init('easy', 2) == 0)\n"
    .. "for _, text in ipairs { %s } do edc.take(text) end\nEND\nlua5.4 b.lua"):format(messages)
end
local HEAD = "id,submit,procs,time,user\\n"

attacks.LIST = {
  -- state, time and memory of policies
  { "policy", "`#` of a table with holes and text keys as a source of chance", both [[
return { dispatch = function(sim)
  local t, x, n = {}, sim.now * 7919 // 1 + 17, 0
  for _ = 1, 60 do
    x = (x * 1103515245 + 12345) % 2147483648
    local k = x >> 8
    if k % 3 == 0 then t["k" .. k % 50] = 1 else t[k % 24 + 1] = k % 5 > 0 and 1 or nil end
    n = n + #t
  end
  for j in sim:fitting() do
    if (n + j.position) % 3 > 0 or sim.running_count == 0 then sim:start(j) end
  end
end }]], "the same" },
  { "policy", "a length by `table.insert` at a moving border", both [[
return { dispatch = function(sim)
  local t = { 1, 2, nil, 4, nil, nil, 7 }
  t.a, t.b, t.c = 1, 2, 3
  table.insert(t, sim.now) t[#t + 2] = 1 table.insert(t, 5)
  for j in sim:fitting() do if #t % 2 == 0 or sim.running_count == 0 then sim:start(j) end end
end }]], "the same" },
  { "policy", "long texts as keys, whose hash is made late", both [[
return { dispatch = function(sim)
  local t = {}
  for i = 1, 40 do t[("x"):rep(50) .. i % 11] = i t[i * 3 % 20 + 1] = i % 4 > 0 and i or nil end
  for j in sim:fitting() do if #t % 2 == 1 or sim.running_count == 0 then sim:start(j) end end
end }]], "the same" },
  { "policy", "a table in sim.state whose key is that table", dispatch
    "local t = {} t[t] = t sim.state.t = t" },
  { "policy", "a state that holds a function", dispatch "sim.state.f = function() end" },
  { "policy", "a state as deep as the stack", dispatch
    "local t = {} for _ = 1, 1e5 do t = { t } end sim.state.t = t" },
  { "policy", "a float beside an integer as key", both [[
return { dispatch = function(sim)
  local t = {} t[2^53] = 1 t[2^53 | 0] = 2 t[1.0] = 3 t[-0.0] = 4
  for j in sim:fitting() do if t[0] == 4 and t[1] == 3 then sim:start(j) end end
end }]], "the same" },
  { "policy", "nan as a key", dispatch "local t = {} t[0 / 0] = 1", "index is NaN" },
  { "policy", "integer overflow in a loop", dispatch
    "for i = math.maxinteger - 1, math.maxinteger, 2 do local _ = i end" },
  { "policy", "numbers that no clock has", dispatch
    "sim:wake_at(2^53 + 2)" },
  { "policy", "a hook that is a table with __call", policy
    "return { dispatch = setmetatable({}, { __call = function() end }) }" },
  { "policy", "a name that commands the terminal", policy
    "return { name = 'a\\27[2J\\27]0;x\\7', dispatch = function() error 'here' end }", "here" },
  { "policy", "an error with control sequences and marks of direction", dispatch
    "error('\\27[31mred\\u{202e}back\\155x')", "\\x1b[31mred" },
  { "policy", "printing a screen full of escapes", dispatch
    "print('\\27c\\27[?1049h', '\\u{2066}', '\\0')",
    "nobody looks on" },
  { "policy", "printing a screen full of escapes, where somebody looks on", SHELL .. "echo "
    .. "'return { "
    .. "dispatch = function(sim) print(\"\\27c\\27[?1049h\") for j in sim:fitting() do "
    .. "sim:start(j) "
    .. "end end }' >p.lua; $O replay log.csv --procs 4 --policy ./p.lua", "\\x1bc\\x1b[?1049h" },
  { "policy", "a file of NUL bytes", SHELL .. "head -c 1000 /dev/zero >p.lua; $O replay log.csv "
    .. "--procs 4 --policy ./p.lua" },
  { "policy", "a file that is a folder", SHELL .. "mkdir p.lua; $O replay log.csv --procs 4 "
    .. "--policy ./p.lua" },
  { "policy", "a file that is a pipe without a writer's end", SHELL .. "mkfifo p.lua; (: >p.lua) & "
    .. "$O replay log.csv --procs 4 --policy ./p.lua" },
  { "policy", "a file of a gigabyte", SHELL .. "truncate -s 1G p.lua; $O replay log.csv "
    .. "--procs 4 --policy ./p.lua" },
  { "policy", "a file that is /dev/zero", "replay log.csv --procs 4 --policy /dev/zero" },
  { "policy", "a path as the name of a shipped policy", "replay log.csv --procs 4 --policy "
    .. "dispatch/../../../../etc/passwd" },
  { "policy", "options with NUL and newlines", SHELL .. "$O replay log.csv --procs 4 --policy "
    .. "\"$(printf 'list:reservations=1\\n2')\"" },
  { "policy", "an option a million times", SHELL .. "$O replay log.csv --procs 4 --policy "
    .. "list:$(printf 'reservations=1,%.0s' $(seq 5000))" },

  -- logs
  { "log", "a NUL byte in a number", log(HEAD .. "a,0,2,1\\0000,u\\n") },
  { "log", "a NUL byte in a name", log(HEAD .. "a\\000b,0,2,10,u\\n") },
  { "log", "a field of 20 MB", SHELL .. "{ printf '" .. HEAD .. "'; head -c 20000000 /dev/zero "
    .. "| tr "
    .. "'\\0' a; printf ',0,2,10,u\\n'; } >x.csv; $O replay x.csv --procs 4" },
  { "log", "a million commas", SHELL .. "{ printf '" .. HEAD .. "'; head -c 1000000 /dev/zero | tr "
    .. "'\\0' ,; echo; } >x.csv; $O replay x.csv --procs 4" },
  { "log", "a header of 100000 columns", SHELL .. "{ printf 'id,submit,procs,time'; printf ',c%d' "
    .. "$(seq 100000); printf '\\na,0,2,10\\n'; } >x.csv; $O replay x.csv --procs 4" },
  { "log", "numbers that are infinite", log(HEAD .. "a,0,2,inf,u\\n"), "found \"inf\"" },
  { "log", "a number of 400 digits", log(HEAD .. "a,0,2," .. ("9"):rep(400) .. ",u\\n") },
  { "log", "processors beyond 32 bits", log(HEAD .. "a,0,4294967298,10,u\\n") },
  { "log", "processors less than none", log(HEAD .. "a,0,-1,10,u\\n") },
  { "log", "a quote that never ends", log(HEAD .. "a,0,2,10,\"u\\nb,0,2,10,v\\n"),
    "quotes that do not fit" },
  { "log", "UTF-16 with a mark", log "\\377\\376i\\000d\\000,\\000" },
  { "log", "a mark of UTF-8 in front", log("\\357\\273\\277" .. HEAD .. "a,0,2,10,u\\n") },
  { "log", "the same column twice", log "id,submit,procs,time,time\\na,0,2,10,20\\n" },
  { "log", "nothing at all", log "" },
  { "log", "only a header", log(HEAD) },
  { "log", "bytes that are no UTF-8 in a user's name", log(HEAD .. "a,0,2,10,\\377\\376\\n",
    "--users u.csv") },
  { "log", "a user's name that commands the terminal, in a table that is a file there", SHELL
    .. "printf '" .. HEAD .. "a,0,2,10,\\033[2Jx\\n' >x.csv; script -qec \"$O replay x.csv "
    .. "--procs 4 "
    .. "--quiet --users -\" /dev/null | grep -c '\\\\x1b\\[2J'" },
  { "log", "a formula as a user's name stays a cell", SHELL .. "printf '" .. HEAD
    .. "a,0,2,10,\"=cmd|x,y\"\\n' >x.csv; $O replay x.csv --procs 4 --users u.csv --quiet && "
    .. "grep -c '\"=cmd|x,y\"' u.csv" },
  { "log", "half a gzip file", SHELL .. "gzip <log.csv | head -c 40 >x.csv.gz; $O replay x.csv.gz "
    .. "--procs 4" },
  { "log", "a gzip file with a wrong sum", SHELL .. "gzip <log.csv >x.gz; printf '\\377' | dd "
    .. "of=x.gz "
    .. "bs=1 seek=$(($(stat -c %s x.gz) - 6)) conv=notrunc 2>/dev/null; $O replay x.gz --procs 4" },
  { "log", "bytes behind a gzip file", SHELL .. "{ gzip <log.csv; echo evil; } >x.gz; $O replay "
    .. "x.gz "
    .. "--procs 4" },
  { "log", "a gzip bomb of 300 MB", SHELL .. "{ cat log.csv; head -c 300000000 /dev/zero; } | "
    .. "gzip -1 "
    .. ">x.gz; (ulimit -v 1500000; timeout 60 $O replay x.gz --procs 4)" },
  { "log", "gzip within gzip", SHELL .. "gzip <log.csv | gzip >x.gz; $O replay x.gz --procs 4" },
  { "log", "a device as a log", SHELL .. "(ulimit -v 3000000; timeout 60 $O replay /dev/zero "
    .. "--procs 4)" },
  { "log", "a folder as a log", "replay . --procs 4" },
  { "log", "a log that cannot be read to its end", SHELL .. "$O replay /proc/self/mem --procs 4" },
  { "log", "a job before itself", swf "1 0 -1 5 1 -1 -1 1 5 -1 1 1 1 1 1 1 1 0\\n" },
  { "log", "SWF with a machine of no processors", swf
    "; MaxProcs: 0\\n1 0 -1 5 1 -1 -1 1 5 -1 1 1 1 1 1 1 -1 -1\\n" },
  { "log", "SWF with a zone that is code", swf
    "; TimeZoneString: ../../etc/passwd\\n1 0 -1 5 1 -1 -1 1 5 -1 1 1 1 1 1 1 -1 -1\\n" },
  { "log", "SWF with too few fields", swf "1 0 -1 5 1\\n" },
  { "log", "JSON that is 100000 deep", SHELL .. "{ printf '{\"jobs\":'; head -c 100000 "
    .. "/dev/zero | tr "
    .. "'\\0' '['; } >x.json; $O replay x.json --procs 4" },
  { "log", "JSON with a lone surrogate", json
    '{"nb_res":4,"jobs":[{"id":"\\\\ud800","subtime":0,"res":1,"profile":"p"}],"profiles":{}}' },
  { "log", "Batsim's JSON with a profile in a ring", json
    '{"nb_res":4,"jobs":[{"id":"a","subtime":0,"res":1,"profile":"p"}],'
    .. '"profiles":{"p":{"type":"composed","repeat":9,"seq":["p"]}}}' },
  { "log", "JSON with a key twice", json '{"nb_res":4,"nb_res":5,"jobs":[],"profiles":{}}' },
  { "log", "JSON with numbers that no machine has", json
    '{"nb_res":1e999,"jobs":[],"profiles":{}}' },
  { "log", "times of the year 999999999", log
    "id,submit,procs,time\\na,999999999-01-01 00:00:00,2,10\\n" },
  { "log", "the 30th of February", log "id,submit,procs,time\\na,2020-02-30 00:00:00,2,10\\n" },
  { "log", "a comma where a point is", log "id,submit,procs,time\\na,0,2,\"1,5\"\\n" },
  { "log", "ids that are the same", log "id,submit,procs,time\\na,0,2,10\\na,0,2,10\\n",
    "has the id of another one" },
  { "log", "failures without a number", SHELL .. "printf '1 2 x\\n' >f.txt; $O replay log.csv "
    .. "--procs 4 "
    .. "--failures f.txt" },
  { "log", "failures beyond all counts", SHELL .. "printf '99999999999999999999 1 1\\n' >f.txt; $O "
    .. "replay log.csv --procs 4 --failures f.txt" },
  { "log", "failures that would take a life", SHELL .. "printf '2000000000 1 1\\n' >f.txt; "
    .. "timeout 60 "
    .. "$O replay log.csv --procs 4 --failures f.txt" },

  -- formats
  { "format", "a format that is a program", format_file "os.execute 'touch evil'\nreturn {}" },
  { "format", "a format with a function", format_file "return { name = function() end }" },
  { "format", "a format that never ends", format_file "while true do end" },
  { "format", "a format with a metatable", format_file "return setmetatable({}, {})" },
  { "format", "bytecode as a format", SHELL .. "printf '\\033Lua' >f.lua; $O replay log.csv "
    .. "--procs 4 "
    .. "--format ./f.lua" },
  { "format", "a format that is a folder's neighbour", "replay log.csv --procs 4 --format "
    .. "../../../etc/passwd" },
  { "format", "a pattern that goes back and forth", format_file
    "return { name = 'x', begins = ('a*'):rep(40) .. 'b' }" },

  -- options
  { "option", "an option twice", "replay log.csv --procs 4 --procs 5" },
  { "option", "a number with a unit that there is not", "replay log.csv --procs 4 --grace 5q" },
  { "option", "threads without number", "replay log.csv --procs 4 --threads 99999999" },
  { "option", "more scenarios than fit", "replay log.csv --procs 4 --runs 99999999999999999999" },
  { "option", "a probability of 2", "replay log.csv --procs 4 --q 2" },
  { "option", "a seed that is no number", "replay log.csv --procs 4 --seed 0x10p" },
  { "option", "processors of a galaxy", "replay log.csv --procs 99999999999" },
  { "option", "a word of 100000 bytes", SHELL .. "$O replay log.csv --procs $(head -c 100000 "
    .. "/dev/zero | tr '\\0' 9)" },
  { "option", "escapes in an option", SHELL .. "$O replay log.csv \"$(printf -- "
    .. "'--\\033[2J')\"", "\\x1b[2J" },
  { "option", "escapes in the name of a log", SHELL .. "$O replay \"$(printf "
    .. "'no\\033]0;x\\007')\"", "no\\x1b]0;x\\x07" },
  { "option", "a time zone that is a path", "replay log.csv --procs 4 --timezone "
    .. "../../etc/passwd" },
  { "option", "a day that there is not", "replay log.csv --procs 4 --day 2019-02-29" },
  { "option", "a year beyond all", "replay log.csv --procs 4 --origin 99999999999-01-01" },
  { "option", "columns that eat themselves", "replay log.csv --procs 4 --columns "
    .. "procs=procs,procs=time" },
  { "option", "rows that ask for a pattern without end", "replay log.csv --procs 4 --rows "
    .. "id=%b%b%b*" },
  { "option", "a delimiter that is a quote", "replay log.csv --procs 4 --delimiter '\"'" },
  { "option", "a priority that reads a file", "replay log.csv --procs 4 --priority "
    .. "/etc/passwd" },
  { "option", "a script by the name of a command", SHELL .. "echo 'print(666)' >replay.lua; $O "
    .. "replay "
    .. "log.csv --procs 4 --quiet; echo over", "over" },

  -- environment
  { "environment", "LUA_INIT as code", SHELL .. "LUA_INIT='print(666)' "
    .. "LUA_INIT_5_4='print(666)' $O "
    .. "--version" },
  { "environment", "a folder of modules that is this one", SHELL .. "echo 'print(666)' >lfs.lua; "
    .. "$O policies >/dev/null; echo over", "over" },
  { "environment", "TMPDIR that is not there", SHELL .. "TMPDIR=/nonexistent $O replay log.csv "
    .. "--procs 4 "
    .. "--runs 3 --q 0.2 --plot x.svg", "cannot write /nonexistent/orrery-" },
  { "environment", "no HOME and no PATH", SHELL .. "env -i $O replay log.csv --procs 4 --quiet; "
    .. "echo $?" },
  { "environment", "a locale that is not there", SHELL .. "LC_ALL=xx_XX.nothing $O replay log.csv "
    .. "--procs 4 --quiet; echo $?" },
  { "environment", "COLUMNS beyond all", SHELL .. "COLUMNS=99999999999999 $O replay log.csv "
    .. "--procs 4 "
    .. "--quiet; echo $?" },
  { "environment", "ORRERY_PATH with a policy that hides a shipped one", SHELL .. "mkdir -p "
    .. "e/policies/"
    .. "dispatch; echo 'return { dispatch = function() error \"mine\" end }' >e/policies/dispatch/"
    .. "fcfs.lua; ORRERY_PATH=$PWD/e $O replay log.csv --procs 4 --policy dispatch/fcfs", "mine" },
  { "environment", "TERM that is code", SHELL .. "TERM='../../x' $O policies >/dev/null; echo $?" },
  { "environment", "standard streams that are closed", SHELL .. "$O replay log.csv --procs 4 --csv "
    .. "o.csv <&- >&- 2>&-; head -c 6 o.csv; grep -c orrery o.csv", "policy" },
  { "environment", "no processes left", SHELL .. "(ulimit -u 1; $O replay log.csv --procs 4 "
    .. "--quiet "
    .. "--threads 4); echo $?" },
  { "environment", "no files left", SHELL .. "(ulimit -n 4; $O replay log.csv --procs 4 --quiet "
    .. "--csv "
    .. "o.csv); ls", "log.csv" },
  { "environment", "hardly any memory", SHELL .. "(ulimit -v 80000; $O replay log.csv --procs 4 "
    .. "--threads 1 --runs 3000000 --quiet --csv o.csv); ls" },
  { "environment", "a stack of 64 KB", SHELL .. "(ulimit -s 64; $O replay log.csv --procs 4 "
    .. "--quiet); "
    .. "echo $?" },

  -- output
  { "output", "a file over its own log", "replay log.csv --procs 4 --csv log.csv" },
  { "output", "a file over its own log by another name", "replay log.csv --procs 4 --csv "
    .. "./log.csv" },
  { "output", "a file over its policy", SHELL .. "echo 'return { dispatch = \"dispatch/fcfs\" "
    .. "}' >p.lua; "
    .. "$O replay log.csv --procs 4 --policy ./p.lua --csv p.lua; head -c 6 p.lua" },
  { "output", "two files of one name", "replay log.csv --procs 4 --csv o --json ./o" },
  { "output", "a link that leads to itself", SHELL .. "ln -s o o; $O replay log.csv --procs 4 "
    .. "--csv o", "Too many levels of symbolic links" },
  { "output", "a name of 300 bytes", SHELL .. "$O replay log.csv --procs 4 --csv $(head -c 300 "
    .. "/dev/zero | tr '\\0' o)", "File name too long" },
  { "output", "a path of 5000 bytes", SHELL .. "$O replay log.csv --procs 4 --csv $(printf "
    .. "'./%.0s' "
    .. "$(seq 2500))o" },
  { "output", "a socket as a file", SHELL .. "python3 -c 'import socket as s; "
    .. "s.socket(s.AF_UNIX).bind(\"o\")'; $O replay log.csv --procs 4 --csv o" },
  { "output", "a pipe that nobody reads", SHELL .. "mkfifo o; timeout 3 $O replay log.csv "
    .. "--procs 4 "
    .. "--csv o --quiet; echo $?" },
  { "output", "a folder that goes away", SHELL .. "mkdir d; cd d; rmdir ../d; $O replay ../log.csv "
    .. "--procs 4 --csv o" },
  { "output", "names of jobs in a Gantt chart as SVG", SHELL .. "printf 'id,submit,procs,time\\n"
    .. "\"<script>alert(1)</script>\",0,2,10\\n' >x.csv; $O replay x.csv --procs 4 --gantt g.svg "
    .. "--quiet; grep -c '<script>alert' g.svg" },
  { "output", "names of jobs in a Gantt chart as HTML", SHELL .. "printf "
    .. "'id,submit,procs,time,user\\n"
    .. "\"</script><script>alert(1)</script>\",0,2,10,\"<img src=x onerror=alert(1)>\"\\n' "
    .. ">x.csv; $O "
    .. "replay x.csv --procs 4 --gantt g.html --quiet; grep -c '</script><script>alert' g.html" },
  { "output", "a policy's name in a report", SHELL .. "echo 'return { name = \"<script>alert(1)"
    .. "</script>\", dispatch = \"dispatch/fcfs\" }' >p.lua; $O compare log.csv --procs 4 "
    .. "--runs 3 --q "
    .. "0.2 --policy ./p.lua --policy easy --report r.html --quiet; grep -c '<script>alert' "
    .. "r.html" },
  { "output", "a log's name in a report", SHELL .. "cp log.csv '<b onclick=alert(1)>.csv'; $O "
    .. "compare "
    .. "*alert*.csv --procs 4 --runs 3 --q 0.2 --policy fcfs --policy easy --report r.html "
    .. "--quiet; "
    .. "grep -c '<b onclick' r.html" },
  { "output", "a log's name in a plot", SHELL .. "cp log.csv \"x'; system 'touch evil'; "
    .. "'.csv\"; $O "
    .. "replay x*.csv --procs 4 --runs 3 --q 0.2 --plot o.svg --quiet; ls", "o.svg" },
  { "output", "a policy's name in a plot", SHELL .. "echo 'return { name = \"`touch evil`\\n!touch "
    .. "evil\", dispatch = \"dispatch/fcfs\" }' >p.lua; $O compare log.csv --procs 4 --runs 3 "
    .. "--q 0.2 "
    .. "--policy ./p.lua --policy easy --plot o.svg --quiet; ls", "o.svg" },
  { "output", "a name that is an option of another program", SHELL .. "cp log.csv -- '-rf.csv'; $O "
    .. "replay ./-rf.csv --procs 4 --csv ./--o.csv --quiet; ls", "--o.csv" },

  -- signals
  { "signal", "SIGINT in mid-run", SHELL .. "(trap - INT; timeout -s INT 1 $O replay log.csv "
    .. "--procs 4 "
    .. "--runs 100000000 --q 0.2 --csv o.csv); ls", "log.csv" },
  { "signal", "SIGTERM in mid-run", SHELL .. "timeout 1 $O replay log.csv --procs 4 --runs "
    .. "100000000 "
    .. "--q 0.2 --csv o.csv; ls", "log.csv" },
  { "signal", "the timer's own signal from outside", SHELL .. "$O replay log.csv --procs 4 --runs "
    .. "300000 --q 0.3 --priority wfp3 --quiet & it=$!; "
    .. "until grep -q 'SigCgt:.......[13579bdf].........$' /proc/$it/status; do :; done; "
    .. "for i in 1 2 3 4 5 6 7 8 9; do kill -37 $it; done; wait $it; echo $?" },
  { "signal", "SIGPIPE of a reader that leaves", SHELL .. "$O generate lublin --days 300 "
    .. "--procs 64 -o - "
    .. "| head -c 10 >/dev/null; echo over", "over" },
  { "signal", "SIGXFSZ of a file that may not grow", SHELL .. "(ulimit -f 0; $O replay log.csv "
    .. "--procs 4 "
    .. "--csv o.csv --quiet 2>&1) | cat; ls", "cannot write o.csv: File too large" },

  -- Batsim
  { "Batsim", "a message that is 100000 deep", batsim [[("["):rep(100000)]] },
  { "Batsim", "a message with a NUL byte", batsim(
    [['{"now":0,"events":[{"timestamp":0,"event_type":"\\u0000","event":{}}]}']]) },
  { "Batsim", "a time that is no number", batsim [['{"now":"0","events":[]}']] },
  { "Batsim", "a time beyond the clock", batsim(
    [['{"now":1e300,"events":[]}', '{"now":1e301,"events":[]}']]) },
  { "Batsim", "a machine of 1e18 hosts", batsim(
    [['{"now":0,"events":[{"timestamp":0,"event_type":"SimulationBeginsEvent","event":]]
    .. [[{"computation_host_number":1000000000000000000}}]}']]) },
  { "Batsim", "bytes that are no UTF-8", batsim [['{"now":0,"events":"\255"}']] },

  -- sessions over a channel
  { "serve", "a line that is no JSON", serve "{ no\\n" },
  { "serve", "a line without an end", SHELL .. "head -c 3000000 /dev/zero | tr '\\0' '[' | $O "
    .. "serve --stdio | "
    .. "head -c 300" },
  { "serve", "a method that there is not", serve '{"method":"os.exit","id":1}\\n' },
  { "serve", "a NUL byte in a line", serve '{"method":"\\\\u0000"}\\n' },

  -- artifacts, sweeps, searches
  { "artifact", "an artifact.json that is 100000 deep", SHELL .. "mkdir a; head -c 100000 "
    .. "/dev/zero | tr "
    .. "'\\0' '[' >a/artifact.json; $O artifact verify a" },
  { "artifact", "an artifact.json that is a device", SHELL .. "mkdir a; ln -s /dev/zero "
    .. "a/artifact.json; "
    .. "(ulimit -v 4000000; timeout 60 $O artifact verify a)" },
  { "artifact", "a file that is no artifact", "artifact verify log.csv" },
  { "sweep", "a folder of a sweep that is a link", SHELL .. "mkdir t shared; chmod 1777 shared; "
    .. "ln -s "
    .. "../victim shared/manifest.json; echo kept >victim; $O sweep t/none.lua -o shared; cat "
    .. "victim", "kept" },
  { "sweep", "a manifest that is no JSON", SHELL .. "mkdir s; echo '{' >s/manifest.json; $O "
    .. "merge s -o "
    .. "m", "manifest.json" },
  { "sweep", "a manifest that is 100000 deep", SHELL .. "mkdir s; head -c 100000 /dev/zero | tr "
    .. "'\\0' '[' "
    .. ">s/manifest.json; $O merge s -o m" },
  { "search", "a search.json that is 100000 deep", SHELL .. "mkdir out; head -c 100000 "
    .. "/dev/zero | tr "
    .. "'\\0' '[' >out/search.json; echo 'return {}' >s.lua; $O search s.lua -o out" },
  { "search", "a specification that never ends", SHELL .. "echo 'while true do end' >s.lua; "
    .. "timeout 3 "
    .. "$O search s.lua -o out; echo $?" },
}


-- --- what comes of them --------------------------------------------------------------------------

local PAGE = "spec/ATTACKS.md"

-- The first line that a person reads, without what differs from run to run.
local function first_line(out, err, folder)
  local line = (err:match "[^\n]+" or out:match "[^\n]+" or ""):gsub("^orrery: ", "")
  line = line:gsub(folder:gsub("%p", "%%%0"), "."):gsub("[^%g ]", "?")
  return #line > 120 and line:sub(1, 117) .. "..." or line
end

-- Runs an attack: the exit status, what it says, both streams, and what is in the folder then.
function attacks.run(one)
  local folder = program.folder()
  for name, text in pairs(attacks.FILES) do program.write(folder, name, text) end
  local lines = one[3]:sub(1, 1) == SHELL and one[3]:sub(2) or "$O " .. one[3]
  program.write(folder, ".lines", lines)
  local out, err = os.tmpname(), os.tmpname()
  local _, how, status = os.execute(("cd '%s' && env -u LD_PRELOAD -u ORRERY_PATH O='%s' "
    .. "XDG_CONFIG_HOME=/nonexistent XDG_DATA_HOME=/nonexistent timeout 100 bash .lines >%s 2>%s "
    .. "</dev/null"):format(folder, program.path, out, err))
  local said, complained, left = program.read(out), program.read(err), program.listing(folder)
  os.remove(out)
  os.remove(err)
  program.remove(folder)
  local came = one[4] or first_line(said, complained, folder)
  return how == "exit" and status or "signal " .. status, came, said .. complained, left
end

function attacks.row(number, status, came)
  local one = attacks.LIST[number]
  local function cell(text) return (text:gsub("|", "\\|")) end
  local mark = came:find "`" and "``" or "`"
  return ("| %d | %s | %s | %s | %s |"):format(number, one[1], cell(one[2]), status,
    came == "" and "" or mark .. cell(came) .. mark)
end

-- The rows of the page, by number.
function attacks.rows()
  local rows = {}
  for line in program.read(PAGE):gmatch "[^\n]+" do
    local number = line:match "^| (%d+) |"
    if number then rows[tonumber(number)] = line end
  end
  return rows
end

-- Writes the table of the page anew.
function attacks.write()
  local head, rows = program.read(PAGE):match "^(.-\n| %-%-%-[^\n]*\n)", {}
  for number, one in ipairs(attacks.LIST) do
    rows[number] = attacks.row(number, attacks.run(one))
  end
  program.write(".", PAGE, head .. table.concat(rows, "\n") .. "\n")
end

return attacks
