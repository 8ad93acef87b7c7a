-- palette: colours that everybody can tell apart, and the looks of outcomes.

local palette = {}

-- Okabe and Ito's palette, which people with any colour vision can tell apart.
palette.PALETTE = { "#0072B2", "#E69F00", "#009E73", "#CC79A7", "#D55E00", "#56B4E9", "#000000",
  "#F0E442" }

local function rgb(colour)
  local r, g, b = colour:match "^#(%x%x)(%x%x)(%x%x)$"
  return tonumber(r, 16), tonumber(g, 16), tonumber(b, 16)
end
palette.rgb = rgb

-- A share of the way from one colour to another.
function palette.mix(from, to, share)
  local r, g, b = rgb(from)
  local r2, g2, b2 = rgb(to)
  local function mean(x, y) return math.floor(x + (y - x) * share + 0.5) end
  return ("#%02X%02X%02X"):format(mean(r, r2), mean(g, g2), mean(b, b2))
end

-- The colours of jobs: the palette without black, which is for text, and the same colours halfway
-- to white.
local FULL = { 1, 2, 3, 4, 6, 5, 8 }
palette.JOBS = {}
for i, at in ipairs(FULL) do
  palette.JOBS[i] = palette.mix(palette.PALETTE[at], "#FFFFFF", 0.12)
  palette.JOBS[i + #FULL] = palette.mix(palette.PALETTE[at], "#FFFFFF", 0.55)
end

-- Behind them those of amounts: of none (no grey, which is of processors that are out), and from
-- little to much.
palette.AMOUNTS = { "#E9DFC8", "#C9DDEA", "#93C3E0", "#3F8FC4", "#F2D16B", "#F0A03C", "#DD5C2C",
  "#A02020" }
palette.CLASSES = table.move(palette.JOBS, 1, #palette.JOBS, 1, {})
table.move(palette.AMOUNTS, 1, #palette.AMOUNTS, #palette.JOBS + 1, palette.CLASSES)

-- The number of the colour of the job at a position: neighbours in the log differ much.
function palette.of(position) return (position - 1) % #palette.JOBS + 1 end

function palette.of_job(position) return palette.JOBS[palette.of(position)] end

-- Black or white, whichever can be read on the colour.
function palette.ink(colour)
  local r, g, b = rgb(colour)
  return 0.299 * r + 0.587 * g + 0.114 * b > 115 and "#000000" or "#FFFFFF"
end

palette.DOWN = "#BDBDBD"

-- Marks over a job's colour, so that not only colours distinguish outcomes: name -> { text of the
-- legend, pattern }. svg.lua and gantt.lua draw the patterns.
palette.LOOKS = {
  failed = { "failed attempt", "stripes" },
  killed = { "killed at its walltime", "cross" },
  preempted = { "preempted", "level" },
  redirected = { "redirected to another group", "upright" },
  cancelled = { "cancelled", "dots" },
  node_failure = { "lost to a node's failure", "back" },
  running = { "still to come, as planned", "pale" },
  checkpoint = { "checkpoint", "dark" },
  lost = { "work that a fault undid", "stripes" },
  downtime = { "downtime", "black" },
  recovery = { "recovery", "dots" },
  redistribution = { "redistribution", "upright" },
}
palette.ORDER = { "failed", "killed", "preempted", "redirected", "cancelled", "node_failure",
  "checkpoint", "lost", "downtime", "recovery", "redistribution", "running" }

return palette
