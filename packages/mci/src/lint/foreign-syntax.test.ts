// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are what people write by mistake.
import { expect, test } from "vitest";
import { foreignSyntax } from "./foreign-syntax.ts";

test.each([
  ["{% if props.x %}a{% endif %}", ["Jinja@1"]],
  ["a {%- for x in props.xs %}{% endfor %}{% for y in z %}", ["Jinja@3"]],
  ["Hello ${props.name}", ["placeholder@7"]],
  ["Hello {props.name} and { env.X }", ["placeholder@7"]],
  ["{{props.name}} {!!props.x!!} @{{props.y}}", []],
  ['{"a": {"props": 1}} {props} ${HOME} 100 {%}', []],
  ["@verbatim{% if x %}@endverbatim", []],
  ["console.log(`${env.HOME}`)", []],
])("[I-lookalike] %s: %j", (source, expected) => {
  const found = foreignSyntax(source, (offset) => ({ column: offset + 1 }));
  expect(found.map(({ message, column }) => `${/Jinja|placeholder/.exec(message)}@${column}`)).toEqual(
    expected,
  );
});
