import { describe, expect, test } from "vitest";
import { failureOf, render, renderText } from "./world.ts";

const world = {
  props: {
    n: 7,
    s: "text",
    t: true,
    f: false,
    nothing: null,
    list: [1, 2],
    object: { a: 1 },
    total: 10,
    used: 4,
    num: "12",
  },
  env: { N: "3", FLOAT: "2.50", WORD: "abc" },
};

describe("[T-condition] arithmetic in placeholders", () => {
  test.each([
    ["{{1 + 2 * 3}}", "7"],
    ["{{(1 + 2) * 3}}", "9"],
    ["{{10 - 2 - 3}}", "5"],
    ["{{20 / 2 / 5}}", "2"],
    ["{{7 % 4}}", "3"],
    ["{{-props.n}}", "-7"],
    ["{{- - props.n}}", "7"],
    ["{{3 - -1}}", "4"],
    ["{{props.n + 1}}", "8"],
    ["{{props.n+1}}", "8"],
    ["{{props.n-1}}", "6"],
    ["{{props.total-props.used}}", "6"],
    ["{{props.total - props.used}}", "6"],
    ["{{props.n / 2}}", "3.5"],
    ["{{env.N * 2}}", "6"],
    ["{{env.N + 1}}", "4"],
    ["{{env.FLOAT - 1}}", "1.5"],
    ["{{props.num - env.N}}", "9"],
    ["{{'a' + 'b'}}", "ab"],
    ["{{'1' + '2'}}", "12"],
    ["{{'n' + props.n}}", "n7"],
    ["{{props.n + 'n'}}", "7n"],
    ["{{'is ' + props.t}}", "is true"],
    ["{{props.list.length + 1}}", "3"],
    ["{{props.list[props.list.length - 1]}}", "2"],
  ])("%s gives %s", (source, expected) => {
    expect(renderText(source, world)).toBe(expected);
  });

  test.each([
    ["{{props.n / 0}}", "divide by zero"],
    ["{{props.n % 0}}", "divide by zero"],
    ["{{props.s - 1}}", "string - number"],
    ["{{props.t + 1}}", "boolean + number"],
    ["{{props.nothing + 1}}", "null + number"],
    ["{{props.list * 2}}", "array * number"],
    ["{{'a' + props.object}}", "string + object"],
    ["{{-props.s}}", "number - string"],
    ["{{1000000000000000000000000 * props.huge}}", "too large"],
    [`{{${Array(20).fill("1000000000000000000000000").join(" * ")}}}`, "too large"],
  ])("%s is a type error that shows no value", (source, message) => {
    const failure = failureOf(() => renderText(source, { ...world, props: { ...world.props, huge: 1e300 } }));
    expect(failure.code).toBe("template_type");
    expect(failure.message).toContain(message);
  });
});

describe("[T-condition] comparisons and logic in placeholders", () => {
  test.each([
    ["{{props.n == 7}}", "true"],
    ["{{props.n > 7}}", "false"],
    ["{{props.t and props.n}}", "7"],
    ["{{props.f or 'x'}}", "x"],
    ["{{props.f && 1}}", "false"],
    ["{{(props.f || 'x')}}", "x"],
    ["{{props.t && props.f || 'x'}}", "x"],
    ["{{not props.t}}", "false"],
    ["{{!props.t}}", "false"],
    ["{{!!props.n}}", "true"],
    ["{{not (props.t and props.f)}}", "true"],
    ["{{1 < 2 and 2 < 3}}", "true"],
    ["{{1 + 1 == 2}}", "true"],
    ["{{props.f and props.missing}}", "false"],
  ])("%s gives %s", (source, expected) => {
    expect(renderText(source, world)).toBe(expected);
  });

  test.each([
    "{{props.missing == 1}}",
    "{{not props.missing}}",
    "{{props.t and props.missing}}",
    "{{props.missing + 1}}",
  ])("%s is an error: in a placeholder a missing path is not false", (source) => {
    expect(failureOf(() => renderText(source, world)).code).toBe("template_missing");
  });
});

describe("[T-condition] precedence, loosest to tightest: | or and not comparison + * -", () => {
  test.each([
    ["props.missing | 1 == 1", "true"],
    ["true or false and false", "true"],
    ["(true or false) and false", "false"],
    ["not false and false", "false"],
    ["not (false and false)", "true"],
    ["not 1 == 2", "true"],
    ["1 + 2 > 2 * 1", "true"],
    ["2 + 3 * 4 - 6 / 2", "11"],
    ["-2 * -3", "6"],
  ])("%s gives %s", (expression, expected) => {
    expect(renderText(`{{${expression}}}`, world)).toBe(expected);
  });

  test.each(["{{1 < 2 < 3}}", "{{1 == 1 == 1}}", "@if(1 < 2 < 3)x@endif"])(
    "%s is refused: comparisons do not chain",
    (source) => {
      const failure = failureOf(() => render(source));
      expect(failure.code).toBe("template_syntax");
      expect(failure.message).toContain("chained");
    },
  );
});
