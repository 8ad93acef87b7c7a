local orrery = require "orrery"
local native = require "native_base"
local rounds_of = require "spec.support.rounds"

-- Chi-square of counts against equal expectations, as a standard normal number (Wilson and
-- Hilferty): beyond +-4.5 once in 150 000 tests.
local function chi_square_z(counts, n, cells)
  local expected, chi = n / cells, 0
  for i = 0, cells - 1 do
    chi = chi + ((counts[i] or 0) - expected) ^ 2 / expected
  end
  local dof = cells - 1
  return ((chi / dof) ^ (1 / 3) - (1 - 2 / (9 * dof))) / math.sqrt(2 / (9 * dof))
end

local function assert_equidistributed(words, n, what)
  local top, low, rotated = {}, {}, {}
  for i = 1, n do
    local w = words(i)
    top[w >> 56] = (top[w >> 56] or 0) + 1
    low[w & 255] = (low[w & 255] or 0) + 1
    local m = w >> 28 & 255
    rotated[m] = (rotated[m] or 0) + 1
  end
  for name, counts in pairs { ["top bits"] = top, ["low bits"] = low, ["middle bits"] = rotated } do
    local z = chi_square_z(counts, n, 256)
    assert.is_true(math.abs(z) < 4.5, ("%s, %s: z = %.2f"):format(what, name, z))
  end
end

local function bit_count(x)
  local n = 0
  while x ~= 0 do
    x, n = x & (x - 1), n + 1
  end
  return n
end

local function first(seed, set, scenario, purpose, entity)
  return native.stream(seed, set, scenario, purpose, entity):next()
end

