-- Small runs with none to three faults, and with one more: on every processor, at every event, and
-- between any two. Each is checked, and all processor-seconds are accounted for.
local native = require "native_monkey"

describe("a monkey among malleable tasks", function()
  for _, on_end in ipairs { "end-local", "end-greedy" } do
    for _, on_fault in ipairs { "iterated-greedy", "shortest-tasks-first" } do
      it(("finds no moment at which a fault breaks a schedule, %s, %s"):format(on_end, on_fault),
        function()
          local runs, faults, fatal = native.malleable(on_end, on_fault, 1, 40)
          assert.is_true(runs > 4000)
          assert.is_true(faults > runs)
          assert.is_true(fatal > 10)
        end)
    end
  end
end)
