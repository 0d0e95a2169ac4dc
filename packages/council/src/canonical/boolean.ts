/** Plain yes and no in English, Portuguese and Spanish. "No, but …" is text. */
export function canonicalBoolean(plain: string): string | undefined {
  const word = plain.toLowerCase();
  if (YES.has(word)) return "yes";
  if (NO.has(word)) return "no";
  if (TRUE.has(word)) return "true";
  if (FALSE.has(word)) return "false";
  return undefined;
}

const YES = new Set(["yes", "yeah", "yep", "sim", "sí"]);
const NO = new Set(["no", "nope", "não", "nao"]);
const TRUE = new Set(["true", "verdadeiro", "verdadero"]);
const FALSE = new Set(["false", "falso"]);
