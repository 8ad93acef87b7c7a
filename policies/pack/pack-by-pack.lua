local function pack_by_pack(problem, epsilon, fullest)
  local allocation, packs = problem:allocation(), {}
  while allocation:head() do
    local _, _, longest = allocation:grow(epsilon)
    local least = (1 - epsilon) * longest
    packs[#packs + 1] = fullest and allocation:take_fullest(least) or allocation:take(least)
  end
  return problem:coschedule(packs)
end

return function(options)
  return {
    name = "PACK-BY-PACK",
    about = "One pack after the other from tasks that take about as long as the longest.",
    source = "J. Scheduling 2016, section 5",
    options = {
      epsilon = { default = 0.5, least = 0, most = 1, about = "how much shorter than the longest" },
      fill = { default = "longest", values = { "longest", "fullest" },
        about = "which candidates go into a pack: the longest, or those that leave it least idle" },
      runs = {
        default = 1, least = 1, whole = true,
        about = "the best of so many, with epsilon spread over 0 to 1 (9: 0.1, 0.2, ... 0.9)",
      },
    },
    pack = function(problem)
      local runs, fullest = options.runs, options.fill == "fullest"
      if runs == 1 then return pack_by_pack(problem, options.epsilon, fullest) end
      local best
      for run = 1, runs do
        local found = pack_by_pack(problem, run / (runs + 1), fullest)
        if not best or found.cost < best.cost then best = found end
      end
      return best
    end,
  }
end
