/** How a line names what was left out; `list` has every name once, with the number of times where that is more. */
const LINES = {
  servers: (list) => `Other servers of the document are left out: ${list} (--base-url chooses one)`,
  authentication: (list) => `Other ways to authenticate are left out: ${list} (--auth chooses one)`,
  calls: (list) => `Left out, as they are requests of the API and not to it: ${list}`,
  fields: (list) => `Fields of paths that are not methods are left out: ${list}`,
  names: (list) => `Names that were taken or too long have an ending: ${list}`,
  parameters: (list) =>
    `Parameters that have no place in the request, or that the request sets itself, are left out: ${list}`,
  media: (list) => `Other media types of bodies are left out: ${list}`,
  keywords: (list) => `Parts of schemas are left out, so calls are not checked against them: ${list}`,
  repeated: (list) => `Given twice in the document, the last one counts: ${list}`,
} as const satisfies Record<string, (list: string) => string>;

/** Where a number of tools says something; schemas are read more than once. */
const COUNTED: ReadonlySet<keyof typeof LINES> = new Set(["authentication", "media"]);
/** Names in one line. */
const MAX_NAMES = 10;

/** What a document says and its tools do not: one line for each kind, however often it occurs. */
export class LeftOut {
  readonly #found = new Map<keyof typeof LINES, Map<string, number>>();
  readonly #cut = new Set<string>();

  add(kind: keyof typeof LINES, name: string): void {
    const names = this.#found.get(kind) ?? new Map<string, number>();
    names.set(name, (names.get(name) ?? 0) + 1);
    this.#found.set(kind, names);
  }

  /** A description was longer than it may be. */
  addCut(text: string): void {
    this.#cut.add(text);
  }

  lines(maxDescription: number): string[] {
    const lines = [...this.#found].map(([kind, names]) => {
      const all = [...names].map(([name, count]) =>
        count > 1 && COUNTED.has(kind) ? `${name} (${count} times)` : name,
      );
      const more = all.length > MAX_NAMES ? ` and ${all.length - MAX_NAMES} more` : "";
      return LINES[kind](`${all.slice(0, MAX_NAMES).join(", ")}${more}`);
    });
    const cut = `${this.#cut.size === 1 ? "1 description is" : `${this.#cut.size} descriptions are`} cut at ${maxDescription} characters (--max-description)`;
    return this.#cut.size === 0 ? lines : [...lines, cut];
  }
}
