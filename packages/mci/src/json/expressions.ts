import type { StandaloneTemplate } from "../template/standalone.ts";

/** The two small languages of the format, for programs that use them outside of a file. */
export interface Expressions {
  /** A template with placeholders, conditions and loops over the values that are given to it. Throws where it is malformed. */
  template(source: string): StandaloneTemplate;
  /** A JMESPath expression as a function of its data. Throws where it is malformed, or cannot be applied. */
  jmespath(source: string): (data: unknown) => unknown;
}

/** Loads both languages. */
export async function loadExpressions(): Promise<Expressions> {
  const [{ compileStandalone }, { default: jmespath }] = await Promise.all([
    import("../template/standalone.ts"),
    import("jmespath"),
  ]);
  return {
    template: (source) => compileStandalone(source, LIMITS),
    jmespath(source) {
      jmespath.compile(source);
      return (data) => jmespath.search(data, source) ?? null;
    },
  };
}

const LIMITS = { maxTemplateOutput: 1024 * 1024, maxTemplateLoops: 100_000, maxTemplateDepth: 100 };
