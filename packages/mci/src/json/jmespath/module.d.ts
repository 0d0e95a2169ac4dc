declare module "jmespath" {
  const jmespath: {
    /** Throws if the expression is malformed. Only the parser is used: its evaluator has no limits. */
    compile(expression: string): unknown;
    /** The reference that tests compare with. */
    search(data: unknown, expression: string): unknown;
  };
  export default jmespath;
}
