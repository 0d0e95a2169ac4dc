/**
 * What must be compared as it is written: regular expressions, commands, escapes. There every space, case and sign carries
 * meaning. Code is another matter: its layout may differ.
 */
export function isVerbatim(text: string): boolean {
  const outsideStrings = text.replace(/"(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])*'?/g, '""');
  return VERBATIM.some((pattern) => pattern.test(outsideStrings));
}

const VERBATIM: readonly RegExp[] = [
  /\\(?!boxed\b|[()[\]](?:$|\s))\S/, // An escape, a Windows path.
  /\[\^|\(\?[:=!<#]|[\])][+*?](?!\w)|[\])]\{\d|\.[*+](?![\w(])/, // Signs of a regular expression.
  /^\/.+\/[dgimsuvy]*$/, // One between slashes.
  /\[[^\][\s]*[\w\s]-\w[^\][]*\]/, // A range of characters.
  /(?:^|\s)--?[A-Za-z]/, // An option of a command.
];

/** A word whose case and final stop say nothing: all lower case, capitalised, or all capitals, hyphens and apostrophes inside. */
export function isPlainWord(token: string): boolean {
  // Piece by piece: one pattern for all of them would take exponential time.
  return token.split(/['-]/).every((piece) => CASED.test(piece) || CAPITALS.test(piece));
}

const CASED = /^\p{Lu}?[\p{Ll}\p{Lo}\p{Lm}\p{M}]*$/u;
const CAPITALS = /^[\p{Lu}\p{M}]+$/u;

/** `x + 1` is `x+1`: letters, numbers and a few functions, joined by signs of arithmetic. */
export function canonicalFormula(plain: string): string | undefined {
  if (plain.length > 200) return undefined;
  const text = plain.replace(/[×·⋅∙]|(?<=\d ?)x(?= ?10\^)/g, "*").replace(/÷/g, "/");
  if (
    !isFormula(text) ||
    /[-+*/^=<>≤≥(,]$/.test(text) ||
    !/[-+*/^=<>≤≥]/.test(text) ||
    !/\p{L}|[-+*/^=]/u.test(text)
  )
    return undefined;
  return text.replace(/\s+/g, "");
}

/** Operand by operand: one pattern for the whole formula would take exponential time. */
function isFormula(text: string): boolean {
  const operands = text.replace(/^[-+(]*√+/, "").split(/[-+*/^=<>≤≥()!,]+/);
  return operands.length > 1 && operands.every((operand) => OPERAND.test(operand.trim()));
}

const OPERAND = /^(?:\d+(?:\.\d+)?|\.\d+)?(?:(?:\p{L}|sin|cos|tan|log|ln|exp|sqrt|pi)(?:_?\d+)?|_\d+)?$/u;
