/**
 * The interface between templates and everything that uses them. The template stage implements `Compile`; loaders and
 * executors only know these interfaces.
 */

/** Where a piece of rendered text came from. A mix of env and props counts as props: the caller controls part of it. */
export type Origin = "author" | "env" | "props";

/** A run of rendered text of one origin. Executors encode, check or refuse by origin. */
export interface Part {
  readonly text: string;
  readonly origin: Origin;
}

/** Rendered to nothing: the sole content was an optional property that was not given. The key or item disappears. */
export const OMITTED: unique symbol = Symbol("omitted");
export type Omitted = typeof OMITTED;

/** What a template may read. Created for each call. */
export interface Scope {
  /** Also reachable as `input` and `properties`. */
  readonly props: Readonly<Record<string, unknown>>;
  readonly env: Readonly<Record<string, unknown>>;
  /** Declared properties that were neither given nor defaulted. */
  readonly absent: ReadonlySet<string>;
  /** Called with every env value a template reads, so that it can be masked in errors; `use` says what it is read for. */
  readonly onEnv: (value: unknown, use?: "credential") => void;
  /** Who the request comes from, where an issuer says it. Default: not known. */
  readonly caller?: ScopeCaller | undefined;
  /** The caller's own token, to be exchanged for another. No template can read it. */
  readonly callerToken?: string | undefined;
  /** Values of `env` that the entry file declares public. Default: none. */
  readonly publicValues?: ReadonlySet<string>;
}

/** What templates see as `caller`. */
interface ScopeCaller {
  readonly sub: string;
  readonly scopes: readonly string[];
  readonly claims: Readonly<Record<string, unknown>>;
}

/** A string setting, parsed once: placeholders only (`{{ }}`, `{!! !!}`), no directives. */
export interface TemplateString {
  readonly source: string;
  /** No placeholder in it. */
  readonly isConstant: boolean;
  /** The whole text is one `{!! … !!}`. */
  readonly isNative: boolean;
  /** The text; a native value prints as it would in `{{ }}`. */
  render(scope: Scope): string | Omitted;
  /** The same, in runs of one origin; adjacent runs of one origin are not merged. */
  parts(scope: Scope): readonly Part[] | Omitted;
  /** A native text's value with its type; any other text's string. */
  value(scope: Scope): { readonly value: unknown; readonly origin: Origin } | Omitted;
}

/** A JSON value whose strings, at any depth, are `Text`. Object keys are never templates. */
export interface TemplateValue {
  render(scope: Scope): unknown | Omitted;
}

/** A bare path such as `props.file` (the `from` of a flag). */
export interface TemplatePath {
  /** undefined if it does not exist. */
  resolve(scope: Scope): { readonly value: unknown; readonly origin: Origin } | undefined;
}

/** A large text: placeholders, loops, conditions, includes. */
export interface Template {
  /** Included files as written. */
  readonly includes: readonly string[];
  /** Reads the included files, and theirs, so that rendering is synchronous. A loop of includes is an error. */
  link(load: IncludeLoader, file: string): Promise<Template>;
  render(scope: Scope): string;
}

export type IncludeLoader = (
  path: string,
  from: string,
) => Promise<{ readonly text: string; readonly file: string }>;

export type TemplateEngine = "builtin" | "jinja2";

/** Path of a setting inside its document, e.g. `["tools", 0, "execution", "url"]`. */
export type JsonPath = readonly (string | number)[];

/** Parses settings. A malformed one is reported with its place; what is returned then fails when rendered. */
export interface Compile {
  /** The same for a tool with that input schema: properties it declares may have names that no path can spell. */
  declaring(inputSchema: unknown): Compile;
  /** The same for settings that may read these variables only, of those that may be read so far. undefined: no limit. */
  readingOnly(envAllowList: readonly string[] | undefined): Compile;
  /** The same for the settings of a tool, whose errors then name it: `tool 'get_user' in mci.json`. */
  forTool(label: string): Compile;
  /** Whether a setting may pass on this variable; one that it may not is reported. */
  mayRead(variable: string, place: JsonPath): boolean;
  text(source: string, place: JsonPath): TemplateString;
  value(source: unknown, place: JsonPath): TemplateValue;
  path(source: string, place: JsonPath): TemplatePath;
  template(source: string, place: JsonPath, options?: { engine?: TemplateEngine }): Template;
}

export interface TemplateLimits {
  /** Characters one rendering may produce. Default 10 Mi. */
  readonly maxTemplateOutput: number;
  /** Loop rounds in one rendering, nested loops added up. Default 1,000,000. */
  readonly maxTemplateLoops: number;
  /** Nesting of blocks, includes and parentheses. Default 100. */
  readonly maxTemplateDepth: number;
}
