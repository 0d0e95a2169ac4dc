import { ToolError } from "../errors.ts";
import type {
  Compile,
  JsonPath,
  Scope,
  Template,
  TemplateEngine,
  TemplateLimits,
  TemplatePath,
  TemplateString,
} from "../template-api.ts";
import { CompiledPath } from "./compiled/path.ts";
import { BuiltinTemplate } from "./compiled/template.ts";
import { ConstantText, PlaceholderText } from "./compiled/text.ts";
import { compileValue } from "./compiled/value.ts";
import { type DeclaredNames, declaredNames } from "./declared-names.ts";
import { allowedEnv } from "./env-values.ts";
import type { Jinja } from "./jinja/load.ts";
import { jinjaReferences } from "./jinja/references.ts";
import type { Mode } from "./parse/lexer.ts";
import { parse as parseTree, type Tree } from "./parse/parser.ts";
import { TemplateSyntaxError } from "./parse/syntax-error.ts";
import { positionAt } from "./position.ts";
import { nodeReferences, type Reference, references } from "./references.ts";
import { parseUnit, syntaxError, type Unit, type UnitOrigin, unitAt } from "./unit.ts";

/*
 *   source -lex-> Token[] -parse-> Tree -render(Scope)-> text
 *
 * lexer.ts, expression-lexer.ts; parser.ts, expression.ts; render.ts, evaluate.ts, scope.ts
 */

export interface CompileOptions {
  readonly limits: TemplateLimits;
  /** The language of large texts that do not say. Default "builtin". */
  readonly engine?: TemplateEngine;
  /** The Jinja engine, from `loadJinja()`; needed only if something asks for "jinja2". Default: none. */
  readonly jinja?: Jinja;
  /** Called for every setting that cannot be parsed. */
  readonly report: (problem: TemplateProblem) => void;
}

export interface TemplateProblem {
  readonly place: JsonPath;
  readonly message: string;
  readonly hint?: string;
  /** Where in the setting's text, from 0; undefined where the engine cannot tell. */
  readonly offset?: number;
  /** The same as line and column, from 1. */
  readonly line?: number;
  readonly column?: number;
  /** Default "error". */
  readonly severity?: "warning";
}

interface Restrictions {
  readonly names?: DeclaredNames | undefined;
  readonly envAllowList?: ReadonlySet<string> | undefined;
  readonly label?: string | undefined;
  readonly trees?: Map<string, Tree> | undefined;
}

/** Most settings of a large file stand there once: to keep the trees of all costs more than to parse a few again. */
const MAX_TREES = 200;

/** Compiles the settings and texts of a document. */
export class TemplateCompiler implements Compile {
  readonly #options: CompileOptions;
  readonly #limits: TemplateLimits;
  readonly #names: DeclaredNames | undefined;
  readonly #envAllowList: ReadonlySet<string> | undefined;
  /** Settings of many tools are alike, such as a key in a header: each is parsed once. */
  readonly #trees: Map<string, Tree>;
  readonly #label: string | undefined;

  constructor(options: CompileOptions, { names, envAllowList, label, trees }: Restrictions = {}) {
    this.#options = options;
    this.#names = names;
    this.#envAllowList = envAllowList;
    this.#limits = options.limits;
    this.#label = label;
    this.#trees = trees ?? new Map();
  }

  declaring(inputSchema: unknown): Compile {
    const names = declaredNames(inputSchema);
    return names === undefined ? this : this.#with({ names, trees: undefined });
  }

  readingOnly(envAllowList: readonly string[] | undefined): Compile {
    if (envAllowList === undefined) return this;
    const names = envAllowList.filter((name) => this.#envAllowList?.has(name) ?? true);
    return this.#with({ envAllowList: new Set(names) });
  }

  forTool(label: string): Compile {
    return this.#with({ label });
  }

  /** How a text is parsed depends on the declared names only. */
  #with(change: Restrictions): TemplateCompiler {
    const own = { names: this.#names, envAllowList: this.#envAllowList, label: this.#label };
    return new TemplateCompiler(this.#options, { ...own, trees: this.#trees, ...change });
  }

  #origin(place: JsonPath): UnitOrigin {
    return { place, label: this.#label };
  }

  text(source: string, place: JsonPath): TemplateString {
    return this.#text(source, place) ?? new ConstantText(source);
  }

  value(source: unknown, place: JsonPath) {
    return compileValue(source, place, {
      maxDepth: this.#limits.maxTemplateDepth,
      text: (string, at) => this.#text(string, at),
      tooDeep: (at) => this.#tooDeep(at),
    });
  }

  path(source: string, place: JsonPath): TemplatePath {
    return this.#parseOrReport<TemplatePath>(
      source,
      place,
      () => {
        if (this.#envAllowList !== undefined)
          this.#checkEnv(references(source, "path").references, source, place);
        return new CompiledPath(source, this.#origin(place), this.#limits, this.#names, this.#envAllowList);
      },
      (fail) => ({ resolve: fail }),
    );
  }

  template(source: string, place: JsonPath, options: { engine?: TemplateEngine } = {}): Template {
    const engine = options.engine ?? this.#options.engine ?? "builtin";
    const parse = engine === "jinja2" ? () => this.#jinja(source, place) : () => this.#builtin(source, place);
    return this.#parseOrReport<Template>(source, place, parse, (fail) => ({
      includes: [],
      link: async () => fail(),
      render: fail,
    }));
  }

