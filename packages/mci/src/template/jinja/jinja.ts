import { parse, tokenize } from "@huggingface/jinja";
import { ToolError } from "../../errors.ts";
import type { Scope, TemplateLimits } from "../../template-api.ts";
import { TemplateSyntaxError } from "../parse/syntax-error.ts";
import { LimitedInterpreter, type Marks, markProgram, RenderBudget, type Statement } from "./interpreter.ts";
import { jinjaVariables } from "./variables.ts";

/**
 * A template in the Jinja2 language, by a library that neither evals nor compiles code. White space and undefined
 * variables follow Jinja2's defaults: nothing is trimmed but one final line break, and an undefined variable prints
 * nothing. Throws `TemplateSyntaxError` when made, `ToolError` when rendered.
 */
export function jinjaTemplate(source: string, limits: TemplateLimits): { render(scope: Scope): string } {
  rejectLongWhitespace(source);
  const { program, marks } = parseMarked(source);
  return {
    render(scope) {
      try {
        const budget = new RenderBudget(limits);
        const interpreter = new LimitedInterpreter(jinjaVariables(scope, budget), budget, marks);
        return String(interpreter.run(program).value);
      } catch (error) {
        throw runtimeErrorOf(error);
      }
    },
  };
}

function parseMarked(source: string): { readonly program: Statement; readonly marks: Marks } {
  try {
    const program: Statement = parse(tokenize(source));
    return { program, marks: markProgram(program) };
  } catch (error) {
    throw syntaxErrorOf(error);
  }
}

/** The library's lexer takes quadratic time over a run of white space. */
function rejectLongWhitespace(source: string): void {
  let start = 0;
  for (let at = 0; at < source.length; at++) {
    if (source.charCodeAt(at) > 32) start = at + 1;
    else if (at - start >= MAX_WHITESPACE_RUN) {
      const message = `more than ${MAX_WHITESPACE_RUN} characters of white space in a row`;
      throw new TemplateSyntaxError(message, start, undefined, "template_limit");
    }
  }
}

const MAX_WHITESPACE_RUN = 2000;

function syntaxErrorOf(error: unknown): TemplateSyntaxError {
  if (error instanceof RangeError) {
    return new TemplateSyntaxError("nested too deeply", undefined, undefined, "template_limit");
  }
  // The library's parser runs off the end of a template that is not complete.
  if (error instanceof TypeError) {
    return new TemplateSyntaxError("the template ends too early", undefined, "close every {% … %} block");
  }
  const message = messageOf(error);
  const unknown = /Unknown statement type: (include|import|from|extends|block)\b/.exec(message);
  const hint = unknown
    ? `the jinja2 engine has no ${unknown[1]} here; the builtin engine has @include`
    : undefined;
  return new TemplateSyntaxError(message, undefined, hint);
}

function runtimeErrorOf(error: unknown): ToolError {
  if (error instanceof ToolError) return error;
  // The stack, a string or an array grew beyond what the engine can hold.
  const code = error instanceof RangeError ? "template_limit" : "template_type";
  return new ToolError(code, `The Jinja template failed: ${messageOf(error)}`, { cause: error });
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
