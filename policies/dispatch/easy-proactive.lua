local SLACK = 1 -- s: so much earlier than necessary a checkpoint is begun

-- The jobs on these nodes write a checkpoint, if they can finish it before the announced time.
local function save(sim, warning)
  for _, job in ipairs(sim:running_on(warning.nodes)) do
    local cost = job.checkpoint_cost
    if cost and sim.now + cost < warning.at then sim:checkpoint(job) end
  end
end

-- The latest time to begin the checkpoints of the jobs on these nodes; nil: no job can write one.
local function latest(sim, nodes, at)
  local longest
  for _, job in ipairs(sim:running_on(nodes)) do
    local cost = job.checkpoint_cost
    if cost and sim.now + cost < at then longest = math.max(longest or 0, cost) end
  end
  return longest and at - longest - SLACK
end

-- The nodes as plain numbers, to be kept in sim.state.
local function plain(nodes)
  local list = {}
  for i, node in ipairs(nodes) do list[i] = { first = node.first, procs = node.procs } end
  return list
end

return function(options)
  -- Periodic checkpoints are needed only against failures that are not announced: their rate is
  -- the rate of all failures times 1 - recall.
  local function period(job)
    if not (job.checkpoint_cost and job.error_rate > 0) then return math.huge end
    return math.sqrt(2 * job.checkpoint_cost / (job.error_rate * (1 - options.recall)))
  end
  return {
    name = "EASY with proactive checkpoints",
    about = "EASY; just before an announced failure the jobs on its nodes save what is done.",
    source = "Aupy, Robert, Vivien and Zaidouni: Checkpointing algorithms and fault prediction. "
      .. "JPDC 74(2), 2014.",
    options = {
      recall = { default = 0, least = 0, most = 0.999, about = "share of the failures that are "
        .. "announced, for longer periods between checkpoints; 0: the periods are not changed" },
    },
    dispatch = { discipline = "list", reservations = 1 },
    init = function(sim) sim.state.coming = {} end,
    period = (options.recall or 0) > 0 and period or nil, -- none when the file is only described
    on_warning = function(sim, nodes, at)
      local time = latest(sim, nodes, at)
      local warning = { time = time, at = at, nodes = plain(nodes) }
      if time and time > sim.now then
        table.insert(sim.state.coming, warning)
        sim:wake_at(time)
      elseif time then
        save(sim, warning)
      end
    end,
    on_timer = function(sim)
      local later = {}
      for _, warning in ipairs(sim.state.coming) do
        if warning.time > sim.now then
          later[#later + 1] = warning
        else
          save(sim, warning)
        end
      end
      sim.state.coming = later
    end,
  }
end
