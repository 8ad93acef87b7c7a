-- Positions, counts and numbers out of range, given to the kernel's public functions: each is
-- refused with a message, or answered as base/api.h says, and nothing is read or written outside of
-- an array. A call that ends its process does not end the others.
local native = require "native_misuse"

-- What functions without a status answer; all other calls are refused.
local VALUES = {
  label_name = 1, dropped_detail = 1, label_text_above = 1, label_text_below = 1, -- NULL
  one_pack_cost = "nan", quantity_above = "nan", quantity_below = "nan",
  task_time_below = "nan", task_time_above = "nan", task_time_procs = "nan",
  group_above = 0, group_below = 0, job_above = "nan", job_below = "nan",
  waiting_group = -1, waiting_group_below = -1, waiting_job = -1, waiting_pending = -1,
  waiting_procs = -1, running_group = 0,
  queue_above = 0, queue_below = 0, wait_group = "nan", wait_group_below = "nan", wait_nan = "nan",
  wait_below = "nan", wait_above = "nan",
  earliest_group = "nan", earliest_procs = "nan", earliest_seconds = "nan",
  earliest_seconds_below = "nan",
  node_above = 0, node_below = "nan", probability_above = "nan", probability_below = "nan",
  can_start_above = 0, can_start_below = 0, can_start_pending = 0, can_start_running = 0,
  zone_far = 253402300799, zone_early = -62135596800, -- the years 9999 and 1
  measure_midway = "nan", measure_midway_counts = -1, result_midway = 1, job_midway = "nan", -- NULL
  measure_job = "nan", times_of_job_above = "nan", times_of_job_below = "nan",
  young_below = "nan", daly_nan = "nan", job_mtbf_procs = "nan",
  schedule_group_above = 1, schedule_group_below = 1, -- NULL
  stint_spans = 0, task_id_above = 1, -- NULL
  task_above = 0, task_below = 0, proposed = 0, proposed_finish = "nan", most = 0, drop = 0,
  finish_with_task = "nan", finish_with_procs = "nan", improvement = 0, transfer = 0,
  procs_for = -1, coschedule_idle = "nan", pack_cost = "nan", pack_of = -1,
  move_gain_pack = "-inf",
  move_gain = "-inf", swap_gain = "-inf", allocation_procs = -1,
}

-- What each call answers, by its name.
local answers, known = {}, 0
while known < #native.names do
  for _, answer in ipairs(native.answers(known + 1)) do
    known = known + 1
    answers[native.names[known]] = answer
  end
end

describe("a call out of range", function()
  for _, name in ipairs(native.names) do
    it("is no harm: " .. name, function()
      local answer = answers[name]:gsub("%-nan", "nan")
      if VALUES[name] then
        assert.equal("value " .. VALUES[name], answer)
      else
        -- ORR_ERR_ARGUMENT, of an action ORR_ERR_POLICY, of numbers of jobs ORR_ERR_INPUT
        assert.matches("^[235] %w.*%w", answer)
        assert.no.matches("%-2147483648", answer) -- what comes behind the largest number
      end
    end)
  end

  it("is refused in words, where a run is not over", function()
    assert.equal("2 quantiles need a run in which every job is over", answers.quantiles_midway)
    local placement = "2 policy easy: there is no placement 77, they are numbered from 0 to 7"
    assert.equal(placement, answers.create_place)
    assert.equal(placement, answers.create_place_of_two)
    assert.equal("2 policy easy: its own function chooses processors, and it has none",
      answers.create_place_of_two_chosen)
    assert.equal("5 policy easy: place_nodes chooses 1000000 nodes for job 1, and the machine has "
      .. "2", answers.choose_nodes_many)
    assert.equal("2 users need a run in which every job is over", answers.users_midway)
  end)

  it("names a policy that has no name", function()
    for _, name in ipairs(native.names) do assert.no.matches("%(null%)", answers[name], name) end
    assert.equal("2 policy without a name: of make_state, copy_state and free_state all three are "
      .. "needed, or none", answers.create_nameless)
  end)

  it("is tried of all kinds", function() assert.is_true(#native.names > 120) end)
end)
