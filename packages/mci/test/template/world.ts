import { expect } from "vitest";
import { ToolError } from "../../src/errors.ts";
import { TemplateCompiler, type TemplateProblem } from "../../src/template/compile.ts";
import { loadJinja } from "../../src/template/jinja/load.ts";
import type { Compile, Scope, TemplateLimits } from "../../src/template-api.ts";

/** What a template sees in a test. */
export interface World {
  readonly props?: Readonly<Record<string, unknown>>;
  readonly env?: Readonly<Record<string, unknown>>;
  /** Declared properties that were not given. */
  readonly absent?: readonly string[];
  readonly limits?: Partial<TemplateLimits>;
}

export const LIMITS: TemplateLimits = {
  maxTemplateOutput: 1_000_000,
  maxTemplateLoops: 100_000,
  maxTemplateDepth: 100,
};

const jinja = await loadJinja();

/** A compiler together with what it reported. */
export function compiler(
  limits: Partial<TemplateLimits> = {},
): Compile & { readonly problems: TemplateProblem[] } {
  const problems: TemplateProblem[] = [];
  const compile = new TemplateCompiler({
    limits: { ...LIMITS, ...limits },
    jinja,
    report: (problem) => problems.push(problem),
  });
  return {
    declaring: (...args) => compile.declaring(...args),
    forTool: (...args) => compile.forTool(...args),
    readingOnly: (...args) => compile.readingOnly(...args),
    mayRead: (...args) => compile.mayRead(...args),
    text: (...args) => compile.text(...args),
    value: (...args) => compile.value(...args),
    path: (...args) => compile.path(...args),
    template: (...args) => compile.template(...args),
    problems,
  };
}

export function scopeOf(world: World = {}, onEnv: Scope["onEnv"] = () => {}): Scope {
  return { props: world.props ?? {}, env: world.env ?? {}, absent: new Set(world.absent), onEnv };
}

/** Renders a large text: directives and placeholders. */
export function render(source: string, world: World = {}): string {
  return compiler(world.limits).template(source, []).render(scopeOf(world));
}

/** Renders a setting: placeholders only. */
export function renderText(source: string, world: World = {}) {
  return compiler(world.limits).text(source, []).render(scopeOf(world));
}

/** The error that rendering throws; anything but a `ToolError` fails the test. */
export function failureOf(action: () => unknown): ToolError {
  try {
    const result = action();
    throw new Error(`It should have failed, but gave ${JSON.stringify(result)}`);
  } catch (error) {
    expect(error).toBeInstanceOf(ToolError);
    return error as ToolError;
  }
}

/** The problem reported at load for a text that cannot be parsed. */
export function problemOf(source: string, mode: "text" | "template" = "template"): TemplateProblem {
  const compile = compiler();
  compile[mode](source, ["tools", 0, "execution", mode]);
  expect(compile.problems).toHaveLength(1);
  return compile.problems[0]!;
}
