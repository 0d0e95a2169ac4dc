import type { IncludeLoader, Scope, Template } from "../../template-api.ts";
import { TemplateSyntaxError } from "../parse/syntax-error.ts";
import { renderNodes } from "../render/render.ts";
import { RenderContext } from "../render/scope.ts";
import { errorAt, parseUnit, syntaxError, type Unit } from "../unit.ts";

/** A template in the built-in language. */
export class BuiltinTemplate implements Template {
  readonly includes: readonly string[];
  readonly #unit: Unit;

  constructor(unit: Unit) {
    this.#unit = unit;
    this.includes = [...unit.includes.keys()];
  }

  async link(load: IncludeLoader, file: string): Promise<Template> {
    if (this.includes.length === 0) return this;
    return new BuiltinTemplate(await new Linker(load).link(this.#unit, [{ name: file, file }]));
  }

  render(scope: Scope): string {
    const context = new RenderContext(scope, this.#unit);
    renderNodes(this.#unit.nodes, context);
    return context.out;
  }
}

/** A file on the way from the template to the include at hand: its resolved name, and the name to show. */
interface IncludeStep {
  readonly name: string;
  readonly file: string;
}

class Linker {
  readonly #load: IncludeLoader;
  /** Files that are linked already, by their resolved names. */
  readonly #units = new Map<string, Unit>();

  constructor(load: IncludeLoader) {
    this.#load = load;
  }

  async link(unit: Unit, chain: readonly IncludeStep[]): Promise<Unit> {
    const linked = new Map<string, Unit>();
    // One after the other, so that of several problems the same one is always reported.
    for (const [path, offset] of unit.includes)
      linked.set(path, await this.#include(path, offset, unit, chain));
    return { ...unit, linked };
  }

  async #include(path: string, offset: number, unit: Unit, chain: readonly IncludeStep[]): Promise<Unit> {
    const { text, file } = await this.#load(path, chain.at(-1)!.file);
    const start = chain.findIndex((step) => step.file === file);
    if (start >= 0) {
      const loop = [...chain.slice(start).map(({ name }) => name), path].join(" -> ");
      throw errorAt("template_syntax", unit, offset, `The included files include each other: ${loop}`);
    }
    const { maxTemplateDepth } = unit.limits;
    if (chain.length > maxTemplateDepth) {
      throw errorAt(
        "template_limit",
        unit,
        offset,
        `Files are included more than ${maxTemplateDepth} levels deep`,
      );
    }
    const cached = this.#units.get(file);
    if (cached) return cached;
    const included = await this.link(parseFile(text, path, unit), [...chain, { name: path, file }]);
    this.#units.set(file, included);
    return included;
  }
}

function parseFile(source: string, file: string, { limits, names, envAllowList }: Unit): Unit {
  const origin = { file };
  try {
    return { ...parseUnit(source, "template", origin, limits, names), envAllowList };
  } catch (error) {
    throw error instanceof TemplateSyntaxError ? syntaxError(error, { source, origin }) : error;
  }
}