describe("PCG XSL-RR 128/64", function()
  -- pcg-c, test-high/expected/check-pcg64.out: state 42, sequence 54, five rounds
  local rounds = {
    { 0x86b1da1d72062b68, 0x1304aa46c9853d39, 0xa3670e9e0dd50358, 0xf9090e529a7dae00,
      0xc85b9fd837996f2c, 0x606121f8e3919196,
      coins = "TTTHHHTTTHHHTTTTHHTTHHTHTHTTHHTHTTTTHHTTTHTHHTHTTTTHHTTTHHHTTTHTT",
      rolls = "6 4 1 5 1 5 5 3 6 3 4 6 2 3 6 5 5 5 1 5 3 6 2 6 1 4 4 3 5 2 6 3 2",
      cards = "3d 7d 3h Qd 9d 8c Ts Ad 9s 6c Jh Ac 5s 4c 2c 7s Kh Kd 7h Qh 6d Qc "
        .. "8d Qs 6s Js 4d Kc 9h 3c 2h Td 5d 5h 9c 4s 5c 7c 3s 4h As Th 6h Jc "
        .. "2s Jd Tc Ah 2d Ks 8h 8s" },
    { 0x1773ba241e7a792a, 0xe41aed7117b0bc10, 0x36bac8d9432af525, 0xe0c78e2f3c850a38,
      0xe3ad939c1c7ce70d, 0xa302fdced8c79e93,
      coins = "TTTTHTHTHHTHTHTTTTTHHTTHHHHTHTHHHHHHHTHHHTHHTHTTTHHHHTTHHTTTHTHTH",
      rolls = "6 1 1 5 4 1 5 6 3 2 4 2 2 4 6 2 1 5 2 6 2 3 1 5 1 1 5 4 4 2 3 6 3",
      cards = "As 2h 4d 7d Ad Qc 9s 7h Kh Jc 7c 3d 8c Th 9c Qd 9h Td 6d 8d Qs 5c "
        .. "6s 8s Ac Kd 2d 3h Qh Tc Jh Ah 3s 4h 9d 8h Jd 4s 2s Ts 5s Kc 4c 5d "
        .. "3c 6h 2c 6c 7s Js 5h Ks" },
    { 0xc96006593aed3b62, 0xf04d5afa3f197bf1, 0xce6f729cc913a50f, 0x98b5fc4fbb1e4aea,
      0x802dce1b410fc8c3, 0xe3bac0a14f6e5033,
      coins = "HTTHTHTTTTTHTTTHHTHTHHTHHHHHHHHHTTTHTHTHTHHTTTTTTHHHHTHTTTTHHHHHH",
      rolls = "5 6 4 3 3 1 4 5 2 3 2 1 1 3 2 3 4 5 4 6 4 3 6 2 2 6 3 2 2 4 5 2 5",
      cards = "5c 5d 9d 4s Qs Kh 2c 3h Ac 2s 7s 4c 6s 8h 9c 6d 2h 4d 3c 5h 6h Ad "
        .. "7c Js Jd 6c 2d 3d 4h Kd 9s Th Kc 7h 8s Tc Qc Qd Jh Ks 8d Ts Ah Jc "
        .. "5s As Qh 8c 3s Td 7d 9h" },
    { 0x68da679de81de48a, 0x7ee3c031fa0aa440, 0x6eb1663983530403, 0xfec4d7a9a7aec823,
      0xbce221c255ee9467, 0x460a42a962b8a2f9,
      coins = "HHHTTTTHHHHHTTTTTTTHHHTHHHHTTHTTTHTTTTHTHHHHTHHTTTHHHTHHTTHHHTHTH",
      rolls = "3 5 6 3 6 4 5 6 5 6 1 1 6 6 5 5 5 1 6 4 6 4 5 1 1 4 4 4 3 5 6 1 6",
      cards = "7c Kh 2d Qc Jh Js Kc Ks Kd 3d 8d 4s Jc 8c 9d 5c 9c Qh As Qd 3s Ac "
        .. "3h 3c Ad 9h 6h Th Jd 5s 6s 7h 7d 7s 2c 2h 2s 6d 8h 4d Ts Tc 4h 5h "
        .. "4c Ah 9s Td 8s 5d 6c Qs" },
    { 0x9e0d084cff42fe2f, 0x63cd8347aae338ea, 0x112aae00540d3fa1, 0x53968bc829afd6ec,
      0x1b9900eb6c5b6d90, 0xe89ed17ea33cb420,
      coins = "HTTTTTHTHTHHHTHTTTHTHHTHHTHTTTHHTTHHHTTTTHTTHHTHHTHHHTTHHTHTHHHHH",
      rolls = "6 6 5 1 1 4 5 5 3 1 2 6 5 2 4 6 4 2 6 4 4 3 2 5 3 3 6 5 3 4 5 1 2",
      cards = "Jd Qh 8s 9h Kh 3c Ts Th Kc Kd 4s Ah 5h 4d Jc 7d 9c Ac 8c Ks 6s 2d "
        .. "Td Qc 2s 8h Tc 6c 3d 3h 4h 6h 7s Qs As 5d 3s 5c 6d 4c Js 5s 8d 9d "
        .. "2c 9s 7h Qd Jh Ad 2h 7c" },
  }

  local function deal(rng)
    local deck = {}
    for i = 0, 51 do
      deck[i] = i
    end
    for i = 52, 2, -1 do
      local chosen = native.below(rng, i)
      deck[i - 1], deck[chosen] = deck[chosen], deck[i - 1]
    end
    local names = {}
    for i = 0, 51 do
      local number, suit = deck[i] // 4 + 1, deck[i] % 4 + 1
      names[i + 1] = ("A23456789TJQK"):sub(number, number) .. ("hcds"):sub(suit, suit)
    end
    return table.concat(names, " ")
  end

  it("gives the published words, coins, rolls and cards for state 42, sequence 54", function()
    local rng = orrery.random { state = 42, sequence = 54 }
    for _, round in ipairs(rounds) do
      for _ = 1, 2 do -- "Again": back six, the same six
        for _, word in ipairs(round) do
          assert.equal(word, rng:next())
        end
        rng:advance(-6)
      end
      rng:advance(6)
      local coins, rolls = {}, {}
      for i = 1, 65 do
        coins[i] = native.below(rng, 2) == 1 and "H" or "T"
      end
      for i = 1, 33 do
        rolls[i] = native.below(rng, 6) + 1
      end
      assert.equal(round.coins, table.concat(coins))
      assert.equal(round.rolls, table.concat(rolls, " "))
      assert.equal(round.cards, deal(rng))
    end
  end)

  it("is what Debian's libpcg-cpp-dev computes #long", function()
    local header = io.open "/usr/include/pcg_random.hpp"
    if not header or not os.execute "command -v g++ >/dev/null 2>&1" then
      pending "needs g++ and libpcg-cpp-dev"
      return
    end
    header:close()
    local seeds = {
      { 0, 0, 0, 0 }, { 0, 1, 0, 1 }, { 0, 42, 0, 54 }, { -1, -1, -1, -1 },
      { 0x0123456789abcdef, -7, 0x7fffffffffffffff, 99 },
    }
    local directory = os.tmpname()
    os.remove(directory)
    assert(os.execute("mkdir " .. directory))
    finally(function()
      os.execute("rm -rf " .. directory)
    end)
    local source = assert(io.open(directory .. "/reference.cpp", "w"))
    source:write [[
#include <pcg_random.hpp>
#include <cstdio>
#include <cstdlib>
typedef unsigned __int128 u128;
static u128 wide(char **argv) {
    return (u128)strtoull(argv[0], 0, 16) << 64 | strtoull(argv[1], 0, 16);
}
int main(int, char **argv) {
    pcg64 rng(wide(argv + 1), wide(argv + 3));
    for (int i = 0; i < 1000; i++) printf("%lld\n", (long long)rng());
    rng.advance(wide(argv + 5));
    for (int i = 0; i < 10; i++) printf("%lld\n", (long long)rng());
    for (int i = 0; i < 10; i++) printf("%lld\n", (long long)rng(0xc000000000000001ull));
}
]]
    source:close()
    assert(os.execute(("env -u LD_PRELOAD g++ -w -O1 -o %s/reference %s/reference.cpp"):format(
      directory, directory)))
    for i, s in ipairs(seeds) do
      local delta_high, delta_low = 0x0f1e2d3c4b5a6978 * i, -i
      local rng = orrery.random { state = 0 }
      native.seed(rng, s[1], s[2], s[3], s[4])
      local command = (" 0x%x"):rep(6):format(s[1], s[2], s[3], s[4], delta_high, delta_low)
      local run = assert(io.popen(directory .. "/reference" .. command))
      for _ = 1, 1000 do
        assert.equal(run:read "n", rng:next())
      end
      native.advance(rng, delta_high, delta_low)
      for _ = 1, 10 do
        assert.equal(run:read "n", rng:next())
      end
      for _ = 1, 10 do -- a bound that rejects a quarter of the words
        assert.equal(run:read "n", native.below(rng, 0xc000000000000001))
      end
      run:close()
    end
  end)
end)

