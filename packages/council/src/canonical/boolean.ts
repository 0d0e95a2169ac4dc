/** Plain yes and no, which to one question mean the same as true and false. "No, but …" is text. */
export function canonicalBoolean(plain: string): string | undefined {
  const word = plain.toLowerCase();
  return YES.has(word) ? "yes" : NO.has(word) ? "no" : undefined;
}

const YES = new Set(["yes", "yeah", "yep", "true", "sim", "verdadeiro", "sí", "verdadero"]);
const NO = new Set(["no", "nope", "false", "não", "nao", "falso"]);
