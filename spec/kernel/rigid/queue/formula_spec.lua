-- Formulas of priorities, step by step and by hand: what each operation gives where Lua fails or
-- wraps, which formulas are none, and of which it is proved that they give a number for every job.
-- Whole policies are in bindings/host/formulas_spec.lua.
local native = require "native_formula"

local MOST, LEAST = math.maxinteger, math.mininteger

-- The steps of an expression: { "F_ADD", x, y }, a number, or the name of an input.
local function steps_of(expression, list)
  list = list or {}
  local step
  if type(expression) == "number" then
    local is_integer = math.type(expression) == "integer"
    step = { op = is_integer and "I_CONSTANT" or "F_CONSTANT", number = expression,
      integer = is_integer and expression or nil }
  elseif type(expression) == "string" then
    step = { op = expression }
  else
    step = { op = expression[1], integer = expression.integer, text = expression.text }
    for i, name in ipairs { "a", "b", "c" } do
      local operand = expression[i + 1]
      if operand then
        steps_of(operand, list)
        step[name] = #list
      end
    end
  end
  list[#list + 1] = step
  return list
end

local JOBS = { { procs = 1, time = 10, submit = 0, user = "ann" },
  { procs = 4, time = 40.5, submit = 7, user = "bob" }, { procs = 2, time = 0, submit = 9 } }

local function values(expression, jobs) return native.values(steps_of(expression), jobs or JOBS) end

-- The value of an expression of integers, or of a condition.
local function integer(expression)
  return math.tointeger(values({ "F_FROM_I", expression }, { {} })[1])
end
local function truth(...) return integer { "I_SELECT", { ... }, 1, 0 } == 1 end

describe("a step", function()
  it("of integers has a value also where Lua has none", function()
    for _, case in ipairs {
      { "I_FLOOR_DIV", 7, 2, 3 }, { "I_FLOOR_DIV", -7, 2, -4 }, { "I_FLOOR_DIV", 7, -2, -4 },
      { "I_FLOOR_DIV", -7, -2, 3 }, { "I_FLOOR_DIV", -6, 2, -3 }, { "I_FLOOR_DIV", 7, 1, 7 },
      { "I_FLOOR_DIV", 7, -1, -7 }, { "I_FLOOR_DIV", LEAST, -1, LEAST }, { "I_FLOOR_DIV", 7, 0, 0 },
      { "I_FLOOR_DIV", -7, 0, 0 }, { "I_MOD", 7, 3, 1 }, { "I_MOD", -7, 3, 2 },
      { "I_MOD", 7, -3, -2 }, { "I_MOD", -7, -3, -1 }, { "I_MOD", -6, 3, 0 }, { "I_MOD", 7, -1, 0 },
      { "I_MOD", 7, 1, 0 }, { "I_MOD", LEAST, -1, 0 }, { "I_MOD", 7, 0, 0 },
      { "I_ADD", MOST, 1, LEAST }, { "I_SUB", LEAST, 2, MOST - 1 }, { "I_MUL", LEAST, -1, LEAST },
      { "I_MUL", 1 << 62, 2, LEAST },
    } do
      -- as a float the largest is another number: their distance from what is expected is 0
      assert.equal(0, integer { "I_SUB", { case[1], case[2], case[3] }, case[4] },
        ("%s(%d, %d)"):format(table.unpack(case)))
    end
    assert.same({ -3, 3, LEAST, 3, 3, LEAST }, { integer { "I_NEG", 3 }, integer { "I_NEG", -3 },
      integer { "I_NEG", LEAST }, integer { "I_ABS", 3 }, integer { "I_ABS", -3 },
      integer { "I_ABS", LEAST } })
  end)

  it("makes an integer of a float that is one of 64 bits, else 0", function()
    for _, case in ipairs { { 3.0, 3 }, { -3.0, -3 }, { 3.5, 0 }, { -0.5, 0 },
      { 2.0 ^ 62, 1 << 62 }, { -(2.0 ^ 63), LEAST }, { 2.0 ^ 63, 0 }, { -(2.0 ^ 64), 0 },
      { math.huge, 0 }, { 0 / 0, 0 } } do
      assert.equal(case[2], integer { "I_FROM_F", case[1] }, case[1])
    end
  end)

  it("of floats is as in Lua", function()
    local function float(...) return values({ ... }, { {} })[1] end
    assert.same({ 1.5, -4.5, 4.5, -1.5, -4.0, 3.0, 0.0 }, { float("F_MOD", 7.5, 6.0),
      float("F_MOD", 7.5, -6.0), float("F_MOD", -7.5, 6.0), float("F_MOD", -7.5, -6.0),
      float("F_FLOOR_DIV", 7.5, -2.0), float("F_FLOOR_DIV", 7.5, 2.0), float("F_MOD", 6.0, -6.0) })
    assert.same({ 6.25, 8.0, 0.5, 1.0 }, { float("F_POW", -2.5, 2.0), float("F_POW", 2.0, 3.0),
      float("F_POW", 2.0, -1.0), float("F_POW", 0.0, 0.0) })
    assert.same({ -2.0, 2.0, -3.0, -2.0, 3.0, 3.0, 2.0 }, { float("F_NEG", 2.0),
      float("F_ABS", -2.0), float("F_FLOOR", -2.5), float("F_CEIL", -2.5), float("F_LOG2", 8.0),
      float("F_LOG10", 1000.0), float("F_SQRT", 4.0) })
    assert.same({ 1.0, 0.0, 0.0, 1.0, 0.0 }, { float("F_EXP", 0.0), float("F_LOG", 1.0),
      float("F_SIN", 0.0), float("F_COS", 0.0), float("F_TAN", 0.0) })
    assert.same({ 5.5, -0.5, 7.5, 0.5 }, { float("F_ADD", 2.5, 3.0), float("F_SUB", 2.5, 3.0),
      float("F_MUL", 2.5, 3.0), float("F_DIV", 1.5, 3.0) })
  end)

  it("compares, and selects by what came of it", function()
    local found = {}
    for _, op in ipairs { "EQ", "LT", "LE" } do
      for _, pair in ipairs { { 1, 2 }, { 2, 2 }, { 3, 2 } } do
        local whole = truth(("C_%s_I"):format(op), pair[1], pair[2])
        assert.equal(whole, truth(("C_%s_F"):format(op), 0.0 + pair[1], 0.0 + pair[2]))
        found[#found + 1] = whole
      end
    end
    assert.same({ false, true, false, true, false, false, true, true, false }, found)
    for _, op in ipairs { "EQ", "LT", "LE" } do
      assert.is_false(truth(("C_%s_F"):format(op), 0 / 0, 1.0))
    end
    assert.is_true(truth("C_EQ_F", 0.0, -0.0))
    assert.same({ 2.5, 3.5, 2.5 }, values { "F_SELECT", { "C_LT_F", "F_TIME", 40.0 }, 2.5, 3.5 })
  end)

  it("reads the job", function()
    assert.same({ 0.0, 7.0, 9.0 }, values "F_SUBMIT")
    assert.same({ 10.0, 40.5, 0.0 }, values "F_TIME")
    assert.same({ 10.0, 162.0, 0.0 }, values "F_AREA")
    assert.same({ 1.0, 4.0, 2.0 }, values { "F_FROM_I", "I_PROCS" })
    assert.same({ 1.0, 2.0, 3.0 }, values { "F_FROM_I", "I_POSITION" })
    local has, is = { "C_HAS_LABEL", integer = 0 }, { "C_LABEL_IS", integer = 0, text = "bob" }
    assert.same({ 1.0, 1.0, 0.0 }, values { "F_SELECT", has, 1.0, 0.0 })
    assert.same({ 0.0, 1.0, 0.0 }, values { "F_SELECT", is, 1.0, 0.0 })
    local many = {}
    for i = 1, 300 do many[i] = { procs = i } end -- more than are computed at once
    for i, value in ipairs(values({ "F_FROM_I", { "I_MUL", "I_PROCS", "I_POSITION" } }, many)) do
      assert.equal(1.0 * i * i, value)
    end
  end)
end)

describe("a formula of a workload", function()
  it("has no result where it is no number for a job, or not of the job alone", function()
    assert.is_false(values { "F_SQRT", { "F_SUB", "F_TIME", 5.0 } }) -- of the third
    assert.same({ math.huge, math.huge }, values({ "F_DIV", 1.0, "F_SUBMIT" }, { {}, {} }))
    assert.is_false(values { "F_DIV", "F_SUBMIT", "F_SUBMIT" }) -- 0 / 0
    for _, op in ipairs { "F_NOW", "F_FIRST_SUBMIT" } do assert.is_false(values(op)) end
    for _, op in ipairs { "I_GROUP_PROCS", "I_FREE", "I_DOWN", "I_WAITING_COUNT",
      "I_RUNNING_COUNT" } do
      assert.is_false(values { "F_FROM_I", op })
    end
  end)

  it("agrees with another that has the same steps, of the job alone", function()
    local function agree(a, b) return native.agree(steps_of(a), steps_of(b)) end
    local long = { "F_ADD", "F_TIME", 2.0 }
    assert.is_true(agree(long, { "F_ADD", "F_TIME", 2.0 }))
    for _, other in ipairs { { "F_ADD", "F_TIME", 2.5 }, { "F_SUB", "F_TIME", 2.0 }, "F_TIME",
      { "F_ADD", 2.0, "F_TIME" }, { "F_ADD", "F_AREA", 2.0 } } do
      assert.is_false(agree(long, other))
      assert.is_false(agree(other, long))
    end
    assert.is_false(agree("F_NOW", "F_NOW"))
    local function user(name)
      return { "F_SELECT", { "C_LABEL_IS", integer = 0, text = name }, 1.0, 0.0 }
    end
    assert.same({ true, false }, { agree(user "a", user "a"), agree(user "a", user "b") })
    local function whole(n) return { "F_FROM_I", { "I_ADD", "I_PROCS", n } } end
    assert.same({ true, false }, { agree(whole(1), whole(1)), agree(whole(1), whole(2)) })
  end)

  it("is refused where a step is none", function()
    local function refused(steps)
      local fine, message, status = native.values(steps, JOBS)
      assert.is_nil(fine)
      assert.equal(2, status)
      return message
    end
    local time = { op = "F_TIME" }
    assert.equal("a formula has 1 to 256 steps, not 0", refused {})
    local many = {}
    for i = 1, 256 do many[i] = time end
    assert.same({ 10.0, 40.5, 0.0 }, native.values(many, JOBS))
    many[257] = time
    assert.equal("a formula has 1 to 256 steps, not 257", refused(many))
    assert.equal("the last step of a formula must be a float", refused { { op = "I_PROCS" } })
    assert.equal("the last step of a formula must be a float",
      refused { { op = "C_HAS_LABEL", integer = 0 } })
    for _, step in ipairs { { op = "F_ADD", a = 1 }, { op = "F_ADD", b = 1 },
      { op = "F_ADD", a = 1, b = 2 }, { op = "F_ADD", a = 1, b = 3 }, { op = "F_FROM_I", a = 1 },
      { op = "F_SELECT", a = 1, b = 1, c = 1 }, { op = "C_HAS_LABEL", integer = -1 },
      { op = "C_HAS_LABEL", integer = 7 }, { op = "C_LABEL_IS", integer = 0 },
      { op = "F_OUTSIDE", integer = 0 } } do
      assert.equal("step 1 of a formula has no such operands", refused { time, step, time })
    end
    local function outside(of, integer_of)
      return { { op = "F_OUTSIDE", integer = integer_of or 0 }, of = of }
    end
    assert.is_false(native.values(outside { -1 }, JOBS)) -- of a decision
    assert.equal("step 0 of a formula has no such operands", refused(outside({ -1 }, 1)))
    assert.equal("step 0 of a formula has no such operands", refused(outside({ -1 }, -1)))
    assert.equal("value 1 that a formula looks up is of no kind of label: 7",
      refused(outside { 6, 7 }))
    assert.equal("value 0 that a formula looks up is of no kind of label: -2",
      refused(outside { -2 }))
    local of = {}
    for i = 1, 33 do of[i] = -1 end
    assert.equal("a formula looks up at most 32 values with a function, not 33",
      refused(outside(of)))
  end)
end)

-- Jobs of 1 to 4 processors that take 10 to 40.5 s.
describe("that a formula gives a number for every job", function()
  local LONG = { JOBS[1], JOBS[2] }
  local WAIT = { "F_SUB", "F_NOW", "F_SUBMIT" }

  local function total(expression, situation, jobs)
    return native.is_total(steps_of(expression), jobs or LONG, { situation or {} })[1]
  end

  local function check(expected, list)
    for i, expression in ipairs(list) do
      local name = type(expression) == "table" and expression[1] or expression
      assert.equal(expected, total(expression), ("%d, %s"):format(i, name))
    end
  end

  local function count(op) return { "F_FROM_I", op } end
  local function root(x) return { "F_SQRT", x } end

  it("is known of inputs that are never negative", function()
    check(true, { "F_TIME", "F_AREA", WAIT, count "I_PROCS", count "I_POSITION",
      count "I_GROUP_PROCS", count "I_FREE", count "I_DOWN", count "I_WAITING_COUNT",
      count "I_RUNNING_COUNT", 0.0, 5.0, 1e308, count(5) })
    check(false, { "F_NOW", "F_SUBMIT", "F_FIRST_SUBMIT", -1.0, math.huge, 0 / 0, count(-1),
      count(1 << 53) })
    assert.is_true(total(count((1 << 53) - 1)))
  end)

  it("is known of a wait, and of differences only where they are the result", function()
    check(true, { root(WAIT), { "F_SUB", "F_TIME", "F_AREA" }, { "F_SUB", WAIT, 5.0 },
      { "F_NEG", "F_TIME" }, { "F_NEG", WAIT } })
    check(false, { root { "F_SUB", "F_TIME", 5.0 }, root { "F_SUB", WAIT, 5.0 },
      root { "F_SUB", "F_NOW", "F_TIME" }, root { "F_SUB", "F_NOW", "F_NOW" },
      root { "F_SUB", "F_SUBMIT", "F_NOW" }, root { "F_SUB", 5.0, "F_SUBMIT" },
      root { "F_ADD", "F_NOW", "F_SUBMIT" }, { "F_SUB", "F_TIME", "F_NOW" },
      { "F_SUB", "F_NOW", "F_TIME" }, { "F_NEG", "F_NOW" }, root { "F_NEG", "F_TIME" },
      { "F_ADD", { "F_NEG", "F_TIME" }, "F_TIME" }, count { "I_SUB", "I_PROCS", 1 } })
  end)

  it("is known of operations on what is known", function()
    check(true, { { "F_ADD", WAIT, "F_TIME" }, { "F_MUL", WAIT, "F_AREA" },
      count { "I_ADD", "I_PROCS", "I_FREE" }, count { "I_MUL", "I_PROCS", "I_FREE" },
      { "F_ABS", WAIT }, root "F_TIME", { "F_POW", WAIT, 3.0 }, { "F_POW", "F_TIME", 2.0 },
      { "F_POW", 0.0, 0.0 }, { "F_MUL", WAIT, 1e292 }, { "F_LOG", { "F_ADD", 0.5, 0.5 } },
      { "F_LOG", { "F_MUL", 2.0, count "I_PROCS" } }, { "F_MUL", { "F_LOG", 1e300 }, 1e8 } })
    check(false, { { "F_ADD", WAIT, "F_NOW" }, { "F_MUL", "F_NOW", 0.0 }, { "F_MOD", WAIT, 5.0 },
      { "F_EXP", WAIT }, { "F_FLOOR", WAIT }, { "F_POW", 1e200, 2.0 }, { "F_POW", 2.0, "F_NOW" },
      { "F_POW", "F_NOW", 2.0 }, { "F_MUL", 1e200, 1e200 }, { "F_ADD", 1e308, 1e308 },
      count { "I_MUL", "I_FREE", "I_FREE" }, count { "I_ADD", (1 << 53) - 1, 1 },
      { "F_MUL", WAIT, 1e294 }, { "F_LOG", { "F_ADD", 0.5, 0.4 } },
      { "F_LOG", { "F_MUL", 0.5, count "I_PROCS" } } })
    -- powers and roots may be anything from 0 on, logarithms too
    for _, less in ipairs { { "F_POW", "F_TIME", 2.0 }, root "F_TIME", { "F_LOG", "F_TIME" } } do
      check(false, { { "F_LOG", less }, { "F_DIV", 1.0, less } })
    end
    assert.is_false(total({ "F_MUL", WAIT, 1e292 }, { first_submit = -1e20 })) -- longer waits
  end)

  it("is known of a division where the divisor is above 0", function()
    check(true, { { "F_DIV", WAIT, "F_TIME" }, { "F_DIV", 1.0, count "I_PROCS" },
      { "F_DIV", WAIT, count "I_POSITION" }, { "F_DIV", 1.0, 1e-300 } })
    check(false, { { "F_DIV", "F_TIME", WAIT }, { "F_DIV", WAIT, count "I_FREE" },
      { "F_DIV", 1.0, 0.0 }, { "F_DIV", 1e10, 1e-300 }, { "F_DIV", "F_NOW", "F_TIME" } })
    assert.is_false(total({ "F_DIV", WAIT, "F_TIME" }, nil, JOBS)) -- one takes no time
    -- the least quotient is that of the least by the largest: 10 / 4
    assert.is_true(total { "F_LOG", { "F_DIV", "F_TIME", count "I_PROCS" } })
    assert.is_false(total { "F_LOG", { "F_DIV", "F_TIME", { "F_MUL", 3.0, count "I_PROCS" } } })
  end)

  it("is known of a logarithm of 1 or more", function()
    for _, op in ipairs { "F_LOG", "F_LOG2", "F_LOG10" } do
      check(true, { { op, 1.0 }, { op, "F_TIME" }, { op, count "I_PROCS" },
        root { op, { "F_ADD", WAIT, 1.0 } } })
      check(false, { { op, 0.99 }, { op, WAIT }, { op, "F_NOW" }, { op, count "I_FREE" } })
    end
  end)

  it("is known of a choice where it is of both", function()
    local unknown = { "C_LT_F", "F_NOW", 5.0 } -- whatever comes of it
    check(true, { { "F_SELECT", unknown, "F_TIME", WAIT },
      count { "I_SELECT", unknown, "I_PROCS", 3 },
      { "F_DIV", 1.0, { "F_SELECT", unknown, "F_TIME", 2.0 } },
      { "F_LOG", { "F_SELECT", unknown, 1.0, 3.0 } } })
    check(false, { { "F_SELECT", unknown, "F_TIME", "F_NOW" },
      { "F_SELECT", unknown, "F_NOW", "F_TIME" }, count { "I_SELECT", unknown, -1, 3 },
      { "F_DIV", 1.0, { "F_SELECT", unknown, "F_TIME", 0.0 } },
      { "F_DIV", 1.0, { "F_SELECT", unknown, 0.0, "F_TIME" } },
      { "F_LOG", { "F_SELECT", unknown, 3.0, 0.5 } } })
  end)

  it("is known up to a time of 1e15 s, and of values that are looked up for all", function()
    assert.is_true(total(WAIT, { now = 1e15 }))
    assert.is_false(total(WAIT, { now = 1.001e15 }))
    assert.is_false(total(WAIT, { now = 0 / 0 }))
    local steps = { { op = "F_OUTSIDE", integer = 0 }, of = { -1 } }
    assert.same({ true, false, true, false, true }, native.is_total(steps, LONG, { { 5.0 },
      { -5.0 }, { 0.0 }, { 0 / 0 }, { 6.0 } }))
    steps.of = { 0 } -- of users
    assert.same({ false }, native.is_total(steps, LONG, { { 5.0 } }))
  end)
end)