describe("jumping ahead", function()
  it("equals stepping, forward and backward", function()
    local pick = orrery.random(7)
    for _ = 1, 200 do
      local rng = orrery.random { state = pick:next(), sequence = pick:next() }
      local steps = pick:integer(0, 300)
      local jumped, walked = rng:copy(), rng:copy()
      for _ = 1, steps do
        walked:next()
      end
      jumped:advance(steps)
      assert.same({ native.state(walked) }, { native.state(jumped) })
      jumped:advance(-steps)
      assert.same({ native.state(rng) }, { native.state(jumped) })
    end
  end)

  it("adds up for 128-bit distances and has period 2^128", function()
    local pick = orrery.random(8)
    for _ = 1, 200 do
      local rng = orrery.random(pick:next())
      local a_high, a_low, b_low = pick:next(), pick:next(), pick:next()
      local carry = math.ult(a_low + b_low, a_low) and 1 or 0
      local once, twice = rng:copy(), rng:copy()
      native.advance(once, a_high + carry, a_low + b_low)
      native.advance(twice, a_high, a_low)
      native.advance(twice, 0, b_low)
      assert.same({ native.state(once) }, { native.state(twice) })
      -- 2^128 - a steps further the beginning is reached again
      native.advance(twice, 0, -b_low)
      if b_low ~= 0 then -- -b_low alone is 2^64 - b_low: one 2^64 too many
        native.advance(twice, -1, 0)
      end
      native.advance(twice, a_low == 0 and -a_high or ~a_high, -a_low)
      assert.same({ native.state(rng) }, { native.state(twice) })
    end
  end)

  it("worked by hand: one step from state 0 gives the increment", function()
    local rng = orrery.random { state = 0, sequence = 5 }
    native.goto_state(rng, 0, 0)
    rng:advance(2) -- goto_state stands one step before state 0
    assert.same({ 0, 11, 0, 11 }, { native.state(rng) })
  end)
end)

