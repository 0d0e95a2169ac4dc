/** The port to the languages that a task is written in. The engine does not know how they work. Both throw where the source is malformed. */
export interface TaskLanguage {
  /** Throws where a name is missing. */
  template(source: string): { render(values: Readonly<Record<string, unknown>>): string };
  /** Throws where the expression cannot be applied. */
  jmespath(source: string): (data: unknown) => unknown;
}
