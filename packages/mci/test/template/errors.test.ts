import { describe, expect, test } from "vitest";
import { compiler, failureOf, problemOf, render, renderText, scopeOf } from "./world.ts";

const world = {
  props: { username: "jo", user: { name: "x", items: [1] }, "odd key": 1, "utf-8": 1 },
  env: { API_KEY: "sk-secret-value", BASE_URL: "https://hidden.example" },
};

describe("[T-place] a missing variable", () => {
  test("says exactly which", () => {
    expect(failureOf(() => renderText("{{env.MISSING_VAR}}", world))).toMatchObject({
      code: "template_missing",
      message: "Template variable not found: env.MISSING_VAR",
    });
  });

  test.each([
    ["{{env.API_KYE}}", "Did you mean env.API_KEY?"],
    ["{{env.api_key}}", "Did you mean env.API_KEY?"],
    ["{{env.BASEURL}}", "Did you mean env.BASE_URL?"],
    ["{{props.usrname}}", "Did you mean props.username?"],
    ["{{props.user.nam}}", "Did you mean props.user.name?"],
    ["{{props.user.itms[0]}}", "Did you mean props.user.items?"],
    ["{{props.odd_key}}", 'Did you mean props["odd key"]?'],
    ["{{props.utf-8}}", 'Did you mean props["utf-8"]?'],
    ["{{username}}", "Did you mean props.username?"],
    ["{{API_KEY}}", "Did you mean env.API_KEY?"],
    ["{{prop.username}}", "Did you mean props.username?"],
    ["{{something.else}}", "Names begin with props, env or a loop variable."],
    ["{{props.username.first}}", "props.username is of type string."],
    ["{{props.user.items.first}}", undefined],
    ["{{props.q}}", undefined],
  ])("%s: %s", (source, advice) => {
    const { message } = failureOf(() => renderText(source, world));
    expect(message).toMatch(/^Template variable not found: /);
    if (advice === undefined) expect(message).toMatch(/^Template variable not found: \S+$/);
    else expect(message).toContain(`. ${advice}`);
  });

  test("in a loop the loop's variables are suggested", () => {
    const source = "@foreach(user in props.list){{usr.name}}@endforeach";
    expect(failureOf(() => render(source, { props: { list: [{}] } })).message).toContain(
      "Did you mean user.name?",
    );
    const field = "@foreach(user in props.list){{user.nmae}}@endforeach";
    expect(failureOf(() => render(field, { props: { list: [{ name: 1 }] } })).message).toContain(
      "Did you mean user.name?",
    );
  });

  test("never shows a value", () => {
    for (const source of [
      "{{env.API_KYE}}",
      "{{env.API_KEY.x}}",
      "{{env.API_KEY - 1}}",
      "@foreach(x in env.API_KEY)x@endforeach",
      "{{env.BASE_URL > 1}}",
    ]) {
      const { message } = failureOf(() => render(source, world));
      expect(message).not.toContain("secret");
      expect(message).not.toContain("hidden");
    }
  });

  test("each alternative gets its advice", () => {
    const { message } = failureOf(() => renderText("{{env.API_KYE | props.usrname | guest}}", world));
    expect(message).toBe(
      "Template variable not found: env.API_KYE, props.usrname, guest. " +
        "Did you mean env.API_KEY? Did you mean props.username? To print the word itself, quote it: 'guest'.",
    );
  });

  test("a very long chain makes no long message", () => {
    const chain = Array.from({ length: 5000 }, (_, n) => `props.none${n}`).join(" | ");
    expect(failureOf(() => renderText(`{{${chain}}}`, world)).message.length).toBeLessThan(500);
  });

  test("very many or very long names make no long message", () => {
    const props = Object.fromEntries(
      Array.from({ length: 20_000 }, (_, n) => [`wante${"d".repeat(n % 300)}`, n]),
    );
    const { message } = failureOf(() => renderText("{{props.wantedX}}", { props }));
    expect(message.length).toBeLessThan(200);
  });
});

