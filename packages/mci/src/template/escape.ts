/**
 * Text as a template that prints exactly this text, in settings and in large texts, whatever stands around it. Runs of
 * braces and `@` that could open a placeholder or a directive, or join what follows, are quoted: `{{'{{'}}`. Unlike
 * `@{{`, which is an address after a letter or digit (`jo@{{props.host}}`), a quoted text means the same everywhere.
 */
export function escapeTemplate(text: string): string {
  return text.replace(ACTIVE, (run) => `{{'${run}'}}`);
}

const ACTIVE = /[@{]{2,}(?:!!)?|\{!!|\{!$|[@{]$|@(?=if|else|for|end|include|verbatim)/g;

/** Text as a string of an expression; undefined where it holds all three kinds of quotes. */
export function quoteText(text: string): string | undefined {
  const quote = ["'", '"', "`"].find((char) => !text.includes(char));
  return quote === undefined ? undefined : `${quote}${text}${quote}`;
}
