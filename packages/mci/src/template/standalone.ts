import type { TemplateLimits } from "../template-api.ts";
import { TemplateSyntaxError } from "./parse/syntax-error.ts";
import { renderNodes } from "./render/render.ts";
import { RenderContext } from "./render/scope.ts";
import { parseUnit, syntaxError, type Unit } from "./unit.ts";

/** A template outside of a file: values are read by their bare names, there is no environment and nothing to include. */
export interface StandaloneTemplate {
  /** Throws where a name is missing or a limit is passed. */
  render(values: Readonly<Record<string, unknown>>): string;
}

/** Throws for a template that cannot be parsed. */
export function compileStandalone(source: string, limits: TemplateLimits): StandaloneTemplate {
  const unit = parseOrThrow(source, limits);
  if (unit.includes.size > 0) throw new Error("includes cannot be used here: there is no file to read from");
  return {
    render(values) {
      const context = new RenderContext(NO_SCOPE, unit);
      for (const [name, value] of Object.entries(values))
        context.variables.push({ name, value, key: undefined, origin: PROPS });
      renderNodes(unit.nodes, context);
      return context.out;
    },
  };
}

const NO_SCOPE = { props: {}, env: {}, absent: new Set<string>(), onEnv: () => {} };
/** Its place in `ORIGINS`: what a caller gives. */
const PROPS = 2;

function parseOrThrow(source: string, limits: TemplateLimits): Unit {
  const origin = { place: [] };
  try {
    return parseUnit(source, "template", origin, limits);
  } catch (error) {
    throw error instanceof TemplateSyntaxError ? syntaxError(error, { source, origin }) : error;
  }
}