describe("[T-place] where", () => {
  const scope = scopeOf(world);

  test("the setting's path, written as in problems of loading; in a text of several lines also line and column", () => {
    const compile = compiler();
    const header = compile.text("{{env.NO}}", ["tools", 3, "execution", "headers", "X-Id"]);
    expect(failureOf(() => header.render(scope)).message).toBe(
      'Template variable not found: env.NO (tools[3].execution.headers["X-Id"])',
    );
    const text = compile.template("a\n  {{env.NO}}\n", ["tools", 0, "execution", "text"]);
    expect(failureOf(() => text.render(scope)).message).toBe(
      "Template variable not found: env.NO (tools[0].execution.text, line 2, column 5)",
    );
    const ofTool = compile
      .forTool("tool 'get' in mci.json")
      .text("{{env.NO}}", ["tools", 3, "execution", "url"]);
    expect(failureOf(() => ofTool.render(scope)).message).toBe(
      "Template variable not found: env.NO (tool 'get' in mci.json, execution.url)",
    );
    const crlf = compile.template("a\r\n\r\n{{1 - 'x'}}", ["report.txt"]);
    expect(failureOf(() => crlf.render(scope)).message).toBe(
      "Cannot calculate number - string (report.txt, line 3, column 5)",
    );
  });
});

describe("[T-syntax] a malformed text is reported at load, with line and column", () => {
  test.each([
    ["{{ props.x", 1, 1, "{{ is never closed: '}}' is missing"],
    ["a\nb {{ props.x", 2, 3, "{{ is never closed"],
    ["{{ }}", 1, 4, "a value is missing"],
    ["{{{props.x}}}", 1, 3, "unexpected '{'"],
    ["{{a|{{b|c}}}}", 1, 5, "unexpected '{'"],
    ["{{ a b }}", 1, 6, "unexpected 'b'"],
    ["{{ a = 1 }}", 1, 6, "unexpected '='"],
    ["{{ a ? b : c }}", 1, 6, "unexpected '?'"],
    ["{{ a + }}", 1, 8, "a value is missing"],
    ["{{ | a }}", 1, 4, "unexpected '|'"],
    ["{{ (a }}", 1, 7, "')' is missing"],
    ["{{ a) }}", 1, 5, "unexpected ')'"],
    ["{{ a[0 }}", 1, 8, "']' is missing"],
    ["{{ a. }}", 1, 5, "a name is missing"],
    ["{{ .a }}", 1, 4, "unexpected '.'"],
    ["{{ a .b }}", 1, 6, "unexpected '.'"],
    ["{{ 1abc }}", 1, 5, "unexpected 'abc'"],
    ["{{ f(x) }}", 1, 5, "f cannot be called"],
    ["{{ @if(x) }}", 1, 4, "unexpected '@'"],
    ["{{ “x” }}", 1, 4, "unexpected '“'"],
    ["{{ a and }}", 1, 10, "a value is missing"],
    ["{{ and }}", 1, 4, "unexpected 'and'"],
    ["x\n@if(props.a)\ny", 2, 1, "@if is never closed: @endif is missing"],
    ["@if(props.a)@for(i in range(0, 1))", 1, 13, "@for is never closed"],
    ["@if(props.a", 1, 1, "@if( is never closed: ')' is missing"],
    ["@if()x@endif", 1, 5, "a value is missing"],
    ["\n\n  @endif", 3, 3, "@endif without @if"],
    ["@verbatim {{", 1, 1, "@verbatim is never closed"],
  ])("%j at line %i, column %i: %s", (source, line, column, message) => {
    expect(problemOf(source)).toMatchObject({ line, column, message: expect.stringContaining(message) });
  });

  test("the problem carries the place, the offset and a hint", () => {
    expect(problemOf("ab\n{{ x = 1 }}")).toEqual({
      place: ["tools", 0, "execution", "template"],
      message: "unexpected '='",
      hint: "compare with ==",
      offset: 8,
      line: 2,
      column: 6,
    });
  });

  test("what is returned fails when rendered, with the same message", async () => {
    const compile = compiler();
    const template = compile.template("a\n@if(x)", ["t"]);
    const text = compile.text("{{", ["u"]);
    const scope = scopeOf();
    const message = "Template syntax error: @if is never closed: @endif is missing (t, line 2, column 1)";
    expect(failureOf(() => template.render(scope))).toMatchObject({ code: "template_syntax", message });
    await expect(template.link(() => expect.unreachable(), "x")).rejects.toMatchObject({
      code: "template_syntax",
    });
    for (const use of [() => text.render(scope), () => text.parts(scope), () => text.value(scope)]) {
      expect(failureOf(use).message).toBe("Template syntax error: {{ is never closed: '}}' is missing (u)");
    }
  });
});
