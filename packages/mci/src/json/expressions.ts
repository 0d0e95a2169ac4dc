import type { StandaloneTemplate } from "../template/standalone.ts";

/** The two small languages of the format, for programs that use them outside of a file. */
export interface Expressions {
  /** A template with placeholders, conditions and loops over the values that are given to it. Throws where it is malformed. */
  template(source: string): StandaloneTemplate;
  /**
   * A JMESPath expression as a function of its data. Throws where it is malformed, cannot be applied, or takes more than
   * 100,000 steps or 1 MiB: a stranger may write it, and evaluating is synchronous.
   */
  jmespath(source: string): (data: unknown) => unknown;
}

/** Loads both languages. */
export async function loadExpressions(): Promise<Expressions> {
  const [{ compileStandalone }, { compileExpression }] = await Promise.all([
    import("../template/standalone.ts"),
    import("./jmespath/compile.ts"),
  ]);
  return {
    template: (source) => compileStandalone(source, LIMITS),
    jmespath(source) {
      const search = compileExpression(source);
      return (data) => search(data, JMESPATH_LIMITS) ?? null;
    },
  };
}

const LIMITS = { maxTemplateOutput: 1024 * 1024, maxTemplateLoops: 100_000, maxTemplateDepth: 100 };
const JMESPATH_LIMITS = { maxSteps: 100_000, maxBytes: 1024 * 1024 };
