import { describe, expect, test } from "vitest";
import {
  exactInteger,
  integersAsText,
  parseExact,
  parseMessage,
  parseRequest,
  roundedNumber,
  roundIntegers,
  stringifyExact,
  toRawJson,
} from "./exact-json.ts";

const LONG = "12345678901234567890";

describe("long integers [I-integers]", () => {
  test("are read and written with all their digits, at any depth", () => {
    const text = `{"id":${LONG},"list":[-9007199254740993,{"b":1e400}],"text":"${LONG}","__proto__":${LONG}}`;
    const value = parseExact(text) as Record<string, unknown>;
    expect(value).toMatchObject({ id: BigInt(LONG), text: LONG });
    expect(stringifyExact(value)).toBe(text.replace("1e400", "null"));
    expect(JSON.stringify(toRawJson(value))).toBe(text.replace("1e400", "null"));
  });

  test.each([
    ["9007199254740991", undefined],
    ["9007199254740993", 9007199254740993n],
    ["18014398509481984", undefined], // 2^54, which a number holds.
    ["-12345678901234567890", -12345678901234567890n],
    ["+12345678901234567890", 12345678901234567890n],
    ["1000000000000000000000", 1000000000000000000000n], // A number would print 1e+21.
    ["0000000000000005", undefined],
    ["1.5", undefined],
    ["9".repeat(401), undefined],
  ])("%s is %s", (digits, exact) => {
    expect(exactInteger(digits)).toBe(exact);
  });

  test("what is not JSON is an error, and deep values are read rounded", () => {
    expect(() => parseExact(`{"a":${LONG}`)).toThrow(SyntaxError);
    const depth = 50_000;
    const deep = `${"[".repeat(depth)}${LONG}${"]".repeat(depth)}`;
    expect(Array.isArray(parseExact(deep))).toBe(true);
  });

  test("a message keeps them in the arguments of a call only", () => {
    const message = `{"id":${LONG},"params":{"_meta":{"progressToken":${LONG}},"arguments":{"id":${LONG}}}}`;
    expect(parseMessage(message)).toEqual({
      id: Number(LONG),
      params: { _meta: { progressToken: Number(LONG) }, arguments: { id: BigInt(LONG) } },
    });
    expect(parseMessage(`[${LONG}]`)).toEqual([Number(LONG)]);
    expect(parseMessage("null")).toBe(null);
  });

  test("a server has what it must repeat exactly, too, of one message or several", () => {
    const message = `{"id":${LONG},"x":${LONG},"params":{"_meta":{"progressToken":${LONG}},"arguments":{"id":${LONG}}}}`;
    const exact = {
      ...{ id: BigInt(LONG), x: Number(LONG) },
      params: { _meta: { progressToken: BigInt(LONG) }, arguments: { id: BigInt(LONG) } },
    };
    expect(parseRequest(message)).toEqual(exact);
    expect(parseRequest(`[${message},null,${LONG},{"params":null},{"params":{"_meta":7}}]`)).toEqual([
      ...[exact, null, Number(LONG), { params: null }, { params: { _meta: 7 } }],
    ]);
    for (const text of ["null", LONG, `"${LONG}"`, `{"__proto__":{"id":${LONG}}}`])
      expect(parseRequest(text)).toEqual(JSON.parse(text));
    expect(roundedNumber(exact)).toContain('"id" is a number above 2^53');
    expect(roundedNumber({ id: 2 ** 53 - 1 })).toBe(undefined);
  });

  test("are rounded for code that knows numbers only, and put back", () => {
    const value = { a: [BigInt(LONG)], b: { c: BigInt(LONG), d: 1 } };
    const restore = roundIntegers(value);
    expect(value).toEqual({ a: [Number(LONG)], b: { c: Number(LONG), d: 1 } });
    restore();
    expect(value).toEqual({ a: [BigInt(LONG)], b: { c: BigInt(LONG), d: 1 } });
    expect(integersAsText(value)).toEqual({ a: [LONG], b: { c: LONG, d: 1 } });
  });
});
