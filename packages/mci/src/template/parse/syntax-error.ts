/** A template that cannot be parsed. Stays inside this stage: it becomes a reported problem and a `ToolError`. */
export class TemplateSyntaxError extends Error {
  override readonly name = "TemplateSyntaxError";
  readonly code: "template_syntax" | "template_limit";
  /** Where in the source; undefined where the parser cannot tell. */
  readonly offset: number | undefined;
  readonly hint: string | undefined;

  constructor(
    message: string,
    offset: number | undefined,
    hint?: string,
    code: "template_syntax" | "template_limit" = "template_syntax",
  ) {
    super(message);
    this.code = code;
    this.offset = offset;
    this.hint = hint;
  }
}
