import { describe, expect, test } from "vitest";
import { failureOf, render, renderText } from "./world.ts";

const world = { props: { name: "Alice", nothing: null, empty: "", zero: 0, no: false }, env: { HOST: "h" } };

describe("[T-literal] the first alternative that exists and is not null", () => {
  test.each([
    ["{{props.x | props.name}}", "Alice"],
    ["{{props.x|env.Y|env.HOST}}", "h"],
    ["{{props.name | 'other'}}", "Alice"],
    ["{{props.x | 'other'}}", "other"],
    ["{{props.x | `other`}}", "other"],
    ['{{props.x | "other"}}', "other"],
    ["{{props.x | ''}}", ""],
    ["{{props.x | 5}}", "5"],
    ["{{props.x | -1.5}}", "-1.5"],
    ["{{props.x | true}}", "true"],
    ["{{props.x | false}}", "false"],
    ["{{props.x | null}}", "null"],
    ["{{props.nothing | 'given'}}", "given"],
    ["{{props.nothing | props.x}}", "null"],
    ["{{props.x | props.nothing}}", "null"],
    ["{{props.empty | 'given'}}", ""],
    ["{{props.zero | 'given'}}", "0"],
    ["{{props.no | 'given'}}", "false"],
    ["{{'first' | props.name}}", "first"],
    ["{{(props.x | 2) + 1}}", "3"],
    ["{{props.x + 1 | 'none'}}", "none"],
    ["{{props.x == 1 | 'none'}}", "none"],
    ["{{not props.x | 'none'}}", "none"],
    ["{{props.x.y.z | 'deep'}}", "deep"],
    ["{{props.name.first | 'no object'}}", "no object"],
  ])("%s gives %j", (source, expected) => {
    expect(renderText(source, world)).toBe(expected);
  });

  test("inside a loop the item's own field comes first", () => {
    const props = { items: [{ n: "a" }, {}, { n: null }] };
    expect(render("@foreach(i in props.items)[{{i.n|'x'}}]@endforeach", { props })).toBe("[a][x][x]");
  });

  test("all missing is an error that names every path tried", () => {
    const { code, message } = failureOf(() => renderText("{{props.x | env.Y.z | input.w}}", world));
    expect(code).toBe("template_missing");
    expect(message).toMatch(/^Template variable not found: props\.x, env\.Y\.z, input\.w/);
  });

  test("an unquoted word is a path; the error tells to quote it", () => {
    const { message } = failureOf(() => renderText("{{env.X|default}}", world));
    expect(message).toMatch(/^Template variable not found: env\.X, default/);
    expect(message).toContain("quote it: 'default'");
  });
});

describe("[T-literal] quoted text", () => {
  test.each([
    ["{{x|'a|b'}}", "a|b"],
    ["{{x|'}'}}", "}"],
    ["{{x|'}}'}}", "}}"],
    ["{{x|'{{'}}", "{{"],
    ["{{x|'a}}b'}} c", "a}}b c"],
    [`{{x|"it's"}}`, "it's"],
    ["{{x|'say \"hi\"'}}", 'say "hi"'],
    // Literals of the Python adapter may hold their own quote, and have no escapes.
    ["{{x|'it's'}}", "it's"],
    ["{{x|'rock 'n' roll'}}", "rock 'n' roll"],
    ["{{x|'5' tall'}}", "5' tall"],
    ["{{x|''quoted''}}", "'quoted'"],
    ["{{x|'C:\\new\\table'}}", "C:\\new\\table"],
    ["{{x|'C:\\dir\\'}}", "C:\\dir\\"],
    ["{{x|'\\d+'}}", "\\d+"],
    // A backslash before a quote that belongs to the text is left out.
    ["{{x|'it\\'s'}}", "it's"],
    ['{{x|"a \\"b\\" c"}}', 'a "b" c'],
    ["{{x|'two\nlines'}}", "two\nlines"],
    ["{{x|'@if(a)'}}", "@if(a)"],
  ])("%j gives %j", (source, expected) => {
    expect(renderText(source)).toBe(expected);
    expect(render(source)).toBe(expected);
  });

  test.each(["{{'}}", "{{x|'open}}", "{{x|'a' b}}", '{{x|"open}} text', "{{x|'a'{{y}}}}"])(
    "%j is an error at load",
    (source) => {
      expect(failureOf(() => renderText(source)).code).toBe("template_syntax");
    },
  );
});
