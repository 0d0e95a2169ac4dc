import { expect, test } from "vitest";
import { parseUriTemplate } from "./uri-template.ts";

/** The values of RFC 6570, sections 1.2 and 3.2, as far as they have no lists. */
const VALUES = { var: "value", hello: "Hello World!", path: "/foo/bar", half: "50%", x: "1024", y: "768" };

test.for([
  ["{var}", "value"],
  ["{hello}", "Hello%20World%21"],
  ["{half}", "50%25"],
  ["O{empty}X", "OX"],
  ["{x,y}", "1024,768"],
  ["{x,hello,y}", "1024,Hello%20World%21,768"],
  ["{var:3}", "val"],
  ["{+hello}", "Hello%20World!"],
  ["{+half}", "50%25"],
  ["{+path}/here", "/foo/bar/here"],
  ["up{+path}{var}/here", "up/foo/barvalue/here"],
  ["X{#hello}", "X#Hello%20World!"],
  ["{#path,x}/here", "#/foo/bar,1024/here"],
  ["X{.var}", "X.value"],
  ["{/var,x}/here", "/value/1024/here"],
  ["{/var:1,var}", "/v/value"],
  ["{;x,y}", ";x=1024;y=768"],
  ["{?x,y}", "?x=1024&y=768"],
  ["{?x,none}", "?x=1024"],
  ["?fixed=yes{&x}", "?fixed=yes&x=1024"],
  ["{var*}", "value"],
] as const)("%s becomes %s", ([template, address]) => {
  expect(parseUriTemplate(template)!.expand(VALUES)).toBe(address);
});

test("a value stays a value: it cannot end its part of the address, and half a character does not stop the page", () => {
  const { expand } = parseUriTemplate("x://files/{name}/text")!;
  expect(expand({ name: "../secret?a=b#c" })).toBe("x://files/..%2Fsecret%3Fa%3Db%23c/text");
  expect(expand({ name: "\ud800" })).toBe("x://files/%EF%BF%BD/text");
  expect(parseUriTemplate("x://{__proto__}{constructor}")!.expand({})).toBe("x://");
});

test("variables of a query or fragment may be left out, others are required", () => {
  expect(parseUriTemplate("x://{a}{/b}{?c,a}{#d}")!.variables).toEqual([
    { name: "a", required: true },
    { name: "b", required: true },
    { name: "c", required: false },
    { name: "d", required: false },
  ]);
});

test("what is not a template cannot be filled in", () => {
  const many = Array.from({ length: 101 }, (_, index) => `{v${index}}`).join("");
  for (const text of ["x://{a", "x://a}", "x://{a{b}}", "x://{}", "x://{=a}", "x://{a b}", "x://plain", many])
    expect(parseUriTemplate(text)).toBeUndefined();
  const long = `x://${"{".repeat(8000)}`;
  const began = performance.now();
  expect(parseUriTemplate(long)).toBeUndefined();
  expect(performance.now() - began).toBeLessThan(1000);
});