describe("a bounded number", function()
  it("is a remainder of accepted words; bound 0 is a whole word", function()
    local rng = orrery.random(3)
    local whole = rng:copy()
    assert.equal(whole:next(), native.below(rng, 0))
    for _ = 1, 1000 do
      assert.equal(0, native.below(rng, 1))
    end
  end)

  it("rejects exactly the lowest 2^64 mod bound words", function()
    local bound = 3 << 62 -- 2^64 mod bound = 2^62
    local rng = orrery.random { state = 1, sequence = 1 }
    for _, case in ipairs { { (1 << 62) - 1, true }, { 1 << 62, false } } do
      native.goto_state(rng, 0, case[1]) -- rotation 0: the output is this word
      local after = rng:copy()
      after:next()
      local value = native.below(rng, bound)
      assert.equal(not case[2], value == case[1])
      local rejected = native.state(rng) ~= native.state(after)
      assert.equal(case[2], rejected)
    end
  end)

  it("is equidistributed", function()
    local rng = orrery.random(4)
    for _, bound in ipairs { 3, 10, 97, 1000 } do
      local counts, n = {}, 200 * bound
      for _ = 1, n do
        local x = rng:integer(-5, bound - 6)
        if x < -5 or x > bound - 6 then error(x) end
        counts[x + 5] = (counts[x + 5] or 0) + 1
      end
      assert.is_true(math.abs(chi_square_z(counts, n, bound)) < 4.5)
    end
  end)
end)

