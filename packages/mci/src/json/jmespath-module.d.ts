declare module "jmespath" {
  const jmespath: {
    search(data: unknown, expression: string): unknown;
    /** Throws if the expression is malformed. */
    compile(expression: string): unknown;
  };
  export default jmespath;
}
