import * as fc from "fast-check";
import { ToolError } from "../errors.ts";
import { TemplateCompiler } from "./compile.ts";
import { escapeTemplate } from "./escape.ts";

const limits = { maxTemplateOutput: 10_000, maxTemplateLoops: 1000, maxTemplateDepth: 20 };
const compile = new TemplateCompiler({ limits, report: () => {} });

/** Pieces of templates: more of them are nearly right than random characters would be. */
const piece = fc.constantFrom(
  ..."{{ }} {!! !!} @if( @endif @else @elseif( @for( @foreach( @endforeach @endfor @verbatim @endverbatim @@ @{{".split(
    " ",
  ),
  ..."props.a props.b env.KEY env env[props.a] x i in range(0,3) ) | || && and or not == != < > + - * / % [0] .length 'x' \"y\" `z` 1 .5".split(
    " ",
  ),
  " ",
  "\n",
);
const template = fc
  .array(fc.oneof(piece, fc.string({ maxLength: 3 })), { maxLength: 30 })
  .map((parts) => parts.join(""));
const scopeOf = (props: object) => ({
  props: props as Record<string, unknown>,
  env: { KEY: SECRET },
  absent: new Set<string>(),
  onEnv: () => {},
});
const SECRET = "s3cr3t-of-the-env";

function renderOrError(source: string, props: object): string | undefined {
  try {
    return compile.template(source, []).render(scopeOf(props));
  } catch (error) {
    if (error instanceof ToolError) return undefined;
    throw error;
  }
}

export default [
  {
    name: "templates: any text renders within its limits or fails with a ToolError",
    property: fc.property(template, fc.object(), (source, props) => {
      const text = renderOrError(source, props);
      return text === undefined || text.length <= limits.maxTemplateOutput;
    }),
  },
  {
    name: "templates: a value is printed as it is, whatever it looks like",
    property: fc.property(fc.oneof(template, fc.string()), (value) => {
      return renderOrError("<{{props.a}}>", { a: value }) === `<${value}>`;
    }),
  },
  {
    name: "templates: a value never reads env",
    property: fc.property(fc.array(template, { maxLength: 3 }), template, (list, value) => {
      const source = "{{props.a}}@foreach(x in props.list){{x}}@endforeach@if(props.a == props.list)y@endif";
      return !renderOrError(source, { a: value, list })?.includes(SECRET);
    }),
  },
  {
    name: "templates: an escaped text prints as it is, between other texts and placeholders",
    property: fc.property(fc.array(fc.oneof(template, fc.string()), { maxLength: 3 }), (texts) => {
      const a = "<a>";
      const source = texts.map((text) => `${escapeTemplate(text)}{{props.a}}`).join("");
      const expected = texts.map((text) => text + a).join("");
      const setting = compile.text(source, []).render(scopeOf({ a }));
      const joined = compile.text(texts.map(escapeTemplate).join(""), []).render(scopeOf({}));
      return setting === expected && renderOrError(source, { a }) === expected && joined === texts.join("");
    }),
  },
  {
    name: "templates: under envAllowList no template reads another variable",
    property: fc.property(template, fc.constantFrom("text", "template"), (source, mode) => {
      const restricted = compile.readingOnly(["OTHER"]);
      const scope = { ...scopeOf({ a: "KEY", b: "KEY" }), env: { KEY: SECRET, OTHER: "o" } };
      try {
        const text = mode === "text" ? restricted.text(source, []) : restricted.template(source, []);
        return !String(text.render(scope)).includes(SECRET);
      } catch (error) {
        if (error instanceof ToolError) return true;
        throw error;
      }
    }),
  },
];