describe("streams", function()
  it("have committed first outputs", function()
    local golden = {
      { 1, 0, 0, 0, 0, 0x35351e2f1bcac308, 0xdfe5072f7756af8a },
      { 1, 0, 1, 2, 0, 0xc8c4fee6b4146e15, 0xba643523a0c67adb },
      { 1, 0, 1, 2, 1, 0x64bbe9308e9214f0, 0xbc77bc83211e339c },
      { 1, 0, 2, 2, 0, 0xbd94a447e24757f7, 0x6e3e9f5d782bb9a4 },
      { 1, 0, 17, 2, 99, 0x65c8ca2aeb000e7c, 0x82d77b4f3dc57014 },
      { 1, 1, 1, 2, 0, 0x6cd6e623fef7ab8d, 0xe404f5af6d9ea4b3 },
      { 42, 0, 1, 1, 0, 0x9cf7f563116d2281, 0xc3889a70c7863cb3 },
      { -1, 3, 1000, 3, 49151, 0x6c522a1f7a85c8ec, 0x31b8bb70d86a7040 },
      { 0, 0, 0, 4, 0, 0x18d6724aaeac43fe, 0xdfd1b534a8114b61 },
    }
    for _, g in ipairs(golden) do
      local rng = native.stream(g[1], g[2], g[3], g[4], g[5])
      assert.equal(g[6], rng:next(), table.concat(g, " "))
      assert.equal(g[7], rng:next(), table.concat(g, " "))
    end
  end)

  it("of the prompt have purpose 0", function()
    for seed = -2, 5 do
      local public = orrery.random { seed = seed, set = 2, scenario = 3, entity = 4 }
      assert.equal(first(seed, 2, 3, 0, 4), public:next())
      assert.equal(first(seed, 0, 0, 0, 0), orrery.random(seed):next())
    end
    assert.equal(first(1, 0, 0, 0, 0), orrery.random():next())
  end)

  it("have distinct increments and no common first output", function()
    local increments, outputs = {}, {}
    for scenario = 1, rounds_of(100, 100, 25) do
      for entity = 0, 199 do
        local rng = native.stream(1, 0, scenario, 2, entity)
        local _, _, high, low = native.state(rng)
        assert.equal(1, low & 1)
        local name, word = high .. " " .. low, rng:next()
        assert.is_nil(increments[name])
        assert.is_nil(outputs[word])
        increments[name], outputs[word] = true, true
      end
    end
  end)

  it("have equidistributed first three outputs along every part of the name", function()
    local n = rounds_of(51200, 51200, 12800)
    local along = {
      seed = function(i) return native.stream(i, 0, 1, 2, 0) end,
      set = function(i) return native.stream(1, i, 1, 2, 0) end,
      scenario = function(i) return native.stream(1, 0, i, 2, 5) end,
      entity = function(i) return native.stream(1, 0, 1, 2, i - 1) end,
      both = function(i) return native.stream(1, 0, i // 100 + 1, 2, i % 100) end,
      bit = function(i) return native.stream(1 << i % 64, 1 << i // 64 % 64, i // 4096, 2, 0) end,
    }
    for name, open in pairs(along) do
      for output = 1, 3 do
        assert_equidistributed(function(i)
          return open(i):advance(output - 1):next()
        end, n, name .. ", output " .. output)
      end
    end
  end)

  it("are uncorrelated between neighbours in entity, scenario, set, purpose and seed", function()
    local n, mean = 20000, 32
    local neighbours = {
      entity = function(i) return first(1, 0, 1, 2, i), first(1, 0, 1, 2, i + 1) end,
      scenario = function(i) return first(1, 0, i, 2, 0), first(1, 0, i + 1, 2, 0) end,
      set = function(i) return first(1, i, 1, 2, 0), first(1, i + 1, 1, 2, 0) end,
      seed = function(i) return first(i, 0, 1, 2, 0), first(i + 1, 0, 1, 2, 0) end,
      purpose = function(i) return first(1, 0, 1, 2, i), first(1, 0, 1, 3, i) end,
      swapped = function(i) return first(1, 0, i, 2, i + 1), first(1, 0, i + 1, 2, i) end,
      high = function(i) return first(1, 0, 1, 2, i), first(1, 0, 1, 2, i | 1 << 63) end,
      -- the second output of one against the first of the other: a lag in the sequence
      lag = function(i)
        return native.stream(1, 0, 1, 2, i):advance(1):next(), first(1, 0, 1, 2, i + 1)
      end,
    }
    for name, pair in pairs(neighbours) do
      local distance, product = 0, 0
      for i = 1, n do
        local a, b = pair(i)
        distance = distance + bit_count(a ~ b)
        product = product + ((a >> 11) * 0x1p-53 - 0.5) * ((b >> 11) * 0x1p-53 - 0.5)
      end
      -- bits that differ: mean 32, variance 16; products: mean 0, variance 1/144
      local z_bits, z = (distance / n - mean) / (4 / math.sqrt(n)), product * 12 / math.sqrt(n)
      assert.is_true(math.abs(z_bits) < 4.5, name .. " bits " .. z_bits)
      assert.is_true(math.abs(z) < 4.5, name .. " product " .. z)
    end
  end)

  it("have first outputs whose pairs fill the square", function()
    local counts, n = {}, 102400
    for i = 0, n - 1 do
      local scenario, entity = i // 64 + 1, i % 64
      local a, b = first(3, 0, scenario, 2, entity), first(3, 0, scenario, 2, entity + 1)
      local cell = (a >> 60) * 16 + (b >> 60)
      counts[cell] = (counts[cell] or 0) + 1
    end
    assert.is_true(math.abs(chi_square_z(counts, n, 256)) < 4.5)
  end)
end)