  /** undefined where there is nothing to parse, which is so for nearly all strings of a large document. */
  #text(source: string, place: JsonPath): TemplateString | undefined {
    if (!hasTemplateSyntax(source, "text")) return undefined;
    const parse = (): TemplateString => {
      const tree = this.#treeOf(source);
      const unit = this.#restricted(unitAt(tree, source, this.#origin(place), this.#limits), place);
      // Escapes are resolved while parsing, and may leave nothing but text.
      const [only, ...others] = unit.nodes;
      const isText = typeof only === "string" && others.length === 0;
      return isText ? new ConstantText(source, only) : new PlaceholderText(unit);
    };
    return this.#parseOrReport<TemplateString>(source, place, parse, (fail) => ({
      ...{ source, isConstant: false, isNative: false },
      ...{ render: fail, parts: fail, value: fail },
    }));
  }

  #treeOf(source: string): Tree {
    const parsed = this.#trees.get(source);
    if (parsed !== undefined) return parsed;
    if (this.#trees.size >= MAX_TREES) this.#trees.clear();
    const tree = parseTree(source, "text", this.#limits, this.#names);
    this.#trees.set(source, tree);
    return tree;
  }

  #builtin(source: string, place: JsonPath): Template {
    if (!hasTemplateSyntax(source, "template")) {
      const constant: Template = { includes: [], link: async () => constant, render: () => source };
      return constant;
    }
    const parsed = parseUnit(source, "template", this.#origin(place), this.#limits, this.#names);
    const unit = this.#restricted(parsed, place);
    return new BuiltinTemplate(unit);
  }

  #jinja(source: string, place: JsonPath): Template {
    const { jinja } = this.#options;
    if (jinja === undefined)
      throw new ToolError("internal", "A template asks for jinja2, which was not loaded.");
    const parsed = jinja(source, this.#limits);
    const allowList = this.#envAllowList;
    if (allowList !== undefined) this.#checkEnv(jinjaReferences(source), source, place);
    const template: Template = {
      includes: [],
      link: async () => template,
      render: (scope) => parsed.render({ ...scope, env: allowedEnv(scope.env, allowList) }),
    };
    return template;
  }

  /** The text under the allow list; reports what is wrong with it. */
  #restricted(unit: Unit, place: JsonPath): Unit {
    const { source, warnings, nodes } = unit;
    for (const warning of warnings)
      this.#options.report({ place, ...warning, ...positionAt(source, warning.offset), severity: "warning" });
    if (this.#envAllowList === undefined) return unit;
    this.#checkEnv(nodeReferences(nodes), source, place);
    return { ...unit, envAllowList: this.#envAllowList };
  }

  #checkEnv(read: readonly Reference[], source: string, place: JsonPath): void {
    for (const { root, path, offset } of read) {
      const [name] = path;
      if (root === "env" && name !== undefined)
        this.mayRead(name, place, { offset, ...positionAt(source, offset) });
    }
  }

  mayRead(name: string, place: JsonPath, position: Partial<TemplateProblem> = {}): boolean {
    if (this.#envAllowList?.has(name) ?? true) return true;
    const message = `env.${name} is read, and envAllowList does not name it`;
    const hint = `add "${name}" to envAllowList if these tools are meant to read it`;
    this.#options.report({ place, message, hint, ...position });
    return false;
  }

  #tooDeep(place: JsonPath): (scope: Scope) => never {
    const message = `values are nested more than ${this.#limits.maxTemplateDepth} levels deep`;
    const fail = () => {
      throw new TemplateSyntaxError(message, undefined, undefined, "template_limit");
    };
    return this.#parseOrReport<(scope: Scope) => never>("", place, fail, (failing) => failing);
  }

  /** Runs a parser. A text it refuses is reported, and becomes what `broken` makes of it: to use that fails. */
  #parseOrReport<T>(source: string, place: JsonPath, parse: () => T, broken: (fail: () => never) => T): T {
    try {
      return parse();
    } catch (error) {
      if (!(error instanceof TemplateSyntaxError)) throw error;
      const { message, hint, offset } = error;
      const position = offset === undefined ? {} : { offset, ...positionAt(source, offset) };
      this.#options.report({ place, message, hint, ...position });
      const failure = syntaxError(error, { source, origin: this.#origin(place) });
      return broken(() => {
        throw failure;
      });
    }
  }
}

function hasTemplateSyntax(source: string, mode: Mode): boolean {
  return source.includes("{{") || source.includes("{!!") || (mode === "template" && source.includes("@"));
}
